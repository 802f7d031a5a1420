//! Records which folders and registrations wait for free space, and how much they need. [pure, except for the callback
//! that reads free space]
//!
//! - A folder waits while its free space is below the minimum. A registration waits while one of its files does not
//!   fit.
//! - The record is not stored. After a restart, the next attempts to start requests create it again.
//! - Free space is checked before each start. While a folder or registration waits, free space is also checked every
//!   few seconds, because disks send no notification.
//! - Checks are frequent, because every completion starts another request. They are cheap, because the system answers
//!   from memory.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use crate::{
    gates::decision::disk,
    model::{GateReport, GateState, UniqueId},
};

/// Minimum change of the free space, in bytes, that is reported to listeners.
const LEAST_CHANGE: u64 = 1_000_000;

/// Function that returns the free bytes of a folder, minus the bytes reserved for transfers.
type Free<'a> = &'a dyn Fn(&Path) -> Option<u64>;

/// Folders and registrations that wait for free space.
#[derive(Debug, Default)]
pub(crate) struct DiskSpaceGate {
    /// Folders in which requests wait, with the required number of free bytes.
    folders: BTreeMap<PathBuf, u64>,
    /// Registrations with a file that did not fit. The value is the folder and the required number of free bytes.
    ///
    /// Smaller files of the registration may still fit.
    registrations: BTreeMap<UniqueId, (PathBuf, u64)>,
    /// Free bytes of each waiting folder, as listeners know them.
    known_free: BTreeMap<PathBuf, u64>,
}

impl DiskSpaceGate {
    /// Returns whether a request may start in `folder`. If not, records the folder as waiting for `floor` free bytes.
    pub(crate) fn has_space(&mut self, folder: &Path, floor: u64, free: Free<'_>) -> bool {
        let is_open = has(folder, floor, free);
        if !is_open {
            self.folders.insert(folder.to_owned(), floor);
        }
        is_open
    }

    /// Records that a request of `id` did not fit. It is tried again as soon as `needed` bytes are free.
    pub(crate) fn did_not_fit(&mut self, id: UniqueId, folder: &Path, needed: u64) {
        let known = self.registrations.entry(id).or_insert_with(|| (folder.to_owned(), 0));
        known.1 = known.1.max(needed);
    }

    /// Records that `id` no longer waits, because the user wants a retry.
    pub(crate) fn forget(&mut self, id: UniqueId) {
        self.registrations.remove(&id);
    }

    /// Clears the record, so that every request is tried again.
    ///
    /// Called because the minimum free space may have changed.
    pub(crate) fn begin_anew(&mut self) {
        *self = Self::default();
    }

    /// Returns whether any folder or any registration waits for free space.
    pub(crate) fn is_waited_for(&self) -> bool {
        !self.folders.is_empty() || !self.registrations.is_empty()
    }

    /// Removes every folder and registration that has enough space now. Returns whether any was removed.
    pub(crate) fn refresh(&mut self, free: Free<'_>) -> bool {
        let before = self.folders.len() + self.registrations.len();
        self.folders.retain(|folder, needed| !has(folder, *needed, free));
        self.registrations.retain(|_, (folder, needed)| !has(folder, *needed, free));
        before != self.folders.len() + self.registrations.len()
    }

    /// Returns whether the free space of a waiting folder differs clearly from the amount that listeners know. If so,
    /// they must read the reasons of the waiting registrations again.
    pub(crate) fn has_changed(&mut self, free: Free<'_>) -> bool {
        let before = std::mem::take(&mut self.known_free);
        let mut has_changed = false;
        for folder in self.waited_for() {
            let Some(now) = free(&folder) else { continue };
            let known = before.get(&folder).copied();
            let is_clear = known.is_none_or(|known| known.abs_diff(now) > LEAST_CHANGE.max(known / 20));
            // The first amount is known from the event that reported the wait.
            has_changed |= is_clear && known.is_some();
            self.known_free.insert(folder, if is_clear { now } else { known.unwrap_or(now) });
        }
        has_changed
    }

    /// Returns the gate of `id` if it is closed. `folder` is the target folder of `id`, and `floor` the number of bytes
    /// that stay free.
    pub(crate) fn closed(&self, id: UniqueId, folder: &Path, floor: u64, free: Free<'_>) -> Option<GateReport> {
        let own = self.registrations.get(&id).map(|(_, needed)| *needed);
        let needed = own.into_iter().chain(self.folders.get(folder).copied()).max()?;
        let gate = disk(&folder.to_string_lossy(), free(folder), needed, floor);
        (gate.state == GateState::Closed).then_some(gate)
    }

    /// Returns a gate for every folder whose requests wait for free space. Each gate states the number of missing
    /// bytes. `floor` is the number of bytes that stay free.
    pub(crate) fn gates(&self, floor: u64, free: Free<'_>) -> Vec<GateReport> {
        let mut needed = self.folders.clone();
        for (folder, more) in self.registrations.values() {
            let known = needed.entry(folder.clone()).or_default();
            *known = (*known).max(*more);
        }
        needed.iter().map(|(folder, needed)| disk(&folder.to_string_lossy(), free(folder), *needed, floor)).collect()
    }

    /// Returns every folder in which a request waits for free space.
    pub(crate) fn waited_for(&self) -> Vec<PathBuf> {
        self.folders.keys().chain(self.registrations.values().map(|(folder, _)| folder)).cloned().collect()
    }

    /// Returns the folders and the registrations whose requests may not start.
    pub(crate) fn closed_to_starts(&self) -> (Vec<PathBuf>, Vec<UniqueId>) {
        (self.folders.keys().cloned().collect(), self.registrations.keys().copied().collect())
    }
}

/// Returns whether `folder` has `needed` free bytes.
///
/// Unknown free space counts as enough, because the write itself fails if there is too little.
fn has(folder: &Path, needed: u64, free: Free<'_>) -> bool {
    free(folder).is_none_or(|free| free >= needed)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn id(number: u128) -> UniqueId {
        UniqueId(Uuid::from_u128(number))
    }

    #[test]
    fn no_download_starts_until_its_folder_has_the_required_free_space() {
        let mut space = DiskSpaceGate::default();
        let folder = Path::new("/films");
        assert!(space.has_space(folder, 100, &|_| Some(100)) && space.has_space(folder, 100, &|_| None));
        assert!(!space.is_waited_for() && !space.has_space(folder, 100, &|_| Some(99)) && space.is_waited_for());
        assert_eq!(space.closed_to_starts(), (vec![folder.to_owned()], vec![]));
        let gate = space.closed(id(1), folder, 0, &|_| Some(60)).unwrap();
        assert!(gate.text.contains("40 B more"), "{}", gate.text);
        assert_eq!(space.closed(id(1), Path::new("/books"), 0, &|_| Some(60)), None);
        assert!(!space.refresh(&|_| Some(99)) && space.refresh(&|_| Some(100)));
        assert_eq!(space.closed_to_starts(), (vec![], vec![]));
    }

    #[test]
    fn registration_that_lacks_disk_space_waits_until_its_largest_file_fits() {
        let mut space = DiskSpaceGate::default();
        let folder = Path::new("/films");
        space.did_not_fit(id(1), folder, 500);
        space.did_not_fit(id(1), folder, 300);
        assert!(space.has_space(folder, 100, &|_| Some(200)), "others fit");
        assert!(space.closed(id(1), folder, 0, &|_| Some(200)).unwrap().text.contains("300 B more"));
        assert_eq!((space.closed(id(2), folder, 0, &|_| Some(200)), space.closed_to_starts()), (None, (vec![], vec![id(1)])));
        assert_eq!(space.gates(0, &|_| Some(200)).len(), 1);
        space.forget(id(1));
        assert!(space.closed_to_starts().1.is_empty() && !space.refresh(&|_| Some(200)));
    }

    #[test]
    fn clear_change_of_free_space_is_reported_once() {
        let mut space = DiskSpaceGate::default();
        let folder = Path::new("/films");
        assert!(!space.has_changed(&|_| Some(1)), "no download waits");
        space.has_space(folder, 512_000_000, &|_| Some(400_000_000));
        let mut looks = [400_000_000, 401_000_000, 300_000_000, 301_000_000, 0].into_iter();
        let changes: Vec<bool> = looks.by_ref().map(|free| space.has_changed(&|_| Some(free))).collect();
        assert_eq!(changes, [false, false, true, false, true]);
    }
}
