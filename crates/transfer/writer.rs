//! What is held of a file, and the blocking task that writes it: bytes at their places, their checksums, and now and then
//! a checkpoint.
//!
//! One task for each running transfer, fed with batches through a channel of a few places, so that a slow disk slows the
//! network down instead of filling memory. All disk work is done there, off the async threads. A checkpoint (data sync,
//! then the journal's claim) runs beside the writing, of what had been written when it began: so the disk is never idle,
//! and at most one checkpoint's worth of bytes is at stake.
//!
//! A loop that writes in line, without any of this, takes 1.3 times as long (`make bench ONLY=one`). What checkpoints,
//! checksums and reserved space cost alone is in `ONLY=alone`: 0, 3 and 5 % of the time to a disk, about a tenth each in
//! memory, and one run differs from the next by more.

use std::{
    collections::HashMap,
    io,
    ops::Range,
    path::PathBuf,
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use bytes::Bytes;
use tokio::{runtime::Handle, sync::mpsc, task::JoinHandle};

use crate::{
    blocks::{self, Blocks, Checksum},
    crashpoint,
    follow::Follower,
    journal::{Journal, Placing, Record},
    outcome::{Failure, FailureKind},
    part::{self, Part},
    plan,
    ranges::Ranges,
    seam::Seam,
    service::Counters,
    space::{Promise, Promises},
    vouched::vouched,
};

/// Batches that may wait for the disk.
const WAITING: usize = 4;
/// After a checkpoint that took so long, the next one that only its time has come for waits so many times as long: so no more
/// than a tenth of the time goes into them, however slow the disk is.
const REST: u32 = 9;

/// Whether it is time for another checkpoint, `since` the last one ended that `took` so long. [pure]
fn has_rested(since: Duration, took: Duration) -> bool {
    since >= took.saturating_mul(REST)
}

/// A partial with everything known about it.
#[derive(Debug)]
pub(crate) struct Held {
    pub part: Arc<Part>,
    pub record: Record,
    /// Bytes written, durable or not.
    pub have: Ranges,
    /// Those of them that an earlier run wrote; what a checksum stands for is looked at again before the end.
    pub earlier: Ranges,
    /// Makes the digests that are wanted of the whole file and its pieces.
    pub follower: Follower,
    journal: Option<Journal>,
    blocks: Blocks,
    finished: Vec<(u64, Checksum)>,
    /// Whether it may be gone on with in another run.
    keeps_journal: bool,
    /// Whether checksums are made of what is written.
    pub has_checksums: bool,
    /// Space is reserved for the rest when so much has come.
    pub reserve_after: u64,
    is_reserved: bool,
    /// What it has still to write is promised to it, as far as its size is known.
    pub promise: Option<Promise>,
    /// Pieces of different connections turned out not to fit together.
    pub is_torn: bool,
    /// False once a sync failed: what was written since the last good one can no longer be made sure of.
    is_sound: bool,
    /// Somebody else may have written to it, and nobody has looked what became of its bytes.
    is_in_doubt: bool,
}

impl Held {
    /// A partial just made. One that does not keep a journal is removed when its run fails.
    pub fn fresh(part: Part, record: Record, follower: Follower, keeps_journal: bool) -> Self {
        Self {
            part: Arc::new(part),
            record,
            have: Ranges::default(),
            earlier: Ranges::default(),
            follower,
            journal: None,
            blocks: Blocks::default(),
            finished: Vec::new(),
            keeps_journal,
            has_checksums: true,
            reserve_after: u64::MAX,
            is_reserved: false,
            promise: None,
            is_torn: false,
            is_sound: true,
            is_in_doubt: false,
        }
    }

    /// A partial with its journal: only what somebody vouches for counts.
    pub fn reopened(part: Part, mut journal: Journal, record: Record, follower: Follower) -> io::Result<Self> {
        let (have, blocks) = vouched(&part, &journal, &record)?;
        let (earlier, claimed) = (have.clone(), record.durable.count());
        let record = Record { durable: have.clone(), begun: blocks.begun(), ..record };
        if have.count() < claimed {
            // Where this fails, the next run finds the same.
            let _ = journal.write(&record, &[]);
        }
        let fresh = Self::fresh(part, record, follower, true);
        Ok(Self { have, earlier, blocks, journal: Some(journal), ..fresh })
    }

    /// The old bytes go aside, and a new file begins under `record`. They go first: until the journal stops claiming them, what
    /// it claims is held against a file that is empty or not there, so that a crash in between neither mixes nor loses them.
    pub fn begin_again(mut self, record: Record, follower: Follower) -> io::Result<Self> {
        let part = self.part.begin_again()?;
        if let Some(journal) = &mut self.journal {
            journal.write(&record, &[])?;
            journal.forget_checksums()?;
            crashpoint::hit("transfer.claim-dropped");
        }
        let fresh = Self::fresh(part, record, follower, self.keeps_journal);
        Ok(Self { journal: self.journal, ..fresh })
    }

    /// Has what is missing of it promised. Fails where that does not fit beside what is promised to others.
    pub fn promise_space(&mut self, promises: &Promises) -> Result<(), Failure> {
        self.promise = None;
        let Some(total) = self.record.total else { return Ok(()) };
        let Ok((volume, room, has)) = self.part.space() else { return Ok(()) };
        let missing = total.saturating_sub(self.have.count());
        // A run that was killed gave nothing back: what is reserved is there, and no longer free.
        let reserved = has.saturating_sub(self.have.count());
        self.is_reserved = missing > 0 && reserved >= missing;
        let needed = missing.saturating_sub(reserved);
        self.promise = Some(promises.make(volume, needed, room.free)?);
        Ok(())
    }

    /// The run ends before the file is whole: what it reserved is free for others.
    pub fn give_space_back(&mut self) {
        self.promise = None;
        if std::mem::take(&mut self.is_reserved)
            && let Some(total) = self.record.total
        {
            self.part.give_back(&self.have.missing(total));
        }
    }

    /// The bytes right before `at` that a resume from there compares.
    pub fn overlap(&self, at: u64) -> io::Result<Vec<u8>> {
        let count = self.have.before(at).min(plan::OVERLAP);
        self.part.read(at - count..at)
    }

    /// Whether all of it is there.
    pub fn is_whole(&self) -> bool {
        self.record.total.is_some_and(|total| self.have.prefix() >= total)
    }

    /// Whether a journal is there, so that the end is worth one more record.
    pub fn has_journal(&self) -> bool {
        self.journal.is_some()
    }

    /// Bytes that another run can go on from.
    pub fn durable(&self) -> u64 {
        if self.journal.is_some() { self.record.durable.count() } else { 0 }
    }

    /// These bytes are wrong: they are missing from now on.
    pub fn drop_bytes(&mut self, range: &Range<u64>) {
        self.have.remove(range.clone());
        self.earlier.remove(range.clone());
        self.blocks.forget(range);
    }

    /// Whether somebody else may have written to it, or cut it. What lies there then says nothing about a server.
    pub fn is_in_doubt(&mut self) -> io::Result<bool> {
        self.is_in_doubt |= self.part.was_touched() || self.part.length()? < self.have.end();
        Ok(self.is_in_doubt)
    }

    /// Compares what lies at each seam, where it is there by now; false when a seam does not hold.
    pub fn settle_seams(&mut self) -> io::Result<bool> {
        for seam in std::mem::take(&mut self.record.seams) {
            if !self.have.contains(&seam.range()) {
                self.record.seams.push(seam);
            } else if !seam.holds(&self.part.read(seam.range())?) {
                tracing::warn!(guid = %self.record.guid, at = seam.at, "pieces of two answers do not fit together");
                self.is_torn = true;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The file ends at `total`: its last block is as long as it will be.
    pub fn ended(&mut self, total: u64) {
        self.blocks.ended(total);
        self.finished.append(&mut self.blocks.take());
    }

    /// Makes everything written so far durable, and then says so.
    pub fn checkpoint(&mut self) -> Result<(), Failure> {
        let Some(checkpoint) = self.next_checkpoint() else { return Ok(()) };
        let done = checkpoint.run();
        self.take_back(done)
    }

    /// Writes the record again, claiming no more than before.
    pub fn rewrite_record(&mut self) -> io::Result<()> {
        write_record(&mut self.journal, &self.record, &[], &self.part)
    }

    /// Which blocks have other bytes now than when they were written: of those of earlier runs, and of all where somebody else
    /// may have written to them. Then those that nobody vouches for are among them. Asks `go_on` between two.
    pub fn rotten(&mut self, go_on: impl Fn() -> bool) -> io::Result<Vec<Range<u64>>> {
        let has_doubt = self.has_checksums && self.is_in_doubt()?;
        // What is written from now on is another doubt.
        self.is_in_doubt = false;
        let Some(total) = self.record.total.filter(|_| has_doubt || self.journal.is_some()) else { return Ok(Vec::new()) };
        self.finished.append(&mut self.blocks.take());
        let finished: HashMap<u64, Checksum> = self.finished.iter().copied().collect();
        let mut rotten = Vec::new();
        for index in 0..total.div_ceil(blocks::BLOCK) {
            let range = blocks::range_of(index, total);
            if !go_on() {
                // Nobody knows what the rest is like.
                self.is_in_doubt = has_doubt;
                break;
            }
            if !has_doubt && !self.earlier.contains(&range) {
                continue;
            }
            let is_right = match self.checksum(index, &finished)? {
                Some(checksum) => self.part.read_there(range.clone())?.is_some_and(|bytes| checksum == Checksum::of(&bytes)),
                None => !has_doubt,
            };
            if !is_right {
                rotten.push(range);
            }
        }
        Ok(rotten)
    }

    /// The checksum of block `index`; `finished` are those that the journal may not have yet.
    fn checksum(&self, index: u64, finished: &HashMap<u64, Checksum>) -> io::Result<Option<Checksum>> {
        match (finished.get(&index), &self.journal) {
            (Some(checksum), _) => Ok(Some(*checksum).filter(|checksum| *checksum != Checksum::NONE)),
            (None, Some(journal)) => journal.checksum(index),
            (None, None) => Ok(None),
        }
    }

    /// Gives the sealed file its final name. Where that means renaming, the journal says so first.
    pub fn place(&mut self, name: &str) -> Result<PathBuf, Failure> {
        let Self { part, record, journal, .. } = self;
        part.place(name, |name| {
            record.placing = Some(Placing { name: name.to_owned(), inode: part.inode() });
            write_record(journal, record, &[], part).map_err(|error| Failure::of_disk(&error, "writing the journal"))
        })
    }

    fn write(&mut self, offset: u64, pieces: &[Bytes]) -> Result<(), Failure> {
        let is_first = self.have.count() == 0;
        // What was cut would be made longer again, with zeros in between.
        self.is_in_doubt |= self.part.length().map_err(|error| Failure::of_disk(&error, "looking at the file"))? < self.have.end();
        let count = self.part.write(pieces, offset).map_err(|error| Failure::of_disk(&error, "writing the file"))?;
        let mut at = offset;
        for piece in pieces {
            if self.has_checksums {
                self.blocks.written(at, piece);
            }
            at += piece.len() as u64;
        }
        self.have.insert(offset..offset + count);
        if let Some(promise) = &mut self.promise {
            promise.keep(count);
        }
        if is_first && count > 0 {
            crashpoint::hit("transfer.first-bytes");
        }
        if !self.is_reserved
            && self.have.count() >= self.reserve_after
            && let Some(total) = self.record.total
        {
            // Tried once a run.
            self.reserve_after = u64::MAX;
            self.is_reserved = self.part.reserve(total, total.saturating_sub(self.have.count()));
            if let (true, Some(promise)) = (self.is_reserved, &mut self.promise) {
                promise.keep_all();
            }
        }
        Ok(())
    }

    /// What a checkpoint now would make durable; none where that is nothing, or nobody would go on from it.
    fn next_checkpoint(&mut self) -> Option<Checkpoint> {
        let claims_all = (self.journal.is_some() || self.have.count() == 0) && self.record.durable == self.have;
        if !self.keeps_journal || !self.is_sound || claims_all {
            return None;
        }
        self.finished.append(&mut self.blocks.take());
        let record = Record { durable: self.have.clone(), begun: self.blocks.begun(), ..self.record.clone() };
        let (part, finished) = (self.part.clone(), std::mem::take(&mut self.finished));
        Some(Checkpoint { part, journal: self.journal.take(), record, finished })
    }

    fn take_back(&mut self, done: Done) -> Result<(), Failure> {
        self.journal = done.journal;
        match done.result {
            Ok(claimed) => (self.record.durable, self.record.begun) = (claimed.durable, claimed.begun),
            Err(failure) => {
                self.is_sound = false;
                return Err(failure);
            }
        }
        Ok(())
    }
}

/// One checkpoint: what is claimed once it is durable.
struct Checkpoint {
    part: Arc<Part>,
    journal: Option<Journal>,
    record: Record,
    finished: Vec<(u64, Checksum)>,
}

struct Done {
    journal: Option<Journal>,
    result: Result<Record, Failure>,
    took: Duration,
    ended: Instant,
}

impl Checkpoint {
    fn run(mut self) -> Done {
        let began = Instant::now();
        let result = self.claim().map(|()| self.record);
        let ended = Instant::now();
        Done { journal: self.journal, result, took: ended - began, ended }
    }

    fn claim(&mut self) -> Result<(), Failure> {
        crashpoint::hit("transfer.before-data-sync");
        self.part.sync().map_err(|error| Failure::of_disk(&error, "making the bytes durable"))?;
        crashpoint::hit("transfer.after-data-sync");
        if !self.part.is_in_place() {
            return Err(Failure::new(FailureKind::PartialChanged, "the partial was moved or deleted while it was written"));
        }
        let length = self.part.length().map_err(|error| Failure::of_disk(&error, "looking at the file"))?;
        // Somebody may have cut it.
        self.record.durable = self.record.durable.below(length);
        write_record(&mut self.journal, &self.record, &self.finished, &self.part)
            .map_err(|error| Failure::of_disk(&error, "writing the journal"))?;
        crashpoint::hit("transfer.checkpointed");
        Ok(())
    }
}

fn write_record(
    journal: &mut Option<Journal>,
    record: &Record,
    finished: &[(u64, Checksum)],
    part: &Part,
) -> io::Result<()> {
    if let Some(journal) = journal {
        return journal.write(record, finished);
    }
    let mut first = Journal::create(&part::journal_of(part.path()))?;
    crashpoint::hit("transfer.journal-created");
    first.write(record, finished)?;
    part::sync_folder(part::folder_of(part.path()))?;
    crashpoint::hit("transfer.journal-in-folder");
    *journal = Some(first);
    Ok(())
}

enum Order {
    Write(u64, Vec<Bytes>),
    Seam(Seam),
    Checkpoint,
}

/// The writing task.
#[derive(Debug)]
pub(crate) struct Writer {
    orders: mpsc::Sender<Order>,
    task: JoinHandle<(Held, Result<(), Failure>)>,
}

/// The writing task ended early; [`Writer::close`] says why.
#[derive(Debug)]
pub(crate) struct Gone;

impl Writer {
    /// Writes into `held`; with so many new bytes at stake it waits for a checkpoint.
    pub fn start(held: Held, counters: Arc<Counters>, at_stake: u64) -> Self {
        let (orders, queue) = mpsc::channel(WAITING);
        let work = Work { held, counters, part_of_stake: (at_stake / 2).max(1), unsaved: 0, saving: None, last: None };
        let runtime = Handle::current();
        let task = tokio::task::spawn_blocking(move || work.run(queue, &runtime));
        Self { orders, task }
    }

    /// Hands over a batch for `offset`; waits while the disk is behind.
    pub async fn write(&self, offset: u64, batch: Vec<Bytes>) -> Result<(), Gone> {
        self.orders.send(Order::Write(offset, batch)).await.map_err(|_| Gone)
    }

    /// A piece has begun, and brought this along.
    pub async fn seam(&self, seam: Seam) -> Result<(), Gone> {
        self.orders.send(Order::Seam(seam)).await.map_err(|_| Gone)
    }

    /// Asks for a checkpoint; where one is being made already, or was not long ago for what it took, or the disk is behind,
    /// nothing happens. Never waits: those who wait to write may be polled by the one who asks.
    pub fn checkpoint(&self) {
        let _ = self.orders.try_send(Order::Checkpoint);
    }

    /// Ends the task and gives back what is held.
    pub async fn close(self) -> Result<(Held, Result<(), Failure>), Failure> {
        drop(self.orders);
        joined(self.task).await
    }
}

/// What a disk task gives. One that panicked is a defect of ours; one that was never run means that the runtime is ending,
/// and so is this run: that is no failure of the transfer, and nothing may be told of it.
pub(crate) async fn joined<T>(task: JoinHandle<T>) -> Result<T, Failure> {
    match task.await {
        Ok(done) => Ok(done),
        Err(error) if error.is_cancelled() => std::future::pending().await,
        Err(error) => Err(Failure::new(FailureKind::Internal, format!("disk work ended: {error}"))),
    }
}

/// The writing task from inside.
struct Work {
    held: Held,
    counters: Arc<Counters>,
    /// New bytes that are worth a checkpoint of their own: half of what may be at stake, since as many come meanwhile.
    part_of_stake: u64,
    /// Bytes written since the last checkpoint began.
    unsaved: u64,
    saving: Option<JoinHandle<Done>>,
    /// When the last checkpoint ended, and how long it took.
    last: Option<(Instant, Duration)>,
}

impl Work {
    fn run(mut self, mut queue: mpsc::Receiver<Order>, runtime: &Handle) -> (Held, Result<(), Failure>) {
        let feed = self.held.follower.start(self.held.part.clone(), self.held.have.prefix(), runtime);
        let mut result = Ok(());
        while let Some(order) = queue.blocking_recv() {
            result = match order {
                Order::Write(offset, batch) => self.write(offset, &batch, runtime).inspect(|()| {
                    feed.offer(offset, batch, self.held.have.prefix());
                }),
                Order::Seam(seam) => {
                    self.held.record.seams.push(seam);
                    Ok(())
                }
                Order::Checkpoint => self.save_in_time(runtime),
            };
            if result.is_err() {
                break;
            }
        }
        let saved = self.settle(runtime);
        self.held.follower.stop(feed, runtime);
        (self.held, result.and(saved))
    }

    fn write(&mut self, offset: u64, batch: &[Bytes], runtime: &Handle) -> Result<(), Failure> {
        self.held.write(offset, batch)?;
        self.counters.prefix.store(self.held.have.prefix(), Ordering::Release);
        self.unsaved += batch.iter().map(|piece| piece.len() as u64).sum::<u64>();
        if self.unsaved >= self.part_of_stake {
            // With as much at stake again, the disk must have caught up before more is written.
            self.settle(runtime)?;
            self.save(runtime)?;
        }
        Ok(())
    }

    /// Begins a checkpoint, unless one is under way, or the disk had no rest since the last. What may be at stake is another
    /// matter: with so much of it nothing rests.
    fn save_in_time(&mut self, runtime: &Handle) -> Result<(), Failure> {
        if self.saving.as_ref().is_some_and(|saving| !saving.is_finished()) {
            return Ok(());
        }
        self.settle(runtime)?;
        if self.last.is_none_or(|(ended, took)| has_rested(ended.elapsed(), took)) { self.save(runtime) } else { Ok(()) }
    }

    /// Begins a checkpoint; none is under way.
    fn save(&mut self, runtime: &Handle) -> Result<(), Failure> {
        // Nothing is claimed that is known not to fit.
        let settled = self.held.is_in_doubt().and_then(|is_in_doubt| Ok(is_in_doubt || self.held.settle_seams()?));
        match settled {
            Ok(true) => {}
            Ok(false) => return Err(Failure::new(FailureKind::Protocol, "pieces do not fit together")),
            Err(error) => return Err(Failure::of_disk(&error, "reading the partial")),
        }
        if let Some(checkpoint) = self.held.next_checkpoint() {
            self.unsaved = 0;
            self.saving = Some(runtime.spawn_blocking(|| checkpoint.run()));
        }
        Ok(())
    }

    /// Waits for the checkpoint that is under way, and takes in what it made durable.
    fn settle(&mut self, runtime: &Handle) -> Result<(), Failure> {
        let Some(saving) = self.saving.take() else { return Ok(()) };
        let done = runtime.block_on(saving).map_err(|error| {
            self.held.is_sound = false;
            Failure::new(FailureKind::Internal, format!("a checkpoint ended: {error}"))
        })?;
        self.last = Some((done.ended, done.took));
        let settled = self.held.take_back(done);
        self.counters.durable.store(self.held.durable(), Ordering::Release);
        settled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_a_tenth_of_the_time_goes_into_checkpoints() {
        let millis = Duration::from_millis;
        assert!(has_rested(millis(0), millis(0)), "what takes no time needs none");
        assert!(!has_rested(millis(899), millis(100)));
        assert!(has_rested(millis(900), millis(100)));
        assert!(!has_rested(Duration::from_secs(86_400), Duration::MAX));
        for took in [1, 7, 250, 60_000] {
            let rest = (0..).find(|rest| has_rested(millis(*rest), millis(took))).unwrap();
            assert!(took * 10 <= took + rest, "{took}");
        }
    }
}
