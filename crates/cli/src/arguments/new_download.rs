//! Arguments of `get` and `add`: links, facts about their files, and how to fetch them.

use std::path::PathBuf;

use ashore_engine::{ByteSize, NewRequest, RequestSource, RetentionPeriod, SignIn, UserMessage};
use ashore_messages::message;
use clap::{ArgMatches, Args};

use crate::arguments::NetworkArguments;

/// Values of `--source`.
const SOURCES: [(&str, RequestSource); 5] = [
    ("command-line", RequestSource::CommandLine),
    ("feed", RequestSource::Feed),
    ("clipboard", RequestSource::Clipboard),
    ("device", RequestSource::Device),
    ("program", RequestSource::Program),
];

/// Arguments shared by `get` and `add`.
#[derive(Debug, Default, Args)]
pub struct WantedDownload {
    #[arg(value_name = "URL", required_unless_present_any = ["input", "metalink", "curl"])]
    pub urls: Vec<String>,
    #[arg(short, long, value_name = "FILE|-")]
    pub input: Option<PathBuf>,
    #[arg(short, long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    #[arg(short, long, value_name = "NAME", conflicts_with = "input")]
    pub output: Option<PathBuf>,
    #[arg(long)]
    pub title: Option<String>,
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    #[arg(long, value_name = "FILE")]
    pub icon: Vec<PathBuf>,
    #[arg(long, value_name = "SIZE")]
    pub download_total: Option<ByteSize>,
    #[arg(long, value_name = "SOURCE", value_parser = source)]
    pub source: Option<RequestSource>,
    #[arg(long)]
    pub deliver: bool,
    #[arg(long, value_name = "NAME")]
    pub id: Option<String>,
    #[arg(short = 'H', long = "header", value_name = "NAME: VALUE|@FILE", value_parser = header)]
    pub headers: Vec<(String, String)>,
    #[arg(long)]
    pub optional: bool,
    #[arg(long)]
    pub method: Option<String>,
    #[arg(long, value_name = "FILE")]
    pub upload_file: Option<PathBuf>,
    #[arg(short, long, value_name = "USER[:PASSWORD]")]
    pub user: Option<String>,
    #[arg(long, value_name = "FILE|-", conflicts_with = "user")]
    pub user_file: Option<PathBuf>,
    #[arg(long)]
    pub netrc: bool,
    #[arg(long, value_name = "FILE")]
    pub netrc_file: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    pub cookies: Option<PathBuf>,
    #[arg(short = 'A', long, value_name = "NAME")]
    pub user_agent: Option<String>,
    #[arg(short = 'e', long, value_name = "URL", value_parser = page)]
    pub referrer: Option<String>,
    #[arg(long = "checksum", value_name = "ALGORITHM=HEX", conflicts_with = "input")]
    pub checksums: Vec<String>,
    #[arg(long = "mirror", value_name = "URL", conflicts_with = "input")]
    pub mirrors: Vec<String>,
    #[arg(long, value_name = "SIZE", conflicts_with = "input")]
    pub size: Option<ByteSize>,
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["urls", "input", "checksums", "mirrors", "size", "upload_file"])]
    pub metalink: Option<PathBuf>,
    #[arg(long, value_name = "COMMAND|-", conflicts_with_all = ["urls", "input", "metalink", "upload_file"])]
    pub curl: Option<String>,
    #[arg(long)]
    pub literal: bool,
    #[arg(long)]
    pub skip_existing: bool,
    #[arg(long)]
    pub paused: bool,
    #[arg(long)]
    pub ignore_when_paused: bool,
    #[arg(long, group = "place")]
    pub first: bool,
    #[arg(long, group = "place")]
    pub last: bool,
    #[arg(long, group = "place")]
    pub now: bool,
    #[arg(long, value_name = "N", conflicts_with_all = ["input", "metalink", "output", "upload_file", "parts"])]
    pub until: Option<u64>,
    #[arg(long, conflicts_with_all = ["input", "metalink", "upload_file"])]
    pub parts: bool,
    #[arg(long, value_name = "N", value_parser = whole_number(1, 64))]
    pub at_once: Option<u32>,
    #[arg(long, value_name = "TIME")]
    pub keep_for: Option<RetentionPeriod>,
    #[arg(long)]
    pub takes_files: bool,
    /// Index of the first optional link, counted from 0 over all links. Derived from the position of `--optional`.
    #[arg(skip)]
    pub optional_from: Option<usize>,
    /// Requests parsed from the command for cURL.
    #[arg(skip)]
    pub commanded: Vec<NewRequest>,
    /// Sign-in parsed from the command for cURL.
    #[arg(skip)]
    pub sign_in: Option<SignIn>,
}

#[derive(Debug, Args)]
pub struct AddArguments {
    #[command(flatten)]
    pub wanted: WantedDownload,
    #[arg(long)]
    pub again: bool,
    #[arg(long, value_name = "MACHINE", allow_hyphen_values = true, conflicts_with_all = ["again", "input"])]
    pub to: Option<String>,
}

/// Arguments of `get`.
#[derive(Debug, Default, Args)]
pub struct FetchArguments {
    #[command(flatten)]
    pub wanted: WantedDownload,
    #[arg(long, value_name = "N", value_parser = whole_number(1, 64))]
    pub connections: Option<u32>,
    #[arg(long, value_name = "N", value_parser = whole_number(1, 64))]
    pub parallel: Option<u32>,
    #[command(flatten)]
    pub network: NetworkArguments,
}

/// Returns the number of links before `--optional`, or 0 if no link follows `--optional`.
pub(super) fn optional_from(matches: &ArgMatches) -> usize {
    let Some(option) = matches.index_of("optional") else { return 0 };
    let urls: Vec<_> = matches.indices_of("urls").into_iter().flatten().collect();
    let before = urls.iter().filter(|index| **index < option).count();
    let is_input_after = matches.index_of("input").is_some_and(|index| index > option);
    if before == urls.len() && !is_input_after { 0 } else { before }
}

fn source(text: &str) -> Result<RequestSource, UserMessage> {
    let known = SOURCES.iter().find(|(name, _)| *name == text).map(|(_, source)| *source);
    known.ok_or_else(|| message!("arguments.source", names = SOURCES.map(|(name, _)| name).join(", ")))
}

fn page(text: &str) -> Result<String, UserMessage> {
    let is_page = ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme));
    if is_page { Ok(text.to_owned()) } else { Err(message!("arguments.page")) }
}

/// Returns a parser of whole numbers from `least` to `most`.
pub(super) fn whole_number(least: u32, most: u32) -> impl Fn(&str) -> Result<u32, UserMessage> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse::<u32>().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| message!("arguments.range", least = least, most = most))
    }
}

/// Parses a header field. Returns `@FILE` as `@` and the path, because the file is read later.
fn header(text: &str) -> Result<(String, String), UserMessage> {
    match text.strip_prefix('@') {
        Some(file) => Ok(("@".to_owned(), file.to_owned())),
        None => field(text),
    }
}

/// Parses `Name: value`. Fails with the reason as a clause.
pub fn field(text: &str) -> Result<(String, String), UserMessage> {
    let (name, value) = text.split_once(':').ok_or_else(|| message!("fault-header.colon"))?;
    if name.trim().is_empty() {
        return Err(message!("fault-header.name"));
    }
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}
