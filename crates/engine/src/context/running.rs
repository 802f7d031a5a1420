//! Bytes and speed of the running transfers, in addition to the persisted numbers in the ledger.
//!
//! A reader takes the row and the live numbers under one lock. Therefore each byte is counted exactly once while a
//! completed request moves from the live numbers into the ledger.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::PathBuf,
    time::{Duration, Instant},
};

use ashore_transfer::{Guid, TransferProgress};

use crate::{
    gates::running_transfer::{RunningTransfer, WantedTransfer},
    intake::follow_up::FollowUpChain,
    model::{Registration, ResponseRecord, UniqueId, values::http_method::is_safe},
    store::{QueuePosition, StartableRequest, quota_room::QuotaReservation},
};

/// The running transfers.
#[derive(Debug, Default)]
pub(crate) struct RunningTransfers {
    transfers: HashMap<Guid, RunningTransfer>,
    /// Number of running transfers, for each registration with at least one.
    running: HashMap<UniqueId, u32>,
    speeds: HashMap<UniqueId, Speed>,
}

impl RunningTransfer {
    pub(crate) fn new(request: &StartableRequest, now_us: i64, now: Instant) -> Self {
        Self {
            unique_id: request.unique_id,
            index: request.index,
            host: request.host,
            body_size: request.body.as_ref().map(|(_, size)| *size).or((!is_safe(&request.method)).then_some(0)),
            kept: request.kept,
            had: request.kept,
            progress_from: request.kept,
            attempt: request.attempt,
            begun_us: now_us,
            has_begun: request.has_begun,
            vouches: request.vouches,
            is_limited: request.is_limited,
            is_optional: request.is_optional,
            is_skipped: false,
            wanted: WantedTransfer::for_request(request),
            existing: None,
            chain: request.next.as_ref().and_then(|next| {
                Some(Box::new(FollowUpChain {
                    next: next.as_ref().clone(),
                    url: request.url.parse().ok()?,
                    headers: request.headers.clone(),
                    is_optional: request.is_optional,
                }))
            }),
            is_fetched: false,
            folder: request.folder.clone(),
            room: request.room.clone(),
            progress: TransferProgress { downloaded: request.kept, ..TransferProgress::default() },
            is_held: false,
            moved: now,
        }
    }
}

impl RunningTransfer {
    /// Returns the total size of the file in bytes, if it is known.
    pub(crate) fn total(&self) -> Option<u64> {
        self.progress.total
    }

    /// Returns the number of the file's body bytes received so far.
    pub(crate) fn downloaded(&self) -> u64 {
        self.progress.downloaded
    }

    /// Returns whether this transfer is incomplete and has received no bytes after `then`.
    pub(crate) fn is_silent_since(&self, then: Instant) -> bool {
        let has_all = self.is_fetched || self.total().is_some_and(|total| self.downloaded() >= total);
        !has_all && self.moved <= then
    }

    /// Returns the number of bytes that this run has added to the file. `bytes` is the size of the file after the run.
    pub(crate) fn brought(&self, bytes: u64) -> u64 {
        bytes.saturating_sub(self.had)
    }
}

/// Sum of the progress of all running transfers of one registration.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ProgressSum {
    /// Bytes that are not in the ledger yet. Negative while a file is fetched again from its start.
    pub downloaded: i64,
    pub uploaded: u64,
    /// Bytes per second.
    pub speed: u64,
}

impl RunningTransfers {
    pub(crate) fn insert(&mut self, guid: Guid, transfer: RunningTransfer) {
        *self.running.entry(transfer.unique_id).or_default() += 1;
        if let Some(before) = self.transfers.insert(guid, transfer) {
            self.left(before.unique_id);
        }
    }

    pub(crate) fn remove(&mut self, guid: Guid) -> Option<RunningTransfer> {
        let gone = self.transfers.remove(&guid)?;
        self.left(gone.unique_id);
        Some(gone)
    }

    /// Stores the `path` at which the file of this transfer already exists, so that nothing is fetched.
    pub(crate) fn on_file_placed(&mut self, guid: Guid, path: PathBuf) {
        if let Some(transfer) = self.transfers.get_mut(&guid) {
            transfer.existing = Some(path);
        }
    }

    fn left(&mut self, id: UniqueId) {
        if let Some(count) = self.running.get_mut(&id) {
            *count -= 1;
            if *count == 0 {
                self.running.remove(&id);
                self.speeds.remove(&id);
            }
        }
    }

    /// Marks the transfer as completely received and returns its host.
    ///
    /// Returns `None` if the transfer is unknown or already marked.
    pub(crate) fn fetched(&mut self, guid: Guid) -> Option<i64> {
        let transfer = self.transfers.get_mut(&guid).filter(|transfer| !transfer.is_fetched)?;
        transfer.is_fetched = true;
        Some(transfer.host)
    }

    /// Stores the size that the server stated. At the end of the transfer, it may be the only known size.
    pub(crate) fn has_size(&mut self, guid: Guid, total: Option<u64>) {
        if let Some(transfer) = self.transfers.get_mut(&guid) {
            transfer.progress.total = transfer.progress.total.or(total);
            transfer.has_begun = true;
        }
    }

    /// Returns all running transfers.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Guid, &RunningTransfer)> {
        self.transfers.iter().map(|(guid, transfer)| (*guid, transfer))
    }

    /// Returns the target folders of the running transfers.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &std::path::Path> {
        self.transfers.values().map(|transfer| transfer.folder.as_path())
    }

    /// Resets the counts of a transfer. The ledger has already reset its own counts because of a new response head.
    ///
    /// If `is_anew` is true, the whole file is fetched again.
    pub(crate) fn start_over(&mut self, guid: Guid, is_anew: bool) {
        if let Some(transfer) = self.transfers.get_mut(&guid) {
            transfer.kept = 0;
            transfer.progress.downloaded = 0;
            if is_anew {
                transfer.progress_from = 0;
            }
        }
    }

    /// Marks the transfers `guids`, because each of them has an event that cannot be persisted yet. Returns the
    /// registrations of the newly marked transfers.
    pub(crate) fn hold(&mut self, guids: impl IntoIterator<Item = Guid>) -> Vec<UniqueId> {
        let mut held = Vec::new();
        for guid in guids {
            if let Some(transfer) = self.transfers.get_mut(&guid).filter(|transfer| !transfer.is_held) {
                transfer.is_held = true;
                held.push(transfer.unique_id);
            }
        }
        held
    }

    /// Clears the mark of a transfer after its event was persisted.
    pub(crate) fn release(&mut self, guid: Guid) {
        if let Some(transfer) = self.transfers.get_mut(&guid) {
            transfer.is_held = false;
        }
    }

    /// Returns whether all running transfers of the registration wait for an event to be persisted.
    ///
    /// Returns false if no transfer is running.
    pub(crate) fn is_held(&self, id: UniqueId) -> bool {
        let mut of_it = self.transfers_of(id).map(|(_, transfer)| transfer.is_held).peekable();
        of_it.peek().is_some() && of_it.all(|is_held| is_held)
    }

    /// Returns the number of registrations for which [`Self::is_held`] is true.
    pub(crate) fn held(&self) -> usize {
        let some: BTreeSet<_> = self.transfers.values().filter(|one| one.is_held).map(|one| one.unique_id).collect();
        some.into_iter().filter(|id| self.is_held(*id)).count()
    }

    pub(crate) fn transfer(&self, guid: Guid) -> Option<&RunningTransfer> {
        self.transfers.get(&guid)
    }

    /// Returns the number of transfers from `host` that have received bytes and expect more, except the transfer
    /// `guid`.
    pub(crate) fn served_at(&self, host: i64, guid: Guid) -> usize {
        let is_served =
            |transfer: &RunningTransfer| transfer.host == host && !transfer.is_fetched && transfer.downloaded() > transfer.had;
        self.transfers.iter().filter(|(other, transfer)| **other != guid && is_served(transfer)).count()
    }

    /// Returns the transfers of one registration.
    pub(crate) fn transfers_of(&self, id: UniqueId) -> impl Iterator<Item = (Guid, &RunningTransfer)> {
        self.transfers.iter().filter(move |(_, transfer)| transfer.unique_id == id).map(|(guid, transfer)| (*guid, transfer))
    }

    /// Returns the quota reservation of each transfer that has one.
    pub(crate) fn rooms(&self) -> impl Iterator<Item = (Guid, &QuotaReservation)> {
        self.transfers.iter().filter_map(|(guid, transfer)| Some((*guid, transfer.room.as_deref()?)))
    }

    /// Returns all transfers with the data that preemption needs.
    ///
    /// A transfer of an unwanted registration has no place in the queue and is sorted last.
    pub(crate) fn running(&self, places: &HashMap<UniqueId, QueuePosition>) -> Vec<RunningGuard> {
        let running = |(guid, transfer): (&Guid, &RunningTransfer)| {
            let place = places.get(&transfer.unique_id);
            RunningGuard {
                guid: *guid,
                host: transfer.host,
                place: (place.map_or(i64::MAX, |place| place.rank), transfer.index),
                may_wait: !place.is_some_and(QueuePosition::is_urgent) && !transfer.is_fetched && transfer.body_size.is_none(),
            }
        };
        self.transfers.iter().map(running).collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.transfers.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.transfers.len()
    }

    pub(crate) fn guids(&self) -> Vec<Guid> {
        // Sort the transfers for a deterministic order.
        let mut guids: Vec<Guid> = self.transfers.keys().copied().collect();
        guids.sort_unstable();
        guids
    }

    pub(crate) fn is_running(&self, id: UniqueId) -> bool {
        self.running.contains_key(&id)
    }

    /// Applies the progress of the transfers. Returns the registrations that made progress.
    pub(crate) fn update(&mut self, news: Vec<(Guid, TransferProgress)>, now: Instant) -> Vec<UniqueId> {
        let mut moved: BTreeMap<UniqueId, u64> = BTreeMap::new();
        for (guid, progress) in news {
            if let Some(transfer) = self.transfers.get_mut(&guid)
                && transfer.progress != progress
            {
                // Bytes that the run found in the partial file have not been received now. They do not count as speed.
                let before = transfer.progress.received + transfer.progress.uploaded;
                let bytes = (progress.received + progress.uploaded).saturating_sub(before);
                *moved.entry(transfer.unique_id).or_default() += bytes;
                transfer.progress = progress;
                transfer.moved = now;
            }
        }
        for &id in self.running.keys() {
            let bytes = moved.get(&id).copied().unwrap_or_default();
            self.speeds.entry(id).or_insert_with(|| Speed::new(now)).feed(bytes, now);
        }
        moved.into_keys().collect()
    }

    /// Returns the transfers that are incomplete and have received no bytes after `then`.
    pub(crate) fn silent_since(&self, then: Instant) -> Vec<Guid> {
        let is_silent = |guid: &Guid| self.transfer(*guid).is_some_and(|transfer| transfer.is_silent_since(then));
        self.guids().into_iter().filter(is_silent).collect()
    }

    pub(crate) fn sum(&self, id: UniqueId) -> ProgressSum {
        let mut sum = ProgressSum { speed: self.speeds.get(&id).map_or(0, Speed::per_second), ..ProgressSum::default() };
        for transfer in self.transfers.values().filter(|transfer| transfer.unique_id == id) {
            sum.downloaded += i64::try_from(transfer.progress.downloaded).unwrap_or(i64::MAX)
                - i64::try_from(transfer.kept).unwrap_or(i64::MAX);
            sum.uploaded += transfer.progress.uploaded;
        }
        sum
    }

    pub(crate) fn total_speed(&self) -> u64 {
        self.speeds.values().map(Speed::per_second).sum()
    }

    /// Returns whether any running transfer can be preempted. Uploads cannot be preempted.
    pub(crate) fn has_any_to_set_aside(&self) -> bool {
        self.transfers.values().any(|transfer| transfer.body_size.is_none())
    }

    /// Adds the bytes and speed of running transfers to the persisted numbers of a registration.
    pub(crate) fn overlay(&self, registration: &mut Registration) {
        let sum = self.sum(registration.unique_id);
        registration.downloaded = registration.downloaded.saturating_add_signed(sum.downloaded);
        registration.uploaded += sum.uploaded;
    }

    /// Adds the bytes of running transfers to the records of the registration `id`.
    pub(crate) fn overlay_records(&self, id: UniqueId, records: &mut [ResponseRecord]) {
        for transfer in self.transfers.values().filter(|transfer| transfer.unique_id == id) {
            if let Some(record) = records.iter_mut().find(|record| record.index == transfer.index) {
                record.downloaded = transfer.progress.downloaded;
                record.size = record.size.or(transfer.progress.total);
            }
        }
    }
}

/// Speed in bytes per second, smoothed over about three seconds.
#[derive(Debug)]
struct Speed {
    since: Instant,
    per_second: f64,
}

impl Speed {
    fn new(now: Instant) -> Self {
        Self { since: now, per_second: 0.0 }
    }

    fn feed(&mut self, bytes: u64, now: Instant) {
        let span = now.saturating_duration_since(self.since);
        if span < Duration::from_millis(50) {
            return;
        }
        let seconds = span.as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "the speed is only displayed")]
        let now_per_second = bytes as f64 / seconds;
        let weight = 1.0 - (-seconds / 3.0).exp();
        self.per_second =
            if self.per_second == 0.0 { now_per_second } else { self.per_second + weight * (now_per_second - self.per_second) };
        self.since = now;
    }

    fn per_second(&self) -> u64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the value is never negative and only displayed"
        )]
        let whole = self.per_second as u64;
        whole
    }
}

/// Running transfer with the data for preemption.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunningGuard {
    pub guid: Guid,
    pub host: i64,
    /// Place of the registration in the queue. The greatest place is the last one.
    pub place: (i64, u32),
    /// Whether the transfer may be stopped and resumed later.
    pub may_wait: bool,
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const GUID: Guid = Guid(Uuid::from_u128(1));
    const ID: UniqueId = UniqueId(Uuid::from_u128(2));

    fn running(now: Instant) -> RunningTransfers {
        let transfer = RunningTransfer {
            unique_id: ID,
            index: 0,
            host: 1,
            body_size: None,
            kept: 0,
            had: 0,
            progress_from: 0,
            attempt: 0,
            begun_us: 0,
            has_begun: true,
            vouches: false,
            is_limited: false,
            is_optional: false,
            is_skipped: false,
            wanted: None,
            existing: None,
            chain: None,
            is_fetched: false,
            folder: PathBuf::new(),
            room: None,
            progress: TransferProgress::default(),
            is_held: false,
            moved: now,
        };
        let mut running = RunningTransfers::default();
        running.insert(GUID, transfer);
        running
    }

    #[test]
    fn speed_excludes_bytes_found_in_partial_file() {
        let begun = Instant::now();
        let at = |milliseconds| begun + Duration::from_millis(milliseconds);
        let mut running = running(begun);
        let progress = |received| TransferProgress { downloaded: 40_000_000 + received, received, ..TransferProgress::default() };
        assert_eq!(running.update(vec![(GUID, TransferProgress::default())], at(0)), []);
        assert_eq!(running.update(vec![(GUID, progress(0))], at(250)), [ID], "the row shows the bytes of the partial file");
        assert_eq!((running.total_speed(), running.sum(ID).downloaded), (0, 40_000_000));
        running.update(vec![(GUID, progress(250_000))], at(500));
        assert_eq!(running.total_speed(), 1_000_000);
    }
}
