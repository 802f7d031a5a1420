//! Definition of every verb and option, with the help texts that `--help` prints.
//!
//! Arguments are validated here as far as that is possible without asking the engine.

mod list_verbs;
mod network;
mod new_download;
mod owners;
pub(crate) mod secrets;
mod size_limit;
mod sync_verbs;
#[cfg(test)]
mod tests;

use std::{ffi::OsString, path::PathBuf};

use ashore_messages::message;
use ashore_terminal::OutputOptions;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::output::problem::CliProblem;
pub use list_verbs::*;
pub use network::{NetworkArguments, first_line};
pub use new_download::{AddArguments, FetchArguments, WantedDownload, field};
pub use owners::*;
pub use size_limit::SizeLimit;
pub use sync_verbs::*;

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

/// Download manager.
///
/// Ashore fetches files over HTTP and HTTPS, keeps every byte through crashes and power cuts, and continues where it
/// stopped.
#[derive(Debug, Parser)]
#[command(name = "ashore", version, after_long_help = EXAMPLES, max_term_width = 120, infer_subcommands = false)]
pub struct CliArguments {
    #[command(flatten)]
    pub common: GlobalArguments,
    #[command(subcommand)]
    pub verb: CliVerb,
}

/// Arguments that are passed unchanged to another program.
#[derive(Debug, Args)]
pub struct ForwardedArguments {
    /// Verb and options of the sync server
    #[arg(value_name = "VERB", trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<OsString>,
}

/// Options that every verb accepts.
#[derive(Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub struct GlobalArguments {
    /// Folder of the list [default: ashore in the XDG data folder, ~/.local/share/ashore]
    #[arg(long, value_name = "DIR", env = "ASHORE_DATA_DIR", hide_env_values = true, global = true)]
    pub data_dir: Option<PathBuf>,
    /// Act for this owner, such as a program or a feed: other owners' downloads are neither shown nor changed
    #[arg(long, value_name = "NAME", global = true)]
    pub owner: Option<String>,
    #[command(flatten)]
    pub output: OutputOptions,
}

#[derive(Debug, Subcommand)]
pub enum CliVerb {
    /// Download, and wait until the download is complete
    ///
    /// If no Ashore is running, `get` itself downloads, and other programs can follow the download. Otherwise `get`
    /// hands the links over to the running Ashore and follows the download. Ctrl-C keeps every byte; `ashore get ID`,
    /// or the same command again, continues.
    ///
    /// At the end, stdout has a line for each file, and stderr a sentence for each file that failed. With --json,
    /// stdout has every event of this download as it happens, and as its last line the object that `ashore show ID
    /// --json` prints.
    #[command(after_long_help = GET_EXAMPLES, override_usage = "ashore get [OPTIONS] <URL>...")]
    Get(FetchArguments),
    /// Add links to the list without waiting for the downloads
    ///
    /// Prints only the unique_id; with --json, the registration. The links are fetched by the window, by `ashore
    /// serve`, or by the next engine that runs.
    #[command(override_usage = "ashore add [OPTIONS] <URL>...")]
    Add(AddArguments),
    /// Run the engine without a window, until Ctrl-C or SIGTERM
    ///
    /// Prints one line when the engine is ready. With --json: {"ready": true, "data_dir": ..., "socket": ...}.
    Serve(NetworkArguments),
    /// Show the list, newest first
    List(ListFilter),
    /// Show all details of a download
    Show(ShowArguments),
    /// Pause downloads and keep every byte
    Pause(FilterArguments),
    /// Continue paused downloads
    Resume(FilterArguments),
    /// Cancel downloads for good, and keep the files that are complete
    Abort(RegistrationArguments),
    /// Retry failed files, and start scheduled retries immediately
    Retry(RetryArguments),
    /// Remove downloads from the list; active ones are aborted first
    Remove(RemoveArguments),
    /// Move downloads to the top of the queue
    First(PositionArguments),
    /// Move downloads to another place in the queue
    Move(MoveArguments),
    /// Change how a download is shown: its title, description and icon
    Change(QuotaArguments),
    /// Find which file of a download has a given link
    ///
    /// Prints the file's number, its state and the link; with --json, the record. Prints nothing if no file of the
    /// download has the link.
    Match(MatchArguments),
    /// List the names that `--id` gave to your active downloads, or with --owner to the active downloads of that owner
    Ids,
    /// Print the id of the active download with the given `--id` name
    Find(OwnerArguments),
    /// List ended downloads whose end is not acknowledged yet
    ///
    /// With --owner, lists the downloads of that owner; otherwise the downloads whose end you have not been notified
    /// of. Prints unique_id, number of the end event, and title; with --json, the registration.
    Owed,
    /// Acknowledge the end event of an owner's download, so that it is not delivered again
    Acknowledge(AckArguments),
    /// Remove all downloads that were added from the command line, or with --owner all downloads of that owner
    ///
    /// Active downloads are aborted first. Complete files are kept, unless --files is given.
    Clear(ClearArguments),
    /// Abort all active downloads that were added from the command line, or with --owner all active downloads of that
    /// owner
    ///
    /// The downloads stay in the list, and complete files are kept.
    Reset,
    /// Count all files that were ever requested, succeeded or failed, for all owners or with --owner for one owner
    QueueStats,
    /// Remove an owner and all its downloads
    ///
    /// Its downloads are stopped, and no end event is sent. Complete files are kept.
    RemoveOwner(LeaveArguments),
    /// Limit the speed of transfers
    ///
    /// A limit takes effect immediately, also for running transfers, and stays until it is removed. If several limits
    /// apply to a transfer, the lowest one counts; downloads that share a limit get equal parts of it. Without a speed,
    /// the current limits are shown.
    #[command(after_long_help = LIMIT_EXAMPLES)]
    Limit(LimitArguments),
    /// Store a password or token for a server, and send it with every request to that server
    ///
    /// The password or token is asked for, or read from the first line of stdin. The system's keychain stores it or, if
    /// no keychain works, a file that only you can read. A password is used only for the scheme, host and port of the
    /// URL, and is never sent anywhere else. Without a URL, shows the servers with a stored sign-in, and where each
    /// sign-in is stored.
    SignIn(SigningIn),
    /// Delete the stored password or token of a server
    SignOut(ServerArgument),
    /// Limit how much of the list an owner, or a kind of file, may use
    ///
    /// Every download in the list counts, complete or not; removing a download frees its share. A download without
    /// space in its quota waits with every byte kept, and continues by itself when there is space. Without an amount,
    /// the usage and the limits are shown.
    #[command(after_long_help = QUOTA_EXAMPLES)]
    Quota(LimitedRegistration),
    /// Count all downloads ever added: complete, failed, and their bytes
    ///
    /// Files and their sizes are counted by source, in total, and by the day they were added. A file that is neither
    /// complete nor failed is still in the list, was cancelled, or was removed. Removing a download changes none of the
    /// numbers.
    Statistics(RequeueArguments),
    /// Show the settings, or change one
    ///
    /// A change takes effect immediately, and is stored in `ashore.toml` in the data folder, which can also be edited
    /// by hand.
    #[command(after_long_help = SETTINGS_EXAMPLES)]
    Settings(ConfigArguments),
    /// Print every event of the running engine, one JSON object per line
    Events,
    /// Check the list, its backups and the partial files
    ///
    /// If the list is damaged when it is opened, it is moved aside and its newest backup is restored; `doctor` reports
    /// the result. Counters that do not match the downloads they count are reported, and recomputed with --repair.
    /// Nothing else is changed. The exit code is 1 if the list is damaged or inconsistent.
    Doctor(DoctorArguments),
    /// Add partial files without a download to the list, and continue them
    ///
    /// `ashore doctor` lists such files. Prints the unique_id of each new download; with --json, the registration.
    /// Without arguments, all partial files that can be continued are adopted.
    Adopt(PartialsArguments),
    /// Export the list to a file, without secrets
    ///
    /// The file has links, names, folders, checksums, the result of each file and how it was checked, limits and
    /// quotas: one JSON object per line, as docs/export.md describes. Passwords, cookies, tokens and the downloaded
    /// files themselves are not included.
    Export(ExportArguments),
    /// Import an exported list
    ///
    /// Unfinished downloads are imported paused: nothing starts by itself. Downloads that are already in the list are
    /// not changed. A file that is incomplete, or has a line that is not valid, is refused, and nothing of it is
    /// imported.
    Import(ImportArguments),
    /// Share one list of downloads among your machines, encrypted; without a verb, show the state of sync
    ///
    /// A sync server stores the list (see `ashore sync-server --help`); it learns only sizes and times. Every download
    /// is fetched by one machine, and the other machines see it and can steer it. Files are never transferred.
    #[command(after_long_help = SYNC_EXAMPLES)]
    Sync(SyncArguments),
    /// Run the sync server, a separate program; see `ashore sync-server --help`
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

const SYNC_EXAMPLES: &str = "\
Examples:
  ashore-sync-server invite                prints a set-up link, on the server
  ashore sync setup LINK                   creates the list, and prints its 24 words
  ashore sync invite                       prints a link for the next machine
  ashore sync join LINK                    on that machine
  ashore sync others                       downloads of the other machines
  ashore sync ask 6b3f pause               pauses one of them there
  ashore add URL --to Laptop               downloads a link on another machine";

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
    /// Parses the arguments of this process.
    ///
    /// If help was requested, prints the help and ends the process. If an argument is not valid, prints a sentence and
    /// ends the process with exit code 2.
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
    /// Returns the absolute path of the list's folder.
    pub fn folder(&self) -> Result<PathBuf, CliProblem> {
        let folder = self.data_dir.clone().or_else(ashore_rpc::data_dir);
        let folder = folder.ok_or_else(|| CliProblem::Usage(message!("data-dir.home")))?;
        std::path::absolute(&folder).map_err(|error| CliProblem::Usage(message!("data-dir", path = &folder, why = &error)))
    }
}
