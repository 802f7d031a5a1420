//! Estimates whether more connections would speed up the download of a file. [pure]
//!
//! - More connections help if the server or the line limits each connection. They do not help if bytes arrive faster
//!   than they can be read, written and hashed.
//! - Each connection has a cost: a response of the server, and cache space on this machine. Bytes that arrive out of
//!   order must be read again for a digest.
//! - If more connections do not help, ended connections are not replaced, until one connection is left. With a slow
//!   server, two connections are kept: one delivers data while the other sends its request.
//! - If connections have to wait for bytes again, the allowed number doubles. After a period without bytes, the full
//!   number is allowed.
//! - Bytes count as ready if many of them arrive together and the connection did not wait for them. With TLS, decrypted
//!   bytes arrive in small records, so this cannot be observed and the full number of connections is used.

use std::time::Duration;

use tokio::time::Instant;

/// Minimum size, in bytes, of a read whose bytes count as ready.
const HEAP: usize = 256 << 10;
/// Maximum wait before a read whose bytes count as ready.
///
/// A server that throttles a connection also sends many bytes together, but after longer pauses.
const AT_ONCE: Duration = Duration::from_millis(20);
/// If the first byte arrives within this time, a new request causes hardly any gap in the download.
const SOON: Duration = Duration::from_millis(5);
/// Time without received bytes after which the estimate is discarded.
const SILENT: Duration = Duration::from_secs(2);
/// Number of bytes after which the estimate is updated.
const STRETCH: u64 = 32 << 20;
/// Maximum time between two updates of the estimate.
const LONGEST: Duration = Duration::from_millis(500);

/// Statistics of recently received bytes.
#[derive(Debug)]
pub(crate) struct ConnectionTuner {
    began: Instant,
    bytes: u64,
    /// Number of bytes, out of `bytes`, that were already waiting to be read.
    late: u64,
    enough: usize,
    /// Whether the last response began quickly.
    is_near: bool,
}

impl ConnectionTuner {
    /// Returns statistics without an estimate.
    pub fn new(now: Instant) -> Self {
        Self { began: now, bytes: 0, late: 0, enough: usize::MAX, is_near: true }
    }

    /// Records a read of `count` bytes, after a wait of `waited`.
    pub fn on_bytes(&mut self, count: usize, waited: Duration, now: Instant) {
        self.bytes += count as u64;
        if count >= HEAP && waited < AT_ONCE {
            self.late += count as u64;
        }
        if self.bytes < STRETCH && now.saturating_duration_since(self.began) < LONGEST {
            return;
        }
        // Between the two thresholds, the estimate does not change.
        if self.late * 8 > self.bytes * 7 {
            self.enough = 1;
        } else if self.late * 2 < self.bytes {
            self.enough = self.enough.saturating_mul(2);
        }
        (self.began, self.bytes, self.late) = (now, 0, 0);
    }

    /// Resets the estimate if no bytes have arrived for some time.
    ///
    /// Called when a connection might be added. Without this, a single connection that fell silent would never be
    /// replaced.
    pub fn looked(&mut self, now: Instant) {
        if now.saturating_duration_since(self.began) >= SILENT {
            *self = Self::new(now);
        }
    }

    /// Records the time that a server took to begin a response.
    pub fn answered(&mut self, after: Duration) {
        self.is_near = after < SOON;
    }

    /// Returns the number of connections that are useful at the same time.
    pub fn enough(&self) -> usize {
        self.enough.max(if self.is_near { 1 } else { 2 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_TIME: Duration = Duration::ZERO;

    /// Receives `mebibytes` MiB in pieces of `size` KiB.
    fn receive(backlog: &mut ConnectionTuner, mebibytes: usize, size: usize, waited: Duration) {
        for _ in 0..mebibytes * 1024 / size {
            backlog.on_bytes(size << 10, waited, Instant::now());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn one_connection_is_enough_while_received_data_waits_to_be_read() {
        let mut backlog = ConnectionTuner::new(Instant::now());
        receive(&mut backlog, 31, 256, NO_TIME);
        assert_eq!(backlog.enough(), usize::MAX, "too few bytes for an estimate");
        receive(&mut backlog, 1, 256, NO_TIME);
        assert_eq!(backlog.enough(), 1);
        receive(&mut backlog, 12, 64, NO_TIME);
        receive(&mut backlog, 20, 256, NO_TIME);
        assert_eq!(backlog.enough(), 1, "some have waited and some have not");
        receive(&mut backlog, 17, 64, NO_TIME);
        receive(&mut backlog, 15, 256, NO_TIME);
        assert_eq!(backlog.enough(), 2);
        receive(&mut backlog, 64, 64, NO_TIME);
        assert_eq!(backlog.enough(), 8);
    }

    #[tokio::test(start_paused = true)]
    async fn two_connections_are_enough_if_server_responds_slowly() {
        let mut backlog = ConnectionTuner::new(Instant::now());
        receive(&mut backlog, 32, 256, NO_TIME);
        for (after, enough) in [(SOON, 2), (NO_TIME, 1)] {
            backlog.answered(after);
            assert_eq!(backlog.enough(), enough);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn all_connections_are_allowed_if_the_only_connection_receives_nothing() {
        let mut backlog = ConnectionTuner::new(Instant::now());
        receive(&mut backlog, 32, 256, NO_TIME);
        tokio::time::advance(SILENT / 2).await;
        backlog.looked(Instant::now());
        assert_eq!(backlog.enough(), 1);
        tokio::time::advance(SILENT / 2).await;
        backlog.looked(Instant::now());
        assert_eq!(backlog.enough(), usize::MAX);
    }

    #[tokio::test(start_paused = true)]
    async fn large_reads_after_waits_do_not_reduce_number_of_connections() {
        let mut backlog = ConnectionTuner::new(Instant::now());
        receive(&mut backlog, 64, 256, AT_ONCE);
        assert_eq!(backlog.enough(), usize::MAX);
    }

    #[tokio::test(start_paused = true)]
    async fn connection_limit_doubles_when_connections_wait_for_bytes() {
        let mut backlog = ConnectionTuner::new(Instant::now());
        receive(&mut backlog, 32, 256, NO_TIME);
        for enough in [2, 4] {
            tokio::time::advance(LONGEST).await;
            backlog.on_bytes(1, LONGEST, Instant::now());
            assert_eq!(backlog.enough(), enough);
        }
    }
}
