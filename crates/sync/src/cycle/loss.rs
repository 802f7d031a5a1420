//! Finds out whether the server has lost data, and makes this machine send and read everything again.
//!
//! - A collection that is older than this machine has read it, or gone, shows that the server went back.
//! - If another machine has written since, the collection is newer again. But a server that went back has lost its latest
//!   writes, so the latest record that this machine knows is missing, or has an earlier version.
//! - A loss may also show during a read, by a record that became an earlier version: see `session.lost_ms`.

use std::collections::BTreeMap;

use ashore_engine::SyncRecordRow;

use crate::{
    cycle::{
        account::ListRestoration,
        account_edit::edit_account,
        collections::COLLECTIONS,
        fault::SyncFault,
        local_list::{LocalList, chosen_rows},
        pull::pull,
        session::SyncSession,
    },
    merge::CycleScope,
    records::{DownloadRecord, SettingRecord, SyncRecord as _},
    server::SyncServer,
};

/// Collections whose records no machine deletes, and that have no lifetime. One that is missing was lost.
const LASTING: [&str; 2] = [SettingRecord::COLLECTION, DownloadRecord::COLLECTION];

/// Makes everything due again if the server has lost data. Returns whether it has. `times` are those of all collections.
pub async fn restart_after_loss<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    times: &BTreeMap<String, i64>,
) -> Result<bool, SyncFault> {
    if let Some(until_ms) = rolled_back_to(session, times).await? {
        begin_restoration(session, until_ms).await?;
        return Ok(true);
    }
    // Records of downloads and settings are not read over a metered connection.
    if session.scope != CycleScope::Everything {
        return Ok(false);
    }
    for collection in LASTING {
        let cursor = session.list.cursor(collection).await?;
        let is_later = times.get(collection).is_some_and(|time_ms| *time_ms > cursor.modified);
        // Another machine that has written since may have done so after the loss.
        if is_later && let Some(lost_ms) = lost_latest(session, collection).await? {
            let known = known_times(session, collection).await?;
            begin_restoration(session, lost_ms - 1).await?;
            note_first_loss(session, collection, known).await?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// Makes everything due again. The server has lost all changes after `until_ms`, in milliseconds of Unix time.
///
/// The account tells a person of the loss also if this cycle fails.
pub async fn begin_restoration<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    until_ms: i64,
) -> Result<(), SyncFault> {
    // In this order, because a list that was restarted no longer shows the loss.
    note_restoration(session, until_ms).await?;
    session.list.restart().await?;
    Ok(())
}

async fn note_restoration<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    until_ms: i64,
) -> Result<(), SyncFault> {
    let restored = ListRestoration { found_ms: session.now_ms(), until_ms, records: 0 };
    session.account = edit_account(session.list, |account| account.restored = Some(restored.clone())).await?;
    Ok(())
}

/// Returns to which time the server went back: a collection is older than what this machine has already received from it, or is
/// gone.
async fn rolled_back_to<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    times: &BTreeMap<String, i64>,
) -> Result<Option<i64>, SyncFault> {
    let (mut until_ms, mut is_older) = (0, false);
    for collection in COLLECTIONS {
        let cursor = session.list.cursor(collection).await?;
        let time_ms = times.get(collection).copied().unwrap_or(0);
        is_older |= time_ms < cursor.modified;
        // A later time tells only that another machine has written since.
        if time_ms <= cursor.modified {
            until_ms = until_ms.max(time_ms);
        }
    }
    Ok(is_older.then_some(until_ms))
}

/// Returns the time of the record that this machine knows as the latest one of a collection, if the server has no such record or
/// an earlier version.
async fn lost_latest<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    collection: &str,
) -> Result<Option<i64>, SyncFault> {
    let Some(latest) = session.list.latest_record(collection).await?.filter(|row| row.modified_ms > 0) else { return Ok(None) };
    let answer = session.server.read_object(collection, &latest.id).await?;
    let is_there = session.note(answer).is_some_and(|object| object.modified_ms >= latest.modified_ms);
    Ok((!is_there).then_some(latest.modified_ms))
}

/// Reads the collection again, and notes the time before the first of the `known` records that the server has lost.
async fn note_first_loss<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    collection: &'static str,
    known: Vec<(String, i64)>,
) -> Result<(), SyncFault> {
    pull(session, collection).await?;
    let found: BTreeMap<String, i64> = known_times(session, collection).await?.into_iter().collect();
    let is_lost = |(id, ms): &(String, i64)| found.get(id).is_none_or(|found_ms| found_ms < ms);
    match known.into_iter().filter(is_lost).map(|(_, ms)| ms).min() {
        Some(first_ms) => note_restoration(session, first_ms - 1).await,
        None => Ok(()),
    }
}

/// Returns ids and times of the records that this machine and the server agreed on.
async fn known_times<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    collection: &str,
) -> Result<Vec<(String, i64)>, SyncFault> {
    let known = |row: SyncRecordRow| (row.modified_ms > 0).then_some((row.id, row.modified_ms));
    Ok(chosen_rows(session.list, collection, known).await?)
}
