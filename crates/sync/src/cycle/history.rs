//! The history of past downloads, and its clearing.
//!
//! - The history is a union, so an entry is stored as the server has it.
//! - One record tells the time before which a person cleared the history. Of two such times, the later one counts.
//! - Every machine forgets what was cleared. The machine on which the person cleared it also deletes it from the server.

use ashore_engine::{SyncRecordRow, SyncWrite};

use crate::{
    cycle::{
        fault::SyncFault,
        local_list::{LocalList, all_rows},
        session::{SyncSession, empty_row, hold_back, parse, to_text},
        versions::agreed,
    },
    keys::KeyRing,
    records::{ClearedRecord, DeviceId, HistoryRecord, SyncRecord as _},
    server::{StoredObject, SyncServer},
};

/// Rows that are forgotten in one transaction.
const AT_ONCE: usize = 500;

/// Returns the writes for one object of `dl-history`.
pub fn merge_object<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    object: &StoredObject,
    row: Option<SyncRecordRow>,
) -> Vec<SyncWrite> {
    let there: HistoryRecord = match session.open(&object.id, &object.payload, object.modified_ms) {
        Ok(there) => there,
        Err(code) => return vec![hold_back(row, HistoryRecord::COLLECTION, &object.id, &object.payload, code)],
    };
    let mut write = agreed(row, HistoryRecord::COLLECTION, object, &there);
    if let SyncWrite::Record { record, .. } = &mut write {
        match &there {
            HistoryRecord::Past(past) => record.address = Some(past.address.clone()),
            // The time of this machine waits to be sent only if it is the later one.
            HistoryRecord::Cleared(there) => {
                let superseded = record.local.take_if(|text| clearing_of(text).is_none_or(|here| !is_later(&here, there)));
                record.sent = if superseded.is_some() { record.change } else { record.sent };
            }
        }
    }
    vec![write]
}

/// Returns the latest clearing of the history that this machine knows.
pub async fn read_clearing<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
) -> Result<Option<ClearedRecord>, SyncFault> {
    let id = clearing_id(&session.keys);
    let row = session.list.records(HistoryRecord::COLLECTION, &[&id]).await?.into_iter().next();
    Ok(row.and_then(|row| clearing_of(row.local.as_deref().or(row.base.as_deref())?)))
}

/// Returns the write by which this device clears the history before `before_ms`. `row` is the record of earlier clearings.
pub fn clear_before(keys: &KeyRing, row: Option<SyncRecordRow>, before_ms: i64, device: &DeviceId) -> SyncWrite {
    let row = row.unwrap_or_else(|| empty_row(HistoryRecord::COLLECTION, &clearing_id(keys)));
    let unknown = serde_json::Map::new();
    let cleared = ClearedRecord { v: 1, cleared_before_ms: before_ms, device: device.clone(), unknown };
    let seen = row.change;
    let record = SyncRecordRow { local: Some(to_text(&HistoryRecord::Cleared(cleared))), ..row };
    SyncWrite::Record { record: Box::new(record), seen, is_edit: true }
}

/// Id of the record that tells when the history was cleared. It looks like the ids of all records.
pub fn clearing_id(keys: &KeyRing) -> String {
    keys.derived_record_id(HistoryRecord::COLLECTION, "cleared")
}

/// Forgets the past downloads before the clearing that this machine knows. Deletes them from the server if the person cleared
/// them on this machine: the space is free before anything is sent.
pub async fn forget_cleared<S: SyncServer, L: LocalList>(session: &SyncSession<'_, S, L>) -> Result<(), SyncFault> {
    let Some(cleared) = read_clearing(session).await? else { return Ok(()) };
    let is_cleared = |row: &SyncRecordRow| match parse(row.local.as_deref().or(row.base.as_deref())) {
        Some(HistoryRecord::Past(past)) => past.time_ms < cleared.cleared_before_ms,
        _ => false,
    };
    let rows: Vec<SyncRecordRow> =
        all_rows(session.list, HistoryRecord::COLLECTION).await?.into_iter().filter(is_cleared).collect();
    if cleared.device == session.account.device {
        let ids: Vec<String> = rows.iter().filter(|row| row.modified_ms > 0).map(|row| row.id.clone()).collect();
        if !ids.is_empty() {
            session.server.delete_objects(HistoryRecord::COLLECTION, &ids, None).await?;
        }
    }
    let forget = |row: &SyncRecordRow| {
        let (collection, id) = (row.collection.clone(), row.id.clone());
        SyncWrite::Forget { collection, id, seen: row.change }
    };
    for part in rows.chunks(AT_ONCE) {
        // A row that has changed meanwhile is forgotten by a later cycle.
        session.list.write(&part.iter().map(forget).collect::<Vec<_>>()).await?;
    }
    Ok(())
}

fn clearing_of(text: &str) -> Option<ClearedRecord> {
    match parse(Some(text)) {
        Some(HistoryRecord::Cleared(cleared)) => Some(cleared),
        _ => None,
    }
}

fn is_later(here: &ClearedRecord, there: &ClearedRecord) -> bool {
    here.cleared_before_ms > there.cleared_before_ms
}
