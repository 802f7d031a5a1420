//! Arguments of the verbs about an owner, its names and its end events.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub struct OwnerArguments {
    /// The owner's own name for it, as `--id` gave it
    #[arg(value_name = "NAME")]
    pub name: String,
}

#[derive(Debug, Args)]
pub struct MatchArguments {
    /// Its unique_id or the first 4 or more letters of it, or its own name
    pub id: String,
    /// The link to look for
    pub url: String,
    /// Every file that matches, and not only the first
    #[arg(long)]
    pub all: bool,
    /// Compare links without what follows their question mark
    #[arg(long)]
    pub ignore_search: bool,
    /// Match requests of every method
    #[arg(long)]
    pub ignore_method: bool,
    /// The method of the request [default: GET]
    #[arg(long, value_name = "METHOD")]
    pub method: Option<String>,
}

#[derive(Debug, Args)]
pub struct AckArguments {
    /// Its unique_id or the first 4 or more letters of it, or its own name
    pub id: String,
    /// The number of the end event: `event_number` [default: the latest]
    #[arg(value_name = "NUMBER")]
    pub event_number: Option<u32>,
}

#[derive(Debug, Args)]
pub struct ClearArguments {
    /// Put the files into the trash as well, where they are still those that were downloaded
    #[arg(long)]
    pub files: bool,
}

#[derive(Debug, Args)]
pub struct LeaveArguments {
    /// The owner's name
    #[arg(value_name = "OWNER")]
    pub name: String,
}

#[derive(Debug, Args)]
pub struct QuotaArguments {
    /// Its unique_id or the first 4 or more letters of it, or its own name
    pub id: String,
    /// The title shown from now on
    #[arg(long, required_unless_present_any = ["icon", "description"])]
    pub title: Option<String>,
    /// The description shown from now on
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// The image file shown beside the title from now on; of several in different sizes, the one that fits
    #[arg(long, value_name = "FILE")]
    pub icon: Vec<PathBuf>,
}
