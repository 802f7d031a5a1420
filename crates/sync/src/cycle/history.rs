//! Merges the history of past downloads. The history is a union, so an entry is stored as the server has it.

use ashore_engine::{SyncRecordRow, SyncWrite};

use crate::{
    cycle::{
        local_list::LocalList,
        session::{SyncSession, hold_back},
        versions::agreed,
    },
    records::{HistoryRecord, SyncRecord as _},
    server::{StoredObject, SyncServer},
};

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
    if let (SyncWrite::Record { record, .. }, HistoryRecord::Past(past)) = (&mut write, &there) {
        record.address = Some(past.address.clone());
    }
    vec![write]
}
