//! Decides whether and when a failed request is tried again. [pure]

use std::time::Duration;

use ashore_transfer::{FailureKind, TransferFailure};

/// Maximum wait before a retry.
const LONGEST: Duration = Duration::from_secs(6 * 60 * 60);
/// Maximum `Retry-After` that is respected. A server could otherwise stop a download for days.
pub(crate) const LONGEST_ASKED: Duration = Duration::from_secs(60 * 60);
/// Minimum `Retry-After`: even a server that asks for a wait of 0 gets at most one request in this time.
pub(crate) const SHORTEST_ASKED: Duration = Duration::from_secs(1);
/// Number of consecutive failures of any requests to a host that cause a cooldown of the host.
pub(crate) const FAILURES_BEFORE_COOLDOWN: u32 = 3;
/// Maximum wait before a retry, in µs. A longer stored wait shows that the clock was set back, and counts as over.
pub(crate) const LONGEST_WAIT_US: i64 = 6 * 60 * 60 * 1_000_000;
/// Number of new durable bytes that count as progress. Progress resets the number of tries.
pub(crate) const PROGRESS: u64 = 1 << 20;

/// Maximum number of tries for a host name that does not exist, if no byte was ever received.
///
/// Such a name is probably misspelt. After any received byte, the usual maximum applies, because a broken network often
/// reports every name as missing.
const NAMELESS: u32 = 4;

/// Decision about a failed request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RetryDecision {
    /// Retry after this time.
    Again(Duration),
    /// No retry until the user acts.
    Never,
}

/// Rules for retries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RetryPolicy {
    /// Wait before the first retry.
    pub base: Duration,
    /// Maximum number of tries.
    pub attempts: u32,
    /// Bytes that must stay free on a disk.
    pub floor: u64,
    /// Whether the machine is known to have no usable network.
    pub is_offline: bool,
}

impl RetryPolicy {
    /// Returns the rules for a transfer that failed with `failure` and has received `bytes`.
    pub(crate) fn for_failure(self, failure: &TransferFailure, bytes: u64) -> Self {
        match failure.kind {
            FailureKind::Dns if bytes == 0 => Self { attempts: self.attempts.min(NAMELESS), ..self },
            _ => self,
        }
    }

    /// Decides about a request that has now failed after `failed_before` earlier failures; `random` is in 0.0..1.0.
    pub(crate) fn verdict(&self, failure: &TransferFailure, failed_before: u32, random: f64) -> RetryDecision {
        if !failure.is_transient() || self.gives_up_after(failed_before) {
            return RetryDecision::Never;
        }
        if let Some(asked) = failure.retry_after {
            return RetryDecision::Again(asked_wait(asked));
        }
        RetryDecision::Again(self.grown(failed_before, random))
    }

    /// Returns the cooldown of a host after `in_a_row` failed requests in a row; `None` if there are too few failures.
    ///
    /// The cooldown grows with each further failure, like the wait of a single request. It starts again from its first
    /// length after as many failures as a single request has tries.
    pub(crate) fn host_cooldown(&self, in_a_row: u32, random: f64) -> Option<Duration> {
        let earlier = in_a_row.checked_sub(FAILURES_BEFORE_COOLDOWN)?;
        let grown = self.grown(if self.gives_up_after(earlier) { 0 } else { earlier }, random);
        Some(grown.max(SHORTEST_ASKED))
    }

    fn gives_up_after(&self, failed_before: u32) -> bool {
        failed_before.saturating_add(1) >= self.attempts
    }

    /// Returns the wait after `failed_before` earlier failures, with jitter from `random` in 0.0..1.0.
    fn grown(&self, failed_before: u32, random: f64) -> Duration {
        let doubled = self.base.saturating_mul(1_u32.checked_shl(failed_before).unwrap_or(u32::MAX)).min(LONGEST);
        doubled.mul_f64(0.5 + random).min(LONGEST)
    }
}

/// Returns the wait that a server's `Retry-After` asks for, limited to the permitted range.
pub(crate) fn asked_wait(asked: Duration) -> Duration {
    asked.clamp(SHORTEST_ASKED, LONGEST_ASKED)
}

/// Due times of the first and the last waiting request, in µs; `None` if no request waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DueRange(pub Option<(i64, i64)>);

impl DueRange {
    /// Returns whether any waiting request is due now.
    pub(crate) fn is_over(self, now_us: i64) -> bool {
        self.next(now_us).is_some_and(|next| next <= now_us)
    }

    /// Returns the next due time, which is now if the clock was set back.
    pub(crate) fn next(self, now_us: i64) -> Option<i64> {
        let (first, _) = self.0?;
        Some(if self.was_clock_set_back(now_us) { now_us } else { first })
    }

    /// Returns whether the last request would wait for longer than the maximum wait.
    pub(crate) fn was_clock_set_back(self, now_us: i64) -> bool {
        self.0.is_some_and(|(_, last)| last.saturating_sub(now_us) > LONGEST_WAIT_US)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: RetryPolicy = RetryPolicy { base: Duration::from_secs(10), attempts: 8, floor: 0, is_offline: false };

    fn reset() -> TransferFailure {
        TransferFailure::new(FailureKind::Reset, "")
    }

    #[test]
    fn retry_wait_doubles_up_to_maximum_with_jitter() {
        for (tries, seconds) in [(0, 10.0), (1, 20.0), (2, 40.0), (6, 640.0)] {
            for (random, factor) in [(0.0, 0.5), (0.5, 1.0), (0.999, 1.499)] {
                let RetryDecision::Again(wait) = RULES.verdict(&reset(), tries, random) else { panic!("never") };
                assert!((wait.as_secs_f64() - seconds * factor).abs() < 0.01, "{tries} {random} {wait:?}");
            }
        }
        let patient = RetryPolicy { attempts: 100, ..RULES };
        assert_eq!(patient.verdict(&reset(), 60, 0.0), RetryDecision::Again(LONGEST / 2));
        for random in [0.5, 0.999] {
            assert_eq!(patient.verdict(&reset(), 60, random), RetryDecision::Again(LONGEST), "{random}");
        }
        assert_eq!(i64::try_from(LONGEST.as_micros()), Ok(LONGEST_WAIT_US));
    }

    #[test]
    fn request_is_not_retried_after_eighth_failure() {
        assert_ne!(RULES.verdict(&reset(), 6, 0.5), RetryDecision::Never);
        assert_eq!(RULES.verdict(&reset(), 7, 0.5), RetryDecision::Never);
    }

    #[test]
    fn host_cools_down_after_third_failure_with_growing_waits() {
        let cooldown = |in_a_row, random| RULES.host_cooldown(in_a_row, random);
        assert_eq!((cooldown(0, 0.5), cooldown(2, 0.5)), (None, None));
        for (in_a_row, seconds) in [(3, 10), (4, 20), (5, 40), (9, 640), (10, 10), (300, 10)] {
            assert_eq!(cooldown(in_a_row, 0.5), Some(Duration::from_secs(seconds)), "{in_a_row}");
            assert_eq!(cooldown(in_a_row, 0.0), Some(Duration::from_secs(seconds) / 2), "{in_a_row}");
        }
        let hasty = RetryPolicy { base: Duration::from_millis(10), attempts: 1, ..RULES };
        assert_eq!(hasty.host_cooldown(3, 0.0), Some(SHORTEST_ASKED), "however short the waits of requests are");
    }

    #[test]
    fn retry_after_header_of_zero_means_wait_of_one_second() {
        for asked in [Duration::ZERO, Duration::from_millis(1)] {
            let failure = TransferFailure {
                status: Some(429),
                retry_after: Some(asked),
                ..TransferFailure::new(FailureKind::BadStatus, "")
            };
            assert_eq!(RULES.verdict(&failure, 0, 0.0), RetryDecision::Again(SHORTEST_ASKED));
        }
    }

    #[test]
    fn request_is_tried_fewer_times_if_host_name_is_unknown_than_if_name_server_fails() {
        let last = |kind, bytes| {
            let failure = TransferFailure::new(kind, "");
            let rules = RULES.for_failure(&failure, bytes);
            (0..).find(|tries| rules.verdict(&failure, *tries, 0.5) == RetryDecision::Never).unwrap() + 1
        };
        assert_eq!((last(FailureKind::Dns, 0), last(FailureKind::Dns, 1), last(FailureKind::NameServer, 0)), (4, 8, 8));
        let hasty = RetryPolicy { attempts: 1, ..RULES };
        assert_eq!(hasty.for_failure(&TransferFailure::new(FailureKind::Dns, ""), 0).attempts, 1);
    }

    #[test]
    fn waiting_request_is_due_as_soon_as_clock_is_set_back() {
        let due = DueRange(Some((100, 200)));
        assert_eq!((due.next(0), due.is_over(99), due.is_over(100)), (Some(100), false, true));
        let before = 200 - LONGEST_WAIT_US - 1;
        assert_eq!(
            (due.next(before), due.is_over(before)),
            (Some(before), true),
            "one request with an impossible wait is enough"
        );
        assert!(due.was_clock_set_back(before) && !due.was_clock_set_back(before + 1));
        assert_eq!((DueRange(None).next(0), DueRange(None).is_over(i64::MAX)), (None, false));
    }

    #[test]
    fn permanent_failure_is_not_retried() {
        let gone = TransferFailure { status: Some(404), ..TransferFailure::new(FailureKind::BadStatus, "") };
        assert_eq!(RULES.verdict(&gone, 0, 0.5), RetryDecision::Never);
        assert_eq!(RULES.verdict(&TransferFailure { sent: 1, ..reset() }, 0, 0.5), RetryDecision::Never);
    }

    #[test]
    fn retry_after_is_capped_at_one_hour() {
        let asked = |seconds| TransferFailure {
            status: Some(503),
            retry_after: Some(Duration::from_secs(seconds)),
            ..TransferFailure::new(FailureKind::BadStatus, "")
        };
        assert_eq!(RULES.verdict(&asked(7), 3, 0.9), RetryDecision::Again(Duration::from_secs(7)));
        assert_eq!(RULES.verdict(&asked(99_999_999), 0, 0.9), RetryDecision::Again(LONGEST_ASKED));
    }
}
