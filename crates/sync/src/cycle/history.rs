//! Merges the history of past downloads, and clears it.
//!
//! - The history is the union of all entries, so each entry is stored as the server has it.
//! - One record contains the time up to which a person cleared the history. If two such times exist, the later time
//!   counts.
//! - Every machine forgets the cleared entries. The machine on which the person cleared the history also deletes these
//!   entries from the server. If that machine has left the list, every other machine deletes them.

use ashore_engine::{SyncRecordRow, SyncWrite};

use crate::{
    cycle::{
        fault::SyncFault,
        local_list::LocalList,
        session::{SyncSession, empty_row, hold_back, parse, to_text},
        versions::agreed,
    },
    keys::KeyRing,
    records::{ClearedRecord, DeviceId, DeviceRecord, HistoryRecord, SyncRecord as _},
    server::{StoredObject, SyncServer},
};

/// Number of rows that are read, deleted and forgotten in one step.
const AT_ONCE: u32 = 500;

/// Merges one object of `dl-history`. Returns the resulting writes to the ledger.
pub fn merge_object<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    object: &StoredObject,
    row: Option<SyncRecordRow>,
) -> Vec<SyncWrite> {
    let there: HistoryRecord = match session.open(&object.id, &object.payload, object.modified_ms) {
        Ok(there) => there,
        Err(code) => return vec![hold_back(row, HistoryRecord::COLLECTION, &object.id, &object.payload, code)],
    };
    let known = row.as_ref().and_then(known_clearing);
    let mut write = agreed(row, HistoryRecord::COLLECTION, object, &there);
    if let SyncWrite::Record { record, is_edit, .. } = &mut write {
        match &there {
            HistoryRecord::Past(past) => record.address = Some(past.address.clone()),
            HistoryRecord::Cleared(there) => match known.filter(|known| known.cleared_before_ms > there.cleared_before_ms) {
                // This machine knows a later time than the server. Send the later time again.
                Some(known) => {
                    record.local = Some(to_text(&HistoryRecord::Cleared(known)));
                    *is_edit = true;
                }
                None => (record.local, record.sent) = (None, record.change),
            },
        }
    }
    vec![write]
}

/// Returns the record with the time up to which the history was cleared, as far as this machine knows.
pub async fn read_clearing<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
) -> Result<Option<ClearedRecord>, SyncFault> {
    let id = clearing_id(&session.keys);
    let row = session.list.records(HistoryRecord::COLLECTION, &[&id]).await?.into_iter().next();
    Ok(row.as_ref().and_then(known_clearing))
}

/// Returns the write by which this device clears the history up to `before_ms`. A later time in `row` is kept.
pub fn clear_before(keys: &KeyRing, row: Option<SyncRecordRow>, before_ms: i64, device: &DeviceId) -> SyncWrite {
    let row = row.unwrap_or_else(|| empty_row(HistoryRecord::COLLECTION, &clearing_id(keys)));
    let known = known_clearing(&row);
    let before_ms = known.as_ref().map_or(before_ms, |known| before_ms.max(known.cleared_before_ms));
    let unknown = known.map(|known| known.unknown).unwrap_or_default();
    let cleared = ClearedRecord { v: 1, cleared_before_ms: before_ms, device: device.clone(), unknown };
    let seen = row.change;
    let record = SyncRecordRow { local: Some(to_text(&HistoryRecord::Cleared(cleared))), ..row };
    SyncWrite::Record { record: Box::new(record), seen, is_edit: true }
}

/// Returns the id of the record with the time up to which the history was cleared. The id is derived from a key, so
/// that the server cannot recognise the record.
pub fn clearing_id(keys: &KeyRing) -> String {
    keys.derived_record_id(HistoryRecord::COLLECTION, "cleared")
}

/// Forgets the past downloads that ended before the time up to which the history was cleared. Also deletes them from
/// the server if this is the task of this machine. Returns true if this time must still be sent to the server.
pub async fn forget_cleared<S: SyncServer, L: LocalList>(session: &SyncSession<'_, S, L>) -> Result<bool, SyncFault> {
    let Some(cleared) = read_clearing(session).await? else { return Ok(false) };
    let deletes = cleared.device == session.account.device || is_absent(session, &cleared.device).await?;
    let mut after = String::new();
    loop {
        let page = session.list.all_records(HistoryRecord::COLLECTION, &after, AT_ONCE).await?;
        let Some(last) = page.last() else { break };
        after.clone_from(&last.id);
        let rows: Vec<SyncRecordRow> = page.into_iter().filter(|row| is_cleared(row, cleared.cleared_before_ms)).collect();
        let stored = rows.iter().filter(|row| deletes && row.modified_ms > 0);
        let ids: Vec<String> = stored.map(|row| row.id.clone()).collect();
        if !ids.is_empty() {
            session.server.delete_objects(HistoryRecord::COLLECTION, &ids, None).await?;
        }
        let forget = |row: SyncRecordRow| SyncWrite::Forget { collection: row.collection, id: row.id, seen: row.change };
        let writes: Vec<SyncWrite> = rows.into_iter().map(forget).collect();
        if !writes.is_empty() && !session.list.write(&writes).await? {
            return Err(SyncFault::Contended);
        }
    }
    let id = clearing_id(&session.keys);
    let row = session.list.records(HistoryRecord::COLLECTION, &[&id]).await?.into_iter().next();
    Ok(row.is_some_and(|row| row.change > row.sent))
}

/// Whether a device has left the list.
async fn is_absent<S: SyncServer, L: LocalList>(session: &SyncSession<'_, S, L>, device: &DeviceId) -> Result<bool, SyncFault> {
    let rows = session.list.records(DeviceRecord::COLLECTION, &[device.as_str()]).await?;
    Ok(rows.first().is_none_or(|row| row.is_gone))
}

fn is_cleared(row: &SyncRecordRow, before_ms: i64) -> bool {
    match parse(row.local.as_deref().or(row.base.as_deref())) {
        Some(HistoryRecord::Past(past)) => past.time_ms < before_ms,
        _ => false,
    }
}

/// Returns the record with the later time from a row, which can contain one record from the server and one from this
/// machine.
fn known_clearing(row: &SyncRecordRow) -> Option<ClearedRecord> {
    let read = |text: &Option<String>| match parse(text.as_deref()) {
        Some(HistoryRecord::Cleared(cleared)) => Some(cleared),
        _ => None,
    };
    [read(&row.base), read(&row.local)].into_iter().flatten().max_by_key(|cleared| cleared.cleared_before_ms)
}
