//! Writes the bytes of one file, and makes checkpoints.
//!
//! - Network readers send batches through a short channel to the thread of the file. A slow disk therefore slows down
//!   the network instead of filling memory.
//! - A checkpoint (data sync, then the record of the journal) runs in parallel with writing. It covers the bytes that
//!   were written before it began. The disk is therefore never idle, and at most the bytes of one checkpoint are at
//!   risk.
//! - A file in memory needs no sync. The thread that wrote the bytes also makes the checkpoint, because waking another
//!   thread took 3 % of the time on a fast line.
//!
//! With a single plain connection and a prompt disk, the thread that reads the bytes also writes them. The bytes are
//! then still in the cache of its processor. The next piece is read into the same memory, and no other thread is woken.
//! A disk is prompt if it is local, no checkpoint keeps it busy, it has never blocked a caller, and writing takes less
//! than half of the time. Such a disk accepts bytes as fast as memory.
//!
//! If writing takes half of the time or more, the network waits for the disk, even for a fast one. Two threads in
//! parallel are then faster, and the thread of the file writes all further bytes. Handing over the bytes costs little
//! compared to allocating their memory pages (`make bench ONLY=one`).
//!
//! The thread of the file also writes if there are several connections, or if the bytes need processing (TLS,
//! decoding): both threads then have enough work (`ONLY=split,tls`).
//!
//! `ONLY=alone` measures only the cost of checkpoints, checksums and reserved space.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering},
    time::{Duration, Instant},
};

use bytes::Bytes;
use tokio::{runtime::Handle, sync::mpsc, task::JoinHandle};

use crate::{
    disk::{self, joined},
    model::{failure::TransferFailure, failure_kind::FailureKind},
    partial::{
        segment_overlap::SegmentOverlap,
        state::{CompletedPartial, PartialCheckpoint, PartialState},
        stream_hasher::{HasherInput, HasherPace},
    },
    plan::progress::ByteCounters,
};

/// Maximum number of batches that wait for the disk.
const WAITING: usize = 4;
/// Number of directly written bytes after which direct writing is evaluated again.
const STRETCH: u64 = 32 << 20;
/// Duration from which a direct write counts as slow.
///
/// Such a write blocks all tasks on the network's thread.
const PATIENCE: Duration = Duration::from_millis(20);
/// Pause after a checkpoint, as a multiple of its duration.
///
/// Applies only to checkpoints that are due because time has passed. These then take at most a tenth of the time, even
/// on a slow disk.
const REST: u32 = 9;

/// Whether a separate thread for writing saves time. [pure]
///
/// `writing` is the part of the `passed` time that was spent on writes. If it is half or more, the network waits for
/// the disk.
fn is_worth_a_thread(writing: Duration, passed: Duration) -> bool {
    writing.saturating_mul(2) >= passed
}

/// Whether the pause after the last checkpoint is over. [pure]
///
/// `took` is the duration of that checkpoint. `since` is the time since its end.
fn has_rested(since: Duration, took: Duration) -> bool {
    since >= took.saturating_mul(REST)
}

#[derive(Debug)]
enum WriterCommand {
    Write(u64, Vec<Bytes>),
    Seam(SegmentOverlap),
    Checkpoint,
}

/// Writer of one file.
#[derive(Debug)]
pub(crate) struct PartialWriter {
    work: Arc<Mutex<Work>>,
    orders: mpsc::Sender<WriterCommand>,
    /// Handle for waiting until the hasher catches up.
    pace: HasherPace,
    task: JoinHandle<()>,
}

/// Error of a write that was requested after writing had ended early.
///
/// [`PartialWriter::close`] returns the reason.
#[derive(Debug)]
pub(crate) struct WriterStopped;

impl PartialWriter {
    /// Starts writing into `held`.
    ///
    /// If `at_stake` new bytes are not durable yet, further writes wait for a checkpoint.
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

    /// Returns access to the disk for a direct write, or `None` if the write might block.
    pub fn at_hand(&self) -> Option<AtHand<'_>> {
        let work = self.work.try_lock().ok().filter(|work| work.is_at_hand())?;
        Some(AtHand(work))
    }

    /// Waits briefly for the hasher if it is behind.
    ///
    /// Called only by the connection that delivers the bytes in order.
    pub async fn keep_pace(&self) {
        self.pace.run().await;
    }

    /// Sends a batch for `offset` to the writer's thread.
    ///
    /// Waits while the disk is behind.
    pub async fn write(&self, offset: u64, batch: Vec<Bytes>) -> Result<(), WriterStopped> {
        self.orders.send(WriterCommand::Write(offset, batch)).await.map_err(|_| WriterStopped)
    }

    /// Records a seam: the end of a segment, as the response for the next segment repeated it.
    pub async fn seam(&self, seam: SegmentOverlap) -> Result<(), WriterStopped> {
        self.orders.send(WriterCommand::Seam(seam)).await.map_err(|_| WriterStopped)
    }

    /// Requests a checkpoint. Never waits.
    ///
    /// The request is ignored in three cases: a checkpoint is running, the pause after the last one is not over, or the
    /// disk is behind. This call must not wait, because its task may also poll the tasks that wait to write.
    pub fn checkpoint(&self) {
        let _ = self.orders.try_send(WriterCommand::Checkpoint);
    }

    /// Ends writing and returns the state of the file.
    pub async fn close(self) -> Result<(PartialState, Result<(), TransferFailure>), TransferFailure> {
        drop(self.orders);
        joined(self.task).await?;
        let Some(work) = Arc::into_inner(self.work) else {
            return Err(TransferFailure::new(FailureKind::Internal, "a writer is still active"));
        };
        let work = work.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((work.held, work.result))
    }
}

/// Exclusive access for one write to a disk that accepts bytes immediately.
pub(crate) struct AtHand<'a>(MutexGuard<'a, Work>);

impl AtHand<'_> {
    /// Writes `batch` at `offset` on this thread.
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

/// Writes queued batches until there are no more senders.
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

/// Internal state of the writer.
#[derive(Debug)]
struct Work {
    held: PartialState,
    /// Channel to the hasher. `None` after the end of writing.
    feed: Option<HasherInput>,
    counters: Arc<ByteCounters>,
    /// Number of new bytes after which a checkpoint begins.
    ///
    /// This is half of the bytes at stake, because the same number of bytes may arrive during the checkpoint.
    part_of_stake: u64,
    /// Bytes written since the last checkpoint began.
    unsaved: u64,
    saving: Option<JoinHandle<CompletedPartial>>,
    /// End time and duration of the last checkpoint.
    last: Option<(Instant, Duration)>,
    /// Duration from which a direct write counts as slow.
    patience: Duration,
    /// Whether the disk is prompt: it has never blocked a caller for long, and writing has never taken half of the
    /// time.
    is_prompt: bool,
    /// Statistics of the direct writes since the last evaluation.
    stretch: Option<Stretch>,
    /// Whether the file is in memory. Its checkpoints then need not wait for a disk.
    is_in_memory: bool,
    /// Error that ended writing early.
    result: Result<(), TransferFailure>,
}

impl Work {
    /// Whether a direct write would currently be as fast as a copy in memory.
    fn is_at_hand(&self) -> bool {
        let is_saving = self.saving.as_ref().is_some_and(|saving| !saving.is_finished());
        let is_due = self.unsaved >= self.part_of_stake && !self.is_in_memory;
        self.is_prompt && !is_saving && !is_due && self.result.is_ok()
    }

    /// Records a direct write of `count` bytes, from `began` to `now`.
    fn on_written(&mut self, began: Instant, now: Instant, count: u64) {
        let took = now - began;
        let stretch = self.stretch.get_or_insert(Stretch { began, count: 0, writing: Duration::ZERO });
        (stretch.count, stretch.writing) = (stretch.count + count, stretch.writing + took);
        let passed = now - stretch.began;
        let is_slow = took >= self.patience;
        let is_busy = stretch.count >= STRETCH && is_worth_a_thread(stretch.writing, passed);
        if is_slow || is_busy {
            self.is_prompt = false;
            tracing::debug!(guid = %self.held.record.guid, ?took, writing = ?stretch.writing, ?passed, "disk writes are slow or frequent; moved to a separate thread");
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
                // Wait for the running checkpoint before writing more. Until it ends, a power cut can lose its bytes as well
                // as the new bytes.
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

    /// Writes `batch` at `offset` and returns the number of bytes.
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

    /// Begins a checkpoint that is due because time has passed.
    ///
    /// Does nothing if a checkpoint is running, or if the pause after the last one is not over. A checkpoint that is
    /// due because of the bytes at stake ignores the pause.
    fn save_in_time(&mut self, runtime: &Handle) -> Result<(), TransferFailure> {
        if self.saving.as_ref().is_some_and(|saving| !saving.is_finished()) {
            return Ok(());
        }
        self.settle(runtime)?;
        if self.last.is_none_or(|(ended, took)| has_rested(ended.elapsed(), took)) { self.save(runtime) } else { Ok(()) }
    }

    /// Begins a checkpoint. No other checkpoint may be running.
    ///
    /// For a file in memory, also completes the checkpoint.
    fn save(&mut self, runtime: &Handle) -> Result<(), TransferFailure> {
        match self.next_checkpoint()? {
            Some(checkpoint) if self.is_in_memory => return self.write_completed(checkpoint.run()),
            Some(checkpoint) => self.saving = Some(disk::spawn_on(runtime, || checkpoint.run())),
            None => {}
        }
        Ok(())
    }

    /// Makes a checkpoint if the file is in memory and a checkpoint is due.
    fn save_in_memory(&mut self) -> Result<(), TransferFailure> {
        if !self.is_in_memory || self.unsaved < self.part_of_stake {
            return Ok(());
        }
        self.next_checkpoint()?.map_or(Ok(()), |checkpoint| self.write_completed(checkpoint.run()))
    }

    /// Returns the next checkpoint, if there are bytes to make durable.
    fn next_checkpoint(&mut self) -> Result<Option<PartialCheckpoint>, TransferFailure> {
        // Do not record the bytes of segments that are known not to match.
        let settled = self.held.is_in_doubt().and_then(|is_in_doubt| Ok(is_in_doubt || self.held.settle_seams()?));
        match settled {
            Ok(true) => {}
            Ok(false) => return Err(TransferFailure::new(FailureKind::Protocol, "pieces do not fit together")),
            Err(error) => return Err(TransferFailure::of_disk(&error, "reading the partial")),
        }
        self.unsaved = 0;
        Ok(self.held.next_checkpoint())
    }

    /// Waits for the running checkpoint and applies its result.
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

/// Statistics of the direct writes since `began`.
#[derive(Debug)]
struct Stretch {
    began: Instant,
    count: u64,
    /// Time spent in direct writes.
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

    /// Creates a writer whose disk counts as prompt.
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

    fn assert_holds(held: &mut PartialState, pieces: u64) {
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
    async fn direct_and_queued_writes_produce_one_file() {
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
        assert_holds(&mut held, 100);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn direct_writes_are_paused_while_too_many_bytes_are_unsaved() {
        let folder = TempDir::new().unwrap();
        let writer = writer(&folder, at(4));
        for number in 0..2 {
            writer.at_hand().unwrap().write(at(number), piece(number)).unwrap();
        }
        assert!(writer.at_hand().is_none(), "half of the bytes at stake are not durable");
        writer.write(at(2), piece(2)).await.unwrap();
        let (mut held, result) = writer.close().await.unwrap();
        result.unwrap();
        assert_eq!(held.durable(), at(3));
        assert_holds(&mut held, 3);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn direct_write_makes_due_checkpoint_if_file_is_in_memory() {
        let folder = TempDir::new().unwrap();
        let writer = writer(&folder, at(4));
        writer.work.lock().unwrap().is_in_memory = true;
        let mut durable = Vec::new();
        for number in 0..6 {
            writer.at_hand().unwrap().write(at(number), piece(number)).unwrap();
            durable.push(writer.work.lock().unwrap().counters.durable.load(Ordering::Acquire));
        }
        assert_eq!(durable, [0, at(2), at(2), at(4), at(4), at(6)]);
        // The writing thread also makes the checkpoints of queued writes.
        writer.write(at(6), piece(6)).await.unwrap();
        writer.write(at(7), piece(7)).await.unwrap();
        let (mut held, result) = writer.close().await.unwrap();
        result.unwrap();
        assert_eq!(held.durable(), at(8));
        assert_holds(&mut held, 8);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn slow_disk_receives_no_further_direct_writes() {
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
        assert_holds(&mut held, 1);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn writer_uses_separate_thread_if_writing_takes_half_the_time() {
        let (folder, millis) = (TempDir::new().unwrap(), Duration::from_millis);
        let is_at_hand_after = |stretches: &[(u64, Duration, Duration)]| {
            let writer = writer(&folder, u64::MAX);
            let mut work = writer.work.lock().unwrap();
            let mut now = Instant::now();
            for &(count, writing, passed) in stretches {
                // Two writes: one at the beginning of the passed time, and one at its end.
                work.on_written(now, now + writing / 2, count / 2);
                now += passed;
                work.on_written(now - writing / 2, now, count / 2);
            }
            work.is_at_hand()
        };
        assert!(is_at_hand_after(&[(STRETCH, millis(48), millis(100))]));
        assert!(!is_at_hand_after(&[(STRETCH, millis(50), millis(100))]));
        assert!(is_at_hand_after(&[(STRETCH / 2, millis(90), millis(100))]), "too few bytes for an estimate");
        assert!(
            !is_at_hand_after(&[(STRETCH, millis(2), millis(1000)), (STRETCH, millis(50), millis(100))]),
            "long ago it was better"
        );
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn writer_stops_after_failed_direct_write_and_returns_reason_on_close() {
        let folder = TempDir::new().unwrap();
        let writer = writer(&folder, u64::MAX);
        writer.at_hand().unwrap().write(0, piece(0)).unwrap();
        assert!(writer.at_hand().unwrap().write(u64::MAX - at(1), piece(1)).is_err(), "no file is so long");
        assert!(writer.at_hand().is_none());
        let (mut held, result) = writer.close().await.unwrap();
        assert_eq!(result.unwrap_err().kind, FailureKind::Disk);
        assert_holds(&mut held, 1);
    }

    #[test]
    fn timed_checkpoints_take_at_most_a_tenth_of_the_time() {
        let millis = Duration::from_millis;
        assert!(has_rested(millis(0), millis(0)), "a checkpoint without duration needs no pause");
        assert!(!has_rested(millis(899), millis(100)));
        assert!(has_rested(millis(900), millis(100)));
        assert!(!has_rested(Duration::from_secs(86_400), Duration::MAX));
        for took in [1, 7, 250, 60_000] {
            let rest = (0..).find(|rest| has_rested(millis(*rest), millis(took))).unwrap();
            assert!(took * 10 <= took + rest, "{took}");
        }
    }
}
