//! The download of `transfer` with the system's allocator, in a program of its own: a program has one for its whole life.

mod transfer;

use clap::Parser;

#[derive(Debug, Parser)]
struct Arguments {
    #[command(flatten)]
    transfer: transfer::TransferFigure,
}

fn main() -> anyhow::Result<()> {
    Arguments::parse().transfer.run()
}
