//! Runs the program of `transfer` with the system allocator. Separate binary, because each program has a fixed
//! allocator.

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
