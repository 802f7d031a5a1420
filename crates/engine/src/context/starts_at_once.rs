//! Registrations that start at once, even without a free slot, because the browser that handed them over drops its own
//! copy.
//!
//! - Their first request continues the open response of a probe. No server holds a response for long, and a link that works
//!   only once fails in a later request.
//! - A registration is added before its commit, and removed when it starts or when its response expires.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use ashore_transfer::ANSWER_PATIENCE;

use crate::model::UniqueId;

/// Registrations that have to start. Each has the time at which its response expires, in microseconds since boot.
#[derive(Debug, Default)]
pub(crate) struct StartsAtOnce(Mutex<BTreeMap<UniqueId, i64>>);

impl StartsAtOnce {
    /// Adds a registration. `uptime_us` is the time since boot.
    pub fn add(&self, id: UniqueId, uptime_us: i64) {
        let patience = i64::try_from(ANSWER_PATIENCE.as_micros()).unwrap_or(i64::MAX);
        self.all().insert(id, uptime_us.saturating_add(patience));
    }

    /// Removes a registration that has started, or was not written.
    pub fn remove(&self, id: UniqueId) {
        self.all().remove(&id);
    }

    /// Returns the registrations that have to start.
    pub fn current(&self, uptime_us: i64) -> Vec<UniqueId> {
        let mut all = self.all();
        all.retain(|_, until_us| *until_us > uptime_us);
        all.keys().copied().collect()
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<UniqueId, i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn registration_may_start_at_once_only_until_its_response_expires() {
        let starts = StartsAtOnce::default();
        let [one, two] = [1, 2].map(|number| UniqueId(Uuid::from_u128(number)));
        starts.add(one, 0);
        starts.add(two, 7);
        let expires_us = i64::try_from(ANSWER_PATIENCE.as_micros()).unwrap();
        assert_eq!(starts.current(expires_us - 1), [one, two]);
        assert_eq!(starts.current(expires_us), [two]);
        starts.remove(two);
        assert_eq!(starts.current(0), []);
    }
}
