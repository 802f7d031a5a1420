//! Downloads of other machines: reports about them, and changes to them that the user requests.

use std::collections::BTreeMap;

use ashore_engine::{Engine, ReceivedDownload, RequestSource, SyncRecordRow, SyncWrite, SyncedRegistration};
use ashore_messages::UserMessage;

use crate::{
    cycle::{
        LocalList, PERSON_HERE, ReadParts, SyncAccount, SyncEnv, SyncFault, all_rows, chosen_rows, known_send, known_version,
        later_stamp, row_text, wish,
    },
    keys::random_record_id,
    merge::{ConflictField, MergeConflict, judge_send},
    records::{
        DeviceId, DeviceRecord, DownloadRecord, DownloadRequest, DownloadState, HybridStamp, PartList, RequestedState,
        SendRecord, StampedValue, SyncRecord as _,
    },
    service::status::{RemoteChange, RemoteDownload},
};

/// Maximum number of attempts to edit a record that changes during the edit.
const MOST_EDITS: u32 = 20;

/// Returns the records of the devices of the list.
pub async fn devices<L: LocalList>(list: &L) -> Result<Vec<DeviceRecord>, SyncFault> {
    let rows = all_rows(list, DeviceRecord::COLLECTION).await?;
    Ok(rows.into_iter().filter(|row| !row.is_gone).filter_map(device_of).collect())
}

/// Returns the names of the devices of the list, by id.
pub async fn device_names<L: LocalList>(list: &L) -> Result<BTreeMap<String, String>, SyncFault> {
    Ok(devices(list).await?.into_iter().map(|record| (record.id.to_string(), record.name)).collect())
}

/// Returns the names of all current and former devices of the list, by id. The former ones are needed because the
/// downloads and conflicts of a device remain after it has left.
pub async fn all_names<L: LocalList>(list: &L) -> Result<BTreeMap<String, String>, SyncFault> {
    let records = all_rows(list, DeviceRecord::COLLECTION).await?.into_iter().filter_map(device_of);
    Ok(records.map(|record| (record.id.to_string(), record.name)).collect())
}

fn device_of(row: SyncRecordRow) -> Option<DeviceRecord> {
    serde_json::from_str(&row.local.or(row.base)?).ok()
}

/// Returns the id of the device with this id or this name. Ignores the case of the name. [pure]
pub fn find_device(names: &BTreeMap<String, String>, text: &str) -> Option<String> {
    let name = text.to_lowercase();
    let of_name = || names.iter().find(|(_, known)| known.to_lowercase() == name).map(|(id, _)| id.clone());
    names.get_key_value(text).map(|(id, _)| id.clone()).or_else(of_name)
}

/// Returns the downloads that have another machine as their home, latest first.
pub async fn remote_downloads<L: LocalList>(list: &L, account: &SyncAccount) -> Result<Vec<RemoteDownload>, SyncFault> {
    let names = all_names(list).await?;
    let shown = |row: SyncRecordRow| {
        let record = version_elsewhere(&row, account)?;
        Some(as_remote(row.id, &record, &names))
    };
    let mut all: Vec<RemoteDownload> = chosen_rows(list, DownloadRecord::COLLECTION, shown).await?;
    all.sort_by_key(|download| std::cmp::Reverse(download.created_ms));
    Ok(all)
}

/// Number of the downloads of other machines.
pub async fn count_remote_downloads<L: LocalList>(list: &L, account: &SyncAccount) -> Result<usize, SyncFault> {
    let counted = |row: SyncRecordRow| version_elsewhere(&row, account).map(drop);
    Ok(chosen_rows(list, DownloadRecord::COLLECTION, counted).await?.len())
}

/// Returns the known version of a download whose home is another machine.
fn version_elsewhere(row: &SyncRecordRow, account: &SyncAccount) -> Option<DownloadRecord> {
    known_version(row).filter(|record| record.home.value != account.device && !record.is_removed())
}

fn as_remote(id: String, record: &DownloadRecord, names: &BTreeMap<String, String>) -> RemoteDownload {
    let device = record.home.value.to_string();
    let facts = record.home_facts();
    let state = match facts.map(|facts| facts.state) {
        Some(DownloadState::Running) => "running",
        Some(DownloadState::Paused) => "paused",
        Some(DownloadState::Done) => "done",
        Some(DownloadState::Failed) => "failed",
        Some(DownloadState::Queued | DownloadState::Removed) | None => "queued",
    };
    let requested = match record.requested.value {
        RequestedState::Run => "run",
        RequestedState::Paused => "paused",
        RequestedState::Removed => "removed",
    };
    let failure = facts.and_then(|facts| facts.failure.as_ref()).map(|failure| {
        let args = serde_json::from_value(serde_json::Value::Object(failure.args.clone())).unwrap_or_default();
        UserMessage::restore(&failure.code, failure.variant.clone(), args, None)
    });
    RemoteDownload {
        id,
        title: record.title.value.clone(),
        device_name: names.get(&device).cloned().unwrap_or_else(|| device.clone()),
        device,
        state: state.to_owned(),
        requested: requested.to_owned(),
        failure,
        size: record.facts.size,
        created_ms: record.facts.created_ms,
        is_complete: matches!(record.request.value, DownloadRequest::Requests(_) | DownloadRequest::Parts(_)),
    }
}

/// Returns the parts that contain the requests of a download, if a change needs them.
///
/// The caller reads the parts before it calls [`change`] or [`fetch_removed`].
///
/// Fails with `Unknown` if there is no such record.
pub async fn needed_parts<L: LocalList>(list: &L, id: &str, wanted: RemoteChange) -> Result<Option<PartList>, SyncFault> {
    let is_created = match wanted {
        RemoteChange::FetchHere => true,
        // A former home device that still has the download uses its own copy of the requests.
        RemoteChange::MoveHere => list.registration(id).await?.is_none(),
        RemoteChange::Pause | RemoteChange::Resume | RemoteChange::Remove => false,
    };
    if !is_created {
        return Ok(None);
    }
    let row = list.records(DownloadRecord::COLLECTION, &[id]).await?.into_iter().next();
    match row.as_ref().and_then(known_version).ok_or(SyncFault::Unknown)?.request.value {
        DownloadRequest::Parts(parts) => Ok(Some(parts)),
        DownloadRequest::Requests(_) | DownloadRequest::Omitted { .. } => Ok(None),
    }
}

/// Applies the user's change to a download of another machine. The next cycle sends the change.
///
/// `parts` contains the requests if the download has parts and the change needs them.
///
/// Fails with `Unknown` if there is no such download. Fails with `Incomplete` if its requests are not in the list.
/// Fails with `Contended` if the requests changed after `parts` were read.
pub async fn change<L: LocalList>(
    list: &L,
    env: &SyncEnv,
    account: &SyncAccount,
    (id, wanted): (&str, RemoteChange),
    parts: Option<&ReadParts>,
) -> Result<(), SyncFault> {
    match wanted {
        RemoteChange::Pause => {
            edit(list, env, account, id, |record, stamp| record.requested = stamp(RequestedState::Paused)).await
        }
        RemoteChange::Resume => edit(list, env, account, id, |record, stamp| record.requested = stamp(RequestedState::Run)).await,
        RemoteChange::Remove => {
            edit(list, env, account, id, |record, stamp| record.requested = stamp(RequestedState::Removed)).await
        }
        RemoteChange::MoveHere => move_here(list, env, account, id, parts).await,
        RemoteChange::FetchHere => {
            let record = record_of(list, id).await?.1;
            let command = random_record_id(env.bytes());
            receive(list, (&record, parts), command, None).await
        }
    }
}

/// Creates a new download on this machine from the record of a download that another machine removed.
///
/// Fails in the same cases as [`change`].
pub async fn fetch_removed<L: LocalList>(list: &L, env: &SyncEnv, id: &str, parts: Option<&ReadParts>) -> Result<(), SyncFault> {
    let row = list.records(DownloadRecord::COLLECTION, &[id]).await?.into_iter().next();
    let record = row.as_ref().and_then(known_version).ok_or(SyncFault::Unknown)?;
    receive(list, (&record, parts), random_record_id(env.bytes()), None).await
}

/// Makes this machine the home of a download, and creates the download here.
async fn move_here<L: LocalList>(
    list: &L,
    env: &SyncEnv,
    account: &SyncAccount,
    id: &str,
    parts: Option<&ReadParts>,
) -> Result<(), SyncFault> {
    let (_, record) = record_of(list, id).await?;
    if list.registration(id).await?.is_none() {
        requests_of(&record, parts)?;
    }
    edit_home(list, env, account, id).await?;
    let (_, moved) = record_of(list, id).await?;
    if list.registration(id).await?.is_some() {
        return Ok(());
    }
    let command = format!("{id}-{}", moved.home.at);
    receive(list, (&moved, parts), command, Some(id.to_owned())).await
}

async fn receive<L: LocalList>(
    list: &L,
    (record, parts): (&DownloadRecord, Option<&ReadParts>),
    command: String,
    sync_id: Option<String>,
) -> Result<(), SyncFault> {
    let received = ReceivedDownload {
        command,
        owner: PERSON_HERE.to_owned(),
        source: RequestSource::CommandLine,
        title: record.title.value.clone(),
        requests: requests_of(record, parts)?,
        is_paused: false,
        sync_id,
    };
    list.receive(received).await?;
    Ok(())
}

fn requests_of(record: &DownloadRecord, parts: Option<&ReadParts>) -> Result<Vec<serde_json::Value>, SyncFault> {
    match &record.request.value {
        DownloadRequest::Requests(requests) => Ok(requests.clone()),
        DownloadRequest::Parts(list) => {
            parts.filter(|read| read.list == *list).map(|read| read.requests.clone()).ok_or(SyncFault::Contended)
        }
        DownloadRequest::Omitted { .. } => Err(SyncFault::Incomplete),
    }
}

async fn record_of<L: LocalList>(list: &L, id: &str) -> Result<(SyncRecordRow, DownloadRecord), SyncFault> {
    let row = list.records(DownloadRecord::COLLECTION, &[id]).await?.into_iter().next().ok_or(SyncFault::Unknown)?;
    let record = known_version(&row).filter(|record| !record.is_removed()).ok_or(SyncFault::Unknown)?;
    Ok((row, record))
}

async fn edit<L: LocalList>(
    list: &L,
    env: &SyncEnv,
    account: &SyncAccount,
    id: &str,
    apply: impl Fn(&mut DownloadRecord, &dyn Fn(RequestedState) -> StampedValue<RequestedState>),
) -> Result<(), SyncFault> {
    for _ in 0..MOST_EDITS {
        let (row, mut record) = record_of(list, id).await?;
        let earlier = record.requested.at.clone();
        let now_ms = (env.now_ms)();
        let stamp = |state| StampedValue::new(state, later_stamp(now_ms, Some(&earlier), &account.device));
        apply(&mut record, &stamp);
        if write_row(list, row, &record).await? {
            return Ok(());
        }
    }
    Err(SyncFault::Contended)
}

async fn edit_home<L: LocalList>(list: &L, env: &SyncEnv, account: &SyncAccount, id: &str) -> Result<(), SyncFault> {
    for _ in 0..MOST_EDITS {
        let (row, mut record) = record_of(list, id).await?;
        if record.home.value == account.device {
            return Ok(());
        }
        let stamp = |earlier: &HybridStamp| later_stamp((env.now_ms)(), Some(earlier), &account.device);
        record.home = StampedValue::new(account.device.clone(), stamp(&record.home.at));
        // A download that was moved to this machine runs, even if the user paused or removed it on its former home.
        if record.requested.value != RequestedState::Run {
            record.requested = StampedValue::new(RequestedState::Run, stamp(&record.requested.at));
        }
        // If this machine is a former home, it may still have the download, which is paused until the new home starts
        // it. Resume the download in the same transaction. In a later transaction, the pause would look like a request
        // of the user.
        let kept = list.registration(id).await?.and_then(|download| wish(&download, &record, &account.device));
        let seen = row.change;
        let row = SyncRecordRow { local: Some(row_text(&record)), is_gone: false, ..row };
        let edit = SyncWrite::Record { record: Box::new(row), seen, is_edit: true };
        if list.write(&[edit].into_iter().chain(kept).collect::<Vec<_>>()).await? {
            return Ok(());
        }
    }
    Err(SyncFault::Contended)
}

async fn write_row<L: LocalList>(list: &L, row: SyncRecordRow, record: &DownloadRecord) -> Result<bool, SyncFault> {
    let seen = row.change;
    let record = SyncRecordRow { local: Some(row_text(record)), ..row };
    Ok(list.write(&[SyncWrite::Record { record: Box::new(record), seen, is_edit: true }]).await?)
}

/// Queues a download for another machine. The next cycle sends its record to the server. Returns the id of the record.
pub async fn send<L: LocalList>(
    list: &L,
    env: &SyncEnv,
    account: &SyncAccount,
    to: DeviceId,
    (title, requests): (String, Vec<serde_json::Value>),
) -> Result<String, SyncFault> {
    let id = random_record_id(env.bytes());
    let record = SendRecord {
        v: 1,
        to,
        from: account.device.clone(),
        title,
        requests,
        sent_ms: (env.now_ms)(),
        hand_over: None,
        answer: None,
        unknown: serde_json::Map::new(),
    };
    let earlier = all_rows(list, SendRecord::COLLECTION).await?;
    let earlier = earlier.iter().filter_map(known_send).filter(|send| send.from == account.device);
    let earlier_ms: Vec<i64> = earlier.map(|send| send.sent_ms).collect();
    judge_send(&record, &earlier_ms, record.sent_ms).map_err(SyncFault::Send)?;
    let row = SyncRecordRow {
        collection: SendRecord::COLLECTION.to_owned(),
        id: id.clone(),
        local: Some(row_text(&record)),
        ..SyncRecordRow::default()
    };
    list.write(&[SyncWrite::Record { record: Box::new(row), seen: 0, is_edit: true }]).await?;
    Ok(id)
}

/// Returns the title and the requests of a download of this machine, for sending.
pub async fn content_of(engine: &Engine, id: ashore_engine::UniqueId) -> Result<(String, Vec<serde_json::Value>), SyncFault> {
    let view: Option<SyncedRegistration> = engine.synced_view(id).await?;
    let view = view.filter(|view| !view.requests.is_empty()).ok_or(SyncFault::Incomplete)?;
    Ok((view.title, view.requests))
}

/// Restores the losing value of a conflict, as a new edit of the record.
pub async fn take_value<L: LocalList>(
    list: &L,
    env: &SyncEnv,
    account: &SyncAccount,
    id: &str,
    conflict: &MergeConflict,
) -> Result<(), SyncFault> {
    for _ in 0..MOST_EDITS {
        let (row, mut record) = record_of(list, id).await?;
        let stamp = |earlier: &HybridStamp| later_stamp((env.now_ms)(), Some(earlier), &account.device);
        let value = conflict.losing.clone();
        match conflict.field {
            ConflictField::Title => {
                let at = stamp(&record.title.at);
                record.title = StampedValue::new(serde_json::from_value(value).map_err(|_| SyncFault::Damaged)?, at);
            }
            ConflictField::Requested => {
                let at = stamp(&record.requested.at);
                record.requested = StampedValue::new(serde_json::from_value(value).map_err(|_| SyncFault::Damaged)?, at);
            }
            ConflictField::Home => {
                let at = stamp(&record.home.at);
                record.home = StampedValue::new(serde_json::from_value(value).map_err(|_| SyncFault::Damaged)?, at);
            }
            ConflictField::Request => {
                let at = stamp(&record.request.at);
                record.request = StampedValue::new(serde_json::from_value(value).map_err(|_| SyncFault::Damaged)?, at);
            }
            ConflictField::Removed | ConflictField::Choice => return Err(SyncFault::Unknown),
        }
        if write_row(list, row, &record).await? {
            return Ok(());
        }
    }
    Err(SyncFault::Contended)
}
