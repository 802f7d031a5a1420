//! Sends the changes of this machine, collection by collection.
//!
//! - A batch is accepted only if the collection is unchanged since this machine read it. Otherwise the cycle reads
//!   again.
//! - A sent version becomes the agreed version. A change that a person makes during the send stays due.
//! - The parts of a long list of requests are sent before the record that names them.
//! - If the server's version of a record is held back, the record is not sent, because that version would be
//!   overwritten.

use std::collections::BTreeMap;

use ashore_engine::{RegistrationResult, SyncCursor, SyncRecordRow, SyncWrite, SyncedRegistration};
use serde_json::Value;

use crate::{
    cycle::{
        downloads::{known_version, local_version},
        fault::SyncFault,
        local_list::LocalList,
        parts::send_parts,
        rejoin::adopt_former,
        render::render,
        session::{SyncSession, empty_row, held, parse, to_text},
    },
    records::{
        DeviceId, DeviceRecord, DownloadRecord, DownloadRequest, HistoryRecord, PastDownload, SendRecord, SettingRecord,
        SyncRecord,
    },
    server::{OutgoingObject, RejectReason, SyncServer},
};

/// Maximum number of records in one batch.
const BATCH: u32 = 500;
/// Maximum number of attempts to store the sent versions. An attempt fails if a row has changed since it was read.
const MOST_WRITES: u32 = 20;

/// A day, in seconds.
const DAY_S: u32 = 24 * 60 * 60;
/// Time for which the server stores the record of a sent download, in seconds.
pub const SEND_LIFETIME_S: u32 = 30 * DAY_S;

/// Version of a record that is being sent or was sent.
#[derive(Debug)]
struct Outgoing {
    id: String,
    /// Text of the record before encryption, as stored in the ledger.
    text: String,
    payload: String,
    /// Change numbers of the row and of the registration. This version contains all changes up to these numbers.
    row_change: Option<i64>,
    registration_change: Option<i64>,
    /// Requests whose parts must be on the server before the record; empty if there are no such parts.
    parts: Vec<Value>,
    /// Link of the download, if the record is a history entry.
    address: Option<String>,
    /// Lifetime on the server in seconds; `None` if the record never expires.
    ttl_s: Option<u32>,
}

/// Sends the due records of a collection. Returns their number.
///
/// Fails with `Server(Conflict)` if another device has written to the collection since this device read it.
pub async fn push<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    collection: &'static str,
) -> Result<u64, SyncFault> {
    let mut sent = 0;
    loop {
        let (outgoing, settled, is_complete) = match collection {
            DownloadRecord::COLLECTION => due_downloads(session).await?,
            SettingRecord::COLLECTION => due::<SettingRecord, _, _>(session).await?,
            HistoryRecord::COLLECTION => due::<HistoryRecord, _, _>(session).await?,
            SendRecord::COLLECTION => due::<SendRecord, _, _>(session).await?,
            DeviceRecord::COLLECTION => due::<DeviceRecord, _, _>(session).await?,
            _ => return Ok(0),
        };
        if !settled.is_empty() {
            session.list.write(&settled).await?;
        }
        if outgoing.is_empty() {
            if is_complete {
                return Ok(sent);
            }
            continue;
        }
        let mut failed = BTreeMap::new();
        for one in outgoing.iter().filter(|one| !one.parts.is_empty()) {
            if !send_parts(session, &one.parts, None).await? {
                failed.insert(one.id.clone(), RejectReason::Other);
            }
        }
        let cursor = session.list.cursor(collection).await?;
        let object = |one: &Outgoing| OutgoingObject { id: one.id.clone(), payload: one.payload.clone(), ttl_s: one.ttl_s };
        let objects: Vec<OutgoingObject> = outgoing.iter().filter(|one| !failed.contains_key(&one.id)).map(object).collect();
        let answer = session.server.post_batch(collection, &objects, Some(cursor.modified)).await?;
        ashore_engine::failpoint::hit("sync.commit-unseen");
        let receipt = session.note(answer);
        failed.extend(receipt.failed);
        sent += u64::try_from(outgoing.len() - failed.len()).unwrap_or_default();
        let modified_ms = receipt.modified_ms.unwrap_or(cursor.modified);
        write_sent(session, collection, &outgoing, &failed, modified_ms).await?;
        ashore_engine::failpoint::hit("sync.sent-written");
    }
}

type DueRecords = (Vec<Outgoing>, Vec<SyncWrite>, bool);

/// Returns the due records of a collection that has no registrations. A version that equals the agreed version is not
/// sent again, but only marked as sent.
async fn due<T: SyncRecord + PartialEq + Outbound, S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
) -> Result<DueRecords, SyncFault> {
    let rows = session.list.due_records(T::COLLECTION, BATCH).await?;
    let is_complete = rows.is_empty();
    let (mut outgoing, mut settled) = (Vec::new(), Vec::new());
    for row in rows {
        let base: Option<T> = parse(row.base.as_deref());
        let local: Option<T> = parse(row.local.as_deref()).map(|local| session.as_others_read(local, base.as_ref()));
        match local {
            Some(local) if is_outgoing(&local, &row, session) && base.as_ref() != Some(&local) => outgoing.push(Outgoing {
                payload: session.seal(&row.id, &local)?,
                text: to_text(&local),
                row_change: Some(row.change),
                registration_change: None,
                parts: Vec::new(),
                address: local.address(),
                ttl_s: local.lifetime_s(),
                id: row.id,
            }),
            _ => settled.push(note_sent(row)),
        }
    }
    Ok((outgoing, settled, is_complete))
}

fn is_outgoing<T: Outbound, S: SyncServer, L: LocalList>(
    record: &T,
    row: &SyncRecordRow,
    session: &SyncSession<'_, S, L>,
) -> bool {
    // The record of an absent device is not sent.
    !row.is_gone && row.held_code.is_none() && record.is_written_by(&session.account.device)
}

/// Returns the write that marks a row as sent, so that the row is no longer due. A version that is held back is not
/// changed.
fn note_sent(row: SyncRecordRow) -> SyncWrite {
    let seen = row.change;
    SyncWrite::Record { record: Box::new(SyncRecordRow { sent: row.change, ..row }), seen, is_edit: false }
}

/// Properties of a record in a collection that has no registrations.
trait Outbound {
    /// Link without query, used to find a record of the download history.
    fn address(&self) -> Option<String> {
        None
    }

    /// Lifetime on the server in seconds; `None` if the record never expires.
    fn lifetime_s(&self) -> Option<u32> {
        None
    }

    /// Whether this device may send the record.
    fn is_written_by(&self, _device: &DeviceId) -> bool {
        true
    }
}

impl Outbound for SettingRecord {}
impl Outbound for SendRecord {
    fn lifetime_s(&self) -> Option<u32> {
        Some(SEND_LIFETIME_S)
    }

    fn is_written_by(&self, device: &DeviceId) -> bool {
        self.is_written_by(device)
    }
}
impl Outbound for DeviceRecord {
    /// If a machine is lost, its record expires after half a year.
    fn lifetime_s(&self) -> Option<u32> {
        Some(180 * DAY_S)
    }
}
impl Outbound for HistoryRecord {
    fn address(&self) -> Option<String> {
        match self {
            Self::Past(past) => Some(past.address.clone()),
            Self::Cleared(_) => None,
        }
    }

    fn lifetime_s(&self) -> Option<u32> {
        match self {
            Self::Past(_) => Some(365 * DAY_S),
            // This record must not expire: without it, a machine would add cleared downloads in its list to the history
            // again.
            Self::Cleared(_) => None,
        }
    }
}

/// Returns the due downloads: changed registrations of this machine, and changed records of downloads on other
/// machines.
async fn due_downloads<S: SyncServer, L: LocalList>(session: &mut SyncSession<'_, S, L>) -> Result<DueRecords, SyncFault> {
    let mut registrations = session.list.due_registrations(BATCH).await?;
    adopt_former(session, &mut registrations).await?;
    let rows = session.list.due_records(DownloadRecord::COLLECTION, BATCH).await?;
    let is_complete = registrations.is_empty() && rows.is_empty();
    let (mut outgoing, mut settled): (BTreeMap<String, Outgoing>, Vec<SyncWrite>) = Default::default();
    assign_ids(session, &mut registrations).await?;
    note_history(session, &registrations).await?;
    let ids: Vec<&str> = registrations.iter().filter_map(|download| download.sync_id.as_deref()).collect();
    let known = session.list.records(DownloadRecord::COLLECTION, &ids).await?;
    let mut known: BTreeMap<String, SyncRecordRow> = known.into_iter().map(|row| (row.id.clone(), row)).collect();
    for download in registrations {
        let Some(id) = download.sync_id.clone() else { continue };
        let row = known.remove(&id);
        // If the download was removed after it was read, only the row shows the removal. A send of the earlier state
        // must not mark the removal as sent.
        let download = match row.as_ref().is_some_and(|row| row.is_gone) {
            true => session.list.registration(&id).await?,
            false => Some(download),
        };
        add_download(session, &id, row, download.as_ref(), &mut outgoing, &mut settled)?;
    }
    for row in rows {
        let id = row.id.clone();
        if outgoing.contains_key(&id) {
            continue;
        }
        let download = session.list.registration(&id).await?;
        add_download(session, &id, Some(row), download.as_ref(), &mut outgoing, &mut settled)?;
    }
    Ok((outgoing.into_values().collect(), settled, is_complete))
}

fn add_download<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    id: &str,
    row: Option<SyncRecordRow>,
    download: Option<&SyncedRegistration>,
    outgoing: &mut BTreeMap<String, Outgoing>,
    settled: &mut Vec<SyncWrite>,
) -> Result<(), SyncFault> {
    let base: Option<DownloadRecord> = parse(row.as_ref().and_then(|row| row.base.as_deref()));
    let record = match (download, &row) {
        (Some(download), row) => {
            let prior = row.as_ref().and_then(known_version);
            Some(render(download, prior.as_ref(), &session.account.device, session.part_split()))
        }
        (None, Some(row)) => local_version(row, session),
        (None, None) => None,
    };
    let record = record.map(|record| session.as_others_read(record, base.as_ref()));
    let is_held = row.as_ref().is_some_and(|row| row.held_code.is_some());
    match record {
        Some(record) if !is_held && base.as_ref() != Some(&record) => {
            let one = Outgoing {
                id: id.to_owned(),
                text: to_text(&record),
                payload: session.seal(id, &record)?,
                row_change: row.as_ref().map(|row| row.change),
                registration_change: download.map(|download| download.change),
                parts: unsent_parts(base.as_ref(), &record, download),
                address: None,
                ttl_s: None,
            };
            outgoing.insert(id.to_owned(), one);
        }
        _ => {
            settled.extend(row.filter(|row| row.change > row.sent).map(note_sent));
            settled.extend(download.map(|download| SyncWrite::Sent { sync_id: id.to_owned(), change: download.change }));
        }
    }
    Ok(())
}

/// Returns the requests of a download if the server may lack some of their parts. The result is empty if the server's
/// version of the record already names the same parts.
fn unsent_parts(base: Option<&DownloadRecord>, record: &DownloadRecord, download: Option<&SyncedRegistration>) -> Vec<Value> {
    let is_known = base.is_some_and(|base| base.request.value == record.request.value);
    match (&record.request.value, download) {
        (DownloadRequest::Parts(_), Some(download)) if !is_known => download.requests.clone(),
        _ => Vec::new(),
    }
}

/// Gives downloads their ids before they are sent for the first time. If a reply is lost, the next attempt uses the
/// same id and does not create a second record.
///
/// All downloads get their ids in one transaction. If one of them was removed before the transaction, none gets an id,
/// and the caller reads them again.
async fn assign_ids<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    downloads: &mut [SyncedRegistration],
) -> Result<(), SyncFault> {
    let new = downloads.iter().enumerate().filter(|(_, download)| download.sync_id.is_none());
    let ids: Vec<(usize, String)> = new.map(|(at, _)| (at, session.new_id())).collect();
    let assign = |(at, id): &(usize, String)| SyncWrite::Assign { unique_id: downloads[*at].unique_id, sync_id: id.clone() };
    let empty = |(_, id): &(usize, String)| {
        let record = Box::new(empty_row(DownloadRecord::COLLECTION, id));
        SyncWrite::Record { record, seen: 0, is_edit: false }
    };
    let writes: Vec<SyncWrite> = ids.iter().map(assign).chain(ids.iter().map(empty)).collect();
    if !writes.is_empty() && session.list.write(&writes).await? {
        for (at, id) in ids {
            downloads[at].sync_id = Some(id);
        }
    }
    Ok(())
}

/// Adds successful downloads to the history. No download is added twice, because the id of an entry is derived from
/// the download.
async fn note_history<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    downloads: &[SyncedRegistration],
) -> Result<(), SyncFault> {
    let mut past: BTreeMap<String, PastDownload> =
        downloads.iter().filter_map(|download| past_download(session, download)).collect();
    for _ in 0..MOST_WRITES {
        let ids: Vec<&str> = past.keys().map(String::as_str).collect();
        for known in session.list.records(HistoryRecord::COLLECTION, &ids).await? {
            past.remove(&known.id);
        }
        let write = |(id, past): (&String, &PastDownload)| {
            let address = Some(past.address.clone());
            let local = Some(to_text(&HistoryRecord::Past(past.clone())));
            let row = SyncRecordRow { local, address, ..empty_row(HistoryRecord::COLLECTION, id) };
            SyncWrite::Record { record: Box::new(row), seen: 0, is_edit: true }
        };
        let writes: Vec<SyncWrite> = past.iter().map(write).collect();
        if writes.is_empty() || session.list.write(&writes).await? {
            return Ok(());
        }
    }
    Err(SyncFault::Contended)
}

/// Returns the history entry for a download, with the id of the entry. Returns `None` if the download has not
/// succeeded, or ended before the time up to which the history was cleared.
fn past_download<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    download: &SyncedRegistration,
) -> Option<(String, PastDownload)> {
    let (RegistrationResult::Success, Some(time_ms)) = (download.result, download.settled_ms) else { return None };
    if session.cleared_before_ms.is_some_and(|before_ms| time_ms < before_ms) {
        return None;
    }
    let id = session.keys.derived_record_id(HistoryRecord::COLLECTION, download.sync_id.as_deref()?);
    let past = PastDownload {
        v: 1,
        title: download.title.clone(),
        address: download.address.clone()?,
        size: download.size,
        digest: download.digest.clone(),
        time_ms,
        device: session.account.device.clone(),
        unknown: serde_json::Map::new(),
    };
    Some((id, past))
}

/// Stores the accepted versions as the versions agreed with the server. Also moves the cursor past the writes of this
/// device.
async fn write_sent<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    collection: &'static str,
    outgoing: &[Outgoing],
    failed: &BTreeMap<String, RejectReason>,
    modified_ms: i64,
) -> Result<(), SyncFault> {
    let ids: Vec<&str> = outgoing.iter().map(|one| one.id.as_str()).collect();
    for _ in 0..MOST_WRITES {
        let rows = session.list.records(collection, &ids).await?;
        let mut writes = Vec::new();
        for one in outgoing {
            let row = rows.iter().find(|row| row.id == one.id).cloned();
            let seen = row.as_ref().map_or(0, |row| row.change);
            let row = row.unwrap_or_else(|| empty_row(collection, &one.id));
            let is_refused = failed.contains_key(&one.id);
            let is_unchanged = one.row_change.is_none_or(|change| change == row.change);
            let local = row.local.clone().filter(|_| !is_unchanged);
            let sent = one.row_change.unwrap_or(row.sent);
            let record = match is_refused {
                true => SyncRecordRow { held_code: Some(held::REFUSED.to_owned()), sent, ..row },
                false => {
                    SyncRecordRow { base: Some(one.text.clone()), modified_ms, local, sent, address: one.address.clone(), ..row }
                }
            };
            writes.push(SyncWrite::Record { record: Box::new(record), seen, is_edit: false });
        }
        let sent = |one: &Outgoing| one.registration_change.map(|change| SyncWrite::Sent { sync_id: one.id.clone(), change });
        writes.extend(outgoing.iter().filter_map(sent));
        let cursor = SyncCursor { modified: modified_ms, page_modified: None, page_offset: None };
        writes.push(SyncWrite::Cursor { collection: collection.to_owned(), cursor });
        if session.list.write(&writes).await? {
            return Ok(());
        }
    }
    Err(SyncFault::Contended)
}
