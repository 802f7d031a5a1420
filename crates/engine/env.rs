//! The one door through which time and randomness come in. A test opens an engine on an `Env` of its own.

use std::time::{SystemTime, UNIX_EPOCH};

use uuid::Uuid;

/// Clock and dice. Two functions, so that a test's body is two closures without captures.
#[derive(Clone, Copy, Debug)]
pub struct Env {
    /// Unix time in microseconds.
    pub now_us: fn() -> i64,
    /// Evenly spread in 0.0..1.0.
    pub random: fn() -> f64,
}

impl Default for Env {
    fn default() -> Self {
        Self { now_us: system_now_us, random: rand::random::<f64> }
    }
}

impl Env {
    pub(crate) fn now(&self) -> i64 {
        (self.now_us)()
    }

    /// A version 4 GUID. From the system, never from `random`: two data folders must not mint the same one.
    pub(crate) fn guid(&self) -> Uuid {
        Uuid::new_v4()
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the door")]
fn system_now_us() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}
