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
}

#[derive(Debug, Args)]
pub struct BrowserNames {
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
}
