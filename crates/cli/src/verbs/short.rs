//! Subcommands that make a single call to the engine.
//!
//! If an engine is running for the folder, that engine executes the call. If no engine is running, this program opens
//! the list for the call.

use std::{io, path::Path};

use ashore_engine::{ListQuery, ProgressTotals, QueuePlace, Registration, UniqueId};
use ashore_messages::message;
use ashore_rpc::{CallFailure, MethodCall, PeerStream, SocketClient};
use ashore_terminal::TerminalOutput;
use serde_json::{Value, json};

use crate::{
    arguments::{MoveArguments, PositionArguments},
    connection::{self, connect},
    input::request::{is_id, made_absolute},
    output::{
        problem::{CliProblem, ExitStatus},
        words::words,
    },
};

/// Maximum number of registrations that one call reads.
pub const PAGE: usize = 500;

/// Runs `ashore pause`.
pub async fn pause(data_dir: &Path, ids: &[String], out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let words = ("cli-all-paused", "cli-paused");
    some_or_all(data_dir, "ashore pause", ids, words, out, |unique_id| MethodCall::Pause { unique_id }).await?;
    Ok(ExitStatus::Done)
}

/// Runs `ashore resume`.
pub async fn resume(data_dir: &Path, ids: &[String], out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let words = ("cli-all-resumed", "cli-resumed");
    let idle = some_or_all(data_dir, "ashore resume", ids, words, out, |unique_id| MethodCall::Resume { unique_id }).await?;
    say_why_idle(idle, out);
    Ok(ExitStatus::Done)
}

/// Runs `ashore cancel`.
pub async fn cancel(data_dir: &Path, ids: &[String], out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    each(data_dir, "ashore cancel", ids, async |connection, unique_id| {
        let aborted: bool = connection.call(MethodCall::Abort { unique_id }).await?;
        if !aborted {
            // Aborting a settled download has no effect, but an unknown id is an error.
            connection.call::<Registration>(MethodCall::Show { unique_id }).await?;
        }
        if out.json {
            out.object(&json!({ "unique_id": unique_id, "aborted": aborted }))?;
        } else if aborted {
            out.print_line(words!("cli-cancelled"));
        } else {
            out.print_line(words!("cli-ended-already"));
        }
        Ok(())
    })
    .await
    .map(|_| ExitStatus::Done)
}

/// Runs `ashore retry`.
pub async fn retry(data_dir: &Path, ids: &[String], dir: Option<&Path>, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    if let Some(dir) = dir {
        return move_to(data_dir, ids, dir, out).await;
    }
    let idle = each(data_dir, "ashore retry", ids, async |connection, unique_id| {
        let retried: u32 = connection.call(MethodCall::Retry { unique_id }).await?;
        if out.json {
            out.object(&json!({ "unique_id": unique_id, "retried": retried }))?;
        } else {
            out.print_line(match retried {
                0 => words!("cli-nothing-to-retry"),
                count => words!("cli-retried", count = count),
            });
        }
        Ok(())
    })
    .await?;
    say_why_idle(idle, out);
    Ok(ExitStatus::Done)
}

/// Runs `ashore move-to`.
pub async fn move_to(data_dir: &Path, ids: &[String], dir: &Path, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let folder = made_absolute(dir)?;
    let idle = each(data_dir, "ashore move-to", ids, async |connection, unique_id| {
        connection.call::<()>(MethodCall::PutInto { unique_id, folder: folder.clone() }).await?;
        if out.json {
            out.object(&json!({ "unique_id": unique_id, "folder": folder }))?;
        } else {
            out.print_line(words!("cli-folder-changed", path = &folder));
        }
        Ok(())
    })
    .await?;
    say_why_idle(idle, out);
    Ok(ExitStatus::Done)
}

/// Runs `ashore remove`.
pub async fn remove(data_dir: &Path, ids: &[String], files: bool, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    each(data_dir, "ashore remove", ids, async |connection, unique_id| {
        connection.call::<()>(MethodCall::Remove { unique_id, files }).await?;
        acknowledge(unique_id, "cli-removed", out)
    })
    .await
    .map(|_| ExitStatus::Done)
}

/// Runs `ashore first`.
pub async fn first(data_dir: &Path, next: &PositionArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    // Move the downloads in reverse order, because each move puts a download before the earlier ones.
    let backwards: Vec<_> = next.ids.iter().rev().cloned().collect();
    let place = if next.now { QueuePlace::Now } else { QueuePlace::Top };
    each(data_dir, "ashore first", &backwards, async |connection, unique_id| {
        connection.call::<()>(MethodCall::Move { unique_id, place }).await?;
        acknowledge(unique_id, "cli-first", out)
    })
    .await
    .map(|_| ExitStatus::Done)
}

/// Runs `ashore move`.
pub async fn move_in_queue(data_dir: &Path, moving: &MoveArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let before = moving.before.as_deref();
    each(data_dir, "ashore move", &moving.ids, async |connection, unique_id| {
        let place = match before {
            Some(before) => QueuePlace::Before(resolve(connection, before).await?),
            None => QueuePlace::Bottom,
        };
        connection.call::<()>(MethodCall::Move { unique_id, place }).await?;
        acknowledge(unique_id, "cli-moved", out)
    })
    .await
    .map(|_| ExitStatus::Done)
}

/// Runs `ashore events`.
pub async fn events(data_dir: &Path, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let mut events = running_engine(data_dir).await?.events().await?;
    while let Some(event) = events.next().await {
        out.object(&event)?;
    }
    Err(CallFailure::Closed(message!("unreachable.ended")).into())
}

/// Connects to the engine that runs for `data_dir`. Fails if no engine is running.
pub async fn running_engine(data_dir: &Path) -> Result<SocketClient, CallFailure> {
    let client = SocketClient::connect(data_dir).await.map_err(|error| match error.kind() {
        io::ErrorKind::TimedOut => CallFailure::Unreachable(error),
        _ => CallFailure::Closed(message!("unreachable.idle")),
    })?;
    connection::client(client)
}

/// Resolves `text`: an id, the beginning of an id, or the name that the owner gave to a registration.
///
/// If several registrations have the name, returns an active one. If none of them is active, returns the latest settled
/// one. Fails with `unknown` or `ambiguous`.
pub async fn resolve(connection: &PeerStream, text: &str) -> Result<UniqueId, CliProblem> {
    if let Ok(id) = text.parse() {
        return Ok(id);
    }
    if let Some(found) = named(connection, text).await? {
        return Ok(found.unique_id);
    }
    let is_id = is_id(text);
    let digits = |text: &str| text.replace('-', "").to_ascii_lowercase();
    let beginning = digits(text);
    let mut found = None;
    let mut query = ListQuery::default();
    loop {
        let page = next_page(connection, &mut query, PAGE).await?;
        if page.is_empty() {
            return found.ok_or_else(|| CallFailure::Refused(message!("unknown.list", id = text)).into());
        }
        for candidate in page {
            if candidate.developer_id == text && candidate.owner == connection::owner() {
                return Ok(candidate.unique_id);
            }
            if is_id
                && digits(&candidate.unique_id.to_string()).starts_with(&beginning)
                && found.replace(candidate.unique_id).is_some()
            {
                return Err(CallFailure::Refused(message!("ambiguous", id = text)).into());
            }
        }
    }
}

/// Returns the active registration that its owner named `name`.
pub async fn named(connection: &PeerStream, name: &str) -> Result<Option<Registration>, CallFailure> {
    connection.call(MethodCall::Find { owner: connection::owner().to_owned(), developer_id: name.to_owned() }).await
}

/// Returns the next page of the list, with at most `limit` entries. The page after the last entry is empty.
pub async fn next_page(connection: &PeerStream, query: &mut ListQuery, limit: usize) -> Result<Vec<Registration>, CallFailure> {
    query.limit = u32::try_from(limit.min(PAGE)).unwrap_or(0);
    let page: Vec<Registration> = connection.call(MethodCall::List(query.clone())).await?;
    if let Some(last) = page.last() {
        query.before = Some(last.unique_id);
    }
    Ok(page)
}

/// Connects, runs `work`, and closes the connection even after a failure.
pub async fn with<T>(
    data_dir: &Path,
    holder: &str,
    work: impl AsyncFnOnce(&PeerStream) -> Result<T, CliProblem>,
) -> Result<T, CliProblem> {
    let connection = connect(data_dir, holder, false).await?;
    let done = work(&connection).await;
    connection.close().await;
    done
}

/// Runs `work` for each of `ids`. Then returns the reason why no download runs; `None` if downloads can run.
///
/// Resolves all ids before the first change.
pub async fn each(
    data_dir: &Path,
    holder: &str,
    ids: &[String],
    mut work: impl AsyncFnMut(&PeerStream, UniqueId) -> Result<(), CliProblem>,
) -> Result<Option<IdleReason>, CliProblem> {
    with(data_dir, holder, async |connection| {
        let mut known = Vec::with_capacity(ids.len());
        for id in ids {
            known.push(resolve(connection, id).await?);
        }
        for id in known {
            work(connection, id).await?;
        }
        Ok(idle_reason(connection).await)
    })
    .await
}

async fn some_or_all(
    data_dir: &Path,
    holder: &str,
    ids: &[String],
    (all, one): (&str, &str),
    out: TerminalOutput,
    call: impl Fn(Option<UniqueId>) -> MethodCall,
) -> Result<Option<IdleReason>, CliProblem> {
    if !ids.is_empty() {
        return each(data_dir, holder, ids, async |connection, id| {
            connection.call::<()>(call(Some(id))).await?;
            acknowledge(id, one, out)
        })
        .await;
    }
    with(data_dir, holder, async |connection| {
        connection.call::<()>(call(None)).await?;
        if out.json {
            out.object(&json!({ "unique_id": Value::Null }))?;
        } else {
            out.print_line(words!(all));
        }
        Ok(idle_reason(connection).await)
    })
    .await
}

/// Reports success. `id` is the id of the sentence in the catalogues.
fn acknowledge(unique_id: UniqueId, id: &str, out: TerminalOutput) -> Result<(), CliProblem> {
    if out.json {
        out.object(&json!({ "unique_id": unique_id }))?;
    } else {
        out.print_line(words!(id));
    }
    Ok(())
}

/// Reason why no download runs, although a change is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleReason {
    /// Everything is paused.
    AllPaused,
    /// No other program runs an engine.
    NoEngine,
}

/// Returns the reason why no download of the list runs; `None` if downloads can run.
///
/// Ignores a failed call, because the change before it has succeeded.
pub async fn idle_reason(connection: &PeerStream) -> Option<IdleReason> {
    let totals: Result<ProgressTotals, CallFailure> = connection.call(MethodCall::Totals).await;
    let is_all_paused = totals.is_ok_and(|totals| totals.paused);
    if is_all_paused { Some(IdleReason::AllPaused) } else { connection.is_own().then_some(IdleReason::NoEngine) }
}

/// Reports that a change is stored, but that no download runs.
pub fn say_why_idle(idle: Option<IdleReason>, out: TerminalOutput) {
    match idle {
        Some(IdleReason::AllPaused) => out.print_line(words!("cli-still-paused")),
        Some(IdleReason::NoEngine) => out.print_line(words!("cli-nothing-runs")),
        None => {}
    }
}
