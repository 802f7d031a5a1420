//! Value of a field together with the stamp of its last edit. [pure]

use serde::{Deserialize, Serialize};

use crate::records::{HybridStamp, clamped};

/// Value and the stamp of the edit that set it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StampedValue<T> {
    /// Value.
    pub value: T,
    /// Stamp of the edit.
    pub at: HybridStamp,
}

impl<T> StampedValue<T> {
    /// Returns `value` with `at` as the stamp of its edit.
    pub fn new(value: T, at: HybridStamp) -> Self {
        Self { value, at }
    }

    /// Applies [`clamped`] to the stamp.
    pub(crate) fn clamp(&mut self, modified_ms: i64) {
        self.at = clamped(&self.at, modified_ms);
    }
}
