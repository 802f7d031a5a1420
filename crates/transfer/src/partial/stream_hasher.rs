//! Makes the digests of the whole file and of its pieces while it is written: follows close behind the writer, in order.
//!
//! A thread of its own, so that hashing costs the transfer no time while a processor is idle. It takes what comes in order
//! from memory; what other connections wrote ahead of it, and what an earlier run wrote, it reads from the file. It never
//! writes. A connection that is alone waits for it for a moment where it falls behind: the file is no sooner right than its
//! digest is there, and what is left behind costs another copy. Nothing else waits for it before the end, and nothing at all
//! while it reads what is on the disk.

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

/// Batches that may wait in memory; beyond them it reads from the file.
const WAITING: usize = 8;
/// So long may a connection wait for it, each time. Who hashes slower than this reads what it missed from the file.
const PATIENCE: Duration = Duration::from_millis(20);
/// Read from the file at once: what a processor keeps at hand while it is hashed.
const READ: usize = 256 << 10;

/// The digests of a file so far.
#[derive(Debug, Default)]
pub(crate) struct StreamHasher {
    /// Everything before this byte is in the digests.
    at: u64,
    whole: Vec<Hasher>,
    pieces: Option<PieceCheck>,
    /// What is read from the file, used again.
    buffer: Vec<u8>,
}

/// Where the writer tells what it wrote.
#[derive(Debug)]
pub(crate) struct HasherInput(Option<Fed>);

/// Where it lies, and its bytes.
type Batch = (u64, Vec<Bytes>);

#[derive(Debug)]
struct Fed {
    batches: Sender<Batch>,
    common: Arc<Common>,
    task: JoinHandle<StreamHasher>,
}

/// Where it can be waited for.
#[derive(Debug)]
pub(crate) struct HasherPace(Option<(WeakSender<Batch>, Arc<Common>)>);

/// What both sides look at.
#[derive(Debug, Default)]
struct Common {
    /// Everything before this byte is in the file.
    prefix: AtomicU64,
    is_over: AtomicBool,
    /// It is busy with what is in the file already.
    is_reading: AtomicBool,
}

impl StreamHasher {
    /// Makes these digests of the whole file, and compares its pieces.
    pub fn new(algorithms: &[DigestAlgorithm], pieces: Option<PieceHashes>) -> Self {
        let whole = algorithms.iter().map(|algorithm| Hasher::new(*algorithm)).collect();
        Self { at: 0, whole, pieces: pieces.map(PieceCheck::new), buffer: Vec::new() }
    }

    /// Begins to follow in a thread of its own; where there is nothing to make, nothing begins. Of `part`, `prefix` bytes
    /// are there already.
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

    /// Ends following, wherever it is.
    pub fn stop(&mut self, feed: HasherInput, runtime: &Handle) {
        let Some(Fed { batches, common, task }) = feed.0 else { return };
        common.is_over.store(true, Ordering::Release);
        drop(batches);
        if let Ok(follower) = runtime.block_on(task) {
            *self = follower;
        }
    }

    /// Reads on until `end`; asks `go_on` between two reads. True when it got there.
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

    /// The digests of everything, and which pieces are wrong.
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
                // What cannot be read now is read, and said, at the end.
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
    /// Where whoever feeds it can wait for it.
    pub fn pace(&self) -> HasherPace {
        HasherPace(self.0.as_ref().map(|fed| (fed.batches.downgrade(), fed.common.clone())))
    }

    /// `batch` was written at `offset`, and everything before `prefix` is there now. Never waits.
    pub fn offer(&self, offset: u64, batch: Vec<Bytes>, prefix: u64) {
        if let Some(fed) = &self.0 {
            fed.common.prefix.store(prefix, Ordering::Release);
            // A full queue means that it is behind, and reads this from the file.
            let _ = fed.batches.try_send((offset, batch));
        }
    }
}

impl HasherPace {
    /// Waits until it has room for what comes next, but never long.
    pub async fn run(&self) {
        if let Some((batches, common)) = &self.0
            && !common.is_reading.load(Ordering::Acquire)
            && let Some(batches) = batches.upgrade()
        {
            let _ = timeout(PATIENCE, batches.reserve()).await;
        }
    }
}

/// Compares the pieces of a file as they come by.
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
    /// Hasher for the digests of this file, whose first response had this head.
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
    async fn what_comes_in_any_order_has_the_digest_of_its_bytes() {
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
    fn a_wrong_piece_is_named_and_the_short_last_one_too() {
        let bytes = content(2500);
        let mut expected = pieces(&bytes, 1000);
        expected.digests[1][0] ^= 1;
        expected.digests.pop();
        let mut follower = StreamHasher::new(&[], Some(expected));
        for piece in bytes.chunks(333) {
            follower.take(piece);
        }
        assert_eq!(follower.finish().1, [1000..2000, 2000..2500], "a piece nobody vouches for is none that is right");
    }

    #[tokio::test(start_paused = true)]
    async fn who_feeds_it_waits_for_a_moment_where_it_is_behind_and_never_while_it_reads() {
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
        // Only who feeds it keeps it from ending.
        drop(feed);
        assert_eq!((waits(&pace).await, queue.recv().await.is_some()), (Duration::ZERO, true));
        assert!(queue.recv().await.is_none(), "nobody feeds it");
        assert_eq!(waits(&HasherInput(None).pace()).await, Duration::ZERO, "there is nothing to make");
    }

    #[test]
    fn told_to_stop_it_stops() {
        let folder = tempfile::tempdir().unwrap();
        let part = PartialFile::create(folder.path().join("a.part")).unwrap();
        part.write(&[Bytes::from(content(10))], 0).unwrap();
        let mut follower = StreamHasher::new(&[DigestAlgorithm::Md5], None);
        assert!(!follower.catch_up(&part, 10, || false).unwrap());
        assert!(follower.catch_up(&part, 11, || true).is_err(), "the file is shorter");
    }
}
