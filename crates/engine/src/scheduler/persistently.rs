//! Restarts background work of the scheduler after a defect. The pause before each restart grows with the number of
//! defects.

use std::{any::Any, panic::AssertUnwindSafe, time::Duration};

use futures_util::FutureExt as _;

use crate::platform::sync;

/// Runs the background work that `begin` returns, and restarts it after each defect.
pub(crate) async fn persistently<Work: Future<Output = ()>>(what: &str, mut begin: impl FnMut() -> Work) {
    let mut defects = 0;
    while let Err(panic) = AssertUnwindSafe(begin()).catch_unwind().await {
        tracing::error!(what, why = words_of(&*panic), "background task ended by a panic; will be started again");
        sync::asleep(pause(defects)).await;
        defects = defects.saturating_add(1);
    }
}

/// Returns the pause after `defects` earlier defects. [pure]
pub(crate) fn pause(defects: u32) -> Duration {
    FIRST_PAUSE.saturating_mul(1_u32.checked_shl(defects).unwrap_or(u32::MAX)).min(LONGEST_PAUSE)
}

pub(crate) fn words_of(panic: &(dyn Any + Send)) -> &str {
    let words = panic.downcast_ref::<&str>().copied();
    words.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or_default()
}

/// Pause after the first defect.
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// Maximum pause. A caller that closes the engine may have to wait this long.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
