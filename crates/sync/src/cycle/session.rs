//! Session of one sync cycle: server, list, account, keys and clock, and the operations that all steps of the cycle
//! use.

use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::AtomicU64},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use ashore_engine::{SyncConflict, SyncRecordRow, SyncWrite};
use futures_util::{FutureExt as _, future::BoxFuture};

use crate::{
    cycle::{
        account::SyncAccount, fault::SyncFault, former_identities::FormerIdentities, local_list::LocalList, starts::StartHistory,
    },
    keys::{KeyRing, NONCE_BYTES, SealFault, random_record_id},
    merge::{CONFLICT_MS, CycleScope, MergeConflict, MergeContext, PartSplit},
    records::{HybridClock, HybridStamp, LONGEST_REQUESTS, ReadRecord, SyncRecord, read_record, write_record},
    server::{ServerAnswer, ServerHints, SyncServer},
};

/// Function that fills a buffer with random bytes.
type RandomSource = Arc<dyn Fn(&mut [u8]) + Send + Sync>;

/// Function that waits for a given time.
type Pause = Arc<dyn Fn(Duration) -> BoxFuture<'static, ()> + Send + Sync>;

/// Source of the time, of pauses and of random bytes for sync.
#[derive(Clone)]
pub struct SyncEnv {
    /// Function that returns the time of this machine, in milliseconds of Unix time.
    pub now_ms: Arc<dyn Fn() -> i64 + Send + Sync>,
    /// Function that fills a buffer with random bytes.
    pub random: RandomSource,
    /// Function that waits for a given time.
    pub pause: Pause,
}

impl Default for SyncEnv {
    fn default() -> Self {
        Self {
            now_ms: Arc::new(system_now_ms),
            random: Arc::new(|bytes| rand::fill(bytes)),
            pause: Arc::new(|time| tokio::time::sleep(time).boxed()),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the clock that is injected everywhere else")]
fn system_now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

impl std::fmt::Debug for SyncEnv {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SyncEnv")
    }
}

impl SyncEnv {
    /// Returns `N` random bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        (self.random)(&mut bytes);
        bytes
    }

    /// Returns a random time of at most `most`.
    pub fn time_up_to(&self, most: Duration) -> Duration {
        most.mul_f64(f64::from(u32::from_be_bytes(self.bytes())) / f64::from(u32::MAX))
    }

    /// Waits for a random time of at most `most`.
    pub async fn pause_up_to(&self, most: Duration) {
        (self.pause)(self.time_up_to(most)).await;
    }
}

/// Session of one cycle.
#[derive(Debug)]
pub struct SyncSession<'a, S, L> {
    /// Server.
    pub server: &'a S,
    /// List of this machine.
    pub list: &'a L,
    /// Source of the time and of random bytes.
    pub env: &'a SyncEnv,
    /// Account.
    pub account: SyncAccount,
    /// Keys that encrypt the records.
    pub keys: KeyRing,
    /// Hybrid clock.
    pub clock: HybridClock,
    /// Time of the server in its latest response, in milliseconds.
    pub server_ms: i64,
    /// Hints from the latest server answer that requested a wait.
    pub hints: ServerHints,
    /// Latest starts of the program on this machine.
    pub starts: StartHistory,
    /// Earlier identities of this machine.
    pub former: FormerIdentities,
    /// Whether this cycle examines all downloads and held records, and not only the received ones.
    pub needs_review: bool,
    /// Time up to which the history of past downloads was cleared, in milliseconds of Unix time.
    pub cleared_before_ms: Option<i64>,
    /// Time at which the server stored a version that it has since lost. Set if the server has an earlier version of a
    /// record than this machine has received.
    pub lost_ms: Option<i64>,
    /// Ids of the parts that this session has sent, each with the time of the server.
    pub sent_parts: BTreeMap<String, i64>,
    /// Maximum length in bytes of the requests in one record, as JSON. Longer requests are sent in parts.
    pub longest_requests: usize,
    /// Number of objects that this session has received so far.
    pub received: Arc<AtomicU64>,
    /// Collections that the cycle syncs.
    pub scope: CycleScope,
}

/// Codes that the ledger stores to state why a record is held back.
pub mod held {
    /// The record was written by a newer version.
    pub const NEWER: &str = "newer";
    /// The key of the record is not in the key ring.
    pub const UNKNOWN_KEY: &str = "unknown-key";
    /// The record was changed during its transfer, or was sealed for another place on the server.
    pub const TAMPERED: &str = "tampered";
    /// The record has a field that is not valid.
    pub const NOT_VALID: &str = "not-valid";
    /// The server refused the version of this machine.
    pub const REFUSED: &str = "refused";
}

impl<'a, S: SyncServer, L: LocalList> SyncSession<'a, S, L> {
    /// Begins a session. The clock is read from the list; `keys` are the keys that were read from the server.
    ///
    /// Fails with `Off` while sync is off.
    pub async fn begin(
        server: &'a S,
        list: &'a L,
        env: &'a SyncEnv,
        account: SyncAccount,
        keys: KeyRing,
    ) -> Result<Self, SyncFault> {
        let state = list.state().await?.ok_or(SyncFault::Off)?;
        let mut clock = HybridClock::new(account.device.clone());
        if let Ok(last) = state.clock.parse() {
            clock.observe(&last, 0);
        }
        Ok(Self {
            server,
            list,
            env,
            account,
            keys,
            clock,
            server_ms: (env.now_ms)(),
            hints: ServerHints::default(),
            starts: StartHistory::default(),
            former: FormerIdentities::default(),
            needs_review: true,
            cleared_before_ms: None,
            lost_ms: None,
            sent_parts: BTreeMap::new(),
            longest_requests: LONGEST_REQUESTS,
            received: Arc::default(),
            scope: CycleScope::default(),
        })
    }
}

impl<S: SyncServer, L: LocalList> SyncSession<'_, S, L> {
    /// Returns the time of this machine, without correction. [`HybridClock`] corrects stamps by the time of the
    /// server.
    pub fn now_ms(&self) -> i64 {
        (self.env.now_ms)()
    }

    /// Stores the time and the hints of an answer in the session, and returns the content of the answer.
    pub fn note<T>(&mut self, answer: ServerAnswer<T>) -> T {
        let ServerAnswer { value, hints } = answer;
        if let Some(server_ms) = hints.server_time_ms {
            self.server_ms = server_ms;
            self.clock.correct(server_ms);
        }
        if hints.backoff_s.is_some() || hints.retry_after_s.is_some() {
            self.hints = hints;
        }
        value
    }

    /// Returns this device and the server time, for a merge in this cycle.
    pub fn context(&self) -> MergeContext<'_> {
        MergeContext { device: &self.account.device, server_ms: self.server_ms }
    }

    /// Issues a stamp for an edit that a person makes now.
    pub fn stamp(&mut self) -> HybridStamp {
        let now_ms = self.now_ms();
        self.clock.tick(now_ms)
    }

    /// Ensures that the next stamps of this device are later than `stamp`.
    pub fn observe(&mut self, stamp: &HybridStamp) {
        let now_ms = self.now_ms();
        self.clock.observe(stamp, now_ms);
    }

    /// Returns the keys and the maximum length that are needed to split requests into parts.
    pub fn part_split(&self) -> PartSplit<'_> {
        PartSplit { keys: &self.keys, longest: self.longest_requests }
    }

    /// Returns a new random id of a record.
    pub fn new_id(&self) -> String {
        random_record_id(self.env.bytes())
    }

    /// Decrypts and reads an object from the server. If this fails, returns the code under which the object is held
    /// back.
    pub fn open<T: SyncRecord>(&self, id: &str, payload: &str, modified_ms: i64) -> Result<T, &'static str> {
        open_object(&self.keys, self.account.uid, id, payload, modified_ms)
    }

    /// Returns a record as other devices will read it. Texts are clean, and a stamp far in the future is replaced by
    /// the server's time. `base` is the version on which this machine and the server have agreed.
    ///
    /// Without this, a device whose clock is ahead would keep a later stamp than other devices have. Its old value
    /// would then win against their next edit.
    pub fn as_others_read<T: SyncRecord>(&self, mut record: T, base: Option<&T>) -> T {
        record.clamp_own(self.server_ms, base, None);
        // Leave an invalid record unchanged here, because sealing refuses it.
        record.clone().judged(self.server_ms).unwrap_or(record)
    }

    /// Seals a record for the server.
    pub fn seal<T: SyncRecord>(&self, id: &str, record: &T) -> Result<String, SyncFault> {
        let cleartext = write_record(record).map_err(|_| SyncFault::Damaged)?;
        let nonce: [u8; NONCE_BYTES] = self.env.bytes();
        self.keys.seal_record(self.account.uid, T::COLLECTION, id, &cleartext, nonce).map_err(|_| SyncFault::Damaged)
    }
}

/// Decrypts and reads an object of the user `uid`. If this fails, returns the code of the reason.
pub fn open_object<T: SyncRecord>(
    keys: &KeyRing,
    uid: i64,
    id: &str,
    payload: &str,
    modified_ms: i64,
) -> Result<T, &'static str> {
    let cleartext = keys.open_record(uid, T::COLLECTION, id, payload).map_err(|fault| match fault {
        SealFault::Newer { .. } => held::NEWER,
        SealFault::UnknownKey(_) => held::UNKNOWN_KEY,
        _ => held::TAMPERED,
    })?;
    match read_record(&cleartext, modified_ms) {
        Ok(ReadRecord::Known(record)) => Ok(record),
        Ok(ReadRecord::Newer { .. }) => Err(held::NEWER),
        Err(_) => Err(held::NOT_VALID),
    }
}

/// Reads a record of the ledger. A damaged record counts as missing, because it can be read again from the server or
/// from the registration.
pub fn parse<T: SyncRecord>(text: Option<&str>) -> Option<T> {
    text.and_then(|text| serde_json::from_str(text).ok())
}

/// Returns the text of a record for the ledger.
pub fn to_text<T: SyncRecord>(record: &T) -> String {
    // The conversion to JSON cannot fail, because all keys are texts.
    serde_json::to_string(record).unwrap_or_default()
}

/// Returns the write that holds back a version that came from the server. The versions that this machine knows are not
/// changed.
pub fn hold_back(row: Option<SyncRecordRow>, collection: &str, id: &str, payload: &str, code: &str) -> SyncWrite {
    let seen = row.as_ref().map_or(0, |row| row.change);
    let row = row.unwrap_or_else(|| empty_row(collection, id));
    let record = SyncRecordRow { held: Some(payload.to_owned()), held_code: Some(code.to_owned()), ..row };
    SyncWrite::Record { record: Box::new(record), seen, is_edit: false }
}

/// Returns a row without any version.
pub fn empty_row(collection: &str, id: &str) -> SyncRecordRow {
    SyncRecordRow { collection: collection.to_owned(), id: id.to_owned(), ..SyncRecordRow::default() }
}

/// Returns the writes that store conflicts and delete old ones.
pub fn keep_conflicts(collection: &str, id: &str, conflicts: &[MergeConflict], now_ms: i64) -> Vec<SyncWrite> {
    let keep = |conflict: &MergeConflict| {
        SyncWrite::Conflict(SyncConflict {
            number: 0,
            found_us: now_ms.saturating_mul(1000),
            collection: collection.to_owned(),
            id: id.to_owned(),
            edit: format!("{:?} {}", conflict.field, conflict.lost_at),
            conflict: serde_json::to_string(conflict).unwrap_or_default(),
        })
    };
    let expired = SyncWrite::ForgetConflicts(now_ms.saturating_sub(CONFLICT_MS).saturating_mul(1000));
    conflicts.iter().map(keep).chain((!conflicts.is_empty()).then_some(expired)).collect()
}
