//! Simulated user who acts on all machines and records the acknowledged changes.
//!
//! Each download has a name in its title. Copies on other machines keep this name, and renaming changes only the rest
//! of the title.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use ashore_testkit::{machine::Cut, origin::Body};
use rand::{
    Rng as _,
    rngs::StdRng,
    seq::{IndexedRandom as _, IteratorRandom as _},
};
use serde_json::{Value, json};

use super::household::{CANARY, MACHINES, SyncHousehold, text};

/// Maximum number of downloads on all machines together, not counting copies.
const DOWNLOADS: u64 = 40;
/// Maximum number of downloads that one machine sends to another. A machine accepts 20 per hour.
const SENDS: u64 = 18;
/// Maximum size of a file in bytes. Files are sent in pieces, so that some crashes interrupt a transfer.
const SIZE: u64 = 200_000;
const PIECE: usize = 20_000;
const EVERY: std::time::Duration = std::time::Duration::from_millis(20);

/// Simulated user who acts on the machines.
pub struct SyncPerson {
    random: StdRng,
    /// Downloads by name.
    pub downloads: BTreeMap<String, SharedDownload>,
    /// Number of downloads that one machine has sent to another.
    sends: BTreeMap<(usize, usize), u64>,
    /// Possible values of the synced setting: all values that were sent to a machine, and the initial value until a
    /// change is acknowledged.
    pub possible_attempts: Vec<u64>,
    initial_attempts: u64,
    renamed: u64,
}

/// Counts of the user's actions on a download and its copies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedDownload {
    /// Number of acknowledged creations: the download was added, sent, or fetched on another machine.
    pub created: u64,
    /// Number of interrupted creations, which may or may not have happened.
    pub maybe_created: u64,
    /// Number of acknowledged and interrupted removals.
    pub removed: u64,
    /// Number of acknowledged and interrupted moves to another machine.
    pub moved: u64,
    /// Whether the download was ever started or resumed. If so, two machines may have its bytes after a move.
    pub was_started: bool,
}

/// Effect of a call on a download.
#[derive(Clone, Copy, Debug)]
enum Effect {
    Create,
    Start,
    Remove,
    Move,
    None,
}

impl SyncPerson {
    /// Creates a simulated user who has not acted yet. `initial_attempts` is the value of the synced setting.
    pub fn new(random: StdRng, initial_attempts: u64) -> Self {
        let (downloads, sends) = (BTreeMap::new(), BTreeMap::new());
        let possible_attempts = vec![initial_attempts];
        Self { random, downloads, sends, possible_attempts, initial_attempts, renamed: 0 }
    }

    /// Acts until `is_over` returns true. Fails if a machine refuses a call that it must accept.
    pub async fn act_until(&mut self, household: &mut SyncHousehold, is_over: impl Fn(&mut SyncHousehold) -> bool) -> Result<()> {
        while !is_over(household) {
            let running = household.running();
            let Some(machine) = running.choose(&mut self.random).copied() else { return Ok(()) };
            match self.random.random_range(0..20) {
                0..5 => self.cycle(household, machine).await,
                5..8 => self.add(household, machine).await?,
                8 => self.send_new(household, machine).await?,
                9 => self.set(household, machine).await?,
                10..15 => self.change_own(household, machine).await?,
                _ => self.change_other(household, machine).await?,
            }
            // Leave some processor time to the programs.
            tokio::time::sleep(std::time::Duration::from_millis(self.random.random_range(0..20))).await;
        }
        Ok(())
    }

    /// Starts a sync cycle without waiting for its end.
    async fn cycle(&self, household: &SyncHousehold, machine: usize) {
        if let Some(mut line) = household.line(machine).await {
            tokio::spawn(async move { line.ask("sync", json!({ "verb": "now" })).await });
        }
    }

    async fn add(&mut self, household: &mut SyncHousehold, machine: usize) -> Result<()> {
        let Some((name, url)) = self.serve(household) else { return Ok(()) };
        let is_paused = self.random.random_bool(0.6);
        let new = json!({
            "owner": "command-line", "source": "command-line", "title": format!("{name} 0"), "paused": is_paused,
            "folder": household.target(machine), "requests": [{ "url": url }],
        });
        self.downloads.entry(name.clone()).or_default().was_started = !is_paused;
        self.carry_out(household, machine, ("create", new), &name, Effect::Create).await.map(drop)
    }

    async fn send_new(&mut self, household: &mut SyncHousehold, machine: usize) -> Result<()> {
        let Some(to) = self.recipient(machine) else { return Ok(()) };
        let Some((name, url)) = self.serve(household) else { return Ok(()) };
        // If the recipient trusts this machine, it starts the download without asking.
        self.downloads.entry(name.clone()).or_default().was_started = true;
        let device = household.device(to).to_owned();
        let send = json!({ "verb": "send_new", "title": format!("{name} 0"), "requests": [{ "url": url }], "device": device });
        self.carry_out(household, machine, ("sync", send), &name, Effect::Create).await.map(drop)
    }

    async fn set(&mut self, household: &mut SyncHousehold, machine: usize) -> Result<()> {
        let value = self.random.random_range(20..60);
        self.possible_attempts.push(value);
        let set = json!({ "key": "attempts", "value": value });
        if self.carry_out(household, machine, ("set", set), "", Effect::None).await? {
            self.possible_attempts.retain(|value| *value != self.initial_attempts);
        }
        Ok(())
    }

    /// Renames, pauses, resumes, removes or sends a download of this machine.
    async fn change_own(&mut self, household: &mut SyncHousehold, machine: usize) -> Result<()> {
        let Ok(list) = household.list(machine).await else { return Ok(()) };
        let Some(one) = list.iter().choose(&mut self.random) else { return Ok(()) };
        let (id, name) = (one["unique_id"].clone(), name_of(one));
        self.renamed += 1;
        let title = format!("{name} {}", self.renamed);
        let only = json!({ "unique_id": id });
        let (method, params, effect) = match self.random.random_range(0..12) {
            0..4 => ("update_ui", json!({ "unique_id": id, "title": title, "icon": null }), Effect::None),
            4..7 => ("pause", only, Effect::None),
            7..9 => ("resume", only, Effect::Start),
            9 => ("remove", json!({ "unique_id": id, "files": false }), Effect::Remove),
            _ => {
                let Some(to) = self.recipient(machine) else { return Ok(()) };
                let device = household.device(to).to_owned();
                ("sync", json!({ "verb": "send", "unique_id": id, "device": device }), Effect::Create)
            }
        };
        self.carry_out(household, machine, (method, params), &name, effect).await.map(drop)
    }

    /// Requests a change of a download on another machine.
    async fn change_other(&mut self, household: &mut SyncHousehold, machine: usize) -> Result<()> {
        let Ok(others) = household.call(machine, "sync", json!({ "verb": "others" })).await else { return Ok(()) };
        let Some(one) = others.as_array().and_then(|all| all.choose(&mut self.random)) else { return Ok(()) };
        let (change, effect) = match self.random.random_range(0..12) {
            0..3 => ("pause", Effect::None),
            3..5 => ("resume", Effect::Start),
            5 => ("remove", Effect::Remove),
            6 => ("fetch-here", Effect::Create),
            _ => ("move-here", Effect::Move),
        };
        let (id, name) = (text(one, "id"), name_of(one));
        let verb = json!({ "verb": "change_other", "id": id, "change": change });
        self.carry_out(household, machine, ("sync", verb), &name, effect).await.map(drop)
    }

    /// Makes a call and returns whether the machine acknowledged it. Before the acknowledgement, records the effect of
    /// the call as possible.
    async fn carry_out(
        &mut self,
        household: &mut SyncHousehold,
        machine: usize,
        (method, params): (&str, Value),
        name: &str,
        effect: Effect,
    ) -> Result<bool> {
        let mut before = self.downloads.entry(name.to_owned()).or_default().clone();
        before.was_started |= matches!(effect, Effect::Start);
        let mut doubtful = before.clone();
        match effect {
            Effect::Create => doubtful.maybe_created += 1,
            Effect::Remove => doubtful.removed += 1,
            Effect::Move => doubtful.moved += 1,
            Effect::Start | Effect::None => {}
        }
        self.downloads.insert(name.to_owned(), doubtful.clone());
        let is_acknowledged = match household.call(machine, method, params.clone()).await {
            Ok(_) if matches!(effect, Effect::Create) => {
                let created = before.created + 1;
                self.downloads.insert(name.to_owned(), SharedDownload { created, ..before });
                true
            }
            Ok(_) => true,
            // The connection may end just before the process ends.
            Err(Cut::Died(_)) => false,
            Err(Cut::Refused(code)) if code == "connection-cut" => false,
            // The download was removed, settled or moved after the user had seen it.
            Err(Cut::Refused(code)) if is_late(&code) => {
                self.downloads.insert(name.to_owned(), before);
                false
            }
            Err(Cut::Refused(code)) => bail!("{method} {params} was refused: {code}"),
        };
        Ok(is_acknowledged)
    }

    /// Returns a machine to which another download may be sent.
    fn recipient(&mut self, from: usize) -> Option<usize> {
        let to = (0..MACHINES).filter(|to| *to != from).choose(&mut self.random)?;
        let count = self.sends.entry((from, to)).or_default();
        *count += 1;
        (*count <= SENDS).then_some(to)
    }

    /// Adds a new file to the origin, and returns its name and address.
    ///
    /// Returns `None` if there are enough files.
    fn serve(&mut self, household: &SyncHousehold) -> Option<(String, String)> {
        let number = self.downloads.len() as u64;
        if number >= DOWNLOADS {
            return None;
        }
        let name = format!("{CANARY}-{number}");
        let path = format!("/{name}.bin");
        household.origin.file(&path, body(number, self.random.random_range(1..SIZE))).trickle(PIECE, EVERY);
        self.downloads.entry(name.clone()).or_default();
        Some((name, household.origin.url(&path).to_string()))
    }
}

/// Returns the name of a download, which is the start of its title.
pub fn name_of(one: &Value) -> String {
    let title = one["title"].as_str().unwrap_or_default();
    title.split(' ').next().unwrap_or_default().to_owned()
}

fn body(number: u64, size: u64) -> Body {
    Body::seeded(number, size)
}

/// Returns whether the call was refused because the download has changed. [pure]
fn is_late(code: &str) -> bool {
    ["unknown", "wrong-state", "sync-unknown", "sync-incomplete", "sync-contended"].contains(&code)
}
