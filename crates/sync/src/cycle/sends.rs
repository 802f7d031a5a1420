//! Carries out what other devices sent to this one: new downloads, and downloads whose home became this device.
//!
//! A download is created together with the id of its command, so that a crash neither loses nor repeats it.

use ashore_engine::{ReceivedDownload, RequestSource, SyncRecordRow, SyncWrite};

use crate::{
    cycle::{
        downloads::known_version,
        fault::SyncFault,
        local_list::LocalList,
        session::{SyncSession, parse},
    },
    merge::judge_send,
    records::{DeviceId, DownloadRecord, DownloadRequest, RequestedState, SendRecord, SyncRecord as _},
    server::SyncServer,
};

/// Owner of downloads that a person on this machine takes over from another machine.
pub const PERSON_HERE: &str = "command-line";

/// Records of one page of the ledger.
const PAGE: u32 = 500;

/// Sends that arrived in a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrivedSend {
    /// Device that sent the download.
    pub from: DeviceId,
    /// Title of the download.
    pub title: String,
    /// Whether the download waits for the person to start it.
    pub is_paused: bool,
}

/// Creates the downloads of all sends to this device, and deletes these sends from the server.
pub async fn receive_sends<S: SyncServer, L: LocalList>(session: &SyncSession<'_, S, L>) -> Result<Vec<ArrivedSend>, SyncFault> {
    let mut arrived = Vec::new();
    let mut recent_ms = Vec::new();
    for row in all_rows(session, SendRecord::COLLECTION).await? {
        let Some(send) = parse::<SendRecord>(row.base.as_deref()).filter(|send| send.to == session.account.device) else {
            continue;
        };
        let now_ms = session.now_ms();
        if judge_send(&send, &recent_ms, now_ms).is_err() {
            session.list.write(&[SyncWrite::Refuse(row.id.clone())]).await?;
        } else {
            recent_ms.push(now_ms);
            let is_paused = !session.account.trusted.contains(&send.from);
            let received = ReceivedDownload {
                command: row.id.clone(),
                owner: format!("device-{}", send.from),
                source: RequestSource::Device,
                title: send.title.clone(),
                requests: send.requests.clone(),
                is_paused,
                sync_id: None,
            };
            match session.list.receive(received).await {
                Ok(Some(_)) => arrived.push(ArrivedSend { from: send.from, title: send.title, is_paused }),
                Ok(None) => {}
                Err(error) => {
                    tracing::info!(%error, "download of another device was refused");
                    session.list.write(&[SyncWrite::Refuse(row.id.clone())]).await?;
                }
            }
        }
        session.server.delete_objects(SendRecord::COLLECTION, std::slice::from_ref(&row.id), None).await?;
        forget(session, row).await?;
    }
    Ok(arrived)
}

/// Creates downloads whose home became this device while it had no such download.
pub async fn take_hand_overs<S: SyncServer, L: LocalList>(session: &SyncSession<'_, S, L>) -> Result<u64, SyncFault> {
    let mut taken = 0;
    for row in all_rows(session, DownloadRecord::COLLECTION).await? {
        let Some(record) = known_version(&row).filter(|record| is_to_be_taken(record, &row, &session.account.device)) else {
            continue;
        };
        let DownloadRequest::Requests(requests) = record.request.value else { continue };
        if session.list.registration(&row.id).await?.is_some() {
            continue;
        }
        // A move that a person asked for on this machine, and that was interrupted before the download was created.
        let (owner, source) = match record.home.at.device() {
            device if *device == session.account.device => (PERSON_HERE.to_owned(), RequestSource::CommandLine),
            device => (format!("device-{device}"), RequestSource::Device),
        };
        let received = ReceivedDownload {
            // A download that comes back later is another hand-over, so the stamp is part of the command.
            command: format!("{}-{}", row.id, record.home.at),
            owner,
            source,
            title: record.title.value.clone(),
            requests,
            is_paused: record.requested.value == RequestedState::Paused,
            sync_id: Some(row.id.clone()),
        };
        match session.list.receive(received).await {
            Ok(found) => taken += u64::from(found.is_some()),
            Err(error) => tracing::info!(%error, "hand-over was refused"),
        }
    }
    Ok(taken)
}

/// Whether this device is the home device of a live download that it does not have. A download that was removed here is not.
fn is_to_be_taken(record: &DownloadRecord, row: &SyncRecordRow, device: &DeviceId) -> bool {
    let is_new_home = record.home.value == *device && record.home_facts().is_none();
    is_new_home && !row.is_gone && !record.is_removed() && record.requested.value != RequestedState::Removed
}

async fn forget<S: SyncServer, L: LocalList>(session: &SyncSession<'_, S, L>, row: SyncRecordRow) -> Result<(), SyncFault> {
    let forget = SyncWrite::Forget { collection: row.collection, id: row.id, seen: row.change };
    // A row that has changed meanwhile is read again by the next cycle.
    session.list.write(&[forget]).await?;
    Ok(())
}

/// Reads all rows of a collection, page by page.
pub async fn all_rows<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    collection: &str,
) -> Result<Vec<SyncRecordRow>, SyncFault> {
    let mut all: Vec<SyncRecordRow> = Vec::new();
    loop {
        let after = all.last().map(|row| row.id.clone()).unwrap_or_default();
        let page = session.list.all_records(collection, &after, PAGE).await?;
        if page.is_empty() {
            return Ok(all);
        }
        all.extend(page);
    }
}
