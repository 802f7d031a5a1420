//! Merges the versions of one setting. [pure]

use crate::{
    merge::{
        ConflictField, MergeContext, MergeOutcome,
        field_merge::{FieldMerging, merge_unknown},
    },
    records::{SettingRecord, SyncRecord as _},
};

/// Merges the value of a setting on this device with the value on the server, by the rule for stamped fields.
///
/// All records must be of the same setting. Returns `None` if neither side has a record.
pub fn merge_setting(
    base: Option<&SettingRecord>,
    here: Option<&SettingRecord>,
    there: Option<&SettingRecord>,
    context: &MergeContext<'_>,
) -> Option<MergeOutcome<SettingRecord>> {
    let own = here.map(|here| {
        let mut own = here.clone();
        own.clamp_own(context.server_ms, base, there);
        own
    });
    let mut fields = FieldMerging::new(context.server_ms);
    let record = match (own, there) {
        (None, None) => return None,
        (Some(own), None) => own,
        (None, Some(there)) => there.clone(),
        (Some(own), Some(there)) => SettingRecord {
            v: own.v.max(there.v),
            choice: fields.field(ConflictField::Choice, base.map(|base| &base.choice), [&own.choice, &there.choice], |_| false),
            unknown: merge_unknown(base.map(|base| &base.unknown), &own.unknown, &there.unknown),
            name: own.name,
        },
    };
    let (is_here_changed, is_there_changed) = (here != Some(&record), there != Some(&record));
    Some(MergeOutcome { record, conflicts: fields.conflicts, is_here_changed, is_there_changed })
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;
    use crate::records::{DeviceId, HybridStamp, SettingChoice, StampedValue};

    fn device() -> DeviceId {
        "laptop".parse().unwrap()
    }

    fn setting(ms: i64, choice: SettingChoice) -> SettingRecord {
        let choice = StampedValue::new(choice, HybridStamp::new(ms, 0, device()));
        SettingRecord { v: 1, name: "parallel".to_owned(), choice, unknown: Map::new() }
    }

    fn merged(base: Option<&SettingRecord>, here: &SettingRecord, there: &SettingRecord) -> MergeOutcome<SettingRecord> {
        merge_setting(base, Some(here), Some(there), &MergeContext { device: &device(), server_ms: 1000 }).unwrap()
    }

    #[test]
    fn setting_keeps_later_choice_if_changed_on_two_machines() {
        let base = setting(1, SettingChoice::Default);
        let (here, there) = (setting(2, SettingChoice::Value(json!(3))), setting(3, SettingChoice::Default));
        let outcome = merged(Some(&base), &here, &there);
        assert_eq!((&outcome.record, outcome.conflicts.len()), (&there, 1));
        assert_eq!(outcome.conflicts[0].losing, json!({ "value": 3 }));
        assert_eq!((outcome.is_here_changed, outcome.is_there_changed), (true, false));
        assert_eq!(merged(Some(&base), &here, &base).record, here);
        assert_eq!(merged(Some(&here), &here, &setting(0, SettingChoice::Default)).record, here);
    }

    #[test]
    fn setting_with_equal_choices_has_no_conflict() {
        let outcome = merged(None, &setting(2, SettingChoice::Default), &setting(3, SettingChoice::Default));
        assert_eq!((outcome.record, outcome.conflicts), (setting(3, SettingChoice::Default), Vec::new()));
    }

    #[test]
    fn setting_missing_on_one_side_is_copied() {
        let (one, context) = (setting(2, SettingChoice::Default), MergeContext { device: &device(), server_ms: 1000 });
        let here = merge_setting(Some(&one), Some(&one), None, &context).unwrap();
        assert_eq!((here.record, here.is_here_changed, here.is_there_changed), (one.clone(), false, true));
        let there = merge_setting(Some(&one), None, Some(&one), &context).unwrap();
        assert_eq!((there.record, there.is_here_changed, there.is_there_changed), (one, true, false));
        assert_eq!(merge_setting(None, None, None, &context), None);
    }
}
