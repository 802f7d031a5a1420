//! Counts the clients that keep a registration readable (hold it). The deletion of the registration (storage operation
//! 9) waits for these clients.
//!
//! - The data of a removed registration stays readable until the last client releases the registration.
//! - `rpc` keeps a reference as long as the client's connection lasts.
//! - The references are only in memory, so a restart drops them.
//! - A registration that is being deleted cannot be held, and a held registration cannot be deleted.

use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::model::UniqueId;

/// Number of clients that keep each registration readable, and the registrations that are being deleted.
#[derive(Debug, Default)]
pub(crate) struct DataReferences(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    held: HashMap<UniqueId, usize>,
    going: HashSet<UniqueId>,
}

/// Guard that marks a registration as being deleted until it is dropped.
#[derive(Debug)]
pub(crate) struct DeferredDeletion<'a> {
    references: &'a DataReferences,
    id: UniqueId,
}

impl DataReferences {
    /// Adds a reference to the registration. Returns false if the registration is being deleted.
    pub(crate) fn take(&self, id: UniqueId) -> bool {
        let mut state = self.state();
        if state.going.contains(&id) {
            return false;
        }
        *state.held.entry(id).or_default() += 1;
        true
    }

    /// Releases a reference to the registration. Returns true if it was the last one.
    pub(crate) fn release(&self, id: UniqueId) -> bool {
        let mut state = self.state();
        let Some(count) = state.held.get_mut(&id) else { return false };
        *count -= 1;
        let is_last = *count == 0;
        if is_last {
            state.held.remove(&id);
        }
        is_last
    }

    /// Begins the deletion of `id`. Returns `None` if a client keeps the registration readable, or if the deletion has
    /// already begun.
    pub(crate) fn begin_deletion(&self, id: UniqueId) -> Option<DeferredDeletion<'_>> {
        let mut state = self.state();
        if state.held.contains_key(&id) || !state.going.insert(id) {
            return None;
        }
        Some(DeferredDeletion { references: self, id })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for DeferredDeletion<'_> {
    fn drop(&mut self) {
        self.references.state().going.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn releasing_a_reference_to_a_registration_returns_true_only_for_the_last_one() {
        let (references, id) = (DataReferences::default(), UniqueId(Uuid::nil()));
        assert!(references.take(id) && references.take(id));
        assert_eq!([references.release(id), references.release(id), references.release(id)], [false, true, false]);
    }

    #[test]
    fn registration_is_not_deleted_while_in_use_and_not_used_while_being_deleted() {
        let (references, id) = (DataReferences::default(), UniqueId(Uuid::nil()));
        assert!(references.take(id) && references.begin_deletion(id).is_none());
        references.release(id);
        let deletion = references.begin_deletion(id).unwrap();
        assert!(!references.take(id) && references.begin_deletion(id).is_none());
        drop(deletion);
        assert!(references.take(id));
    }
}
