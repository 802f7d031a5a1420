//! The verbs about an owner: its names, its end events, and what is done to everything of it.

use std::path::Path;

use ashore_engine::{MatchOptions, QueueStats, Record, Registration, UniqueId};
use ashore_rpc::Call;
use ashore_terminal::{Out, clean};
use serde_json::json;

use crate::{
    arguments::{Acknowledging, Changing, Matching},
    connection,
    input::request::icons,
    output::{
        problem::{Ending, Problem},
        text,
    },
    verbs::short::{resolve, with},
};

/// `ashore ids`
pub async fn ids(data_dir: &Path, out: Out) -> Result<Ending, Problem> {
    with(data_dir, "ashore ids", async |connection| {
        let ids: Vec<String> = connection.call(Call::Ids { owner: connection::owner().to_owned() }).await?;
        for id in ids {
            if out.json {
                out.object(&json!({ "developer_id": id }))?;
            } else {
                out.line(clean(&id))?;
            }
        }
        Ok(Ending::Done)
    })
    .await
}

/// `ashore find`: fails where nothing active has the name.
pub async fn find(data_dir: &Path, name: &str, out: Out) -> Result<Ending, Problem> {
    with(data_dir, "ashore find", async |connection| {
        let call = Call::Find { owner: connection::owner().to_owned(), developer_id: name.to_owned() };
        let found: Option<Registration> = connection.call(call).await?;
        match found {
            Some(found) if out.json => out.object(&found)?,
            Some(found) => out.line(found.unique_id)?,
            None if out.json => out.object(&json!(null))?,
            None => out.say(format!("Nothing that is not over is called {name}.")),
        }
        Ok(Ending::Done)
    })
    .await
}

/// `ashore match`
pub async fn matching(data_dir: &Path, wanted: &Matching, out: Out) -> Result<Ending, Problem> {
    with(data_dir, "ashore match", async |connection| {
        let unique_id = resolve(connection, &wanted.id).await?;
        let url = wanted.url.clone();
        let (ignore_search, ignore_method) = (wanted.ignore_search, wanted.ignore_method);
        let options = MatchOptions { ignore_search, ignore_method, method: wanted.method.clone() };
        let records: Vec<Record> = match wanted.all {
            true => connection.call(Call::MatchAll { unique_id, url, options }).await?,
            false => connection.call::<Option<Record>>(Call::Match { unique_id, url, options }).await?.into_iter().collect(),
        };
        for record in &records {
            if out.json {
                out.object(record)?;
            } else {
                out.line(format_args!("{:>6}  {:<8} {}", record.index, text::record_state(record), clean(&record.url)))?;
            }
        }
        if records.is_empty() && !out.json {
            out.say("No file of it has this link.");
        }
        Ok(Ending::Done)
    })
    .await
}

/// `ashore owed`
pub async fn owed(data_dir: &Path, out: Out) -> Result<Ending, Problem> {
    with(data_dir, "ashore owed", async |connection| {
        let owner = connection::acts_for().map(str::to_owned);
        let owed: Vec<Registration> = connection.call(Call::Owed { owner }).await?;
        for one in &owed {
            if out.json {
                out.object(one)?;
            } else {
                out.line(format_args!("{}  {}  {}", one.unique_id, one.event_number, clean(&one.title)))?;
            }
        }
        Ok(Ending::Done)
    })
    .await
}

/// `ashore acknowledge`
pub async fn acknowledge(data_dir: &Path, wanted: &Acknowledging, out: Out) -> Result<Ending, Problem> {
    with(data_dir, "ashore acknowledge", async |connection| {
        // A removed registration is in no list, and its event is owed all the same.
        let owner = connection::acts_for().map(str::to_owned);
        let owed: Vec<Registration> = match &owner {
            Some(_) => connection.call(Call::Owed { owner }).await?,
            None => Vec::new(),
        };
        let is_meant = |one: &&Registration| one.unique_id.to_string() == wanted.id || one.developer_id == wanted.id;
        let unique_id = match owed.iter().find(is_meant) {
            Some(one) => one.unique_id,
            None => resolve(connection, &wanted.id).await?,
        };
        let latest = async || match owed.iter().find(|one| one.unique_id == unique_id) {
            Some(one) => Ok::<u32, Problem>(one.event_number),
            None => Ok(connection.call::<Registration>(Call::Show { unique_id }).await?.event_number),
        };
        let event_number = match wanted.event_number {
            Some(number) => number,
            None => latest().await?,
        };
        let acknowledged: bool = connection.call(Call::Acknowledge { unique_id, event_number }).await?;
        if out.json {
            out.object(&json!({ "unique_id": unique_id, "event_number": event_number, "acknowledged": acknowledged }))?;
        } else if acknowledged {
            out.say("Acknowledged.");
        } else {
            out.say("This end event is not owed; nothing was changed.");
        }
        Ok(Ending::Done)
    })
    .await
}

/// `ashore clear`
pub async fn clear(data_dir: &Path, files: bool, out: Out) -> Result<Ending, Problem> {
    let call = Call::Clear { owner: connection::owner().to_owned(), files };
    count(data_dir, "ashore clear", call, ("cleared", "Taken off the list"), out).await
}

/// `ashore reset`
pub async fn reset(data_dir: &Path, out: Out) -> Result<Ending, Problem> {
    let call = Call::Reset { owner: connection::owner().to_owned() };
    count(data_dir, "ashore reset", call, ("reset", "Aborted"), out).await
}

async fn count(data_dir: &Path, holder: &str, call: Call, (field, done): (&str, &str), out: Out) -> Result<Ending, Problem> {
    with(data_dir, holder, async |connection| {
        let count: u32 = connection.call(call).await?;
        if out.json {
            out.object(&json!({ "owner": connection::owner(), field: count }))?;
        } else {
            out.say(format!("{done}: {count} of {}.", clean(connection::owner())));
        }
        Ok(Ending::Done)
    })
    .await
}

/// `ashore remove-owner`
pub async fn remove_owner(data_dir: &Path, owner: &str, out: Out) -> Result<Ending, Problem> {
    with(data_dir, "ashore remove-owner", async |connection| {
        connection.call::<()>(Call::RemoveOwner { owner: owner.to_owned() }).await?;
        if out.json {
            out.object(&json!({ "owner": owner }))?;
        } else {
            out.say("Removed, with everything that it asked for. Complete files stay.");
        }
        Ok(Ending::Done)
    })
    .await
}

/// `ashore queue-stats`
pub async fn queue_stats(data_dir: &Path, out: Out) -> Result<Ending, Problem> {
    with(data_dir, "ashore queue-stats", async |connection| {
        let owner = connection::acts_for().map(str::to_owned);
        let stats: QueueStats = connection.call(Call::QueueStats { owner }).await?;
        if out.json {
            out.object(&stats)?;
        } else {
            out.line(format_args!("total {}, successes {}, failures {}", stats.total, stats.successes, stats.failures))?;
        }
        Ok(Ending::Done)
    })
    .await
}

/// `ashore change`
pub async fn change(data_dir: &Path, changing: &Changing, out: Out) -> Result<Ending, Problem> {
    let icons = Some(icons(&changing.icon)?).filter(|icons| !icons.is_empty());
    with(data_dir, "ashore change", async |connection| {
        let unique_id: UniqueId = resolve(connection, &changing.id).await?;
        let (title, description) = (changing.title.clone(), changing.description.clone());
        connection.call::<()>(Call::UpdateUi { unique_id, title, description, icon: None, icons }).await?;
        if out.json {
            out.object(&json!({ "unique_id": unique_id }))?;
        } else {
            out.say("Changed.");
        }
        Ok(Ending::Done)
    })
    .await
}
