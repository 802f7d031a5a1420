//! The time of the system. Everything else takes the time as a value.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns Unix time in seconds.
pub(crate) fn now() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "this is the injected clock")]
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
