//! Acknowledged changes survive power cuts: added links, changed titles and links, cancelled and removed downloads.
//!
//! After the cut, a change that got no response is present either completely or not at all. Most lists also transfer
//! files at the same time. Acknowledged uploads arrive completely in the end.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use ashore_testkit::{
    machine::{Cut, Machine},
    origin::{Body, Origin, Route, content},
    volume::{PowerCut, Volume},
};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IteratorRandom};
use serde_json::{Value, json};

use crate::{
    goal::{GoalVerdict, RunRequest},
    tally::{RunTally, lanes},
};

/// Number of lists that are tested in parallel.
const AT_ONCE: usize = 2;
/// Number of power cuts per list.
const CUTS: u64 = 10;
/// Minimum number of acknowledged changes between two cuts.
const BETWEEN: u64 = 40;
/// Number of acknowledged changes, and the minimum number of power cuts before the last of these changes.
const ENOUGH: (u64, u64) = (10_000, 200);
/// Maximum delay of the power cut after the acknowledged changes, in microseconds.
const THEN: u64 = 10_000;
/// Page size that is larger than any list, so that one page is the whole list.
const PAGE: u64 = 100_000;

/// Bytes that each connection sends per interval. The rate is low, so that many transfers are running at every request.
const PIECE: usize = 16 << 10;
const EVERY: Duration = Duration::from_millis(8);
/// Size above which a file uses several connections.
const SHARED: u64 = 16 << 20;
/// Maximum time to wait for each upload of the list after the last power cut.
const PATIENCE: Duration = Duration::from_secs(60);
/// Settings with several parallel transfers, each over several connections.
const SETTINGS: &str = "parallel = 4\nparallel-per-host = 4\nconnections = 4\n";

/// Kind of list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// Links that are never fetched, because all downloads are paused.
    AtRest,
    /// Registrations with many small files each.
    Many,
    /// Downloads of one large file each.
    Large,
}

impl Manner {
    fn for_turn(turn: u64) -> Self {
        match turn % 3 {
            0 => Self::AtRest,
            1 => Self::Many,
            _ => Self::Large,
        }
    }

    fn cuts(self) -> &'static str {
        match self {
            Self::AtRest => "power cuts with idle lists",
            Self::Many => "power cuts during many small downloads",
            Self::Large => "power cuts during large downloads",
        }
    }
}

/// Expected state of a download: title, addresses, and whether the user cancelled it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct KeptEntry {
    title: String,
    urls: Vec<String>,
    is_cancelled: bool,
}

/// Entries of the list by name.
type Listed = BTreeMap<String, KeptEntry>;

/// Makes the requested number of acknowledged additions and changes.
pub fn prove(ask: &RunRequest) -> Result<GoalVerdict> {
    let tally = RunTally::new(ask);
    lanes(&tally, AT_ONCE, turn)?;
    let cuts: u64 = [Manner::AtRest, Manner::Many, Manner::Large].map(|manner| tally.counted(manner.cuts())).iter().sum();
    if tally.has_run(ENOUGH.0) && cuts < ENOUGH.1 {
        tally.wrong(0, &format!("all changes were acknowledged within {cuts} power cuts instead of {}", ENOUGH.1));
    }
    Ok(tally.verdict())
}

async fn turn(turn: u64, tally: Arc<RunTally>) -> Result<()> {
    let random = StdRng::seed_from_u64(tally.seed(turn));
    let volume = Volume::make()?;
    let machine = Machine::on(&volume.path());
    volume.sync()?;
    machine.settings(SETTINGS);
    let (origin, manner) = (Origin::start().await, Manner::for_turn(turn));
    let mut person = Person {
        random,
        machine,
        origin,
        manner,
        listed: Listed::new(),
        ids: BTreeMap::new(),
        uploads: BTreeMap::new(),
        asked: None,
        made: 0,
        served: 0,
        acknowledged: 0,
    };
    for cut in 0..CUTS {
        if !tally.wants_more() {
            break;
        }
        person.machine.serve(None).await.ok().context("the engine did not start")?;
        if cut > 0 {
            person.compare().await?;
        } else if manner == Manner::AtRest {
            person.call("pause", json!({ "unique_id": null })).await?;
        }
        let before = person.acknowledged;
        while person.acknowledged < before + BETWEEN {
            person.edit().await?;
        }
        let moment = Duration::from_micros(person.random.random_range(0..THEN));
        let going_on = async {
            loop {
                person.edit().await?;
            }
        };
        // The timeout may interrupt any request. This is intended.
        if let Ok(error) = tokio::time::timeout(moment, going_on).await {
            let error: Result<()> = error;
            error?;
        }
        person.machine.kill().await;
        volume.cut(PowerCut::Bare)?;
        tally.count(manner.cuts(), 1);
        tally.done(person.acknowledged - before);
    }
    person.machine.serve(None).await.ok().context("the engine did not start")?;
    person.compare().await?;
    let came = person.received_files().await?;
    let arrived = person.uploads_arrive().await?;
    person.machine.kill().await;
    tally.count("downloads were in the lists in the end, each in its acknowledged state", person.listed.len() as u64);
    tally.count("files were downloaded meanwhile", came);
    tally.count("uploads arrived completely in the end", arrived);
    Ok(())
}

/// User with a list: the engine, its server, and the expected state of the list.
struct Person {
    random: StdRng,
    machine: Machine,
    origin: Origin,
    manner: Manner,
    /// Acknowledged state.
    listed: Listed,
    /// Ids assigned by the engine, by download name.
    ids: BTreeMap<String, Value>,
    /// Body and target of each upload, by download name.
    uploads: BTreeMap<String, (Route, Vec<u8>)>,
    /// Change that got no response: name and new entry. For a removal, the entry is `None`.
    asked: Option<(String, Option<KeptEntry>)>,
    made: u64,
    /// Number of files on the server.
    served: u64,
    acknowledged: u64,
}

impl Person {
    /// Adds, changes, cancels or removes a download.
    async fn edit(&mut self) -> Result<()> {
        let one = self.listed.iter().choose(&mut self.random).map(|(name, entry)| (name.clone(), entry.clone()));
        let (method, name, entry) = match (self.random.random_range(0..20), one) {
            (0..=3, Some((name, entry))) => ("update_ui", name, Some(KeptEntry { title: self.title(), ..entry })),
            // Do not change the link of an upload, whose address is fixed, or of a cancelled download, which stays
            // cancelled.
            (4..=5, Some((name, mut entry))) if !entry.is_cancelled && !self.uploads.contains_key(&name) => {
                entry.urls[0] = self.link();
                ("relink", name, Some(entry))
            }
            (6, Some((name, entry))) => ("abort", name, Some(KeptEntry { is_cancelled: true, ..entry })),
            (7, Some((name, _))) => ("remove", name, None),
            _ => return self.add().await,
        };
        self.asked = Some((name.clone(), entry.clone()));
        let id = self.ids.get(&name).context("an entry of the list has no id")?;
        let params = match (method, entry) {
            ("update_ui", Some(entry)) => json!({ "unique_id": id, "title": entry.title, "icon": null }),
            ("relink", Some(entry)) => json!({ "unique_id": id, "index": 0, "url": entry.urls[0] }),
            ("remove", _) => json!({ "unique_id": id, "files": false }),
            _ => json!({ "unique_id": id }),
        };
        match self.machine.call(method, params).await {
            // The engine refuses to cancel a settled download. It also refuses to replace the link of a running or
            // complete download.
            Ok(Value::Bool(false)) => self.asked = None,
            Err(Cut::Refused(code)) if method == "relink" && code == "wrong-state" && self.manner != Manner::AtRest => {
                self.asked = None;
            }
            Ok(_) => {
                self.settle();
                self.acknowledged += 1;
            }
            Err(cut) => bail!("{method} was refused: {cut:?}"),
        }
        Ok(())
    }

    /// Adds a download or an upload.
    async fn add(&mut self) -> Result<()> {
        self.made += 1;
        let name = format!("download-{}", self.made);
        let requests: Vec<Value> = if self.random.random_bool(0.25) {
            let (url, route) = self.serve(0);
            let body = content(self.made, self.random.random_range(1..50_000));
            let path = self.machine.own_file(&format!("sent-{}", self.made), &body);
            self.uploads.insert(name.clone(), (route, body));
            vec![json!({ "url": url, "method": "POST", "upload_file": path })]
        } else {
            let count = match self.manner {
                Manner::AtRest => self.random.random_range(1..4),
                Manner::Many => self.random.random_range(20..60),
                Manner::Large => 1,
            };
            (0..count).map(|_| json!({ "url": self.link() })).collect()
        };
        let urls = requests.iter().filter_map(|request| request["url"].as_str().map(str::to_owned)).collect();
        let entry = KeptEntry { title: self.title(), urls, is_cancelled: false };
        let (title, folder) = (entry.title.clone(), self.machine.target());
        self.asked = Some((name.clone(), Some(entry)));
        let new = json!({ "owner": "torture", "developer_id": name, "title": title, "folder": folder, "requests": requests });
        let made = self.call("create", new).await?;
        self.ids.insert(name, made["unique_id"].clone());
        self.settle();
        self.acknowledged += 1;
        Ok(())
    }

    /// Waits until every wanted upload has arrived, and returns the number of uploads.
    async fn uploads_arrive(&mut self) -> Result<u64> {
        let wanted = |name: &&String| self.listed.get(*name).is_some_and(|entry| !entry.is_cancelled);
        let wanted: Vec<String> = self.uploads.keys().filter(wanted).cloned().collect();
        self.call("resume", json!({ "unique_id": null })).await?;
        for name in &wanted {
            let begun = Instant::now();
            loop {
                let id = json!({ "unique_id": self.ids.get(name) });
                let found = self.call("show", id.clone()).await?;
                if found["result"] == "success" {
                    break;
                } else if found["state"] == "settled" {
                    ensure!(found["failure"]["code"] == "upload-interrupted", "an upload failed: {found}");
                    self.call("retry", id).await?;
                } else if found["urgent"] == false {
                    // Move the upload ahead of the many downloads.
                    self.call("move", json!({ "unique_id": found["unique_id"], "place": "now" })).await?;
                }
                ensure!(begun.elapsed() < PATIENCE, "an upload did not end: {found}\n{}", self.machine.log());
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            let (route, body) = self.uploads.get(name).context("the name belongs to no download")?;
            ensure!(
                route.requests().iter().any(|request| request.body == *body),
                "{name} was sent, but never arrived completely"
            );
        }
        Ok(wanted.len() as u64)
    }

    /// Applies the pending change to the acknowledged state.
    fn settle(&mut self) {
        match self.asked.take() {
            Some((name, Some(entry))) => drop(self.listed.insert(name, entry)),
            Some((name, None)) => drop(self.listed.remove(&name)),
            None => {}
        }
    }

    /// Compares the list with the acknowledged state after a power cut.
    async fn compare(&mut self) -> Result<()> {
        let found = self.found().await?;
        if let Some((name, entry)) = self.asked.clone()
            && found.get(&name) == entry.as_ref()
        {
            self.settle();
        }
        self.asked = None;
        for (name, entry) in &self.listed {
            let now = found.get(name);
            ensure!(now == Some(entry), "{name} was acknowledged as {entry:?} and is now {now:?}");
        }
        if let Some(name) = found.keys().find(|name| !self.listed.contains_key(*name)) {
            bail!("{name} is in the list, although it was removed");
        }
        Ok(())
    }

    /// Returns the number of files received so far.
    async fn received_files(&mut self) -> Result<u64> {
        let list = self.call("list", json!({ "limit": PAGE })).await?;
        Ok(list.as_array().into_iter().flatten().filter_map(|one| one["succeeded"].as_u64()).sum())
    }

    async fn found(&mut self) -> Result<Listed> {
        let list = self.call("list", json!({ "limit": PAGE })).await?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut found = Listed::new();
        for one in list.as_array().context("the list is not an array")? {
            let page = json!({ "unique_id": one["unique_id"], "from": 0, "limit": 0 });
            let records = self.call("records", page).await?;
            let urls = records.as_array().into_iter().flatten().map(|record| text(&record["url"])).collect();
            self.ids.insert(text(&one["developer_id"]), one["unique_id"].clone());
            let is_cancelled = one["state"] == "settled" && one["failure"]["code"] == "aborted";
            found.insert(text(&one["developer_id"]), KeptEntry { title: text(&one["title"]), urls, is_cancelled });
        }
        Ok(found)
    }

    async fn call(&mut self, method: &str, params: Value) -> Result<Value> {
        let answer = self.machine.call(method, params).await;
        answer.map_err(|cut| anyhow::anyhow!("{method} was refused: {cut:?}"))
    }

    fn title(&mut self) -> String {
        format!("Title {}", self.random.random_range(0..1_000_000))
    }

    /// Returns a link to a new file. The kind of the list determines the size of the file.
    fn link(&mut self) -> String {
        let size = match self.manner {
            Manner::AtRest => return format!("http://127.0.0.1:4001/{}", self.random.random_range(0..u64::MAX)),
            Manner::Many => self.random.random_range(0..20_000),
            Manner::Large => self.random.random_range(SHARED + 1..SHARED + (2 << 20)),
        };
        self.serve(size).0
    }

    fn serve(&mut self, size: u64) -> (String, Route) {
        self.served += 1;
        let path = format!("/{}.bin", self.served);
        let route = self.origin.file(&path, Body::seeded(self.served, size)).trickle(PIECE, EVERY);
        (self.origin.url(&path).to_string(), route)
    }
}
