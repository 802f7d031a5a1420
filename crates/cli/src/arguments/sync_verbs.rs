//! Arguments of `ashore sync`.
//!
//! Ids of machines and records from older lists may begin with `-`, so the arguments accept this.

use clap::{Args, Subcommand, ValueEnum};

use crate::arguments::new_download::whole_number;

#[derive(Debug, Args)]
pub struct SyncArguments {
    #[command(subcommand)]
    pub verb: Option<SyncVerb>,
}

#[derive(Debug, Subcommand)]
pub enum SyncVerb {
    Status,
    Now,
    Setup(EnrolArguments),
    Join(EnrolArguments),
    Recover(RecoverArguments),
    Invite,
    Devices,
    Remove(DeviceArgument),
    Trust(TrustArguments),
    Words,
    Conflicts(ConflictArguments),
    Others,
    Ask(AskArguments),
    Send(SendArguments),
    Sends,
    Rename(NameArgument),
    ClearHistory(HistoryArguments),
    Leave,
}

#[derive(Debug, Args)]
pub struct EnrolArguments {
    #[arg(value_name = "LINK")]
    pub link: Option<String>,
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
}

#[derive(Debug, Args)]
pub struct RecoverArguments {
    #[arg(value_name = "ADDRESS")]
    pub address: String,
    #[arg(value_name = "NUMBER")]
    pub uid: i64,
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
}

#[derive(Debug, Args)]
pub struct DeviceArgument {
    #[arg(value_name = "MACHINE", allow_hyphen_values = true)]
    pub device: String,
}

#[derive(Debug, Args)]
pub struct NameArgument {
    #[arg(value_name = "NAME")]
    pub name: String,
}

#[derive(Debug, Args)]
pub struct HistoryArguments {
    #[arg(long, value_name = "DAYS", default_value_t = 30, value_parser = whole_number(0, 36_500))]
    pub keep: u32,
}

#[derive(Debug, Args)]
pub struct TrustArguments {
    #[arg(value_name = "MACHINE", allow_hyphen_values = true)]
    pub device: String,
    #[arg(long)]
    pub not: bool,
}

#[derive(Debug, Args)]
pub struct ConflictArguments {
    #[arg(value_name = "NUMBER")]
    pub number: Option<i64>,
    #[arg(long, requires = "number", conflicts_with = "drop")]
    pub take: bool,
    #[arg(long, requires = "number")]
    pub drop: bool,
}

#[derive(Debug, Args)]
pub struct AskArguments {
    #[arg(value_name = "ID", allow_hyphen_values = true)]
    pub id: String,
    #[arg(value_name = "CHANGE")]
    pub change: AskedChange,
}

/// Change that the user requests for a download on another machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AskedChange {
    Pause,
    Resume,
    Remove,
    MoveHere,
    FetchHere,
}

#[derive(Debug, Args)]
pub struct SendArguments {
    #[arg(value_name = "ID")]
    pub id: String,
    #[arg(value_name = "MACHINE", allow_hyphen_values = true)]
    pub device: String,
}
