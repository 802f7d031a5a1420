//! Restarts work that runs beside the loop, after a growing pause, when a defect ends it.

use std::{any::Any, panic::AssertUnwindSafe, time::Duration};

use futures_util::FutureExt as _;

use crate::platform::sync;

/// Does what `begin` gives, again after each defect in it. For what runs beside the loop.
pub(crate) async fn persistently<Work: Future<Output = ()>>(what: &str, mut begin: impl FnMut() -> Work) {
    let mut defects = 0;
    while let Err(panic) = AssertUnwindSafe(begin()).catch_unwind().await {
        tracing::error!(what, why = words_of(&*panic), "ended by a defect of Ashore; it is started again");
        sync::asleep(pause(defects)).await;
        defects = defects.saturating_add(1);
    }
}

/// How long to wait after so many defects. [pure]
pub(crate) fn pause(defects: u32) -> Duration {
    FIRST_PAUSE.saturating_mul(1_u32.checked_shl(defects).unwrap_or(u32::MAX)).min(LONGEST_PAUSE)
}

pub(crate) fn words_of(panic: &(dyn Any + Send)) -> &str {
    let words = panic.downcast_ref::<&str>().copied();
    words.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or_default()
}

/// After a defect that is the first for long.
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// Longest wait of a caller that closes the engine.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
