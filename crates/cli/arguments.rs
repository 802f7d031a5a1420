//! The manual: every verb, every option and what it means, as `--help` prints it. What is typed is checked here as far
//! as it can be without asking the engine.

use std::{ffi::OsString, path::PathBuf};

use ashore_engine::Overrides;
use clap::{ArgAction, ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, value_parser};

use crate::{limit::Speed, problem::Problem};

const EXAMPLES: &str = "\
Examples:
  ashore get https://example.org/debian.iso     download it here, and wait for it
  ashore get -d ~/Music -i links.txt            many files as one download
  ashore get --checksum sha-256=9f86... URL     accept nothing but these bytes
  ashore serve &                                fetch in the background
  id=$(ashore add URL)                          put it in the list, and go on
  ashore show $id                               what has become of it
  ashore sign-in https://example.org --user me  for everything from there
  ashore list --json | jq -r .title             for programs

One program works on the list at a time: the window, `ashore serve` or
`ashore get`. While one of them is there every other `ashore` talks to it;
otherwise it opens the list itself for a moment. Nothing is ever downloaded
twice because two programs run.

Exit codes:
  0    all done
  1    some of it failed (failures of optional files do not count)
  2    the arguments make no sense
  3    no engine: the list cannot be opened, or its holder does not answer
  4    refused: a link, folder or id that Ashore does not take
  130  interrupted; everything is kept

Results go to stdout, words for people to stderr. With --json, a verb that
comes to nothing also prints {\"error\": {\"code\": ..., \"text\": ...}} to stdout.
Colours are left out where NO_COLOR is set.";

/// Downloads that arrive.
///
/// Ashore fetches files over HTTP and HTTPS, keeps every byte through crashes and power cuts, and goes on where it
/// stopped.
#[derive(Debug, Parser)]
#[command(name = "ashore", version, after_long_help = EXAMPLES, max_term_width = 120, infer_subcommands = false)]
pub struct Arguments {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub verb: Verb,
}

/// Options of every verb.
#[derive(Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub struct Common {
    /// The folder of the list [default: ashore in the XDG data folder, ~/.local/share/ashore]
    #[arg(long, value_name = "DIR", env = "ASHORE_DATA_DIR", hide_env_values = true, global = true)]
    pub data_dir: Option<PathBuf>,
    /// JSON on stdout, one object a line
    #[arg(long, global = true)]
    pub json: bool,
    /// Say nothing but errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Log what goes on to stderr; twice for more. RUST_LOG has the last word
    #[arg(short, long, action = ArgAction::Count, global = true)]
    pub verbose: u8,
}

#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Download, and wait until it is there
    ///
    /// Without a running Ashore, `get` downloads by itself, and others may follow it; otherwise it hands the links over
    /// and follows. Ctrl-C keeps every byte; `ashore get ID`, or the very same command again, goes on.
    ///
    /// At the end stdout has a line for each file, and stderr a sentence for each that failed. With --json stdout has
    /// every event of this download as it happens, and as its last line the object that `ashore show ID --json` prints.
    #[command(after_long_help = GET_EXAMPLES, override_usage = "ashore get [OPTIONS] <URL>...")]
    Get(Fetching),
    /// Put links in the list, and do not wait
    ///
    /// Prints the unique_id alone; with --json the registration. They are fetched by the window, by `ashore serve`, or
    /// by whatever engine runs next.
    #[command(override_usage = "ashore add [OPTIONS] <URL>...")]
    Add(Adding),
    /// The engine without a window, until Ctrl-C or SIGTERM
    ///
    /// Prints one line when it is ready. With --json: {"ready": true, "data_dir": ..., "socket": ...}.
    Serve(Network),
    /// What is in the list, newest first
    List(Filter),
    /// Everything about one download
    Show(One),
    /// Set downloads aside with every byte kept
    Pause(Any),
    /// Go on with what was paused
    Resume(Any),
    /// End downloads for good, keeping the files that are complete
    Abort(Several),
    /// Try what failed again, and what waits for its next try at once
    Retry(Several),
    /// Take downloads from the list, aborting them first if need be
    Remove(Removal),
    /// To the top of the queue
    First(Next),
    /// To another place in the queue
    Move(Moving),
    /// How fast bytes may come and go
    ///
    /// A limit holds at once, also for what runs, and until it is taken away. Where several are on the way of a byte, the
    /// tightest wins; downloads that share one get equal parts of it. Without a speed: what is limited.
    #[command(after_long_help = LIMIT_EXAMPLES)]
    Limit(Limiting),
    /// Keep a password or token for a server, and send it with everything that is fetched from there
    ///
    /// It is asked for, or read from the first line of stdin, and kept in the system's keychain; where none works, in a
    /// file that only you can read. It belongs to this scheme, host and port, and is never sent to another one.
    /// Without a URL: what is kept for which server, and where.
    SignIn(SigningIn),
    /// Forget the password or token for a server
    SignOut(Server),
    /// Everything that happens in the running engine, as one JSON object a line
    Events,
    /// Check the list and the partial files; changes nothing
    ///
    /// Exit code 1 if the list is damaged.
    Doctor,
}

const GET_EXAMPLES: &str = "\
Examples:
  ashore get URL -o debian.iso             never over a file: \"debian (1).iso\"
  ashore get URL1 URL2 --optional URL3     done when the first two are there
  ashore get -i - < links.txt              one link a line
  ashore get debian.meta4                  what a Metalink describes
  ashore get URL --mirror URL2             the same file from either
  ashore get URL URL.sha256                checked against the checksum file beside it
  ashore get -i links.txt --parallel 16    sixteen files at once
  ashore get --upload-file a.pdf URL       send a file, and keep the answer
  ashore get 1b9d6bcd                      go on with a download of the list";

const LIMIT_EXAMPLES: &str = "\
Examples:
  ashore limit 2M                          everything together, 2 MiB a second
  ashore limit 500K --host example.org     what comes from there
  ashore limit 1M --id 1b9d6bcd            one download
  ashore limit none                        everything as fast as it goes again
  ashore limit                             what is limited";

/// What `get` takes.
#[derive(Debug, Default, Args)]
pub struct Fetching {
    #[command(flatten)]
    pub wanted: Wanted,
    /// How many connections one file may have where that helps, 1 to 64 [default: 8, or what the settings say]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=64))]
    pub connections: Option<u32>,
    /// How many files at once, 1 to 64, in all as well as from one server [default: 4 and 2, or what the settings say]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=64))]
    pub parallel: Option<u32>,
    #[command(flatten)]
    pub network: Network,
}

/// How the network is used by the engine that this program becomes. Each is a setting as well.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "For this run")]
pub struct Network {
    /// The proxy for everything, such as http://host:3128 or socks5h://host:1080; none for no proxy at all [default: what
    /// the settings or http_proxy, https_proxy, all_proxy and no_proxy say]
    #[arg(long, value_name = "URL", hide_env_values = true)]
    pub proxy: Option<String>,
    /// Trust the certificates in this PEM file beside the system's
    #[arg(long, value_name = "FILE")]
    pub ca_certificate: Option<PathBuf>,
    /// Follow a secure link on to an insecure one; anybody on the way can then read and change what comes
    #[arg(long)]
    pub allow_insecure_redirects: bool,
    /// Seconds for a server to take a connection [default: 15, or what the settings say]
    #[arg(long, value_name = "SECONDS")]
    pub connect_timeout: Option<f64>,
    /// Seconds that one try of a file may take as a whole; what came is kept [default: as long as it takes]
    #[arg(long, value_name = "SECONDS")]
    pub total_timeout: Option<f64>,
}

/// What `get` and `add` take.
#[derive(Debug, Default, Args)]
pub struct Wanted {
    /// Links (http or https). For `get` also the id of one download that is in the list. A file that ends in .meta4 or
    /// .metalink is read as with --metalink
    #[arg(value_name = "URL", required_unless_present_any = ["input", "metalink"])]
    pub urls: Vec<String>,
    /// Read links from a file, or from stdin with "-": one a line; empty lines and lines that begin with # are skipped.
    /// They follow those of the command line. Of a list of more than 100,000 links, or 10 MiB of them, `add` makes several
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
    /// What people see [default: made from the links]
    #[arg(long)]
    pub title: Option<String>,
    /// Your own name for it; only one download of that name runs at a time
    #[arg(long, value_name = "NAME")]
    pub id: Option<String>,
    /// A header field to send with every request; may be given many times. It is kept in the list: for passwords and
    /// tokens there is `ashore sign-in`
    #[arg(short = 'H', long = "header", value_name = "NAME: VALUE", value_parser = header)]
    pub headers: Vec<(String, String)>,
    /// The links after this option (or all, where none comes after it) may fail without failing the whole
    #[arg(long)]
    pub optional: bool,
    /// GET, POST or PUT [default: GET, and PUT with --upload-file]
    #[arg(long)]
    pub method: Option<String>,
    /// The file to send as the body of every request
    #[arg(long, value_name = "FILE")]
    pub upload_file: Option<PathBuf>,
    /// Sign in to the links' server as this user; the password is asked for where it is left out. It is kept in the
    /// system's keychain, so that the download can go on after a restart: see `ashore sign-in`
    #[arg(short, long, value_name = "USER[:PASSWORD]")]
    pub user: Option<String>,
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
    /// What to call Ashore
    #[arg(short = 'A', long, value_name = "NAME")]
    pub user_agent: Option<String>,
    /// The page the links were found on. Inside its own site it is sent whole, to others only the site's name
    #[arg(short = 'e', long, value_name = "URL", value_parser = page)]
    pub referrer: Option<String>,
    /// What the file must hash to, for a single link: sha-256=HEX, or sha-512, sha-1, md5. May be given once for each
    #[arg(long = "checksum", value_name = "ALGORITHM=HEX", conflicts_with = "input")]
    pub checksums: Vec<String>,
    /// Another address of the same file, for a single link; may be given many times, the best first
    #[arg(long = "mirror", value_name = "URL", conflicts_with = "input")]
    pub mirrors: Vec<String>,
    /// The file's size in bytes, for a single link; anything else is refused
    #[arg(long, value_name = "BYTES", conflicts_with = "input")]
    pub size: Option<u64>,
    /// Fetch what a Metalink describes, as one download: its files, from its mirrors, with its checksums. From a file, or
    /// from stdin with "-"
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["urls", "input", "checksums", "mirrors", "size", "upload_file"])]
    pub metalink: Option<PathBuf>,
    /// Wait for `ashore resume` instead of starting
    #[arg(long)]
    pub paused: bool,
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
    /// The first of all links, counted from 0 in their order, that is optional. Not an argument of its own: it follows
    /// from where `--optional` stands.
    #[arg(skip)]
    pub optional_from: Option<usize>,
}

#[derive(Debug, Args)]
pub struct Adding {
    #[command(flatten)]
    pub wanted: Wanted,
    /// Also when the very same is in the list and not done; else that one moves to the top
    #[arg(long)]
    pub again: bool,
}

#[derive(Debug, Args)]
pub struct Filter {
    /// Only those whose title, links or file names contain this
    pub search: Option<String>,
    /// Only those that are not settled yet
    #[arg(long, conflicts_with = "settled")]
    pub active: bool,
    /// Only those that are settled
    #[arg(long)]
    pub settled: bool,
    /// At most so many
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

#[derive(Debug, Args)]
pub struct One {
    /// Its unique_id, or the first 4 or more letters of it
    pub id: String,
}

#[derive(Debug, Args)]
pub struct Any {
    /// Their unique_ids, or the first 4 or more letters [default: everything]
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
}

#[derive(Debug, Args)]
pub struct Several {
    /// Their unique_ids, or the first 4 or more letters
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
}

#[derive(Debug, Args)]
pub struct Next {
    /// Their unique_ids, or the first 4 or more letters
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
    /// Do not wait for room: what runs last is set aside with every byte kept
    #[arg(long)]
    pub now: bool,
}

#[derive(Debug, Args)]
pub struct Moving {
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
pub struct Limiting {
    /// Bytes a second, from 1K to 10G (K, M and G are 1,024 and its powers); none or 0 to take the limit away
    #[arg(value_name = "SPEED")]
    pub speed: Option<Speed>,
    /// For what comes from this server or by way of it, and what is sent there; its name as in a link. Servers under it
    /// are others
    #[arg(long, value_name = "HOST", requires = "speed", conflicts_with = "id")]
    pub host: Option<String>,
    /// For the files of one download: its unique_id, or the first 4 or more letters of it
    #[arg(long, value_name = "ID", requires = "speed")]
    pub id: Option<String>,
}

#[derive(Debug, Args)]
pub struct SigningIn {
    /// The server, or any link to it
    #[arg(requires = "who")]
    pub url: Option<String>,
    /// Who signs in
    #[arg(short, long, value_name = "USER", group = "who", requires = "url")]
    pub user: Option<String>,
    /// A token signs in (a bearer token, as many services give out)
    #[arg(long, group = "who", requires = "url")]
    pub token: bool,
}

#[derive(Debug, Args)]
pub struct Server {
    /// The server, or any link to it
    pub url: String,
}

#[derive(Debug, Args)]
pub struct Removal {
    /// Their unique_ids, or the first 4 or more letters
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
    /// Put the files into the trash as well, where they are still those that were downloaded
    #[arg(long)]
    pub files: bool,
}

impl Arguments {
    /// What was typed. Ends the program with the manual, or with exit code 2 and a sentence, where that is due.
    pub fn read() -> Self {
        Self::from(std::env::args_os()).unwrap_or_else(|error| error.exit())
    }

    fn from(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let matches = Self::command().try_get_matches_from(arguments)?;
        let mut read = Self::from_arg_matches(&matches)?;
        let wanted = match &mut read.verb {
            Verb::Get(fetching) => Some(&mut fetching.wanted),
            Verb::Add(adding) => Some(&mut adding.wanted),
            _ => None,
        };
        if let (Some(wanted), Some((_, matches))) = (wanted, matches.subcommand()) {
            wanted.optional_from = wanted.optional.then(|| optional_from(matches));
        }
        Ok(read)
    }
}

/// How many links stand before `--optional`; 0 where none stands after it.
fn optional_from(matches: &ArgMatches) -> usize {
    let Some(option) = matches.index_of("optional") else { return 0 };
    let urls: Vec<_> = matches.indices_of("urls").into_iter().flatten().collect();
    let before = urls.iter().filter(|index| **index < option).count();
    let is_input_after = matches.index_of("input").is_some_and(|index| index > option);
    if before == urls.len() && !is_input_after { 0 } else { before }
}

impl Common {
    /// The folder of the list, absolute.
    pub fn folder(&self) -> Result<PathBuf, Problem> {
        let folder = self.data_dir.clone().or_else(ashore_rpc::data_dir).ok_or_else(|| {
            Problem::usage("data-dir", "There is no home folder to keep the list in. Name a folder with --data-dir.")
        })?;
        std::path::absolute(&folder).map_err(|error| {
            Problem::usage("data-dir", format!("The folder {} cannot be used: {error}.", folder.display()))
        })
    }
}

impl Network {
    /// In place of the settings. Fails with a usage problem where the file has no whole path.
    pub fn overrides(&self) -> Result<Overrides, Problem> {
        let whole = |path: &PathBuf| {
            let path = std::path::absolute(path);
            path.map_err(|error| Problem::usage("ca-certificate", format!("The certificates cannot be used: {error}.")))
        };
        Ok(Overrides {
            proxy: self.proxy.clone(),
            ca_certificate: self.ca_certificate.as_ref().map(whole).transpose()?,
            insecure_redirects: self.allow_insecure_redirects,
            connect_timeout_seconds: self.connect_timeout,
            total_timeout_seconds: self.total_timeout,
            ..Overrides::default()
        })
    }
}

fn page(text: &str) -> Result<String, String> {
    let is_page = ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme));
    if is_page { Ok(text.to_owned()) } else { Err("a page's address begins with http:// or https://".to_owned()) }
}

fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once(':').ok_or("a header field looks like \"Name: value\"")?;
    if name.trim().is_empty() {
        return Err("the header field has no name".to_owned());
    }
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use clap::error::ErrorKind;

    use super::*;

    fn parse(line: &str) -> Result<Arguments, clap::Error> {
        Arguments::from(line.split(' ').map(OsString::from))
    }

    fn wanted(line: &str) -> Wanted {
        match parse(line).unwrap().verb {
            Verb::Get(fetching) => fetching.wanted,
            Verb::Add(adding) => adding.wanted,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_verb_of_the_manual_is_understood() {
        for line in [
            "get URL", "add URL", "serve", "list", "list word --active --limit 3", "show 1b9d", "pause", 
            "pause 1b9d 2c3d",
            "resume", "abort 1b9d", "retry 1b9d", "remove 1b9d --files", "first 1b9d", "events",
            "first 1b9d --now", "move 1b9d --before 2c3d", "move 1b9d 3d4e --last", "add URL --first", "add URL --again",
            "add URL --until 300", "get URL --parts", "get URL --now --at-once 1", "doctor",
            "serve --proxy none", "get URL --ca-certificate a.pem --allow-insecure-redirects --total-timeout 60",
            "limit", "limit 2M", "limit none", "limit 500K --host example.org", "limit 1.5M --id 1b9d",
            "sign-in", "sign-in URL --user ann", "sign-in URL --token", "sign-out URL",
        ] {
            assert!(parse(&format!("ashore --data-dir /d {line}")).is_ok(), "{line}");
            assert!(parse(&format!("ashore {line} --json --data-dir /d -q -vv")).is_ok(), "{line}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_a_usage_error() {
        for line in [
            "ashore", "ashore fetch URL", "ashore get", "ashore add", "ashore abort", "ashore show", "ashore show a b",
            "ashore get -o name -i list", "ashore get --checksum sha-256=00 -i list", "ashore get URL -H nonsense",
            "ashore get URL -H :value", "ashore list --active --settled", "ashore get URL --paused=maybe",
            "ashore get --nope URL", "ashore get URL --size many", "ashore get URL --parallel 0",
            "ashore sign-in URL", "ashore get URL -e nowhere", "ashore add URL --proxy none", "ashore sign-in --token", "ashore sign-in URL --token --user a",
            "ashore get --metalink a.meta4 URL", "ashore get --metalink a --mirror URL", "ashore get -i l --mirror URL",
            "ashore move 1b9d", "ashore move 1b9d --last --before 2c3d", "ashore add URL --first --last", "ashore add URL --at-once 65",
            "ashore get URL --until 9 --parts", "ashore add --until 9 -i list",
            "ashore get URL --connections 65", "ashore add URL --parallel 2", "ashore limit fast", "ashore limit 2 M",
            "ashore limit --host a", "ashore limit --id 1b9d", "ashore limit 1M --host a --id 1b9d",
        ] {
            let error = parse(line).expect_err(line);
            assert_eq!(error.exit_code(), 2, "{line}");
        }
        assert_eq!(parse("ashore --help").unwrap_err().kind(), ErrorKind::DisplayHelp);
        assert_eq!(parse("ashore --version").unwrap_err().kind(), ErrorKind::DisplayVersion);
    }

    #[test]
    fn a_double_dash_ends_the_options() {
        assert_eq!(wanted("ashore get -- -d --json").urls, ["-d", "--json"]);
    }

    #[test]
    fn header_fields_are_cut_at_the_first_colon() {
        let wanted = wanted("ashore add URL -H Referer:https://example.org/ -H X-Empty:");
        let expected = [("Referer", "https://example.org/"), ("X-Empty", "")];
        assert_eq!(wanted.headers, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn how_many_at_once_is_for_the_one_who_fetches() {
        match parse("ashore get URL --parallel 64 --connections 1").unwrap().verb {
            Verb::Get(fetching) => assert_eq!((fetching.parallel, fetching.connections), (Some(64), Some(1))),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn optional_counts_for_what_comes_after_it() {
        assert_eq!(wanted("ashore get A B").optional_from, None);
        assert_eq!(wanted("ashore get A B --optional C").optional_from, Some(2));
        assert_eq!(wanted("ashore get --optional A B").optional_from, Some(0));
        assert_eq!(wanted("ashore get A B --optional").optional_from, Some(0));
        assert_eq!(wanted("ashore get A B --optional -i list").optional_from, Some(2));
        assert_eq!(wanted("ashore get -i list A --optional").optional_from, Some(0));
    }
}
