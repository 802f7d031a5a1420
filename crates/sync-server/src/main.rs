//! Runs the subcommand of `ashore-sync-server` that the user requested in the arguments.

mod arguments;
mod print;
mod problem;
mod verbs;

use std::process::ExitCode;

use clap::Parser as _;
use tracing_subscriber::EnvFilter;

use self::{
    arguments::{ServerArguments, ServerVerb},
    print::TerminalOutput,
    problem::{ServerExit, ServerProblem},
};

fn main() -> ExitCode {
    let arguments = ServerArguments::parse();
    let out = TerminalOutput::new("ashore-sync-server", arguments.common.output);
    log(&arguments);
    let code = match start(&arguments, out) {
        Ok(ending) => ending.code(),
        Err(problem) => {
            if let Some((code, text)) = problem.trouble() {
                out.error(code, &text);
            }
            problem.code()
        }
    };
    ExitCode::from(code)
}

fn start(arguments: &ServerArguments, out: TerminalOutput) -> Result<ServerExit, ServerProblem> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime =
        runtime.map_err(|error| ServerProblem::failed("not-started", format!("The program cannot be started: {error}.")))?;
    let ended = runtime.block_on(run(arguments, out));
    runtime.shutdown_timeout(std::time::Duration::from_secs(1));
    ended
}

async fn run(arguments: &ServerArguments, out: TerminalOutput) -> Result<ServerExit, ServerProblem> {
    let common = &arguments.common;
    match &arguments.verb {
        ServerVerb::Serve(serving) => verbs::serve::serve(common, serving, out).await,
        ServerVerb::Install(serving) => verbs::install::install(common, serving, out),
        ServerVerb::Invite(inviting) => verbs::people::invite(common, inviting, out).await,
        ServerVerb::Users(users) => verbs::people::users(common, users, out).await,
        ServerVerb::Devices(devices) => verbs::people::devices(common, devices, out).await,
        ServerVerb::Quota(quota) => verbs::people::quota(common, quota, out).await,
        ServerVerb::Purge => verbs::upkeep::purge(common, out).await,
        ServerVerb::Backup(file) => verbs::upkeep::backup(common, &file.file, out).await,
        ServerVerb::Restore(file) => verbs::upkeep::restore(common, &file.file, out).await,
        ServerVerb::Doctor => verbs::upkeep::doctor(common, out).await,
    }
}

/// Sends the log to stderr, as JSON with `--json`.
fn log(arguments: &ServerArguments) {
    let usual = match arguments.common.output.verbose {
        0 => "warn,ashore_sync_server=info",
        1 => "info,ashore_sync_server=debug",
        _ => "debug",
    };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(usual));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false);
    match arguments.common.output.json {
        true => builder.json().init(),
        false => builder.init(),
    }
}
