//! Target of the attacks: an engine with a finished and a paused download, a sign-in and changed settings.
//!
//! Snapshots of its state are compared before and after each attack.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, anyhow, ensure};
use ashore_testkit::{
    machine::{Cut, Machine},
    origin::{Body, Origin, Route},
    proxy::Proxy,
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::goals::attacks::table::AttackPlaces;

/// Time limit for all changes, including the deletion of released files.
const SOON: Duration = Duration::from_secs(10);
/// Methods whose results are part of a snapshot.
const LOOKS: &[&str] = &["list", "settings", "limits", "quotas", "sign_ins", "orphans", "recovery", "owed"];
/// Paths whose content also changes without attacks. The ledger is compared through the engine instead, and the log is
/// left out because it reports attacks.
const OWN_PACE: &[&str] = &[
    "/log",
    "/data/ledger.sqlite",
    "/data/ledger.sqlite-wal",
    "/data/ledger.sqlite-shm",
    "/data/ledger.sqlite-open",
    "/data/backups",
    "/home/share/Trash",
];

/// Target of the attacks. This machine plays the role of the local network. External hosts are reached through a proxy
/// on this machine.
pub struct AttackScene {
    pub machine: Machine,
    pub origin: Origin,
    pub inside: Route,
    pub places: AttackPlaces,
    _proxy: Proxy,
}

/// Snapshot of the state: results of the engine, and every file with its mode, size and digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneLook {
    said: BTreeMap<String, Value>,
    files: BTreeMap<PathBuf, (u32, u64, String)>,
}

impl AttackScene {
    /// Creates a target with a running engine.
    pub async fn make() -> Result<Self> {
        let (origin, proxy) = (Origin::start().await, Proxy::http().await);
        let mut machine = Machine::new();
        let target = machine.target();
        let lines = format!(
            "checkpoint-seconds = 0.05\nretry-after-seconds = 0.05\nattempts = 2\nlocal-for-programs = false\n\
             folder = {target:?}\nproxy = \"{}\"\n",
            proxy.url()
        );
        fs::write(machine.data().join("ashore.toml"), lines)?;
        // Create the folder that will contain the trash.
        fs::create_dir(machine.disk().join("home/share"))?;
        let own = machine.own_file("own.txt", b"a person's own file\n");
        // Open the outer folder to all users, so that only the files and folders that Ashore created can deny access.
        fs::set_permissions(machine.disk(), fs::Permissions::from_mode(0o755))?;
        ensure!(machine.serve(None).await.is_ok(), "the engine did not start: {}", machine.log());
        let inside = origin.file("/inside", Body::bytes("a secret of the local network"));
        // The proxy forwards one request per connection.
        origin.file("/outside", Body::bytes("outside")).header("Connection", "close");
        origin.file("/parts", Body::bytes(inside_url(&origin))).header("Connection", "close");
        origin.file("/plain", Body::bytes("plain"));
        for (path, text) in descriptions(&origin) {
            let route = origin.file(path, Body::bytes(text)).header("Content-Type", "application/metalink4+xml");
            drop(route.header("Connection", "close"));
        }
        origin.file("/done.bin", Body::seeded(1, 300_000));
        drop(origin.file("/paused.bin", Body::seeded(2, 4_000_000)).gate_at(2_000_000));
        let places = AttackPlaces {
            done: String::new(),
            paused: String::new(),
            port: origin.address().port(),
            own: own.display().to_string(),
            target: target.display().to_string(),
        };
        let mut scene = Self { machine, origin, inside, places, _proxy: proxy };
        let done = scene.asked("done.bin").await?;
        scene.until(&done, |one| one["state"] == "settled").await?;
        let paused = scene.asked("paused.bin").await?;
        scene.until(&paused, |one| one["downloaded"].as_u64() >= Some(2_000_000)).await?;
        scene.call("pause", json!({ "unique_id": paused })).await?;
        scene.until(&paused, |one| one["state"] == "paused" && one["active"] == 0).await?;
        scene.call("claim", json!({ "unique_id": done })).await?;
        let token = json!({ "scheme": "bearer", "token": "a-token" });
        scene.call("sign_in", json!({ "url": "http://a.test/", "sign_in": token, "lasting": true })).await?;
        scene.call("set", json!({ "key": "parallel", "value": 7 })).await?;
        (scene.places.done, scene.places.paused) = (done, paused);
        Ok(scene)
    }

    async fn asked(&mut self, name: &str) -> Result<String> {
        let (url, folder) = (self.origin.url(&format!("/{name}")).to_string(), self.machine.target());
        let new = json!({ "owner": "torture", "source": "command-line", "folder": folder, "requests": [{ "url": url }] });
        Ok(self.call("create", new).await?["unique_id"].as_str().context("the response has no id")?.to_owned())
    }

    /// Makes a call that must succeed.
    pub async fn call(&mut self, method: &str, params: Value) -> Result<Value> {
        self.machine.call(method, params).await.map_err(|cut| anyhow!("{method}: {cut:?}"))
    }

    /// Makes a call that must be refused. Returns the code.
    pub async fn refusal(&mut self, method: &str, params: Value) -> Result<String> {
        match self.machine.call(method, params).await {
            Err(Cut::Refused(code)) => Ok(code),
            other => Err(anyhow!("the call was not refused: {other:?}")),
        }
    }

    /// Waits until the download meets the condition.
    pub async fn until(&mut self, id: &str, is_so: impl Fn(&Value) -> bool) -> Result<Value> {
        let begun = Instant::now();
        loop {
            let one = self.call("show", json!({ "unique_id": id })).await?;
            if is_so(&one) {
                return Ok(one);
            }
            ensure!(begun.elapsed() < SOON, "the download did not reach the condition: {one}\n{}", self.machine.log());
            self.machine.breath().await.map_err(|died| anyhow!("the engine died: {died:?}"))?;
        }
    }

    /// Takes a snapshot of the state.
    pub async fn look(&mut self) -> Result<SceneLook> {
        let mut said = BTreeMap::new();
        for method in LOOKS {
            let mut answer = self.call(method, json!({})).await?;
            if let (&"quotas", Some(quotas)) = (method, answer.as_array_mut()) {
                // Skip owners with neither usage nor a limit, because the first request of an owner adds the owner to
                // the list.
                quotas.retain(|quota| !quota["bytes"].is_null() || !quota["files"].is_null());
            }
            said.insert((*method).to_owned(), answer);
        }
        for id in [self.places.done.clone(), self.places.paused.clone()] {
            let page = json!({ "unique_id": id, "from": 0, "limit": 0 });
            said.insert(format!("records of {id}"), self.call("records", page).await?);
        }
        let mut files = BTreeMap::new();
        self.walk(self.machine.disk(), &mut files)?;
        Ok(SceneLook { said, files })
    }

    /// Waits until the state equals `before`. Waiting is necessary because released files are deleted with a delay.
    pub async fn is_as_before(&mut self, before: &SceneLook) -> Result<()> {
        let begun = Instant::now();
        loop {
            let now = self.look().await?;
            let Some(differs) = before.differs(&now) else { return Ok(()) };
            ensure!(begun.elapsed() < SOON, "the state changed: {differs}");
            self.machine.breath().await.map_err(|died| anyhow!("the engine died: {died:?}"))?;
        }
    }

    /// Returns the path of the socket.
    pub fn socket(&self) -> Result<PathBuf> {
        let folder = self.machine.disk().join("run/ashore");
        let mut names = fs::read_dir(folder)?.flatten().map(|entry| entry.path());
        names.find(|path| path.extension().is_some_and(|kind| kind == "sock")).context("the socket is missing")
    }

    fn walk(&self, folder: &Path, files: &mut BTreeMap<PathBuf, (u32, u64, String)>) -> Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let below = path.strip_prefix(self.machine.disk())?;
            if OWN_PACE.iter().any(|own| Path::new("/").join(below) == Path::new(own)) {
                continue;
            }
            let Ok(found) = fs::symlink_metadata(&path) else { continue };
            let bytes = if found.is_file() { fs::read(&path).unwrap_or_default() } else { Vec::new() };
            let size = if found.is_file() { found.len() } else { 0 };
            files.insert(below.to_owned(), (found.mode(), size, hex::encode(Sha256::digest(bytes))));
            if found.is_dir() {
                self.walk(&path, files)?;
            }
        }
        Ok(())
    }
}

impl SceneLook {
    /// Describes the first difference between the snapshots.
    fn differs(&self, other: &Self) -> Option<String> {
        let said = self.said.iter().find(|(what, value)| other.said.get(*what) != Some(value));
        if let Some((what, value)) = said {
            return Some(format!("{what} was {value} and is now {:?}", other.said.get(what)));
        }
        let names = self.files.keys().chain(other.files.keys());
        let name = names.into_iter().find(|name| self.files.get(*name) != other.files.get(*name))?;
        Some(format!("{} was {:?} and is now {:?}", name.display(), self.files.get(name), other.files.get(name)))
    }

    /// Returns the files and folders that are missing in `before`.
    pub fn new_since<'a>(&'a self, before: &'a Self) -> impl Iterator<Item = &'a Path> {
        self.files.keys().filter(|name| !before.files.contains_key(*name)).map(PathBuf::as_path)
    }
}

/// Malicious Metalinks: an entity bomb, deep nesting, and a link into the local network.
fn descriptions(origin: &Origin) -> [(&'static str, String); 3] {
    const SPACE: &str = "urn:ietf:params:xml:ns:metalink";
    let entities: String = (1..10).map(|n| format!("<!ENTITY l{n} \"{}\">", format!("&l{};", n - 1).repeat(10))).collect();
    let bomb =
        format!("<!DOCTYPE m [<!ENTITY l0 \"lol\">{entities}]><metalink xmlns=\"{SPACE}\"><file name=\"&l9;\"/></metalink>");
    let deep = format!("<metalink xmlns=\"{SPACE}\">{}", "<file name=\"a\">".repeat(100_000));
    let lead = format!(
        "<metalink xmlns=\"{SPACE}\"><file name=\"linked\"><size>100000</size><url>{}</url></file></metalink>",
        inside_url(origin).trim()
    );
    [("/bomb", bomb), ("/nested", deep), ("/lead", lead)]
}

fn inside_url(origin: &Origin) -> String {
    format!("{}\n", origin.url("/inside"))
}
