//! Merges the versions of one download. [pure]
//!
//! - Title, requested state, home device and requests: if only one side differs from the mirror, its value wins. If
//!   both sides differ, the value with the later stamp wins, and the other value becomes a conflict.
//! - Facts: for each device, the facts with its highest revision are stored. The current facts are those of the home
//!   device.
//! - A missing record never means a deletion, because a reset server has no records. A deletion is a record of its own.

use serde_json::Value;

use crate::{
    merge::{
        ConflictField, MergeConflict, MergeContext, MergeOutcome,
        field_merge::{FieldMerging, json, merge_unknown},
    },
    records::{DownloadFacts, DownloadRecord, DownloadState, HybridStamp, RequestedState, StampedValue, SyncRecord as _},
};

/// Merges the version of this device with the version of the server.
///
/// `base` is the mirror: the last version on which both sides agreed. Without a mirror, at the first sync or after a
/// reset, the result is the union of both versions, and nothing is deleted. `there` has clamped stamps, because
/// `read_record` read it.
///
/// Returns `None` if the download exists on neither side.
pub fn merge_download(
    base: Option<&DownloadRecord>,
    here: Option<&DownloadRecord>,
    there: Option<&DownloadRecord>,
    context: &MergeContext<'_>,
) -> Option<MergeOutcome<DownloadRecord>> {
    let own = here.map(|here| {
        let mut own = here.clone();
        own.clamp_own(context.server_ms, base, there);
        own
    });
    let (record, conflicts) = match (own, there) {
        (None, None) => return None,
        (Some(own), None) => (own, Vec::new()),
        (None, Some(there)) => (there.clone(), Vec::new()),
        (Some(own), Some(there)) => merge_sides(base, &own, there, context),
    };
    let (is_here_changed, is_there_changed) = (here != Some(&record), there != Some(&record));
    Some(MergeOutcome { record, conflicts, is_here_changed, is_there_changed })
}

fn merge_sides(
    base: Option<&DownloadRecord>,
    own: &DownloadRecord,
    there: &DownloadRecord,
    context: &MergeContext<'_>,
) -> (DownloadRecord, Vec<MergeConflict>) {
    let mut fields = FieldMerging::new(context.server_ms);
    let mut record = DownloadRecord {
        v: own.v.max(there.v),
        title: fields.field(ConflictField::Title, base.map(|base| &base.title), [&own.title, &there.title], |_| false),
        // Delete nothing if there is no mirror, because the removal may be from before the reset.
        requested: fields.field(
            ConflictField::Requested,
            base.map(|base| &base.requested),
            [&own.requested, &there.requested],
            |requested| *requested == RequestedState::Removed,
        ),
        home: fields.field(ConflictField::Home, base.map(|base| &base.home), [&own.home, &there.home], |_| false),
        request: fields.field(ConflictField::Request, base.map(|base| &base.request), [&own.request, &there.request], |_| false),
        facts: own.facts.clone(),
        former_facts: Vec::new(),
        unknown: merge_unknown(base.map(|base| &base.unknown), &own.unknown, &there.unknown),
    };
    record.place_facts(own.all_facts().into_iter().chain(there.all_facts()).collect());
    let mut conflicts = fields.conflicts;
    if record.is_removed() {
        let restored = restored_facts(&record, own, context).filter(|_| base.is_none());
        match restored {
            Some(facts) => {
                conflicts.push(MergeConflict {
                    field: ConflictField::Removed,
                    losing: json(&DownloadState::Removed),
                    winning: json(&facts.state),
                    lost_at: record.home.at.clone(),
                    merged_ms: context.server_ms,
                });
                record.report_facts(context.device, facts);
            }
            None => conflicts.extend(edit_of_removed(&record, own, there, context)),
        }
    }
    (record, conflicts)
}

/// Returns the facts of this device, if this device is the home device and has not removed the download.
///
/// If there is no mirror, these facts replace the tombstone of the server. The mirror is missing after the ledger was
/// restored from a backup. On other devices the tombstone wins: they have no files of the download to lose.
fn restored_facts(record: &DownloadRecord, own: &DownloadRecord, context: &MergeContext<'_>) -> Option<DownloadFacts> {
    let is_home = record.home.value == *context.device && !own.is_removed();
    own.home_facts().filter(|facts| is_home && facts.by == *context.device).cloned()
}

/// Returns a conflict if one side edited the download, and the other side removed it without knowing the edit.
fn edit_of_removed(
    record: &DownloadRecord,
    own: &DownloadRecord,
    there: &DownloadRecord,
    context: &MergeContext<'_>,
) -> Option<MergeConflict> {
    let (live, removed) = match (own.is_removed(), there.is_removed()) {
        (false, true) => (own, there),
        (true, false) => (there, own),
        _ => return None,
    };
    let edits = [
        won_at(&record.title, &live.title, &removed.title),
        won_at(&record.requested, &live.requested, &removed.requested),
        won_at(&record.request, &live.request, &removed.request),
    ];
    let lost_at = edits.into_iter().flatten().max()?;
    Some(MergeConflict {
        field: ConflictField::Removed,
        losing: Value::String(live.title.value.clone()),
        winning: json(&DownloadState::Removed),
        lost_at: lost_at.clone(),
        merged_ms: context.server_ms,
    })
}

/// Returns the stamp of an edit in `live`. Returns `None` if the merged field does not contain the edit, or if the
/// removing side had seen the edit.
fn won_at<'a, T: PartialEq>(
    merged: &StampedValue<T>,
    live: &'a StampedValue<T>,
    removed: &StampedValue<T>,
) -> Option<&'a HybridStamp> {
    (merged == live && live != removed).then_some(&live.at)
}
