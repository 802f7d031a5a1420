//! Arguments of the verbs that act on existing downloads, the whole list, or servers.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use ashore_engine::{FileCategory, path_text};
use clap::{
    Args,
    builder::{OsStringValueParser, TypedValueParser as _},
    value_parser,
};

use crate::arguments::SizeLimit;

#[derive(Debug, Args)]
pub struct ListFilter {
    /// Show only downloads whose title, links or file names contain this text
    pub search: Option<String>,
    /// Show only downloads that have not ended yet: running, waiting or paused
    #[arg(long, conflicts_with = "settled")]
    pub active: bool,
    /// Show only downloads that have ended
    #[arg(long)]
    pub settled: bool,
    /// Show only downloads with a file that failed permanently; `ashore retry` retries the file
    #[arg(long)]
    pub failed: bool,
    /// Show at most N downloads
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

#[derive(Debug, Args)]
pub struct ShowArguments {
    /// unique_id of the download, or at least its first 4 characters
    pub id: String,
    /// Below each file, list every attempt to download it: start, duration, bytes received, and the reason why the
    /// attempt ended. With --json, each record has these attempts as `tries`
    #[arg(long)]
    pub attempts: bool,
}

#[derive(Debug, Args)]
pub struct FilterArguments {
    /// unique_ids of the downloads, or at least their first 4 characters [default: everything]
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
}

#[derive(Debug, Args)]
pub struct RegistrationArguments {
    /// unique_ids of the downloads, or at least their first 4 characters
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
}

#[derive(Debug, Args)]
pub struct RetryArguments {
    #[command(flatten)]
    pub several: RegistrationArguments,
    /// Folder for the files that are not complete yet, if the download's own folder can no longer be used
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct DoctorArguments {
    /// Recompute counters that do not match the downloads they count
    #[arg(long)]
    pub repair: bool,
}

#[derive(Debug, Args)]
pub struct PartialsArguments {
    /// Paths of partial files, or the eight digits in their names
    #[arg(value_name = "ID|PATH")]
    pub partials: Vec<String>,
}

#[derive(Debug, Args)]
pub struct PositionArguments {
    /// unique_ids of the downloads, or at least their first 4 characters
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
    /// Start immediately: if no slot is free, the last running download is preempted with every byte kept
    #[arg(long)]
    pub now: bool,
}

#[derive(Debug, Args)]
pub struct MoveArguments {
    /// unique_ids of the downloads, or at least their first 4 characters
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
    /// Move directly before this download
    #[arg(long, value_name = "ID", required_unless_present = "last")]
    pub before: Option<String>,
    /// Move behind all other downloads
    #[arg(long, conflicts_with = "before")]
    pub last: bool,
}

#[derive(Debug, Args)]
pub struct LimitArguments {
    /// Bytes per second, from 1K to 10G (K, M and G are powers of 1,024); "none" or 0 removes the limit
    #[arg(value_name = "SPEED")]
    pub speed: Option<SizeLimit>,
    /// Limit traffic with this server: downloads from it or through it, and uploads to it. Give its name as in a link.
    /// Subdomains are separate servers
    #[arg(long, value_name = "HOST", requires = "speed", conflicts_with = "id")]
    pub host: Option<String>,
    /// Limit the files of one download: its unique_id, or at least its first 4 characters
    #[arg(long, value_name = "ID", requires = "speed")]
    pub id: Option<String>,
}

/// Converts a value to text, because a path may contain bytes that are not valid text.
fn text(value: OsString) -> String {
    path_text::to_text(Path::new(&value)).into_owned()
}

#[derive(Debug, Args)]
pub struct ConfigArguments {
    /// Name of the setting; without a name, all settings are shown
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// New value, as in the settings file but without quotes; a setting with hours takes any number of lines
    #[arg(value_name = "VALUE", requires = "name", allow_negative_numbers = true, value_parser = OsStringValueParser::new().map(text))]
    pub value: Vec<String>,
    /// Reset the setting to its default
    #[arg(long, requires = "name", conflicts_with = "value")]
    pub default: bool,
}

#[derive(Debug, Args)]
pub struct LimitedRegistration {
    /// Owner: "window", "command-line", or the name of a program; "all" for all owners together
    // The id `owner` is already taken by the global option of every verb.
    #[arg(id = "quota_owner", value_name = "OWNER")]
    pub owner: Option<String>,
    /// Maximum number of bytes (K, M and G are powers of 1,024); "none" removes the quota, including the quota for
    /// files
    #[arg(value_name = "SIZE")]
    pub size: Option<SizeLimit>,
    /// Maximum number of files
    #[arg(long, value_name = "N", requires = "quota_owner")]
    pub files: Option<u64>,
    /// Count only files of this kind: video, music, picture, document, archive, program or other
    #[arg(long, value_name = "KIND", requires = "quota_owner")]
    pub category: Option<FileCategory>,
}

#[derive(Debug, Args)]
pub struct RequeueArguments {
    /// Number of days to list separately
    #[arg(long, value_name = "N", default_value_t = 28, value_parser = value_parser!(u32).range(1..))]
    pub days: u32,
}

#[derive(Debug, Args)]
pub struct SigningIn {
    /// Server, or any link to it
    #[arg(requires = "who")]
    pub url: Option<String>,
    /// User name to sign in with
    #[arg(short, long, value_name = "USER", group = "who", requires = "url")]
    pub user: Option<String>,
    /// Sign in with a bearer token, as many services issue them
    #[arg(long, group = "who", requires = "url")]
    pub token: bool,
}

#[derive(Debug, Args)]
pub struct ServerArgument {
    /// Server, or any link to it
    pub url: String,
}

#[derive(Debug, Args)]
pub struct RemoveArguments {
    /// unique_ids of the downloads, or at least their first 4 characters
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
    /// Also move the downloaded files to the trash, except files that were replaced or changed after the download
    #[arg(long)]
    pub files: bool,
}

/// Destination of the exported list.
#[derive(Debug, Args)]
pub struct ExportArguments {
    /// File to write; "-" for stdout
    #[arg(value_name = "FILE|-", default_value = "-")]
    pub file: PathBuf,
    /// Replace an existing file
    #[arg(long)]
    pub force: bool,
}

/// List to import.
#[derive(Debug, Args)]
pub struct ImportArguments {
    /// File that `ashore export` wrote; "-" for stdin
    #[arg(value_name = "FILE|-")]
    pub file: PathBuf,
    /// Import the file even if it was changed after the export
    #[arg(long)]
    pub unchecked: bool,
}
