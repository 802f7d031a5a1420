//! Asks the server again for records that are held back.
//!
//! - A record of a newer version can be opened after an update of this program. A record under a renewed key can be
//!   opened after the key ring was read again.
//! - A record that seems changed may have been changed only during its transfer, so it is requested again.
//! - The stored payload is used only to test whether a record can be opened now. The record is then read from the
//!   server, because only the server knows its time.

use ashore_engine::{SyncCursor, SyncRecordRow, SyncWrite};

use crate::{
    cycle::{
        fault::SyncFault,
        local_list::LocalList,
        pull::apply_objects,
        session::{SyncSession, held},
    },
    records::{DeviceRecord, DownloadRecord, HistoryRecord, SendRecord, SettingRecord, SyncRecord},
    server::SyncServer,
};

/// Maximum number of held records that are requested one by one. If a collection has more, the whole collection is
/// read again.
const MOST_REQUESTED: usize = 100;

/// Asks the server again for the held records that can be opened now, and for those that seem changed.
///
/// Must run before the collections are read, because a collection may then have to be read from its beginning.
pub async fn reopen_held<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    collections: &[&'static str],
) -> Result<(), SyncFault> {
    for &collection in collections {
        let rows = session.list.held_records(collection).await?.into_iter();
        // A row with a version that the server refused has a code but no payload, so it cannot be opened.
        let (opening, other): (Vec<_>, Vec<_>) = rows.filter(|row| row.held.is_some()).partition(|row| opens(session, row));
        if opening.len() > MOST_REQUESTED {
            let cursor = SyncCursor::default();
            session.list.write(&[SyncWrite::Cursor { collection: collection.to_owned(), cursor }]).await?;
            continue;
        }
        let changed = other.into_iter().filter(|row| row.held_code.as_deref() == Some(held::TAMPERED));
        for row in opening.into_iter().chain(changed).take(MOST_REQUESTED) {
            read_again(session, collection, row).await?;
        }
    }
    Ok(())
}

/// Whether this program can open the stored payload of a held record.
fn opens<S: SyncServer, L: LocalList>(session: &SyncSession<'_, S, L>, row: &SyncRecordRow) -> bool {
    match row.collection.as_str() {
        DeviceRecord::COLLECTION => opens_as::<DeviceRecord, _, _>(session, row),
        SettingRecord::COLLECTION => opens_as::<SettingRecord, _, _>(session, row),
        DownloadRecord::COLLECTION => opens_as::<DownloadRecord, _, _>(session, row),
        HistoryRecord::COLLECTION => opens_as::<HistoryRecord, _, _>(session, row),
        SendRecord::COLLECTION => opens_as::<SendRecord, _, _>(session, row),
        _ => false,
    }
}

fn opens_as<T: SyncRecord, S: SyncServer, L: LocalList>(session: &SyncSession<'_, S, L>, row: &SyncRecordRow) -> bool {
    row.held.as_ref().is_some_and(|payload| session.open::<T>(&row.id, payload, session.server_ms).is_ok())
}

async fn read_again<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    collection: &'static str,
    row: SyncRecordRow,
) -> Result<(), SyncFault> {
    let answer = session.server.read_object(collection, &row.id).await?;
    match session.note(answer) {
        Some(object) => apply_objects(session, collection, std::slice::from_ref(&object), None).await,
        None => {
            // The server no longer has this record, so sending the version of this machine overwrites nothing.
            let seen = row.change;
            let record = Box::new(SyncRecordRow { held: None, held_code: None, ..row });
            session.list.write(&[SyncWrite::Record { record, seen, is_edit: false }]).await?;
            Ok(())
        }
    }
}
