//! Detects silent servers, and servers that send almost nothing for a long time.
//!
//! Called by `segment` for every piece of a body.

use std::time::Duration;

use tokio::time::Instant;

use crate::{
    http::config::TransferConfig,
    model::{failure::TransferFailure, failure_kind::FailureKind},
};

/// Minimum speed in bytes per second over a whole window.
///
/// A slower server counts as silent.
const SLOWEST: u64 = 1 << 10;

/// Detects silent servers, and servers that send almost nothing for a long time.
///
/// Does not count the time spent waiting for the disk or for a rate limit.
pub(super) struct StallDetector {
    /// Time limit for silence. Before the first piece, the limit is longer.
    patience: Duration,
    stall: Duration,
    window: Duration,
    /// Time of the last piece, plus later time that does not count as silence.
    ///
    /// Such time passes while this program does not wait for the server.
    last: Instant,
    window_began: Instant,
    window_bytes: u64,
}

impl StallDetector {
    /// Returns a detector for a response whose body begins now.
    pub fn new(config: &TransferConfig) -> Self {
        let now = Instant::now();
        let (patience, stall, window) = (config.answer_timeout(), config.stall_timeout, config.slow_window);
        Self { patience, stall, window, last: now, window_began: now, window_bytes: 0 }
    }

    /// Records `count` received bytes. Fails with `Timeout` if the server is almost silent.
    pub fn on_bytes(&mut self, count: usize) -> Result<(), TransferFailure> {
        (self.last, self.patience) = (Instant::now(), self.stall);
        self.window_bytes += count as u64;
        let length = self.last.duration_since(self.window_began);
        if length >= self.window {
            let fewest = SLOWEST.saturating_mul(u64::try_from(self.window.as_millis()).unwrap_or(u64::MAX)) / 1000;
            if self.window_bytes < fewest {
                return Err(TransferFailure::new(FailureKind::Timeout, "next to nothing came for too long"));
            }
            (self.window_began, self.window_bytes) = (self.last, 0);
        }
        Ok(())
    }

    /// Excludes `time` from the silence: in this time, the program was not waiting for the server.
    pub fn was_ours(&mut self, time: Duration) {
        self.last += time;
        self.window_began += time;
    }

    /// Records that a rate limit delayed received bytes by `time`.
    pub fn held_back(&mut self, time: Duration) {
        if !time.is_zero() {
            self.last = Instant::now();
            self.window_began += time;
        }
    }

    /// Returns the time since the last piece.
    pub fn since_last(&self) -> Duration {
        self.last.elapsed()
    }

    /// Returns the time from which silence counts as a failure.
    pub fn until(&self) -> Instant {
        self.last + self.patience
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn default_stall_limit_after_first_bytes_is_ten_seconds() {
        let config = TransferConfig::default();
        let (mut silence, began) = (StallDetector::new(&config), Instant::now());
        assert!(silence.until() >= began + 30 * SECOND, "nothing has come yet");
        advance(29 * SECOND).await;
        silence.on_bytes(1).unwrap();
        assert!(silence.until() <= Instant::now() + 10 * SECOND);
        assert!(config.connect_timeout + config.answer_timeout() >= 45 * SECOND);
    }

    #[tokio::test(start_paused = true)]
    async fn almost_silent_server_times_out_but_slow_server_does_not() {
        let gives_up = async |bytes_a_second: u64| {
            let (mut silence, began) = (StallDetector::new(&TransferConfig::default()), Instant::now());
            while began.elapsed() < 120 * SECOND {
                advance(SECOND).await;
                if silence.on_bytes(usize::try_from(bytes_a_second).unwrap()).is_err() {
                    return Some(began.elapsed());
                }
            }
            None
        };
        assert_eq!(gives_up(SLOWEST - 1).await, Some(30 * SECOND));
        assert_eq!(gives_up(SLOWEST).await, None);
    }
}
