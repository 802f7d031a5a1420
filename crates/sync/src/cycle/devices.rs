//! The record of this device, and the devices of the list.

use ashore_engine::{SyncRecordRow, SyncWrite};

use crate::{
    cycle::{
        fault::SyncFault,
        local_list::LocalList,
        session::{SyncSession, empty_row, parse, to_text},
    },
    records::{DeviceRecord, SyncRecord as _},
    server::SyncServer,
};

/// Interval in which the record of this device is sent again, so that it does not expire.
const RENEWAL_MS: i64 = 7 * 24 * 60 * 60 * 1000;

/// Makes the record of this device due if it is missing, out of date, or a week old.
///
/// Fails with `Copied` where another machine uses this identity: the server has a start that this machine did not make.
pub async fn note_own_device<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    own: &DeviceRecord,
) -> Result<(), SyncFault> {
    let id = own.id.as_str();
    let row = session.list.records(DeviceRecord::COLLECTION, &[id]).await?.into_iter().next();
    let base: Option<DeviceRecord> = parse(row.as_ref().and_then(|row| row.base.as_deref()));
    let local: Option<DeviceRecord> = parse(row.as_ref().and_then(|row| row.local.as_deref()));
    if base.as_ref().is_some_and(|base| session.starts.is_foreign(base.epoch, &base.mark)) {
        return Err(SyncFault::Copied);
    }
    let is_old = row.as_ref().is_some_and(|row| row.modified_ms > 0 && session.server_ms - row.modified_ms > RENEWAL_MS);
    let known = local.or(base);
    let is_same = known.as_ref().is_some_and(|known| {
        let unknown = known.unknown.clone();
        *known == DeviceRecord { unknown, ..own.clone() }
    });
    if is_same && !is_old {
        return Ok(());
    }
    let seen = row.as_ref().map_or(0, |row| row.change);
    let unknown = known.map(|known| known.unknown).unwrap_or_default();
    let row = row.unwrap_or_else(|| empty_row(DeviceRecord::COLLECTION, id));
    // Without an agreed version, the same text is sent again.
    let base = row.base.clone().filter(|_| !is_old);
    let local = Some(to_text(&DeviceRecord { unknown, ..own.clone() }));
    let record = SyncRecordRow { base, local, ..row };
    session.list.write(&[SyncWrite::Record { record: Box::new(record), seen, is_edit: true }]).await?;
    Ok(())
}
