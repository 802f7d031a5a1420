//! Detects that the server has lost data, and then makes this machine send and read everything again.
//!
//! - The server was set back if a collection is missing, or if its time is earlier than a time that this machine has
//!   read.
//! - If another machine has written since the loss, the time of the collection no longer shows the loss. However, the
//!   latest record that this machine knows is missing on the server, or has an earlier version there.
//! - A server can also be set back during a cycle, after the times of the collections were read. A later write by any
//!   machine then hides the earlier time. A cycle that has read past such a write looks up the record that was the
//!   latest when the cycle began.
//! - A loss may also be noticed during a read, if the server sends an earlier version of a record: see
//!   `session.lost_ms`.

use std::collections::BTreeMap;

use ashore_engine::SyncRecordRow;

use crate::{
    cycle::{
        account::{ListRestoration, SyncAccount},
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

/// Collections whose records are never deleted by a machine and never expire. If such a collection is missing, the
/// server lost it.
const LASTING: [&str; 2] = [SettingRecord::COLLECTION, DownloadRecord::COLLECTION];

/// Makes this machine send and read everything again if the server has lost data. Returns whether data was lost.
/// `times` contains the times of all collections.
pub async fn restart_after_loss<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    times: &BTreeMap<String, i64>,
) -> Result<bool, SyncFault> {
    if let Some(until_ms) = rolled_back_to(session.list, times).await? {
        session.account = begin_restoration(session.list, session.now_ms(), until_ms).await?;
        return Ok(true);
    }
    // Over a metered connection, the records of downloads and settings are not read.
    if session.scope != CycleScope::Everything {
        return Ok(false);
    }
    for collection in LASTING {
        let cursor = session.list.cursor(collection).await?;
        let is_later = times.get(collection).is_some_and(|time_ms| *time_ms > cursor.modified);
        // Another machine has written since this machine last read. This write may hide a loss.
        if is_later && let Some(lost_ms) = lost_latest(session, collection, i64::MAX).await? {
            let known = known_times(session, collection).await?;
            session.account = begin_restoration(session.list, session.now_ms(), lost_ms - 1).await?;
            note_first_loss(session, collection, known).await?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// Makes this machine send and read everything again. The server has lost all changes after `until_ms`, in milliseconds
/// of Unix time. Returns the changed account.
///
/// The loss is stored in the account, so that a person sees it even if this cycle fails.
pub async fn begin_restoration<L: LocalList>(list: &L, now_ms: i64, until_ms: i64) -> Result<SyncAccount, SyncFault> {
    // Store the loss first, because the restarted list no longer shows it.
    let account = note_restoration(list, now_ms, until_ms).await?;
    list.restart().await?;
    Ok(account)
}

async fn note_restoration<L: LocalList>(list: &L, found_ms: i64, until_ms: i64) -> Result<SyncAccount, SyncFault> {
    let restored = ListRestoration { found_ms, until_ms, records: 0 };
    edit_account(list, |account| account.restored = Some(restored.clone())).await
}

/// Returns the time to which the server was set back; `None` if it was not. The server was set back if a collection is
/// missing, or has an earlier time than this machine has received.
pub async fn rolled_back_to<L: LocalList>(list: &L, times: &BTreeMap<String, i64>) -> Result<Option<i64>, SyncFault> {
    let (mut until_ms, mut is_older) = (0, false);
    for collection in COLLECTIONS {
        let cursor = list.cursor(collection).await?;
        let time_ms = times.get(collection).copied().unwrap_or(0);
        is_older |= time_ms < cursor.modified;
        // Ignore a later time: it only shows that another machine has written in the meantime.
        if time_ms <= cursor.modified {
            until_ms = until_ms.max(time_ms);
        }
    }
    Ok(is_older.then_some(until_ms))
}

/// Returns the times up to which this machine has received the [`LASTING`] collections.
pub async fn received_times<L: LocalList>(list: &L) -> Result<Vec<(&'static str, i64)>, SyncFault> {
    let mut times = Vec::new();
    for collection in LASTING {
        times.push((collection, list.cursor(collection).await?.modified));
    }
    Ok(times)
}

/// Returns the time at which the server stored a record that it has since lost; `None` if no loss is found. `began`
/// contains the [`received_times`] at the beginning of the cycle.
///
/// A collection that the cycle has neither read nor sent needs no look-up, because the next cycle compares its time.
pub async fn lost_during_cycle<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    began: &[(&'static str, i64)],
) -> Result<Option<i64>, SyncFault> {
    for &(collection, until_ms) in began {
        let has_moved = session.list.cursor(collection).await?.modified > until_ms;
        if has_moved && let Some(lost_ms) = lost_latest(session, collection, until_ms).await? {
            return Ok(Some(lost_ms));
        }
    }
    Ok(None)
}

/// Chooses the record with the latest known server time up to `until_ms` in a collection, and looks it up on the
/// server. If the server lacks this record or has an earlier version, returns the known time of the record.
async fn lost_latest<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    collection: &str,
    until_ms: i64,
) -> Result<Option<i64>, SyncFault> {
    let Some(latest) = session.list.latest_record(collection, until_ms).await? else { return Ok(None) };
    let answer = session.server.read_object(collection, &latest.id).await?;
    let is_there = session.note(answer).is_some_and(|object| object.modified_ms >= latest.modified_ms);
    Ok((!is_there).then_some(latest.modified_ms))
}

/// Reads the collection again, and compares it with the `known` records. Stores the time just before the earliest
/// record that the server has lost.
async fn note_first_loss<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    collection: &'static str,
    known: Vec<(String, i64)>,
) -> Result<(), SyncFault> {
    pull(session, collection).await?;
    let found: BTreeMap<String, i64> = known_times(session, collection).await?.into_iter().collect();
    let is_lost = |(id, ms): &(String, i64)| found.get(id).is_none_or(|found_ms| found_ms < ms);
    if let Some(first_ms) = known.into_iter().filter(is_lost).map(|(_, ms)| ms).min() {
        session.account = note_restoration(session.list, session.now_ms(), first_ms - 1).await?;
    }
    Ok(())
}

/// Returns the ids and times of the records on which this machine and the server have agreed.
async fn known_times<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    collection: &str,
) -> Result<Vec<(String, i64)>, SyncFault> {
    let known = |row: SyncRecordRow| (row.modified_ms > 0).then_some((row.id, row.modified_ms));
    Ok(chosen_rows(session.list, collection, known).await?)
}
