//! Arguments of `get` and `add`: links, facts about their files, and how they are fetched.

use std::path::PathBuf;

use ashore_engine::{NewRequest, RequestSource, RetentionPeriod, SignIn};
use clap::{ArgMatches, Args, value_parser};

use crate::arguments::NetworkArguments;

/// Arguments that `get` and `add` share.
#[derive(Debug, Default, Args)]
pub struct WantedDownload {
    /// Links (http or https). For `get` also the id of one download that is in the list. A file that ends in .meta4 or
    /// .metalink is read as with --metalink. Brackets count: page-[001:120].jpg, [a:f], {one,two}
    #[arg(value_name = "URL", required_unless_present_any = ["input", "metalink", "curl"])]
    pub urls: Vec<String>,
    /// Read links from a file, or from stdin with "-": one a line, also in prose, with mirrors behind a tab, and with lines like
    /// "  out=NAME" under them as in a list for aria2. Empty lines and those that begin with # or ; are skipped; a line that
    /// is not a link is reported and left out.
    /// Links of the file follow those of the command line. For more than 100,000 links, or 10 MiB of them, `add` makes several
    /// downloads, and prints the id of each as soon as it is in the list; `get` always makes one
    #[arg(short, long, value_name = "FILE|-")]
    pub input: Option<PathBuf>,
    /// Where the files go; the folder must be there [default: the current folder]
    #[arg(short, long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// The file's name, for a single link; a folder before it is taken from --dir on [default: what the server calls
    /// it]
    #[arg(short, long, value_name = "NAME", conflicts_with = "input")]
    pub output: Option<PathBuf>,
    /// Title in the list and in notifications [default: made from the links]
    #[arg(long)]
    pub title: Option<String>,
    /// Text that describes the download, beside its title
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// An image file shown beside the title; of several in different sizes, the one that fits
    #[arg(long, value_name = "FILE")]
    pub icon: Vec<PathBuf>,
    /// How many bytes all files may have together; more ends the download
    #[arg(long, value_name = "BYTES")]
    pub download_total: Option<u64>,
    /// How the download came to be asked for: command-line, feed, clipboard, device or program. Only downloads that you ask for
    /// yourself may come from your own network
    #[arg(long, value_name = "SOURCE", value_parser = source)]
    pub source: Option<RequestSource>,
    /// Keep its end event until a client of its owner acknowledges it, whether one has come before or not
    #[arg(long)]
    pub deliver: bool,
    /// Your own name for the download, accepted in place of the id by every other verb. Only one of a name runs at a time
    #[arg(long, value_name = "NAME")]
    pub id: Option<String>,
    /// A header field to send with every request; may be given many times. Header fields are kept in the list, but for an
    /// Authorization and a Cookie, which are kept for their server as by `ashore sign-in`. With @FILE, the fields in a
    /// file, one a line, which the list of processes does not show
    #[arg(short = 'H', long = "header", value_name = "NAME: VALUE|@FILE", value_parser = header)]
    pub headers: Vec<(String, String)>,
    /// The links after this option (or all, where none comes after it) may fail without failing the whole
    #[arg(long)]
    pub optional: bool,
    /// GET, HEAD, POST, PUT, PATCH or DELETE, the last four with or without --upload-file [default: GET, and PUT with
    /// --upload-file]
    #[arg(long)]
    pub method: Option<String>,
    /// The file to send as the body of every request
    #[arg(long, value_name = "FILE")]
    pub upload_file: Option<PathBuf>,
    /// Sign in to the links' server as this user; the password is asked for where it is left out. The password is kept in
    /// the system's keychain, so that the download can go on after a restart: see `ashore sign-in`. Where neither this nor
    /// --user-file is given, ASHORE_USER is used for links of a single server
    #[arg(short, long, value_name = "USER[:PASSWORD]")]
    pub user: Option<String>,
    /// The same from the first line of a file, or of stdin with "-"; nobody sees it in the list of processes
    #[arg(long, value_name = "FILE|-", conflicts_with = "user")]
    pub user_file: Option<PathBuf>,
    /// Give the passwords in ~/.netrc to servers that ask, as long as this engine runs
    #[arg(long)]
    pub netrc: bool,
    /// The same from another file
    #[arg(long, value_name = "FILE")]
    pub netrc_file: Option<PathBuf>,
    /// Send the cookies of a cookies.txt, as browsers' add-ons and curl write it, where they belong; a copy is kept that
    /// only you can read
    #[arg(long, value_name = "FILE")]
    pub cookies: Option<PathBuf>,
    /// User agent to send in place of Ashore's own
    #[arg(short = 'A', long, value_name = "NAME")]
    pub user_agent: Option<String>,
    /// The page the links were found on. Inside its own site it is sent whole, to others only the site's name
    #[arg(short = 'e', long, value_name = "URL", value_parser = page)]
    pub referrer: Option<String>,
    /// Digest that the file must have, for a single link: sha-256=HEX, or sha-512, sha-1, md5. May be given once for each
    #[arg(long = "checksum", value_name = "ALGORITHM=HEX", conflicts_with = "input")]
    pub checksums: Vec<String>,
    /// Another address of the same file, for a single link; may be given many times, the best first
    #[arg(long = "mirror", value_name = "URL", conflicts_with = "input")]
    pub mirrors: Vec<String>,
    /// The file's size in bytes, for a single link; anything else is refused
    #[arg(long, value_name = "BYTES", conflicts_with = "input")]
    pub size: Option<u64>,
    /// Fetch the files of a Metalink as one download, from its mirrors, with its checksums. From a file, or from stdin with "-"
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["urls", "input", "checksums", "mirrors", "size", "upload_file"])]
    pub metalink: Option<PathBuf>,
    /// Fetch the link of a command for cURL, Wget or PowerShell, as browsers copy it, with its headers, file name and sign-in. A
    /// command with an option that Ashore does not support is refused, and the option is named. With "-" it is read from stdin
    #[arg(long, value_name = "COMMAND|-", conflicts_with_all = ["urls", "input", "metalink", "upload_file"])]
    pub curl: Option<String>,
    /// Brackets in links are a part of them, and count nothing
    #[arg(long)]
    pub literal: bool,
    /// Do not fetch what is in the folder already and right: a file that the list knows under its link, unchanged since, or
    /// one of the length that the server offers, and no older
    #[arg(long)]
    pub skip_existing: bool,
    /// Wait for `ashore resume` instead of starting
    #[arg(long)]
    pub paused: bool,
    /// Add nothing while everything is paused
    #[arg(long)]
    pub ignore_when_paused: bool,
    /// Before everything that waits [default: where the setting "order" says]
    #[arg(long, group = "place")]
    pub first: bool,
    /// After everything that waits
    #[arg(long, group = "place")]
    pub last: bool,
    /// At once: where there is no room, what runs last is set aside with every byte kept
    #[arg(long, group = "place")]
    pub now: bool,
    /// The single link is a page of a numbered series: the last number in it counts up to N, and each page is fetched when
    /// the one before it is there
    #[arg(long, value_name = "N", conflicts_with_all = ["input", "metalink", "output", "upload_file", "parts"])]
    pub until: Option<u64>,
    /// The single link leads to a list of links, one a line, as in a playlist: they are fetched as well
    #[arg(long, conflicts_with_all = ["input", "metalink", "upload_file"])]
    pub parts: bool,
    /// So many of these links at once, 1 to 64; 1 fetches them one after the other, in order
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=64))]
    pub at_once: Option<u32>,
    /// How long the download stays in the list after its end was notified: 90s, 30m, 12h, 7d, 4w [default: the setting
    /// "forget-finished-after"]
    #[arg(long, value_name = "TIME")]
    pub keep_for: Option<RetentionPeriod>,
    /// Move its files to the trash when the download leaves the list by itself; files that you changed stay
    #[arg(long)]
    pub takes_files: bool,
    /// Index of the first optional link, counted from 0 over all links. Not an argument of its own: the position of
    /// `--optional` determines it.
    #[arg(skip)]
    pub optional_from: Option<usize>,
    /// Requests of the command for cURL.
    #[arg(skip)]
    pub commanded: Vec<NewRequest>,
    /// Sign-in of the command for cURL.
    #[arg(skip)]
    pub sign_in: Option<SignIn>,
}

#[derive(Debug, Args)]
pub struct AddArguments {
    #[command(flatten)]
    pub wanted: WantedDownload,
    /// Also when the very same is in the list and not done; else that one moves to the top
    #[arg(long)]
    pub again: bool,
}

/// Arguments of `get`.
#[derive(Debug, Default, Args)]
pub struct FetchArguments {
    #[command(flatten)]
    pub wanted: WantedDownload,
    /// How many connections one file may have where that helps, 1 to 64 [default: 8, or what the settings say]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=64))]
    pub connections: Option<u32>,
    /// How many files at once, 1 to 64, in all as well as from one server [default: 4 and 2, or what the settings say]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=64))]
    pub parallel: Option<u32>,
    #[command(flatten)]
    pub network: NetworkArguments,
}

/// How many links stand before `--optional`; 0 where none stands after it.
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

/// A field, or `@` and the file of some, which `wanted` reads.
fn header(text: &str) -> Result<(String, String), String> {
    match text.strip_prefix('@') {
        Some(file) => Ok(("@".to_owned(), file.to_owned())),
        None => field(text),
    }
}

/// `Name: value`.
pub fn field(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once(':').ok_or("a header field looks like \"Name: value\"")?;
    if name.trim().is_empty() {
        return Err("the header field has no name".to_owned());
    }
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}
