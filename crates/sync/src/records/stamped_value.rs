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

    /// Whether this edit was made before `known`, which the server stored at `known_ms`.
    ///
    /// If the clock of an edit's author is ahead, [`clamped`] sets the stamp back, and a later edit may have an earlier
    /// stamp. Such a stamp is never before `known_ms`, because the author saw the known record before the edit.
    pub fn is_before(&self, known: &Self, known_ms: i64) -> bool {
        self.at < known.at && self.at.ms() < known_ms
    }

    /// Applies [`clamped`] to the stamp.
    pub(crate) fn clamp(&mut self, modified_ms: i64) {
        self.at = clamped(&self.at, modified_ms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_edit_is_recognised_although_its_stamp_was_clamped() {
        let edit = |ms| StampedValue::new((), HybridStamp::new(ms, 0, "laptop".parse().unwrap()));
        // The author's clock is 9 minutes ahead, and the later edit of this author was clamped to the time of the
        // server.
        let (known, known_ms, minute) = (edit(1_000_000), 460_000, 60_000);
        assert!(!edit(known_ms).is_before(&known, known_ms) && !edit(1_000_001).is_before(&known, known_ms));
        assert!(edit(known_ms - minute).is_before(&known, known_ms));
    }
}
