//! Whether what comes for a file waits for this machine, or this machine for what comes. [pure]
//!
//! More connections bring more where the server or the line gives little to each of them. Where bytes lie ready faster than they
//! can be read, written and hashed, one more brings nothing sooner: it costs the server an answer and this machine a place in its
//! caches, and what comes out of order has to be read again for a digest. So connections that end are not replaced there, down to
//! one; two where a server takes its time to answer, so that one brings something while the other asks. Each time that it is seen
//! that they wait again, twice as many may work; as many as may at all once nothing has come for a while.
//!
//! Bytes have waited where many of them come at once and nobody has waited for them. What is decrypted comes in small records, so
//! nothing is known of TLS, and as many connections work as may.

use std::time::Duration;

use tokio::time::Instant;

/// So many bytes at once have waited.
const HEAP: usize = 256 << 10;
/// A server that holds a connection back lets go of a heap at once too, but not so soon after the one before.
const AT_ONCE: Duration = Duration::from_millis(20);
/// An answer that begins within this time leaves hardly a gap.
const SOON: Duration = Duration::from_millis(5);
/// After so long without a byte, whatever was known says nothing any more.
const SILENT: Duration = Duration::from_secs(2);
/// So many bytes are judged together...
const STRETCH: u64 = 32 << 20;
/// ...or those of so long a time.
const LONGEST: Duration = Duration::from_millis(500);

/// What came of late.
#[derive(Debug)]
pub(crate) struct ConnectionTuner {
    began: Instant,
    bytes: u64,
    /// Those of them that had waited.
    late: u64,
    enough: usize,
    /// The last answer began soon.
    is_near: bool,
}

impl ConnectionTuner {
    /// Nothing is known yet.
    pub fn new(now: Instant) -> Self {
        Self { began: now, bytes: 0, late: 0, enough: usize::MAX, is_near: true }
    }

    /// A connection brought `count` bytes at once, after the network has let it wait for so long.
    pub fn on_bytes(&mut self, count: usize, waited: Duration, now: Instant) {
        self.bytes += count as u64;
        if count >= HEAP && waited < AT_ONCE {
            self.late += count as u64;
        }
        if self.bytes < STRETCH && now.saturating_duration_since(self.began) < LONGEST {
            return;
        }
        // Between the two everything stays as it is.
        if self.late * 8 > self.bytes * 7 {
            self.enough = 1;
        } else if self.late * 2 < self.bytes {
            self.enough = self.enough.saturating_mul(2);
        }
        (self.began, self.bytes, self.late) = (now, 0, 0);
    }

    /// Somebody looked whether another connection is to join. Who is alone and hears nothing has nobody to take over from him.
    pub fn looked(&mut self, now: Instant) {
        if now.saturating_duration_since(self.began) >= SILENT {
            *self = Self::new(now);
        }
    }

    /// A server has let a connection wait for so long until it began to answer.
    pub fn answered(&mut self, after: Duration) {
        self.is_near = after < SOON;
    }

    /// With so many connections, one more would bring nothing sooner.
    pub fn enough(&self) -> usize {
        self.enough.max(if self.is_near { 1 } else { 2 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_TIME: Duration = Duration::ZERO;

    /// So many MiB, in pieces of `size` KiB.
    fn comes(backlog: &mut ConnectionTuner, mebibytes: usize, size: usize, waited: Duration) {
        for _ in 0..mebibytes * 1024 / size {
            backlog.on_bytes(size << 10, waited, Instant::now());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn where_heaps_lie_ready_one_connection_is_enough_until_there_are_none() {
        let mut backlog = ConnectionTuner::new(Instant::now());
        comes(&mut backlog, 31, 256, NO_TIME);
        assert_eq!(backlog.enough(), usize::MAX, "too little to judge by");
        comes(&mut backlog, 1, 256, NO_TIME);
        assert_eq!(backlog.enough(), 1);
        comes(&mut backlog, 12, 64, NO_TIME);
        comes(&mut backlog, 20, 256, NO_TIME);
        assert_eq!(backlog.enough(), 1, "some have waited and some have not");
        comes(&mut backlog, 17, 64, NO_TIME);
        comes(&mut backlog, 15, 256, NO_TIME);
        assert_eq!(backlog.enough(), 2);
        comes(&mut backlog, 64, 64, NO_TIME);
        assert_eq!(backlog.enough(), 8);
    }

    #[tokio::test(start_paused = true)]
    async fn where_answers_take_their_time_two_are_enough() {
        let mut backlog = ConnectionTuner::new(Instant::now());
        comes(&mut backlog, 32, 256, NO_TIME);
        for (after, enough) in [(SOON, 2), (NO_TIME, 1)] {
            backlog.answered(after);
            assert_eq!(backlog.enough(), enough);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn where_the_only_one_falls_silent_all_may_try() {
        let mut backlog = ConnectionTuner::new(Instant::now());
        comes(&mut backlog, 32, 256, NO_TIME);
        tokio::time::advance(SILENT / 2).await;
        backlog.looked(Instant::now());
        assert_eq!(backlog.enough(), 1);
        tokio::time::advance(SILENT / 2).await;
        backlog.looked(Instant::now());
        assert_eq!(backlog.enough(), usize::MAX);
    }

    #[tokio::test(start_paused = true)]
    async fn heaps_that_a_server_let_wait_for_are_none() {
        let mut backlog = ConnectionTuner::new(Instant::now());
        comes(&mut backlog, 64, 256, AT_ONCE);
        assert_eq!(backlog.enough(), usize::MAX);
    }

    #[tokio::test(start_paused = true)]
    async fn on_a_slow_line_it_is_noticed_soon() {
        let mut backlog = ConnectionTuner::new(Instant::now());
        comes(&mut backlog, 32, 256, NO_TIME);
        for enough in [2, 4] {
            tokio::time::advance(LONGEST).await;
            backlog.on_bytes(1, LONGEST, Instant::now());
            assert_eq!(backlog.enough(), enough);
        }
    }
}
