//! Tests of merging two versions of one download: the table in the design, and edge cases.

use serde_json::{Map, json};

use crate::{
    merge::{ConflictField, HomeDuty, MergeContext, MergeOutcome, home_duty, merge_download},
    records::{
        DeviceId, DownloadFacts, DownloadRecord, DownloadRequest, DownloadState, HybridStamp, MOST_AHEAD_MS, ReportedResult,
        RequestedState, StampedValue,
    },
};

const NOW: i64 = 100_000_000;

pub(super) fn device(name: &str) -> DeviceId {
    name.parse().unwrap()
}

fn at(minutes: i64, by: &str) -> HybridStamp {
    HybridStamp::new(minutes * 60_000, 0, device(by))
}

/// Returns a download with the home device `desktop`.
pub(super) fn download() -> DownloadRecord {
    let first = at(1, "desktop");
    DownloadRecord {
        v: 1,
        title: StampedValue::new("debian.iso".to_owned(), first.clone()),
        requested: StampedValue::new(RequestedState::Run, first.clone()),
        home: StampedValue::new(device("desktop"), first.clone()),
        request: StampedValue::new(DownloadRequest::Requests(vec![json!({ "url": "https://a.test/" })]), first.clone()),
        facts: DownloadFacts {
            by: device("desktop"),
            revision: 1,
            home_at: first,
            kind: "program".to_owned(),
            created_ms: 60_000,
            state: DownloadState::Running,
            result: ReportedResult::None,
            failure: None,
            size: None,
            settled_ms: None,
            command: None,
            unknown: Map::new(),
        },
        former_facts: Vec::new(),
        unknown: Map::new(),
    }
}

fn edited(record: &DownloadRecord, edit: impl FnOnce(&mut DownloadRecord)) -> DownloadRecord {
    let mut record = record.clone();
    edit(&mut record);
    record
}

fn renamed(record: &DownloadRecord, title: &str, minutes: i64, by: &str) -> DownloadRecord {
    edited(record, |record| record.title = StampedValue::new(title.to_owned(), at(minutes, by)))
}

fn requested(record: &DownloadRecord, state: RequestedState, minutes: i64, by: &str) -> DownloadRecord {
    edited(record, |record| record.requested = StampedValue::new(state, at(minutes, by)))
}

fn moved(record: &DownloadRecord, to: &str, minutes: i64) -> DownloadRecord {
    edited(record, |record| record.home = StampedValue::new(device(to), at(minutes, to)))
}

fn reported(record: &DownloadRecord, by: &str, state: DownloadState) -> DownloadRecord {
    edited(record, |record| record.report_facts(&device(by), DownloadFacts { state, ..record.facts.clone() }))
}

fn merged_on(
    by: &str,
    base: Option<&DownloadRecord>,
    here: &DownloadRecord,
    there: &DownloadRecord,
) -> MergeOutcome<DownloadRecord> {
    merge_download(base, Some(here), Some(there), &MergeContext { device: &device(by), server_ms: NOW }).unwrap()
}

/// Merges on both sides, and asserts that both results are equal.
fn merged(base: Option<&DownloadRecord>, here: &DownloadRecord, there: &DownloadRecord) -> MergeOutcome<DownloadRecord> {
    let outcome = merged_on("tablet", base, here, there);
    let other = merged_on("tablet", base, there, here);
    assert_eq!((&outcome.record, &outcome.conflicts), (&other.record, &other.conflicts));
    outcome
}

fn fields(outcome: &MergeOutcome<DownloadRecord>) -> Vec<ConflictField> {
    outcome.conflicts.iter().map(|conflict| conflict.field).collect()
}

#[test]
fn download_merge_follows_table_in_design() {
    let base = download();

    // Here: title "Thesis". There: requested state paused. Result: both edits.
    let (here, there) = (renamed(&base, "Thesis", 5, "laptop"), requested(&base, RequestedState::Paused, 6, "tablet"));
    let outcome = merged(Some(&base), &here, &there);
    assert_eq!((outcome.record.title.value.as_str(), outcome.record.requested.value), ("Thesis", RequestedState::Paused));
    assert_eq!((outcome.conflicts.len(), outcome.is_here_changed, outcome.is_there_changed), (0, true, true));

    // Here: title X at 10:00. There: title Y at 10:05, made offline. Result: Y, with a conflict about X.
    let (here, there) = (renamed(&base, "X", 600, "laptop"), renamed(&base, "Y", 605, "tablet"));
    let outcome = merged(Some(&base), &here, &there);
    let conflict = &outcome.conflicts[0];
    assert_eq!((outcome.record.title.value.as_str(), fields(&outcome)), ("Y", vec![ConflictField::Title]));
    assert_eq!((&conflict.losing, &conflict.winning, conflict.device()), (&json!("X"), &json!("Y"), &device("laptop")));

    // Here: removed by the home device. There: renamed later. Result: removed. A conflict about the new title offers
    // "Fetch here".
    let (here, there) = (reported(&base, "desktop", DownloadState::Removed), renamed(&base, "Thesis", 900, "laptop"));
    let outcome = merged(Some(&base), &here, &there);
    assert!(outcome.record.is_removed());
    assert_eq!((fields(&outcome), &outcome.conflicts[0].losing), (vec![ConflictField::Removed], &json!("Thesis")));
    let fetched = moved(&outcome.record, "laptop", 901);
    assert!(!fetched.is_removed(), "fetching the download elsewhere must not be a removal");
    assert_eq!(merged(Some(&outcome.record), &fetched, &outcome.record).record, fetched);

    // Here: moved to this device. There: moved to a third device. Result: the move with the later stamp. The old home
    // device deletes its partial files after the new home device starts.
    let (here, there) = (moved(&base, "laptop", 5), moved(&base, "tablet", 6));
    let outcome = merged(Some(&base), &here, &there);
    assert_eq!((&outcome.record.home.value, fields(&outcome)), (&device("tablet"), vec![ConflictField::Home]));
    let duty = |record: &DownloadRecord| ["desktop", "laptop", "tablet"].map(|name| home_duty(record, &device(name)));
    assert_eq!(duty(&outcome.record), [HomeDuty::KeepPaused, HomeDuty::KeepPaused, HomeDuty::Fetch]);
    let queued = reported(&outcome.record, "tablet", DownloadState::Queued);
    assert_eq!(duty(&queued)[0], HomeDuty::KeepPaused);
    let started = reported(&queued, "tablet", DownloadState::Running);
    assert_eq!(duty(&started), [HomeDuty::DropPartial, HomeDuty::DropPartial, HomeDuty::Fetch]);

    // Without a mirror, the result of any two versions is their union, without a deletion.
    let (here, there) = (renamed(&base, "X", 5, "laptop"), requested(&base, RequestedState::Removed, 6, "tablet"));
    let outcome = merged(None, &here, &there);
    assert_eq!((outcome.record.title.value.as_str(), outcome.record.requested.value), ("X", RequestedState::Run));
    assert_eq!(fields(&outcome), [ConflictField::Title, ConflictField::Requested]);
}

#[test]
fn record_missing_on_one_side_is_copied() {
    let (base, context) = (download(), MergeContext { device: &device("laptop"), server_ms: NOW });
    for mirror in [None, Some(&base)] {
        let here = merge_download(mirror, Some(&base), None, &context).unwrap();
        assert_eq!((&here.record, here.is_here_changed, here.is_there_changed), (&base, false, true));
        let there = merge_download(mirror, None, Some(&base), &context).unwrap();
        assert_eq!((&there.record, there.is_here_changed, there.is_there_changed), (&base, true, false));
    }
    assert_eq!(merge_download(Some(&base), None, None, &context), None);
}

#[test]
fn outdated_version_of_a_download_does_not_undo_newer_changes() {
    let old = download();
    let base = requested(&renamed(&old, "base", 50, "laptop"), RequestedState::Paused, 51, "laptop");
    let outcome = merged(Some(&base), &base, &old);
    assert_eq!(outcome.record, base);
    assert_eq!(fields(&outcome), [ConflictField::Title, ConflictField::Requested]);
    let edit = renamed(&base, "Y", 52, "tablet");
    assert_eq!(merged(Some(&base), &base, &edit).record, edit);
}

#[test]
fn equal_values_cause_no_conflict_even_if_their_timestamps_differ() {
    let base = download();
    let (here, there) = (renamed(&base, "X", 5, "laptop"), renamed(&base, "X", 6, "tablet"));
    for base in [None, Some(&base)] {
        let outcome = merged(base, &here, &there);
        assert_eq!((&outcome.record, outcome.conflicts.len()), (&there, 0));
    }
}

#[test]
fn timestamp_of_own_edit_that_lies_far_in_future_is_replaced_by_server_time() {
    let base = download();
    let late = HybridStamp::new(NOW + MOST_AHEAD_MS + 1, 0, device("laptop"));
    let here = edited(&base, |record| record.title = StampedValue::new("X".to_owned(), late));
    let outcome = merged_on("laptop", Some(&base), &here, &base);
    assert_eq!((outcome.record.title.value.as_str(), outcome.record.title.at.ms()), ("X", NOW));
    assert!(outcome.is_here_changed, "the device must store the corrected stamp");
    let there = edited(&base, |record| {
        record.title = StampedValue::new("Y".to_owned(), HybridStamp::new(NOW + 1, 0, device("tablet")));
    });
    assert_eq!(merged_on("laptop", Some(&base), &here, &there).record.title.value, "Y");
}

#[test]
fn report_of_device_that_has_the_download_overrides_higher_revisions_of_other_devices() {
    let base = moved(&download(), "laptop", 5);
    let current = reported(&base, "laptop", DownloadState::Paused);
    let mut old = base.clone();
    for _ in 0..5 {
        old = reported(&old, "desktop", DownloadState::Running);
    }
    let outcome = merged(Some(&base), &current, &old);
    assert_eq!((&outcome.record.facts, outcome.record.former_facts.len()), (&current.facts, 1));
    assert_eq!(outcome.record.former_facts[0].revision, 6);
    assert_eq!(outcome.conflicts, []);
}

#[test]
fn removed_download_is_fetched_again_when_moved_back() {
    let removed = reported(&download(), "desktop", DownloadState::Removed);
    let back = moved(&moved(&removed, "laptop", 5), "desktop", 6);
    assert!(removed.is_removed() && !back.is_removed());
    assert_eq!(back.home_facts(), None);
    assert_eq!(home_duty(&back, &device("desktop")), HomeDuty::Fetch);
}

#[test]
fn machine_with_restored_ledger_keeps_download_that_it_had_removed_later() {
    let here = reported(&download(), "desktop", DownloadState::Paused);
    let there = reported(&here, "desktop", DownloadState::Removed);
    let outcome = merged_on("desktop", None, &here, &there);
    assert_eq!((outcome.record.facts.state, outcome.record.facts.revision), (DownloadState::Paused, 4));
    assert_eq!(fields(&outcome), [ConflictField::Removed]);
    // This device has only a copy of the list, and accepts the removal by the home device.
    assert!(merged_on("laptop", None, &here, &there).record.is_removed());
    assert!(merged_on("desktop", Some(&here), &here, &there).record.is_removed());
}

#[test]
fn unknown_fields_are_merged_although_they_have_no_timestamps() {
    let field = |record: &DownloadRecord, name: &str, value: u32| {
        edited(record, |record| drop(record.unknown.insert(name.to_owned(), json!(value))))
    };
    let base = field(&field(&download(), "a", 1), "b", 1);
    let outcome = merged(Some(&base), &field(&base, "a", 2), &field(&field(&base, "b", 0), "c", 3));
    assert_eq!(serde_json::Value::Object(outcome.record.unknown), json!({ "a": 2, "b": 0, "c": 3 }));
    assert_eq!(merged(Some(&base), &field(&base, "a", 2), &field(&base, "a", 3)).record.unknown["a"], 3);
}
