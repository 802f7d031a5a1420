//! The manual: every verb and every option with its meaning, as `--help` prints it. Arguments are checked here as far as that
//! is possible without asking the engine.

mod list_verbs;
mod network;
mod new_download;
mod owners;
pub(crate) mod secrets;
mod size_limit;
#[cfg(test)]
mod tests;

use std::{ffi::OsString, path::PathBuf};

use ashore_terminal::OutputOptions;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::output::problem::CliProblem;
pub use list_verbs::*;
pub use network::{NetworkArguments, first_line};
pub use new_download::{AddArguments, FetchArguments, WantedDownload, field};
pub use owners::*;
pub use size_limit::AtMost;

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
pub struct CliArguments {
    #[command(flatten)]
    pub common: GlobalArguments,
    #[command(subcommand)]
    pub verb: CliVerb,
}

/// Arguments that are handed to another program as they are.
#[derive(Debug, Args)]
pub struct ForwardedArguments {
    /// Verb and options of the sync server
    #[arg(value_name = "VERB", trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<OsString>,
}

/// Options of every verb.
#[derive(Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub struct GlobalArguments {
    /// The folder of the list [default: ashore in the XDG data folder, ~/.local/share/ashore]
    #[arg(long, value_name = "DIR", env = "ASHORE_DATA_DIR", hide_env_values = true, global = true)]
    pub data_dir: Option<PathBuf>,
    /// Act for this owner, such as a program or a feed, and not for yourself: nothing of anybody else is seen or changed
    #[arg(long, value_name = "NAME", global = true)]
    pub owner: Option<String>,
    #[command(flatten)]
    pub output: OutputOptions,
}

#[derive(Debug, Subcommand)]
pub enum CliVerb {
    /// Download, and wait until it is there
    ///
    /// Without a running Ashore, `get` downloads by itself, and others may follow it; otherwise it hands the links over
    /// and follows. Ctrl-C keeps every byte; `ashore get ID`, or the very same command again, goes on.
    ///
    /// At the end stdout has a line for each file, and stderr a sentence for each that failed. With --json stdout has
    /// every event of this download as it happens, and as its last line the object that `ashore show ID --json` prints.
    #[command(after_long_help = GET_EXAMPLES, override_usage = "ashore get [OPTIONS] <URL>...")]
    Get(FetchArguments),
    /// Put links in the list, and do not wait
    ///
    /// Prints the unique_id alone; with --json the registration. The links are fetched by the window, by `ashore serve`, or
    /// by whatever engine runs next.
    #[command(override_usage = "ashore add [OPTIONS] <URL>...")]
    Add(AddArguments),
    /// The engine without a window, until Ctrl-C or SIGTERM
    ///
    /// Prints one line when it is ready. With --json: {"ready": true, "data_dir": ..., "socket": ...}.
    Serve(NetworkArguments),
    /// Show the list, newest first
    List(ListFilter),
    /// Everything about one download
    Show(ShowArguments),
    /// Set downloads aside with every byte kept
    Pause(FilterArguments),
    /// Continue paused downloads
    Resume(FilterArguments),
    /// End downloads for good, keeping the files that are complete
    Abort(RegistrationArguments),
    /// Try what failed again, and what waits for its next try at once
    Retry(RetryArguments),
    /// Take downloads from the list, aborting them first if need be
    Remove(RemoveArguments),
    /// To the top of the queue
    First(PositionArguments),
    /// To another place in the queue
    Move(MoveArguments),
    /// Change what people see of a download: its title, its icon
    Change(QuotaArguments),
    /// The file of a download that has a link
    ///
    /// Prints its number, its state and the link; with --json the record. Nothing where no file of it has the link.
    Match(MatchArguments),
    /// Your own names of what is not over, as `--id` gave them; with --owner those of that owner
    Ids,
    /// The id of what is not over and has one of your own names
    Find(OwnerArguments),
    /// List ended downloads not acknowledged yet: an owner's with --owner, else those you have not been notified of
    ///
    /// Prints unique_id, number of the end event, and title; with --json the registration.
    Owed,
    /// Acknowledge the end event of an owner's download, so that it is not delivered again
    Acknowledge(AckArguments),
    /// Take everything off the list that came from the command line, or with --owner from that owner
    ///
    /// Aborts active downloads first. Complete files stay, unless --files says otherwise.
    Clear(ClearArguments),
    /// Abort everything that is not over and came from the command line, or with --owner from that owner
    ///
    /// The downloads stay in the list, and complete files stay.
    Reset,
    /// How many files were ever asked for, have succeeded and have failed: of everybody, or with --owner of that owner
    QueueStats,
    /// Remove an owner and everything that it asked for
    ///
    /// Its downloads stop and nobody is told of it. Complete files stay.
    RemoveOwner(LeaveArguments),
    /// How fast bytes may come and go
    ///
    /// A limit holds at once, also for what runs, and until it is taken away. Where several are on the way of a byte, the
    /// tightest wins; downloads that share one get equal parts of it. Without a speed: what is limited.
    #[command(after_long_help = LIMIT_EXAMPLES)]
    Limit(LimitArguments),
    /// Keep a password or token for a server, and send it with everything that is fetched from there
    ///
    /// The password or token is asked for, or read from the first line of stdin, and kept in the system's keychain; where none
    /// works, in a file that only you can read. It belongs to this scheme, host and port, and is never sent to another one.
    /// Without a URL: show which servers something is kept for, and where.
    SignIn(SigningIn),
    /// Forget the password or token for a server
    SignOut(ServerArgument),
    /// Limit how much of the list an owner, or a kind of file, may take
    ///
    /// Every download in the list counts, complete or not; removing a download frees its share. A download without room waits
    /// with every byte kept, and continues by itself when there is room. Without an amount: show how much there is, and how
    /// much there may be.
    #[command(after_long_help = QUOTA_EXAMPLES)]
    Quota(LimitedRegistration),
    /// Count all downloads ever added: complete, failed, and their bytes
    ///
    /// Files and their sizes: by where they were asked for, in all, and by the day they were added on. A file that is neither
    /// done nor failed is still in the list, was cancelled, or was removed. Removing a download changes none of the numbers.
    Statistics(RequeueArguments),
    /// Show the settings, or change one
    ///
    /// A change holds at once, and is kept in `ashore.toml` in the data folder, where it can be changed by hand as well.
    #[command(after_long_help = SETTINGS_EXAMPLES)]
    Settings(ConfigArguments),
    /// Everything that happens in the running engine, as one JSON object a line
    Events,
    /// Check the list, its copies and the partial files
    ///
    /// A list that is damaged when it is opened is set aside, and its newest copy is restored: `doctor` reports the result.
    /// Counters that do not agree with the downloads they count are named, and recomputed with --repair. Nothing else is
    /// changed. Exit code 1 if the list is damaged, or something in it does not agree.
    Doctor(DoctorArguments),
    /// Take partial files into the list that nothing in it knows, and go on with them
    ///
    /// `ashore doctor` names them. Prints the unique_id of each; with --json the registration. Without any: all that can be
    /// gone on with.
    Adopt(PartialsArguments),
    /// Save the list in a file: everything that is in it, but no secret
    ///
    /// Links, names, folders, checksums, what became of each and how it was checked, limits and quotas: one JSON object a line,
    /// as docs/export.md describes it. Passwords, cookies and tokens are not in it, and neither are the files themselves.
    Export(ExportArguments),
    /// Import a list that was saved
    ///
    /// Unfinished downloads arrive paused: nothing starts by itself. Downloads that are in the list already are left alone. A
    /// file that is not whole, or has a line that is not valid, is refused, and nothing of it is imported.
    Import(ImportArguments),
    /// The sync server, a program beside this one; `ashore sync-server --help` is its manual
    #[command(disable_help_flag = true, override_usage = "ashore sync-server <VERB>...")]
    SyncServer(ForwardedArguments),
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

const SETTINGS_EXAMPLES: &str = "\
Examples:
  ashore settings                          every setting and its value
  ashore settings hours                    what it is for
  ashore settings parallel 8               eight files at once, from now on
  ashore settings hours 'mon-fri 08:00-18:00 slow' 'sat 00:00-24:00 off'
  ashore settings parallel --default       as it is when nobody says";

const QUOTA_EXAMPLES: &str = "\
Examples:
  ashore quota                             how much there is of whom
  ashore quota my-program 10G              what that program asked for, 10 GiB together
  ashore quota my-program --files 1000     and no more than a thousand files
  ashore quota all 50G --category video    films, whoever asked for them
  ashore quota my-program none             as much as there is";

impl CliArguments {
    /// The arguments of this process. Ends the process where the manual was asked for, or with exit code 2 and a sentence where
    /// an argument is not valid.
    pub fn read() -> Self {
        Self::from(secrets::arguments()).unwrap_or_else(|error| error.exit())
    }

    fn from(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let matches = Self::command().try_get_matches_from(arguments)?;
        let mut read = Self::from_arg_matches(&matches)?;
        let wanted = match &mut read.verb {
            CliVerb::Get(fetching) => Some(&mut fetching.wanted),
            CliVerb::Add(adding) => Some(&mut adding.wanted),
            _ => None,
        };
        if let (Some(wanted), Some((_, matches))) = (wanted, matches.subcommand()) {
            wanted.optional_from = wanted.optional.then(|| new_download::optional_from(matches));
        }
        Ok(read)
    }
}

impl GlobalArguments {
    /// The folder of the list, absolute.
    pub fn folder(&self) -> Result<PathBuf, CliProblem> {
        let folder = self.data_dir.clone().or_else(ashore_rpc::data_dir).ok_or_else(|| {
            CliProblem::usage("data-dir", "There is no home folder to keep the list in. Name a folder with --data-dir.")
        })?;
        std::path::absolute(&folder)
            .map_err(|error| CliProblem::usage("data-dir", format!("The folder {} cannot be used: {error}.", folder.display())))
    }
}
