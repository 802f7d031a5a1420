//! Carries out what other devices sent to this one: new downloads, and downloads whose home became this device. Finds out
//! how the sends of this device ended.
//!
//! - A download is created together with the id of its command, so that a crash neither loses nor repeats it.
//! - The record of a new download names the command, which tells the sender that the send was delivered.
//! - A send of this device stays in its ledger for a while after its end, without requests, so that a person can see the end.

use std::collections::BTreeSet;

use ashore_engine::{ReceivedDownload, RequestSource, SyncRecordRow, SyncWrite};

use crate::{
    cycle::{
        downloads::known_version,
        fault::SyncFault,
        local_list::LocalList,
        session::{SyncSession, hold_back, parse, to_text},
        versions::agreed,
    },
    merge::judge_send,
    records::{DeviceId, DownloadRecord, DownloadRequest, RequestedState, SendAnswer, SendRecord, SyncRecord as _},
    server::{StoredObject, SyncServer},
};

/// Owner of downloads that a person on this machine takes over from another machine.
pub const PERSON_HERE: &str = "command-line";

/// Records of one page of the ledger.
const PAGE: u32 = 500;

/// Lifetime of a send on the server.
pub const SEND_LIFETIME_MS: i64 = 30 * 24 * 60 * 60 * 1000;
/// Time after which the sender forgets a send that has ended.
const SHOWN_MS: i64 = 2 * SEND_LIFETIME_MS;

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

/// Returns the latest version of a send that the ledger has.
pub fn known_send(row: &SyncRecordRow) -> Option<SendRecord> {
    parse(row.local.as_deref()).or_else(|| parse(row.base.as_deref()))
}

/// Returns the writes for one object of `dl-sends`. Sends between other devices are not stored.
pub fn merge_object<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    object: &StoredObject,
    row: Option<SyncRecordRow>,
) -> Vec<SyncWrite> {
    let own = &session.account.device;
    match session.open::<SendRecord>(&object.id, &object.payload, object.modified_ms) {
        Ok(send) if send.from != *own && send.to != *own => Vec::new(),
        Ok(send) => vec![agreed(row, SendRecord::COLLECTION, object, &send)],
        Err(code) => vec![hold_back(row, SendRecord::COLLECTION, &object.id, &object.payload, code)],
    }
}

/// Creates the downloads of all sends to this device, and deletes these sends from the server.
pub async fn receive_sends<S: SyncServer, L: LocalList>(session: &SyncSession<'_, S, L>) -> Result<Vec<ArrivedSend>, SyncFault> {
    let mut arrived = Vec::new();
    let mut recent_ms = Vec::new();
    for row in all_rows(session, SendRecord::COLLECTION).await? {
        let Some(send) = known_send(&row).filter(|send| send.to == session.account.device) else { continue };
        if send.answer.is_some() {
            // The sender has the answer as soon as it was sent.
            if row.change <= row.sent {
                forget(session, row).await?;
            }
            continue;
        }
        let now_ms = session.now_ms();
        if judge_send(&send, &recent_ms, now_ms).is_err() {
            refuse(session, row, send).await?;
            continue;
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
                    refuse(session, row, send).await?;
                    continue;
                }
            }
        }
        session.server.delete_objects(SendRecord::COLLECTION, std::slice::from_ref(&row.id), None).await?;
        forget(session, row).await?;
    }
    Ok(arrived)
}

/// Answers a send that this device does not accept, so that the sender can show it.
async fn refuse<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    row: SyncRecordRow,
    send: SendRecord,
) -> Result<(), SyncFault> {
    let (command, seen) = (row.id.clone(), row.change);
    let record = SyncRecordRow { local: Some(to_text(&send.answered(SendAnswer::Refused))), ..row };
    let answer = SyncWrite::Record { record: Box::new(record), seen, is_edit: true };
    // A row that has changed meanwhile is judged again by the next cycle.
    session.list.write(&[SyncWrite::Refuse(command), answer]).await?;
    Ok(())
}

/// Notes which sends of this device were delivered, refused or not fetched in time, and forgets old ones.
pub async fn settle_sends<S: SyncServer, L: LocalList>(session: &SyncSession<'_, S, L>) -> Result<(), SyncFault> {
    let sent = all_rows(session, SendRecord::COLLECTION).await?.into_iter().filter_map(|row| {
        let send = known_send(&row).filter(|send| send.from == session.account.device)?;
        Some((row, send))
    });
    let sent: Vec<(SyncRecordRow, SendRecord)> = sent.collect();
    let commands = match sent.iter().any(|(_, send)| send.answer.is_none()) {
        true => applied_commands(session).await?,
        false => BTreeSet::new(),
    };
    for (row, send) in sent {
        let is_on_server = row.modified_ms > 0;
        match send.answer {
            None if commands.contains(&row.id) => settle(session, row, send.answered(SendAnswer::Delivered)).await?,
            None if is_on_server && session.server_ms - row.modified_ms > SEND_LIFETIME_MS => {
                settle(session, row, send.answered(SendAnswer::Expired)).await?;
            }
            Some(SendAnswer::Refused) if is_on_server => {
                session.server.delete_objects(SendRecord::COLLECTION, std::slice::from_ref(&row.id), None).await?;
                settle(session, row, send).await?;
            }
            Some(_) if session.now_ms() - send.sent_ms > SHOWN_MS => forget(session, row).await?,
            _ => {}
        }
    }
    Ok(())
}

/// Stores the end of a send. The row no longer has a time of the server, because the server has no such object.
async fn settle<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    row: SyncRecordRow,
    send: SendRecord,
) -> Result<(), SyncFault> {
    let (seen, sent) = (row.change, row.change);
    let record = SyncRecordRow { base: Some(to_text(&send)), local: None, modified_ms: 0, sent, ..row };
    session.list.write(&[SyncWrite::Record { record: Box::new(record), seen, is_edit: false }]).await?;
    Ok(())
}

/// Returns the commands that the downloads of all devices name.
async fn applied_commands<S: SyncServer, L: LocalList>(session: &SyncSession<'_, S, L>) -> Result<BTreeSet<String>, SyncFault> {
    let records = all_rows(session, DownloadRecord::COLLECTION).await?.into_iter().filter_map(|row| known_version(&row));
    let commands = records.flat_map(|record| {
        let facts = std::iter::once(record.facts).chain(record.former_facts);
        facts.filter_map(|facts| facts.command).collect::<Vec<_>>()
    });
    Ok(commands.collect())
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
