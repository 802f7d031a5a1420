//! Compares the machines with each other and with the simulated user's actions, after all machines have synced.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

use super::{
    household::{MACHINES, SyncHousehold, text},
    person::{SharedDownload, SyncPerson, name_of},
};
use crate::tally::RunTally;

/// Time limit until all machines agree and have nothing left to do.
const PATIENCE: Duration = Duration::from_secs(60);
/// Number of consecutive rounds without changes after which the machines count as settled.
const QUIET: u32 = 2;

/// State of a download as shown on all machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SharedState {
    Active,
    Paused,
    Done,
    Failed,
}

/// Lists that the machines show.
struct HouseholdView {
    lists: Vec<Vec<Value>>,
    others: Vec<Vec<Value>>,
}

/// Waits until the machines are settled. Checks that they agree, and that no download is lost or duplicated.
pub async fn judge(household: &mut SyncHousehold, person: &SyncPerson, tally: &RunTally) -> Result<()> {
    let view = sync_until_idle(household).await?;
    view.agrees(household)?;
    for (name, download) in person.downloads.iter().filter(|(name, _)| !name.is_empty()) {
        view.has_each_once(household, name, download).with_context(|| format!("{name}, {download:?}, {}", view.show(name)))?;
    }
    let mut values = Vec::new();
    for machine in 0..MACHINES {
        household.doctor(machine).await?;
        values.push(attempts_of(household, machine).await?);
    }
    ensure!(values.iter().all(|value| *value == values[0]), "the synced setting differs: {values:?}");
    ensure!(person.possible_attempts.contains(&values[0]), "the synced setting has a value that was never set: {values:?}");
    tally.count("downloads were in the lists in the end, on the machine that all others show", view.count());
    Ok(())
}

/// Resumes the downloads of every machine. Checks that only one machine fetches a download that was moved while it was
/// paused.
pub async fn judge_moves(household: &mut SyncHousehold, person: &SyncPerson, tally: &RunTally) -> Result<()> {
    let view = sync_until_idle(household).await?;
    for machine in 0..MACHINES {
        for one in &view.lists[machine] {
            // Skip downloads that were moved away: their partial files stay paused here, in case the move is reverted.
            let is_elsewhere = view.others[machine].iter().any(|other| name_of(other) == name_of(one));
            if !is_elsewhere && state_of(one) == SharedState::Paused {
                // Ignore an error, because the download may have settled in the meantime.
                let _ = household.call(machine, "resume", json!({ "unique_id": one["unique_id"] })).await;
            }
        }
    }
    let view = sync_until_idle(household).await?;
    view.agrees(household)?;
    for (name, download) in &person.downloads {
        let is_clear = download.created == 1 && download.maybe_created == 0 && download.removed == 0;
        if !is_clear || download.moved > 1 || download.was_started {
            continue;
        }
        let holders = (0..MACHINES).filter(|machine| household.file(*machine, &format!("{name}.bin")).is_some()).count();
        ensure!(holders == 1, "{name} was fetched by {holders} machines: {download:?}, {}", view.show(name));
        tally.count("paused downloads were fetched by one machine", 1);
        tally.count("of these downloads had been moved", download.moved);
    }
    Ok(())
}

/// Runs sync cycles on all machines until none of them has anything to do.
async fn sync_until_idle(household: &mut SyncHousehold) -> Result<HouseholdView> {
    let begun = Instant::now();
    let (mut quiet, mut why) = (0, String::new());
    while quiet < QUIET {
        ensure!(begun.elapsed() < PATIENCE, "the machines do not come to rest: {why}");
        why.clear();
        for machine in 0..MACHINES {
            match household.call(machine, "sync", json!({ "verb": "now" })).await {
                Ok(done) if done["received"] == 0 && done["sent"] == 0 => {}
                other => why = format!("cycle of machine {machine}: {other:?}"),
            }
            let list = household.list(machine).await?;
            if let Some(one) = list.iter().find(|one| state_of(one) == SharedState::Active) {
                why = format!("a download on machine {machine} is active: {one}");
            }
        }
        quiet = if why.is_empty() { quiet + 1 } else { 0 };
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let mut view = HouseholdView { lists: Vec::new(), others: Vec::new() };
    for machine in 0..MACHINES {
        view.lists.push(household.list(machine).await?);
        let others = household.sync(machine, json!({ "verb": "others" })).await?;
        view.others.push(others.as_array().cloned().unwrap_or_default());
        let status = household.sync(machine, json!({ "verb": "status" })).await?;
        ensure!(status["fault"].is_null(), "the latest cycle of machine {machine} failed: {status}");
        for collection in status["collections"].as_array().into_iter().flatten() {
            let is_clean = collection["held"] == 0 && collection["waiting"] == 0;
            ensure!(is_clean, "machine {machine} holds back records, or has not sent some: {status}");
        }
    }
    // The recipient of a sent download creates it and then deletes the record from the server.
    let sends = household.sends_on_server().await?;
    ensure!(sends == "[]", "the server still has sends: {sends}");
    Ok(view)
}

impl HouseholdView {
    /// Checks that all machines show the same downloads and agree on the machine of each download.
    fn agrees(&self, household: &SyncHousehold) -> Result<()> {
        for home in 0..MACHINES {
            let seen: Vec<Vec<&Value>> =
                (0..MACHINES).filter(|other| *other != home).map(|other| self.homed(household, other, home)).collect();
            ensure!(seen[0] == seen[1], "machine {home} looks different from the others: {seen:?}");
            let mut own: Vec<(String, SharedState)> =
                self.lists[home].iter().map(|one| (text(one, "title"), state_of(one))).collect();
            for one in &seen[0] {
                let shown = (text(one, "title"), remote_state(one)?);
                let Some(at) = own.iter().position(|found| *found == shown) else {
                    bail!("machine {home} does not have {one}, but {own:?}");
                };
                own.remove(at);
                let is_paused = one["requested"] == "paused";
                let is_settled = matches!(shown.1, SharedState::Done | SharedState::Failed);
                ensure!(is_settled || is_paused == (shown.1 == SharedState::Paused), "the request was not met: {one}");
            }
            // If no other machine shows a download, it must have been moved away and must not run here. It keeps its
            // bytes, in case the move is reverted.
            for (title, state) in own {
                let is_away = self.others[home].iter().any(|one| text(one, "title") == title && one["state"] == "paused");
                ensure!(
                    is_away && state != SharedState::Active,
                    "no machine sees {title} of machine {home}, which is {state:?}; it sees {:?}",
                    self.others[home]
                );
            }
        }
        Ok(())
    }

    /// Checks the number of copies of a download.
    fn has_each_once(&self, household: &SyncHousehold, name: &str, download: &SharedDownload) -> Result<()> {
        let homes = (0..MACHINES).map(|home| self.homed(household, (home + 1) % MACHINES, home));
        let count = homes.flatten().filter(|one| name_of(one) == name).count() as u64;
        let most = download.created + download.maybe_created;
        ensure!(count <= most, "it is there {count} times instead of at most {most} times");
        ensure!(download.removed > 0 || count >= download.created, "it is there {count} times");
        Ok(())
    }

    /// Returns the downloads of machine `home` as shown by machine `viewer`.
    fn homed(&self, household: &SyncHousehold, viewer: usize, home: usize) -> Vec<&Value> {
        let mut seen: Vec<&Value> = self.others[viewer].iter().filter(|one| one["device"] == household.device(home)).collect();
        seen.sort_by_key(|one| text(one, "id"));
        seen
    }

    /// Describes a download on all machines, for a message.
    fn show(&self, name: &str) -> String {
        let of = |all: &[Vec<Value>]| -> BTreeMap<usize, Vec<String>> {
            let named = |list: &[Value]| list.iter().filter(|one| name_of(one) == name).map(Value::to_string).collect();
            all.iter().enumerate().map(|(machine, list)| (machine, named(list))).collect()
        };
        format!("lists {:?}, others {:?}", of(&self.lists), of(&self.others))
    }

    fn count(&self) -> u64 {
        self.lists.iter().map(|list| list.len() as u64).sum()
    }
}

/// Returns the value of the synced setting on a machine.
pub async fn attempts_of(household: &mut SyncHousehold, machine: usize) -> Result<u64> {
    let report = household.call(machine, "settings", json!({})).await;
    let report = report.map_err(|cut| anyhow::anyhow!("the settings were refused: {cut:?}"))?;
    let settings = report["settings"].as_array().context("the answer has no settings")?;
    let found = settings.iter().find(|one| one["key"] == "attempts").context("the setting is missing")?;
    let value = found["value"].as_f64().context("the setting is no number")?;
    Ok(format!("{value:.0}").parse()?)
}

/// Returns the state of a download in the list of its own machine. [pure]
fn state_of(one: &Value) -> SharedState {
    match (one["state"].as_str(), one["result"].as_str()) {
        (Some("settled"), Some("success")) => SharedState::Done,
        (Some("settled"), _) => SharedState::Failed,
        (Some("paused"), _) => SharedState::Paused,
        _ => SharedState::Active,
    }
}

/// Returns the state of a download in the list of another machine. [pure]
fn remote_state(one: &Value) -> Result<SharedState> {
    Ok(match one["state"].as_str() {
        Some("queued" | "running") => SharedState::Active,
        Some("paused") => SharedState::Paused,
        Some("done") => SharedState::Done,
        Some("failed") => SharedState::Failed,
        _ => bail!("the state is unknown: {one}"),
    })
}
