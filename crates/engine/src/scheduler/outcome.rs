//! Turns the events of transfers into entries for the ledger.
//!
//! `apply_events` calls this module. The entries are in `ledger_update`, and `failure_effect` classifies failures.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    time::Duration,
};

use ashore_transfer::{
    CompletedTransfer, FailureKind, Guid, TransferEvent as News, TransferFailure, TransferOutcome, Verification,
};

use crate::{
    context::{running::RunningTransfers, shared::EngineContext},
    folders::PendingProbe,
    gates::{decision, host_cooldown::HostCooldown, running_transfer::RunningTransfer},
    model::{GateState, RecordedRestart, UserMessage, messages},
    platform::env::EngineEnv,
    scheduler::{
        failure_effect::{
            HostState, cooldown_after, is_cut, is_full, is_of_folder, is_of_machine, is_of_portal, is_unreached, micros, of_host,
        },
        host_limits::HostSlots,
        ledger_update::{ChecksumRole, FollowUpAction, LedgerUpdate},
        retry_policy::{FAILURES_BEFORE_COOLDOWN, PROGRESS, RetryDecision, RetryPolicy},
    },
    store::{CompletedResponse, FailedResponse, FileIdentity, ReleaseOutcome, RunRow},
};

/// Minimum number of free bytes before a retry on a full disk.
///
/// It applies if the rest of the file plus the configured minimum of free space is smaller.
const LEAST_FREE: u64 = 1 << 20;
/// Delay in microseconds before a file that did not fit is tried again.
///
/// The cause may be a quota of the user on that disk, while the disk itself has space.
const LOOK_AGAIN_US: i64 = 60_000_000;
/// Pause in microseconds after the disk itself reported too little space.
///
/// After the pause, the disk gate keeps the request waiting.
const AT_GATE_US: i64 = 1_000_000;

/// Average pause before a retry, if the machine caused the failure: too many open files, or an absent disk.
const MACHINE_PAUSE: Duration = Duration::from_secs(5);

impl LedgerUpdate {
    /// Returns the entry for an event; `None` if the ledger records nothing.
    ///
    /// `files` has the current identities of the files in the event.
    pub(super) fn decide(
        news: News,
        live: &RunningTransfers,
        load: &HostSlots,
        (rules, files): (&RetryPolicy, &HashMap<PathBuf, FileIdentity>),
        shared: &EngineContext,
    ) -> Option<Self> {
        match news {
            News::Head { guid, head, restart, stored } => {
                Some(Self::Head { guid, head, restart: restart.map(RecordedRestart::from), stored: Some(stored) })
            }
            News::Fetched { .. } => None,
            News::Done { guid, outcome } => {
                let transfer = live.transfer(guid);
                let folder = transfer.map(|transfer| transfer.folder.clone()).unwrap_or_default();
                Some(EndedRun { guid, transfer, folder, load, rules, shared }.entry(outcome, files))
            }
        }
    }

    /// Returns the folder of a failed transfer if an absent disk or outdated information on free space may be the
    /// cause.
    pub(super) fn folder_in_doubt<'a>(news: &News, live: &'a RunningTransfers) -> Option<&'a Path> {
        match news {
            News::Done { guid, outcome: TransferOutcome::Failed { failure, .. } }
                if is_of_folder(failure) || is_full(failure) =>
            {
                live.transfer(*guid).map(|transfer| transfer.folder.as_path())
            }
            _ => None,
        }
    }
}

/// An ended run of a transfer, and the state that decides how the transfer continues.
struct EndedRun<'a> {
    guid: Guid,
    transfer: Option<&'a RunningTransfer>,
    folder: PathBuf,
    load: &'a HostSlots,
    rules: &'a RetryPolicy,
    shared: &'a EngineContext,
}

impl EndedRun<'_> {
    /// Returns the entry for `outcome`.
    fn entry(self, outcome: TransferOutcome, files: &HashMap<PathBuf, FileIdentity>) -> LedgerUpdate {
        // Ashore has fetched nothing, so it must not delete the file later. Record the completion without the file's
        // identity.
        let existing = self.transfer.and_then(|transfer| transfer.existing.clone());
        let is_existing = existing.is_some() && !matches!(outcome, TransferOutcome::Completed(_));
        let outcome = existing.filter(|_| is_existing).and_then(|path| as_it_is(path, files, &outcome)).unwrap_or(outcome);
        match outcome {
            TransferOutcome::Completed(done) => {
                let identity = done.path.as_ref().filter(|_| !is_existing).and_then(|path| files.get(path).copied());
                self.completed(done, identity)
            }
            TransferOutcome::Stopped { bytes, sent } => self.stopped(bytes, sent),
            TransferOutcome::Failed { failure, bytes } => self.failed(failure, bytes),
        }
    }

    fn completed(self, done: CompletedTransfer, identity: Option<FileIdentity>) -> LedgerUpdate {
        let vouching = match (self.transfer.is_some_and(|transfer| transfer.vouches), done.computed) {
            (true, _) => Some(ChecksumRole::Vouches(Vec::new())),
            (false, computed) => computed.map(ChecksumRole::VouchedFor),
        };
        let body_size = self.transfer.and_then(|transfer| transfer.body_size);
        let response = CompletedResponse {
            path: done.path,
            size: done.size,
            digest: done.digest,
            verified: done.verified.into(),
            missing: done.missing.into_iter().map(Into::into).collect(),
            is_upload: body_size.is_some(),
            uploaded: body_size.unwrap_or_default(),
            run: self.run(done.size),
        };
        let following = self.following();
        LedgerUpdate::Completed { guid: self.guid, response, identity, folder: self.folder, vouching, following }
    }

    fn stopped(self, bytes: u64, sent: u64) -> LedgerUpdate {
        let room = self.transfer.and_then(|transfer| transfer.room.as_deref());
        let lacks_room = room.is_some_and(|room| room.short(bytes).is_some());
        if sent > 0 {
            let failure = TransferFailure { sent, ..TransferFailure::new(FailureKind::UploadInterrupted, "stopped") };
            self.dead(&failure, bytes, None)
        } else if self.is_optional() && lacks_room {
            // An optional request does not wait until the quota has space for the announced file.
            let failure = TransferFailure::new(FailureKind::QuotaReached, "no room for what the answer says of itself");
            self.dead(&failure, bytes, None)
        } else {
            self.set_back(bytes)
        }
    }

    /// Returns the entry for a failure. A failure that was not caused by the request is not counted as a try.
    fn failed(self, failure: TransferFailure, bytes: u64) -> LedgerUpdate {
        let is_optional = self.is_optional();
        match failure.kind {
            // The quota reservation of the transfer already records the missing amount.
            FailureKind::QuotaReached if !is_optional => self.set_back(bytes),
            _ if !is_optional && may_fit_later(&failure, &self.folder, &self.shared.env) => self.did_not_fit(&failure, bytes),
            // The transfer continues when the disk is back, and no try is counted.
            _ if is_of_folder(&failure) && is_away(self.guid, self.transfer, self.shared) => {
                let bytes = bytes.max(self.transfer.map_or(0, |transfer| transfer.kept));
                self.set_back(bytes)
            }
            // The transfer continues when other files are closed or the disk is back, so no try is counted.
            _ if !is_optional && is_of_machine(&failure) && failure.is_transient() => {
                let env = &self.shared.env;
                let not_before_us = env.now().saturating_add(micros(MACHINE_PAUSE.mul_f64(0.5 + (env.random)())));
                let how =
                    ReleaseOutcome::Blameless { not_before_us, trouble: messages::of_failure(&failure), run: self.run(bytes) };
                self.back(bytes, how, None)
            }
            _ if self.transfer.is_some_and(|transfer| transfer.is_skipped) => self.dead(&failure, bytes, None),
            _ => self.tried(&failure, bytes),
        }
    }

    /// Returns the entry for a file that did not fit on a full disk but may fit later.
    fn did_not_fit(self, failure: &TransferFailure, bytes: u64) -> LedgerUpdate {
        let total = self.transfer.and_then(RunningTransfer::total);
        let left = failure.needs_free.or(total.map(|total| total.saturating_sub(bytes))).unwrap_or_default();
        let needed = left.saturating_add(self.rules.floor).max(LEAST_FREE);
        let gate = decision::disk(&self.folder.to_string_lossy(), self.shared.free(&self.folder), needed, 0);
        let mut trouble = messages::of_failure(failure);
        let is_kept = gate.state == GateState::Closed;
        if is_kept {
            trouble = UserMessage::restore(&trouble.code, Some("short".to_owned()), gate.args, None);
        }
        let not_before_us = self.shared.env.now().saturating_add(if is_kept { AT_GATE_US } else { LOOK_AGAIN_US });
        let how = ReleaseOutcome::Blameless { not_before_us, trouble, run: self.run(bytes) };
        let short = self.transfer.map(|transfer| (transfer.unique_id, needed));
        LedgerUpdate::Back { guid: self.guid, bytes, how, cooldown: None, short, folder: self.folder }
    }

    /// Returns the entry for a failed try: a retry after a delay, or the end.
    fn tried(self, failure: &TransferFailure, bytes: u64) -> LedgerUpdate {
        let (rules, load, env) = (self.rules, self.load, &self.shared.env);
        let host = self.transfer.map(|transfer| transfer.host);
        let is_unreached = is_unreached(failure);
        let is_known = is_unreached && host.is_some_and(|host| load.rests_unreached(host, env.now()));
        if rules.is_offline && (is_cut(failure) || is_of_portal(failure)) || is_known && !self.is_optional() {
            // Do not count this as a try: without a network every request fails in this way, and the cooldown already
            // counts the failure of the host.
            return self.set_back(bytes);
        }
        let (had, attempt) = self.transfer.map_or((0, 0), |transfer| (transfer.progress_from, transfer.attempt));
        let progressed = bytes >= had.saturating_add(PROGRESS);
        let of_host = match (host, of_host(failure)) {
            (Some(host), _) if is_unreached => load.unreached(host),
            (Some(host), HostState::Fails) => load.failing(host).saturating_sub(FAILURES_BEFORE_COOLDOWN),
            _ => 0,
        };
        let failed_before = if progressed { 0 } else { attempt.max(of_host) };
        let verdict = rules.for_failure(failure, bytes).verdict(failure, failed_before, (env.random)());
        let cooldown = host.zip(cooldown_after(failure, verdict, env.now())).filter(|_| !is_known);
        match verdict {
            RetryDecision::Again(wait) if !self.is_optional() => {
                let not_before_us = env.now().saturating_add(micros(wait));
                let (trouble, status) = (messages::of_failure(failure), failure.status);
                let run = by_way_of(failure, self.run(bytes));
                self.back(bytes, ReleaseOutcome::Waiting { not_before_us, trouble, status, progressed, run }, cooldown)
            }
            RetryDecision::Again(_) | RetryDecision::Never => self.dead(failure, bytes, cooldown),
        }
    }

    fn is_optional(&self) -> bool {
        self.transfer.is_some_and(|transfer| transfer.is_optional)
    }

    fn following(&self) -> Option<FollowUpAction> {
        self.transfer.and_then(|transfer| transfer.chain.as_deref()).map(FollowUpAction::from_chain)
    }

    /// Returns the row for this run. The transfer has `bytes` bytes after this run.
    fn run(&self, bytes: u64) -> RunRow {
        self.transfer.map_or_else(RunRow::default, |transfer| RunRow {
            started_us: Some(transfer.begun_us),
            brought: Some(transfer.brought(bytes)),
            url_chain: Vec::new(),
        })
    }

    /// Returns an entry that puts the transfer back to its place in the queue without counting a try.
    fn set_back(self, bytes: u64) -> LedgerUpdate {
        LedgerUpdate::set_back(self.guid, bytes, self.folder)
    }

    fn back(self, bytes: u64, how: ReleaseOutcome, cooldown: Option<(i64, HostCooldown)>) -> LedgerUpdate {
        LedgerUpdate::Back { guid: self.guid, bytes, how, cooldown, short: None, folder: self.folder }
    }

    fn dead(self, failure: &TransferFailure, bytes: u64, cooldown: Option<(i64, HostCooldown)>) -> LedgerUpdate {
        let response = FailedResponse {
            reason: messages::reason(failure.kind),
            trouble: messages::of_failure(failure),
            status: failure.status,
            bytes,
            uploaded: failure.sent,
            run: by_way_of(failure, self.run(bytes)),
        };
        let following = self.following();
        LedgerUpdate::Dead { guid: self.guid, response, folder: self.folder, following, cooldown }
    }
}

/// Returns the completion of a transfer whose file existed already.
///
/// `None` if the file no longer exists.
fn as_it_is(path: PathBuf, files: &HashMap<PathBuf, FileIdentity>, outcome: &TransferOutcome) -> Option<TransferOutcome> {
    let is_sent = matches!(outcome, TransferOutcome::Stopped { sent: 1.., .. });
    let size = u64::from_ne_bytes(files.get(&path).filter(|_| !is_sent)?.size.to_ne_bytes());
    Some(TransferOutcome::Completed(CompletedTransfer {
        path: Some(path),
        size,
        verified: Verification::No,
        digest: None,
        computed: None,
        missing: Vec::new(),
    }))
}

/// Returns `run` with the chain of URLs that led to the failure.
fn by_way_of(failure: &TransferFailure, run: RunRow) -> RunRow {
    RunRow { url_chain: failure.via.iter().map(ToString::to_string).collect(), ..run }
}

/// Returns whether the partial file of a transfer is on a disk that is absent now.
fn is_away(guid: Guid, transfer: Option<&RunningTransfer>, shared: &EngineContext) -> bool {
    let begun = transfer.filter(|transfer| transfer.has_begun && transfer.body_size.is_none());
    begun.is_some_and(|transfer| {
        shared.folders.is_away(
            transfer.unique_id,
            &transfer.folder,
            &PendingProbe { tag: guid.tag(), has_bytes: transfer.kept > 0 },
        )
    })
}

/// Returns whether the disk is full now but may have enough space later.
///
/// A file larger than the whole disk is an ordinary failure: a wrong length must not delay other requests.
fn may_fit_later(failure: &TransferFailure, folder: &Path, env: &EngineEnv) -> bool {
    let could_fit = |needed| (env.capacity)(folder).is_none_or(|capacity| needed <= capacity);
    is_full(failure) && failure.is_transient() && failure.needs_free.is_none_or(could_fit)
}
