//! `ashore serve`: runs the engine without a window until a signal stops it. systemd can start it as a service.

use std::{future::pending, path::Path};

use ashore_remote::{BrowserListener, InheritedListener, RemoteAccess, RemoteOptions, RemoteStartFault};
use ashore_rpc::{OwnProcess, PeerStream, hold};
use ashore_terminal::TerminalOutput;

use crate::{
    arguments::ServingArguments,
    output::{
        problem::{CliProblem, ExitStatus},
        words::words,
    },
    service_manager,
    signals::TerminationSignals,
    verbs::{serve_retention, settings},
};

/// Opens the engine, runs the downloads, and serves the socket until a signal arrives. Also serves other devices if the
/// arguments request this, or if there are `inherited` sockets. These replace the usual addresses.
///
/// Makes every byte durable before it returns.
pub async fn serve(
    data_dir: &Path,
    wanted: &ServingArguments,
    inherited: Vec<InheritedListener>,
    out: TerminalOutput,
) -> Result<ExitStatus, CliProblem> {
    let (overrides, remote_options) = (wanted.network.overrides()?, wanted.remote.options(!inherited.is_empty())?);
    let mut signals = TerminationSignals::new()?;
    let own = tokio::select! {
        own = hold(data_dir, "ashore serve", overrides) => own?,
        () = signals.next() => return Ok(ExitStatus::Done),
    };
    let remote = match start_remote(&own, data_dir, remote_options, inherited).await {
        Ok(remote) => remote,
        Err(problem) => {
            own.close().await;
            return Err(problem);
        }
    };
    report(&own, data_dir, remote.as_ref(), out);
    settings::say_slips(&own.engine.settings(), out);
    let listener = BrowserListener::start(PeerStream::Own(own.clone()), data_dir);
    service_manager::report_ready();
    tokio::select! {
        () = signals.next() => {}
        () = stop_requested(remote.as_ref()) => {}
        () = apply_retention(&own, out) => {}
        () = service_manager::feed_watchdog(&own.engine) => {}
    }
    service_manager::report_stopping();
    signals.leave_at_the_next();
    listener.stop().await;
    if let Some(remote) = remote {
        remote.stop().await;
    }
    own.close().await;
    out.print_line(words!("cli-serve-stopped"));
    Ok(ExitStatus::Done)
}

/// Waits until a client of the server for other devices asks to end this program.
async fn stop_requested(remote: Option<&RemoteAccess>) {
    match remote {
        Some(remote) => remote.stop_requested().await,
        None => pending().await,
    }
}

/// Applies the retention of the settings forever.
async fn apply_retention(own: &OwnProcess, out: TerminalOutput) {
    serve_retention::run_retention(&own.engine, out).await;
    pending().await
}

/// Opens the server for other devices, if there are options for it.
async fn start_remote(
    own: &OwnProcess,
    data_dir: &Path,
    options: Option<RemoteOptions>,
    inherited: Vec<InheritedListener>,
) -> Result<Option<RemoteAccess>, CliProblem> {
    let Some(options) = options else { return Ok(None) };
    let started = RemoteAccess::start(own, data_dir, options, inherited).await;
    started.map(Some).map_err(|fault| match fault {
        RemoteStartFault::Listen(why) => CliProblem::NotListening(why),
        RemoteStartFault::Refused(why) => CliProblem::Usage(why),
    })
}

/// Prints that the engine is ready, and where other devices can open the page.
fn report(own: &OwnProcess, data_dir: &Path, remote: Option<&RemoteAccess>, out: TerminalOutput) {
    let mut printed = match out.json {
        true => {
            let mut ready = serde_json::json!({ "ready": true, "data_dir": data_dir, "socket": own.socket() });
            if let Some(remote) = remote {
                ready["remote"] = remote.urls().into();
            }
            out.object(&ready)
        }
        false => out.line(words!("cli-serve-ready", path = data_dir)),
    };
    for url in remote.filter(|_| !out.json).iter().flat_map(|remote| remote.urls()) {
        printed = printed.and_then(|()| out.line(words!("cli-serve-remote", url = url)));
    }
    if printed.is_err() {
        // Ignore the error: the engine works without a reader of stdout.
        out.complain(words!("cli-serve-ready.short"));
    }
    if remote.is_some_and(RemoteAccess::is_readable_by_network) {
        out.complain(words!("cli-serve-plain"));
    }
}
