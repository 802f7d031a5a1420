//! Attacks by the owner of the sync server on a machine that keeps its list there: forged, swapped and replayed records,
//! keys of another list, a rolled back server, and answers that are not of a sync server.
//!
//! Each attack runs on a server and two machines of its own. The machine under attack fetches nothing, and its list does
//! not change, although it trusts the other machine.

use std::{fs, path::Path, time::Duration};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
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

/// Time limit until the other machine has what the first one sent.
const SOON: Duration = Duration::from_secs(20);
/// Collections that a forger writes to.
const COLLECTIONS: [&str; 5] = ["clients", "dl-items", "dl-history", "dl-prefs", "dl-sends"];
/// Id of a record that no machine made.
const FORGED: &str = "forged-record";

/// Attack by the owner of the sync server.
#[derive(Clone, Copy, Debug)]
pub enum ListServerAttack {
    /// Replaces every record, and adds records, with content that is not sealed.
    Garbage,
    /// Exchanges two records of one collection.
    SwappedRecords,
    /// Puts records into other collections.
    SwappedCollections,
    /// Puts the earlier version of a changed record back.
    OldVersion,
    /// Repeats a send after its download was removed.
    RepeatedSend,
    /// Adds records of another list, which are sealed with other keys, and whose links lead into the local network.
    OtherList,
    /// Replaces the keys by those of another list, and adds its records.
    OtherKeys,
    /// Restores all data of an earlier time.
    RolledBack,
    /// Answers each request with these bytes; `ORIGIN` is the address of a server in the local network.
    Answer(&'static str),
}

/// Returns the attacks with their names.
pub fn all() -> Vec<(String, ListServerAttack)> {
    use ListServerAttack::{
        Answer, Garbage, OldVersion, OtherKeys, OtherList, RepeatedSend, RolledBack, SwappedCollections, SwappedRecords,
    };
    const ANSWERS: [&str; 3] = [
        "HTTP/1.1 302 Found\r\nLocation: ORIGINinside\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\n\r\n<html>Hi</html>",
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Last-Modified: 1999999999.00\r\n\
         X-Weave-Timestamp: 1999999999.00\r\nContent-Length: 27\r\n\r\n{\"dl-items\": 1999999999.00}",
    ];
    let mut all = vec![Garbage, SwappedRecords, SwappedCollections, OldVersion, RepeatedSend, OtherList, OtherKeys, RolledBack];
    all.extend(ANSWERS.map(Answer));
    all.into_iter().map(|attack| (format!("by the sync server: {attack:?}"), attack)).collect()
}

impl ListServerAttack {
    /// Carries out the attack, and checks that nothing was fetched and that the list is unchanged.
    pub async fn make(self) -> Result<()> {
        let mut scene = SharedScene::make().await?;
        self.prepare(&mut scene).await?;
        let before = scene.look().await?;
        let requests = scene.origin.requests().len();
        match self {
            Self::Garbage => scene.garbage().await?,
            Self::SwappedRecords => scene.swap_records().await?,
            Self::SwappedCollections => scene.swap_collections().await?,
            Self::OldVersion | Self::RepeatedSend => scene.put_back().await?,
            Self::OtherList => scene.add_records_of_other_list(false).await?,
            Self::OtherKeys => scene.add_records_of_other_list(true).await?,
            Self::RolledBack => scene.roll_back().await?,
            Self::Answer(bytes) => scene.answer(bytes).await?,
        }
        // A refused cycle is as good as one that ignores the records.
        for _ in 0..2 {
            let _ = scene.victim.call("sync", json!({ "verb": "now" })).await;
        }
        let now = scene.look().await?;
        ensure!(now == before, "the list was {before:?} and is now {now:?}");
        ensure!(scene.origin.requests().len() == requests, "a request was sent: {:?}", scene.origin.requests());
        ensure!(scene.victim.has_died().is_none(), "the engine died: {}", scene.victim.log());
        Ok(())
    }

    /// Brings the list into the state before the attack.
    async fn prepare(self, scene: &mut SharedScene) -> Result<()> {
        match self {
            Self::OldVersion => {
                let title = json!({ "unique_id": scene.paused, "title": "Later title", "icon": null });
                scene.keep("dl-items").await?;
                call(&mut scene.victim, "update_ui", title).await?;
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

/// Object on the server: collection, id and payload.
type StoredText = (String, String, String);

/// Sync server, the machine under attack, and another machine of the same person.
struct SharedScene {
    origin: Origin,
    victim: Machine,
    other: Machine,
    /// Paused download of the machine under attack.
    paused: Value,
    server: RunningServer,
    place: ServerPlace,
    folder: TempDir,
    /// Objects that the attacker has kept.
    kept: Vec<StoredText>,
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
        let paused = add_paused(&mut victim, &origin, "Here").await?;
        add_paused(&mut other, &origin, "There").await?;
        for machine in [&mut victim, &mut other] {
            cycle(machine).await?;
        }
        cycle(&mut victim).await?;
        call(&mut victim, "sync", json!({ "verb": "trust", "device": "Desktop", "is_trusted": true })).await?;
        Ok(Self { origin, victim, other, paused, server, place, folder, kept: Vec::new() })
    }

    /// Returns the list of the machine under attack: ids, titles and states.
    async fn look(&mut self) -> Result<Vec<[Value; 3]>> {
        let list = call(&mut self.victim, "list", json!({})).await?;
        let seen = |one: &Value| ["unique_id", "title", "state"].map(|key| one[key].clone());
        Ok(list.as_array().into_iter().flatten().map(seen).collect())
    }

    /// Returns the id of a download that another machine sent, as soon as it is complete.
    async fn arrives(&mut self, title: &str) -> Result<Value> {
        let begun = std::time::Instant::now();
        loop {
            cycle(&mut self.victim).await?;
            let list = call(&mut self.victim, "list", json!({})).await?;
            let is_meant = |one: &&Value| one["title"] == title && one["state"] == "settled";
            if let Some(one) = list.as_array().into_iter().flatten().find(is_meant) {
                return Ok(one["unique_id"].clone());
            }
            ensure!(begun.elapsed() < SOON, "{title} does not arrive: {list}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn garbage(&self) -> Result<()> {
        let wire = wire(&self.server, &self.victim)?;
        let open = format!(r#"{{"v":1,"title":"Forged","requests":[{{"url":"{}"}}]}}"#, self.origin.url("/inside"));
        for collection in COLLECTIONS {
            let mut ids: Vec<String> = objects(&wire, collection).await?.into_iter().map(|one| one.1).collect();
            ids.push(FORGED.to_owned());
            for (number, id) in ids.iter().enumerate() {
                let payload = if number % 2 == 0 { open.as_str() } else { "{\"v\":1,\"k\":1,\"n\":\"AAAA\",\"c\":\"\"}" };
                put(&wire, collection, id, payload).await?;
            }
        }
        Ok(())
    }

    async fn swap_records(&self) -> Result<()> {
        let wire = wire(&self.server, &self.victim)?;
        let items = objects(&wire, "dl-items").await?;
        let [one, two] = &items[..] else { bail!("the list has {} records instead of 2", items.len()) };
        put(&wire, "dl-items", &one.1, &two.2).await?;
        put(&wire, "dl-items", &two.1, &one.2).await
    }

    async fn swap_collections(&self) -> Result<()> {
        let wire = wire(&self.server, &self.victim)?;
        for (from, to) in [("dl-items", "dl-sends"), ("clients", "dl-items"), ("dl-items", "dl-prefs")] {
            for (_, id, payload) in objects(&wire, from).await? {
                put(&wire, to, &id, &payload).await?;
            }
        }
        Ok(())
    }

    /// Keeps a copy of all objects of a collection.
    async fn keep(&mut self, collection: &str) -> Result<()> {
        self.kept = objects(&wire(&self.server, &self.victim)?, collection).await?;
        Ok(())
    }

    /// Keeps a copy of a send before the machine under attack deletes it. The machine is stopped meanwhile.
    async fn keep_send(&mut self) -> Result<()> {
        self.victim.kill().await;
        cycle(&mut self.other).await?;
        self.keep("dl-sends").await?;
        ensure!(self.victim.serve(None).await.is_ok(), "the engine did not start: {}", self.victim.log());
        Ok(())
    }

    /// Puts the kept objects back.
    async fn put_back(&self) -> Result<()> {
        let wire = wire(&self.server, &self.victim)?;
        ensure!(!self.kept.is_empty(), "nothing was kept");
        for (collection, id, payload) in &self.kept {
            put(&wire, collection, id, payload).await?;
        }
        Ok(())
    }

    async fn add_records_of_other_list(&self, with_keys: bool) -> Result<()> {
        let (_folder, _place, server) = start_server().await?;
        let mut machine = machine().await?;
        let link = server.set_up_link().context("the server printed no link")?;
        call(&mut machine, "sync", json!({ "verb": "set_up", "link": link, "name": "Foe" })).await?;
        add_paused(&mut machine, &self.origin, "Forged").await?;
        cycle(&mut machine).await?;
        let (theirs, ours) = (wire(&server, &machine)?, wire(&self.server, &self.victim)?);
        for (_, id, payload) in objects(&theirs, "dl-items").await? {
            for collection in ["dl-items", "dl-sends"] {
                put(&ours, collection, &id, &payload).await?;
            }
        }
        for collection in if with_keys { &["crypto", "meta"][..] } else { &[] } {
            for (_, id, payload) in objects(&theirs, collection).await? {
                put(&ours, collection, &id, &payload).await?;
            }
        }
        Ok(())
    }

    /// Stops the server, copies its data and starts it again.
    async fn copy_server(&mut self) -> Result<()> {
        self.server.child.kill().await?;
        copy_files(&self.place.folder, &self.folder.path().join("copy"))?;
        self.server = self.place.start_at(&self.server.address).await?;
        Ok(())
    }

    async fn roll_back(&mut self) -> Result<()> {
        self.server.child.kill().await?;
        fs::remove_dir_all(&self.place.folder)?;
        copy_files(&self.folder.path().join("copy"), &self.place.folder)?;
        self.server = self.place.start_at(&self.server.address).await?;
        Ok(())
    }

    /// Replaces the server by one that gives each request the same answer.
    async fn answer(&mut self, bytes: &str) -> Result<()> {
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
        Ok(())
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

async fn add_paused(machine: &mut Machine, origin: &Origin, title: &str) -> Result<Value> {
    let (url, folder) = (origin.url("/inside").to_string(), machine.target());
    let new = json!({
        "owner": "command-line", "source": "command-line", "title": title, "paused": true, "folder": folder,
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

/// Returns a client with the token of a machine; the owner of a server can make such a token.
fn wire(server: &RunningServer, machine: &Machine) -> Result<SyncWire> {
    let secrets: Value = serde_json::from_slice(&fs::read(machine.data().join("sign-ins.json"))?)?;
    let token = secrets["sync token"]["here"].as_str().context("the machine has no token")?;
    Ok(SyncWire::new(&server.address, token)?)
}

/// Returns all objects of a collection.
async fn objects(wire: &SyncWire, collection: &str) -> Result<Vec<StoredText>> {
    let answer = wire.ask(Method::GET, &format!("/storage/{collection}?full=1"), None, "").await?;
    let all: Vec<Value> = serde_json::from_str(&answer.body).with_context(|| format!("{answer:?}"))?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok(all.iter().map(|one| (collection.to_owned(), text(&one["id"]), text(&one["payload"]))).collect())
}

async fn put(wire: &SyncWire, collection: &str, id: &str, payload: &str) -> Result<()> {
    let body = json!([{ "id": id, "payload": payload }]).to_string();
    let answer = wire.ask(Method::POST, &format!("/storage/{collection}"), None, &body).await?;
    ensure!(answer.status == 200 && answer.body.contains(id), "{id} was not stored in {collection}: {answer:?}");
    Ok(())
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
