//! Value of a field together with the stamp of its last edit. [pure]

use serde::{Deserialize, Serialize};

use crate::records::{HybridStamp, clamped};

/// Value and the stamp of the edit that set this value.
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
    /// An earlier stamp alone does not show this: if the clock of a device is ahead, [`clamped`] sets its stamps back.
    /// But a later edit never has a stamp before `known_ms`, because its author saw the known record first.
    pub fn is_before(&self, known: &Self, known_ms: i64) -> bool {
        self.at < known.at && self.at.ms() < known_ms
    }

    /// Applies [`clamped`] to the stamp.
    pub(crate) fn clamp(&mut self, modified_ms: i64) {
        self.at = clamped(&self.at, modified_ms);
    }

    /// Applies [`clamped`] to the stamp of a value on this device, and keeps the stamp later than that of the replaced
    /// value.
    ///
    /// The replaced value is `base`, the last value on which this device and the server agreed. If there is no `base`,
    /// the replaced value is `there`, the value on the server, provided that an edit of the same device set it.
    ///
    /// Example: the clock of this device is 15 minutes ahead. A first edit is sent only after some minutes and keeps
    /// its stamp. A second edit is sent at once and is set back. Without this rule, the second edit would have the
    /// earlier stamp and would lose.
    pub(crate) fn clamp_own(&mut self, server_ms: i64, base: Option<&Self>, there: Option<&Self>) {
        let own = there.filter(|there| there.at.device() == self.at.device());
        let at = clamped(&self.at, server_ms);
        self.at = match base.or(own).map(|replaced| &replaced.at) {
            Some(replaced) if self.at > *replaced && at <= *replaced => replaced.following(at.device().clone()),
            _ => at,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrected_timestamp_of_own_edit_is_still_later_than_that_of_the_replaced_value() {
        let stamp = |ms, counter, device: &str| HybridStamp::new(ms, counter, device.parse().unwrap());
        let (minute, value) = (60_000, |at| StampedValue::new((), at));
        let clamped = |at, base: Option<HybridStamp>, there: Option<HybridStamp>| {
            let mut own = value(at);
            own.clamp_own(4 * minute, base.map(value).as_ref(), there.map(value).as_ref());
            own.at
        };
        let (edit, replaced) = (stamp(16 * minute, 0, "laptop"), stamp(12 * minute, 3, "laptop"));
        let other = stamp(12 * minute, 3, "tablet");
        assert_eq!(clamped(edit.clone(), None, None), stamp(4 * minute, 0, "laptop"));
        assert_eq!(clamped(edit.clone(), Some(replaced.clone()), None), stamp(12 * minute, 4, "laptop"));
        assert_eq!(clamped(edit.clone(), Some(other.clone()), None), stamp(12 * minute, 4, "laptop"));
        assert_eq!(clamped(edit.clone(), None, Some(replaced.clone())), stamp(12 * minute, 4, "laptop"));
        assert_eq!(clamped(edit.clone(), None, Some(other)), stamp(4 * minute, 0, "laptop"), "another device did not see it");
        assert_eq!(clamped(replaced.clone(), Some(edit), None), replaced, "an older value stays older");
    }

    #[test]
    fn edit_counts_as_later_even_if_its_timestamp_was_corrected_to_server_time() {
        let edit = |ms| StampedValue::new((), HybridStamp::new(ms, 0, "laptop".parse().unwrap()));
        // The author's clock is 9 minutes ahead. The author's later edit was clamped to the server's time.
        let (known, known_ms, minute) = (edit(1_000_000), 460_000, 60_000);
        assert!(!edit(known_ms).is_before(&known, known_ms) && !edit(1_000_001).is_before(&known, known_ms));
        assert!(edit(known_ms - minute).is_before(&known, known_ms));
    }
}
