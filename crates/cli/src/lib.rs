//! The program `ashore`: converts arguments to calls of the engine, and results to text.
//!
//! `main.rs` calls `main`. The example `manual` writes man pages and shell completions from `english_command`. Logic that
//! other programs also need is in the engine.
//!
//! - `arguments` defines every subcommand and option; `input` reads links, commands and files of links.
//! - `verbs` has one file per subcommand or group of subcommands; `connection` connects them to the engine.
//! - `service_manager` exchanges sockets and messages with systemd.
//! - `output` contains progress, texts, and the sentence and exit code of a failure. `ashore_terminal` prints them.

mod arguments;
mod connection;
mod input;
mod limited_input;
mod output;
mod service_manager;
mod signals;
mod verbs;

use std::{
    io::{self, IsTerminal},
    process::ExitCode,
    time::Duration,
};

use ashore_engine::LogLine;
use ashore_messages::message;
use ashore_remote::InheritedListener;
use ashore_terminal::TerminalOutput;
use tracing_subscriber::EnvFilter;

use crate::{
    arguments::{CliArguments, CliVerb, DoctorArguments},
    output::problem::{CliProblem, ExitStatus},
};

pub use crate::arguments::english_command;

/// Runs the program with the arguments of this process, and returns its exit code.
///
/// Exits at once if the arguments ask for the help or the version.
pub fn main() -> ExitCode {
    ashore_messages::set_terminal_language();
    let mut arguments = match CliArguments::read() {
        Ok(arguments) => arguments,
        Err(code) => return ExitCode::from(code),
    };
    let is_understood = input::commands::read(&mut arguments.verb);
    let common = &arguments.common;
    let out = TerminalOutput { draws: output::progress::is_drawn(common.output), ..TerminalOutput::new("ashore", common.output) };
    log(common.output.verbose, out);
    let code = match is_understood.and_then(|()| start(&arguments, out)) {
        Ok(ending) => ending.code(),
        Err(problem) => {
            problem.print(out);
            problem.code()
        }
    };
    ashore_engine::flush_log(Duration::from_secs(1));
    ExitCode::from(code)
}

fn start(arguments: &CliArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    // Only a server keeps these sockets. Other subcommands can be started by a service that has sockets of its own.
    let inherited = match arguments.verb {
        CliVerb::Serve(_) => service_manager::inherited_listeners().map_err(not_inherited)?,
        _ => Vec::new(),
    };
    let runtime = ashore_engine::runtime().map_err(CliProblem::NotStarted)?;
    let ended = runtime.block_on(run(arguments, inherited, out));
    // Abandon blocking tasks; their output no longer matters.
    runtime.shutdown_timeout(Duration::from_secs(1));
    ended
}

/// Returns the problem of a descriptor that is not a socket.
fn not_inherited(error: io::Error) -> CliProblem {
    CliProblem::NotListening(message!("remote-listen", address = "LISTEN_FDS", why = &error))
}

async fn run(arguments: &CliArguments, inherited: Vec<InheritedListener>, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let data_dir = arguments.common.folder()?;
    if let Some(owner) = &arguments.common.owner {
        connection::act_for(owner.clone());
    }
    match &arguments.verb {
        CliVerb::SyncServer(passed) => Err(verbs::sync_server::become_it(&passed.arguments, out.json)),
        CliVerb::Change(changing) => verbs::owners::change(&data_dir, changing, out).await,
        CliVerb::Match(wanted) => verbs::owners::matching(&data_dir, wanted, out).await,
        CliVerb::Ids => verbs::owners::ids(&data_dir, out).await,
        CliVerb::Find(named) => verbs::owners::find(&data_dir, &named.name, out).await,
        CliVerb::Owed => verbs::owners::print_pending(&data_dir, out).await,
        CliVerb::Acknowledge(wanted) => verbs::owners::acknowledge(&data_dir, wanted, out).await,
        CliVerb::Clear(clearing) => verbs::owners::clear(&data_dir, clearing.files, out).await,
        CliVerb::Reset => verbs::owners::reset(&data_dir, out).await,
        CliVerb::QueueStats => verbs::owners::queue_stats(&data_dir, out).await,
        CliVerb::RemoveOwner(leaving) => verbs::owners::remove_owner(&data_dir, &leaving.name, out).await,
        CliVerb::Get(fetching) => verbs::get::get(&data_dir, fetching, out).await,
        CliVerb::Add(adding) => verbs::add::add(&data_dir, adding, out).await,
        CliVerb::Serve(wanted) => verbs::serve::serve(&data_dir, wanted, inherited, out).await,
        CliVerb::List(filter) => verbs::list::list(&data_dir, filter, out).await,
        CliVerb::Watch => verbs::watch::watch(&data_dir, out).await,
        CliVerb::Open(wanted) => verbs::open::open(&data_dir, wanted, out).await,
        CliVerb::Show(one) => verbs::show::show(&data_dir, one, out).await,
        CliVerb::Pause(some) => verbs::short::pause(&data_dir, &some.ids, out).await,
        CliVerb::Resume(some) => verbs::short::resume(&data_dir, &some.ids, out).await,
        CliVerb::Cancel(several) => verbs::short::cancel(&data_dir, &several.ids, out).await,
        CliVerb::Retry(retrying) => verbs::short::retry(&data_dir, &retrying.several.ids, retrying.dir.as_deref(), out).await,
        CliVerb::Remove(removal) => verbs::short::remove(&data_dir, &removal.ids, removal.files, out).await,
        CliVerb::First(next) => verbs::short::first(&data_dir, next, out).await,
        CliVerb::Move(moving) => verbs::short::move_in_queue(&data_dir, moving, out).await,
        CliVerb::MoveTo(wanted) => verbs::short::move_to(&data_dir, &wanted.several.ids, &wanted.dir, out).await,
        CliVerb::Relink(wanted) => verbs::relink::relink(&data_dir, wanted, out).await,
        CliVerb::Limit(wanted) => verbs::limit::limit(&data_dir, wanted, out).await,
        CliVerb::SignIn(signing_in) => verbs::credentials::sign_in(&data_dir, signing_in, out).await,
        CliVerb::SignOut(from) => verbs::credentials::sign_out(&data_dir, from, out).await,
        CliVerb::Quota(wanted) => verbs::quota::quota(&data_dir, wanted, out).await,
        CliVerb::Statistics(back) => verbs::statistics::statistics(&data_dir, back, out).await,
        CliVerb::Settings(wanted) => verbs::settings::settings(&data_dir, wanted, out).await,
        CliVerb::Events => verbs::short::events(&data_dir, out).await,
        CliVerb::Doctor(DoctorArguments { repair }) => verbs::doctor::doctor(&data_dir, *repair, out).await,
        CliVerb::Adopt(some) => verbs::doctor::adopt(&data_dir, &some.partials, out).await,
        CliVerb::Export(wanted) => verbs::list_file::export(&data_dir, wanted, out).await,
        CliVerb::Sync(wanted) => verbs::sync::sync(&data_dir, wanted, out).await,
        CliVerb::Browsers(wanted) => verbs::browsers::browsers(&data_dir, wanted.verb.as_ref(), out).await,
        CliVerb::Remote(wanted) => verbs::remote::remote(&data_dir, wanted.verb.as_ref(), out),
        CliVerb::Healthy(wanted) => verbs::healthy::healthy(&data_dir, wanted.url.as_deref(), out).await,
        CliVerb::Import(wanted) => verbs::list_file::import(&data_dir, wanted, out).await,
    }
}

/// Sets up the log. The level comes from `RUST_LOG`, or else from `-v`.
///
/// By default, only errors are logged; while a progress bar is drawn, nothing is logged. Failures of a subcommand are
/// printed as sentences at every level.
fn log(verbose: u8, out: TerminalOutput) {
    let level = match verbose {
        0 if out.draws => "off",
        0 => "error",
        1 => "info",
        2 => "debug",
        _ => "trace",
    };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| {
        EnvFilter::new(format!(
            "off,ashore={level},ashore_browser={level},ashore_engine={level},ashore_remote={level},ashore_rpc={level},\
             ashore_sync={level},ashore_transfer={level}"
        ))
    });
    // Parsing cannot fail, because the limit is a valid constant. A test of the log would fail without the limit.
    let filter = match ashore_remote::LOG_LIMIT.parse() {
        Ok(limit) => filter.add_directive(limit),
        Err(_) => filter,
    };
    let is_plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_coloured = io::stderr().is_terminal() && !is_plain;
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(LogLine::new).with_ansi(is_coloured).init();
}
