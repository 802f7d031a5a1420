//! Pairs downloads of this machine with records of its earlier identity. Without this pairing, a machine that leaves
//! the list and joins again would show each download twice.

use ashore_engine::{SyncRecordRow, SyncWrite, SyncedRegistration};

use crate::{
    cycle::{
        downloads::known_version,
        fault::SyncFault,
        local_list::{LocalList, chosen_rows},
        render::{later_stamp, request_of},
        session::{SyncSession, to_text},
    },
    merge::{PairCandidate, pair_downloads, requests_fingerprint},
    records::{DownloadRecord, DownloadRequest, RequestedState, StampedValue, SyncRecord as _},
    server::SyncServer,
};

/// Pairs each download in `due` that has no record yet with an equal download of an earlier identity. The download then
/// takes over the record of the earlier one.
pub async fn adopt_former<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    due: &mut [SyncedRegistration],
) -> Result<(), SyncFault> {
    if session.former.devices.is_empty() {
        return Ok(());
    }
    let device = session.account.device.clone();
    let candidate = |download: &SyncedRegistration| {
        let fingerprint = fingerprint(&request_of(download, session.part_split()))?;
        let (id, created_ms) = (download.unique_id.to_string(), download.created_ms);
        Some(PairCandidate { id, home: device.clone(), fingerprint, created_ms })
    };
    let new = due.iter().filter(|download| download.sync_id.is_none() && !download.requests.is_empty());
    let here: Vec<PairCandidate> = new.filter_map(candidate).collect();
    if here.is_empty() {
        return Ok(());
    }
    let there = match session.former.downloads.take() {
        Some(there) => there,
        None => former_downloads(session).await?,
    };
    for pair in pair_downloads(&here, &there) {
        // A download that was never sent has no record. The pair therefore uses the record of the sent download, even
        // if that download is the younger one.
        let (own, record) = if pair.is_here_kept { (&pair.kept, &pair.dropped) } else { (&pair.dropped, &pair.kept) };
        let Some(download) = due.iter_mut().find(|download| download.unique_id.to_string() == *own) else { continue };
        if adopt(session, download, record).await? {
            download.sync_id = Some(record.clone());
        }
    }
    let is_free = |one: &PairCandidate| !due.iter().any(|download| download.sync_id.as_deref() == Some(one.id.as_str()));
    session.former.downloads = Some(there.into_iter().filter(is_free).collect());
    Ok(())
}

/// Returns the downloads of earlier identities that are not removed. In the result, this machine is their home.
async fn former_downloads<S: SyncServer, L: LocalList>(session: &SyncSession<'_, S, L>) -> Result<Vec<PairCandidate>, SyncFault> {
    let candidate = |row: SyncRecordRow| {
        let record = known_version(&row)?;
        let is_live = !row.is_gone && !record.is_removed() && record.requested.value != RequestedState::Removed;
        if !is_live || !session.former.devices.contains(&record.home.value) {
            return None;
        }
        let (home, fingerprint) = (session.account.device.clone(), fingerprint(&record.request.value)?);
        Some(PairCandidate { id: row.id, home, fingerprint, created_ms: record.facts.created_ms })
    };
    Ok(chosen_rows(session.list, DownloadRecord::COLLECTION, candidate).await?)
}

/// Returns a digest that is the same for equal requests; `None` if the record does not contain the requests.
fn fingerprint(request: &DownloadRequest) -> Option<[u8; 32]> {
    match request {
        DownloadRequest::Requests(requests) => Some(requests_fingerprint(requests)),
        // Equal requests have equal parts, because the ids of parts are derived from their content.
        DownloadRequest::Parts(parts) => Some(requests_fingerprint(&[parts.ids.iter().cloned().collect()])),
        DownloadRequest::Omitted { .. } => None,
    }
}

/// Makes a download the local version of a record, and makes this machine the home of the record.
async fn adopt<S: SyncServer, L: LocalList>(
    session: &SyncSession<'_, S, L>,
    download: &SyncedRegistration,
    id: &str,
) -> Result<bool, SyncFault> {
    let Some(row) = session.list.records(DownloadRecord::COLLECTION, &[id]).await?.into_iter().next() else { return Ok(false) };
    let Some(mut record) = known_version(&row) else { return Ok(false) };
    let device = session.account.device.clone();
    let at = later_stamp(session.now_ms(), Some(&record.home.at), &device);
    record.home = StampedValue::new(device, at);
    let seen = row.change;
    let row = SyncRecordRow { local: Some(to_text(&record)), ..row };
    let assign = SyncWrite::Assign { unique_id: download.unique_id, sync_id: id.to_owned() };
    Ok(session.list.write(&[assign, SyncWrite::Record { record: Box::new(row), seen, is_edit: true }]).await?)
}
