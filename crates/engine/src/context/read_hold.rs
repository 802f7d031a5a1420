//! Reading holds the data (operation 9): a registration that a client holds can be read until the client releases it, also
//! when it is removed meanwhile. Held by `rpc`, for as long as a connection lasts.
//!
//! - The references are in memory alone: a restart drops them.
//! - A registration is either being deleted or held, never both.

use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::model::UniqueId;

/// How many clients hold which registration, and which registrations are being deleted.
#[derive(Debug, Default)]
pub(crate) struct DataReferences(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    held: HashMap<UniqueId, usize>,
    going: HashSet<UniqueId>,
}

/// A registration that is being deleted until this is dropped.
#[derive(Debug)]
pub(crate) struct DeferredDeletion<'a> {
    references: &'a DataReferences,
    id: UniqueId,
}

impl DataReferences {
    /// Adds a reference. False where the registration is being deleted.
    pub(crate) fn take(&self, id: UniqueId) -> bool {
        let mut state = self.state();
        if state.going.contains(&id) {
            return false;
        }
        *state.held.entry(id).or_default() += 1;
        true
    }

    /// Releases a reference. True where it was the last one.
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

    /// Begins to delete it. None where a client holds it, or it is being deleted already.
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
    fn last_release_of_several_is_reported_once() {
        let (references, id) = (DataReferences::default(), UniqueId(Uuid::nil()));
        assert!(references.take(id) && references.take(id));
        assert_eq!([references.release(id), references.release(id), references.release(id)], [false, true, false]);
    }

    #[test]
    fn held_registration_is_not_deleted_and_deleted_one_not_held() {
        let (references, id) = (DataReferences::default(), UniqueId(Uuid::nil()));
        assert!(references.take(id) && references.begin_deletion(id).is_none());
        references.release(id);
        let deletion = references.begin_deletion(id).unwrap();
        assert!(!references.take(id) && references.begin_deletion(id).is_none());
        drop(deletion);
        assert!(references.take(id));
    }
}
