//! Definition of every subcommand and option. `help` adds the help texts from `locales/*/help.ftl`.
//!
//! The arguments are validated here, except where only the engine can decide.

mod browser_verbs;
mod help;
mod help_lines;
mod list_verbs;
mod network;
mod new_download;
mod owners;
mod parse_errors;
mod remote_verbs;
pub(crate) mod secrets;
mod size_limit;
mod sync_verbs;
#[cfg(test)]
mod tests;

use std::{ffi::OsString, path::PathBuf};

use ashore_messages::message;
use ashore_terminal::{OutputOptions, TerminalOutput};
use clap::{Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::output::problem::CliProblem;
pub use browser_verbs::*;
pub use list_verbs::*;
pub use network::{NetworkArguments, first_line};
pub use new_download::{AddArguments, FetchArguments, WantedDownload, field};
pub use owners::*;
pub use remote_verbs::*;
pub use size_limit::SizeLimit;
pub use sync_verbs::*;

/// Returns the definition of all arguments, with their help in English.
pub fn english_command() -> Command {
    help::in_language(CliArguments::command(), "en")
}

/// Arguments of `ashore`.
#[derive(Debug, Parser)]
#[command(name = "ashore", version, max_term_width = help_lines::MAX_COLUMNS, infer_subcommands = false)]
pub struct CliArguments {
    #[command(flatten)]
    pub common: GlobalArguments,
    #[command(subcommand)]
    pub verb: CliVerb,
}

/// Arguments that are passed unchanged to another program.
#[derive(Debug, Args)]
pub struct ForwardedArguments {
    #[arg(value_name = "COMMAND", trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<OsString>,
}

/// Options that every subcommand accepts.
#[derive(Debug, Args)]
#[command(next_help_heading = "everywhere")]
pub struct GlobalArguments {
    #[arg(long, value_name = "DIR", env = "ASHORE_DATA_DIR", hide_env_values = true, global = true)]
    pub data_dir: Option<PathBuf>,
    #[arg(long, value_name = "NAME", global = true)]
    pub owner: Option<String>,
    #[command(flatten)]
    pub output: OutputOptions,
}

#[derive(Debug, Subcommand)]
pub enum CliVerb {
    #[command(override_usage = "ashore get [OPTIONS] <URL>...")]
    Get(FetchArguments),
    #[command(override_usage = "ashore add [OPTIONS] <URL>...")]
    Add(AddArguments),
    Serve(ServingArguments),
    #[command(alias = "ls")]
    List(ListFilter),
    Watch,
    Show(ShowArguments),
    Open(OpenArguments),
    Pause(FilterArguments),
    Resume(FilterArguments),
    #[command(alias = "abort")]
    Cancel(RegistrationArguments),
    Retry(RetryArguments),
    #[command(alias = "rm")]
    Remove(RemoveArguments),
    First(PositionArguments),
    Move(MoveArguments),
    MoveTo(MoveToArguments),
    Relink(RelinkArguments),
    Change(QuotaArguments),
    Match(MatchArguments),
    Ids,
    Find(OwnerArguments),
    Owed,
    Acknowledge(AckArguments),
    Clear(ClearArguments),
    Reset,
    QueueStats,
    RemoveOwner(LeaveArguments),
    Limit(LimitArguments),
    SignIn(SigningIn),
    SignOut(ServerArgument),
    Quota(LimitedRegistration),
    Statistics(RequeueArguments),
    Settings(ConfigArguments),
    Events,
    Doctor(DoctorArguments),
    Adopt(PartialsArguments),
    Export(ExportArguments),
    Import(ImportArguments),
    Sync(SyncArguments),
    Browsers(BrowserArguments),
    Remote(RemoteVerbArguments),
    Healthy(HealthArguments),
    #[command(disable_help_flag = true, override_usage = "ashore sync-server <COMMAND>...")]
    SyncServer(ForwardedArguments),
}

impl CliArguments {
    /// Parses the arguments of this process.
    ///
    /// If help was requested, prints the help and exits. If an argument is not valid, prints an error message, and fails
    /// with the exit code.
    pub fn read() -> Result<Self, u8> {
        let arguments = secrets::arguments();
        let json = arguments.iter().any(|argument| argument == "--json");
        Self::from(arguments.clone()).map_err(|error| {
            if help::is_requested(&error) {
                error.exit();
            }
            let out = TerminalOutput::new("ashore", OutputOptions { json, ..OutputOptions::default() });
            parse_errors::print(&error, Self::command(), &arguments, out);
            parse_errors::EXIT_CODE
        })
    }

    fn from(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let arguments = size_limit::with_units(arguments.into_iter().collect());
        let matches = match Self::command().try_get_matches_from(&arguments) {
            // Load the help texts only after parsing has failed, because loading them would slow down every start. Error
            // messages need them too, for the translated names of values.
            Err(_) => help::localized(Self::command()).try_get_matches_from(&arguments),
            parsed => parsed,
        }?;
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
