//! Turns the events of transfers into entries for the ledger.
//!
//! An entry is decided once, before the write, so that a failed write can be retried without a change.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    time::Duration,
};

use ashore_transfer::{
    CompletedTransfer, FailureKind, FileDigest, Guid, ResponseSummary, TransferEvent as News, TransferFailure, TransferOutcome,
    Verification, checksum_file::ListedChecksum,
};
use tokio::sync::oneshot;

use crate::{
    context::{running::RunningTransfers, shared::EngineContext},
    folders::PendingProbe,
    gates::{
        decision,
        host_rest::{CooldownReason, HostCooldown},
        running_transfer::RunningTransfer,
    },
    intake::follow_up::FollowUpChain,
    model::{GateState, RecordedRestart, UniqueId, UserMessage, accepted::AcceptedRequest, messages},
    platform::env::EngineEnv,
    scheduler::{
        host_limits::HostSlots,
        retry_policy::{FAILURES_BEFORE_REST, PROGRESS, RetryDecision, RetryPolicy, SHORTEST_ASKED, asked_wait},
    },
    store::{CompletedResponse, FailedResponse, FileIdentity, PutBack, ResponseHeadRow, RunRow},
};

/// Minimum free bytes before a full disk is tried again, if the configured floor is lower.
const LEAST_FREE: u64 = 1 << 20;
/// Pause before a file that did not fit is tried again, in µs.
///
/// The full limit may be a quota, while the disk has space.
const LOOK_AGAIN_US: i64 = 60_000_000;
/// Pause if the disk itself reports too little space, in µs.
///
/// After the pause, the disk gate keeps the request waiting.
const AT_GATE_US: i64 = 1_000_000;

/// Mean pause before a retry after too many files were open.
const ROOM: Duration = Duration::from_secs(5);

/// Entry for the ledger, with the answer that its transfer gets after the write.
#[derive(Debug)]
pub(super) enum LedgerUpdate {
    /// Head of a response (op 5), acknowledged when it is durable.
    ///
    /// Without a sender, the transfer must not continue.
    Head { guid: Guid, head: ResponseSummary, restart: Option<RecordedRestart>, stored: Option<oneshot::Sender<()>> },
    /// Completion (op 6).
    Completed {
        guid: Guid,
        response: CompletedResponse,
        identity: Option<FileIdentity>,
        folder: PathBuf,
        vouching: Option<ChecksumRole>,
        following: Option<FollowUpAction>,
    },
    /// Final failure (op 6).
    Dead {
        guid: Guid,
        response: FailedResponse,
        folder: PathBuf,
        following: Option<FollowUpAction>,
        rest: Option<(i64, HostCooldown)>,
    },
    /// Return of a transfer to the queue, to continue later.
    Back {
        guid: Guid,
        bytes: u64,
        how: PutBack,
        rest: Option<(i64, HostCooldown)>,
        short: Option<(UniqueId, u64)>,
        folder: PathBuf,
    },
}

impl LedgerUpdate {
    /// Returns the entry for an event; `None` where the ledger records nothing.
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
            News::Done { guid, outcome } => Some(Self::done(guid, outcome, live, load, (rules, files), shared)),
        }
    }

    /// Returns an entry that puts a transfer back to its place in the queue without counting a try.
    pub(super) fn set_back(guid: Guid, bytes: u64, folder: PathBuf) -> Self {
        Self::Back { guid, bytes, how: PutBack::Pending, rest: None, short: None, folder }
    }

    fn done(
        guid: Guid,
        outcome: TransferOutcome,
        live: &RunningTransfers,
        load: &HostSlots,
        (rules, files): (&RetryPolicy, &HashMap<PathBuf, FileIdentity>),
        shared: &EngineContext,
    ) -> Self {
        let env = &shared.env;
        let transfer = live.transfer(guid);
        let folder = transfer.map(|transfer| transfer.folder.clone()).unwrap_or_default();
        let following = transfer.and_then(|transfer| transfer.chain.as_deref()).map(FollowUpAction::from_chain);
        let is_optional = transfer.is_some_and(|transfer| transfer.is_optional);
        let room = transfer.and_then(|transfer| transfer.room.as_deref());
        let lacks_room = |bytes| room.is_some_and(|room| room.short(bytes).is_some());
        let run = |bytes| {
            transfer.map_or_else(RunRow::default, |transfer| RunRow {
                started_us: Some(transfer.begun_us),
                brought: Some(transfer.brought(bytes)),
                url_chain: Vec::new(),
            })
        };
        // Nothing was fetched, so the file is not ours to delete: record the completion without the file's identity.
        let existing = transfer.and_then(|transfer| transfer.existing.clone());
        let is_existing = existing.is_some() && !matches!(outcome, TransferOutcome::Completed(_));
        let outcome = existing.filter(|_| is_existing).and_then(|path| as_it_is(path, files, &outcome)).unwrap_or(outcome);
        match outcome {
            TransferOutcome::Completed(done) => {
                let identity = done.path.as_ref().filter(|_| !is_existing).and_then(|path| files.get(path).copied());
                let vouching = match (transfer.is_some_and(|transfer| transfer.vouches), done.computed) {
                    (true, _) => Some(ChecksumRole::Vouches(Vec::new())),
                    (false, computed) => computed.map(ChecksumRole::VouchedFor),
                };
                let body_size = transfer.and_then(|transfer| transfer.body_size);
                let response = CompletedResponse {
                    path: done.path,
                    size: done.size,
                    digest: done.digest,
                    verified: done.verified.into(),
                    missing: done.missing.into_iter().map(Into::into).collect(),
                    is_upload: body_size.is_some(),
                    uploaded: body_size.unwrap_or_default(),
                    run: run(done.size),
                };
                Self::Completed { guid, response, identity, folder, vouching, following }
            }
            // An optional request does not wait until the quota has space for the announced file.
            TransferOutcome::Stopped { bytes, sent: 0 } if is_optional && lacks_room(bytes) => {
                let failure = TransferFailure::new(FailureKind::QuotaReached, "no room for what the answer says of itself");
                Self::dead(guid, &failure, bytes, run(bytes), folder, following, None)
            }
            TransferOutcome::Stopped { bytes, sent: 0 } => {
                Self::Back { guid, bytes, how: PutBack::Pending, rest: None, short: None, folder }
            }
            TransferOutcome::Stopped { bytes, sent } => {
                let failure = TransferFailure { sent, ..TransferFailure::new(FailureKind::UploadInterrupted, "stopped") };
                Self::dead(guid, &failure, bytes, run(bytes), folder, following, None)
            }
            // The quota reservation of the transfer records the missing amount.
            TransferOutcome::Failed { failure: TransferFailure { kind: FailureKind::QuotaReached, .. }, bytes }
                if !is_optional =>
            {
                Self::Back { guid, bytes, how: PutBack::Pending, rest: None, short: None, folder }
            }
            TransferOutcome::Failed { failure, bytes } if !is_optional && may_fit_later(&failure, &folder, env) => {
                let total = transfer.and_then(RunningTransfer::total);
                let left = failure.needs_free.or(total.map(|total| total.saturating_sub(bytes))).unwrap_or_default();
                let needed = left.saturating_add(rules.floor).max(LEAST_FREE);
                let gate = decision::disk(&folder.to_string_lossy(), shared.free(&folder), needed);
                let mut trouble = messages::of_failure(&failure);
                let is_kept = gate.state == GateState::Closed;
                if is_kept {
                    trouble = UserMessage::restore(&trouble.code, Some("short".to_owned()), gate.args, None);
                }
                let not_before_us = env.now().saturating_add(if is_kept { AT_GATE_US } else { LOOK_AGAIN_US });
                let how = PutBack::Blameless { not_before_us, trouble, run: run(bytes) };
                let short = transfer.map(|transfer| (transfer.unique_id, needed));
                Self::Back { guid, bytes, how, rest: None, short, folder }
            }
            // The transfer continues when the disk is back, and no try is counted.
            TransferOutcome::Failed { failure, bytes } if is_of_folder(&failure) && is_away(guid, transfer, shared) => {
                let bytes = bytes.max(transfer.map_or(0, |transfer| transfer.kept));
                Self::Back { guid, bytes, how: PutBack::Pending, rest: None, short: None, folder }
            }
            // The transfer continues when other files are closed or the disk is back, so no try is counted.
            TransferOutcome::Failed { failure, bytes } if !is_optional && is_of_machine(&failure) && failure.is_transient() => {
                let wait = ROOM.mul_f64(0.5 + (env.random)());
                let not_before_us = env.now().saturating_add(i64::try_from(wait.as_micros()).unwrap_or(i64::MAX));
                let how = PutBack::Blameless { not_before_us, trouble: messages::of_failure(&failure), run: run(bytes) };
                Self::Back { guid, bytes, how, rest: None, short: None, folder }
            }
            TransferOutcome::Failed { failure, bytes } if transfer.is_some_and(|transfer| transfer.is_skipped) => {
                Self::dead(guid, &failure, bytes, run(bytes), folder, following, None)
            }
            TransferOutcome::Failed { failure, bytes } => {
                let (had, attempt, host) =
                    transfer.map_or((0, 0, None), |transfer| (transfer.progress_from, transfer.attempt, Some(transfer.host)));
                let is_unreached = is_unreached(&failure);
                let is_known = is_unreached && host.is_some_and(|host| load.rests_unreached(host, env.now()));
                if rules.is_offline && (is_cut(&failure) || is_of_portal(&failure)) || is_known && !is_optional {
                    // Count no try: without a network every request ends like this, and a host in cooldown has already
                    // been counted.
                    return Self::Back { guid, bytes, how: PutBack::Pending, rest: None, short: None, folder };
                }
                let progressed = bytes >= had.saturating_add(PROGRESS);
                let of_host = match (host, of_host(&failure)) {
                    (Some(host), _) if is_unreached => load.unreached(host),
                    (Some(host), HostState::Fails) => load.failing(host).saturating_sub(FAILURES_BEFORE_REST),
                    _ => 0,
                };
                let failed_before = if progressed { 0 } else { attempt.max(of_host) };
                let verdict = rules.for_failure(&failure, bytes).verdict(&failure, failed_before, (env.random)());
                let rest = host.zip(rest_after(&failure, verdict, env.now())).filter(|_| !is_known);
                match verdict {
                    RetryDecision::Again(wait) if !is_optional => {
                        let not_before_us = env.now().saturating_add(micros(wait));
                        let (trouble, status) = (messages::of_failure(&failure), failure.status);
                        let how =
                            PutBack::Waiting { not_before_us, trouble, status, progressed, run: by_way_of(&failure, run(bytes)) };
                        Self::Back { guid, bytes, how, rest, short: None, folder }
                    }
                    RetryDecision::Again(_) | RetryDecision::Never => {
                        Self::dead(guid, &failure, bytes, run(bytes), folder, following, rest)
                    }
                }
            }
        }
    }

    fn dead(
        guid: Guid,
        failure: &TransferFailure,
        bytes: u64,
        run: RunRow,
        folder: PathBuf,
        following: Option<FollowUpAction>,
        rest: Option<(i64, HostCooldown)>,
    ) -> Self {
        let response = FailedResponse {
            reason: messages::reason(failure.kind),
            trouble: messages::of_failure(failure),
            status: failure.status,
            bytes,
            uploaded: failure.sent,
            run: by_way_of(failure, run),
        };
        Self::Dead { guid, response, folder, following, rest }
    }

    /// Returns the folder of a failure that an absent disk or outdated free space may have caused.
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

    /// Returns the transfer whose counted bytes are dropped, and whether it has restarted its file.
    ///
    /// A resumed run emits the same head again without having restarted the file.
    pub(super) fn started_over(&self) -> Option<(Guid, bool)> {
        match self {
            Self::Head { guid, head, restart, .. } if head.status != 206 => Some((*guid, restart.is_some())),
            _ => None,
        }
    }

    /// Returns the head of a response, with its transfer.
    pub(super) fn head(&self) -> Option<(Guid, &ResponseSummary)> {
        match self {
            Self::Head { guid, head, .. } => Some((*guid, head)),
            _ => None,
        }
    }

    /// Drops the acknowledgement of a head, which ends its transfer. The head is still recorded.
    pub(super) fn refuse(&mut self) {
        if let Self::Head { stored, .. } = self {
            *stored = None;
        }
    }

    /// Returns the transfer that goes back to the queue, with its byte count.
    pub(super) fn back(&self) -> Option<(Guid, u64)> {
        match self {
            Self::Back { guid, bytes, .. } => Some((*guid, *bytes)),
            _ => None,
        }
    }

    /// Returns the transfer that the entry belongs to.
    pub(super) fn guid(&self) -> Guid {
        match self {
            Self::Head { guid, .. } | Self::Completed { guid, .. } | Self::Dead { guid, .. } | Self::Back { guid, .. } => *guid,
        }
    }

    /// Returns the transfer whose run the entry ends.
    pub(super) fn ended(&self) -> Option<Guid> {
        (!matches!(self, Self::Head { .. })).then(|| self.guid())
    }

    /// Returns the part of an entry that is written together with other entries.
    ///
    /// Uses the result in `judged`. `None` for entries that are written one by one.
    pub(super) fn response_head<'a>(&'a self, judged: Option<&'a CheckedCompletion>) -> Option<ResponseHeadRow<'a>> {
        match (self, judged) {
            (Self::Head { guid, head, restart, .. }, _) => Some(ResponseHeadRow::Head(*guid, head, *restart)),
            (Self::Completed { .. }, Some(CheckedCompletion::Wrong(_))) => None,
            (Self::Completed { guid, identity, following, .. }, Some(CheckedCompletion::Right(response)))
            | (Self::Completed { guid, response, identity, following, .. }, None) => {
                let following = following.as_ref().map(FollowUpAction::requests);
                Some(ResponseHeadRow::Completed(*guid, response, *identity, following))
            }
            (Self::Dead { .. } | Self::Back { .. }, _) => None,
        }
    }

    /// Returns whether an upload was completed, so that the copy of its body is no longer needed.
    pub(super) fn lets_body_go(&self) -> bool {
        matches!(self, Self::Completed { response, .. } if response.is_upload)
    }

    /// Returns the host to put into cooldown, if any.
    pub(super) fn cooldown(&self) -> Option<(i64, HostCooldown)> {
        match self {
            Self::Back { rest, .. } | Self::Dead { rest, .. } => *rest,
            _ => None,
        }
    }

    /// Returns the registration, the folder and the required bytes of a file that did not fit.
    pub(super) fn short(&self) -> Option<(UniqueId, &Path, u64)> {
        match self {
            Self::Back { short: Some((id, needed)), folder, .. } => Some((*id, folder, *needed)),
            _ => None,
        }
    }

    /// Answers the transfer after the commit, and removes files that are no longer needed on disk.
    ///
    /// Completed transfers are added to `finished`, so that their partial files and journals are removed together.
    pub(super) async fn answer(self, is_written: bool, shared: &EngineContext, finished: &mut Vec<(Guid, PathBuf)>) {
        match self {
            Self::Head { stored, .. } => {
                if let (true, Some(stored)) = (is_written, stored) {
                    // A transfer that ended meanwhile needs no answer.
                    let _ = stored.send(());
                }
            }
            Self::Completed { guid, folder, .. } => {
                if is_written {
                    finished.push((guid, folder));
                }
            }
            Self::Dead { guid, folder, .. } | Self::Back { guid, folder, .. } => {
                shared.discard_unwanted(guid, &folder).await;
            }
        }
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

/// Returns whether the server was not reached, so that its other requests would fail alike.
pub(super) fn is_unreached(failure: &TransferFailure) -> bool {
    use FailureKind::{Connect, ConnectTimeout, Dns, NameServer, Proxy};
    matches!(failure.kind, Dns | NameServer | Connect | ConnectTimeout | Proxy) && failure.is_transient()
}

/// Effect of a transfer's end on its host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HostState {
    /// The host delivered the file, or refused it in the regular way.
    Works,
    /// Other requests would most likely fail in the same way.
    Fails,
    /// The failure has another cause, or an unknown one.
    Unknown,
}

/// Returns the effect of `outcome` on the host of the transfer.
///
/// A connection that is cut after many bytes have arrived does not count against the host.
pub(super) fn host_state(outcome: &TransferOutcome, transfer: &RunningTransfer) -> HostState {
    match outcome {
        _ if transfer.is_skipped => HostState::Unknown,
        TransferOutcome::Completed(_) => HostState::Works,
        TransferOutcome::Stopped { .. } => HostState::Unknown,
        TransferOutcome::Failed { bytes, .. } if *bytes >= transfer.progress_from.saturating_add(PROGRESS) => HostState::Works,
        TransferOutcome::Failed { failure, .. } => of_host(failure),
    }
}

fn of_host(failure: &TransferFailure) -> HostState {
    use FailureKind::{
        BadStatus, ChangedOnServer, DigestMismatch, LinkExpired, Protocol, Reset, Timeout, TlsHandshake, Truncated,
        UploadInterrupted, WebPage, WrongSize,
    };
    match failure.kind {
        Reset | Truncated | Timeout | TlsHandshake | Protocol | UploadInterrupted => HostState::Fails,
        // The server itself states how long to wait.
        _ if is_wait_asked(failure) => HostState::Unknown,
        BadStatus if failure.status.is_some_and(|status| status >= 500) => HostState::Fails,
        BadStatus | LinkExpired | WebPage | WrongSize | DigestMismatch | ChangedOnServer => HostState::Works,
        _ => HostState::Unknown,
    }
}

fn is_wait_asked(failure: &TransferFailure) -> bool {
    failure.retry_after.is_some() || failure.status == Some(429)
}

/// Returns the cooldown of the whole host that follows from one failure.
///
/// - After a 429 or 503: as long as the host asked for, otherwise until the next try of the request.
/// - After failing to reach the host: until the next try of the request.
/// - After any other failure with a stated wait: one second for the host's other requests.
fn rest_after(failure: &TransferFailure, verdict: RetryDecision, now_us: i64) -> Option<HostCooldown> {
    let wait = match verdict {
        RetryDecision::Again(wait) => Some(wait),
        RetryDecision::Never => None,
    };
    let (why, wait) = match failure.status {
        Some(429 | 503) => (CooldownReason::Busy, failure.retry_after.map(asked_wait).or(wait)?),
        _ if failure.retry_after.is_some() && failure.is_transient() => (CooldownReason::Busy, SHORTEST_ASKED),
        _ if is_unreached(failure) => (CooldownReason::Unreached, wait?),
        _ => return None,
    };
    Some(HostCooldown { until_us: now_us.saturating_add(micros(wait)), why })
}

fn micros(wait: Duration) -> i64 {
    i64::try_from(wait.as_micros()).unwrap_or(i64::MAX)
}

/// Returns whether the failure gives no information about the server.
pub(super) fn says_nothing(failure: &TransferFailure) -> bool {
    is_unreached(failure) || is_of_machine(failure)
}

/// Returns whether the cause is temporary and on this machine: too many open files, or an absent disk.
fn is_of_machine(failure: &TransferFailure) -> bool {
    matches!(failure.kind, FailureKind::TooManyOpen | FailureKind::DiskAway)
}

/// Returns whether the failure is typical of a lost network connection.
fn is_cut(failure: &TransferFailure) -> bool {
    use FailureKind::{Reset, Timeout, TlsHandshake, Truncated};
    is_unreached(failure) || matches!(failure.kind, TlsHandshake | Timeout | Reset | Truncated) && failure.is_transient()
}

/// Returns whether a captive portal may have answered instead of the server.
///
/// A network that requires a sign-in answers with a page, a redirect to a page, or its own certificate (RFC 6585,
/// section 6, and RFC 8952). Requests that may have been processed in part are excluded.
fn is_of_portal(failure: &TransferFailure) -> bool {
    use FailureKind::{
        BadStatus, Certificate, CertificateExpired, CertificateName, CertificateUntrusted, PrivateAddress, RefusedRedirect,
        WebPage,
    };
    let is_its_answer = match failure.kind {
        WebPage | RefusedRedirect | PrivateAddress => true,
        Certificate | CertificateExpired | CertificateUntrusted | CertificateName => true,
        BadStatus => failure.status == Some(511),
        _ => false,
    };
    is_its_answer && failure.may_be_repeated()
}

/// Returns whether the failure may mean that the disk of the folder is absent.
fn is_of_folder(failure: &TransferFailure) -> bool {
    failure.may_be_repeated() && matches!(failure.kind, FailureKind::Target | FailureKind::Disk | FailureKind::PartialChanged)
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

/// Returns whether the disk or this user's disk quota is full.
fn is_full(failure: &TransferFailure) -> bool {
    matches!(failure.kind, FailureKind::DiskFull | FailureKind::DiskQuota)
}

/// Returns whether the disk is full now but may have enough space later.
///
/// A file larger than the whole disk is an ordinary failure: a wrong length must not delay other requests.
fn may_fit_later(failure: &TransferFailure, folder: &Path, env: &EngineEnv) -> bool {
    let could_fit = |needed| (env.capacity)(folder).is_none_or(|capacity| needed <= capacity);
    is_full(failure) && failure.is_transient() && failure.needs_free.is_none_or(could_fit)
}

/// Requests that follow a completed request.
#[derive(Debug)]
pub(crate) struct FollowUpAction {
    pub(crate) chain: Box<FollowUpChain>,
    /// Result of the search for following requests; `None` before the search.
    pub(crate) found: Option<Result<Vec<AcceptedRequest>, UserMessage>>,
}

/// Role of a completed request in checks by checksum files.
#[derive(Debug)]
pub(crate) enum ChecksumRole {
    /// The file is a checksum file. Contains its lines after it has been read.
    Vouches(Vec<ListedChecksum>),
    /// Other files may contain the checksum of this file. Contains the digest of this file.
    VouchedFor(FileDigest),
}

/// Replaces the reported result of a completed request.
#[derive(Debug)]
pub(crate) enum CheckedCompletion {
    /// Completed and verified.
    Right(CompletedResponse),
    /// Not completed.
    Wrong(FailedResponse),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(status: u16, retry_after: Option<u64>) -> TransferFailure {
        let retry_after = retry_after.map(Duration::from_secs);
        TransferFailure { status: Some(status), retry_after, ..TransferFailure::new(FailureKind::BadStatus, "") }
    }

    #[test]
    fn host_state_separates_failures_refusals_and_local_errors() {
        use FailureKind as Kind;
        for kind in [Kind::Reset, Kind::Truncated, Kind::Timeout, Kind::TlsHandshake, Kind::Protocol, Kind::UploadInterrupted] {
            assert_eq!(of_host(&TransferFailure::new(kind, "")), HostState::Fails, "{kind:?}");
        }
        for status in [500, 501, 502, 503, 504, 520] {
            assert_eq!(of_host(&refused(status, None)), HostState::Fails, "{status}");
        }
        for status in [400, 401, 403, 404, 410, 416, 451] {
            assert_eq!(of_host(&refused(status, None)), HostState::Works, "{status}");
        }
        assert_eq!((of_host(&refused(503, Some(5))), of_host(&refused(429, None))), (HostState::Unknown, HostState::Unknown));
        for kind in [Kind::DiskFull, Kind::Target, Kind::TooManyOpen, Kind::Dns, Kind::Connect, Kind::Certificate, Kind::Internal]
        {
            assert_eq!(of_host(&TransferFailure::new(kind, "")), HostState::Unknown, "{kind:?}");
        }
    }

    #[test]
    fn cooldown_follows_retry_after_and_lasts_at_least_one_second() {
        let again = |seconds| RetryDecision::Again(Duration::from_secs(seconds));
        let rest = |failure: TransferFailure, verdict| {
            rest_after(&failure, verdict, 0).map(|rest| (rest.why, rest.until_us / 1_000_000))
        };
        assert_eq!(rest(refused(429, Some(0)), again(1)), Some((CooldownReason::Busy, 1)));
        assert_eq!(rest(refused(503, Some(7)), RetryDecision::Never), Some((CooldownReason::Busy, 7)), "also after the last try");
        assert_eq!(rest(refused(503, None), again(10)), Some((CooldownReason::Busy, 10)));
        assert_eq!(rest(refused(500, Some(0)), again(1)), Some((CooldownReason::Busy, 1)));
        assert_eq!(rest(refused(500, Some(600)), again(600)), Some((CooldownReason::Busy, 1)), "it speaks of one file");
        assert_eq!(
            rest(refused(404, Some(5)), again(5)),
            Some((CooldownReason::Busy, 1)),
            "limits are told with other refusals too"
        );
        assert_eq!((rest(refused(500, None), again(10)), rest(refused(410, Some(5)), RetryDecision::Never)), (None, None));
        assert_eq!(rest(TransferFailure::new(FailureKind::Connect, ""), again(10)), Some((CooldownReason::Unreached, 10)));
        assert_eq!(rest(TransferFailure::new(FailureKind::Connect, ""), RetryDecision::Never), None);
    }

    #[test]
    fn captive_portal_answers_are_distinguished_from_server_answers() {
        use FailureKind as Kind;
        let of = |kind, status| TransferFailure { status, ..TransferFailure::new(kind, "") };
        let portals = [
            of(Kind::WebPage, Some(200)),
            of(Kind::RefusedRedirect, Some(302)),
            of(Kind::PrivateAddress, None),
            of(Kind::Certificate, None),
            of(Kind::CertificateExpired, None),
            of(Kind::CertificateUntrusted, None),
            of(Kind::CertificateName, None),
            of(Kind::BadStatus, Some(511)),
        ];
        for failure in portals {
            assert!(is_of_portal(&failure) && !is_cut(&failure), "{:?}", failure.kind);
            // A part of the upload may have arrived.
            assert!(!is_of_portal(&TransferFailure { sent: 1, ..failure.clone() }));
            assert!(!is_of_portal(&TransferFailure { may_be_done: true, ..failure }));
        }
        let servers = [
            of(Kind::BadStatus, Some(404)),
            of(Kind::LinkExpired, Some(403)),
            of(Kind::DigestMismatch, None),
            of(Kind::Target, None),
        ];
        for failure in servers {
            assert!(!is_of_portal(&failure) && !is_cut(&failure), "{:?}", failure.kind);
        }
    }
}
