//! Space that running transfers have still to write, by volume. What is free and promised to one of them is not free for
//! another: of two files of which one fits, the second waits before it has written a byte. [pure]

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::model::outcome::{FailureKind, TransferFailure};

/// All promises of one process. Every clone is the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpaceReservations(Arc<Mutex<HashMap<u64, u64>>>);

/// Bytes of one volume that are one transfer's until it has written them, or ends.
#[derive(Debug)]
pub(crate) struct SpaceReservation {
    all: SpaceReservations,
    volume: u64,
    left: u64,
}

impl SpaceReservations {
    /// Promises `bytes` of a volume with so many `free`. Fails where they do not fit beside what is promised already.
    pub fn make(&self, volume: u64, bytes: u64, free: u64) -> Result<SpaceReservation, TransferFailure> {
        let mut all = self.all();
        let of_volume = all.entry(volume).or_default();
        let left = free.saturating_sub(*of_volume);
        if bytes > left {
            let text = format!("{bytes} bytes do not fit into {left} that are free and not promised to others");
            return Err(TransferFailure { needs_free: Some(bytes), ..TransferFailure::new(FailureKind::DiskFull, text) });
        }
        *of_volume += bytes;
        Ok(SpaceReservation { all: self.clone(), volume, left: bytes })
    }

    /// How much of a volume is promised and not written yet.
    pub fn bytes_on(&self, volume: u64) -> u64 {
        self.all().get(&volume).copied().unwrap_or_default()
    }

    fn all(&self) -> MutexGuard<'_, HashMap<u64, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SpaceReservation {
    /// So many are on disk now, and no longer free.
    pub fn set(&mut self, bytes: u64) {
        let kept = bytes.min(self.left);
        self.left -= kept;
        if let Some(of_volume) = self.all.all().get_mut(&self.volume) {
            *of_volume = of_volume.saturating_sub(kept);
        }
    }

    /// The file system keeps all of it itself from now on.
    pub fn keep_all(&mut self) {
        self.set(self.left);
    }
}

impl Drop for SpaceReservation {
    fn drop(&mut self) {
        self.keep_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_promised_to_one_is_not_free_for_another_until_it_is_written_or_given_up() {
        let all = SpaceReservations::default();
        let mut one = all.make(1, 60, 100).unwrap();
        assert_eq!(all.make(1, 41, 100).unwrap_err().needs_free, Some(41));
        assert!(all.make(2, 100, 100).is_ok());
        let other = all.make(1, 40, 100).unwrap();
        assert_eq!(all.bytes_on(1), 100);
        // What is written is no longer free, so there is as much for others as before.
        one.set(50);
        assert_eq!(all.bytes_on(1), 50);
        assert!(all.make(1, 1, 50).is_err());
        drop(other);
        assert!(all.make(1, 40, 50).is_ok());
        one.set(1000);
        drop(one);
        assert_eq!((all.bytes_on(1), all.bytes_on(2)), (0, 0));
    }

    #[test]
    fn what_the_file_system_keeps_is_promised_by_nobody() {
        let all = SpaceReservations::default();
        let mut one = all.make(1, 60, 100).unwrap();
        one.keep_all();
        assert_eq!(all.bytes_on(1), 0);
    }
}
