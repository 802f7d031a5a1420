//! Merges single fields of two records against their common ancestor. [pure]
//!
//! - The result does not depend on which side is called `here`.
//! - A field counts as edited if its stamp is later than the ancestor's. The value may be equal, because a user may
//!   change a value and change it back.
//! - A field whose stamp is earlier than the ancestor's counts as an old version.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    merge::{ConflictField, MergeConflict},
    records::StampedValue,
};

/// Merges the stamped fields of one record, and collects the conflicts.
#[derive(Debug)]
pub(crate) struct FieldMerging {
    /// Edits that lost.
    pub conflicts: Vec<MergeConflict>,
    /// Time of the merge, in milliseconds.
    pub merged_ms: i64,
}

impl FieldMerging {
    pub fn new(merged_ms: i64) -> Self {
        Self { conflicts: Vec::new(), merged_ms }
    }

    /// Returns the winning value of a field. The losing value becomes a conflict.
    ///
    /// Without a `base`, a value for which `is_weak` is true loses to any other value.
    pub fn field<T: Clone + PartialEq + Serialize>(
        &mut self,
        field: ConflictField,
        base: Option<&StampedValue<T>>,
        [here, there]: [&StampedValue<T>; 2],
        is_weak: impl Fn(&T) -> bool,
    ) -> StampedValue<T> {
        // The author of an edit has seen the mirror, so the stamp of an edit is later than the stamp of the mirror. If
        // values with earlier stamps counted as edits, a server with old data could undo a pause.
        //
        // There is one exception: a device without a mirror may have replaced a weak value (see `is_weak`) by a value
        // with an earlier stamp.
        let is_edit = |one: &StampedValue<T>| base.is_some_and(|base| one.at > base.at || is_weak(&base.value));
        if base == Some(here) && is_edit(there) {
            return there.clone();
        }
        if base == Some(there) && is_edit(here) {
            return here.clone();
        }
        let rank = |one: &StampedValue<T>| (base.is_some() || !is_weak(&one.value), one.at.clone(), json(&one.value).to_string());
        let (winner, loser) = if rank(here) >= rank(there) { (here, there) } else { (there, here) };
        if winner.value != loser.value {
            self.conflicts.push(MergeConflict {
                field,
                losing: json(&loser.value),
                winning: json(&winner.value),
                lost_at: loser.at.clone(),
                merged_ms: self.merged_ms,
            });
        }
        winner.clone()
    }
}

/// Merges fields that this version does not know.
///
/// If both sides differ from the ancestor, the choice is arbitrary, but the same on every device.
pub(crate) fn merge_unknown(
    base: Option<&Map<String, Value>>,
    here: &Map<String, Value>,
    there: &Map<String, Value>,
) -> Map<String, Value> {
    let names = here.keys().chain(there.keys().filter(|name| !here.contains_key(*name)));
    let text = |value: Option<&Value>| value.map(Value::to_string);
    let chosen = |name: &String| match (base.map(|base| base.get(name)), here.get(name), there.get(name)) {
        (Some(base), here, there) if base == here => there,
        (Some(base), here, there) if base == there => here,
        (_, here, there) if text(here) >= text(there) => here,
        (_, _, there) => there,
    };
    names.filter_map(|name| Some((name.clone(), chosen(name)?.clone()))).collect()
}

/// Returns a value of a record as JSON. Never fails for values of records.
pub(crate) fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
