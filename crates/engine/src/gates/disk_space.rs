//! Who waits for free space, and for how much: folders below the floor, and registrations whose files did not fit. It is
//! rebuilt by trying, so a restart forgets it. [pure, but for the door to the disk]
//!
//! Whether there is room is looked at before each start, which is after every completion, and every few seconds where
//! somebody waits for it: disks tell nobody. The system answers that from memory.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use crate::{
    gates::decision::disk,
    model::{GateReport, GateState, UniqueId},
};

/// What is free in a folder, and promised to nobody.
type Free<'a> = &'a dyn Fn(&Path) -> Option<u64>;

/// A request that waits.
#[derive(Debug, Default)]
pub(crate) struct DiskSpaceGate {
    /// Folders, and how much must be free in each.
    folders: BTreeMap<PathBuf, u64>,
    /// The same for what did not fit where others may.
    registrations: BTreeMap<UniqueId, (PathBuf, u64)>,
}

impl DiskSpaceGate {
    /// May anything start in `folder`? If not, it is remembered.
    pub(crate) fn has_space(&mut self, folder: &Path, floor: u64, free: Free<'_>) -> bool {
        let is_open = has(folder, floor, free);
        if !is_open {
            self.folders.insert(folder.to_owned(), floor);
        }
        is_open
    }

    /// One of `id` did not fit: `needed` bytes must be free before it is tried again.
    pub(crate) fn did_not_fit(&mut self, id: UniqueId, folder: &Path, needed: u64) {
        let known = self.registrations.entry(id).or_insert_with(|| (folder.to_owned(), 0));
        known.1 = known.1.max(needed);
    }

    /// A person wants it tried.
    pub(crate) fn forget(&mut self, id: UniqueId) {
        self.registrations.remove(&id);
    }

    /// More or less is to stay free than before: everybody tries.
    pub(crate) fn begin_anew(&mut self) {
        *self = Self::default();
    }

    /// Whether anybody does.
    pub(crate) fn is_waited_for(&self) -> bool {
        !self.folders.is_empty() || !self.registrations.is_empty()
    }

    /// Who has room by now waits no longer. Returns whether anybody does.
    pub(crate) fn refresh(&mut self, free: Free<'_>) -> bool {
        let before = self.folders.len() + self.registrations.len();
        self.folders.retain(|folder, needed| !has(folder, *needed, free));
        self.registrations.retain(|_, (folder, needed)| !has(folder, *needed, free));
        before != self.folders.len() + self.registrations.len()
    }

    /// The gate before `id`, whose files go to `folder`, if it is closed.
    pub(crate) fn closed(&self, id: UniqueId, folder: &Path, free: Free<'_>) -> Option<GateReport> {
        let own = self.registrations.get(&id).map(|(_, needed)| *needed);
        let needed = own.into_iter().chain(self.folders.get(folder).copied()).max()?;
        let gate = disk(&folder.to_string_lossy(), free(folder), needed);
        (gate.state == GateState::Closed).then_some(gate)
    }

    /// Every folder that somebody waits for, with how much is missing there.
    pub(crate) fn gates(&self, free: Free<'_>) -> Vec<GateReport> {
        let mut needed = self.folders.clone();
        for (folder, more) in self.registrations.values() {
            let known = needed.entry(folder.clone()).or_default();
            *known = (*known).max(*more);
        }
        needed.iter().map(|(folder, needed)| disk(&folder.to_string_lossy(), free(folder), *needed)).collect()
    }

    /// Every folder that somebody waits for.
    pub(crate) fn waited_for(&self) -> Vec<PathBuf> {
        self.folders.keys().chain(self.registrations.values().map(|(folder, _)| folder)).cloned().collect()
    }

    /// The folders, and the registrations, that nothing starts in or of.
    pub(crate) fn closed_to_starts(&self) -> (Vec<PathBuf>, Vec<UniqueId>) {
        (self.folders.keys().cloned().collect(), self.registrations.keys().copied().collect())
    }
}

/// Where the system does not say, there is room: whoever tries will see.
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
    fn a_folder_below_its_floor_closes_for_all_and_opens_when_there_is_room() {
        let mut space = DiskSpaceGate::default();
        let folder = Path::new("/films");
        assert!(space.has_space(folder, 100, &|_| Some(100)) && space.has_space(folder, 100, &|_| None));
        assert!(!space.is_waited_for() && !space.has_space(folder, 100, &|_| Some(99)) && space.is_waited_for());
        assert_eq!(space.closed_to_starts(), (vec![folder.to_owned()], vec![]));
        let gate = space.closed(id(1), folder, &|_| Some(60)).unwrap();
        assert!(gate.text.contains("40 B more"), "{}", gate.text);
        assert_eq!(space.closed(id(1), Path::new("/books"), &|_| Some(60)), None);
        assert!(!space.refresh(&|_| Some(99)) && space.refresh(&|_| Some(100)));
        assert_eq!(space.closed_to_starts(), (vec![], vec![]));
    }

    #[test]
    fn what_did_not_fit_waits_alone_for_as_much_as_the_largest_of_it_needs() {
        let mut space = DiskSpaceGate::default();
        let folder = Path::new("/films");
        space.did_not_fit(id(1), folder, 500);
        space.did_not_fit(id(1), folder, 300);
        assert!(space.has_space(folder, 100, &|_| Some(200)), "others fit");
        assert!(space.closed(id(1), folder, &|_| Some(200)).unwrap().text.contains("300 B more"));
        assert_eq!((space.closed(id(2), folder, &|_| Some(200)), space.closed_to_starts()), (None, (vec![], vec![id(1)])));
        assert_eq!(space.gates(&|_| Some(200)).len(), 1);
        space.forget(id(1));
        assert!(space.closed_to_starts().1.is_empty() && !space.refresh(&|_| Some(200)));
    }
}
