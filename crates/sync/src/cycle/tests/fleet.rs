//! Three machines that share a list through the simulated server, and a log of all actions of people.

use std::{
    future::Future,
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    task::{Context, Poll, Waker},
    time::Duration,
};

use ashore_engine::{RegistrationResult, SyncRecordRow, UniqueId};
use futures_util::FutureExt as _;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{
    memory_list::{MemoryDownload, MemoryList, SETTINGS},
    steps::{FleetStep, Interruption, MACHINES, MachineAction},
};
use crate::{
    cycle::{
        CycleReport, LocalList as _, ReadParts, StartHistory, SyncAccount, SyncEnv, SyncFault, SyncSession, clear_before,
        clearing_id, known_version, run_cycle,
    },
    keys::KeyRing,
    merge::{ConflictField, PartSplit},
    records::{DeviceId, DownloadRecord, SendRecord, SyncRecord as _},
    server::{CollectionPoll, SimulatedServer, SyncServer as _},
    service::{RemoteChange, remote},
};

const START_MS: i64 = 1_700_000_000_000;
const HOUR_MS: i64 = 60 * 60 * 1000;
/// Maximum number of downloads that are sent in an hour. A machine refuses further ones; such a refusal does not count
/// as a loss.
const MOST_SENDS: usize = 10;
/// Maximum length in bytes of the requests in one record of these tests. Requests as long as real ones would make the
/// tests slow.
pub const LONGEST_REQUESTS: usize = 1 << 10;
/// Maximum number of polls of a future. A future that needs more is treated as endless.
const MOST_AWAITS: usize = 200_000;

/// Machine of the fleet. Clones of this value share its state.
#[derive(Clone, Debug)]
pub struct Machine {
    pub device: DeviceId,
    pub list: MemoryList,
    pub server: SimulatedServer,
    pub env: SyncEnv,
    pub account: SyncAccount,
    /// Maximum length of the requests in one record.
    pub longest_requests: usize,
    starts: StartHistory,
    error_ms: Arc<AtomicI64>,
}

/// Edited record: a download that had no id yet, or a record of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditedRecord {
    Download(usize, UniqueId),
    Record(String),
}

/// Edit that a person made.
#[derive(Clone, Debug)]
pub struct PersonEdit {
    pub record: EditedRecord,
    pub field: ConflictField,
    pub value: Value,
    /// Value that the person saw before the edit.
    pub replaced: Value,
}

/// All machines, the server, and the log of all actions.
pub struct Fleet {
    pub machines: Vec<Machine>,
    pub server: SimulatedServer,
    pub keys: KeyRing,
    pub now_ms: Arc<AtomicI64>,
    /// Lengths of the pauses that all machines made between the rounds of their cycles.
    pub pauses: Arc<Mutex<Vec<Duration>>>,
    pub edits: Vec<PersonEdit>,
    /// Records of downloads that a person removed on the home machine, each with the title that the person saw.
    pub removals: Vec<(EditedRecord, String)>,
    /// Ids and recipients of all sent downloads.
    pub sends: Vec<(String, usize)>,
    numbers: u64,
}

/// Polls a future until it is ready. If `is_next` returns false for the number of the next poll, drops the future and
/// returns `None`.
pub fn drive<T>(future: impl Future<Output = T>, mut is_next: impl FnMut(usize) -> bool) -> Option<T> {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for number in 0..MOST_AWAITS {
        if !is_next(number) {
            return None;
        }
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return Some(value);
        }
    }
    panic!("the future does not end");
}

/// Returns random bytes that are the same in each run.
fn random() -> impl Fn(&mut [u8]) + Send + Sync {
    let calls = AtomicU64::new(0);
    move |bytes| {
        for part in bytes.chunks_mut(32) {
            let block = Sha256::digest(calls.fetch_add(1, Ordering::Relaxed).to_be_bytes());
            part.copy_from_slice(&block[..part.len()]);
        }
    }
}

impl Machine {
    fn new(server: SimulatedServer, env: SyncEnv, error_ms: Arc<AtomicI64>, keys: &KeyRing) -> Self {
        let token = server.token().unwrap();
        let device: DeviceId = token.device().parse().unwrap();
        let account = SyncAccount {
            v: 1,
            address: "sync.test:1".to_owned(),
            uid: token.uid(),
            pin: "-".to_owned(),
            device: device.clone(),
            name: device.to_string(),
            sync_id: keys.sync_id().to_owned(),
            generation: keys.generation(),
            epoch: 1,
            synced_ms: None,
            restored: None,
            trusted: Vec::new(),
        };
        let now_ms = Arc::clone(&env.now_ms);
        let list = MemoryList::new(Arc::new(move || now_ms() * 1000));
        list.ledger().account = account.write();
        let mut starts = StartHistory::default();
        starts.begin(0, device.to_string());
        Self { device, list, server, env, account, longest_requests: LONGEST_REQUESTS, starts, error_ms }
    }

    /// Runs one cycle in the same way as the service.
    pub async fn cycle(&self, keys: KeyRing) -> Result<CycleReport, SyncFault> {
        self.cycle_of(keys, true).await
    }

    /// Runs one cycle. `needs_review` states whether it examines all downloads.
    pub async fn cycle_of(&self, keys: KeyRing, needs_review: bool) -> Result<CycleReport, SyncFault> {
        let start = self.starts.latest().unwrap().clone();
        let own = self.account.device_record([7; 32], start);
        let answer = self.server.info_collections(None).await?;
        let CollectionPoll::Listed(listing) = answer.value else { panic!("a poll without a time is answered") };
        let mut session = SyncSession::begin(&self.server, &self.list, &self.env, self.account.clone(), keys).await?;
        session.server_ms = listing.server_time_ms;
        (session.starts, session.needs_review) = (self.starts.clone(), needs_review);
        session.longest_requests = self.longest_requests;
        run_cycle(&mut session, &own, listing.collections).await
    }

    /// Returns the keys and the maximum length with which this machine splits requests into parts.
    pub fn split<'k>(&self, keys: &'k KeyRing) -> PartSplit<'k> {
        PartSplit { keys, longest: self.longest_requests }
    }

    /// Changes a download of another machine, in the same way as the service.
    pub async fn change(&self, keys: &KeyRing, id: &str, change: RemoteChange) -> Result<(), SyncFault> {
        let parts = match remote::needed_parts(&self.list, id, change).await? {
            Some(list) => Some(ReadParts::read(&self.server, keys, self.account.uid, list).await?),
            None => None,
        };
        remote::change(&self.list, &self.env, &self.account, (id, change), parts.as_ref()).await
    }

    /// Returns the latest version of a download's record, as far as this machine knows.
    pub fn known(&self, sync_id: &str) -> Option<DownloadRecord> {
        let key = (DownloadRecord::COLLECTION.to_owned(), sync_id.to_owned());
        self.list.ledger().records.get(&key).and_then(known_version)
    }

    /// Returns the records of downloads on other machines.
    fn remote_records(&self) -> Vec<(String, DownloadRecord)> {
        let is_remote = |row: &SyncRecordRow| {
            let record = known_version(row).filter(|_| row.collection == DownloadRecord::COLLECTION)?;
            (record.home.value != self.device && !record.is_removed()).then(|| (row.id.clone(), record))
        };
        self.list.ledger().records.values().filter_map(is_remote).collect()
    }
}

impl Fleet {
    pub fn new(errors_ms: [i64; MACHINES], longest_page: u32) -> Self {
        let first = SimulatedServer::with_user(START_MS, "one");
        let servers = [first.clone(), first.add_device("two"), first.add_device("three")];
        let now_ms = Arc::new(AtomicI64::new(START_MS));
        let draw = Arc::new(random());
        let pauses = Arc::new(Mutex::new(Vec::new()));
        let keys = KeyRing::create(&mut |bytes| draw(bytes));
        let machine = |(server, error_ms): (SimulatedServer, i64)| {
            let (world, error_ms) = (Arc::clone(&now_ms), Arc::new(AtomicI64::new(error_ms)));
            let error = Arc::clone(&error_ms);
            let now = Arc::new(move || world.load(Ordering::Relaxed) + error.load(Ordering::Relaxed));
            let made = Arc::clone(&pauses);
            let pause = move |time| {
                made.lock().unwrap().push(time);
                std::future::ready(()).boxed()
            };
            Machine::new(server, SyncEnv { now_ms: now, random: draw.clone(), pause: Arc::new(pause) }, error_ms, &keys)
        };
        let machines = servers.into_iter().zip(errors_ms).map(machine).collect();
        first.set_longest_page(longest_page);
        let (edits, removals, sends) = (Vec::new(), Vec::new(), Vec::new());
        let fleet = Self { machines, server: first, keys, now_ms, pauses, edits, removals, sends, numbers: 0 };
        for at in [0, 1, 2, 0, 1, 2] {
            fleet.quiet_cycle(at).unwrap();
        }
        fleet
    }

    pub fn pass(&self, milliseconds: i64) {
        let now_ms = self.now_ms.fetch_add(milliseconds, Ordering::Relaxed) + milliseconds;
        self.server.set_now(now_ms);
    }

    fn number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    pub fn take(&mut self, step: &FleetStep) {
        match step {
            FleetStep::Action(at, action) => self.act(*at, action),
            FleetStep::SetClock(at, error_ms) => self.machines[*at].error_ms.store(*error_ms, Ordering::Relaxed),
            FleetStep::Cycle { at, faults, interruptions, killed_at } => {
                let (faults, first) = (faults.clone(), self.server.operations());
                let device = self.machines[*at].device.to_string();
                self.server.set_faults(Box::new(move |operation| {
                    let is_meant = |fault: &&(u64, _)| operation.number - first == fault.0;
                    let is_own = operation.device.as_ref() == Some(&device);
                    faults.iter().find(is_meant).filter(|_| is_own).map(|(_, fault)| (*fault).into())
                }));
                self.rough_cycle(*at, interruptions, *killed_at);
                self.server.clear_faults();
            }
        }
    }

    /// Runs a cycle without faults and interruptions.
    pub fn quiet_cycle(&self, at: usize) -> Result<CycleReport, SyncFault> {
        drive(self.machines[at].cycle(self.keys.clone()), |_| true).unwrap()
    }

    /// Whether a machine has detected that the server lost data.
    pub fn is_restored(&self, at: usize) -> bool {
        SyncAccount::read(&self.machines[at].list.ledger().account).unwrap().restored.is_some()
    }

    fn rough_cycle(&mut self, at: usize, interruptions: &[(usize, Interruption)], killed_at: Option<usize>) {
        let (machine, keys) = (self.machines[at].clone(), self.keys.clone());
        let is_next = |number: usize| {
            for (_, interruption) in interruptions.iter().filter(|(poll, _)| *poll == number) {
                self.interrupt(at, interruption);
            }
            killed_at != Some(number)
        };
        if drive(machine.cycle(keys), is_next).is_none() {
            machine.list.on_kill();
        }
    }

    fn interrupt(&mut self, cycling: usize, interruption: &Interruption) {
        match interruption {
            // The real program reads and changes a setting in one step, so skip this edit.
            Interruption::Action(at, MachineAction::Set { .. }) if *at == cycling && self.machines[cycling].list.is_at_list() => {
            }
            Interruption::Action(at, action) => self.act(*at, action),
            // If the cycle of another machine fails, it is repeated later. A machine that is running a cycle does not
            // begin a second one.
            Interruption::Cycle(at) if *at != cycling => drop(self.quiet_cycle(*at)),
            Interruption::Cycle(_) => {}
        }
    }

    pub fn act(&mut self, at: usize, action: &MachineAction) {
        let machine = self.machines[at].clone();
        match action {
            MachineAction::Create { is_paused } => {
                let number = self.number();
                let request = json!({ "url": format!("https://a.test/{number}") });
                machine.list.create(&format!("title {number}"), request, *is_paused);
            }
            MachineAction::CreateLong => {
                let number = self.number();
                machine.list.create_all(&format!("title {number}"), long_requests(number), false);
            }
            MachineAction::Rename(number) => self.rename(at, *number),
            MachineAction::Pause(number) => self.pause(at, *number, true),
            MachineAction::Resume(number) => self.pause(at, *number, false),
            MachineAction::Remove(number) => self.remove(at, *number),
            MachineAction::Start(number) => {
                if let Some(found) = choose(&self.unpaused_downloads(at), *number) {
                    machine.list.start(found.synced.unique_id);
                }
            }
            MachineAction::Finish(number, is_success) => {
                if let Some(found) = choose(&self.unpaused_downloads(at), *number) {
                    machine.list.finish(found.synced.unique_id, *is_success);
                }
            }
            MachineAction::Ask(number, change, killed_at) => self.ask(at, *number, *change, *killed_at),
            MachineAction::ClearHistory { ago_ms } => self.clear_history(at, self.now_ms.load(Ordering::Relaxed) - ago_ms),
            MachineAction::Send { to } => self.send(at, *to),
            MachineAction::Set { setting, is_default } => self.set(at, SETTINGS[*setting], *is_default),
        }
    }

    /// Clears the history up to a given time on one machine.
    pub fn clear_history(&self, at: usize, before_ms: i64) {
        let machine = &self.machines[at];
        let id = clearing_id(&self.keys);
        let row = machine.list.ledger().records.values().find(|row| row.id == id).cloned();
        let write = clear_before(&self.keys, row, before_ms, &machine.device);
        assert!(drive(machine.list.write(&[write]), |_| true).unwrap().unwrap());
    }

    fn downloads(&self, at: usize, is_fit: impl Fn(&MemoryDownload) -> bool) -> Vec<MemoryDownload> {
        self.machines[at].list.ledger().downloads.values().filter(|one| is_fit(one)).cloned().collect()
    }

    /// Returns the active downloads that are not paused.
    fn unpaused_downloads(&self, at: usize) -> Vec<MemoryDownload> {
        self.downloads(at, |one| !one.synced.is_paused && one.synced.result == RegistrationResult::None)
    }

    /// Returns the downloads whose home is this machine, as far as the machine knows.
    fn own_downloads(&self, at: usize, is_fit: impl Fn(&MemoryDownload) -> bool) -> Vec<MemoryDownload> {
        let machine = &self.machines[at];
        let mut all = self.downloads(at, is_fit);
        all.retain(|one| {
            let known = one.synced.sync_id.as_deref().and_then(|id| machine.known(id));
            known.is_none_or(|known| known.home.value == machine.device)
        });
        all
    }

    fn log(&mut self, record: EditedRecord, field: ConflictField, value: Value, replaced: Value) {
        self.edits.push(PersonEdit { record, field, value, replaced });
    }

    fn rename(&mut self, at: usize, number: usize) {
        let title = format!("title {}", self.number());
        let all = self.downloads(at, |_| true);
        let Some(found) = choose(&all, number) else { return };
        self.machines[at].list.rename(found.synced.unique_id, &title);
        self.log(edited(at, found), ConflictField::Title, json!(title), json!(found.synced.title));
    }

    fn pause(&mut self, at: usize, number: usize, is_paused: bool) {
        let fit = |one: &MemoryDownload| one.synced.result == RegistrationResult::None && one.synced.is_paused != is_paused;
        let all = self.own_downloads(at, fit);
        let Some(found) = choose(&all, number) else { return };
        self.machines[at].list.pause(found.synced.unique_id, is_paused);
        let name = |is_paused| if is_paused { json!("paused") } else { json!("run") };
        self.log(edited(at, found), ConflictField::Requested, name(is_paused), name(!is_paused));
    }

    fn remove(&mut self, at: usize, number: usize) {
        let all = self.downloads(at, |_| true);
        let Some(found) = choose(&all, number) else { return };
        self.machines[at].list.remove(found.synced.unique_id);
        self.removals.push((edited(at, found), found.synced.title.clone()));
    }

    fn ask(&mut self, at: usize, number: usize, change: RemoteChange, killed_at: Option<usize>) {
        let machine = self.machines[at].clone();
        let all = machine.remote_records();
        let Some((id, before)) = choose(&all, number) else { return };
        let outcome = drive(machine.change(&self.keys, id, change), |number| killed_at != Some(number));
        machine.list.on_kill();
        match outcome {
            // A fault that was injected into a cycle can also make a person's request fail.
            Some(Ok(()) | Err(SyncFault::Server(_))) | None => {}
            Some(Err(fault)) => panic!("{change:?} failed: {fault}"),
        }
        let Some(after) = machine.known(id) else { return };
        let record = EditedRecord::Record(id.clone());
        if after.home != before.home {
            self.log(record.clone(), ConflictField::Home, json!(after.home.value), json!(before.home.value));
        }
        if after.requested != before.requested {
            self.log(record, ConflictField::Requested, json!(after.requested.value), json!(before.requested.value));
        }
    }

    fn send(&mut self, at: usize, to: usize) {
        if at == to || self.sends.len() >= MOST_SENDS {
            return;
        }
        let (machine, number) = (self.machines[at].clone(), self.number());
        let content = (format!("title {number}"), vec![json!({ "url": format!("https://a.test/{number}") })]);
        let to_device = self.machines[to].device.clone();
        let sending = remote::send(&machine.list, &machine.env, &machine.account, to_device, content);
        let id = drive(sending, |_| true).unwrap().unwrap();
        machine.list.on_kill();
        assert!(machine.list.ledger().records.contains_key(&(SendRecord::COLLECTION.to_owned(), id.clone())));
        self.sends.push((id, to));
    }

    fn set(&mut self, at: usize, name: &str, is_default: bool) {
        let value = (!is_default).then(|| json!(self.number()));
        let mut ledger = self.machines[at].list.ledger();
        let before = match value.clone() {
            Some(value) => ledger.settings.insert(name.to_owned(), value),
            None => ledger.settings.remove(name),
        };
        drop(ledger);
        if before != value {
            let id = self.keys.derived_record_id("dl-prefs", name);
            self.log(EditedRecord::Record(id), ConflictField::Choice, choice(value), choice(before));
        }
    }

    /// Advances the time, and runs cycles until a cycle changes nothing any more.
    pub fn end(&mut self) {
        for _ in 0..12 {
            let mut is_quiet = true;
            for at in 0..MACHINES {
                self.pass(HOUR_MS / 60);
                let first = self.server.operations();
                let report = self.quiet_cycle(at).unwrap_or_else(|fault| panic!("a cycle without faults fails: {fault:?}"));
                is_quiet &= report == CycleReport::default() && self.server.operations() == first + 1;
            }
            if is_quiet {
                return;
            }
        }
        panic!("the machines never become quiet");
    }
}

/// Returns requests that fill two parts. `number` changes only the second part.
pub fn long_requests(number: u64) -> Vec<Value> {
    requests_of_two_parts(number, LONGEST_REQUESTS)
}

/// Returns requests that fill two parts with a maximum length of `longest`. `number` changes only the second part.
pub fn requests_of_two_parts(number: u64, longest: usize) -> Vec<Value> {
    let request = |page: String| json!({ "url": format!("https://a.test/{page}"), "name": "a".repeat(longest / 2) });
    vec![request("all".to_owned()), request(number.to_string())]
}

fn choose<T>(all: &[T], number: usize) -> Option<&T> {
    all.get(number % all.len().max(1))
}

fn edited(at: usize, download: &MemoryDownload) -> EditedRecord {
    EditedRecord::Download(at, download.synced.unique_id)
}

/// Returns the value of a setting as the record stores it.
pub fn choice(value: Option<Value>) -> Value {
    value.map_or(json!("default"), |value| json!({ "value": value }))
}
