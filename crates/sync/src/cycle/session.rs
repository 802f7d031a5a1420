//! One unlocked session of sync: server, list, account, keys and clock, with the operations that all steps of a cycle use.

use std::{
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
    merge::{CONFLICT_MS, CycleScope, MergeConflict, MergeContext},
    records::{HybridClock, HybridStamp, ReadRecord, SyncRecord, read_record, write_record},
    server::{ServerAnswer, ServerHints, SyncServer},
};

/// Fills a buffer with random bytes.
type RandomSource = Arc<dyn Fn(&mut [u8]) + Send + Sync>;

/// Waits for a time.
type Pause = Arc<dyn Fn(Duration) -> BoxFuture<'static, ()> + Send + Sync>;

/// Clock and randomness of sync.
#[derive(Clone)]
pub struct SyncEnv {
    /// Milliseconds of Unix time on this machine.
    pub now_ms: Arc<dyn Fn() -> i64 + Send + Sync>,
    /// Fills a buffer with random bytes.
    pub random: RandomSource,
    /// Waits for a time.
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
    /// Returns random bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        (self.random)(&mut bytes);
        bytes
    }

    /// Waits for a random time of at most `most`.
    pub async fn pause_up_to(&self, most: Duration) {
        let share = f64::from(u32::from_be_bytes(self.bytes())) / f64::from(u32::MAX);
        (self.pause)(most.mul_f64(share)).await;
    }
}

/// Session of one cycle.
#[derive(Debug)]
pub struct SyncSession<'a, S, L> {
    /// Server.
    pub server: &'a S,
    /// List of this machine.
    pub list: &'a L,
    /// Clock and randomness.
    pub env: &'a SyncEnv,
    /// Account.
    pub account: SyncAccount,
    /// Keys of the records.
    pub keys: KeyRing,
    /// Hybrid clock.
    pub clock: HybridClock,
    /// The server's time of the latest response, in milliseconds.
    pub server_ms: i64,
    /// Hints of the latest response that had any.
    pub hints: ServerHints,
    /// Starts of the program on this machine.
    pub starts: StartHistory,
    /// Earlier identities of this machine.
    pub former: FormerIdentities,
    /// Whether all downloads and all held records must be looked at, also those that were not received in this cycle.
    pub needs_review: bool,
    /// Time before which past downloads were cleared, in milliseconds of Unix time.
    pub cleared_before_ms: Option<i64>,
    /// Server's time of a version that this machine has received, and of which the server now has an earlier one.
    pub lost_ms: Option<i64>,
    /// Number of objects that this session has received so far.
    pub received: Arc<AtomicU64>,
    /// Collections of the cycle.
    pub scope: CycleScope,
}

/// Why a version of the server is held back, as it is stored.
pub mod held {
    /// The record was written by a newer version.
    pub const NEWER: &str = "newer";
    /// The key of the record is not in the key ring.
    pub const UNKNOWN_KEY: &str = "unknown-key";
    /// The record was changed on its way, or belongs to another place.
    pub const TAMPERED: &str = "tampered";
    /// The record has a field that is not valid.
    pub const NOT_VALID: &str = "not-valid";
    /// The server refused the version of this machine.
    pub const REFUSED: &str = "refused";
}

impl<'a, S: SyncServer, L: LocalList> SyncSession<'a, S, L> {
    /// Begins a session with the clock that the list has stored, and with keys that were read from the server.
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
            received: Arc::default(),
            scope: CycleScope::default(),
        })
    }
}

impl<S: SyncServer, L: LocalList> SyncSession<'_, S, L> {
    /// Time of this machine. [`HybridClock`] corrects stamps by the server's time.
    pub fn now_ms(&self) -> i64 {
        (self.env.now_ms)()
    }

    /// Notes time and hints of an answer, and returns its content.
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

    /// Circumstances of a merge in this cycle.
    pub fn context(&self) -> MergeContext<'_> {
        MergeContext { device: &self.account.device, server_ms: self.server_ms }
    }

    /// Issues a stamp for an edit that a person makes now.
    pub fn stamp(&mut self) -> HybridStamp {
        let now_ms = self.now_ms();
        self.clock.tick(now_ms)
    }

    /// Makes later stamps of this device later than `stamp`.
    pub fn observe(&mut self, stamp: &HybridStamp) {
        let now_ms = self.now_ms();
        self.clock.observe(stamp, now_ms);
    }

    /// Returns a new random id of a record.
    pub fn new_id(&self) -> String {
        random_record_id(self.env.bytes())
    }

    /// Opens an object of the server. Fails with the code under which it is held back.
    pub fn open<T: SyncRecord>(&self, id: &str, payload: &str, modified_ms: i64) -> Result<T, &'static str> {
        let cleartext = self.keys.open_record(self.account.uid, T::COLLECTION, id, payload).map_err(|fault| match fault {
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

    /// Returns a record as other devices will read it: texts are clean, and a stamp far in the future is the server's time.
    ///
    /// Without this, a device whose clock is ahead would keep a later stamp than all others know, and its old value would
    /// win against their next edit.
    pub fn as_others_read<T: SyncRecord>(&self, record: T) -> T {
        // A record with a fault is refused when it is sealed.
        record.clone().judged(self.server_ms).unwrap_or(record)
    }

    /// Seals a record for the server.
    pub fn seal<T: SyncRecord>(&self, id: &str, record: &T) -> Result<String, SyncFault> {
        let cleartext = write_record(record).map_err(|_| SyncFault::Damaged)?;
        let nonce: [u8; NONCE_BYTES] = self.env.bytes();
        self.keys.seal_record(self.account.uid, T::COLLECTION, id, &cleartext, nonce).map_err(|_| SyncFault::Damaged)
    }
}

/// Reads a record of the ledger. A damaged one counts as missing: the server or the registration has it again.
pub fn parse<T: SyncRecord>(text: Option<&str>) -> Option<T> {
    text.and_then(|text| serde_json::from_str(text).ok())
}

/// Returns the text of a record for the ledger.
pub fn to_text<T: SyncRecord>(record: &T) -> String {
    // Cannot fail: all keys are texts.
    serde_json::to_string(record).unwrap_or_default()
}

/// Returns the write that holds a version of the server back. The versions that this machine knows stay.
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

/// Returns the writes that keep conflicts.
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
