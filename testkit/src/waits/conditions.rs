//! Waits in async code. If a condition does not become true in time, the wait panics with a description of the
//! condition.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout, timeout_at};

/// Time limit for one call. It is long enough for a busy machine.
pub(crate) const CALL: Duration = Duration::from_secs(20);

/// Time limit for a condition outside this process. It is long enough for a busy machine.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// Polling interval for conditions outside this process.
const LOOK: Duration = Duration::from_millis(50);

/// Returns the output of `work`. After the deadline, panics with a message that contains `what`.
pub async fn in_time<Output>(what: &str, work: impl Future<Output = Output>) -> Output {
    match timeout(CALL, work).await {
        Ok(output) => output,
        Err(_) => panic!("not in time: {what}"),
    }
}

/// Waits until `look` returns a value. Panics after the deadline.
pub async fn until<T>(what: &str, look: impl AsyncFnMut() -> Option<T>) -> T {
    match within(look).await {
        Some(found) => found,
        None => panic!("not within {DEADLINE:?}: {what}"),
    }
}

/// Waits until `look` returns a value. Returns `None` after the deadline.
pub async fn within<T>(mut look: impl AsyncFnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + DEADLINE;
    while Instant::now() < end {
        // If `look` has not returned by the deadline, its value counts as missing.
        if let Some(found) = timeout_at(end, look()).await.ok()? {
            return Some(found);
        }
        sleep(LOOK).await;
    }
    None
}

/// Calls `look` until it returns a value, at most `looks` times.
pub async fn within_looks<T>(looks: u32, mut look: impl AsyncFnMut() -> Option<T>) -> Option<T> {
    for _ in 0..looks {
        if let Some(found) = look().await {
            return Some(found);
        }
        sleep(LOOK).await;
    }
    None
}
