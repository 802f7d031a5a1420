//! An engine at home: a temporary folder with a ledger in it and a folder for downloads beside it. It is opened,
//! closed, and opened again; or dropped where it stands, as a crash would.
//!
//! ```ignore
//! let home = Home::open().await;
//! let made = home.create(Home::ask([origin.url("/a")])).await.unwrap();
//! let settled = home.settled(made.unique_id).await;
//! assert_eq!(home.bytes("a"), b"...");
//! ```
//!
//! Every wait is for the engine's own events and has a deadline; nothing in here guesses how long something takes. The
//! engine runs on a runtime of its own, so that a crash takes every task of it and nothing else. That runtime has one worker:
//! with two, one of them would go on with a transfer while the other drops the connection under it.

use std::{
    collections::BTreeMap,
    ops::Deref,
    path::{Path, PathBuf},
    time::Duration,
};

use ashore_engine::{
    Engine, EngineEnv, EngineError, EngineEvent, EngineOptions, EventStream, NewRegistration, NewRequest, Registration,
    RegistrationState, ResponseRecord, SettingOverrides, UniqueId,
};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::{LOCAL, ONE_FOLDER};

/// Nothing a story waits for takes this long, however busy the machine is.
const DEADLINE: Duration = Duration::from_secs(20);

/// Quick to try again, so that a story about retries is short.
const SETTINGS: &str = "retry-after-seconds = 0.05\ncheckpoint-seconds = 0.05\n";

/// An address of a message bus at which nobody is.
pub const NO_BUS: &str = "unix:path=/nonexistent/bus";

/// One data folder, one download folder, and the engine that works on them. Derefs to the engine while it is open.
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
    /// A new home with an engine in it.
    pub async fn open() -> Self {
        Self::open_with("").await
    }

    /// The same with more settings, as lines of `ashore.toml`.
    pub async fn open_with(settings: &str) -> Self {
        let mut home = Self::closed(settings);
        home.reopen().await;
        home
    }

    /// A new home whose engine only reads and writes the ledger.
    pub async fn open_without_fetching() -> Self {
        let mut home = Self::closed("");
        home.fetching(false);
        home.reopen().await;
        home
    }

    /// A new home that nobody has opened yet. A setting given here takes the place of the stories' own.
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

    /// The clock and the dice of the engines opened from now on.
    pub fn env(mut self, env: EngineEnv) -> Self {
        self.env = env;
        self
    }

    /// Do engines opened from now on fetch, or do they only read and write the ledger?
    pub fn fetching(&mut self, fetch: bool) {
        self.fetch = fetch;
    }

    /// Opens the engine.
    pub async fn reopen(&mut self) {
        self.try_open().await.expect("the engine opens");
    }

    /// Opens the engine, or says why it does not.
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

    /// Closes the engine in good order.
    pub async fn close(&mut self) {
        let Some(Machine { engine, runtime }) = self.machine.take() else { return };
        in_time("the engine closes", engine.close()).await;
        drop(engine);
        stop(runtime).await;
    }

    /// Everything the engine was doing ends where it stands, and nothing is told to stop.
    pub async fn crash(&mut self) {
        let Some(Machine { engine, runtime }) = self.machine.take() else { return };
        // Not the other way round: an engine that nobody can speak to any more sets everything aside and closes.
        stop(runtime).await;
        drop(engine);
    }

    /// The folder of the ledger.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Where files go.
    pub fn downloads(&self) -> PathBuf {
        self.folder.path().join("downloads")
    }

    /// A file beside both, with these bytes: something to upload, or an icon.
    pub fn source(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).expect("a file can be written");
        path
    }

    /// Everything in the download folder, partials too, sorted.
    pub fn names(&self) -> Vec<String> {
        names_in(&self.downloads())
    }

    /// A finished file's bytes.
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.downloads().join(name)).expect("the file is there")
    }

    /// Every file of the data folder but the lock, whose text may change, with its bytes.
    pub fn ledger_files(&self) -> BTreeMap<String, Vec<u8>> {
        let names = names_in(&self.data()).into_iter().filter(|name| name != "lock");
        names.filter_map(|name| Some((name.clone(), std::fs::read(self.data().join(&name)).ok()?))).collect()
    }
}

/// The machine's own clock and dice, and none of its desktop: a story that needs a message bus brings one.
pub fn env() -> EngineEnv {
    EngineEnv { system_bus: || Some(NO_BUS.to_owned()), session_bus: || Some(NO_BUS.to_owned()), ..EngineEnv::default() }
}

/// What is asked for.
impl Home {
    /// These addresses, in order, for the owner `story`.
    pub fn ask<Address: ToString>(addresses: impl IntoIterator<Item = Address>) -> NewRegistration {
        Self::ask_for(addresses.into_iter().map(get))
    }

    /// These requests, in order, for the owner `story`.
    pub fn ask_for(requests: impl IntoIterator<Item = NewRequest>) -> NewRegistration {
        let requests = requests.into_iter().collect();
        NewRegistration { owner: "story".to_owned(), requests, ..NewRegistration::default() }
    }

    /// Asks for these addresses, which is accepted.
    pub async fn fetch<Address: ToString>(&self, addresses: impl IntoIterator<Item = Address>) -> UniqueId {
        self.create(Self::ask(addresses)).await.expect("it is accepted").unique_id
    }
}

/// A plain request for `address`.
pub fn get(address: impl ToString) -> NewRequest {
    NewRequest { url: address.to_string(), ..NewRequest::default() }
}

/// A request that sends the file at `path` to `address`.
pub fn upload(method: &str, address: impl ToString, path: &Path) -> NewRequest {
    NewRequest { method: Some(method.to_owned()), upload_file: Some(path.to_owned()), ..get(address) }
}

/// The beginning of a PNG with so many pixels on each side: enough to be known as an image.
pub fn png(side: u32) -> Vec<u8> {
    [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], &side.to_be_bytes(), &side.to_be_bytes()].concat()
}

/// Waiting.
impl Home {
    /// Looks after every event until `look` sees something, and gives that back. Panics after a deadline, saying `what`
    /// did not happen.
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

    /// Looks again and again, for what tells nobody. Panics after a deadline, saying `what` did not happen.
    pub async fn until_looked(&self, what: &str, mut is_so: impl AsyncFnMut(&Engine) -> bool) {
        in_time(what, async {
            while !is_so(self).await {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await;
    }

    /// Waits until the registration is as `is_so` says.
    pub async fn until(&self, id: UniqueId, is_so: impl Fn(&Registration) -> bool) -> Registration {
        let mut last = None;
        let mut events = self.events();
        let waited = tokio::time::timeout(DEADLINE, async {
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

    /// Waits until the record at `index` is as `is_so` says.
    pub async fn until_record(&self, id: UniqueId, index: u32, is_so: impl Fn(&ResponseRecord) -> bool) -> ResponseRecord {
        self.until_seen("the record is as expected", async |engine| {
            engine.records(id, index, 1).await.expect("records can be read").into_iter().find(&is_so)
        })
        .await
    }

    /// Waits until it settles.
    pub async fn settled(&self, id: UniqueId) -> Registration {
        self.until(id, |now| now.state == RegistrationState::Settled).await
    }

    /// Waits until the download folder holds exactly these names.
    pub async fn until_names(&self, expected: &[&str]) {
        until_in(&self.downloads(), |names| names == expected).await;
    }

    /// Waits until so many copies of bodies are kept.
    pub async fn until_bodies(&self, count: usize) {
        until_in(&self.data().join("bodies"), |names| names.len() == count).await;
    }
}

/// What a listener has heard.
#[derive(Debug)]
pub struct Ear(EventStream);

impl Ear {
    /// Listens from now on.
    pub fn to(engine: &Engine) -> Self {
        Self(engine.events())
    }

    /// Everything up to and including the first event that `is_last` accepts.
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

    /// Everything up to and including the next one that is owed.
    pub async fn hear_until_owed(&mut self) -> Vec<EngineEvent> {
        self.hear_until(|event| matches!(event, EngineEvent::Owed { .. })).await
    }

    /// Everything up to and including the one that is owed for `id`.
    pub async fn hear_until_owed_for(&mut self, id: UniqueId) -> Vec<EngineEvent> {
        self.hear_until(|event| matches!(event, EngineEvent::Owed { registration } if registration.unique_id == id)).await
    }
}

/// The registrations among events that are owed to people.
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

/// Ends every task of a runtime, and waits for what it was doing on the disk at that moment.
async fn stop(runtime: Runtime) {
    let ended = tokio::task::spawn_blocking(move || runtime.shutdown_timeout(DEADLINE));
    ended.await.expect("a runtime ends");
}

/// What `work` gives, or a panic that says that `what` did not happen.
pub async fn in_time<Output>(what: &str, work: impl Future<Output = Output>) -> Output {
    match tokio::time::timeout(DEADLINE, work).await {
        Ok(output) => output,
        Err(_) => panic!("not in time: {what}"),
    }
}

/// Files that go after an answer was given tell nobody, so this looks again and again.
async fn until_in(folder: &Path, is_so: impl Fn(&[String]) -> bool) {
    let waited = tokio::time::timeout(DEADLINE, async {
        while !is_so(&names_in(folder)) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    if waited.await.is_err() {
        panic!("{folder:?} holds {:?} and never came to hold what was expected", names_in(folder));
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let mut names: Vec<String> = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
