//! Runs one cycle with the server: opens the keys, and stores the outcome.

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

/// Interval at which the end time of a cycle is written to the ledger. A machine without changes writes at most once in
/// each interval.
const NOTED_MS: i64 = 30 * 60 * 1000;
/// Interval at which all downloads are reviewed, so that a long-running program deletes old parts.
const REVIEWED_MS: i64 = 24 * 60 * 60 * 1000;
/// Interval between announcements of the progress of a first cycle.
const ANNOUNCED: Duration = Duration::from_secs(1);

impl SyncService {
    /// Runs a cycle immediately, because the user asked for it.
    pub async fn now(&self) -> Result<SyncCycleOutcome, SyncFault> {
        let report = self.run_once(CycleScope::Everything).await?;
        Ok(SyncCycleOutcome {
            received: report.received,
            sent: report.sent,
            arrived: report.arrived.into_iter().map(|send| send.title).collect(),
            is_restored: report.is_restored,
        })
    }

    /// Runs one cycle and stores its outcome.
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
            // Success with the scope `SendsOnly` does not show that the server has space for other records.
            Ok(_) if scope == CycleScope::SendsOnly && latest.space.is_some() => {}
            Ok(report) => {
                (latest.fault, latest.space) = (None, None);
                latest.backoff.on_success();
                // Records were received, so let the next status recount the downloads of other machines.
                latest.others = latest.others.filter(|_| report.received == 0);
                // The cached list of devices may lack a machine that joined later.
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

    /// Stores the end of a complete cycle in memory.
    ///
    /// Also writes it to the ledger, if records were exchanged or the time in the ledger is old.
    async fn note_synced(&self, report: &CycleReport, now_ms: i64) {
        self.latest().synced_ms = Some(now_ms);
        let Ok(Some(account)) = self.account().await else { return };
        let is_recent = account.synced_ms.is_some_and(|ms| now_ms.saturating_sub(ms) < NOTED_MS);
        if report.received + report.sent > 0 || !is_recent {
            let noted = edit_account(&self.0.engine, |account| {
                account.synced_ms = Some(now_ms);
                // The first complete cycle after a loss sends all lost records again. Therefore the number of sent
                // records is the number of restored records.
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
        // If this cycle fails, the next cycle must review all downloads.
        session.needs_review = !self.take_reviewed();
        session.scope = scope;
        session.former.devices = former_devices(&self.0.engine).await;
        if session.account.synced_ms.is_none() && scope == CycleScope::Everything {
            self.begin_reading(&server, &session.received).await?;
        }
        let mut report = run_cycle(&mut session, &own, listing.collections).await?;
        // Report the loss here: `run_cycle` detects a loss from the known server times, and a reset deletes these
        // times.
        report.is_restored |= is_reset;
        let (hints, mut latest) = (session.hints, self.latest());
        latest.reviewed_ms = latest.reviewed_ms.or(Some((self.0.env.now_ms)()));
        latest.is_reviewed = !session.needs_review;
        latest.backoff.on_response((self.0.env.now_ms)(), hints.retry_after_s, hints.backoff_s);
        drop(latest);
        Ok(report)
    }

    /// Whether the latest review of all downloads is still valid. If this cycle fails, the next one reviews all
    /// downloads.
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

    /// Shows the progress of the first cycle in the status. `received` counts the records that the cycle has received.
    async fn begin_reading(&self, server: &HttpServer, received: &Arc<AtomicU64>) -> Result<(), SyncFault> {
        // Without a number of records from the server, show no progress.
        let Ok(counts) = server.collection_counts().await else { return Ok(()) };
        let total = COLLECTIONS.iter().filter_map(|name| counts.value.get(*name)).sum();
        // Include the records from an earlier, interrupted cycle.
        let known = self.record_counts().await?.iter().map(|count| count.on_server).sum();
        received.store(known, Relaxed);
        self.latest().reading = (total > 0).then(|| (received.clone(), total));
        Ok(())
    }

    /// Opens the keys on the server, and accepts a renewed root key.
    ///
    /// Does not read unchanged keys again. `times` contains the times of all collections.
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
        // Review all downloads again: the new keys may open records that could not be opened before.
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
