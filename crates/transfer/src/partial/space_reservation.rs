//! Tracks the space that running transfers will still need, by volume. [pure]
//!
//! Free space that is reserved for one transfer is not available to another. If only one of two files fits, the second
//! one waits before any of its bytes is written.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::model::{failure::TransferFailure, failure_kind::FailureKind};

/// All space reservations of the process. Clones share the same reservations.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpaceReservations(Arc<Mutex<HashMap<u64, u64>>>);

/// Bytes of a volume that are reserved for a transfer.
///
/// The reservation ends when the transfer has written the bytes, or when the transfer ends.
#[derive(Debug)]
pub(crate) struct SpaceReservation {
    all: SpaceReservations,
    volume: u64,
    left: u64,
}

impl SpaceReservations {
    /// Reserves `bytes` on a volume with `free` free bytes.
    ///
    /// Fails with `DiskFull` if the free bytes do not suffice for this reservation and all earlier ones.
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

    /// Returns the number of bytes on a volume that are reserved but not written yet.
    pub fn bytes_on(&self, volume: u64) -> u64 {
        self.all().get(&volume).copied().unwrap_or_default()
    }

    fn all(&self) -> MutexGuard<'_, HashMap<u64, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SpaceReservation {
    /// Records that `bytes` are now on disk.
    ///
    /// These bytes are neither free nor reserved any longer.
    pub fn set(&mut self, bytes: u64) {
        let kept = bytes.min(self.left);
        self.left -= kept;
        if let Some(of_volume) = self.all.all().get_mut(&self.volume) {
            *of_volume = of_volume.saturating_sub(kept);
        }
    }

    /// Ends the reservation, because the file system has allocated all the space.
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
    fn space_stays_reserved_until_written_or_reservation_is_dropped() {
        let all = SpaceReservations::default();
        let mut one = all.make(1, 60, 100).unwrap();
        assert_eq!(all.make(1, 41, 100).unwrap_err().needs_free, Some(41));
        assert!(all.make(2, 100, 100).is_ok());
        let other = all.make(1, 40, 100).unwrap();
        assert_eq!(all.bytes_on(1), 100);
        // Written bytes are no longer free on the volume, so the space for other transfers stays the same.
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
    fn reservation_ends_when_file_system_allocates_space() {
        let all = SpaceReservations::default();
        let mut one = all.make(1, 60, 100).unwrap();
        one.keep_all();
        assert_eq!(all.bytes_on(1), 0);
    }
}
