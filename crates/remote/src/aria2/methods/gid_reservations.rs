//! Reserves the GIDs of downloads that are being added, so that two downloads never get the same GID.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// GIDs of the downloads that are being added.
#[derive(Debug, Default)]
pub(super) struct GidReservations(Mutex<HashSet<String>>);

/// GID that no other download can get. Dropping this value ends the reservation.
#[derive(Debug)]
pub(super) struct ReservedGid<'a> {
    pub gid: String,
    reservations: &'a GidReservations,
}

impl GidReservations {
    /// Reserves `gid`. Returns `None` if the GID is reserved already.
    pub(super) fn reserve(&self, gid: String) -> Option<ReservedGid<'_>> {
        let is_free = self.gids().insert(gid.clone());
        is_free.then(|| ReservedGid { gid, reservations: self })
    }

    fn gids(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ReservedGid<'_> {
    fn drop(&mut self) {
        self.reservations.gids().remove(&self.gid);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_gid_is_free_again_after_its_download_was_added() {
        let reservations = GidReservations::default();
        let first = reservations.reserve("a".to_owned());
        assert!(reservations.reserve("a".to_owned()).is_none() && reservations.reserve("b".to_owned()).is_some());
        drop(first);
        assert!(reservations.reserve("a".to_owned()).is_some());
    }
}
