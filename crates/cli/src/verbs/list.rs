//! `ashore list`: the downloads of the list, newest first.

use std::{collections::HashMap, path::Path, time::Duration};

use ashore_engine::{EngineEvent, ListQuery, ProgressTotals, UniqueId};
use ashore_rpc::{CallFailure, MethodCall, PeerStream};
use ashore_terminal::{TerminalOutput, stdout_columns};
use tokio::time::{Instant, timeout_at};

use crate::{
    arguments::ListFilter,
    output::{
        list_table::ListTable,
        problem::{CliProblem, ExitStatus},
        text,
        words::words,
    },
    verbs::short::{next_page, with},
};

/// Maximum time to wait for the speeds of running downloads. The engine reports each speed four times a second, but not
/// the speed of a download that receives nothing.
const SPEEDS_WAIT: Duration = Duration::from_millis(600);

/// Runs `ashore list`.
pub async fn list(data_dir: &Path, filter: &ListFilter, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let active = if filter.active { Some(true) } else { filter.settled.then_some(false) };
    with(data_dir, "ashore list", async |connection| {
        let mut left = filter.limit.unwrap_or(usize::MAX);
        let failed = filter.failed.then_some(true);
        let mut query = ListQuery { search: filter.search.clone(), active, failed, ..ListQuery::default() };
        let mut is_first = true;
        let totals: ProgressTotals = connection.call(MethodCall::Totals).await?;
        let running = if out.json || filter.settled || connection.is_own() { 0 } else { totals.running };
        let speeds = speeds(connection, running).await?;
        let table = ListTable::new(running > 0, stdout_columns());
        while left > 0 {
            let page = next_page(connection, &mut query, left).await?;
            if page.is_empty() {
                break;
            }
            left -= page.len().min(left);
            for registration in &page {
                if out.json {
                    out.object(registration)?;
                    continue;
                }
                if let Some(heads) = table.heads().filter(|_| is_first) {
                    out.line(heads)?;
                }
                is_first = false;
                let speed = speeds.get(&registration.unique_id).copied().unwrap_or_default();
                out.lines(table.row(registration, speed, totals.gate.as_ref()))?;
            }
        }
        if is_first && !out.json {
            out.print_line(words!(if filter.failed { "nothing-failed" } else { "cli-list-empty" }));
        }
        if let Some(gate) = totals.gate.filter(|_| !out.json) {
            out.print_line(text::with_cure(&gate.message()));
        }
        Ok(ExitStatus::Done)
    })
    .await
}

/// Returns the speeds of the downloads that transfer bytes, in bytes per second. `running` is the number of running
/// downloads.
async fn speeds(connection: &PeerStream, running: u32) -> Result<HashMap<UniqueId, u64>, CallFailure> {
    let mut speeds = HashMap::new();
    if running == 0 {
        return Ok(speeds);
    }
    let mut events = connection.events().await?;
    let until = Instant::now() + SPEEDS_WAIT;
    while speeds.len() < running as usize {
        match timeout_at(until, events.next()).await {
            Ok(Some(EngineEvent::Progress { unique_id, speed, .. })) => _ = speeds.insert(unique_id, speed),
            Ok(Some(_)) => {}
            Ok(None) | Err(_) => break,
        }
    }
    Ok(speeds)
}
