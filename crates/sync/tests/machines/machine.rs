//! Machine of a list: an engine, and its device on the simulated server.

use std::sync::{
    Arc,
    atomic::{AtomicI64, AtomicU8, Ordering::Relaxed},
};

use ashore_engine::{SyncRecordRow, SyncWrite};
use ashore_sync::{
    cycle::{CycleReport, FormerIdentities, StartHistory, SyncAccount, SyncEnv, SyncFault, SyncSession, run_cycle},
    keys::{KeyRing, random_record_id},
    merge::CycleScope,
    server::{CollectionPoll, OutgoingObject, SimulatedServer, SyncServer as _},
    service::SyncService,
};
use ashore_testkit::home::Home;

use crate::actions::PersonActions;

/// Time at which every test begins.
pub const START_MS: i64 = 1_700_000_000_000;
pub const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// One machine.
pub struct SyncedMachine {
    pub home: Home,
    pub server: SimulatedServer,
    pub service: SyncService,
    starts: StartHistory,
    former: FormerIdentities,
    keys: KeyRing,
    env: SyncEnv,
    now_ms: Arc<AtomicI64>,
}

/// Returns two machines that know each other.
pub async fn two_machines() -> (SyncedMachine, SyncedMachine) {
    let laptop = SyncedMachine::first("Laptop").await;
    let desktop = laptop.next("Desktop").await;
    for machine in [&laptop, &desktop, &laptop] {
        machine.cycle().await.unwrap();
    }
    (laptop, desktop)
}

impl PersonActions for SyncedMachine {
    fn home(&self) -> &Home {
        &self.home
    }

    fn service(&self) -> &SyncService {
        &self.service
    }
}

impl SyncedMachine {
    /// Returns the first machine of a new list.
    pub async fn first(name: &str) -> Self {
        let seed = AtomicU8::new(1);
        let mut random = |bytes: &mut [u8]| bytes.fill(seed.fetch_add(1, Relaxed));
        let keys = KeyRing::create(&mut random);
        Self::new(SimulatedServer::with_user(START_MS, name), keys, Home::open().await, name).await
    }

    /// Adds another machine to the list, and returns that machine.
    pub async fn next(&self, name: &str) -> Self {
        Self::new(self.server.add_device(name), self.keys.clone(), Home::open().await, name).await
    }

    async fn new(server: SimulatedServer, keys: KeyRing, home: Home, name: &str) -> Self {
        let token = server.token().unwrap();
        let account = SyncAccount {
            v: SyncAccount::VERSION,
            address: "sync.test:1".to_owned(),
            uid: token.uid(),
            pin: "tls".to_owned(),
            device: token.device().parse().unwrap(),
            name: name.to_owned(),
            sync_id: keys.sync_id().to_owned(),
            generation: keys.generation(),
            epoch: 1,
            synced_ms: None,
            restored: None,
            trusted: Vec::new(),
        };
        home.begin_sync(&account.write()).await.unwrap();
        let now_ms = Arc::new(AtomicI64::new(START_MS));
        let clock = now_ms.clone();
        let env = SyncEnv { now_ms: Arc::new(move || clock.load(Relaxed)), ..SyncEnv::default() };
        let service = SyncService::new((*home).clone(), env.clone());
        let (starts, former) = (StartHistory::default(), FormerIdentities::default());
        let mut machine = Self { home, server, service, starts, former, keys, env, now_ms };
        machine.start_again();
        machine
    }

    /// Simulates another start of the program.
    pub fn start_again(&mut self) {
        self.starts.begin(1, random_record_id(self.env.bytes()));
    }

    /// Leaves the list, and joins it again as another device.
    pub async fn join_again(self, name: &str) -> Self {
        let Self { home, server, keys, mut former, .. } = self;
        home.end_sync().await.unwrap();
        former.devices.push(server.token().unwrap().device().parse().unwrap());
        let machine = Self::new(server.add_device(name), keys, home, name).await;
        Self { former, ..machine }
    }

    /// Returns a machine with a copy of this machine's data folder, except for the ledger.
    pub async fn copy(&self) -> Self {
        let copy = Self::new(self.server.clone(), self.keys.clone(), Home::open().await, "Copy").await;
        Self { starts: self.starts.clone(), ..copy }
    }

    /// Decrypts and returns a record that is on the server.
    pub fn record(&self, collection: &str, id: &str) -> serde_json::Value {
        let uid = self.server.token().unwrap().uid();
        let object = self.server.stored(collection).into_iter().find(|object| object.id == id).unwrap();
        serde_json::from_slice(&self.keys.open_record(uid, collection, id, &object.payload).unwrap()).unwrap()
    }

    /// Writes a record to the server directly, for example one in the form of another version.
    pub async fn put_record(&self, collection: &str, id: &str, record: &serde_json::Value) {
        let uid = self.server.token().unwrap().uid();
        let text = record.to_string();
        let payload = self.keys.seal_record(uid, collection, id, text.as_bytes(), self.env.bytes()).unwrap();
        let object = OutgoingObject { id: id.to_owned(), payload, ttl_s: None };
        self.server.put_object(collection, &object, None).await.unwrap();
    }

    /// Advances the clocks of this machine and of the server.
    pub fn advance(&self, milliseconds: i64) {
        self.advance_clock(milliseconds);
        self.server.advance(milliseconds);
    }

    /// Advances only the clock of this machine.
    pub fn advance_clock(&self, milliseconds: i64) {
        self.now_ms.fetch_add(milliseconds, Relaxed);
    }

    /// Runs a cycle.
    pub async fn cycle(&self) -> Result<CycleReport, SyncFault> {
        self.cycle_of(CycleScope::Everything).await
    }

    /// Runs a cycle with this scope.
    pub async fn cycle_of(&self, scope: CycleScope) -> Result<CycleReport, SyncFault> {
        let state = self.home.sync_state().await?.unwrap();
        let account = SyncAccount::read(&state.account).unwrap();
        let starts = self.starts.clone();
        let start = starts.latest().unwrap().clone();
        let own = account.device_record([7; 32], start);
        let answer = self.server.info_collections(None).await?;
        let CollectionPoll::Listed(listing) = answer.value else { panic!("the poll has no time") };
        let mut session = SyncSession::begin(&self.server, &*self.home, &self.env, account, self.keys.clone()).await?;
        session.server_ms = listing.server_time_ms;
        (session.starts, session.former, session.scope) = (starts, self.former.clone(), scope);
        run_cycle(&mut session, &own, listing.collections).await
    }

    /// Queues a send of this machine to itself. Skips the check of the recipient.
    pub async fn send_to_itself(&self) {
        let row = SyncRecordRow {
            collection: "dl-sends".to_owned(),
            id: "send".to_owned(),
            local: Some(format!(
                r#"{{"v":1,"to":"{0}","from":"{0}","title":"a","requests":[],"sent_ms":0}}"#,
                self.server.token().unwrap().device()
            )),
            ..SyncRecordRow::default()
        };
        let edit = SyncWrite::Record { record: Box::new(row), seen: 0, is_edit: true };
        assert!(self.home.write_sync(&[edit]).await.unwrap());
    }

    /// Queues a send, without the sender's checks.
    pub async fn send_unchecked(&self, title: &str, to: &str, link: &str) {
        let id = self.send(title, to).await;
        let row = self.home.sync_records("dl-sends", &[&id]).await.unwrap().remove(0);
        let sound = format!("https://files.test/{title}");
        let local = row.local.as_ref().map(|text| text.replace(&sound, link));
        let seen = row.change;
        let edit = SyncWrite::Record { record: Box::new(SyncRecordRow { local, ..row }), seen, is_edit: true };
        assert!(self.home.write_sync(&[edit]).await.unwrap());
    }
}
