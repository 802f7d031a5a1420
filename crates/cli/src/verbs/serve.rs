//! `ashore serve`: runs the engine without a window until a signal stops it.

use std::path::Path;

use ashore_remote::BrowserListener;
use ashore_rpc::{PeerStream, hold};
use ashore_terminal::TerminalOutput;

use crate::{
    arguments::NetworkArguments,
    output::{
        problem::{CliProblem, ExitStatus},
        words::words,
    },
    signals::TerminationSignals,
    verbs::{serve_retention, settings},
};

/// Opens the engine, runs the downloads, and serves the socket until a signal arrives.
///
/// Makes every byte durable before it returns.
pub async fn serve(data_dir: &Path, network: &NetworkArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let overrides = network.overrides()?;
    let mut signals = TerminationSignals::new()?;
    let own = tokio::select! {
        own = hold(data_dir, "ashore serve", overrides) => own?,
        () = signals.next() => return Ok(ExitStatus::Done),
    };
    let printed = if out.json {
        out.object(&serde_json::json!({ "ready": true, "data_dir": data_dir, "socket": own.socket() }))
    } else {
        out.line(words!("cli-serve-ready", path = data_dir))
    };
    if printed.is_err() {
        // Ignore the error: the engine works without a reader of stdout.
        out.complain(words!("cli-serve-ready.short"));
    }
    settings::say_slips(&own.engine.settings(), out);
    let listener = BrowserListener::start(PeerStream::Own(own.clone()), data_dir);
    tokio::select! {
        () = signals.next() => {}
        () = serve_retention::run_retention(&own.engine, out) => signals.next().await,
    }
    signals.leave_at_the_next();
    listener.stop().await;
    own.close().await;
    out.print_line(words!("cli-serve-stopped"));
    Ok(ExitStatus::Done)
}
