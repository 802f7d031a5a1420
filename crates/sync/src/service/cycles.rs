//! Runs one cycle with the server: opens the keys, and notes the outcome.

use std::{
    collections::BTreeMap,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use crate::{
    cycle::{COLLECTIONS, CycleReport, SyncAccount, SyncFault, SyncSession, edit_account, run_cycle},
    keys::KeyRing,
    merge::CycleScope,
    server::{CollectionPoll, HttpServer, SyncServer as _},
    service::{
        clearing::message_with_space,
        rejoining::former_devices,
        status::{SyncCycleOutcome, clock_ahead},
        sync_service::SyncService,
        unlock::{KEYS, OpenedKeys, SyncSecrets, keep_root, open_keys},
    },
};

/// Age at which the time of the latest cycle is written to the ledger again. A machine without changes writes to the
/// ledger no more often than this.
const NOTED_MS: i64 = 30 * 60 * 1000;
/// Time after which all downloads are reviewed again, so that a program that runs for long deletes old parts.
const REVIEWED_MS: i64 = 24 * 60 * 60 * 1000;
/// Time between two announcements of the progress of a first cycle.
const ANNOUNCED: Duration = Duration::from_secs(1);

impl SyncService {
    /// Runs a cycle immediately, because a person asked for it.
    pub async fn now(&self) -> Result<SyncCycleOutcome, SyncFault> {
        let report = self.run_once(CycleScope::Everything).await?;
        Ok(SyncCycleOutcome {
            received: report.received,
            sent: report.sent,
            arrived: report.arrived.into_iter().map(|send| send.title).collect(),
            is_restored: report.is_restored,
        })
    }

    /// Runs one cycle and notes its outcome.
    pub(super) async fn run_once(&self, scope: CycleScope) -> Result<CycleReport, SyncFault> {
        let _at_work = self.0.at_work.lock().await;
        let result = self.while_announced(self.cycle(scope)).await;
        let now_ms = (self.0.env.now_ms)();
        let space = match &result {
            Err(fault) => self.space(fault).await,
            Ok(_) => None,
        };
        if let (Ok(report), CycleScope::Everything) = (&result, scope) {
            self.note_synced(report, now_ms).await;
        }
        let mut latest = self.latest();
        latest.reading = None;
        match &result {
            // A cycle with the scope `SendsOnly` does not show whether the server has space for other records.
            Ok(_) if scope == CycleScope::SendsOnly && latest.space.is_some() => {}
            Ok(report) => {
                (latest.fault, latest.space) = (None, None);
                latest.backoff.on_success();
                // If records were received, the next status counts the downloads of other machines again.
                latest.others = latest.others.filter(|_| report.received == 0);
                // The list of devices that was read earlier lacks a machine that has joined since.
                if report.received > 0 {
                    latest.listed = None;
                }
            }
            Err(SyncFault::Off) => {}
            Err(fault) => {
                (latest.space, latest.others) = (space, None);
                if let SyncFault::Server(failure) = fault {
                    latest.backoff.on_response(now_ms, failure.hints.retry_after_s, failure.hints.backoff_s);
                }
                latest.backoff.on_failure(now_ms, u64::from_be_bytes(self.0.env.bytes()));
                latest.fault = Some(message_with_space(fault, space));
            }
        }
        drop(latest);
        if !matches!(result, Err(SyncFault::Off)) {
            self.0.engine.announce_sync();
        }
        result
    }

    /// Waits for a cycle. If this is the first cycle, announces its progress.
    async fn while_announced<T>(&self, cycle: impl Future<Output = T>) -> T {
        let mut cycle = pin!(cycle);
        loop {
            match tokio::time::timeout(ANNOUNCED, &mut cycle).await {
                Ok(result) => return result,
                Err(_) if self.latest().reading.is_some() => self.0.engine.announce_sync(),
                Err(_) => {}
            }
        }
    }

    /// Records the end of a complete cycle in memory. If records were exchanged, or the time in the ledger is old, also
    /// writes the end to the ledger.
    async fn note_synced(&self, report: &CycleReport, now_ms: i64) {
        self.latest().synced_ms = Some(now_ms);
        let Ok(Some(account)) = self.account().await else { return };
        let is_recent = account.synced_ms.is_some_and(|ms| now_ms.saturating_sub(ms) < NOTED_MS);
        if report.received + report.sent > 0 || !is_recent {
            let noted = edit_account(&self.0.engine, |account| {
                account.synced_ms = Some(now_ms);
                // The first complete cycle after a loss sends all lost records again, so the number of records that it
                // sent is the number of restored records.
                if let Some(restored) = account.restored.as_mut().filter(|restored| restored.records == 0) {
                    restored.records = report.sent;
                }
            });
            if let Err(error) = noted.await {
                tracing::info!(%error, "time of the cycle was not stored");
            }
        }
    }

    async fn cycle(&self, scope: CycleScope) -> Result<CycleReport, SyncFault> {
        let (account, secrets, server) = self.server().await?;
        let starts = self.starts(&account).await?;
        let start = starts.latest().cloned().ok_or(SyncFault::Damaged)?;
        let own = account.device_record(*secrets.device.public().bytes(), start);
        let answer = server.info_collections(None).await?;
        let hints = answer.hints;
        let CollectionPoll::Listed(listing) = answer.value else { return Ok(CycleReport::default()) };
        self.latest().clock_ahead_ms = clock_ahead((self.0.env.now_ms)(), listing.server_time_ms);
        let earlier = account.restored.clone();
        let (account, keys) = self.unlocked(account, &secrets, &server, &listing.collections).await?;
        let is_reset = account.restored != earlier;
        let mut session = SyncSession::begin(&server, &self.0.engine, &self.0.env, account, keys).await?;
        session.server_ms = listing.server_time_ms;
        (session.hints, session.starts) = (hints, starts);
        // If this cycle fails, the next one reviews all downloads.
        session.needs_review = !self.take_reviewed();
        session.scope = scope;
        session.former.devices = former_devices(&self.0.engine).await;
        if session.account.synced_ms.is_none() && scope == CycleScope::Everything {
            self.begin_reading(&server, &session.received).await?;
        }
        let mut report = run_cycle(&mut session, &own, listing.collections).await?;
        // `run_cycle` detects a loss by comparing times of the server. A reset deletes all these times, so report it
        // here.
        report.is_restored |= is_reset;
        let (hints, mut latest) = (session.hints, self.latest());
        latest.reviewed_ms = latest.reviewed_ms.or(Some((self.0.env.now_ms)()));
        latest.is_reviewed = !session.needs_review;
        latest.backoff.on_response((self.0.env.now_ms)(), hints.retry_after_s, hints.backoff_s);
        drop(latest);
        Ok(report)
    }

    /// Whether the latest review of all downloads is still valid. The next cycle reviews them unless this one succeeds.
    fn take_reviewed(&self) -> bool {
        let now_ms = (self.0.env.now_ms)();
        let mut latest = self.latest();
        let is_recent = latest.reviewed_ms.is_some_and(|ms| (0..REVIEWED_MS).contains(&now_ms.saturating_sub(ms)));
        let is_reviewed = std::mem::take(&mut latest.is_reviewed) && is_recent;
        if !is_reviewed {
            latest.reviewed_ms = None;
        }
        is_reviewed
    }

    /// Lets the status show the progress of the first cycle. `received` counts the records that the cycle receives.
    async fn begin_reading(&self, server: &HttpServer, received: &Arc<AtomicU64>) -> Result<(), SyncFault> {
        // If the server does not state the number of records, the progress is not shown.
        let Ok(counts) = server.collection_counts().await else { return Ok(()) };
        let total = COLLECTIONS.iter().filter_map(|name| counts.value.get(*name)).sum();
        // Count the records that an earlier, interrupted cycle has received.
        let known = self.record_counts().await?.iter().map(|count| count.on_server).sum();
        received.store(known, Relaxed);
        self.latest().reading = (total > 0).then(|| (received.clone(), total));
        Ok(())
    }

    /// Opens the keys of the server, and takes over a renewed root key. Keys that have not changed are not read again.
    /// `times` contains the times of all collections.
    async fn unlocked(
        &self,
        account: SyncAccount,
        secrets: &SyncSecrets,
        server: &HttpServer,
        times: &BTreeMap<String, i64>,
    ) -> Result<(SyncAccount, KeyRing), SyncFault> {
        let keys_ms = times.get(KEYS.0).copied();
        let known = self.latest().keys.clone().filter(|(modified_ms, _)| Some(*modified_ms) == keys_ms);
        if let Some((_, ring)) = known {
            return Ok((account, ring));
        }
        let opened = match self.open_keys(&account, secrets, server).await {
            Err(fault) => self.open_restored_keys(&account, secrets, server, times, fault).await?,
            Ok(opened) => opened,
        };
        self.note_restored_keys(&opened.sealed, times).await?;
        let engine = &self.0.engine;
        if let Some(root) = &opened.renewed {
            keep_root(engine, root).await?;
        }
        self.keep_keys(server, &opened).await?;
        let account = edit_account(engine, |account| account.generation = opened.ring.generation()).await?;
        let mut latest = self.latest();
        latest.keys = keys_ms.map(|modified_ms| (modified_ms, opened.ring.clone()));
        // Records that were held back can possibly be opened with the new keys.
        latest.is_reviewed = false;
        drop(latest);
        Ok((account, opened.ring))
    }

    pub(super) async fn open_keys(
        &self,
        account: &SyncAccount,
        secrets: &SyncSecrets,
        server: &HttpServer,
    ) -> Result<OpenedKeys, SyncFault> {
        let device = (account.device.as_str(), &secrets.device);
        let known = (Some(account.sync_id.as_str()), account.generation);
        open_keys(server, account.uid, known, &secrets.root, Some(device)).await
    }
}
