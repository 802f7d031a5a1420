//! Runs one sync cycle.
//!
//! 1. `info/collections` shows which collections changed. If none changed and nothing waits to be sent, the cycle ends.
//! 2. `meta/global` and `crypto/keys` prove that the server still has the list that this machine knows.
//! 3. Collections that changed are read. Downloads that were sent or handed over to this device are created.
//! 4. Records that changed on this machine are sent. If another device wrote in the meantime, step 3 is repeated.
//! 5. Parts of long lists of requests are sent again if the server lacks them, and deleted if no record names them. A cycle that
//!    has sent parts looks for them in this step, because the server may have lost them since.

use std::{collections::BTreeMap, time::Duration};

use crate::{
    cycle::{
        collections::COLLECTIONS,
        devices::{mark_absent_devices, note_own_device},
        fault::SyncFault,
        held_records::reopen_held,
        history::{forget_cleared, read_clearing},
        local_list::LocalList,
        loss::{begin_restoration, lost_during_cycle, received_times, restart_after_loss},
        part_upkeep::{have_parts_changed, keep_parts},
        pull::pull,
        push::push,
        sends::{ArrivedSend, DownloadReview, announce_sends, receive_sends, settle_sends, take_hand_overs},
        session::SyncSession,
        settings::note_changes,
    },
    merge::CycleScope,
    records::{DeviceRecord, DownloadRecord, HistoryRecord, SendRecord, SyncRecord as _},
    server::{CollectionPoll, SyncServer},
};

/// Collections that are synced on a metered connection. They include the records of devices, which show whether another
/// machine has a copy of this identity.
const SENDS_ONLY: [&str; 2] = [DeviceRecord::COLLECTION, SendRecord::COLLECTION];

/// Maximum number of rounds in a cycle. A round is repeated if another device wrote during the round.
const MOST_ROUNDS: u32 = 5;
/// Maximum random pause before the second round. The random pause keeps devices that wrote at the same time from
/// colliding again. The maximum doubles with each further round.
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// Result of a complete cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CycleReport {
    /// Number of objects that were received.
    pub received: u64,
    /// Number of records that were sent.
    pub sent: u64,
    /// Downloads that other devices sent to this one, and that no earlier cycle has reported.
    pub arrived: Vec<ArrivedSend>,
    /// Whether this machine sent data again because the server had lost it.
    pub is_restored: bool,
}

/// Runs one cycle. `own` is the record of this device. `times` contains the times of all collections, which the
/// caller has just read.
///
/// If the cycle fails at any point, no data is lost, and the next cycle continues.
pub async fn run_cycle<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    own: &DeviceRecord,
    mut times: BTreeMap<String, i64>,
) -> Result<CycleReport, SyncFault> {
    let mut report = CycleReport { is_restored: restart_after_loss(session, &times).await?, ..CycleReport::default() };
    let began = received_times(session.list).await?;
    for number in 0..MOST_ROUNDS {
        if number > 0 {
            session.env.pause_up_to(FIRST_PAUSE * (1 << (number - 1))).await;
            times = look(session).await?;
        }
        match round(session, own, &times, &mut report).await {
            Err(fault) if fault.is_conflict() => {}
            Err(fault) => return Err(fault),
            Ok(()) => match lost_during_cycle(session, &began).await? {
                None => {
                    report.arrived = announce_sends(session, report.arrived).await?;
                    return Ok(report);
                }
                lost_ms => session.lost_ms = lost_ms,
            },
        }
        // Either the server lost data during this cycle, or it lost the data earlier and another machine has sent only
        // part of it again.
        if let Some(until_ms) = session.lost_ms.take() {
            session.account = begin_restoration(session.list, session.now_ms(), until_ms).await?;
            // The server may have lost the parts that this session has sent.
            session.sent_parts.clear();
            report.is_restored = true;
        }
    }
    Err(SyncFault::Contended)
}

async fn round<S: SyncServer, L: LocalList>(
    session: &mut SyncSession<'_, S, L>,
    own: &DeviceRecord,
    times: &BTreeMap<String, i64>,
    report: &mut CycleReport,
) -> Result<(), SyncFault> {
    let collections: &[&'static str] = match session.scope {
        CycleScope::Everything => &COLLECTIONS,
        CycleScope::SendsOnly => &SENDS_ONLY,
    };
    if session.needs_review {
        reopen_held(session, collections).await?;
    }
    let (mut has_downloads, mut has_history) = (false, false);
    for &collection in collections {
        let cursor = session.list.cursor(collection).await?;
        if times.get(collection).is_some_and(|modified| *modified > cursor.modified) || cursor.page_offset.is_some() {
            report.received += pull(session, collection).await?;
            has_downloads |= collection == DownloadRecord::COLLECTION;
            has_history |= collection == HistoryRecord::COLLECTION;
            if collection == DeviceRecord::COLLECTION {
                mark_absent_devices(session).await?;
            }
        }
    }
    note_own_device(session, own).await?;
    note_changes(session).await?;
    session.cleared_before_ms = read_clearing(session).await?.map(|cleared| cleared.cleared_before_ms);
    if session.scope == CycleScope::Everything && (has_history || session.needs_review) && forget_cleared(session).await? {
        // First send the record that clears the history. Even a nearly full server still has space for this record now,
        // but might not after the downloads are sent.
        report.sent += push(session, HistoryRecord::COLLECTION).await?;
    }
    // A repeated round also finds the downloads of earlier rounds, because their rows stay until the downloads are
    // announced.
    report.arrived = receive_sends(session).await?;
    let is_everything = session.scope == CycleScope::Everything;
    // Review the downloads only if some were received, the previous review is unfinished, or missing parts may have
    // arrived.
    let is_reviewing = has_downloads || session.needs_review || (is_everything && have_parts_changed(session, times).await?);
    let review = match is_reviewing {
        true => take_hand_overs(session).await?,
        false => DownloadReview::default(),
    };
    session.needs_review = review.is_unfinished;
    settle_sends(session, &review.commands).await?;
    for &collection in collections {
        report.sent += push(session, collection).await?;
    }
    if is_everything && (is_reviewing || !session.sent_parts.is_empty()) {
        keep_parts(session, times, review.has_parts).await?;
    }
    Ok(())
}

async fn look<S: SyncServer, L: LocalList>(session: &mut SyncSession<'_, S, L>) -> Result<BTreeMap<String, i64>, SyncFault> {
    let answer = session.server.info_collections(None).await?;
    match session.note(answer) {
        CollectionPoll::Listed(listing) => Ok(listing.collections),
        // The server answers `Unchanged` only to a request with a time, and this request has none.
        CollectionPoll::Unchanged => Ok(BTreeMap::new()),
    }
}
