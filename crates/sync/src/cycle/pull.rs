//! Reads a collection page by page, and applies each page in one transaction together with the new cursor.
//!
//! - A read that is interrupted continues at the page where it stopped. If the collection changed in the meantime, the
//!   read begins again at the time up to which everything was received. Therefore the read ends even while another
//!   machine sends a long list.
//! - A page that is too long is requested again with half as many objects.
//! - The cursor advances only to a time up to which everything was received.

use std::{collections::BTreeMap, sync::atomic::Ordering::Relaxed};

use ashore_engine::{SyncCursor, SyncRecordRow, SyncWrite};

use crate::{
    cycle::{
        devices::has_joined,
        downloads,
        fault::SyncFault,
        history,
        local_list::LocalList,
        sends,
        session::{SyncSession, hold_back},
        settings,
        versions::agreed,
    },
    records::{DeviceRecord, DownloadRecord, HistoryRecord, SendRecord, SettingRecord, SyncRecord},
    server::{PageOffset, PageRequest, ServerFault, StoredObject, SyncServer, UnexpectedAnswer},
};

/// Maximum number of objects in one page.
const PAGE: u32 = 500;
/// Fault that the client reports for a page that is too long.
const TOO_LONG: ServerFault = ServerFault::NotSyncServer(UnexpectedAnswer::TooLong);
/// Maximum number of times that a page is merged. A page is merged again if a row changed in the meantime.
const MOST_MERGES: u32 = 20;
/// Maximum number of successive attempts to read a collection from the same modification time. A read begins again if
/// the collection changes during the read.
const MOST_STARTS: u32 = 5;

/// Reads a collection completely. Returns the number of objects that were received.
pub async fn pull<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    collection: &'static str,
) -> Result<u64, SyncFault> {
    let (mut received, mut limit, mut starts) = (0, PAGE, 0);
    while starts < MOST_STARTS {
        match read_pages(session, collection, &mut received, &mut limit).await {
            Err(fault) if fault.is_conflict() && session.lost_ms.is_none() => {
                let cursor = session.list.cursor(collection).await?;
                let restarted = SyncCursor { modified: received_until(&cursor), page_modified: None, page_offset: None };
                starts = if restarted.modified > cursor.modified { 0 } else { starts + 1 };
                session.list.write(&[SyncWrite::Cursor { collection: collection.to_owned(), cursor: restarted }]).await?;
            }
            other => return other.map(|()| received),
        }
    }
    Err(SyncFault::Contended)
}

/// Returns the time up to which everything was received.
///
/// Pages are sorted by time, oldest first, and an object that changes gets a later time. Only objects with the same
/// time as the last received object can therefore be missing.
fn received_until(cursor: &SyncCursor) -> i64 {
    offset(cursor).map_or(cursor.modified, |offset| cursor.modified.max(offset.modified_ms - 1))
}

/// Returns the position of the last object in the previous page.
fn offset(cursor: &SyncCursor) -> Option<PageOffset> {
    serde_json::from_str(cursor.page_offset.as_deref()?).ok()
}

async fn read_pages<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    collection: &'static str,
    received: &mut u64,
    limit: &mut u32,
) -> Result<(), SyncFault> {
    loop {
        let cursor = session.list.cursor(collection).await?;
        let request = PageRequest {
            collection: collection.to_owned(),
            newer_ms: cursor.modified,
            offset: offset(&cursor),
            limit: *limit,
            if_unmodified_since_ms: cursor.page_modified,
        };
        let answer = match session.server.read_page(&request).await {
            Err(failure) if failure.fault == TOO_LONG && *limit > 1 => {
                *limit /= 2;
                continue;
            }
            other => other?,
        };
        let page = session.note(answer);
        let until = cursor.page_modified.unwrap_or(page.last_modified_ms);
        let next = match &page.next_offset {
            Some(offset) => {
                let page_offset = serde_json::to_string(offset).ok();
                SyncCursor { modified: cursor.modified, page_modified: Some(until), page_offset }
            }
            None => SyncCursor { modified: until, page_modified: None, page_offset: None },
        };
        let is_last = page.next_offset.is_none();
        let count = u64::try_from(page.objects.len()).unwrap_or_default();
        apply_objects(session, collection, &page.objects, Some(next)).await?;
        *received += count;
        session.received.fetch_add(count, Relaxed);
        if is_last {
            return Ok(());
        }
    }
}

/// Merges objects, and repeats the merge until no row changes before its commit. Also stores `next` as the place where
/// the read continues.
///
/// Fails with `Server(Conflict)` and sets `lost_ms` if the server has an earlier version than this machine has
/// received. The objects are then not applied, so that the loss is found again if this program ends now.
pub async fn apply_objects<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    collection: &'static str,
    objects: &[StoredObject],
    next: Option<SyncCursor>,
) -> Result<(), SyncFault> {
    for _ in 0..MOST_MERGES {
        let mut writes = merge_page(session, collection, objects).await?;
        if session.lost_ms.is_some() {
            return Err(ServerFault::Conflict.into());
        }
        writes.push(SyncWrite::Clock(session.clock.last.to_string()));
        writes.extend(next.clone().map(|cursor| SyncWrite::Cursor { collection: collection.to_owned(), cursor }));
        if session.list.write(&writes).await? {
            return Ok(());
        }
    }
    Err(SyncFault::Contended)
}

async fn merge_page<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    collection: &'static str,
    objects: &[StoredObject],
) -> Result<Vec<SyncWrite>, SyncFault> {
    // A machine that is joining accepts the settings of the list. A machine that has already joined notes its own
    // changes first, so that the list does not overwrite them.
    if collection == SettingRecord::COLLECTION && has_joined(session).await? {
        settings::note_changes(session).await?;
    }
    let ids: Vec<&str> = objects.iter().map(|object| object.id.as_str()).collect();
    let rows = session.list.records(collection, &ids).await?;
    let mut rows: BTreeMap<String, SyncRecordRow> = rows.into_iter().map(|row| (row.id.clone(), row)).collect();
    let mut writes = Vec::new();
    for object in objects {
        let row = rows.remove(&object.id);
        match collection {
            DownloadRecord::COLLECTION => writes.extend(downloads::merge_object(session, object, row).await?),
            SettingRecord::COLLECTION => writes.extend(settings::merge_object(session, object, row).await?),
            HistoryRecord::COLLECTION => writes.extend(history::merge_object(session, object, row)),
            DeviceRecord::COLLECTION => writes.extend(take_over::<DeviceRecord, _, _>(session, object, row)),
            SendRecord::COLLECTION => writes.extend(sends::merge_object(session, object, row)),
            _ => {}
        }
    }
    Ok(writes)
}

/// Stores a record that only its author writes. Such a record needs no merge.
fn take_over<T: SyncRecord, S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    object: &StoredObject,
    row: Option<SyncRecordRow>,
) -> Vec<SyncWrite> {
    match session.open::<T>(&object.id, &object.payload, object.modified_ms) {
        Ok(record) => vec![agreed(row, T::COLLECTION, object, &record)],
        Err(code) => vec![hold_back(row, T::COLLECTION, &object.id, &object.payload, code)],
    }
}
