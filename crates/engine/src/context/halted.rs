//! Registrations that start no transfers for a moment, because the user changes their link. Not persisted.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::model::UniqueId;

/// Halted registrations, each with the number of changes that halt it.
#[derive(Debug, Default)]
pub(crate) struct HaltedRegistrations(Mutex<BTreeMap<UniqueId, u32>>);

impl HaltedRegistrations {
    /// Halts a registration for one more change.
    pub fn begin(&self, id: UniqueId) {
        *self.all().entry(id).or_default() += 1;
    }

    /// Ends one change. The registration may start transfers again after its last change.
    pub fn end(&self, id: UniqueId) {
        let mut all = self.all();
        if let Some(changes) = all.get_mut(&id) {
            *changes -= 1;
            if *changes == 0 {
                all.remove(&id);
            }
        }
    }

    pub fn ids(&self) -> Vec<UniqueId> {
        self.all().keys().copied().collect()
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<UniqueId, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
