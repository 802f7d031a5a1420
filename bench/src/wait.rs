//! Blocks the thread for a time, or until a condition holds.

use std::time::{Duration, Instant};

use anyhow::Result;

/// Time limit of [`until`].
pub const PATIENCE: Duration = Duration::from_secs(60);
/// Polling interval where no event exists.
const LOOK: Duration = Duration::from_millis(20);
/// Blocks the thread; no other task runs on it.
#[expect(clippy::disallowed_methods, reason = "one thread runs all contests, one step after another")]
pub fn pause(duration: Duration) {
    std::thread::sleep(duration);
}

/// Waits until `look` returns a value.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> Result<T> {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if let Some(found) = look() {
            return Ok(found);
        }
        pause(LOOK);
    }
    anyhow::bail!("did not happen within {PATIENCE:?}: {what}")
}
