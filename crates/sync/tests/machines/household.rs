//! Machines with complete services, on the real server behind a relay.
//!
//! The server is `ashore-sync-server`. Build it before the tests: `cargo build -p ashore-sync-server --bins`. A service
//! acts only when a test calls it. There are no background tasks.

use std::{collections::BTreeMap, fs, path::Path};

use ashore_sync::{
    cycle::{COLLECTIONS, ROOT_SECRET, SyncAccount, SyncEnv, TOKEN_SECRET},
    keys::{KeyRing, RootKey},
    server::{
        CollectionPoll, DeviceToken, HttpServer, OutgoingObject, PageRequest, ServerAddress, StoredObject, SyncServer as _,
    },
    service::{SyncCycleOutcome, SyncService},
};
use ashore_testkit::{
    home::Home,
    sync_server::place::{RunningServer, ServerPlace},
    tools::built,
    waits::DEADLINE,
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use tempfile::TempDir;
use tokio::time::timeout;

use crate::{actions::PersonActions, relay::Relay};

/// Sync server, and the relay between the server and the machines.
pub struct Household {
    pub relay: Relay,
    server: RunningServer,
    place: ServerPlace,
    folder: TempDir,
}

/// Machine with a complete sync service.
pub struct ServiceMachine {
    pub home: Home,
    pub service: SyncService,
}

/// Objects on the server, by collection and id.
pub type StoredObjects = BTreeMap<(String, String), StoredObject>;

impl PersonActions for ServiceMachine {
    fn home(&self) -> &Home {
        &self.home
    }

    fn service(&self) -> &SyncService {
        &self.service
    }
}

impl Household {
    /// Starts a server without users.
    pub async fn new() -> Self {
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let program = built("ashore-sync-server").unwrap();
        let place = ServerPlace { program, folder: folder.path().join("server"), database: None };
        let server = place.start().await.unwrap();
        Self { relay: Relay::start(&server.address).await, server, place, folder }
    }

    /// Backs up the server: its records, users and devices.
    pub async fn back_up_server(&mut self) {
        self.server.child.kill().await.unwrap();
        copy_files(&self.place.folder, &self.folder.path().join("backup"));
        self.server = self.place.start_at(&self.server.address).await.unwrap();
    }

    /// Restores the server from its backup.
    pub async fn restore_server(&mut self) {
        self.server.child.kill().await.unwrap();
        fs::remove_dir_all(&self.place.folder).unwrap();
        copy_files(&self.folder.path().join("backup"), &self.place.folder);
        self.server = self.place.start_at(&self.server.address).await.unwrap();
    }

    /// Runs `act` repeatedly until a failpoint kills the server. Then starts the server again.
    pub async fn die_at(&mut self, point: &str, act: impl AsyncFn()) {
        self.server.child.kill().await.unwrap();
        let mut dying = self.place.start_to_die_at(&self.server.address, point).unwrap();
        let ended = timeout(DEADLINE, async {
            loop {
                if let Some(status) = dying.try_wait().unwrap() {
                    return status;
                }
                act().await;
            }
        });
        let status = ended.await.unwrap_or_else(|_| panic!("the server does not reach {point}"));
        assert_eq!(status.code(), None, "{point}: a signal ended the server");
        self.server = self.place.start_at(&self.server.address).await.unwrap();
    }

    /// Makes the server check all its counters.
    pub async fn check_server(&self) {
        self.place.recount().await.unwrap();
    }

    /// Returns the first machine of a new list.
    pub async fn first(&self, name: &str) -> ServiceMachine {
        let machine = ServiceMachine::new().await;
        let link = self.server.set_up_link().unwrap().replace(&self.server.address, &self.relay.address);
        machine.service.set_up(&link, name).await.unwrap();
        machine.cycle().await;
        machine
    }

    /// Adds a machine to the list. Returns the machine after all `others` have received its record.
    pub async fn next(&self, others: &[&ServiceMachine], name: &str) -> ServiceMachine {
        let machine = ServiceMachine::new().await;
        let invite = others[0].service.invite().await.unwrap();
        machine.service.join(&invite.link, name).await.unwrap();
        machine.cycle().await;
        for other in others {
            other.cycle().await;
        }
        machine
    }
}

/// Copies the files of a folder to a new folder.
fn copy_files(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for file in fs::read_dir(from).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}

impl ServiceMachine {
    /// Returns a machine without sync.
    pub async fn new() -> Self {
        let home = Home::open_with("keychain = \"file\"\n").await;
        let service = SyncService::new((*home).clone(), SyncEnv::default());
        Self { home, service }
    }

    /// Restarts the program. The new run has no memory of the earlier one.
    pub fn start_again(&mut self) {
        self.service = SyncService::new((*self.home).clone(), SyncEnv::default());
    }

    /// Returns a backup of the ledger.
    pub async fn back_up_ledger(&mut self) -> Vec<u8> {
        self.home.close().await;
        let ledger = fs::read(self.home.data().join("ledger.sqlite")).unwrap();
        self.home.reopen().await;
        self.start_again();
        ledger
    }

    /// Replaces the ledger by a backup. The keychain and all files stay as they are.
    pub async fn restore_ledger(&mut self, backup: &[u8]) {
        self.home.close().await;
        fs::write(self.home.data().join("ledger.sqlite"), backup).unwrap();
        self.home.reopen().await;
        self.start_again();
    }

    /// Runs a cycle.
    pub async fn cycle(&self) -> SyncCycleOutcome {
        self.service.now().await.unwrap()
    }

    /// Runs a cycle, which must fail. Returns the code of the fault.
    pub async fn fault(&self) -> &'static str {
        self.service.now().await.unwrap_err().code()
    }

    /// Account of this machine.
    pub async fn account(&self) -> SyncAccount {
        SyncAccount::read(&self.home.sync_state().await.unwrap().unwrap().account).unwrap()
    }

    /// Token of this machine.
    pub async fn token(&self) -> String {
        self.home.sync_secret(TOKEN_SECRET).await.unwrap()
    }

    /// Root key of this machine.
    pub async fn root(&self) -> RootKey {
        let bytes = URL_SAFE_NO_PAD.decode(self.home.sync_secret(ROOT_SECRET).await.unwrap()).unwrap();
        RootKey::from_bytes(bytes.try_into().unwrap())
    }

    /// Key ring from the server, opened with the root key of this machine.
    pub async fn ring(&self) -> KeyRing {
        let account = self.account().await;
        let sealed = self.server().await.read_object("crypto", "keys").await.unwrap().value.unwrap();
        KeyRing::open(&self.root().await, account.generation, account.uid, &account.sync_id, &sealed.payload).unwrap()
    }

    /// Client of the sync server that uses the address and the token of this machine.
    pub async fn server(&self) -> HttpServer {
        let account = self.account().await;
        let address = ServerAddress::from_link(&account.address, &account.pin).unwrap();
        HttpServer::new(address).unwrap().with_token(DeviceToken::parse(&self.token().await).unwrap())
    }

    /// Returns all objects on the server.
    pub async fn stored(&self) -> StoredObjects {
        let server = self.server().await;
        let CollectionPoll::Listed(listing) = server.info_collections(None).await.unwrap().value else { panic!("no time") };
        let mut stored = BTreeMap::new();
        for collection in listing.collections.into_keys() {
            let request = PageRequest {
                collection: collection.clone(),
                newer_ms: 0,
                offset: None,
                limit: 500,
                if_unmodified_since_ms: None,
            };
            let page = server.read_page(&request).await.unwrap().value;
            assert_eq!(page.next_offset, None, "{collection} fits into one page");
            stored.extend(page.objects.into_iter().map(|object| ((collection.clone(), object.id.clone()), object)));
        }
        stored
    }

    /// Decrypts all records on the server. Returns them by collection and id.
    pub async fn records(&self) -> BTreeMap<(String, String), String> {
        let (ring, uid) = (self.ring().await, self.account().await.uid);
        let stored = self.stored().await.into_iter();
        let open = |((collection, id), object): ((String, String), StoredObject)| {
            let record = ring.open_record(uid, &collection, &id, &object.payload).unwrap();
            ((collection, id), String::from_utf8(record.to_vec()).unwrap())
        };
        stored.filter(|((collection, _), _)| COLLECTIONS.contains(&collection.as_str())).map(open).collect()
    }

    /// Replaces the payload of an object on the server.
    pub async fn put_object(&self, collection: &str, id: &str, payload: String) {
        let object = OutgoingObject { id: id.to_owned(), payload, ttl_s: None };
        self.server().await.put_object(collection, &object, None).await.unwrap();
    }
}
