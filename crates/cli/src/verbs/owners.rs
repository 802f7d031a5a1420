//! Subcommands about an owner: the names and end events of registrations, and actions on all registrations of the
//! owner.

use std::path::Path;

use ashore_engine::{MatchOptions, QueueStats, Registration, ResponseRecord, UniqueId};
use ashore_rpc::MethodCall;
use ashore_terminal::{TerminalOutput, clean};
use serde_json::json;

use crate::{
    arguments::{AckArguments, MatchArguments, QuotaArguments},
    connection,
    input::request::icons,
    output::{
        problem::{CliProblem, ExitStatus},
        text,
        words::words,
    },
    verbs::short::{resolve, with},
};

/// Runs `ashore ids`.
pub async fn ids(data_dir: &Path, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    with(data_dir, "ashore ids", async |connection| {
        let ids: Vec<String> = connection.call(MethodCall::Ids { owner: connection::owner().to_owned() }).await?;
        for id in ids {
            if out.json {
                out.object(&json!({ "developer_id": id }))?;
            } else {
                out.line(clean(&id))?;
            }
        }
        Ok(ExitStatus::Done)
    })
    .await
}

/// Runs `ashore find`. Fails if no active registration has this name.
pub async fn find(data_dir: &Path, name: &str, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    with(data_dir, "ashore find", async |connection| {
        let call = MethodCall::Find { owner: connection::owner().to_owned(), developer_id: name.to_owned() };
        let found: Option<Registration> = connection.call(call).await?;
        match found {
            Some(found) if out.json => out.object(&found)?,
            Some(found) => out.line(found.unique_id)?,
            None if out.json => out.object(&json!(null))?,
            None => out.print_line(words!("cli-find-nothing", name = name)),
        }
        Ok(ExitStatus::Done)
    })
    .await
}

/// Runs `ashore match`.
pub async fn matching(data_dir: &Path, wanted: &MatchArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    with(data_dir, "ashore match", async |connection| {
        let unique_id = resolve(connection, &wanted.id).await?;
        let url = wanted.url.clone();
        let (ignore_search, ignore_method) = (wanted.ignore_search, wanted.ignore_method);
        let options = MatchOptions { ignore_search, ignore_method, method: wanted.method.clone() };
        let records: Vec<ResponseRecord> = match wanted.all {
            true => connection.call(MethodCall::MatchAll { unique_id, url, options }).await?,
            false => connection
                .call::<Option<ResponseRecord>>(MethodCall::Match { unique_id, url, options })
                .await?
                .into_iter()
                .collect(),
        };
        for record in &records {
            if out.json {
                out.object(record)?;
            } else {
                out.line(format_args!("{:>6}  {} {}", record.index, text::record_state(record).column(""), clean(&record.url)))?;
            }
        }
        if records.is_empty() && !out.json {
            out.print_line(words!("cli-match-nothing"));
        }
        Ok(ExitStatus::Done)
    })
    .await
}

/// Runs `ashore owed`.
pub async fn print_pending(data_dir: &Path, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    with(data_dir, "ashore owed", async |connection| {
        let owner = connection::acts_for().map(str::to_owned);
        let owed: Vec<Registration> = connection.call(MethodCall::Owed { owner }).await?;
        for one in &owed {
            if out.json {
                out.object(one)?;
            } else {
                out.line(format_args!("{}  {}  {}", one.unique_id, one.event_number, clean(&one.title)))?;
            }
        }
        Ok(ExitStatus::Done)
    })
    .await
}

/// Runs `ashore acknowledge`.
pub async fn acknowledge(data_dir: &Path, wanted: &AckArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    with(data_dir, "ashore acknowledge", async |connection| {
        // Query pending events separately, because a removed registration with a pending event is no longer in the
        // list.
        let owner = connection::acts_for().map(str::to_owned);
        let owed: Vec<Registration> = match &owner {
            Some(_) => connection.call(MethodCall::Owed { owner }).await?,
            None => Vec::new(),
        };
        let is_meant = |one: &&Registration| one.unique_id.to_string() == wanted.id || one.developer_id == wanted.id;
        let unique_id = match owed.iter().find(is_meant) {
            Some(one) => one.unique_id,
            None => resolve(connection, &wanted.id).await?,
        };
        let latest = async || match owed.iter().find(|one| one.unique_id == unique_id) {
            Some(one) => Ok::<u32, CliProblem>(one.event_number),
            None => Ok(connection.call::<Registration>(MethodCall::Show { unique_id }).await?.event_number),
        };
        let event_number = match wanted.event_number {
            Some(number) => number,
            None => latest().await?,
        };
        let acknowledged: bool = connection.call(MethodCall::Acknowledge { unique_id, event_number }).await?;
        if out.json {
            out.object(&json!({ "unique_id": unique_id, "event_number": event_number, "acknowledged": acknowledged }))?;
        } else if acknowledged {
            out.print_line(words!("cli-acknowledged"));
        } else {
            out.print_line(words!("cli-acknowledged.unknown"));
        }
        Ok(ExitStatus::Done)
    })
    .await
}

/// Runs `ashore clear`.
pub async fn clear(data_dir: &Path, files: bool, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let call = MethodCall::Clear { owner: connection::owner().to_owned(), files };
    count(data_dir, "ashore clear", call, ("cleared", "cli-cleared"), out).await
}

/// Runs `ashore reset`.
pub async fn reset(data_dir: &Path, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let call = MethodCall::Reset { owner: connection::owner().to_owned() };
    count(data_dir, "ashore reset", call, ("reset", "cli-reset"), out).await
}

async fn count(
    data_dir: &Path,
    holder: &str,
    call: MethodCall,
    (field, done): (&str, &str),
    out: TerminalOutput,
) -> Result<ExitStatus, CliProblem> {
    with(data_dir, holder, async |connection| {
        let count: u32 = connection.call(call).await?;
        if out.json {
            out.object(&json!({ "owner": connection::owner(), field: count }))?;
        } else {
            out.print_line(words!(done, count = count, owner = connection::owner()));
        }
        Ok(ExitStatus::Done)
    })
    .await
}

/// Runs `ashore remove-owner`.
pub async fn remove_owner(data_dir: &Path, owner: &str, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    with(data_dir, "ashore remove-owner", async |connection| {
        connection.call::<()>(MethodCall::RemoveOwner { owner: owner.to_owned() }).await?;
        if out.json {
            out.object(&json!({ "owner": owner }))?;
        } else {
            out.print_line(words!("cli-owner-removed"));
        }
        Ok(ExitStatus::Done)
    })
    .await
}

/// Runs `ashore queue-stats`.
pub async fn queue_stats(data_dir: &Path, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    with(data_dir, "ashore queue-stats", async |connection| {
        let owner = connection::acts_for().map(str::to_owned);
        let stats: QueueStats = connection.call(MethodCall::QueueStats { owner }).await?;
        if out.json {
            out.object(&stats)?;
        } else {
            let QueueStats { total, successes, failures } = stats;
            out.line(words!("cli-queue-stats", total = total, successes = successes, failures = failures))?;
        }
        Ok(ExitStatus::Done)
    })
    .await
}

/// Runs `ashore change`.
pub async fn change(data_dir: &Path, changing: &QuotaArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    let icons = Some(icons(&changing.icon)?).filter(|icons| !icons.is_empty());
    with(data_dir, "ashore change", async |connection| {
        let unique_id: UniqueId = resolve(connection, &changing.id).await?;
        let (title, description) = (changing.title.clone(), changing.description.clone());
        connection.call::<()>(MethodCall::UpdateUi { unique_id, title, description, icon: None, icons }).await?;
        if out.json {
            out.object(&json!({ "unique_id": unique_id }))?;
        } else {
            out.print_line(words!("cli-changed"));
        }
        Ok(ExitStatus::Done)
    })
    .await
}
