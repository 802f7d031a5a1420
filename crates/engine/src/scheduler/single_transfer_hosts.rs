//! Finds hosts that serve one transfer at a time and refuse any further transfer with a status that looks final. [pure]
//!
//! `host_limits` asks this module for the limit of a host, and `apply_events` reports refusals. A transfer that is
//! refused while its host serves another one returns to the queue. It is requested again when no other transfer of the
//! host is running. Only a refusal without other running transfers is a failure.

use std::collections::HashSet;

use ashore_transfer::{FailureKind, TransferFailure};

/// Known limits of hosts, kept in memory while the engine runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct SingleTransferHosts {
    /// Hosts that refused a second transfer.
    lone: HashSet<i64>,
    /// Hosts to which a transfer was started while another one was running.
    ///
    /// A host is removed when a transfer to it starts without other running transfers.
    crowded: HashSet<i64>,
    /// Hosts that refused a transfer while no other was running. Their refusals concern the file, not the number of
    /// transfers.
    plain: HashSet<i64>,
}

impl SingleTransferHosts {
    /// Records that a transfer of `host` starts while `others` other transfers of the host are running.
    pub(super) fn started(&mut self, host: i64, others: u32) {
        match others {
            0 => self.crowded.remove(&host),
            _ => self.crowded.insert(host),
        };
    }

    /// Returns the number of transfers that `host` may serve at once. The settings allow `per_host` transfers.
    pub(super) fn limit(&self, host: i64, per_host: u32) -> u32 {
        if self.lone.contains(&host) { per_host.min(1) } else { per_host }
    }

    /// Records that `host` refused a transfer while `served` other transfers of the host were running.
    ///
    /// Returns whether the refused transfer should be requested again as soon as no other transfer of the host is
    /// running.
    pub(super) fn refused(&mut self, host: i64, served: usize) -> bool {
        if !self.crowded.contains(&host) {
            self.plain.insert(host);
            self.lone.remove(&host);
            return false;
        }
        // A host that serves two transfers at once is not limited to one.
        let is_limit = served <= 1 && !self.plain.contains(&host);
        if is_limit {
            self.lone.insert(host);
        }
        is_limit
    }
}

/// Returns whether a failure may mean that the host refuses a second connection.
pub(super) fn may_be_limit(failure: &TransferFailure) -> bool {
    matches!(failure.kind, FailureKind::BadStatus | FailureKind::LinkExpired)
        && matches!(failure.status, Some(403 | 409 | 420 | 421 | 423 | 509))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_transfer_is_retried_after_concurrent_transfer_ends() {
        let mut lone = SingleTransferHosts::default();
        lone.started(7, 0);
        lone.started(7, 1);
        assert!(lone.refused(7, 1));
        assert_eq!((lone.limit(7, 4), lone.limit(8, 4), lone.limit(7, 0)), (1, 4, 0));
        lone.started(7, 0);
        assert!(!lone.refused(7, 0), "refused alone");
        assert_eq!(lone.limit(7, 4), 4);
        lone.started(7, 1);
        assert!(!lone.refused(7, 1), "refusals of this host are about the file");
    }

    #[test]
    fn refusal_by_host_that_serves_two_transfers_is_final() {
        let mut lone = SingleTransferHosts::default();
        (0..3).for_each(|others| lone.started(7, others));
        assert!(!lone.refused(7, 2));
        assert_eq!(lone.limit(7, 4), 4);
    }

    #[test]
    fn refusal_is_recognised_only_by_status_that_may_mean_connection_limit() {
        let refused =
            |status| may_be_limit(&TransferFailure { status: Some(status), ..TransferFailure::new(FailureKind::BadStatus, "") });
        for status in [403, 423, 509] {
            assert!(refused(status), "{status}");
        }
        for status in [401, 404, 410, 429, 503] {
            assert!(!refused(status), "{status}");
        }
        assert!(!may_be_limit(&TransferFailure::new(FailureKind::Reset, "")));
    }
}
