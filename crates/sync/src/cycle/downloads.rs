//! Merges the server's version of a download with that of this machine.

use ashore_engine::{SyncRecordRow, SyncWrite};

use crate::{
    cycle::{
        fault::SyncFault,
        local_list::LocalList,
        render::{render, tombstone, wish},
        session::{SyncSession, hold_back, parse},
        versions::merged,
    },
    merge::merge_download,
    records::{DownloadRecord, SyncRecord as _},
    server::{StoredObject, SyncServer},
};

/// Returns the writes for one object of `dl-items`.
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
    let here = match (&download, &row) {
        (Some(download), row) => {
            let prior = row.as_ref().and_then(known_version);
            Some(render(download, prior.as_ref(), &session.account.device))
        }
        (None, Some(row)) => local_version(row, session),
        (None, None) => None,
    };
    let Some(outcome) = merge_download(base.as_ref(), here.as_ref(), Some(&there), &session.context()) else {
        return Ok(Vec::new());
    };
    let mut writes = Vec::new();
    writes.extend(download.as_ref().and_then(|download| wish(download, &outcome.record, &session.account.device)));
    writes.extend(merged(row, object, &there, &outcome, session.now_ms()));
    Ok(writes)
}

/// Returns the latest version that the ledger has of a record: a change of this machine, or the agreed version.
pub fn known_version(row: &SyncRecordRow) -> Option<DownloadRecord> {
    parse(row.local.as_deref()).or_else(|| parse(row.base.as_deref()))
}

/// Returns this machine's version of a record without a download on this machine.
pub fn local_version<S: SyncServer, L: LocalList>(
    row: &SyncRecordRow,
    session: &SyncSession<'_, S, L>,
) -> Option<DownloadRecord> {
    let known = known_version(row)?;
    let is_removed_here = row.is_gone && known.home.value == session.account.device && !known.is_removed();
    Some(if is_removed_here { tombstone(&known, &session.account.device, session.now_ms()) } else { known })
}
