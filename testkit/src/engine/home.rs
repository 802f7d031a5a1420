//! Engine with a temporary data folder and a download folder.
//!
//! The engine can be opened, closed, opened again, or dropped in the middle of its work, as in a crash.
//!
//! ```ignore
//! let home = Home::open().await;
//! let made = home.create(Home::ask([origin.url("/a")])).await.unwrap();
//! let settled = home.settled(made.unique_id).await;
//! assert_eq!(home.bytes("a"), b"...");
//! ```
//!
//! - Every wait is for an event of the engine and has a deadline; no test sleeps for an estimated time.
//! - The engine has its own runtime, so that a crash cancels all tasks of the engine and no others.
//! - That runtime has only one worker. With two workers, one could continue a transfer while the other drops the
//!   connection of that transfer.

use std::{
    collections::BTreeMap,
    ops::Deref,
    path::{Path, PathBuf},
    time::Duration,
};

use ashore_engine::{
    Engine, EngineEnv, EngineError, EngineEvent, EngineOptions, EventStream, NewRegistration, NewRequest, ProbeReport,
    Registration, RegistrationState, RequestSource, ResponseRecord, SettingOverrides, UniqueId,
};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::{
    own_home::{LOCAL, NO_BUS, ONE_FOLDER},
    waits::{CALL, in_time},
};

/// Settings with short waits, so that retries are fast.
const SETTINGS: &str = "retry-after-seconds = 0.05\ncheckpoint-seconds = 0.05\n";

/// Data folder, download folder, and the engine that uses them. Derefs to the engine while it is open.
#[derive(Debug)]
pub struct Home {
    folder: TempDir,
    env: EngineEnv,
    fetch: bool,
    machine: Option<Machine>,
}

#[derive(Debug)]
struct Machine {
    engine: Engine,
    runtime: Runtime,
}

impl Home {
    /// Creates a home and opens its engine.
    pub async fn open() -> Self {
        Self::open_with("").await
    }

    /// Creates a home with additional lines for `ashore.toml` and opens its engine.
    pub async fn open_with(settings: &str) -> Self {
        let mut home = Self::closed(settings);
        home.reopen().await;
        home
    }

    /// Creates a home whose engine reads and writes the ledger but fetches nothing.
    pub async fn open_without_fetching() -> Self {
        let mut home = Self::closed("");
        home.fetching(false);
        home.reopen().await;
        home
    }

    /// Creates a home without opening its engine. The given settings replace the test defaults.
    pub fn closed(settings: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let home = Self { folder, env: env(), fetch: true, machine: None };
        for path in [home.data(), home.downloads()] {
            std::fs::create_dir(path).expect("a folder in a temporary folder can be made");
        }
        let is_given = |line: &&str| {
            let key = line.split(" =").next().unwrap_or_default();
            settings.lines().any(|own| own.split('=').next().is_some_and(|name| name.trim() == key))
        };
        let defaults: Vec<&str> =
            SETTINGS.lines().chain(LOCAL.lines()).chain(ONE_FOLDER.lines()).filter(|line| !is_given(line)).collect();
        let text = format!("folder = {:?}\n{}\n{settings}\n", home.downloads(), defaults.join("\n"));
        std::fs::write(home.data().join("ashore.toml"), text).expect("the settings can be written");
        home
    }

    /// Sets the clock and the random source for all engines that are opened later.
    pub fn env(mut self, env: EngineEnv) -> Self {
        self.env = env;
        self
    }

    /// Sets whether engines that are opened later fetch files, or only read and write the ledger.
    pub fn fetching(&mut self, fetch: bool) {
        self.fetch = fetch;
    }

    /// Opens the engine.
    pub async fn reopen(&mut self) {
        self.try_open().await.expect("the engine opens");
    }

    /// Opens the engine or returns the error.
    pub async fn try_open(&mut self) -> Result<(), EngineError> {
        assert!(self.machine.is_none(), "it is open already");
        let (holder, overrides) = ("a story".to_owned(), SettingOverrides::default());
        let options = EngineOptions { data_dir: self.data(), holder, fetch: self.fetch, overrides, env: self.env };
        let runtime = ashore_engine::runtime().expect("a runtime can be made");
        let opened = runtime.spawn(Engine::open(options)).await.expect("opening does not panic");
        match opened {
            Ok(engine) => {
                self.machine = Some(Machine { engine, runtime });
                Ok(())
            }
            Err(error) => {
                stop(runtime).await;
                Err(error)
            }
        }
    }

    /// Shuts the engine down in an orderly way.
    pub async fn close(&mut self) {
        let Some(Machine { engine, runtime }) = self.machine.take() else { return };
        in_time("the engine closes", engine.close()).await;
        drop(engine);
        stop(runtime).await;
    }

    /// Cancels all work of the engine without notifying the engine.
    pub async fn crash(&mut self) {
        let Some(Machine { engine, runtime }) = self.machine.take() else { return };
        // Stop the runtime first: if the last handle were dropped first, the engine would pause its work and close.
        stop(runtime).await;
        drop(engine);
    }

    /// Data folder, which contains the ledger.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Download folder.
    pub fn downloads(&self) -> PathBuf {
        self.folder.path().join("downloads")
    }

    /// Writes a file outside the data and download folders, for an upload or an icon. Returns the path.
    pub fn source(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).expect("a file can be written");
        path
    }

    /// Returns the names in the download folder, sorted. Includes partial files.
    pub fn names(&self) -> Vec<String> {
        names_in(&self.downloads())
    }

    /// Returns the content of a finished file.
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.downloads().join(name)).expect("the file is there")
    }

    /// Returns every file of the data folder with its content. Omits the lock file, whose text may change.
    pub fn ledger_files(&self) -> BTreeMap<String, Vec<u8>> {
        let names = names_in(&self.data()).into_iter().filter(|name| name != "lock");
        names.filter_map(|name| Some((name.clone(), std::fs::read(self.data().join(&name)).ok()?))).collect()
    }
}

/// Environment with the real clock and random source, but without a message bus. Tests that need a bus add its address.
pub fn env() -> EngineEnv {
    EngineEnv { system_bus: || Some(NO_BUS.to_owned()), session_bus: || Some(NO_BUS.to_owned()), ..EngineEnv::default() }
}

/// Functions that build registrations and requests for the engine.
impl Home {
    /// Probes a request for the user.
    pub async fn probe(&self, request: NewRequest) -> Result<ProbeReport, EngineError> {
        Engine::probe(self, RequestSource::Window, request).await
    }

    /// Returns a registration for these addresses, in this order, with the owner `story`.
    pub fn ask<Address: ToString>(addresses: impl IntoIterator<Item = Address>) -> NewRegistration {
        Self::ask_for(addresses.into_iter().map(get))
    }

    /// Returns a registration for these requests, in this order, with the owner `story`.
    pub fn ask_for(requests: impl IntoIterator<Item = NewRequest>) -> NewRegistration {
        let requests = requests.into_iter().collect();
        NewRegistration { owner: "story".to_owned(), requests, ..NewRegistration::default() }
    }

    /// Creates a registration of these addresses and returns its id.
    pub async fn fetch<Address: ToString>(&self, addresses: impl IntoIterator<Item = Address>) -> UniqueId {
        self.create(Self::ask(addresses)).await.expect("it is accepted").unique_id
    }
}

/// Returns a plain request for `address`.
pub fn get(address: impl ToString) -> NewRequest {
    NewRequest { url: address.to_string(), ..NewRequest::default() }
}

/// Returns a request that uploads the file at `path` to `address`.
pub fn upload(method: &str, address: impl ToString, path: &Path) -> NewRequest {
    NewRequest { method: Some(method.to_owned()), upload_file: Some(path.to_owned()), ..get(address) }
}

/// Returns the start of a PNG file with `side` × `side` pixels, enough to be recognised as an image.
pub fn png(side: u32) -> Vec<u8> {
    [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], &side.to_be_bytes(), &side.to_be_bytes()].concat()
}

/// Functions that wait for a state of the engine.
impl Home {
    /// Calls `look` after every event until `look` returns a value. After a deadline, panics with a message that names
    /// `what`.
    pub async fn until_seen<Seen>(&self, what: &str, mut look: impl AsyncFnMut(&Engine) -> Option<Seen>) -> Seen {
        let mut events = self.events();
        in_time(what, async {
            loop {
                if let Some(seen) = look(self).await {
                    return seen;
                }
                events.next().await.expect("the engine is open");
            }
        })
        .await
    }

    /// Polls a condition until it is true. Used for conditions that change without an event. After a deadline, panics
    /// with a message that names `what`.
    pub async fn until_looked(&self, what: &str, mut is_so: impl AsyncFnMut(&Engine) -> bool) {
        in_time(what, async {
            while !is_so(self).await {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await;
    }

    /// Waits until the registration satisfies `is_so`.
    pub async fn until(&self, id: UniqueId, is_so: impl Fn(&Registration) -> bool) -> Registration {
        let mut last = None;
        let mut events = self.events();
        let waited = tokio::time::timeout(CALL, async {
            loop {
                let now = self.show(id).await.expect("it is in the list");
                if is_so(&now) {
                    return now;
                }
                last = Some(now);
                events.next().await.expect("the engine is open");
            }
        });
        match waited.await {
            Ok(now) => now,
            Err(_) => panic!("it never came to that; it is {:#?}\n{:#?}", last, self.records(id, 0, 0).await),
        }
    }

    /// Waits until the record at `index` satisfies `is_so`.
    pub async fn until_record(&self, id: UniqueId, index: u32, is_so: impl Fn(&ResponseRecord) -> bool) -> ResponseRecord {
        self.until_seen("the record is as expected", async |engine| {
            engine.records(id, index, 1).await.expect("records can be read").into_iter().find(&is_so)
        })
        .await
    }

    /// Waits until the registration settles.
    pub async fn settled(&self, id: UniqueId) -> Registration {
        self.until(id, |now| now.state == RegistrationState::Settled).await
    }

    /// Waits until the download folder contains exactly these names.
    pub async fn until_names(&self, expected: &[&str]) {
        until_in(&self.downloads(), |names| names == expected).await;
    }

    /// Waits until the number of stored copies of uploads is exactly `count`.
    pub async fn until_bodies(&self, count: usize) {
        until_in(&self.data().join("bodies"), |names| names.len() == count).await;
    }
}

/// Subscription to the events of an engine.
#[derive(Debug)]
pub struct EventListener(EventStream);

impl EventListener {
    /// Subscribes to all later events.
    pub fn to(engine: &Engine) -> Self {
        Self(engine.events())
    }

    /// Returns all events up to and including the first that `is_last` accepts.
    pub async fn hear_until(&mut self, mut is_last: impl FnMut(&EngineEvent) -> bool) -> Vec<EngineEvent> {
        let mut heard = Vec::new();
        in_time("the event comes", async {
            loop {
                let event = self.0.next().await.expect("the engine is open");
                let is_over = is_last(&event);
                heard.push(event);
                if is_over {
                    return;
                }
            }
        })
        .await;
        heard
    }

    /// Returns all events up to and including the next `Owed` event.
    pub async fn hear_until_owed(&mut self) -> Vec<EngineEvent> {
        self.hear_until(|event| matches!(event, EngineEvent::Owed { .. })).await
    }

    /// Returns all events up to and including the `Owed` event of `id`.
    pub async fn hear_until_owed_for(&mut self, id: UniqueId) -> Vec<EngineEvent> {
        self.hear_until(|event| matches!(event, EngineEvent::Owed { registration } if registration.unique_id == id)).await
    }
}

/// Returns the registrations of all `Owed` events.
pub fn owed_in(events: &[EngineEvent]) -> Vec<Registration> {
    let owed = events.iter().filter_map(|event| match event {
        EngineEvent::Owed { registration } => Some((**registration).clone()),
        _ => None,
    });
    owed.collect()
}

impl Deref for Home {
    type Target = Engine;

    fn deref(&self) -> &Engine {
        &self.machine.as_ref().expect("the engine is open").engine
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if let Some(Machine { engine, runtime }) = self.machine.take() {
            drop(engine);
            runtime.shutdown_background();
        }
    }
}

/// Cancels every task of a runtime and waits for running disk operations.
async fn stop(runtime: Runtime) {
    let ended = tokio::task::spawn_blocking(move || runtime.shutdown_timeout(CALL));
    ended.await.expect("a runtime ends");
}

/// Polls a folder until its content is as expected. Polling is necessary: the engine emits no event when it removes
/// files after an answer.
async fn until_in(folder: &Path, is_so: impl Fn(&[String]) -> bool) {
    let waited = tokio::time::timeout(CALL, async {
        while !is_so(&names_in(folder)) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    if waited.await.is_err() {
        panic!("{folder:?} holds {:?} and never came to hold what was expected", names_in(folder));
    }
}

/// Returns the names in a folder, sorted. Panics if the folder cannot be read.
pub fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let mut names: Vec<String> = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
