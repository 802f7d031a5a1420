//! Arguments of the verbs about an owner, its names and its end events.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub struct OwnerArguments {
    /// Name that `--id` gave to the download
    #[arg(value_name = "NAME")]
    pub name: String,
}

#[derive(Debug, Args)]
pub struct MatchArguments {
    /// unique_id of the download, at least its first 4 characters, or its `--id` name
    pub id: String,
    /// Link to look for
    pub url: String,
    /// Print every matching file instead of only the first
    #[arg(long)]
    pub all: bool,
    /// Ignore the question mark and everything after it when comparing links
    #[arg(long)]
    pub ignore_search: bool,
    /// Match requests of every method
    #[arg(long)]
    pub ignore_method: bool,
    /// Method of the request [default: GET]
    #[arg(long, value_name = "METHOD")]
    pub method: Option<String>,
}

#[derive(Debug, Args)]
pub struct AckArguments {
    /// unique_id of the download, at least its first 4 characters, or its `--id` name
    pub id: String,
    /// Number of the end event: `event_number` [default: the latest]
    #[arg(value_name = "NUMBER")]
    pub event_number: Option<u32>,
}

#[derive(Debug, Args)]
pub struct ClearArguments {
    /// Also move the downloaded files to the trash, except files that were replaced or changed after the download
    #[arg(long)]
    pub files: bool,
}

#[derive(Debug, Args)]
pub struct LeaveArguments {
    /// Name of the owner
    #[arg(value_name = "OWNER")]
    pub name: String,
}

#[derive(Debug, Args)]
pub struct QuotaArguments {
    /// unique_id of the download, at least its first 4 characters, or its `--id` name
    pub id: String,
    /// New title
    #[arg(long, required_unless_present_any = ["icon", "description"])]
    pub title: Option<String>,
    /// New description
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// New image file, shown beside the title; if several sizes are given, the best fitting one is used
    #[arg(long, value_name = "FILE")]
    pub icon: Vec<PathBuf>,
}
