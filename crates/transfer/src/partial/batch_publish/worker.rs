//! Runs the thread of a folder. It carries out waiting orders in passes.
//!
//! Started by `PublishBatch`.

use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, Weak, mpsc},
};

use rustix::{
    fs::{AtFlags, Mode, OFlags},
    io::retry_on_intr,
};

use crate::{
    failpoint,
    model::{failure::TransferFailure, spec::Guid},
    partial::{
        self,
        batch_publish::{
            files::{FolderHandles, FolderSyncs, StagedFile, link, take_back, write},
            job::{PublishJob, PublishReply, PublishResult, PublisherChannels, StagedSmallFile, locked, send_reply},
        },
        scan::PartialIndex,
    },
    runtime::words_of,
};

/// Maximum number of orders in one pass.
///
/// In a larger pass, the first callers would wait too long for their replies.
const MOST: usize = 256;

/// State of the thread of a folder.
pub(super) struct BatchPublisher {
    index: Arc<PartialIndex>,
    leaving: Arc<Mutex<HashMap<Guid, PathBuf>>>,
    /// Names of the partial files of placed downloads. Each is kept until a `Forget` job removes it.
    ///
    /// These downloads have no other files.
    landed: HashMap<Guid, String>,
    /// Downloads whose files could not be removed yet.
    left: HashSet<Guid>,
    /// Whether a power cut may still restore a discarded partial file.
    is_removal_unsynced: bool,
    syncing: FolderSyncs,
    doors: FolderHandles,
}

impl BatchPublisher {
    pub fn new(index: Arc<PartialIndex>, leaving: Arc<Mutex<HashMap<Guid, PathBuf>>>, doors: FolderHandles) -> Self {
        Self {
            index,
            leaving,
            landed: HashMap::new(),
            left: HashSet::new(),
            is_removal_unsynced: false,
            syncing: FolderSyncs::new(),
            doors,
        }
    }

    /// Carries out the jobs in `queue` until `next` returns `None`.
    pub fn work(&mut self, folder: &Path, queue: &mpsc::Receiver<PublishJob>, all: &Weak<PublisherChannels>) {
        while let Some(first) = self.next(folder, queue, all) {
            let (mut files, mut finished, mut discarded, mut resting) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            let mut count = 0;
            let mut next = Some(first);
            while let Some(order) = next {
                match order {
                    PublishJob::Land(landing, answer) => files.push((landing, answer)),
                    PublishJob::Forget(some) => finished.extend(some),
                    PublishJob::Discard(guid) => discarded.push((guid, true)),
                    PublishJob::Rest(answer) => resting.push(answer),
                }
                count += 1;
                next = if count < MOST { queue.try_recv().ok() } else { None };
            }
            if !files.is_empty() {
                alone(|| self.land(folder, files));
            }
            for (guid, is_discarded) in finished.into_iter().map(|guid| (guid, false)).chain(discarded) {
                alone(|| {
                    let was_there = self.forget(guid, folder);
                    self.is_removal_unsynced |= is_discarded && was_there;
                });
                locked(&self.leaving).remove(&guid);
            }
            if !resting.is_empty() {
                self.sync_removals(folder);
            }
            for answer in resting {
                // Ignore the error: the caller may have stopped waiting.
                let _ = answer.send(self.left.clone());
            }
        }
    }

    /// Returns the next job, or `None` if the thread can end.
    ///
    /// The thread can end in two cases: the queue is closed, or no job is left and the worker remembers no placed or
    /// unremoved file.
    fn next(&mut self, folder: &Path, queue: &mpsc::Receiver<PublishJob>, all: &Weak<PublisherChannels>) -> Option<PublishJob> {
        if let Ok(order) = queue.try_recv() {
            return Some(order);
        }
        if self.landed.is_empty() && self.left.is_empty() {
            self.sync_removals(folder);
            let all = all.upgrade()?;
            let mut desks = locked(&all);
            let order = queue.try_recv().ok();
            if order.is_none() {
                desks.remove(folder);
            }
            return order;
        }
        queue.recv().ok()
    }

    fn land(&mut self, folder: &Path, files: Vec<(StagedSmallFile, PublishReply)>) {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = match retry_on_intr(|| rustix::fs::open(folder, flags, Mode::empty())) {
            Ok(opened) => File::from(opened),
            Err(error) => {
                let failure = TransferFailure::of_target(&error.into(), "opening the folder");
                return files.into_iter().for_each(|(_, answer)| send_reply(answer, Err(failure.clone())));
            }
        };
        let mut begun = Vec::with_capacity(files.len());
        for (landing, answer) in files {
            match write(&opened, &landing) {
                Ok(Some((file, part, inode))) => begun.push(StagedFile { file, part, inode, landing, answer }),
                Ok(None) => send_reply(answer, Ok(PublishResult::Unsuited)),
                Err(failure) => send_reply(answer, Err(failure)),
            }
        }
        failpoint::hit("transfer.batch-written");
        let durable = self.syncing.all(&self.doors, &opened, begun);
        failpoint::hit("transfer.batch-synced");
        let mut placed = Vec::with_capacity(durable.len());
        for it in durable {
            match link(&self.doors, &opened, &it) {
                Ok(Some(name)) => {
                    failpoint::hit("transfer.batch-linked");
                    placed.push((name, it));
                }
                outcome => {
                    // The bytes are useless without the run that downloaded them.
                    let _ = rustix::fs::unlinkat(&opened, &*it.part, AtFlags::empty());
                    send_reply(it.answer, outcome.map(|_| PublishResult::Unsuited));
                }
            }
        }
        let synced = opened.sync_all();
        failpoint::hit("transfer.batch-placed");
        for (name, it) in placed {
            match &synced {
                Ok(()) => {
                    self.landed.insert(it.landing.guid, it.part);
                    send_reply(it.answer, Ok(PublishResult::At(folder.join(name))));
                }
                Err(error) => {
                    if take_back(&opened, &name, &it).is_err() {
                        // Another run finds the placed file and tries again.
                        self.index.add(it.landing.guid, &folder.join(&it.part));
                    }
                    let is_missing = partial::part::is_sync_missing(error);
                    let failure = || TransferFailure::of_disk(error, "making the file's name durable");
                    send_reply(it.answer, if is_missing { Ok(PublishResult::Unsuited) } else { Err(failure()) });
                }
            }
        }
    }

    /// Removes the remaining files of a download.
    ///
    /// Returns whether this folder may have contained such files.
    fn forget(&mut self, guid: Guid, folder: &Path) -> bool {
        let removed = match self.landed.remove(&guid) {
            Some(part) => {
                failpoint::hit("transfer.batch-forgets");
                match std::fs::remove_file(folder.join(&part)) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        self.index.add(guid, &folder.join(part));
                        Err(error)
                    }
                    _ => Ok(true),
                }
            }
            None => self.index.remove(guid, folder),
        };
        if removed.is_ok() {
            self.left.remove(&guid);
        }
        failpoint::hit("transfer.removed");
        removed.unwrap_or_else(|error| {
            // The next start recognises the partial file by its name, and removes it.
            tracing::warn!(%guid, %error, "partial file could not be removed; will retry at the next start");
            self.left.insert(guid);
            true
        })
    }

    /// Makes removals durable before the caller forgets the downloads.
    ///
    /// Otherwise a power cut could restore partial files that belong to no download. This can happen if the ledger is
    /// on another disk, or if the file system does not preserve the order of changes (exFAT).
    fn sync_removals(&mut self, folder: &Path) {
        if std::mem::take(&mut self.is_removal_unsynced)
            && let Err(error) = (self.doors.sync_folder)(folder)
        {
            tracing::warn!(%error, "folder sync failed; removal of partial files may not be durable");
        }
    }
}

/// Runs `work`. The thread continues even if `work` panics.
fn alone(work: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
        tracing::error!(why = words_of(&*panic), "batch of small files ended by a panic");
    }
}

#[cfg(test)]
mod tests {
    use std::{
        fs::File,
        sync::atomic::{AtomicUsize, Ordering},
        time::Instant,
    };

    use bytes::Bytes;
    use rustix::io::Errno;
    use tokio::sync::oneshot;
    use uuid::Uuid;

    use super::*;
    use crate::model::failure_kind::FailureKind;
    use crate::partial::batch_publish::files::{ALONE_FOR, TOGETHER};
    use crate::partial::folder_names::names;

    fn publisher(doors: FolderHandles) -> BatchPublisher {
        let syncing = FolderSyncs { is_told: true, alone_until: None };
        BatchPublisher { syncing, ..BatchPublisher::new(Arc::default(), Arc::default(), doors) }
    }

    fn landing(folder: &Path, number: u128, name: &str, bytes: &[u8]) -> StagedSmallFile {
        let guid = Guid(Uuid::from_u128(number << 96));
        let pieces = bytes.chunks(4).map(Bytes::copy_from_slice).collect();
        StagedSmallFile {
            guid,
            folder: folder.to_owned(),
            name: name.to_owned(),
            pieces,
            origin: "http://example.org/".parse().unwrap(),
        }
    }

    type PublishReceiver = oneshot::Receiver<Result<PublishResult, TransferFailure>>;

    fn land(publisher: &mut BatchPublisher, folder: &Path, landings: Vec<StagedSmallFile>) -> Vec<PublishReceiver> {
        let asked = landings.into_iter().map(|landing| {
            let (answer, answered) = oneshot::channel();
            ((landing, answer), answered)
        });
        let (files, answers): (Vec<_>, Vec<_>) = asked.unzip();
        publisher.land(folder, files);
        answers
    }

    fn path(mut answered: PublishReceiver) -> PathBuf {
        match answered.try_recv().unwrap() {
            Ok(PublishResult::At(path)) => path,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn partial_file_that_cannot_be_removed_stays_listed_until_removed() {
        let folder = tempfile::tempdir().unwrap();
        let mut publisher = publisher(FolderHandles::real());
        let landing = landing(folder.path(), 7, "a.bin", b"twelve bytes");
        let (guid, part) = (landing.guid, folder.path().join(landing.part()));
        assert!(publisher.index.find(guid, folder.path()).unwrap().is_none(), "the folder was read");
        land(&mut publisher, folder.path(), vec![landing]);
        // Replace the partial file by a folder, so that it cannot be removed.
        std::fs::remove_file(&part).unwrap();
        std::fs::create_dir(&part).unwrap();
        for _ in 0..2 {
            publisher.forget(guid, folder.path());
            assert!(publisher.left.contains(&guid));
        }
        std::fs::remove_dir(&part).unwrap();
        std::fs::hard_link(folder.path().join("a.bin"), &part).unwrap();
        publisher.forget(guid, folder.path());
        assert!(publisher.left.is_empty() && names(folder.path()) == ["a.bin"]);
    }

    #[test]
    fn partial_file_stays_until_it_is_released_and_a_number_is_added_to_a_name_in_use() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.bin"), "mine").unwrap();
        // Partial file from an earlier run.
        std::fs::write(folder.path().join(crate::filename::name::partial("b.bin", "00000003")), "old and longer").unwrap();
        let mut publisher = publisher(FolderHandles::real());
        let (first, second, third) = (b"the first".as_slice(), b"".as_slice(), b"the third".as_slice());
        let landings = vec![
            landing(folder.path(), 1, "a.bin", first),
            landing(folder.path(), 2, "a.bin", second),
            landing(folder.path(), 3, "b.bin", third),
        ];
        let guids: Vec<_> = landings.iter().map(|landing| landing.guid).collect();
        let placed: Vec<_> = land(&mut publisher, folder.path(), landings).into_iter().map(path).collect();
        let expected = [("a (1).bin", first), ("a (2).bin", second), ("b.bin", third)];
        for ((name, bytes), placed) in expected.iter().zip(&placed) {
            assert_eq!(*placed, folder.path().join(name));
            assert_eq!(std::fs::read(placed).unwrap(), *bytes);
        }
        assert_eq!(std::fs::read(folder.path().join("a.bin")).unwrap(), b"mine");
        let found = partial::scan::survey(folder.path()).unwrap();
        assert_eq!(found.iter().filter_map(|found| found.placed.clone()).collect::<Vec<_>>(), placed);
        for guid in guids {
            publisher.forget(guid, folder.path());
        }
        assert_eq!(names(folder.path()), ["a (1).bin", "a (2).bin", "a.bin", "b.bin"]);
    }

    #[test]
    fn failed_disk_sync_removes_only_affected_file() {
        let folder = tempfile::tempdir().unwrap();
        let mut publisher = publisher(FolderHandles {
            sync_volume: |_| Err(io::ErrorKind::Other.into()),
            sync_file: |file| match file.metadata()?.len() {
                7 => Err(io::ErrorKind::StorageFull.into()),
                _ => Ok(()),
            },
            ..FolderHandles::real()
        });
        let bytes = |number: u128| if number == 3 { b"failing".as_slice() } else { b"sound" };
        let landings = (1..=6).map(|number| landing(folder.path(), number, &number.to_string(), bytes(number))).collect();
        for (number, mut answered) in (1..).zip(land(&mut publisher, folder.path(), landings)) {
            match answered.try_recv().unwrap() {
                Ok(PublishResult::At(path)) => {
                    assert_eq!(path, folder.path().join(number.to_string()))
                }
                Err(failure) => assert_eq!((number, failure.kind), (3, FailureKind::DiskFull)),
                other => panic!("{other:?}"),
            }
        }
        assert!(!names(folder.path()).iter().any(|name| name.starts_with('3')));
        assert_eq!(names(folder.path()).len(), 10);
    }

    #[test]
    fn few_files_are_synced_one_by_one_and_many_with_a_single_call() {
        let folder = tempfile::tempdir().unwrap();
        let never = |_: &File| -> io::Result<()> { unreachable!("it is not to be asked") };
        let some = |count: usize| (1..=count as u128).map(|number| landing(folder.path(), number, "x", b"y")).collect();
        let mut together = publisher(FolderHandles { sync_file: never, ..FolderHandles::real() });
        land(&mut together, folder.path(), some(TOGETHER)).into_iter().for_each(|answered| drop(path(answered)));
        let mut alone = publisher(FolderHandles { sync_volume: never, ..FolderHandles::real() });
        land(&mut alone, folder.path(), some(TOGETHER - 1)).into_iter().for_each(|answered| drop(path(answered)));
        let mut busy = publisher(FolderHandles { sync_volume: never, ..FolderHandles::real() });
        busy.syncing.alone_until = Some(Instant::now() + ALONE_FOR);
        land(&mut busy, folder.path(), some(TOGETHER)).into_iter().for_each(|answered| drop(path(answered)));
    }

    #[test]
    fn removal_of_discarded_partial_file_is_durable_before_reply() {
        static SYNCED: AtomicUsize = AtomicUsize::new(0);
        let folder = tempfile::tempdir().unwrap();
        let sync_folder = |folder: &Path| {
            assert_eq!(names(folder), [""; 0], "removed before it is synced");
            SYNCED.fetch_add(1, Ordering::Relaxed);
            Ok(partial::part::SyncOutcome::Durably)
        };
        let index = Arc::<PartialIndex>::default();
        let mut publisher =
            BatchPublisher { index: index.clone(), ..publisher(FolderHandles { sync_folder, ..FolderHandles::real() }) };
        let guids = [1, 2, 3].map(|number: u128| Guid(Uuid::from_u128(number << 96)));
        for guid in &guids[..2] {
            let part = folder.path().join(crate::filename::name::partial("a.bin", &guid.tag()));
            std::fs::write(&part, "bytes").unwrap();
            index.add(*guid, &part);
        }
        let (orders, queue) = mpsc::channel();
        let (answer, mut rested) = oneshot::channel();
        orders.send(PublishJob::Forget(vec![guids[0]])).unwrap();
        orders.send(PublishJob::Discard(guids[1])).unwrap();
        orders.send(PublishJob::Rest(answer)).unwrap();
        let all = Arc::default();
        publisher.work(folder.path(), &queue, &Arc::downgrade(&all));
        assert!(rested.try_recv().unwrap().is_empty());
        assert_eq!(SYNCED.load(Ordering::Relaxed), 1);

        // These two orders cause no sync: the placed file is still in the caller's list, and the download that never
        // began has no file.
        orders.send(PublishJob::Forget(vec![guids[0]])).unwrap();
        orders.send(PublishJob::Discard(guids[2])).unwrap();
        publisher.work(folder.path(), &queue, &Arc::downgrade(&all));
        assert_eq!(SYNCED.load(Ordering::Relaxed), 1);
    }

    /// Creates hard links like a file system that ignores case.
    fn link_ignoring_case(folder: &File, part: &str, name: &str) -> Result<(), Errno> {
        let entries = rustix::fs::Dir::read_from(folder)?;
        let mut names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().to_lowercase());
        match names.any(|there| there == name.to_lowercase()) {
            true => Err(Errno::EXIST),
            false => (FolderHandles::real().link)(folder, part, name),
        }
    }

    #[test]
    fn file_on_case_insensitive_disk_gets_next_free_number() {
        let folder = tempfile::tempdir().unwrap();
        let mut publisher = publisher(FolderHandles { link: link_ignoring_case, ..FolderHandles::real() });
        let names = ["A.bin", "a.bin", "a.BIN"].iter().zip(1..);
        let landings = names.map(|(name, number)| landing(folder.path(), number, name, b"bytes")).collect();
        let placed: Vec<_> = land(&mut publisher, folder.path(), landings).into_iter().map(path).collect();
        assert_eq!(placed, ["A.bin", "a (1).bin", "a (2).BIN"].map(|name| folder.path().join(name)));
    }

    #[test]
    fn folder_that_does_not_support_hard_links_is_left_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let mut publisher = publisher(FolderHandles { link: |_, _, _| Err(Errno::PERM), ..FolderHandles::real() });
        let mut answers = land(&mut publisher, folder.path(), vec![landing(folder.path(), 1, "a.bin", b"bytes")]);
        assert!(matches!(answers.remove(0).try_recv().unwrap(), Ok(PublishResult::Unsuited)));
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn missing_folder_makes_only_the_files_in_that_folder_fail() {
        let folder = tempfile::tempdir().unwrap();
        let gone = folder.path().join("gone");
        let mut publisher = publisher(FolderHandles::real());
        let mut answers = land(&mut publisher, &gone, vec![landing(&gone, 1, "a.bin", b"bytes")]);
        assert_eq!(answers.remove(0).try_recv().unwrap().unwrap_err().kind, FailureKind::Target);
        let answers = land(&mut publisher, folder.path(), vec![landing(folder.path(), 2, "a.bin", b"bytes")]);
        assert_eq!(answers.into_iter().map(path).collect::<Vec<_>>(), [folder.path().join("a.bin")]);
    }
}
