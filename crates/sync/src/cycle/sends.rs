//! Creates downloads that other devices sent or handed over to this device. Also finds out the results of the downloads
//! that this device sent.
//!
//! - A *send* is the record of a download that one device sends to another. The id of this record is the command.
//! - A download is created together with the id of its command, so that a crash neither loses nor repeats the download.
//! - The row of a send is marked before the download is created, and stays in the ledger until a complete cycle
//!   announces the send. A restored server may deliver a send again. Such a send gets no mark, so it is not announced
//!   again.
//! - The record of a new download contains the id of the command, so the sender learns that the send was delivered.
//! - After a send of this device has ended, its row stays in the ledger for a while without the requests, so that a
//!   person can see the result.
//! - The server deletes a send that its recipient did not read in time. The sender then replaces it by a notice: the
//!   send without its requests. A recipient that already has the send ignores the notice.

use std::collections::BTreeSet;

use ashore_engine::{EngineError, ReceivedDownload, RequestSource, SyncRecordRow, SyncWrite};

use crate::{
    cycle::{
        downloads::known_version,
        fault::SyncFault,
        local_list::{LocalList, all_rows, chosen_rows},
        parts::ReadParts,
        push::SEND_LIFETIME_S,
        session::{SyncSession, hold_back, parse, to_text},
        versions::agreed,
    },
    merge::{MOST_SENDS, SendRefusal, judge_send},
    records::{DeviceId, DownloadRecord, DownloadRequest, RequestedState, SendAnswer, SendRecord, SyncRecord as _},
    server::{StoredObject, SyncServer},
};

/// Owner of downloads that a person on this machine takes over from another machine.
pub const PERSON_HERE: &str = "command-line";

/// Time for which the server stores the record of a sent download, in milliseconds.
const SEND_LIFETIME_MS: i64 = SEND_LIFETIME_S as i64 * 1000;
/// Time after which the sender forgets a sent download whose result is known, counted from the moment of sending.
const SHOWN_MS: i64 = 2 * SEND_LIFETIME_MS;

/// A download that another device sent, as it arrived in a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrivedSend {
    /// Id of the send.
    pub command: String,
    /// Device that sent the download.
    pub from: DeviceId,
    /// Title of the download.
    pub title: String,
    /// Whether the download waits for the person to start it.
    pub is_paused: bool,
}

/// Returns the record of a sent download, in its latest version in the ledger.
pub fn known_send(row: &SyncRecordRow) -> Option<SendRecord> {
    parse(row.local.as_deref()).or_else(|| parse(row.base.as_deref()))
}

/// Merges one object of `dl-sends`. Returns the resulting writes to the ledger.
///
/// Objects that two other devices exchange are not stored.
pub fn merge_object<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    object: &StoredObject,
    row: Option<SyncRecordRow>,
) -> Vec<SyncWrite> {
    let own = &session.account.device;
    match session.open::<SendRecord>(&object.id, &object.payload, object.modified_ms) {
        Ok(send) if send.from != *own && send.to != *own => Vec::new(),
        Ok(send) if send.is_missed_by(own) && row.as_ref().and_then(known_send).is_some_and(|known| known.answer.is_none()) => {
            Vec::new()
        }
        Ok(send) => {
            let is_marked = row.as_ref().is_some_and(|row| row.is_gone);
            let mut write = agreed(row, SendRecord::COLLECTION, object, &send);
            if let SyncWrite::Record { record, .. } = &mut write {
                record.is_gone = is_marked;
            }
            vec![write]
        }
        Err(code) => vec![hold_back(row, SendRecord::COLLECTION, &object.id, &object.payload, code)],
    }
}

/// Decision about a download that was sent to this device.
enum Decision {
    /// The download exists: this call or an earlier attempt created it.
    Created {
        /// Whether the download waits for the person to start it.
        is_paused: bool,
    },
    /// Nothing is left to do: the download was already announced, refused or removed.
    Known,
    /// This device never accepts the download.
    Refused,
    /// A later cycle must decide.
    Later,
}

/// Creates all downloads that were sent to this device, and deletes their records from the server. Returns the
/// downloads that must be announced: see [`announce_sends`].
pub async fn receive_sends<S: SyncServer, L: LocalList>(session: &SyncSession<'_, S, L>) -> Result<Vec<ArrivedSend>, SyncFault> {
    let mut arrived = Vec::new();
    for row in all_rows(session.list, SendRecord::COLLECTION).await? {
        let Some(send) = known_send(&row).filter(|send| send.to == session.account.device) else { continue };
        if send.answer == Some(SendAnswer::Expired) {
            keep_notice(session, row).await?;
            continue;
        }
        if send.answer.is_some() {
            // Forget the row as soon as the answer of this device is on the server.
            if row.change <= row.sent {
                forget(session, row).await?;
            }
            continue;
        }
        match accept(session, &row, &send).await? {
            Decision::Later => {}
            Decision::Refused => refuse(session, row, send).await?,
            Decision::Created { is_paused } => {
                let command = row.id.clone();
                delete(session, row).await?;
                arrived.push(ArrivedSend { command, from: send.from, title: send.title, is_paused });
            }
            Decision::Known => {
                session.server.delete_objects(SendRecord::COLLECTION, std::slice::from_ref(&row.id), None).await?;
                forget(session, row).await?;
            }
        }
    }
    Ok(arrived)
}

/// Returns the received downloads that this cycle announces, and forgets their rows in one transaction, so that no
/// later cycle announces them. Must be the last step of a cycle.
///
/// After a kill between the transaction and the display, the announcement is lost, but the list contains the download.
/// A display cannot be part of a transaction, so the alternative would be to announce some downloads twice.
pub async fn announce_sends<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    arrived: Vec<ArrivedSend>,
) -> Result<Vec<ArrivedSend>, SyncFault> {
    if arrived.is_empty() {
        return Ok(arrived);
    }
    let ids: Vec<&str> = arrived.iter().map(|send| send.command.as_str()).collect();
    let rows = session.list.records(SendRecord::COLLECTION, &ids).await?.into_iter();
    let forget = |row: SyncRecordRow| SyncWrite::Forget { collection: row.collection, id: row.id, seen: row.change };
    let forget: Vec<SyncWrite> = rows.map(forget).collect();
    // If a row has changed since it was read, nothing is written, and the next cycle announces the downloads.
    let is_announced = session.list.write(&forget).await?;
    Ok(if is_announced { arrived } else { Vec::new() })
}

/// Keeps the notice of a missed send as long as the server stores it. Deletes the notice if this device has received
/// the send after all.
async fn keep_notice<S: SyncServer, L: LocalList>(session: &SyncSession<'_, S, L>, row: SyncRecordRow) -> Result<(), SyncFault> {
    if session.list.has_received(&row.id).await? {
        session.server.delete_objects(SendRecord::COLLECTION, std::slice::from_ref(&row.id), None).await?;
        return forget(session, row).await;
    }
    match session.server_ms - row.modified_ms > SEND_LIFETIME_MS {
        true => forget(session, row).await,
        false => Ok(()),
    }
}

/// Stores in the row of a sent download that the download must be announced, unless it was received before. Returns
/// whether the row has this mark; `None` if the row has changed since it was read.
async fn mark<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    row: &SyncRecordRow,
) -> Result<Option<bool>, SyncFault> {
    if row.is_gone || session.list.has_received(&row.id).await? {
        return Ok(Some(row.is_gone));
    }
    let record = Box::new(SyncRecordRow { is_gone: true, ..row.clone() });
    let is_written = session.list.write(&[SyncWrite::Record { record, seen: row.change, is_edit: false }]).await?;
    Ok(is_written.then_some(true))
}

/// Deletes the record of a sent download from the server. The row of the record stays, without a server time, until the
/// download is announced.
async fn delete<S: SyncServer, L: LocalList>(session: &SyncSession<'_, S, L>, row: SyncRecordRow) -> Result<(), SyncFault> {
    if row.modified_ms > 0 {
        session.server.delete_objects(SendRecord::COLLECTION, std::slice::from_ref(&row.id), None).await?;
        let seen = row.change;
        let record = Box::new(SyncRecordRow { is_gone: true, modified_ms: 0, ..row });
        session.list.write(&[SyncWrite::Record { record, seen, is_edit: false }]).await?;
    }
    Ok(())
}

/// Creates a download that was sent to this device, unless it violates the limits or cannot be created.
async fn accept<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    row: &SyncRecordRow,
    send: &SendRecord,
) -> Result<Decision, SyncFault> {
    let owner = format!("device-{}", send.from);
    let earlier_ms = session.list.latest_creations_ms(&owner, u32::try_from(MOST_SENDS).unwrap_or(u32::MAX)).await?;
    match judge_send(send, &earlier_ms, session.now_ms()) {
        Ok(()) => {}
        Err(SendRefusal::TooManySends) => return Ok(Decision::Later),
        Err(_) => return Ok(Decision::Refused),
    }
    let Some(is_marked) = mark(session, row).await? else { return Ok(Decision::Later) };
    let is_paused = !session.account.trusted.contains(&send.from);
    let received = ReceivedDownload {
        command: row.id.clone(),
        owner,
        source: RequestSource::Device,
        title: send.title.clone(),
        requests: send.requests.clone(),
        is_paused,
        sync_id: None,
    };
    match session.list.receive(received).await {
        Ok(Some(_)) if is_marked => Ok(Decision::Created { is_paused }),
        Ok(_) => Ok(Decision::Known),
        Err(error) if is_of_ledger(&error) => Err(error.into()),
        Err(error) => {
            let is_refused = error.is_of_content();
            tracing::info!(%error, is_refused, "download of another device was not created");
            // Other errors, such as a missing folder, are temporary.
            Ok(if is_refused { Decision::Refused } else { Decision::Later })
        }
    }
}

/// Whether the error means that the ledger cannot be written, for example because the disk is full. Such an error ends
/// the cycle with a fault.
fn is_of_ledger(error: &EngineError) -> bool {
    matches!(error, EngineError::Ledger(_) | EngineError::Io { .. } | EngineError::Closed)
}

/// Refuses a download. The refusal is sent, so that the sender can show it.
async fn refuse<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    row: SyncRecordRow,
    send: SendRecord,
) -> Result<(), SyncFault> {
    let (command, seen) = (row.id.clone(), row.change);
    let record = SyncRecordRow { local: Some(to_text(&send.answered(SendAnswer::Refused))), ..row };
    let answer = SyncWrite::Record { record: Box::new(record), seen, is_edit: true };
    // If the row has changed since it was read, the next cycle decides again.
    session.list.write(&[SyncWrite::Refuse(command), answer]).await?;
    Ok(())
}

/// Stores the result of each download that this device sent: delivered, refused, or not fetched in time. Forgets
/// downloads that were sent long ago. `commands` contains the command ids that occur in the downloads of all devices.
///
/// If a send was not fetched in time, its recipient gets a notice about it.
pub async fn settle_sends<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    commands: &BTreeSet<String>,
) -> Result<(), SyncFault> {
    let sent = all_rows(session.list, SendRecord::COLLECTION).await?.into_iter().filter_map(|row| {
        let send = known_send(&row).filter(|send| send.from == session.account.device)?;
        Some((row, send))
    });
    for (row, send) in sent {
        let is_on_server = row.modified_ms > 0;
        match send.answer {
            None if commands.contains(&row.id) => settle(session, row, send.answered(SendAnswer::Delivered)).await?,
            None if is_on_server && session.server_ms - row.modified_ms > SEND_LIFETIME_MS => {
                expire(session, row, send.answered(SendAnswer::Expired)).await?;
            }
            // The recipient had read the send in time, but created its download after the expiry.
            Some(SendAnswer::Expired) if commands.contains(&row.id) => {
                session.server.delete_objects(SendRecord::COLLECTION, std::slice::from_ref(&row.id), None).await?;
                settle(session, row, send.answered(SendAnswer::Delivered)).await?;
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

/// Stores the final result of a sent download. The row no longer has a server time, because the server no longer has
/// the object.
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

/// Stores that a send has expired, and makes the notice for its recipient due.
async fn expire<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    row: SyncRecordRow,
    notice: SendRecord,
) -> Result<(), SyncFault> {
    let seen = row.change;
    let record = SyncRecordRow { base: None, local: Some(to_text(&notice)), modified_ms: 0, ..row };
    session.list.write(&[SyncWrite::Record { record: Box::new(record), seen, is_edit: true }]).await?;
    Ok(())
}

/// Results of reading the downloads of all devices once.
#[derive(Debug, Default)]
pub struct DownloadReview {
    /// Ids of commands that occur in the downloads.
    pub commands: BTreeSet<String>,
    /// Whether there is a download whose requests are in parts.
    pub has_parts: bool,
    /// Whether a hand-over could not be carried out yet, so that the downloads must be read again.
    pub is_unfinished: bool,
}

/// Creates each download whose new home is this device, unless this device already has the download.
pub async fn take_hand_overs<S: SyncServer, L: LocalList>(session: &SyncSession<'_, S, L>) -> Result<DownloadReview, SyncFault> {
    let mut review = DownloadReview::default();
    let handed_over = chosen_rows(session.list, DownloadRecord::COLLECTION, |row| {
        let record = known_version(&row)?;
        let facts = std::iter::once(&record.facts).chain(&record.former_facts);
        review.commands.extend(facts.filter_map(|facts| facts.command.clone()));
        review.has_parts |= matches!(record.request.value, DownloadRequest::Parts(_));
        is_to_be_taken(&record, &row, &session.account.device).then_some((row.id, record))
    });
    for (id, record) in handed_over.await? {
        if session.list.registration(&id).await?.is_none() {
            review.is_unfinished |= !take_hand_over(session, id, record).await?;
        }
    }
    Ok(review)
}

/// Creates the download of a hand-over. Returns false if a later cycle must try again.
async fn take_hand_over<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    id: String,
    record: DownloadRecord,
) -> Result<bool, SyncFault> {
    let requests = match record.request.value {
        DownloadRequest::Requests(requests) => requests,
        DownloadRequest::Parts(list) => match ReadParts::read(session.server, &session.keys, session.account.uid, list).await {
            Ok(read) => read.requests,
            // The next attempt follows after new parts have arrived on the server, or after the next start of the program.
            Err(fault @ (SyncFault::PartsUnreadable | SyncFault::Newer)) => {
                tracing::info!(%fault, "hand-over was not carried out");
                return Ok(true);
            }
            Err(fault) => return Err(fault),
        },
        DownloadRequest::Omitted { .. } => return Ok(true),
    };
    // If this device itself changed the home device, a person on this machine requested the move. The move was
    // interrupted before the download was created.
    let (owner, source) = match record.home.at.device() {
        device if *device == session.account.device => (PERSON_HERE.to_owned(), RequestSource::CommandLine),
        device => (format!("device-{device}"), RequestSource::Device),
    };
    let received = ReceivedDownload {
        // A download that comes back to this device later counts as another hand-over. The stamp makes the commands of
        // the two hand-overs different.
        command: format!("{id}-{}", record.home.at),
        owner,
        source,
        title: record.title.value,
        requests,
        is_paused: record.requested.value == RequestedState::Paused,
        sync_id: Some(id),
    };
    match session.list.receive(received).await {
        Ok(_) => Ok(true),
        Err(error) if is_of_ledger(&error) => Err(error.into()),
        Err(error) => {
            tracing::info!(%error, "hand-over was not carried out");
            Ok(error.is_of_content())
        }
    }
}

/// Whether this device is the home device of a download and must still create it. Returns false for a download that was
/// removed on this device.
fn is_to_be_taken(record: &DownloadRecord, row: &SyncRecordRow, device: &DeviceId) -> bool {
    let is_new_home = record.home.value == *device && record.home_facts().is_none();
    is_new_home && !row.is_gone && !record.is_removed() && record.requested.value != RequestedState::Removed
}

async fn forget<S: SyncServer, L: LocalList>(session: &SyncSession<'_, S, L>, row: SyncRecordRow) -> Result<(), SyncFault> {
    let forget = SyncWrite::Forget { collection: row.collection, id: row.id, seen: row.change };
    // If the row has changed since it was read, the next cycle reads it again.
    session.list.write(&[forget]).await?;
    Ok(())
}
