//! Provides the only source of time. Tests replace it with a clock of their own.

use std::{
    fmt,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

/// Source of the time in milliseconds since 1970. Tests inject a simulated clock.
#[derive(Clone)]
pub struct ServerClock(Arc<dyn Fn() -> i64 + Send + Sync>);

impl ServerClock {
    /// Creates a clock that reads `now`.
    pub fn new(now: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// Returns the clock of the machine.
    pub fn system() -> Self {
        Self::new(system_now)
    }

    /// Returns the current time, in milliseconds since 1970.
    pub fn now(&self) -> i64 {
        (self.0)()
    }
}

impl fmt::Debug for ServerClock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Clock({})", self.now())
    }
}

#[expect(clippy::disallowed_methods, reason = "this function is the only access to the clock")]
fn system_now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
