//! Attacks by the owner of a sync server against a machine whose list is on that server: forged, swapped and replayed
//! records, keys of another list, a rolled back server, and answers that no sync server sends.
//!
//! Each attack has its own server and its own two machines. The attacked machine must fetch nothing and keep its list
//! unchanged, although it trusts the other machine.

use std::{collections::BTreeMap, fs, path::Path, time::Duration};

use anyhow::{Context as _, Result, anyhow, ensure};
use ashore_testkit::{
    machine::Machine,
    origin::{Body, Origin},
    sync_server::{
        place::{RunningServer, ServerPlace},
        wire::SyncWire,
    },
    tools::built,
};
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

/// Time limit for a sent download to arrive on the other machine.
const SOON: Duration = Duration::from_secs(20);
/// Collections in which records are forged.
const COLLECTIONS: [&str; 5] = ["clients", "dl-items", "dl-history", "dl-prefs", "dl-sends"];
/// Collections with the keys of the list.
const OF_KEYS: [&str; 2] = ["crypto", "meta"];
/// Id of a forged record, which no machine uses for its own records.
const FORGED: &str = "forged-record";
/// Size of a file whose transfer never completes.
const HELD_SIZE: u64 = 1 << 20;

/// Attack by the owner of the sync server.
#[derive(Clone, Copy, Debug)]
pub enum ListServerAttack {
    /// Replaces every record with unencrypted content, and adds further such records.
    Garbage,
    /// Swaps two records within a collection.
    SwappedRecords,
    /// Moves records to other collections.
    SwappedCollections,
    /// Replaces a changed record with its earlier version.
    OldVersion,
    /// Replaces the record of a paused download with an earlier version, in which the download is not paused.
    OldRun,
    /// Replays the record of a sent download after this download was removed.
    RepeatedSend,
    /// Adds records of another list. They are encrypted with other keys, and their links lead into the local network.
    OtherList,
    /// Replaces the keys with those of another list, and adds its records.
    OtherKeys,
    /// Restores all data of the server from an earlier time.
    RolledBack,
    /// Answers each request with these bytes. `ORIGIN` stands for the address of a server in the local network.
    Answer(&'static str),
}

/// Returns the attacks with their names.
pub fn all() -> Vec<(String, ListServerAttack)> {
    use ListServerAttack::{
        Answer, Garbage, OldRun, OldVersion, OtherKeys, OtherList, RepeatedSend, RolledBack, SwappedCollections, SwappedRecords,
    };
    const ANSWERS: [&str; 3] = [
        "HTTP/1.1 302 Found\r\nLocation: ORIGINinside\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\n\r\n<html>Hi</html>",
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Last-Modified: 1999999999.00\r\n\
         X-Weave-Timestamp: 1999999999.00\r\nContent-Length: 27\r\n\r\n{\"dl-items\": 1999999999.00}",
    ];
    let mut all = vec![Garbage, SwappedRecords, SwappedCollections, OldVersion, OldRun, RepeatedSend, OtherList, OtherKeys];
    all.extend([RolledBack].into_iter().chain(ANSWERS.map(Answer)));
    all.into_iter().map(|attack| (format!("by the sync server: {attack:?}"), attack)).collect()
}

impl ListServerAttack {
    /// Carries out the attack. Checks that nothing was fetched and that the list is unchanged.
    pub async fn make(self) -> Result<()> {
        let mut scene = SharedScene::make().await?;
        self.prepare(&mut scene).await?;
        let before = scene.look().await?;
        let requests = scene.origin.requests().len();
        let outcome = self.outcome();
        let stored = match &outcome {
            Some(_) => scene.stored().await?,
            None => StoredTexts::new(),
        };
        let written = match self {
            Self::Garbage => scene.garbage().await?,
            Self::SwappedRecords => scene.swap_records().await?,
            Self::SwappedCollections => scene.swap_collections().await?,
            Self::OldVersion | Self::OldRun | Self::RepeatedSend => scene.put_back().await?,
            Self::OtherList => scene.add_records_of_other_list(false).await?,
            Self::OtherKeys => scene.add_records_of_other_list(true).await?,
            Self::RolledBack => scene.roll_back().await?,
            Self::Answer(bytes) => scene.answer(bytes).await?,
        };
        for _ in 0..2 {
            let cycled = scene.victim.call("sync", json!({ "verb": "now" })).await;
            if let Some(outcome) = &outcome {
                ensure!(cycled.is_ok() == outcome.succeeds, "the cycle ended with {cycled:?}");
            }
        }
        if let Some(outcome) = outcome {
            let expected: StoredTexts = stored.into_iter().chain(written).collect();
            let found = scene.stored().await?;
            ensure!(found == expected, "the machine changed the server: {}", difference(&expected, &found));
            let held = scene.held().await?;
            ensure!(held == outcome.held, "{held} records are held back instead of {}", outcome.held);
        }
        let now = scene.look().await?;
        ensure!(now == before, "the list was {before:?} and is now {now:?}");
        ensure!(scene.origin.requests().len() == requests, "a request was sent: {:?}", scene.origin.requests());
        ensure!(scene.victim.has_died().is_none(), "the engine died: {}", scene.victim.log());
        Ok(())
    }

    /// Returns the required outcome of a sync cycle; `None` if the cycle may be refused or may ignore the records.
    ///
    /// After an attack with a required outcome, every object on the server must still be as the attacker wrote it.
    fn outcome(self) -> Option<CycleOutcome> {
        match self {
            Self::SwappedRecords => Some(CycleOutcome { succeeds: true, held: 2 }),
            // Eight records are held back: two downloads among the sends, two machines among the downloads, and all
            // four in the settings.
            Self::SwappedCollections => Some(CycleOutcome { succeeds: true, held: 8 }),
            // The machine reads the keys before the records, so no record is held back.
            Self::OtherKeys => Some(CycleOutcome { succeeds: false, held: 0 }),
            _ => None,
        }
    }

    /// Creates the state of the list that the attack needs.
    async fn prepare(self, scene: &mut SharedScene) -> Result<()> {
        match self {
            Self::OldVersion => {
                let title = json!({ "unique_id": scene.paused, "title": "Later title", "icon": null });
                scene.copy_collection("dl-items").await?;
                call(&mut scene.victim, "update_ui", title).await?;
                cycle(&mut scene.victim).await
            }
            Self::OldRun => {
                let held = scene.origin.file("/held", Body::seeded(7, HELD_SIZE)).gate_at(HELD_SIZE / 2);
                let running = add(&mut scene.victim, &scene.origin, ("/held", "Running"), false).await?;
                held.held().await;
                cycle(&mut scene.victim).await?;
                scene.copy_collection("dl-items").await?;
                call(&mut scene.victim, "pause", json!({ "unique_id": running })).await?;
                scene.waits_for("Running", "paused").await?;
                cycle(&mut scene.victim).await
            }
            Self::RepeatedSend => {
                let url = scene.origin.url("/sent").to_string();
                let send = json!({ "verb": "send_new", "title": "Sent", "requests": [{ "url": url }], "device": "Laptop" });
                call(&mut scene.other, "sync", send).await?;
                scene.keep_send().await?;
                let sent = scene.arrives("Sent").await?;
                call(&mut scene.victim, "remove", json!({ "unique_id": sent, "files": true })).await?;
                cycle(&mut scene.victim).await
            }
            Self::RolledBack => {
                scene.copy_server().await?;
                let id = scene.paused.clone();
                call(&mut scene.victim, "remove", json!({ "unique_id": id, "files": true })).await?;
                cycle(&mut scene.victim).await
            }
            _ => Ok(()),
        }
    }
}

/// Objects of the server: payloads by collection and id.
type StoredTexts = BTreeMap<(String, String), String>;

/// Expected outcome of a sync cycle after an attack.
struct CycleOutcome {
    succeeds: bool,
    /// Number of records that are held back.
    held: u64,
}

/// Sync server, the attacked machine, and another machine of the same user.
struct SharedScene {
    origin: Origin,
    victim: Machine,
    other: Machine,
    /// Paused download of the attacked machine.
    paused: Value,
    server: RunningServer,
    place: ServerPlace,
    folder: TempDir,
    /// Copies of objects that the attacker has kept.
    kept: StoredTexts,
}

impl SharedScene {
    async fn make() -> Result<Self> {
        let origin = Origin::start().await;
        origin.file("/inside", Body::bytes("a secret of the local network"));
        origin.file("/sent", Body::bytes("sent"));
        let (folder, place, server) = start_server().await?;
        let mut victim = machine().await?;
        let link = server.set_up_link().context("the server printed no link")?;
        call(&mut victim, "sync", json!({ "verb": "set_up", "link": link, "name": "Laptop" })).await?;
        let invite = call(&mut victim, "sync", json!({ "verb": "invite" })).await?;
        let mut other = machine().await?;
        call(&mut other, "sync", json!({ "verb": "join", "link": invite["link"], "name": "Desktop" })).await?;
        let paused = add(&mut victim, &origin, ("/inside", "Here"), true).await?;
        add(&mut other, &origin, ("/inside", "There"), true).await?;
        for machine in [&mut victim, &mut other] {
            cycle(machine).await?;
        }
        cycle(&mut victim).await?;
        call(&mut victim, "sync", json!({ "verb": "trust", "device": "Desktop", "is_trusted": true })).await?;
        Ok(Self { origin, victim, other, paused, server, place, folder, kept: StoredTexts::new() })
    }

    /// Returns the list of the attacked machine: ids, titles and states.
    async fn look(&mut self) -> Result<Vec<[Value; 3]>> {
        let list = call(&mut self.victim, "list", json!({})).await?;
        let seen = |one: &Value| ["unique_id", "title", "state"].map(|key| one[key].clone());
        Ok(list.as_array().into_iter().flatten().map(seen).collect())
    }

    /// Waits until a download that another machine sent is complete, and returns its id.
    async fn arrives(&mut self, title: &str) -> Result<Value> {
        self.waits_for(title, "settled").await
    }

    /// Waits until a download has this state, and returns its id.
    async fn waits_for(&mut self, title: &str, state: &str) -> Result<Value> {
        let begun = std::time::Instant::now();
        loop {
            cycle(&mut self.victim).await?;
            let list = call(&mut self.victim, "list", json!({})).await?;
            let is_meant = |one: &&Value| one["title"] == title && one["state"] == state;
            if let Some(one) = list.as_array().into_iter().flatten().find(is_meant) {
                return Ok(one["unique_id"].clone());
            }
            ensure!(begun.elapsed() < SOON, "{title} does not become {state}: {list}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Returns all objects of the server.
    async fn stored(&self) -> Result<StoredTexts> {
        let wire = wire(&self.server, &self.victim)?;
        let mut stored = StoredTexts::new();
        for collection in COLLECTIONS.into_iter().chain(OF_KEYS) {
            stored.extend(objects(&wire, collection).await?);
        }
        Ok(stored)
    }

    /// Returns the number of records that the attacked machine holds back.
    async fn held(&mut self) -> Result<u64> {
        let status = call(&mut self.victim, "sync", json!({ "verb": "status" })).await?;
        let held = |report: &Value| report["held"].as_u64().unwrap_or_default();
        Ok(status["collections"].as_array().context("the status has no collections")?.iter().map(held).sum())
    }

    async fn garbage(&self) -> Result<StoredTexts> {
        let wire = wire(&self.server, &self.victim)?;
        let open = format!(r#"{{"v":1,"title":"Forged","requests":[{{"url":"{}"}}]}}"#, self.origin.url("/inside"));
        let mut written = StoredTexts::new();
        for collection in COLLECTIONS {
            let mut ids: Vec<String> = objects(&wire, collection).await?.into_keys().map(|(_, id)| id).collect();
            ids.push(FORGED.to_owned());
            for (number, id) in ids.into_iter().enumerate() {
                let payload = if number % 2 == 0 { open.as_str() } else { "{\"v\":1,\"k\":1,\"n\":\"AAAA\",\"c\":\"\"}" };
                written.insert((collection.to_owned(), id), payload.to_owned());
            }
        }
        write_objects(&wire, written).await
    }

    async fn swap_records(&self) -> Result<StoredTexts> {
        let wire = wire(&self.server, &self.victim)?;
        let items = objects(&wire, "dl-items").await?;
        ensure!(items.len() == 2, "the list has {} records instead of 2", items.len());
        write_objects(&wire, items.keys().cloned().zip(items.values().rev().cloned()).collect()).await
    }

    async fn swap_collections(&self) -> Result<StoredTexts> {
        let wire = wire(&self.server, &self.victim)?;
        let mut written = StoredTexts::new();
        for (from, to) in [("dl-items", "dl-sends"), ("clients", "dl-items"), ("dl-items", "dl-prefs")] {
            let moved = objects(&wire, from).await?.into_iter().map(|((_, id), payload)| ((to.to_owned(), id), payload));
            written.extend(write_objects(&wire, moved.collect()).await?);
        }
        Ok(written)
    }

    /// Keeps a copy of all objects of a collection.
    async fn copy_collection(&mut self, collection: &str) -> Result<()> {
        self.kept = objects(&wire(&self.server, &self.victim)?, collection).await?;
        Ok(())
    }

    /// Keeps a copy of the record of a sent download. First kills the attacked machine, because this machine would
    /// delete the record.
    async fn keep_send(&mut self) -> Result<()> {
        self.victim.kill().await;
        cycle(&mut self.other).await?;
        self.copy_collection("dl-sends").await?;
        ensure!(self.victim.serve(None).await.is_ok(), "the engine did not start: {}", self.victim.log());
        Ok(())
    }

    /// Writes the kept copies to the server.
    async fn put_back(&self) -> Result<StoredTexts> {
        ensure!(!self.kept.is_empty(), "nothing was kept");
        write_objects(&wire(&self.server, &self.victim)?, self.kept.clone()).await
    }

    async fn add_records_of_other_list(&self, with_keys: bool) -> Result<StoredTexts> {
        let (_folder, _place, server) = start_server().await?;
        let mut machine = machine().await?;
        let link = server.set_up_link().context("the server printed no link")?;
        call(&mut machine, "sync", json!({ "verb": "set_up", "link": link, "name": "Foe" })).await?;
        add(&mut machine, &self.origin, ("/inside", "Forged"), true).await?;
        cycle(&mut machine).await?;
        let (theirs, ours) = (wire(&server, &machine)?, wire(&self.server, &self.victim)?);
        let mut forged = StoredTexts::new();
        for ((_, id), payload) in objects(&theirs, "dl-items").await? {
            forged.extend(["dl-items", "dl-sends"].map(|to| ((to.to_owned(), id.clone()), payload.clone())));
        }
        for collection in if with_keys { &OF_KEYS[..] } else { &[] } {
            forged.extend(objects(&theirs, collection).await?);
        }
        write_objects(&ours, forged).await
    }

    /// Stops the server, copies its data and starts it again.
    async fn copy_server(&mut self) -> Result<()> {
        self.server.child.kill().await?;
        copy_files(&self.place.folder, &self.folder.path().join("copy"))?;
        self.server = self.place.start_at(&self.server.address).await?;
        Ok(())
    }

    async fn roll_back(&mut self) -> Result<StoredTexts> {
        self.server.child.kill().await?;
        fs::remove_dir_all(&self.place.folder)?;
        copy_files(&self.folder.path().join("copy"), &self.place.folder)?;
        self.server = self.place.start_at(&self.server.address).await?;
        Ok(StoredTexts::new())
    }

    /// Replaces the server with one that gives the same answer to every request.
    async fn answer(&mut self, bytes: &str) -> Result<StoredTexts> {
        self.server.child.kill().await?;
        let listener = TcpListener::bind(&self.server.address).await?;
        let bytes = bytes.replace("ORIGIN", self.origin.url("/").as_str());
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let bytes = bytes.clone();
                tokio::spawn(async move {
                    let mut request = vec![0; 1 << 16];
                    while stream.read(&mut request).await.is_ok_and(|count| count > 0) {
                        if stream.write_all(bytes.as_bytes()).await.is_err() {
                            return;
                        }
                    }
                });
            }
        });
        Ok(StoredTexts::new())
    }
}

async fn start_server() -> Result<(TempDir, ServerPlace, RunningServer)> {
    let folder = tempfile::tempdir()?;
    let place = ServerPlace { program: built("ashore-sync-server")?, folder: folder.path().join("server"), database: None };
    let server = place.start().await?;
    Ok((folder, place, server))
}

async fn machine() -> Result<Machine> {
    let mut machine = Machine::new();
    machine.settings("keychain = \"file\"\n");
    ensure!(machine.serve(None).await.is_ok(), "the engine did not start: {}", machine.log());
    Ok(machine)
}

/// Adds a download with this path and title. Returns its key.
async fn add(machine: &mut Machine, origin: &Origin, (path, title): (&str, &str), is_paused: bool) -> Result<Value> {
    let (url, folder) = (origin.url(path).to_string(), machine.target());
    let new = json!({
        "owner": "command-line", "source": "command-line", "title": title, "paused": is_paused, "folder": folder,
        "requests": [{ "url": url }],
    });
    Ok(call(machine, "create", new).await?["unique_id"].clone())
}

async fn call(machine: &mut Machine, method: &str, params: Value) -> Result<Value> {
    machine.call(method, params).await.map_err(|cut| anyhow!("{method}: {cut:?}\n{}", machine.log()))
}

async fn cycle(machine: &mut Machine) -> Result<()> {
    call(machine, "sync", json!({ "verb": "now" })).await.map(drop)
}

/// Returns a client with the access token of a machine. The owner of a server can create such a token.
fn wire(server: &RunningServer, machine: &Machine) -> Result<SyncWire> {
    let secrets: Value = serde_json::from_slice(&fs::read(machine.data().join("sign-ins.json"))?)?;
    let token = secrets["sync token"]["here"].as_str().context("the machine has no token")?;
    Ok(SyncWire::new(&server.address, token)?)
}

/// Returns all objects of a collection.
async fn objects(wire: &SyncWire, collection: &str) -> Result<StoredTexts> {
    let answer = wire.ask(Method::GET, &format!("/storage/{collection}?full=1"), None, "").await?;
    let all: Vec<Value> = serde_json::from_str(&answer.body).with_context(|| format!("{answer:?}"))?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok(all.iter().map(|one| ((collection.to_owned(), text(&one["id"])), text(&one["payload"]))).collect())
}

/// Writes objects, and returns them.
async fn write_objects(wire: &SyncWire, objects: StoredTexts) -> Result<StoredTexts> {
    for ((collection, id), payload) in &objects {
        let body = json!([{ "id": id, "payload": payload }]).to_string();
        let answer = wire.ask(Method::POST, &format!("/storage/{collection}"), None, &body).await?;
        ensure!(answer.status == 200 && answer.body.contains(id), "{id} was not stored in {collection}: {answer:?}");
    }
    Ok(objects)
}

/// Returns the collections and ids of the objects that differ.
fn difference(expected: &StoredTexts, found: &StoredTexts) -> String {
    let differs = |key: &&(String, String)| expected.get(*key) != found.get(*key);
    let keys: Vec<_> = expected.keys().chain(found.keys()).filter(differs).collect();
    format!("{keys:?}")
}

fn copy_files(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}
