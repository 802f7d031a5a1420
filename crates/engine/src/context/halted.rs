//! Registrations that start no transfers for a while, because the user changes their link or moves their files.
//!
//! Not persisted. A start halts the registrations whose files were being moved when the last engine ended.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::model::UniqueId;

/// Halted registrations, each with the changes that halt it.
#[derive(Debug, Default)]
pub(crate) struct HaltedRegistrations(Mutex<BTreeMap<UniqueId, Changes>>);

#[derive(Debug, Default)]
struct Changes {
    count: u32,
    is_moving: bool,
}

impl HaltedRegistrations {
    /// Halts a registration for one more change.
    pub fn begin(&self, id: UniqueId) {
        self.all().entry(id).or_default().count += 1;
    }

    /// Records that one of the changes moves the files of a halted registration. Returns false if another change already
    /// moves them.
    pub fn begin_move(&self, id: UniqueId) -> bool {
        self.all().get_mut(&id).is_some_and(|changes| !std::mem::replace(&mut changes.is_moving, true))
    }

    /// Records that no change moves the files of a registration any longer.
    pub fn end_move(&self, id: UniqueId) {
        if let Some(changes) = self.all().get_mut(&id) {
            changes.is_moving = false;
        }
    }

    /// Whether the files of a registration are being moved.
    pub fn is_moving(&self, id: UniqueId) -> bool {
        self.all().get(&id).is_some_and(|changes| changes.is_moving)
    }

    /// Ends one change. The registration may start transfers again after its last change.
    pub fn end(&self, id: UniqueId) {
        let mut all = self.all();
        if let Some(changes) = all.get_mut(&id) {
            changes.count -= 1;
            if changes.count == 0 {
                all.remove(&id);
            }
        }
    }

    pub fn ids(&self) -> Vec<UniqueId> {
        self.all().keys().copied().collect()
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<UniqueId, Changes>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
