//! The room under quotas that one transfer has reserved.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ashore_transfer::Hold;

use crate::model::Category;

/// The room that one transfer has.
#[derive(Debug)]
pub(crate) struct Room {
    pub owner: i64,
    pub(crate) category: Mutex<Category>,
    pub bytes: Arc<Hold>,
    pub(crate) files: Hold,
}

/// How much room a request needs beside what it has on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Short {
    pub owner: i64,
    pub category: Category,
    pub bytes: u64,
    pub files: u64,
}

impl Room {
    /// Missing room after a refusal, beside the `kept` bytes, which are on disk.
    pub(crate) fn short(&self, kept: u64) -> Option<Short> {
        let (bytes, files) = (self.bytes.refused(), self.files.refused());
        (bytes > 0 || files > 0).then(|| Short {
            owner: self.owner,
            category: self.category(),
            bytes: bytes.saturating_sub(kept),
            files: u64::from(files > 0 && kept == 0),
        })
    }

    /// More is taken than there may be.
    pub(crate) fn is_overdrawn(&self) -> bool {
        self.bytes.is_overdrawn() || self.files.is_overdrawn()
    }

    /// The ledger has counted what became of it.
    pub(crate) fn close(&self) {
        self.bytes.close();
        self.files.close();
    }

    pub(crate) fn category(&self) -> Category {
        *self.category_mut()
    }

    pub(crate) fn category_mut(&self) -> MutexGuard<'_, Category> {
        self.category.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
