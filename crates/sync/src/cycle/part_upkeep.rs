//! Keeps the parts of this device's downloads on the server. Deletes parts that no record names any more, even if
//! another device sent them.
//!
//! - This device checks that the server still has the parts of its downloads, and sends missing parts again. The check
//!   runs if the collection of parts has changed, or if this device has sent parts since its latest check. After a
//!   restore from a backup, the server can have the time of an earlier check although it lacks the parts.
//! - Every device remembers all parts that it has seen on the server, including those of other devices. It deletes a
//!   part after it has seen for 30 days that no record names the part. The parts of a device that left, was removed or
//!   is lost are therefore deleted as well. A device that was off does not delete a part earlier.
//! - A part whose record is removed counts as not named. It is kept for those 30 days, because a conflict about the
//!   removal may bring the download back.
//! - Two downloads can share a part, and a device sends a part again before a new record of it names the part. No part
//!   is therefore deleted within a day after it was sent. The server refuses a deletion if any part was sent since this
//!   device looked.
//! - While a record of a download cannot be read, nothing is deleted, because that record may name any part.

use std::collections::{BTreeMap, BTreeSet};

use ashore_engine::{SyncCursor, SyncRecordRow, SyncWrite};

use crate::{
    cycle::{
        fault::SyncFault,
        local_list::{LocalList, all_rows, chosen_rows},
        parts::{remember_parts, send_parts},
        session::{SyncSession, parse},
    },
    merge::CONFLICT_MS,
    records::{DeviceId, DownloadRecord, DownloadRequest, PartRecord, SyncRecord as _},
    server::SyncServer,
};

const PARTS: &str = PartRecord::COLLECTION;
/// Time, in milliseconds, for which a part is kept while no record names it.
const KEPT_MS: i64 = CONFLICT_MS;
/// Period after the latest write of a part, in milliseconds. During this period, the record that names the part may not
/// be on the server yet.
const WRITTEN_MS: i64 = 24 * 60 * 60 * 1000;

/// Parts that the records of all downloads name.
#[derive(Debug, Default)]
struct NamedParts {
    /// Ids of all parts that are named by the record of a download that is not removed.
    all: BTreeSet<String>,
    /// Parts of the downloads whose home is or was this device. The key is the id of the record, the value is the ids
    /// of its parts.
    own: BTreeMap<String, Vec<String>>,
    /// Whether there is a record that this device cannot read.
    has_unread: bool,
}

impl NamedParts {
    fn add(&mut self, row: &SyncRecordRow, device: &DeviceId) {
        self.has_unread |= row.held.is_some();
        // Count the parts of both versions: the server may still have the earlier version, and will get the later one.
        let agreed: Option<DownloadRecord> = parse(row.base.as_deref());
        let local: Option<DownloadRecord> = parse(row.local.as_deref());
        for record in agreed.iter().chain(&local).filter(|record| !record.is_removed()) {
            self.all.extend(ids_of(record).iter().cloned());
        }
        // Include former homes: until the new home has read the requests, a former home may be the only device that has
        // them.
        let is_or_was_home =
            |record: &DownloadRecord| record.home.value == *device || record.all_facts().iter().any(|facts| facts.by == *device);
        let is_own = |record: &&DownloadRecord| is_or_was_home(record) && !record.is_removed() && !row.is_gone;
        if let Some(ids) = agreed.as_ref().filter(is_own).map(ids_of).filter(|ids| !ids.is_empty()) {
            self.own.insert(row.id.clone(), ids.to_vec());
        }
    }
}

fn ids_of(record: &DownloadRecord) -> &[String] {
    match &record.request.value {
        DownloadRequest::Parts(parts) => &parts.ids,
        DownloadRequest::Requests(_) | DownloadRequest::Omitted { .. } => &[],
    }
}

/// Whether the collection of parts has changed since this device last checked it.
pub async fn have_parts_changed<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    times: &BTreeMap<String, i64>,
) -> Result<bool, SyncFault> {
    Ok(session.list.cursor(PARTS).await?.modified != time_of_parts(times))
}

fn time_of_parts(times: &BTreeMap<String, i64>) -> i64 {
    times.get(PARTS).copied().unwrap_or(0)
}

/// Sends missing parts of this device's downloads, and deletes parts that no download needs any longer.
///
/// `times` contains the times of all collections at the beginning of the round. `has_parts` states whether a record
/// named parts at that time. Must run after the downloads were read and sent completely.
pub async fn keep_parts<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    times: &BTreeMap<String, i64>,
    has_parts: bool,
) -> Result<(), SyncFault> {
    let (time_ms, cursor) = (time_of_parts(times), session.list.cursor(PARTS).await?);
    let is_changed = time_ms != cursor.modified;
    // In a list without parts, the records are not read a second time.
    if !has_parts && !is_changed && session.list.all_records(PARTS, "", 1).await?.is_empty() {
        return Ok(());
    }
    let (mut named, device) = (NamedParts::default(), session.account.device.clone());
    let nothing = |row: SyncRecordRow| -> Option<()> {
        named.add(&row, &device);
        None
    };
    chosen_rows(session.list, DownloadRecord::COLLECTION, nothing).await?;
    // A time of 0 means that the collection does not exist, so the server has none of the parts. In that case, check
    // even if the time has not changed.
    if is_changed || (time_ms == 0 && !named.own.is_empty()) {
        look_at_parts(session, &named).await?;
    }
    let released = note_unnamed(session, &named).await?;
    if released.is_empty() || named.has_unread { Ok(()) } else { delete_parts(session, released).await }
}

/// Remembers all parts that the server has. Sends the parts of this device's downloads that the server lacks.
async fn look_at_parts<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    named: &NamedParts,
) -> Result<(), SyncFault> {
    let answer = session.server.list_ids(PARTS, None).await?;
    let listed = session.note(answer);
    let (mut there, mut is_sent): (BTreeSet<String>, bool) = (listed.ids.into_iter().collect(), false);
    remember_parts(session, &there.iter().map(String::as_str).collect()).await?;
    for (id, ids) in &named.own {
        let missing: BTreeSet<String> = ids.iter().filter(|id| !there.contains(*id)).cloned().collect();
        if missing.is_empty() {
            continue;
        }
        // If the requests have changed, the next push sends their parts.
        if let Some(download) = session.list.registration(id).await? {
            // The server may have lost parts that this session has sent.
            session.sent_parts.retain(|id, _| !missing.contains(id));
            send_parts(session, &download.requests, Some(&missing)).await?;
            let again = missing.into_iter().filter(|id| session.sent_parts.contains_key(id));
            there.extend(again.inspect(|_| is_sent = true));
        }
    }
    // If parts were sent, the next cycle checks again.
    if !is_sent {
        let cursor = SyncCursor { modified: listed.last_modified_ms, page_modified: None, page_offset: None };
        session.list.write(&[SyncWrite::Cursor { collection: PARTS.to_owned(), cursor }]).await?;
    }
    Ok(())
}

/// Stores, for each remembered part, the time since which no record has named the part. Returns the parts that can be
/// deleted.
///
/// In the row of a part, `modified_ms` is the server time at which the part was first found without a record that names
/// it. It is 0 while a record names the part.
async fn note_unnamed<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    named: &NamedParts,
) -> Result<Vec<SyncRecordRow>, SyncFault> {
    let (mut writes, mut released) = (Vec::new(), Vec::new());
    for row in all_rows(session.list, PARTS).await? {
        let since_ms = match row.modified_ms {
            _ if named.all.contains(&row.id) => 0,
            0 => session.server_ms,
            since_ms => since_ms,
        };
        // A restart of the list marks every row as due, but the row of a part is never sent.
        if since_ms != row.modified_ms || row.sent != row.change {
            let (seen, sent) = (row.change, row.change);
            let record = Box::new(SyncRecordRow { modified_ms: since_ms, sent, ..row });
            writes.push(SyncWrite::Record { record, seen, is_edit: false });
        } else if since_ms > 0 && session.server_ms - since_ms > KEPT_MS {
            released.push(row);
        }
    }
    if !writes.is_empty() {
        // If a row has changed since it was read, nothing is written, and the next cycle records the time.
        session.list.write(&writes).await?;
    }
    Ok(released)
}

/// Deletes parts from the server, unless a device has sent them within the last day.
async fn delete_parts<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    released: Vec<SyncRecordRow>,
) -> Result<(), SyncFault> {
    let before_ms = session.server_ms - WRITTEN_MS;
    let answer = session.server.list_ids(PARTS, Some(before_ms)).await?;
    let old = session.note(answer);
    let answer = session.server.list_ids(PARTS, None).await?;
    let all: BTreeSet<String> = session.note(answer).ids.into_iter().collect();
    let is_old = |id: &String| old.ids.contains(id);
    let deleted: Vec<String> = released.iter().map(|row| row.id.clone()).filter(is_old).collect();
    if !deleted.is_empty() {
        let outcome = session.server.delete_objects(PARTS, &deleted, Some(old.last_modified_ms)).await;
        match outcome.map_err(SyncFault::from) {
            Ok(answer) => {
                session.note(answer);
            }
            // Another device has sent parts, perhaps some of these. A later cycle checks again.
            Err(fault) if fault.is_conflict() => return Ok(()),
            Err(fault) => return Err(fault),
        }
    }
    let is_gone = |row: &SyncRecordRow| !all.contains(&row.id) || is_old(&row.id);
    let forget = |row: SyncRecordRow| SyncWrite::Forget { collection: row.collection, id: row.id, seen: row.change };
    let writes: Vec<SyncWrite> = released.into_iter().filter(is_gone).map(forget).collect();
    if !writes.is_empty() {
        session.list.write(&writes).await?;
    }
    Ok(())
}
