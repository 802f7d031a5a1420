//! Arguments of the subcommands about an owner, such as the subcommands about end events.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub struct OwnerArguments {
    #[arg(value_name = "NAME")]
    pub name: String,
}

#[derive(Debug, Args)]
pub struct MatchArguments {
    pub id: String,
    pub url: String,
    #[arg(long)]
    pub all: bool,
    #[arg(long)]
    pub ignore_search: bool,
    #[arg(long)]
    pub ignore_method: bool,
    #[arg(long, value_name = "METHOD")]
    pub method: Option<String>,
}

#[derive(Debug, Args)]
pub struct AckArguments {
    pub id: String,
    #[arg(value_name = "NUMBER")]
    pub event_number: Option<u32>,
}

#[derive(Debug, Args)]
pub struct ClearArguments {
    #[arg(long)]
    pub files: bool,
}

#[derive(Debug, Args)]
pub struct LeaveArguments {
    #[arg(value_name = "OWNER")]
    pub name: String,
}

#[derive(Debug, Args)]
pub struct QuotaArguments {
    pub id: String,
    #[arg(long, required_unless_present_any = ["icon", "description"])]
    pub title: Option<String>,
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    #[arg(long, value_name = "FILE")]
    pub icon: Vec<PathBuf>,
}
