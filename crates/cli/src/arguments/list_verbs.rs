//! Arguments of the subcommands that act on existing downloads, the whole list, or servers.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use ashore_engine::{FileCategory, path_text};
use clap::{
    Args, ValueEnum,
    builder::{OsStringValueParser, TypedValueParser as _},
};

use crate::arguments::{SizeLimit, new_download::whole_number};

#[derive(Debug, Args)]
pub struct ListFilter {
    pub search: Option<String>,
    #[arg(long, conflicts_with = "settled")]
    pub active: bool,
    #[arg(long)]
    pub settled: bool,
    #[arg(long)]
    pub failed: bool,
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

#[derive(Debug, Args)]
pub struct ShowArguments {
    pub id: String,
    #[arg(long)]
    pub attempts: bool,
}

#[derive(Debug, Args)]
pub struct FilterArguments {
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
}

#[derive(Debug, Args)]
pub struct RegistrationArguments {
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
}

#[derive(Debug, Args)]
pub struct RetryArguments {
    #[command(flatten)]
    pub several: RegistrationArguments,
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct MoveToArguments {
    #[command(flatten)]
    pub several: RegistrationArguments,
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
}

#[derive(Debug, Args)]
pub struct RelinkArguments {
    pub id: String,
    pub url: String,
    #[arg(long, value_name = "N")]
    pub file: Option<u32>,
}

#[derive(Debug, Args)]
pub struct OpenArguments {
    pub id: String,
    #[arg(long)]
    pub folder: bool,
}

#[derive(Debug, Args)]
pub struct DoctorArguments {
    #[arg(long)]
    pub repair: bool,
}

#[derive(Debug, Args)]
pub struct PartialsArguments {
    #[arg(value_name = "ID|PATH")]
    pub partials: Vec<String>,
}

#[derive(Debug, Args)]
pub struct PositionArguments {
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
    #[arg(long)]
    pub now: bool,
}

#[derive(Debug, Args)]
pub struct MoveArguments {
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
    #[arg(long, value_name = "ID", required_unless_present = "last")]
    pub before: Option<String>,
    #[arg(long, conflicts_with = "before")]
    pub last: bool,
}

#[derive(Debug, Args)]
pub struct LimitArguments {
    #[arg(value_name = "SPEED")]
    pub speed: Option<SizeLimit>,
    #[arg(long, value_name = "HOST", requires = "speed", conflicts_with = "id")]
    pub host: Option<String>,
    #[arg(long, value_name = "ID", requires = "speed")]
    pub id: Option<String>,
}

/// Converts a value to text. A path may contain bytes that are not UTF-8.
fn text(value: OsString) -> String {
    path_text::to_text(Path::new(&value)).into_owned()
}

#[derive(Debug, Args)]
pub struct ConfigArguments {
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    #[arg(value_name = "VALUE", requires = "name", allow_negative_numbers = true, value_parser = OsStringValueParser::new().map(text))]
    pub value: Vec<String>,
    #[arg(long, requires = "name", conflicts_with = "value")]
    pub default: bool,
}

#[derive(Debug, Args)]
pub struct LimitedRegistration {
    // The id `owner` already belongs to the global option, so this argument needs a different id.
    #[arg(id = "quota_owner", value_name = "OWNER")]
    pub owner: Option<String>,
    #[arg(value_name = "SIZE")]
    pub size: Option<SizeLimit>,
    #[arg(long, value_name = "N", requires = "quota_owner")]
    pub files: Option<u64>,
    #[arg(long, value_name = "KIND", requires = "quota_owner")]
    pub category: Option<FileCategory>,
}

#[derive(Debug, Args)]
pub struct RequeueArguments {
    #[arg(long, value_name = "N", default_value_t = 28, value_parser = whole_number(1, u32::MAX))]
    pub days: u32,
}

#[derive(Debug, Args)]
pub struct SigningIn {
    #[arg(requires = "who")]
    pub url: Option<String>,
    #[arg(short, long, value_name = "USER", group = "who", requires = "url")]
    pub user: Option<String>,
    #[arg(long, group = "who", requires = "url")]
    pub token: bool,
}

#[derive(Debug, Args)]
pub struct ServerArgument {
    pub url: String,
}

#[derive(Debug, Args)]
pub struct RemoveArguments {
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
    #[arg(long)]
    pub files: bool,
}

/// Arguments of `ashore export`: the destination of the exported list.
#[derive(Debug, Args)]
pub struct ExportArguments {
    #[arg(value_name = "FILE|-", default_value = "-")]
    pub file: PathBuf,
    #[arg(long)]
    pub force: bool,
    #[arg(long, value_enum, value_name = "NAME")]
    pub to: Option<OtherList>,
}

/// Program whose list can be imported and exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OtherList {
    Aria2,
}

/// Arguments of `ashore import`: the list to import.
#[derive(Debug, Args)]
pub struct ImportArguments {
    #[arg(value_name = "FILE|-")]
    pub file: PathBuf,
    #[arg(long, value_enum, value_name = "NAME")]
    pub from: Option<OtherList>,
    #[arg(long, conflicts_with = "from")]
    pub unchecked: bool,
}
