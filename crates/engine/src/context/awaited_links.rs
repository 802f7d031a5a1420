//! Downloads that wait for a new link from the browser. Used by the API, and by the view of a registration.
//!
//! - A download waits for at most 15 minutes, so that a much later click becomes a separate download.
//! - This state is not persisted: after a restart of the engine, no download waits, and the user can ask again. A click
//!   in the meantime becomes a separate download, so no click is lost.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::{
    model::{AwaitedLink, Registration, RegistrationResult, RegistrationState, UniqueId},
    platform::sync,
};

/// Time that a download waits for a new link, in microseconds.
pub(crate) const WAITS_US: i64 = 15 * 60 * 1_000_000;

#[derive(Debug, Default)]
pub(crate) struct AwaitedLinks {
    waits: Mutex<HashMap<UniqueId, Wait>>,
    /// Lock that is held while a click is matched with downloads, so that two calls for the same click replace only one
    /// link.
    pub(crate) matching: sync::Mutex<()>,
}

#[derive(Debug)]
struct Wait {
    until_us: i64,
    other: Option<String>,
}

impl AwaitedLinks {
    /// Makes a download wait for a new link from now on.
    pub(crate) fn begin(&self, id: UniqueId, now_us: i64) {
        let mut waits = self.waits(now_us);
        waits.insert(id, Wait { until_us: now_us.saturating_add(WAITS_US), other: None });
    }

    /// Ends the wait of a download, because it has received its new link.
    pub(crate) fn end(&self, id: UniqueId) {
        self.lock().remove(&id);
    }

    /// Returns the downloads that wait now.
    pub(crate) fn ids(&self, now_us: i64) -> Vec<UniqueId> {
        self.waits(now_us).keys().copied().collect()
    }

    /// Records that another file was clicked, and that this file became the download `title`. Returns the downloads
    /// that still wait.
    pub(crate) fn note_other(&self, title: &str, now_us: i64) -> Vec<UniqueId> {
        let mut waits = self.waits(now_us);
        waits.values_mut().for_each(|wait| wait.other = Some(title.to_owned()));
        waits.keys().copied().collect()
    }

    /// Adds the wait to `registration` if its download waits for a link. A running or complete download does not wait.
    pub(crate) fn overlay(&self, registration: &mut Registration, now_us: i64) {
        let is_over = registration.state == RegistrationState::Running || registration.result == RegistrationResult::Success;
        let waits = self.lock();
        let wait = waits.get(&registration.unique_id).filter(|wait| !is_over && now_us < wait.until_us);
        registration.awaited_link =
            wait.map(|wait| AwaitedLink { until: wait.until_us.div_euclid(1000), other: wait.other.clone() });
    }

    /// Removes the expired waits, and returns the others.
    fn waits(&self, now_us: i64) -> MutexGuard<'_, HashMap<UniqueId, Wait>> {
        let mut waits = self.lock();
        waits.retain(|_, wait| now_us < wait.until_us);
        waits
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<UniqueId, Wait>> {
        self.waits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn download_stops_waiting_for_new_link_when_link_arrives_or_time_expires() {
        let waits = AwaitedLinks::default();
        let [first, second] = [1, 2].map(|number| UniqueId(Uuid::from_u128(number)));
        waits.begin(first, 0);
        waits.begin(second, 10);
        assert_eq!(waits.note_other("a.iso", WAITS_US - 1).len(), 2);
        assert_eq!(waits.ids(WAITS_US), [second]);
        waits.end(second);
        assert_eq!(waits.ids(WAITS_US), []);
    }
}
