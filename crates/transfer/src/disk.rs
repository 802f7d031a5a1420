//! Runs blocking disk calls on threads that may block.
//!
//! A disk may take arbitrarily long to answer (a sleeping network share, a stopped FUSE process). The runtime has only
//! one worker for the whole network. A task therefore moves every disk call to another thread, even the closing of a
//! file. In debug builds, [`may_wait`] asserts that no task makes such a call itself.

use std::{
    cell::Cell,
    fs::{File, ReadDir},
    io,
    ops::Deref,
    path::Path,
    time::Duration,
};

use rustix::fs::FsWord;
use tokio::{runtime::Handle, task::JoinHandle};

use crate::model::{failure::TransferFailure, failure_kind::FailureKind};

/// Magic number of tmpfs in `statfs`.
const TMPFS_MAGIC: FsWord = 0x0102_1994;
/// `statfs` magic numbers of local file systems.
///
/// These are tmpfs, ext2 to ext4, XFS, Btrfs, F2FS, ZFS and bcachefs.
const OF_THIS_MACHINE: [FsWord; 7] = [TMPFS_MAGIC, 0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0x2FC1_2FC1, 0xCA45_1A4E];

thread_local! {
    /// Whether this thread is running disk work, and may therefore block.
    static IS_FOR_DISKS: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` on a thread that may wait for disks.
///
/// Dropping the handle does not stop `work`. Panics outside a runtime.
pub fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    spawn_on(&Handle::current(), work)
}

/// Runs `work` on a thread of `runtime`, like [`spawn`]. For callers outside of any runtime.
pub(crate) fn spawn_on<T: Send + 'static>(runtime: &Handle, work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    runtime.spawn_blocking(|| here(work))
}

/// Returns the result of `work`, or `None` if `work` takes longer than `limit`.
///
/// `work` runs on a thread that may wait for disks.
pub fn within<T: Send + 'static>(limit: Duration, work: impl FnOnce() -> T + Send + 'static) -> impl Future<Output = Option<T>> {
    let working = spawn(work);
    async move { tokio::time::timeout(limit, working).await.ok()?.ok() }
}

/// Runs `work` on this thread. Until `work` returns, the thread counts as allowed to wait for disks.
///
/// Use this function on a thread that may wait for disks, or for a disk that is known to answer immediately.
pub(crate) fn here<T>(work: impl FnOnce() -> T) -> T {
    /// Restores the previous mark of the thread on drop, even if `work` panics, because the thread is reused.
    struct DiskThreadMark(bool);
    impl Drop for DiskThreadMark {
        fn drop(&mut self) {
            IS_FOR_DISKS.set(self.0);
        }
    }
    let _mark = DiskThreadMark(IS_FOR_DISKS.replace(true));
    work()
}

/// Whether this thread runs async tasks, and therefore must not wait for disks.
fn runs_tasks() -> bool {
    !IS_FOR_DISKS.get() && Handle::try_current().is_ok()
}

/// Asserts that the caller may wait for disks.
///
/// In debug builds, panics if the caller is an async task. Unit tests of this crate are exempt.
pub(crate) fn may_wait() {
    debug_assert!(cfg!(test) || !runs_tasks(), "a task waits for a disk");
}

/// Open file on a user's disk.
///
/// If an async task drops a file on a remote volume, a disk thread closes it. On a network share or FUSE, even closing
/// a file requires a request.
#[derive(Debug)]
pub(crate) struct DiskFile {
    /// `None` only during `drop`.
    file: Option<File>,
    /// `statfs` type of the volume. `None` if the system does not report it.
    kind: Option<FsWord>,
}

impl DiskFile {
    /// Wraps `file` and reads the type of its volume.
    pub fn new(file: File) -> Self {
        let kind = rustix::fs::fstatfs(&file).ok().map(|volume| volume.f_type);
        Self { file: Some(file), kind }
    }

    /// Whether the volume is memory or a local disk.
    ///
    /// A write to such a volume normally only copies bytes to memory. A write to any other volume can take as long as a
    /// network or another process.
    pub fn is_on_this_machine(&self) -> bool {
        self.kind.is_some_and(|kind| OF_THIS_MACHINE.contains(&kind))
    }

    /// Whether the volume is memory, where a sync adds no durability.
    pub fn is_in_memory(&self) -> bool {
        self.kind == Some(TMPFS_MAGIC)
    }
}

impl Deref for DiskFile {
    type Target = File;

    fn deref(&self) -> &File {
        let Some(file) = &self.file else { unreachable!("only `drop` takes the file") };
        file
    }
}

impl Drop for DiskFile {
    fn drop(&mut self) {
        let Some(file) = self.file.take() else { return };
        let close = move || {
            // Unlock explicitly. A child process shares the descriptor for a moment while it is being spawned, so
            // closing the file would not release the lock.
            let _ = file.unlock();
        };
        if !self.is_on_this_machine() && runs_tasks() {
            spawn(close);
        } else {
            close();
        }
    }
}

/// Returns the result of a disk task.
///
/// Fails with `Internal` if the task panicked, which is a bug. Never returns if the task was cancelled before it ran.
/// In that case, the runtime is shutting down, so there is no failure to report.
pub(crate) async fn joined<T>(task: JoinHandle<T>) -> Result<T, TransferFailure> {
    match task.await {
        Ok(done) => Ok(done),
        Err(error) if error.is_cancelled() => std::future::pending().await,
        Err(error) => Err(TransferFailure::new(FailureKind::Internal, format!("disk work ended: {error}"))),
    }
}

/// Lists `folder`, and retries if opening the folder is interrupted.
///
/// A signal can interrupt opening a folder on a network or FUSE volume. The standard library retries other calls that a
/// signal interrupts, but not `read_dir`.
pub(crate) fn entries_of(folder: &Path) -> io::Result<ReadDir> {
    loop {
        match std::fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            opened => return opened,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io::Read,
        os::fd::OwnedFd,
        panic::{AssertUnwindSafe, catch_unwind},
        thread,
    };

    use super::*;

    #[tokio::test]
    async fn only_disk_threads_and_threads_without_tasks_may_wait_for_disk() {
        assert!(runs_tasks());
        assert!(!here(runs_tasks));
        assert!(!here(|| here(runs_tasks)), "within another one");
        assert!(catch_unwind(|| here(|| panic!("a defect"))).is_err());
        assert!(runs_tasks(), "the mark is gone after a panic");
        assert!(!spawn(runs_tasks).await.unwrap());
        assert!(!thread::spawn(runs_tasks).join().unwrap());
        assert!(tokio::spawn(async { runs_tasks() }).await.unwrap());
    }

    #[tokio::test]
    async fn disk_work_returns_none_if_it_exceeds_its_time_limit() {
        let (answer, held) = std::sync::mpsc::channel();
        assert_eq!(within(Duration::from_millis(20), move || held.recv()).await, None);
        answer.send(()).unwrap();
        assert_eq!(within(Duration::from_secs(20), || 7).await, Some(7));
    }

    /// As long as the only disk thread is busy, a file that a disk thread must close stays open.
    ///
    /// The read end of a pipe shows this: it reaches the end of file when the last write end is closed.
    #[test]
    fn file_on_remote_disk_is_closed_by_a_disk_thread_and_local_file_by_the_caller() {
        let runtime = tokio::runtime::Builder::new_current_thread().max_blocking_threads(1).build().unwrap();
        let (free, held) = std::sync::mpsc::channel::<()>();
        runtime.block_on(async {
            let busy = spawn(move || held.recv());
            let mut readers = [None, Some(TMPFS_MAGIC)].map(|kind| {
                let (reader, writer) = io::pipe().unwrap();
                drop(DiskFile { file: Some(File::from(OwnedFd::from(writer))), kind });
                rustix::io::ioctl_fionbio(&reader, true).unwrap();
                reader
            });
            let would_block = readers[0].read(&mut [0]).unwrap_err().kind();
            assert_eq!((would_block, readers[1].read(&mut [0]).unwrap()), (io::ErrorKind::WouldBlock, 0));
            free.send(()).unwrap();
            busy.await.unwrap().unwrap();
            spawn(|| ()).await.unwrap();
            assert_eq!(readers[0].read(&mut [0]).unwrap(), 0);
        });
    }

    #[test]
    fn tmpfs_volume_counts_as_local() {
        let place = tempfile::tempdir_in("/dev/shm").unwrap();
        let file = DiskFile::new(File::create(place.path().join("a")).unwrap());
        assert!(file.is_in_memory() && file.is_on_this_machine());
        let other = DiskFile::new(File::open("/proc/self/stat").unwrap());
        assert!(!other.is_in_memory() && !other.is_on_this_machine());
        assert!(catch_unwind(AssertUnwindSafe(may_wait)).is_ok());
    }
}
