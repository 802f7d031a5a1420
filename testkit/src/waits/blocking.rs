//! Blocks the thread for a duration, or until a condition is true.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

/// Time limit of [`until`].
pub const PATIENCE: Duration = Duration::from_secs(60);
/// Polling interval for conditions that change without an event.
const LOOK: Duration = Duration::from_millis(20);
/// Maximum time to mount or release a disk. `TRY_EVERY` is the pause between attempts.
const MOUNTING: Duration = Duration::from_secs(10);
const TRY_EVERY: Duration = Duration::from_millis(5);

/// Blocks the thread. No other task runs on this thread during that time.
#[expect(clippy::disallowed_methods, reason = "the caller has a thread that may wait, and nothing else to do on it")]
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
    bail!("not within {PATIENCE:?}: {what}")
}

/// Repeats `tried`, a step of mounting or releasing a disk, until it succeeds. If it still fails after ten seconds,
/// returns the last error, with the text `what` added.
pub fn until_done(what: &str, mut tried: impl FnMut() -> Result<()>) -> Result<()> {
    let begun = Instant::now();
    loop {
        match tried() {
            Ok(()) => return Ok(()),
            Err(error) if begun.elapsed() > MOUNTING => return Err(error.context(format!("not in time: {what}"))),
            Err(_) => pause(TRY_EVERY),
        }
    }
}
