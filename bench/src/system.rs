//! Program of `transfer` with the system allocator; a separate binary, because the allocator is fixed per program.

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
