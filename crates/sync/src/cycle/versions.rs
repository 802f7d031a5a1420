//! Creates the writes to the ledger for received records. [pure]
//!
//! They store the version agreed with the server, and the version of this machine.

use ashore_engine::{SyncRecordRow, SyncWrite};

use crate::{
    cycle::session::{empty_row, keep_conflicts, parse, to_text},
    merge::MergeOutcome,
    records::SyncRecord,
    server::StoredObject,
};

/// Returns the write that stores the server's version as the agreed version. A version of this machine that waits to
/// be sent is not changed.
pub fn agreed<T: SyncRecord>(row: Option<SyncRecordRow>, collection: &str, object: &StoredObject, record: &T) -> SyncWrite {
    let seen = row.as_ref().map_or(0, |row| row.change);
    let row = row.unwrap_or_else(|| empty_row(collection, &object.id));
    let local = row.local.clone().filter(|_| row.change > row.sent && parse::<T>(row.local.as_deref()).is_some());
    let (base, modified_ms) = (Some(to_text(record)), object.modified_ms);
    // The record of the device is on the server, so the device is no longer absent.
    let record = SyncRecordRow { base, modified_ms, local, held: None, held_code: None, is_gone: false, ..row };
    SyncWrite::Record { record: Box::new(record), seen, is_edit: false }
}

/// Whether another machine has sent the version `base` to the server again, after the time `known_ms`.
///
/// A machine sends a version again only if the server has lost it. A server that lost one version may also have lost
/// records that the other machine does not know.
pub fn is_put_again<T: PartialEq>(base: Option<&T>, known_ms: i64, there: &T, object: &StoredObject) -> bool {
    known_ms > 0 && object.modified_ms > known_ms && base == Some(there)
}

/// Returns the writes that store a merged record. The server's version becomes the agreed version. If the merged
/// version differs from it, the merged version becomes a change of this machine.
pub fn merged<T: SyncRecord + PartialEq>(
    row: Option<SyncRecordRow>,
    object: &StoredObject,
    there: &T,
    outcome: &MergeOutcome<T>,
    now_ms: i64,
) -> Vec<SyncWrite> {
    let mut writes = keep_conflicts(T::COLLECTION, &object.id, &outcome.conflicts, now_ms);
    let seen = row.as_ref().map_or(0, |row| row.change);
    let row = row.unwrap_or_else(|| empty_row(T::COLLECTION, &object.id));
    let local = outcome.is_there_changed.then(|| to_text(&outcome.record));
    let sent = if outcome.is_there_changed { row.sent } else { row.change };
    let record = SyncRecordRow {
        base: Some(to_text(there)),
        modified_ms: object.modified_ms,
        local,
        sent,
        held: None,
        held_code: None,
        ..row
    };
    writes.push(SyncWrite::Record { record: Box::new(record), seen, is_edit: outcome.is_there_changed });
    writes
}
