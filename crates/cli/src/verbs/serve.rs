//! `ashore serve`: the engine without a window, for as long as nobody says stop.

use std::path::Path;

use ashore_rpc::hold;
use ashore_terminal::Out;

use crate::{
    arguments::Network,
    output::problem::{Ending, Problem},
    signals::Signals,
    verbs::{serve_retention, settings},
};

/// Holds the folder, fetches, and answers on the socket until a signal comes. Then every byte is made durable.
pub async fn serve(data_dir: &Path, network: &Network, out: Out) -> Result<Ending, Problem> {
    let overrides = network.overrides()?;
    let mut signals = Signals::new()?;
    let own = tokio::select! {
        own = hold(data_dir, "ashore serve", overrides) => own?,
        () = signals.next() => return Ok(Ending::Done),
    };
    let printed = if out.json {
        out.object(&serde_json::json!({ "ready": true, "data_dir": data_dir, "socket": own.socket() }))
    } else {
        let place = data_dir.display();
        out.line(format_args!("Ashore is ready and works on {place}. Ctrl-C stops it; everything is kept."))
    };
    if printed.is_err() {
        // Whoever started it does not listen; that is no reason not to work.
        out.complain("Ashore is ready.");
    }
    settings::say_slips(&own.engine.settings(), out);
    tokio::select! {
        () = signals.next() => {}
        () = serve_retention::keep(&own.engine, out) => signals.next().await,
    }
    signals.leave_at_the_next();
    own.close().await;
    out.say("Stopped; everything is kept.");
    Ok(Ending::Done)
}
