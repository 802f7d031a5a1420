//! Decides the earliest time of the next request to the sync server. [pure]
//!
//! - `Retry-After` is always obeyed.
//! - `X-Weave-Backoff` and the wait after failures are ignored if a user requests the sync. Otherwise, they are obeyed.
//! - The random wait after a failure is chosen once, at the failure. A new random value at each check would end the
//!   wait too early.

/// Maximum wait after failures, in milliseconds.
pub const LONGEST_WAIT_MS: i64 = 30 * 60 * 1000;

/// Maximum wait after the first failure. It doubles with each further failure.
const FIRST_WAIT_MS: i64 = 5_000;

/// Wait before a request, defined by its beginning and its length in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerWait {
    /// Time at which the wait began.
    pub from_ms: i64,
    /// Length of the wait.
    pub length_ms: i64,
}

impl ServerWait {
    fn new(from_ms: i64, seconds: u64) -> Self {
        let length_ms = i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(1000);
        Self { from_ms, length_ms }
    }

    /// Returns the time at which the wait ends, or `now_ms` if the wait is over.
    ///
    /// A wait that begins in the future counts as over: the clock was set back, so the remaining time is unknown.
    fn end(self, now_ms: i64) -> i64 {
        if self.from_ms > now_ms { now_ms } else { self.from_ms.saturating_add(self.length_ms).max(now_ms) }
    }
}

/// Waiting times before the next request to one server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SyncBackoff {
    /// Number of consecutive failed cycles.
    pub failures: u32,
    /// Wait after the last failure.
    pub jitter: Option<ServerWait>,
    /// Wait that `Retry-After` requested.
    pub retry_after: Option<ServerWait>,
    /// Wait that `X-Weave-Backoff` requested.
    pub backoff: Option<ServerWait>,
}

impl SyncBackoff {
    /// Stores the waits that a response requests in its headers.
    ///
    /// Must be called for successful and failed responses. `retry_after` and `backoff` are in seconds.
    pub fn on_response(&mut self, now_ms: i64, retry_after: Option<u64>, backoff: Option<u64>) {
        let later = |known: Option<ServerWait>, asked: Option<u64>| {
            let asked = asked.map(|seconds| ServerWait::new(now_ms, seconds));
            // Another node of the server may have requested a longer wait. Keep the wait that ends later.
            [known, asked].into_iter().flatten().max_by_key(|wait| wait.end(now_ms))
        };
        self.retry_after = later(self.retry_after, retry_after);
        self.backoff = later(self.backoff, backoff);
    }

    /// Begins a random wait after a failed cycle. `random` is uniformly distributed.
    pub fn on_failure(&mut self, now_ms: i64, random: u64) {
        self.failures = self.failures.saturating_add(1);
        let doublings = (self.failures - 1).min(16);
        let most = (FIRST_WAIT_MS << doublings).min(LONGEST_WAIT_MS);
        let drawn = (u128::from(random) * (most.unsigned_abs() as u128 + 1)) >> 64;
        self.jitter = Some(ServerWait { from_ms: now_ms, length_ms: i64::try_from(drawn).unwrap_or(most) });
    }

    /// Ends the wait after failures, because a cycle succeeded. Waits that the server requested continue.
    pub fn on_success(&mut self) {
        (self.failures, self.jitter) = (0, None);
    }

    /// Returns the time until which the server accepts only requests made by a user, or `now_ms` if there is no such
    /// wait.
    ///
    /// Ignores waits after failures.
    pub fn asked_until(&self, now_ms: i64) -> i64 {
        [self.retry_after, self.backoff].into_iter().flatten().map(|wait| wait.end(now_ms)).fold(now_ms, i64::max)
    }

    /// Returns the earliest time of the next request. `is_person` is true if a user requested the sync.
    pub fn next_attempt(&self, now_ms: i64, is_person: bool) -> i64 {
        let own = [self.jitter, self.backoff].into_iter().flatten().filter(|_| !is_person);
        own.chain(self.retry_after).map(|wait| wait.end(now_ms)).fold(now_ms, i64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wait_after_failures_grows_to_thirty_minutes() {
        let mut backoff = SyncBackoff::default();
        let mut waits = Vec::new();
        for _ in 0..12 {
            backoff.on_failure(1000, u64::MAX);
            waits.push((backoff.next_attempt(1000, false) - 1000) / 1000);
        }
        assert_eq!(waits, [5, 10, 20, 40, 80, 160, 320, 640, 1280, 1800, 1800, 1800]);
        backoff.on_failure(1000, 0);
        assert_eq!(backoff.next_attempt(1000, false), 1000);
        backoff.on_failure(1000, u64::MAX / 2);
        assert_eq!(backoff.next_attempt(1000, false), 1000 + LONGEST_WAIT_MS / 2);
        assert_eq!(backoff.next_attempt(1000, true), 1000);
        backoff.failures = u32::MAX;
        backoff.on_failure(1000, u64::MAX);
        assert_eq!(backoff.next_attempt(1000, false), 1000 + LONGEST_WAIT_MS);
        backoff.on_success();
        assert_eq!(backoff, SyncBackoff::default());
    }

    #[test]
    fn user_commands_are_delayed_by_retry_after_header_but_not_by_backoff() {
        let mut backoff = SyncBackoff::default();
        backoff.on_response(0, None, Some(60));
        assert_eq!((backoff.next_attempt(0, false), backoff.next_attempt(0, true)), (60_000, 0));
        backoff.on_response(1000, Some(30), None);
        assert_eq!((backoff.next_attempt(1000, false), backoff.next_attempt(1000, true)), (60_000, 31_000));
        backoff.on_success();
        assert_eq!((backoff.next_attempt(1000, false), backoff.next_attempt(1000, true)), (60_000, 31_000));
        assert_eq!(backoff.next_attempt(70_000, false), 70_000);
    }

    #[test]
    fn wait_that_the_server_requests_does_not_include_the_wait_after_failures() {
        let mut backoff = SyncBackoff::default();
        backoff.on_failure(0, u64::MAX);
        assert_eq!(backoff.asked_until(1000), 1000);
        backoff.on_response(0, Some(30), Some(60));
        assert_eq!(backoff.asked_until(1000), 60_000);
        assert_eq!(backoff.asked_until(70_000), 70_000);
    }

    #[test]
    fn longer_wait_is_not_replaced_by_later_shorter_wait() {
        let mut backoff = SyncBackoff::default();
        backoff.on_response(0, Some(60), None);
        backoff.on_response(1000, Some(5), None);
        assert_eq!(backoff.next_attempt(1000, true), 60_000);
        backoff.on_response(1000, Some(u64::MAX), None);
        assert_eq!(backoff.next_attempt(1000, true), i64::MAX);
    }

    #[test]
    fn wait_ends_if_clock_is_set_back() {
        let mut backoff = SyncBackoff::default();
        backoff.on_response(3_600_000, Some(60), Some(60));
        assert_eq!(backoff.next_attempt(0, false), 0);
    }
}
