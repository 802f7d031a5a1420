//! The time of the system. All other code receives the time as an argument.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns Unix time in seconds.
pub(crate) fn now() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "this is the injected clock")]
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
