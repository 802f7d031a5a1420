//! Arguments of `ashore sync`.
//!
//! Ids of machines and records of older lists may begin with `-`, so their arguments accept it.

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Args)]
pub struct SyncArguments {
    #[command(subcommand)]
    pub verb: Option<SyncVerb>,
}

#[derive(Debug, Subcommand)]
pub enum SyncVerb {
    /// Show whether sync is on, what waits, and why the latest sync failed
    Status,
    /// Sync now
    Now,
    /// Create a list on a server, and print its 24 recovery words
    Setup(EnrolArguments),
    /// Join the list of another machine
    Join(EnrolArguments),
    /// Join a list with its recovery words, for example after all machines were lost
    ///
    /// The words are read from the terminal, or from stdin, so that no list of processes shows them.
    Recover(RecoverArguments),
    /// Print a link with which one machine can join, once, within ten minutes
    Invite,
    /// List the machines of the list
    Devices,
    /// Remove a machine from the list, and print the new recovery words
    ///
    /// The machine can read nothing that is written from then on. What it has already read, it keeps.
    Remove(DeviceArgument),
    /// Let a machine start downloads here without asking
    Trust(TrustArguments),
    /// Print the recovery words of the list
    Words,
    /// List changes that lost against another machine's, or resolve one
    Conflicts(ConflictArguments),
    /// List the downloads of the other machines
    Others,
    /// Ask another machine for a change of its download, or take the download over
    Ask(AskArguments),
    /// Send a download of this machine to another one
    Send(SendArguments),
    /// List the downloads that this machine sent to others, whether they were delivered, and those that it missed
    Sends,
    /// Give this machine another name, which the other machines show
    Rename(NameArgument),
    /// Forget past downloads, on all machines and on the server, for example to free space there
    ClearHistory(HistoryArguments),
    /// Turn sync off on this machine; downloads and files stay
    Leave,
}

#[derive(Debug, Args)]
pub struct EnrolArguments {
    /// Link, as the server or another machine printed it; without it, the link is read from stdin
    #[arg(value_name = "LINK")]
    pub link: Option<String>,
    /// Name of this machine [default: its host name]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
}

#[derive(Debug, Args)]
pub struct RecoverArguments {
    /// Address of the server, as it was printed with the words: HOST:PORT#FINGERPRINT
    #[arg(value_name = "ADDRESS")]
    pub address: String,
    /// Number that was printed with the words
    #[arg(value_name = "NUMBER")]
    pub uid: i64,
    /// Name of this machine [default: its host name]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
}

#[derive(Debug, Args)]
pub struct DeviceArgument {
    /// Name or id of the machine
    #[arg(value_name = "MACHINE", allow_hyphen_values = true)]
    pub device: String,
}

#[derive(Debug, Args)]
pub struct NameArgument {
    /// New name
    #[arg(value_name = "NAME")]
    pub name: String,
}

#[derive(Debug, Args)]
pub struct HistoryArguments {
    /// Keep past downloads of the last DAYS days; 0 forgets all
    #[arg(long, value_name = "DAYS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(..=36_500))]
    pub keep: u32,
}

#[derive(Debug, Args)]
pub struct TrustArguments {
    /// Name or id of the machine
    #[arg(value_name = "MACHINE", allow_hyphen_values = true)]
    pub device: String,
    /// Ask again before downloads of this machine start
    #[arg(long)]
    pub not: bool,
}

#[derive(Debug, Args)]
pub struct ConflictArguments {
    /// Number of the conflict to resolve
    #[arg(value_name = "NUMBER")]
    pub number: Option<i64>,
    /// Apply the value that lost
    #[arg(long, requires = "number", conflicts_with = "drop")]
    pub take: bool,
    /// Keep the value that won
    #[arg(long, requires = "number")]
    pub drop: bool,
}

#[derive(Debug, Args)]
pub struct AskArguments {
    /// Id of the download, as `ashore sync others` prints it, or its first characters
    #[arg(value_name = "ID", allow_hyphen_values = true)]
    pub id: String,
    /// The change
    #[arg(value_name = "CHANGE")]
    pub change: AskedChange,
}

/// Change of a download of another machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AskedChange {
    /// Pause it there
    Pause,
    /// Continue it there
    Resume,
    /// Remove it from the list there; its files stay
    Remove,
    /// Fetch it on this machine instead
    MoveHere,
    /// Fetch it on this machine as well
    FetchHere,
}

#[derive(Debug, Args)]
pub struct SendArguments {
    /// unique_id of the download, or at least its first 4 characters
    #[arg(value_name = "ID")]
    pub id: String,
    /// Name or id of the machine
    #[arg(value_name = "MACHINE", allow_hyphen_values = true)]
    pub device: String,
}
