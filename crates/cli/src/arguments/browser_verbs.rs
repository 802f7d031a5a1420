//! Arguments of `ashore browsers`.

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub struct BrowserArguments {
    #[command(subcommand)]
    pub verb: Option<BrowserVerb>,
}

#[derive(Debug, Subcommand)]
pub enum BrowserVerb {
    List,
    Connect(BrowserNames),
    Disconnect(BrowserNames),
    Doctor,
    Pair,
    Unpair(PairedNames),
}

#[derive(Debug, Args)]
pub struct BrowserNames {
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
}

#[derive(Debug, Args)]
pub struct PairedNames {
    #[arg(required = true, value_name = "NAME")]
    pub names: Vec<String>,
}
