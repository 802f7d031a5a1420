//! Computes the digests of a file and its pieces while the file is written.
//!
//! The hasher follows close behind the writer, in order, and never writes.
//!
//! - The hasher has its own thread. If a processor is idle, hashing therefore does not slow down the transfer.
//! - Bytes that arrive in order are hashed from memory. Bytes that were written further ahead, by other connections or
//!   by an earlier run, are read from the file.
//! - A single connection waits briefly when the hasher falls behind. There are two reasons: the file is not complete
//!   without its digest, and reading bytes from the file costs another copy.
//! - Several connections never wait before the end. No connection waits while the hasher reads from the disk.

use std::{
    io,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use tokio::{
    runtime::Handle,
    sync::mpsc::{Receiver, Sender, WeakSender, channel},
    task::JoinHandle,
    time::timeout,
};

use crate::{
    disk,
    integrity::hasher::Hasher,
    model::{
        digest::{DigestAlgorithm, FileDigest},
        event::ResponseSummary,
        spec::{PieceHashes, TransferSpec},
    },
    partial::part::PartialFile,
};

/// Maximum number of batches that wait in memory.
///
/// Further batches are read from the file later.
const WAITING: usize = 8;
/// Maximum time that a connection waits for the hasher, per batch.
///
/// If the hasher is slower, it reads the missed bytes from the file.
const PATIENCE: Duration = Duration::from_millis(20);
/// Number of bytes per read of the file. They fit into the processor's cache.
const READ: usize = 256 << 10;

/// Digests of a file in progress.
#[derive(Debug, Default)]
pub(crate) struct StreamHasher {
    /// Number of bytes that the digests cover so far, from the start of the file.
    at: u64,
    whole: Vec<Hasher>,
    pieces: Option<PieceCheck>,
    /// Reusable buffer for reads of the file.
    buffer: Vec<u8>,
}

/// Channel through which the writer reports written bytes.
#[derive(Debug)]
pub(crate) struct HasherInput(Option<Fed>);

/// Offset in the file, and the bytes that were written there.
type Batch = (u64, Vec<Bytes>);

#[derive(Debug)]
struct Fed {
    batches: Sender<Batch>,
    common: Arc<Common>,
    task: JoinHandle<StreamHasher>,
}

/// Handle that a connection uses to wait for the hasher.
#[derive(Debug)]
pub(crate) struct HasherPace(Option<(WeakSender<Batch>, Arc<Common>)>);

/// State shared by the writer and the hasher.
#[derive(Debug, Default)]
struct Common {
    /// Number of contiguous bytes on disk at the start of the file.
    prefix: AtomicU64,
    is_over: AtomicBool,
    /// Whether the hasher is currently reading from the file.
    is_reading: AtomicBool,
}

impl StreamHasher {
    /// Creates the hashers of the whole file and of its pieces.
    pub fn new(algorithms: &[DigestAlgorithm], pieces: Option<PieceHashes>) -> Self {
        let whole = algorithms.iter().map(|algorithm| Hasher::new(*algorithm)).collect();
        Self { at: 0, whole, pieces: pieces.map(PieceCheck::new), buffer: Vec::new() }
    }

    /// Starts hashing on its own thread, if a digest is requested.
    ///
    /// The first `prefix` bytes are already in `part`.
    pub fn start(&mut self, part: Arc<PartialFile>, prefix: u64, runtime: &Handle) -> HasherInput {
        if self.is_idle() {
            return HasherInput(None);
        }
        let mut follower = std::mem::take(self);
        let (batches, mut queue) = channel(WAITING);
        let common = Arc::new(Common { prefix: AtomicU64::new(prefix), ..Common::default() });
        let seen = common.clone();
        let task = disk::spawn_on(runtime, move || {
            follower.follow(&part, &mut queue, &seen);
            follower
        });
        HasherInput(Some(Fed { batches, common, task }))
    }

    /// Stops hashing at the current position.
    pub fn stop(&mut self, feed: HasherInput, runtime: &Handle) {
        let Some(Fed { batches, common, task }) = feed.0 else { return };
        common.is_over.store(true, Ordering::Release);
        drop(batches);
        if let Ok(follower) = runtime.block_on(task) {
            *self = follower;
        }
    }

    /// Hashes the file up to `end`. Returns whether it reached `end`.
    ///
    /// Calls `go_on` between two reads, and stops if `go_on` returns `false`.
    pub fn catch_up(&mut self, part: &PartialFile, end: u64, go_on: impl Fn() -> bool) -> io::Result<bool> {
        if self.is_idle() {
            return Ok(true);
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.resize(READ, 0);
        while self.at < end {
            if !go_on() {
                return Ok(false);
            }
            let count = usize::try_from(end - self.at).unwrap_or(READ).min(READ);
            let bytes = &mut buffer[..count];
            part.read_into(bytes, self.at)?;
            self.take(bytes);
        }
        self.buffer = buffer;
        Ok(true)
    }

    /// Returns the digests, and the ranges of wrong pieces.
    pub fn finish(self) -> (Vec<FileDigest>, Vec<Range<u64>>) {
        let wrong = self.pieces.map(|pieces| pieces.finish(self.at)).unwrap_or_default();
        (self.whole.into_iter().map(Hasher::finish).collect(), wrong)
    }

    fn is_idle(&self) -> bool {
        self.whole.is_empty() && self.pieces.is_none()
    }

    fn follow(&mut self, part: &PartialFile, queue: &mut Receiver<Batch>, common: &Common) {
        let is_over = || common.is_over.load(Ordering::Acquire);
        while let Some((offset, batch)) = queue.blocking_recv() {
            if offset > self.at {
                let end = common.prefix.load(Ordering::Acquire);
                // Ignore a read error here. The same bytes are read again at the end, where an error is reported.
                common.is_reading.store(true, Ordering::Release);
                let _ = self.catch_up(part, end, || !is_over());
                common.is_reading.store(false, Ordering::Release);
            }
            let mut offset = offset;
            for piece in batch {
                let end = offset + piece.len() as u64;
                if offset <= self.at && self.at < end && !is_over() {
                    let known = usize::try_from(self.at - offset).unwrap_or(piece.len());
                    self.take(&piece[known..]);
                }
                offset = end;
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        for hasher in &mut self.whole {
            hasher.update(bytes);
        }
        if let Some(pieces) = &mut self.pieces {
            pieces.take(self.at, bytes);
        }
        self.at += bytes.len() as u64;
    }
}

impl HasherInput {
    /// Returns the handle that the feeding connection uses to wait for the hasher.
    pub fn pace(&self) -> HasherPace {
        HasherPace(self.0.as_ref().map(|fed| (fed.batches.downgrade(), fed.common.clone())))
    }

    /// Reports that `batch` was written at `offset`. Never waits.
    ///
    /// `prefix` is the number of contiguous bytes now on disk at the start of the file.
    pub fn offer(&self, offset: u64, batch: Vec<Bytes>, prefix: u64) {
        if let Some(fed) = &self.0 {
            fed.common.prefix.store(prefix, Ordering::Release);
            // A full queue means that the hasher is behind. It will read this batch from the file.
            let _ = fed.batches.try_send((offset, batch));
        }
    }
}

impl HasherPace {
    /// Waits up to `PATIENCE` until the queue has space for the next batch.
    pub async fn run(&self) {
        if let Some((batches, common)) = &self.0
            && !common.is_reading.load(Ordering::Acquire)
            && let Some(batches) = batches.upgrade()
        {
            let _ = timeout(PATIENCE, batches.reserve()).await;
        }
    }
}

/// Verifies the pieces of a file, in order.
#[derive(Debug)]
struct PieceCheck {
    pieces: PieceHashes,
    hasher: Hasher,
    wrong: Vec<u64>,
}

impl PieceCheck {
    fn new(pieces: PieceHashes) -> Self {
        Self { hasher: Hasher::new(pieces.algorithm), pieces, wrong: Vec::new() }
    }

    fn take(&mut self, mut at: u64, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let length = self.pieces.length.max(1);
            let room = usize::try_from(length - at % length).unwrap_or(usize::MAX);
            let (now, rest) = bytes.split_at(bytes.len().min(room));
            self.hasher.update(now);
            at += now.len() as u64;
            if at.is_multiple_of(length) {
                self.end(at / length - 1);
            }
            bytes = rest;
        }
    }

    fn end(&mut self, index: u64) {
        let hasher = std::mem::replace(&mut self.hasher, Hasher::new(self.pieces.algorithm));
        let expected = usize::try_from(index).ok().and_then(|index| self.pieces.digests.get(index));
        if expected.is_none_or(|expected| *expected != hasher.finish().bytes) {
            self.wrong.push(index);
        }
    }

    pub(crate) fn finish(mut self, size: u64) -> Vec<Range<u64>> {
        let length = self.pieces.length.max(1);
        if !size.is_multiple_of(length) {
            self.end(size / length);
        }
        self.wrong.iter().map(|index| index * length..((index + 1) * length).min(size)).collect()
    }
}

impl TransferSpec {
    /// Returns the hasher for the file of this transfer. `head` is the head of the file's first response.
    pub(crate) fn follower(&self, head: &ResponseSummary) -> StreamHasher {
        let expected = self.expected_of(head);
        StreamHasher::new(&expected.algorithms(), expected.pieces)
    }
}

#[cfg(test)]
mod tests {
    use sha2::{Digest as _, Sha256};

    use super::*;

    fn content(size: usize) -> Vec<u8> {
        (0..size).map(|at| (at * 31 % 251) as u8).collect()
    }

    fn pieces(bytes: &[u8], length: usize) -> PieceHashes {
        let digests = bytes.chunks(length).map(|piece| Sha256::digest(piece).to_vec()).collect();
        PieceHashes { algorithm: DigestAlgorithm::Sha256, length: length as u64, digests }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn bytes_written_in_any_order_give_correct_digest() {
        let folder = tempfile::tempdir().unwrap();
        let bytes = content(3_000_000);
        let part = Arc::new(PartialFile::create(folder.path().join("a.part")).unwrap());
        let runtime = Handle::current();
        let mut follower = StreamHasher::new(&[DigestAlgorithm::Sha256, DigestAlgorithm::Md5], Some(pieces(&bytes, 700_000)));
        let done = tokio::task::spawn_blocking(move || {
            let feed = follower.start(part.clone(), 0, &runtime);
            let mut there = crate::plan::byte_ranges::ByteRanges::default();
            let order = [4usize, 0, 1, 3, 2, 5];
            for index in order {
                let range = index * 500_000..(index + 1) * 500_000;
                let piece = Bytes::copy_from_slice(&bytes[range.clone()]);
                part.write(std::slice::from_ref(&piece), range.start as u64).unwrap();
                there.insert(range.start as u64..range.end as u64);
                feed.offer(range.start as u64, vec![piece], there.prefix());
            }
            follower.stop(feed, &runtime);
            assert!(follower.catch_up(&part, 3_000_000, || true).unwrap());
            (follower.finish(), bytes)
        });
        let ((digests, wrong), bytes) = done.await.unwrap();
        assert_eq!(digests[0].bytes, Sha256::digest(&bytes).to_vec());
        assert_eq!((digests.len(), wrong), (2, vec![]));
    }

    #[test]
    fn hasher_reports_wrong_pieces_and_pieces_without_digest() {
        let bytes = content(2500);
        let mut expected = pieces(&bytes, 1000);
        expected.digests[1][0] ^= 1;
        expected.digests.pop();
        let mut follower = StreamHasher::new(&[], Some(expected));
        for piece in bytes.chunks(333) {
            follower.take(piece);
        }
        assert_eq!(follower.finish().1, [1000..2000, 2000..2500], "a piece without a digest does not count as right");
    }

    #[tokio::test(start_paused = true)]
    async fn connection_waits_briefly_for_slow_hasher_unless_hasher_reads_file() {
        let waits = async |pace: &HasherPace| {
            let began = tokio::time::Instant::now();
            pace.run().await;
            began.elapsed()
        };
        let (batches, mut queue) = channel(1);
        let task = tokio::spawn(async { StreamHasher::default() });
        let feed = HasherInput(Some(Fed { batches, common: Arc::default(), task }));
        let (pace, common) = (feed.pace(), feed.0.as_ref().unwrap().common.clone());
        assert_eq!(waits(&pace).await, Duration::ZERO, "there is room");
        feed.offer(0, Vec::new(), 0);
        assert_eq!(waits(&pace).await, PATIENCE, "it is stuck");
        let (waited, _) = tokio::join!(waits(&pace), async {
            tokio::time::sleep(PATIENCE / 4).await;
            queue.recv().await
        });
        assert_eq!(waited, PATIENCE / 4, "it was behind");
        feed.offer(1, Vec::new(), 1);
        common.is_reading.store(true, Ordering::Release);
        assert_eq!(waits(&pace).await, Duration::ZERO, "it reads the file");
        common.is_reading.store(false, Ordering::Release);
        // Only `feed` keeps the queue open. A `HasherPace` does not.
        drop(feed);
        assert_eq!((waits(&pace).await, queue.recv().await.is_some()), (Duration::ZERO, true));
        assert!(queue.recv().await.is_none(), "the hasher has no input");
        assert_eq!(waits(&HasherInput(None).pace()).await, Duration::ZERO, "there is nothing to make");
    }

    #[test]
    fn catch_up_of_hasher_stops_when_callback_returns_false() {
        let folder = tempfile::tempdir().unwrap();
        let part = PartialFile::create(folder.path().join("a.part")).unwrap();
        part.write(&[Bytes::from(content(10))], 0).unwrap();
        let mut follower = StreamHasher::new(&[DigestAlgorithm::Md5], None);
        assert!(!follower.catch_up(&part, 10, || false).unwrap());
        assert!(follower.catch_up(&part, 11, || true).is_err(), "the file is shorter");
    }
}
