//! Merges the version of a download on the server with the version on this machine.

use ashore_engine::{SyncRecordRow, SyncWrite};

use crate::{
    cycle::{
        fault::SyncFault,
        local_list::LocalList,
        render::{render, tombstone, wish},
        session::{SyncSession, hold_back, parse},
        versions::{is_put_again, merged},
    },
    merge::{MergeOutcome, merge_download},
    records::{DownloadRecord, DownloadRequest, ReportedResult, RequestedState, StampedValue, SyncRecord as _},
    server::{StoredObject, SyncServer},
};

/// Merges one object of `dl-items`. Returns the resulting writes to the ledger.
pub async fn merge_object<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    object: &StoredObject,
    row: Option<SyncRecordRow>,
) -> Result<Vec<SyncWrite>, SyncFault> {
    let there: DownloadRecord = match session.open(&object.id, &object.payload, object.modified_ms) {
        Ok(there) => there,
        Err(code) => return Ok(vec![hold_back(row, DownloadRecord::COLLECTION, &object.id, &object.payload, code)]),
    };
    for stamp in [&there.title.at, &there.requested.at, &there.home.at, &there.request.at] {
        session.observe(stamp);
    }
    let download = session.list.registration(&object.id).await?;
    let base: Option<DownloadRecord> = parse(row.as_ref().and_then(|row| row.base.as_deref()));
    let known_ms = row.as_ref().map_or(0, |row| row.modified_ms);
    let is_before = base.as_ref().is_some_and(|base| there.is_before(base, known_ms));
    if is_before || is_put_again(base.as_ref(), known_ms, &there, object) {
        session.lost_ms = Some(known_ms);
    }
    let here = match (&download, &row) {
        (Some(download), row) => {
            let prior = row.as_ref().and_then(known_version);
            Some(render(download, prior.as_ref(), &session.account.device, session.part_split()))
        }
        (None, Some(row)) => local_version(row, session).or_else(|| removed_unseen(row, &there, session)),
        (None, None) => None,
    };
    let outcome = match here.is_none().then(|| reclaimed(&there, session)).flatten() {
        Some(record) => MergeOutcome { record, conflicts: Vec::new(), is_here_changed: true, is_there_changed: true },
        None => match merge_download(base.as_ref(), here.as_ref(), Some(&there), &session.context()) {
            Some(outcome) => outcome,
            None => return Ok(Vec::new()),
        },
    };
    let mut writes = Vec::new();
    writes.extend(download.as_ref().and_then(|download| wish(download, &outcome.record, &session.account.device)));
    let row = row.map(|row| match known_version(&row) {
        // A download that comes back to this machine counts as new, even if an earlier one with the same record was
        // removed here.
        Some(known) if known.home.at != outcome.record.home.at => SyncRecordRow { is_gone: false, ..row },
        _ => row,
    });
    writes.extend(merged(row, object, &there, &outcome, session.now_ms()));
    Ok(writes)
}

/// Returns the latest version of a record in the ledger: a change of this machine if there is one, and otherwise the
/// version on which this machine and the server agreed.
pub fn known_version(row: &SyncRecordRow) -> Option<DownloadRecord> {
    parse(row.local.as_deref()).or_else(|| parse(row.base.as_deref()))
}

/// Returns this machine's version of a record whose download is not on this machine.
pub fn local_version<S: SyncServer, L: LocalList>(
    row: &SyncRecordRow,
    session: &SyncSession<'_, S, L>,
) -> Option<DownloadRecord> {
    let known = known_version(row)?;
    // After a hand-over to this device, another device may remove the download before this device begins it. If so,
    // this device never begins the download.
    let is_unwanted = row.is_gone || known.requested.value == RequestedState::Removed;
    let is_removed_here = is_unwanted && known.home.value == session.account.device && !known.is_removed();
    Some(if is_removed_here { tombstone(&known, &session.account.device, session.now_ms()) } else { known })
}

/// Returns the tombstone of a download that this device sent and then removed, before the device learned that the
/// server has the record.
fn removed_unseen<S: SyncServer, L: LocalList>(
    row: &SyncRecordRow,
    there: &DownloadRecord,
    session: &SyncSession<'_, S, L>,
) -> Option<DownloadRecord> {
    let device = &session.account.device;
    let is_removed_here = row.is_gone && there.home.value == *device && !there.is_removed();
    is_removed_here.then(|| tombstone(there, device, session.now_ms()))
}

/// Takes back a download that this device reported but no longer has, because its ledger was restored from a backup.
/// Returns the new record; `None` if there is nothing to take back.
///
/// In the returned record, this device is the home device again. The download is paused as after a hand-over, so that
/// the person can decide whether to resume it.
fn reclaimed<S: SyncServer, L: LocalList>(there: &DownloadRecord, session: &mut SyncSession<'_, S, L>) -> Option<DownloadRecord> {
    let device = session.account.device.clone();
    let is_unfinished = there.home_facts().is_some_and(|facts| facts.result != ReportedResult::Success);
    let is_wanted = there.requested.value != RequestedState::Removed && !there.is_removed();
    let is_complete = matches!(there.request.value, DownloadRequest::Requests(_) | DownloadRequest::Parts(_));
    if there.home.value != device || !is_unfinished || !is_wanted || !is_complete {
        return None;
    }
    let mut record = there.clone();
    record.home = StampedValue::new(device, session.stamp());
    if record.requested.value != RequestedState::Paused {
        record.requested = StampedValue::new(RequestedState::Paused, session.stamp());
    }
    Some(record)
}
