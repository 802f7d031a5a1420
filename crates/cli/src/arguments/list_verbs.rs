//! What the verbs take that are about what is in the list already, about all of it, or about servers.

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

use crate::arguments::AtMost;

#[derive(Debug, Args)]
pub struct ListFilter {
    /// Only those whose title, links or file names contain this
    pub search: Option<String>,
    /// Only those that are not settled yet
    #[arg(long, conflicts_with = "settled")]
    pub active: bool,
    /// Only those that are settled
    #[arg(long)]
    pub settled: bool,
    /// Only those with a file that failed for good: `ashore retry` tries it again
    #[arg(long)]
    pub failed: bool,
    /// At most so many
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

#[derive(Debug, Args)]
pub struct ShowArguments {
    /// Its unique_id, or the first 4 or more letters of it
    pub id: String,
    /// Under each file every try: when, how long, what it brought, and why it ended. With --json, `tries` in each record
    #[arg(long)]
    pub attempts: bool,
}

#[derive(Debug, Args)]
pub struct FilterArguments {
    /// Their unique_ids, or the first 4 or more letters [default: everything]
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
}

#[derive(Debug, Args)]
pub struct RegistrationArguments {
    /// Their unique_ids, or the first 4 or more letters
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
}

#[derive(Debug, Args)]
pub struct RetryArguments {
    #[command(flatten)]
    pub several: RegistrationArguments,
    /// Where what is not there yet goes instead, where its own folder cannot be used any more
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct DoctorArguments {
    /// Recompute counters that do not agree with the downloads they count
    #[arg(long)]
    pub repair: bool,
}

#[derive(Debug, Args)]
pub struct PartialsArguments {
    /// Partial files, or the eight digits in their names
    #[arg(value_name = "ID|PATH")]
    pub partials: Vec<String>,
}

#[derive(Debug, Args)]
pub struct PositionArguments {
    /// Their unique_ids, or the first 4 or more letters
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
    /// Do not wait for room: what runs last is set aside with every byte kept
    #[arg(long)]
    pub now: bool,
}

#[derive(Debug, Args)]
pub struct MoveArguments {
    /// Their unique_ids, or the first 4 or more letters
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
    /// Right before this one
    #[arg(long, value_name = "ID", required_unless_present = "last")]
    pub before: Option<String>,
    /// After everything else
    #[arg(long, conflicts_with = "before")]
    pub last: bool,
}

#[derive(Debug, Args)]
pub struct LimitArguments {
    /// Bytes a second, from 1K to 10G (K, M and G are 1,024 and its powers); none or 0 to take the limit away
    #[arg(value_name = "SPEED")]
    pub speed: Option<AtMost>,
    /// For what comes from this server or by way of it, and what is sent there; its name as in a link. Servers under it
    /// are others
    #[arg(long, value_name = "HOST", requires = "speed", conflicts_with = "id")]
    pub host: Option<String>,
    /// For the files of one download: its unique_id, or the first 4 or more letters of it
    #[arg(long, value_name = "ID", requires = "speed")]
    pub id: Option<String>,
}

/// A path may have bytes that are no text.
fn text(value: OsString) -> String {
    path_text::to_text(Path::new(&value)).into_owned()
}

#[derive(Debug, Args)]
pub struct ConfigArguments {
    /// The setting's name; all of them without
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// The new value, as in the settings file but without quotes; for hours, any number of lines
    #[arg(value_name = "VALUE", requires = "name", allow_negative_numbers = true, value_parser = OsStringValueParser::new().map(text))]
    pub value: Vec<String>,
    /// Set it back to its default
    #[arg(long, requires = "name", conflicts_with = "value")]
    pub default: bool,
}

#[derive(Debug, Args)]
pub struct LimitedRegistration {
    /// The owner: window, command-line, or a program's name; all for everybody together
    // Not `owner`, which is the id of the option that every verb has.
    #[arg(id = "quota_owner", value_name = "OWNER")]
    pub owner: Option<String>,
    /// So many bytes at most (K, M and G are 1,024 and its powers); none takes the quota away, with that for files
    #[arg(value_name = "SIZE")]
    pub size: Option<AtMost>,
    /// So many files at most
    #[arg(long, value_name = "N", requires = "quota_owner")]
    pub files: Option<u64>,
    /// Only files of this kind: video, music, picture, document, archive, program or other
    #[arg(long, value_name = "KIND", requires = "quota_owner")]
    pub category: Option<FileCategory>,
}

#[derive(Debug, Args)]
pub struct RequeueArguments {
    /// By day as far back
    #[arg(long, value_name = "N", default_value_t = 28, value_parser = value_parser!(u32).range(1..))]
    pub days: u32,
}

#[derive(Debug, Args)]
pub struct SigningIn {
    /// The server, or any link to it
    #[arg(requires = "who")]
    pub url: Option<String>,
    /// The user who signs in
    #[arg(short, long, value_name = "USER", group = "who", requires = "url")]
    pub user: Option<String>,
    /// A token signs in (a bearer token, as many services give out)
    #[arg(long, group = "who", requires = "url")]
    pub token: bool,
}

#[derive(Debug, Args)]
pub struct ServerArgument {
    /// The server, or any link to it
    pub url: String,
}

#[derive(Debug, Args)]
pub struct RemoveArguments {
    /// Their unique_ids, or the first 4 or more letters
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
    /// Put the files into the trash as well, where they are still those that were downloaded
    #[arg(long)]
    pub files: bool,
}

/// Where the list is saved.
#[derive(Debug, Args)]
pub struct ExportArguments {
    /// The file; - for stdout
    #[arg(value_name = "FILE|-", default_value = "-")]
    pub file: PathBuf,
    /// Replace the file that is there
    #[arg(long)]
    pub force: bool,
}

/// Which list is taken in.
#[derive(Debug, Args)]
pub struct ImportArguments {
    /// File that `ashore export` wrote; - for stdin
    #[arg(value_name = "FILE|-")]
    pub file: PathBuf,
    /// Import the file even if it was changed since
    #[arg(long)]
    pub unchecked: bool,
}
