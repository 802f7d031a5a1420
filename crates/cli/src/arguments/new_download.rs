//! Arguments of `get` and `add`: links, facts about their files, and how to fetch them.

use std::path::PathBuf;

use ashore_engine::{NewRequest, RequestSource, RetentionPeriod, SignIn, UserMessage};
use ashore_messages::message;
use clap::{ArgMatches, Args, value_parser};

use crate::arguments::NetworkArguments;

/// Arguments that `get` and `add` have in common.
#[derive(Debug, Default, Args)]
pub struct WantedDownload {
    /// Links (http or https). `get` also accepts the id of one download in the list. A file that ends in .meta4 or
    /// .metalink is read as with --metalink. Brackets expand to several links: page-[001:120].jpg, [a:f], {one,two}
    #[arg(value_name = "URL", required_unless_present_any = ["input", "metalink", "curl"])]
    pub urls: Vec<String>,
    /// Read links from a file, or from stdin with "-", one per line. Links can be within other text, have mirrors after
    /// a tab, and lines like "  out=NAME" below them as in a list for aria2. Empty lines and those that begin with # or
    /// ; are skipped; a line that is not a link is reported and left out. Links of the file follow those of the command
    /// line. For more than 100,000 links, or 10 MiB of them, `add` creates several downloads, and prints the id of each
    /// as soon as it is in the list; `get` always creates one
    #[arg(short, long, value_name = "FILE|-")]
    pub input: Option<PathBuf>,
    /// Folder to save the files in; the folder must exist [default: the current folder]
    #[arg(short, long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// File name, for a single link; a folder in front of it is relative to --dir [default: the name that the server
    /// gives]
    #[arg(short, long, value_name = "NAME", conflicts_with = "input")]
    pub output: Option<PathBuf>,
    /// Title in the list and in notifications [default: derived from the links]
    #[arg(long)]
    pub title: Option<String>,
    /// Text that describes the download, shown with its title
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// Image file shown beside the title; if several sizes are given, the best fitting one is used
    #[arg(long, value_name = "FILE")]
    pub icon: Vec<PathBuf>,
    /// Maximum total size of all files in bytes; the download fails if it is exceeded
    #[arg(long, value_name = "BYTES")]
    pub download_total: Option<u64>,
    /// Origin of the download: command-line, feed, clipboard, device or program. Only downloads that you start yourself
    /// may access your local network
    #[arg(long, value_name = "SOURCE", value_parser = source)]
    pub source: Option<RequestSource>,
    /// Keep the end event until a client of the owner acknowledges it, even if none has connected yet
    #[arg(long)]
    pub deliver: bool,
    /// Your own name for the download, accepted instead of the id by every other verb. Only one active download can
    /// have a name
    #[arg(long, value_name = "NAME")]
    pub id: Option<String>,
    /// Header field to send with every request; can be given several times. Header fields are stored in the list,
    /// except Authorization and Cookie, which are stored for their server as by `ashore sign-in`. With @FILE, the
    /// fields are read from FILE, one per line, so that the list of processes does not show them
    #[arg(short = 'H', long = "header", value_name = "NAME: VALUE|@FILE", value_parser = header)]
    pub headers: Vec<(String, String)>,
    /// Links after this option may fail without failing the download; if no link follows the option, this applies to
    /// all links
    #[arg(long)]
    pub optional: bool,
    /// GET, HEAD, POST, PUT, PATCH or DELETE, the last four with or without --upload-file [default: GET, or PUT with
    /// --upload-file]
    #[arg(long)]
    pub method: Option<String>,
    /// File to send as the body of every request
    #[arg(long, value_name = "FILE")]
    pub upload_file: Option<PathBuf>,
    /// Sign in to the links' server as this user; without a password, Ashore asks for the password. The password is
    /// stored in the system's keychain, so that the download can continue after a restart: see `ashore sign-in`. If
    /// neither this option nor --user-file is given, ASHORE_USER is used for links of a single server
    #[arg(short, long, value_name = "USER[:PASSWORD]")]
    pub user: Option<String>,
    /// Like --user, but read from the first line of a file, or of stdin with "-"; the list of processes does not show
    /// it
    #[arg(long, value_name = "FILE|-", conflicts_with = "user")]
    pub user_file: Option<PathBuf>,
    /// Send the passwords in ~/.netrc to servers that ask for them, as long as this engine runs
    #[arg(long)]
    pub netrc: bool,
    /// Like --netrc, but with another file
    #[arg(long, value_name = "FILE")]
    pub netrc_file: Option<PathBuf>,
    /// Send the cookies of a cookies.txt file (the format of curl and browser add-ons) to the servers that the cookies
    /// belong to. Ashore stores a copy that only you can read
    #[arg(long, value_name = "FILE")]
    pub cookies: Option<PathBuf>,
    /// User agent to send instead of Ashore's own
    #[arg(short = 'A', long, value_name = "NAME")]
    pub user_agent: Option<String>,
    /// Page that the links were found on. Servers of the page's own site get the full address, other servers only the
    /// name of the site
    #[arg(short = 'e', long, value_name = "URL", value_parser = page)]
    pub referrer: Option<String>,
    /// Expected digest of the file, for a single link: sha-256=HEX, or sha-512, sha-1, md5. Can be given once for each
    /// algorithm
    #[arg(long = "checksum", value_name = "ALGORITHM=HEX", conflicts_with = "input")]
    pub checksums: Vec<String>,
    /// Another address of the same file, for a single link; can be given several times, the best first
    #[arg(long = "mirror", value_name = "URL", conflicts_with = "input")]
    pub mirrors: Vec<String>,
    /// Size of the file in bytes, for a single link; a file of another size is refused
    #[arg(long, value_name = "BYTES", conflicts_with = "input")]
    pub size: Option<u64>,
    /// Fetch the files of a Metalink as one download, from its mirrors, with its checksums. Give a file, or "-" for
    /// stdin
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["urls", "input", "checksums", "mirrors", "size", "upload_file"])]
    pub metalink: Option<PathBuf>,
    /// Fetch the link of a command for cURL, Wget or PowerShell, as copied by browsers, with the headers, file name and
    /// sign-in of the command. A command with an option that Ashore does not support is refused, and the option is
    /// named. With "-", the command is read from stdin
    #[arg(long, value_name = "COMMAND|-", conflicts_with_all = ["urls", "input", "metalink", "upload_file"])]
    pub curl: Option<String>,
    /// Do not expand brackets in links
    #[arg(long)]
    pub literal: bool,
    /// Skip files that are already in the folder: an unchanged file that the list has for the same link, or a file that
    /// has the size reported by the server and is not older than the server's file
    #[arg(long)]
    pub skip_existing: bool,
    /// Wait for `ashore resume` instead of starting
    #[arg(long)]
    pub paused: bool,
    /// Add nothing if all downloads are paused
    #[arg(long)]
    pub ignore_when_paused: bool,
    /// Place the download before all waiting ones [default: according to the setting "order"]
    #[arg(long, group = "place")]
    pub first: bool,
    /// Place the download after all waiting ones
    #[arg(long, group = "place")]
    pub last: bool,
    /// Start immediately: if no slot is free, the last running download is preempted with every byte kept
    #[arg(long, group = "place")]
    pub now: bool,
    /// The single link starts a numbered series: the last number in the link counts up to N, and each page is fetched
    /// after the previous page is complete
    #[arg(long, value_name = "N", conflicts_with_all = ["input", "metalink", "output", "upload_file", "parts"])]
    pub until: Option<u64>,
    /// The single link leads to a list of links, one per line, as in a playlist: those links are fetched as well
    #[arg(long, conflicts_with_all = ["input", "metalink", "upload_file"])]
    pub parts: bool,
    /// Maximum number of links of that list to fetch at the same time, 1 to 64; 1 fetches the links one after the
    /// other, in order
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=64))]
    pub at_once: Option<u32>,
    /// How long the download stays in the list after you were notified of its end: 90s, 30m, 12h, 7d, 4w [default: the
    /// setting "forget-finished-after"]
    #[arg(long, value_name = "TIME")]
    pub keep_for: Option<RetentionPeriod>,
    /// Move the files to the trash when the download is removed from the list automatically; files that you changed are
    /// kept
    #[arg(long)]
    pub takes_files: bool,
    /// Index of the first optional link, counted from 0 over all links. Not an argument itself: derived from the
    /// position of `--optional`.
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
    /// Add the download even if an identical unfinished download is in the list. Without this option, the existing
    /// download moves to the top instead
    #[arg(long)]
    pub again: bool,
    /// Send the download to this machine of the shared list instead of adding it here; see `ashore sync devices`
    #[arg(long, value_name = "MACHINE", allow_hyphen_values = true, conflicts_with_all = ["again", "input"])]
    pub to: Option<String>,
}

/// Arguments of `get`.
#[derive(Debug, Default, Args)]
pub struct FetchArguments {
    #[command(flatten)]
    pub wanted: WantedDownload,
    /// Maximum number of connections per file, 1 to 64 [default: 8, or the setting]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=64))]
    pub connections: Option<u32>,
    /// Maximum number of files at the same time, 1 to 64, in total and per server [default: 4 and 2, or the settings]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=64))]
    pub parallel: Option<u32>,
    #[command(flatten)]
    pub network: NetworkArguments,
}

/// Returns the number of links before `--optional`; 0 if no link follows it.
pub(super) fn optional_from(matches: &ArgMatches) -> usize {
    let Some(option) = matches.index_of("optional") else { return 0 };
    let urls: Vec<_> = matches.indices_of("urls").into_iter().flatten().collect();
    let before = urls.iter().filter(|index| **index < option).count();
    let is_input_after = matches.index_of("input").is_some_and(|index| index > option);
    if before == urls.len() && !is_input_after { 0 } else { before }
}

fn source(text: &str) -> Result<RequestSource, String> {
    match text {
        "command-line" => Ok(RequestSource::CommandLine),
        "feed" => Ok(RequestSource::Feed),
        "clipboard" => Ok(RequestSource::Clipboard),
        "device" => Ok(RequestSource::Device),
        "program" => Ok(RequestSource::Program),
        _ => Err("it is command-line, feed, clipboard, device or program".to_owned()),
    }
}

fn page(text: &str) -> Result<String, String> {
    let is_page = ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme));
    if is_page { Ok(text.to_owned()) } else { Err("a page's address begins with http:// or https://".to_owned()) }
}

/// Parses a header field. For `@FILE`, returns `@` and the path; the file is read later.
fn header(text: &str) -> Result<(String, String), String> {
    match text.strip_prefix('@') {
        Some(file) => Ok(("@".to_owned(), file.to_owned())),
        None => field(text).map_err(|why| why.text),
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
