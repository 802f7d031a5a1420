//! The writing of one file: bytes at their places, and now and then a checkpoint.
//!
//! Who reads the network hands batches over to a thread of the file's own, through a channel of a few places, so that a slow
//! disk slows the network down instead of filling memory. A checkpoint (data sync, then the journal's claim) runs beside the
//! writing, of what had been written when it began: so the disk is never idle, and at most one checkpoint's worth of bytes is
//! at stake. A file in memory has no sync to wait for: its checkpoint is made by whoever has just written, and costs less than
//! to wake another thread for it, which took 3 % of the time for a fast line.
//!
//! What one plain connection brings is written by the very thread that read it, while the disk is at hand: it lies in that
//! processor's cache still, the next piece is read into the same memory, and nobody else is woken. A disk that is at hand
//! takes bytes as memory does: it is of this machine, no checkpoint keeps it busy, it has never let anybody wait, and less
//! than half of the time goes into writing. Where it is half, the network waits for the disk, however quick that is: side by
//! side both get on faster, and what it costs to hand the bytes over is little beside their new pages (`make bench ONLY=one`).
//! From then on the file is written apart, as are those of many connections and of whatever takes work of its own to read
//! (TLS, decoding): there both threads have enough to do (`ONLY=split,tls`).
//!
//! What checkpoints, checksums and reserved space cost alone is in `ONLY=alone`.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering},
    time::{Duration, Instant},
};

use bytes::Bytes;
use tokio::{runtime::Handle, sync::mpsc, task::JoinHandle};

use crate::{
    disk::{self, joined},
    model::outcome::{FailureKind, TransferFailure},
    partial::{
        segment_overlap::SegmentOverlap,
        state::{CompletedPartial, PartialCheckpoint, PartialState},
        stream_hasher::{HasherInput, HasherPace},
    },
    plan::progress::ByteCounters,
};

/// Batches that may wait for the disk.
const WAITING: usize = 4;
/// So many bytes are written at hand before it is judged whether that goes on.
const STRETCH: u64 = 32 << 20;
/// A write that takes so long is one that somebody waits for. Everybody who shares the network's thread waits with him.
const PATIENCE: Duration = Duration::from_millis(20);
/// After a checkpoint that took so long, the next one that only its time has come for waits so many times as long: so no more
/// than a tenth of the time goes into them, however slow the disk is.
const REST: u32 = 9;

/// Whether the network waits for the disk, where `writing` took so much of the `passed` time. [pure]
fn is_worth_a_thread(writing: Duration, passed: Duration) -> bool {
    writing.saturating_mul(2) >= passed
}

/// Whether it is time for another checkpoint, `since` the last one ended that `took` so long. [pure]
fn has_rested(since: Duration, took: Duration) -> bool {
    since >= took.saturating_mul(REST)
}

#[derive(Debug)]
enum WriterCommand {
    Write(u64, Vec<Bytes>),
    Seam(SegmentOverlap),
    Checkpoint,
}

/// The writing of one file.
#[derive(Debug)]
pub(crate) struct PartialWriter {
    work: Arc<Mutex<Work>>,
    orders: mpsc::Sender<WriterCommand>,
    /// That of the digests.
    pace: HasherPace,
    task: JoinHandle<()>,
}

/// Writing ended early; [`Writer::close`] says why.
#[derive(Debug)]
pub(crate) struct WriterStopped;

impl PartialWriter {
    /// Writes into `held`; with so many new bytes at stake it waits for a checkpoint.
    pub fn start(mut held: PartialState, counters: Arc<ByteCounters>, at_stake: u64) -> Self {
        let (orders, queue) = mpsc::channel(WAITING);
        let runtime = Handle::current();
        let feed = held.follower.start(held.part.clone(), held.have.prefix(), &runtime);
        let pace = feed.pace();
        let (is_prompt, is_in_memory) = (held.part.is_on_this_machine(), held.part.is_in_memory());
        let part_of_stake = (at_stake / 2).max(1);
        let work = Work {
            held,
            feed: Some(feed),
            counters,
            part_of_stake,
            unsaved: 0,
            saving: None,
            last: None,
            patience: PATIENCE,
            is_prompt,
            stretch: None,
            is_in_memory,
            result: Ok(()),
        };
        let work = Arc::new(Mutex::new(work));
        let shared = work.clone();
        let task = disk::spawn(move || carry_out(&shared, queue, &runtime));
        Self { work, orders, pace, task }
    }

    /// The disk, for who writes with his own hands; none where he might have to wait.
    pub fn at_hand(&self) -> Option<AtHand<'_>> {
        let work = self.work.try_lock().ok().filter(|work| work.is_at_hand())?;
        Some(AtHand(work))
    }

    /// Waits for the digests where they fall behind, but never long: for who brings the file's bytes in order.
    pub async fn keep_pace(&self) {
        self.pace.run().await;
    }

    /// Hands over a batch for `offset`; waits while the disk is behind.
    pub async fn write(&self, offset: u64, batch: Vec<Bytes>) -> Result<(), WriterStopped> {
        self.orders.send(WriterCommand::Write(offset, batch)).await.map_err(|_| WriterStopped)
    }

    /// A piece has begun, and brought this along.
    pub async fn seam(&self, seam: SegmentOverlap) -> Result<(), WriterStopped> {
        self.orders.send(WriterCommand::Seam(seam)).await.map_err(|_| WriterStopped)
    }

    /// Asks for a checkpoint; where one is being made already, or was not long ago for what it took, or the disk is behind,
    /// nothing happens. Never waits: those who wait to write may be polled by the one who asks.
    pub fn checkpoint(&self) {
        let _ = self.orders.try_send(WriterCommand::Checkpoint);
    }

    /// Ends the writing and gives back what is held.
    pub async fn close(self) -> Result<(PartialState, Result<(), TransferFailure>), TransferFailure> {
        drop(self.orders);
        joined(self.task).await?;
        let Some(work) = Arc::into_inner(self.work) else {
            return Err(TransferFailure::new(FailureKind::Internal, "somebody writes still"));
        };
        let work = work.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((work.held, work.result))
    }
}

/// A disk that takes bytes at once. Held for one write.
pub(crate) struct AtHand<'a>(MutexGuard<'a, Work>);

impl AtHand<'_> {
    /// Writes `batch` at `offset`.
    pub fn write(mut self, offset: u64, batch: Vec<Bytes>) -> Result<(), WriterStopped> {
        let began = Instant::now();
        let written = disk::here(|| self.0.write(offset, batch).and_then(|count| self.0.save_in_memory().map(|()| count)));
        self.0.on_written(began, Instant::now(), *written.as_ref().unwrap_or(&0));
        written.map(drop).map_err(|failure| {
            self.0.result = Err(failure);
            WriterStopped
        })
    }
}

/// Writes what is handed over, until nobody is left who could.
fn carry_out(work: &Mutex<Work>, mut queue: mpsc::Receiver<WriterCommand>, runtime: &Handle) {
    let work = || work.lock().unwrap_or_else(PoisonError::into_inner);
    while let Some(order) = queue.blocking_recv() {
        let mut work = work();
        if work.result.is_ok() {
            work.result = work.follow(order, runtime);
        }
        if work.result.is_err() {
            break;
        }
    }
    work().end(runtime);
}

/// The writing from inside.
#[derive(Debug)]
struct Work {
    held: PartialState,
    /// Where what was written is told; none once it is over.
    feed: Option<HasherInput>,
    counters: Arc<ByteCounters>,
    /// New bytes that are worth a checkpoint of their own: half of what may be at stake, since as many come meanwhile.
    part_of_stake: u64,
    /// Bytes written since the last checkpoint began.
    unsaved: u64,
    saving: Option<JoinHandle<CompletedPartial>>,
    /// When the last checkpoint ended, and how long it took.
    last: Option<(Instant, Duration)>,
    /// From how long on a write lets somebody wait.
    patience: Duration,
    /// The disk has never let anybody wait for long, nor the network as much as it works.
    is_prompt: bool,
    /// What was written at hand since it was judged last.
    stretch: Option<Stretch>,
    /// There is no disk, and nothing to wait for in a checkpoint.
    is_in_memory: bool,
    /// Why it ended early.
    result: Result<(), TransferFailure>,
}

impl Work {
    /// Whether a write now would take no longer than the copy.
    fn is_at_hand(&self) -> bool {
        let is_saving = self.saving.as_ref().is_some_and(|saving| !saving.is_finished());
        let is_due = self.unsaved >= self.part_of_stake && !self.is_in_memory;
        self.is_prompt && !is_saving && !is_due && self.result.is_ok()
    }

    /// `count` bytes were written at hand, from when it `began` until `now`.
    fn on_written(&mut self, began: Instant, now: Instant, count: u64) {
        let took = now - began;
        let stretch = self.stretch.get_or_insert(Stretch { began, count: 0, writing: Duration::ZERO });
        (stretch.count, stretch.writing) = (stretch.count + count, stretch.writing + took);
        let passed = now - stretch.began;
        let is_slow = took >= self.patience;
        let is_busy = stretch.count >= STRETCH && is_worth_a_thread(stretch.writing, passed);
        if is_slow || is_busy {
            self.is_prompt = false;
            tracing::debug!(guid = %self.held.record.guid, ?took, writing = ?stretch.writing, ?passed, "from now on it is written apart");
        }
        if stretch.count >= STRETCH {
            self.stretch = None;
        }
    }

    fn follow(&mut self, order: WriterCommand, runtime: &Handle) -> Result<(), TransferFailure> {
        match order {
            WriterCommand::Write(offset, batch) => {
                self.write(offset, batch)?;
                if self.unsaved < self.part_of_stake {
                    return Ok(());
                }
                // With as much at stake again, the disk must have caught up before more is written.
                self.settle(runtime)?;
                self.save(runtime)
            }
            WriterCommand::Seam(seam) => {
                self.held.record.seams.push(seam);
                Ok(())
            }
            WriterCommand::Checkpoint => self.save_in_time(runtime),
        }
    }

    /// Returns how many bytes it wrote.
    fn write(&mut self, offset: u64, batch: Vec<Bytes>) -> Result<u64, TransferFailure> {
        self.held.write(offset, &batch)?;
        let prefix = self.held.have.prefix();
        self.counters.prefix.store(prefix, Ordering::Release);
        let count = batch.iter().map(|piece| piece.len() as u64).sum();
        self.unsaved += count;
        if let Some(feed) = &self.feed {
            feed.offer(offset, batch, prefix);
        }
        Ok(count)
    }

    fn end(&mut self, runtime: &Handle) {
        let saved = self.settle(runtime);
        if let Some(feed) = self.feed.take() {
            self.held.follower.stop(feed, runtime);
        }
        self.result = std::mem::replace(&mut self.result, Ok(())).and(saved);
    }

    /// Begins a checkpoint, unless one is under way, or the disk had no rest since the last. What may be at stake is another
    /// matter: with so much of it nothing rests.
    fn save_in_time(&mut self, runtime: &Handle) -> Result<(), TransferFailure> {
        if self.saving.as_ref().is_some_and(|saving| !saving.is_finished()) {
            return Ok(());
        }
        self.settle(runtime)?;
        if self.last.is_none_or(|(ended, took)| has_rested(ended.elapsed(), took)) { self.save(runtime) } else { Ok(()) }
    }

    /// Begins a checkpoint; none is under way. In memory it is made.
    fn save(&mut self, runtime: &Handle) -> Result<(), TransferFailure> {
        match self.next_checkpoint()? {
            Some(checkpoint) if self.is_in_memory => return self.write_completed(checkpoint.run()),
            Some(checkpoint) => self.saving = Some(disk::spawn_on(runtime, || checkpoint.run())),
            None => {}
        }
        Ok(())
    }

    /// Makes the checkpoint that is due in memory.
    fn save_in_memory(&mut self) -> Result<(), TransferFailure> {
        if !self.is_in_memory || self.unsaved < self.part_of_stake {
            return Ok(());
        }
        self.next_checkpoint()?.map_or(Ok(()), |checkpoint| self.write_completed(checkpoint.run()))
    }

    /// What a checkpoint now would make durable, if anything.
    fn next_checkpoint(&mut self) -> Result<Option<PartialCheckpoint>, TransferFailure> {
        // Nothing is claimed that is known not to fit.
        let settled = self.held.is_in_doubt().and_then(|is_in_doubt| Ok(is_in_doubt || self.held.settle_seams()?));
        match settled {
            Ok(true) => {}
            Ok(false) => return Err(TransferFailure::new(FailureKind::Protocol, "pieces do not fit together")),
            Err(error) => return Err(TransferFailure::of_disk(&error, "reading the partial")),
        }
        self.unsaved = 0;
        Ok(self.held.next_checkpoint())
    }

    /// Waits for the checkpoint that is under way, and takes in what it made durable.
    fn settle(&mut self, runtime: &Handle) -> Result<(), TransferFailure> {
        let Some(saving) = self.saving.take() else { return Ok(()) };
        let done = runtime.block_on(saving).map_err(|error| {
            self.held.is_sound = false;
            TransferFailure::new(FailureKind::Internal, format!("a checkpoint ended: {error}"))
        })?;
        self.write_completed(done)
    }

    fn write_completed(&mut self, done: CompletedPartial) -> Result<(), TransferFailure> {
        self.last = Some((done.ended, done.took));
        let settled = self.held.take_back(done);
        self.counters.durable.store(self.held.durable(), Ordering::Release);
        settled
    }
}

/// What was written at hand since it began.
#[derive(Debug)]
struct Stretch {
    began: Instant,
    count: u64,
    /// The time that went into it.
    writing: Duration,
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::model::digest::DigestAlgorithm;

    const PIECE: usize = 1000;

    fn piece(number: u64) -> Vec<Bytes> {
        vec![Bytes::from(vec![u8::try_from(number).unwrap(); PIECE])]
    }

    fn at(number: u64) -> u64 {
        number * PIECE as u64
    }

    /// On a disk that is prompt, whatever this one is.
    fn writer(folder: &TempDir, at_stake: u64) -> PartialWriter {
        let part = crate::partial::part::PartialFile::create(folder.path().join("a.part")).unwrap();
        let held = PartialState::of_nothing(
            part,
            None,
            crate::partial::stream_hasher::StreamHasher::new(&[DigestAlgorithm::Sha256], None),
            true,
        );
        let writer = PartialWriter::start(held, Arc::default(), at_stake);
        let mut work = writer.work.lock().unwrap();
        (work.patience, work.is_prompt, work.is_in_memory) = (Duration::MAX, true, false);
        drop(work);
        writer
    }

    fn holds(held: &mut PartialState, pieces: u64) {
        assert_eq!(held.have.prefix(), at(pieces));
        let bytes: Vec<u8> = (0..pieces).flat_map(piece).flatten().collect();
        assert_eq!(held.part.read(0..at(pieces)).unwrap(), bytes);
        let (part, mut follower) = (held.part.clone(), std::mem::take(&mut held.follower));
        assert!(follower.catch_up(&part, at(pieces), || true).unwrap());
        let mut hasher = crate::integrity::hasher::Hasher::new(DigestAlgorithm::Sha256);
        hasher.update(&bytes);
        assert_eq!(follower.finish().0, [hasher.finish()]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_is_written_at_hand_and_what_is_handed_over_are_one_file() {
        let folder = TempDir::new().unwrap();
        let writer = writer(&folder, u64::MAX);
        for number in 0..100 {
            match writer.at_hand().filter(|_| number % 3 > 0) {
                Some(disk) => disk.write(at(number), piece(number)).unwrap(),
                None => writer.write(at(number), piece(number)).await.unwrap(),
            }
        }
        let (mut held, result) = writer.close().await.unwrap();
        result.unwrap();
        holds(&mut held, 100);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn with_enough_at_stake_a_checkpoint_begins_before_anybody_writes_at_hand_again() {
        let folder = TempDir::new().unwrap();
        let writer = writer(&folder, at(4));
        for number in 0..2 {
            writer.at_hand().unwrap().write(at(number), piece(number)).unwrap();
        }
        assert!(writer.at_hand().is_none(), "half of what may be lost is not saved");
        writer.write(at(2), piece(2)).await.unwrap();
        let (mut held, result) = writer.close().await.unwrap();
        result.unwrap();
        assert_eq!(held.durable(), at(3));
        holds(&mut held, 3);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn in_memory_who_writes_makes_the_checkpoint_that_is_due() {
        let folder = TempDir::new().unwrap();
        let writer = writer(&folder, at(4));
        writer.work.lock().unwrap().is_in_memory = true;
        let mut durable = Vec::new();
        for number in 0..6 {
            writer.at_hand().unwrap().write(at(number), piece(number)).unwrap();
            durable.push(writer.work.lock().unwrap().counters.durable.load(Ordering::Acquire));
        }
        assert_eq!(durable, [0, at(2), at(2), at(4), at(4), at(6)]);
        // What is handed over is saved where it is written as well.
        writer.write(at(6), piece(6)).await.unwrap();
        writer.write(at(7), piece(7)).await.unwrap();
        let (mut held, result) = writer.close().await.unwrap();
        result.unwrap();
        assert_eq!(held.durable(), at(8));
        holds(&mut held, 8);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_disk_that_let_somebody_wait_is_not_at_hand_again_and_gets_all_the_same() {
        let folder = TempDir::new().unwrap();
        let writer = writer(&folder, u64::MAX);
        writer.work.lock().unwrap().patience = PATIENCE;
        let is_at_hand_after = |took| {
            let began = Instant::now();
            writer.work.lock().unwrap().on_written(began, began + took, 0);
            writer.at_hand().is_some()
        };
        assert!(is_at_hand_after(PATIENCE - Duration::from_millis(1)));
        assert!(!is_at_hand_after(PATIENCE));
        assert!(!is_at_hand_after(Duration::ZERO));
        writer.write(0, piece(0)).await.unwrap();
        let (mut held, result) = writer.close().await.unwrap();
        result.unwrap();
        holds(&mut held, 1);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_disk_that_the_network_waits_for_is_written_to_apart_however_quick_it_is() {
        let (folder, millis) = (TempDir::new().unwrap(), Duration::from_millis);
        let is_at_hand_after = |stretches: &[(u64, Duration, Duration)]| {
            let writer = writer(&folder, u64::MAX);
            let mut work = writer.work.lock().unwrap();
            let mut now = Instant::now();
            for &(count, writing, passed) in stretches {
                // In two writes, at both ends of the time.
                work.on_written(now, now + writing / 2, count / 2);
                now += passed;
                work.on_written(now - writing / 2, now, count / 2);
            }
            work.is_at_hand()
        };
        assert!(is_at_hand_after(&[(STRETCH, millis(48), millis(100))]));
        assert!(!is_at_hand_after(&[(STRETCH, millis(50), millis(100))]));
        assert!(is_at_hand_after(&[(STRETCH / 2, millis(90), millis(100))]), "too little to judge by");
        assert!(
            !is_at_hand_after(&[(STRETCH, millis(2), millis(1000)), (STRETCH, millis(50), millis(100))]),
            "long ago it was better"
        );
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_write_at_hand_that_fails_ends_the_writing_and_says_why() {
        let folder = TempDir::new().unwrap();
        let writer = writer(&folder, u64::MAX);
        writer.at_hand().unwrap().write(0, piece(0)).unwrap();
        assert!(writer.at_hand().unwrap().write(u64::MAX - at(1), piece(1)).is_err(), "no file is so long");
        assert!(writer.at_hand().is_none());
        let (mut held, result) = writer.close().await.unwrap();
        assert_eq!(result.unwrap_err().kind, FailureKind::Disk);
        holds(&mut held, 1);
    }

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
