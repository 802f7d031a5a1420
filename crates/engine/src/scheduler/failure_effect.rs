//! Classifies the outcomes of transfers: which effect an outcome has on the host, and which part of this machine caused
//! a failure. [pure]
//!
//! `outcome` uses this module to decide about retries, and `apply_events` to decide about hosts.

use std::time::Duration;

use ashore_transfer::{FailureKind, TransferFailure, TransferOutcome};

use crate::{
    gates::{
        host_cooldown::{CooldownReason, HostCooldown},
        running_transfer::RunningTransfer,
    },
    scheduler::retry_policy::{PROGRESS, RetryDecision, SHORTEST_ASKED, asked_wait},
};

/// Returns true if the server was not reached, so that other requests to the server would fail in the same way.
pub(super) fn is_unreached(failure: &TransferFailure) -> bool {
    use FailureKind::{Connect, ConnectTimeout, Dns, NameServer, Proxy};
    matches!(failure.kind, Dns | NameServer | Connect | ConnectTimeout | Proxy) && failure.is_transient()
}

/// Effect of a transfer's end on its host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HostState {
    /// The host delivered the file, or refused the request in the regular way.
    Works,
    /// Other requests to the host would most likely fail in the same way.
    Fails,
    /// The failure was not caused by the host, or its cause is unknown.
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

pub(super) fn of_host(failure: &TransferFailure) -> HostState {
    use FailureKind::{
        BadStatus, ChangedOnServer, DigestMismatch, LinkExpired, Protocol, Reset, Timeout, TlsHandshake, Truncated,
        UploadInterrupted, WebPage, WrongSize,
    };
    match failure.kind {
        Reset | Truncated | Timeout | TlsHandshake | Protocol | UploadInterrupted => HostState::Fails,
        // Do not count this as a failure of the host: the server itself states how long to wait.
        _ if is_wait_asked(failure) => HostState::Unknown,
        BadStatus if failure.status.is_some_and(|status| status >= 500) => HostState::Fails,
        BadStatus | LinkExpired | WebPage | WrongSize | DigestMismatch | ChangedOnServer => HostState::Works,
        _ => HostState::Unknown,
    }
}

fn is_wait_asked(failure: &TransferFailure) -> bool {
    failure.retry_after.is_some() || failure.status == Some(429)
}

/// Returns the cooldown that one failure causes for the whole host.
///
/// - After a 429 or 503: the wait that the host asked for. If it asked for none, the cooldown lasts until the next try
///   of the request.
/// - After failing to reach the host: until the next try of the request.
/// - After any other failure whose response states a wait: one second for the host's other requests.
pub(super) fn cooldown_after(failure: &TransferFailure, verdict: RetryDecision, now_us: i64) -> Option<HostCooldown> {
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

pub(super) fn micros(wait: Duration) -> i64 {
    i64::try_from(wait.as_micros()).unwrap_or(i64::MAX)
}

/// Returns true for a failure that gives no information about the server.
pub(super) fn says_nothing(failure: &TransferFailure) -> bool {
    is_unreached(failure) || is_of_machine(failure)
}

/// Returns whether the cause is temporary and on this machine: too many open files, or an absent disk.
pub(super) fn is_of_machine(failure: &TransferFailure) -> bool {
    matches!(failure.kind, FailureKind::TooManyOpen | FailureKind::DiskAway)
}

/// Returns whether the failure is typical of a lost network connection.
pub(super) fn is_cut(failure: &TransferFailure) -> bool {
    use FailureKind::{Reset, Timeout, TlsHandshake, Truncated};
    is_unreached(failure) || matches!(failure.kind, TlsHandshake | Timeout | Reset | Truncated) && failure.is_transient()
}

/// Returns whether a captive portal may have answered instead of the server.
///
/// A network that requires a sign-in answers with a page, a redirect to a page, or its own certificate (RFC 6585,
/// section 6, and RFC 8952). Returns false if the server may have processed a part of the request.
pub(super) fn is_of_portal(failure: &TransferFailure) -> bool {
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
pub(super) fn is_of_folder(failure: &TransferFailure) -> bool {
    failure.may_be_repeated() && matches!(failure.kind, FailureKind::Target | FailureKind::Disk | FailureKind::PartialChanged)
}

/// Returns whether the disk or this user's disk quota is full.
pub(super) fn is_full(failure: &TransferFailure) -> bool {
    matches!(failure.kind, FailureKind::DiskFull | FailureKind::DiskQuota)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(status: u16, retry_after: Option<u64>) -> TransferFailure {
        let retry_after = retry_after.map(Duration::from_secs);
        TransferFailure { status: Some(status), retry_after, ..TransferFailure::new(FailureKind::BadStatus, "") }
    }

    #[test]
    fn host_state_distinguishes_host_failures_from_refusals_and_local_errors() {
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
        let cooldown = |failure: TransferFailure, verdict| {
            cooldown_after(&failure, verdict, 0).map(|cooldown| (cooldown.why, cooldown.until_us / 1_000_000))
        };
        assert_eq!(cooldown(refused(429, Some(0)), again(1)), Some((CooldownReason::Busy, 1)));
        assert_eq!(
            cooldown(refused(503, Some(7)), RetryDecision::Never),
            Some((CooldownReason::Busy, 7)),
            "also after the last try"
        );
        assert_eq!(cooldown(refused(503, None), again(10)), Some((CooldownReason::Busy, 10)));
        assert_eq!(cooldown(refused(500, Some(0)), again(1)), Some((CooldownReason::Busy, 1)));
        assert_eq!(
            cooldown(refused(500, Some(600)), again(600)),
            Some((CooldownReason::Busy, 1)),
            "the status is about one file"
        );
        assert_eq!(
            cooldown(refused(404, Some(5)), again(5)),
            Some((CooldownReason::Busy, 1)),
            "some servers send rate limits with other statuses"
        );
        assert_eq!(
            (cooldown(refused(500, None), again(10)), cooldown(refused(410, Some(5)), RetryDecision::Never)),
            (None, None)
        );
        assert_eq!(cooldown(TransferFailure::new(FailureKind::Connect, ""), again(10)), Some((CooldownReason::Unreached, 10)));
        assert_eq!(cooldown(TransferFailure::new(FailureKind::Connect, ""), RetryDecision::Never), None);
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
            // The server may have received a part of the upload.
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
