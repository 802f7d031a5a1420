//! Amount of quota that one transfer has reserved.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ashore_transfer::QuotaHold;

use crate::model::FileCategory;

/// Quota reservation of one transfer.
#[derive(Debug)]
pub(crate) struct QuotaReservation {
    pub owner: i64,
    pub(crate) category: Mutex<FileCategory>,
    pub bytes: Arc<QuotaHold>,
    pub(crate) files: QuotaHold,
}

/// Additional quota that a request needs, beyond the bytes that it already has on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QuotaShortfall {
    pub owner: i64,
    pub category: FileCategory,
    pub bytes: u64,
    pub files: u64,
}

impl QuotaReservation {
    /// Returns the amount of quota that was missing when the file was refused.
    ///
    /// The `kept` bytes, which are already on disk, are subtracted from the missing bytes.
    pub(crate) fn short(&self, kept: u64) -> Option<QuotaShortfall> {
        let (bytes, files) = (self.bytes.refused(), self.files.refused());
        (bytes > 0 || files > 0).then(|| QuotaShortfall {
            owner: self.owner,
            category: self.category(),
            bytes: bytes.saturating_sub(kept),
            files: u64::from(files > 0 && kept == 0),
        })
    }

    /// Returns whether more is reserved than the quota allows.
    pub(crate) fn is_overdrawn(&self) -> bool {
        self.bytes.is_overdrawn() || self.files.is_overdrawn()
    }

    /// Ends the reservation after the ledger has counted its outcome.
    pub(crate) fn close(&self) {
        self.bytes.close();
        self.files.close();
    }

    pub(crate) fn category(&self) -> FileCategory {
        *self.category_mut()
    }

    pub(crate) fn category_mut(&self) -> MutexGuard<'_, FileCategory> {
        self.category.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
