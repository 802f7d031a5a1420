//! The program `ashore`: it turns arguments into calls of the engine, and results into text. It decides nothing that another
//! shell would have to decide as well.
//!
//! - `arguments` defines every verb and option; `input` reads links, commands and files of links.
//! - `verbs` has a file for each verb or group of verbs; `connection` finds the engine for all of them.
//! - `output` contains progress, texts, and the sentence and exit code of a failure. `ashore_terminal` prints them.

mod arguments;
mod connection;
mod input;
mod output;
mod signals;
mod verbs;

use std::{io::IsTerminal, process::ExitCode, time::Duration};

use ashore_engine::LogLine;
use ashore_terminal::Out;
use tracing_subscriber::EnvFilter;

use crate::{
    arguments::{Arguments, Repairing, Verb},
    output::problem::{Ending, Problem},
};

/// 3 to 9 % less processor time than with the system's (`make bench ONLY=alone`).
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    let mut arguments = Arguments::read();
    let is_understood = input::commands::read(&mut arguments.verb);
    let common = &arguments.common;
    let out = Out { draws: output::progress::is_drawn(common.output), ..Out::new("ashore", common.output) };
    log(common.output.verbose, out);
    let code = match is_understood.and_then(|()| start(&arguments, out)) {
        Ok(ending) => ending.code(),
        Err(problem) => {
            if let Some(trouble) = problem.trouble() {
                out.error(&trouble.code, &trouble.text);
            }
            problem.code()
        }
    };
    ashore_engine::flush_log(Duration::from_secs(1));
    ExitCode::from(code)
}

fn start(arguments: &Arguments, out: Out) -> Result<Ending, Problem> {
    let runtime = ashore_engine::runtime().map_err(Problem::NotStarted)?;
    let ended = runtime.block_on(run(arguments, out));
    // Whatever still blocks a thread has nothing left to say.
    runtime.shutdown_timeout(Duration::from_secs(1));
    ended
}

async fn run(arguments: &Arguments, out: Out) -> Result<Ending, Problem> {
    let data_dir = arguments.common.folder()?;
    if let Some(owner) = &arguments.common.owner {
        connection::act_for(owner.clone());
    }
    match &arguments.verb {
        Verb::SyncServer(passed) => Err(verbs::sync_server::become_it(&passed.arguments, out.json)),
        Verb::Change(changing) => verbs::owners::change(&data_dir, changing, out).await,
        Verb::Match(wanted) => verbs::owners::matching(&data_dir, wanted, out).await,
        Verb::Ids => verbs::owners::ids(&data_dir, out).await,
        Verb::Find(named) => verbs::owners::find(&data_dir, &named.name, out).await,
        Verb::Owed => verbs::owners::owed(&data_dir, out).await,
        Verb::Acknowledge(wanted) => verbs::owners::acknowledge(&data_dir, wanted, out).await,
        Verb::Clear(clearing) => verbs::owners::clear(&data_dir, clearing.files, out).await,
        Verb::Reset => verbs::owners::reset(&data_dir, out).await,
        Verb::QueueStats => verbs::owners::queue_stats(&data_dir, out).await,
        Verb::RemoveOwner(leaving) => verbs::owners::remove_owner(&data_dir, &leaving.name, out).await,
        Verb::Get(fetching) => verbs::get::get(&data_dir, fetching, out).await,
        Verb::Add(adding) => verbs::add::add(&data_dir, adding, out).await,
        Verb::Serve(network) => verbs::serve::serve(&data_dir, network, out).await,
        Verb::List(filter) => verbs::short::list(&data_dir, filter, out).await,
        Verb::Show(one) => verbs::show::show(&data_dir, one, out).await,
        Verb::Pause(some) => verbs::short::pause(&data_dir, &some.ids, out).await,
        Verb::Resume(some) => verbs::short::resume(&data_dir, &some.ids, out).await,
        Verb::Abort(several) => verbs::short::abort(&data_dir, &several.ids, out).await,
        Verb::Retry(retrying) => verbs::short::retry(&data_dir, &retrying.several.ids, retrying.dir.as_deref(), out).await,
        Verb::Remove(removal) => verbs::short::remove(&data_dir, &removal.ids, removal.files, out).await,
        Verb::First(next) => verbs::short::first(&data_dir, next, out).await,
        Verb::Move(moving) => verbs::short::move_to(&data_dir, moving, out).await,
        Verb::Limit(wanted) => verbs::limit::limit(&data_dir, wanted, out).await,
        Verb::SignIn(signing_in) => verbs::credentials::sign_in(&data_dir, signing_in, out).await,
        Verb::SignOut(from) => verbs::credentials::sign_out(&data_dir, from, out).await,
        Verb::Quota(wanted) => verbs::quota::quota(&data_dir, wanted, out).await,
        Verb::Statistics(back) => verbs::statistics::statistics(&data_dir, back, out).await,
        Verb::Settings(wanted) => verbs::settings::settings(&data_dir, wanted, out).await,
        Verb::Events => verbs::short::events(&data_dir, out).await,
        Verb::Doctor(Repairing { repair }) => verbs::doctor::doctor(&data_dir, *repair, out).await,
        Verb::Adopt(some) => verbs::doctor::adopt(&data_dir, &some.partials, out).await,
        Verb::Export(wanted) => verbs::list_file::export(&data_dir, wanted, out).await,
        Verb::Import(wanted) => verbs::list_file::import(&data_dir, wanted, out).await,
    }
}

/// `RUST_LOG` says what is logged, else `-v`. Without either only errors are, and none where a bar is drawn: what
/// matters to a person is said in words.
fn log(verbose: u8, out: Out) {
    let level = match verbose {
        0 if out.draws => "off",
        0 => "error",
        1 => "info",
        2 => "debug",
        _ => "trace",
    };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| {
        EnvFilter::new(format!("off,ashore={level},ashore_engine={level},ashore_rpc={level},ashore_transfer={level}"))
    });
    let is_plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_coloured = std::io::stderr().is_terminal() && !is_plain;
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(LogLine::new).with_ansi(is_coloured).init();
}
