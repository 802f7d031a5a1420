//! Threads that may wait for a disk. A disk may take as long as it likes to answer (a share that sleeps, a stopped FUSE), and the
//! runtime has one worker for the whole network. So a task hands every call to a disk to another thread, the closing of a file
//! included. Debug builds check that in [`may_wait`].

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

use crate::model::outcome::{FailureKind, TransferFailure};

/// Name of tmpfs in statfs.
const TMPFS_MAGIC: FsWord = 0x0102_1994;
/// Names in statfs of tmpfs and of the file systems of disks: ext2 to ext4, XFS, Btrfs, F2FS, ZFS, bcachefs.
const OF_THIS_MACHINE: [FsWord; 7] = [TMPFS_MAGIC, 0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0x2FC1_2FC1, 0xCA45_1A4E];

thread_local! {
    /// Whether this thread runs nothing but disk work at the moment.
    static IS_FOR_DISKS: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` on a thread that may wait. Dropping the handle does not stop `work`. Panics outside a runtime.
pub fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    spawn_on(&Handle::current(), work)
}

/// The same on a thread of `runtime`, for callers outside it.
pub(crate) fn spawn_on<T: Send + 'static>(runtime: &Handle, work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    runtime.spawn_blocking(|| here(work))
}

/// Result of `work` on a thread that may wait; `None` where the disk does not answer within `limit`.
pub fn within<T: Send + 'static>(limit: Duration, work: impl FnOnce() -> T + Send + 'static) -> impl Future<Output = Option<T>> {
    let working = spawn(work);
    async move { tokio::time::timeout(limit, working).await.ok()?.ok() }
}

/// Runs `work` on this thread, which may wait for its disk, or whose disk is known to answer at once.
pub(crate) fn here<T>(work: impl FnOnce() -> T) -> T {
    /// Restores the mark also where `work` panics: the thread is used again.
    struct DiskThreadMark(bool);
    impl Drop for DiskThreadMark {
        fn drop(&mut self) {
            IS_FOR_DISKS.set(self.0);
        }
    }
    let _mark = DiskThreadMark(IS_FOR_DISKS.replace(true));
    work()
}

/// Whether this thread runs tasks, so that a disk must not keep it waiting.
fn runs_tasks() -> bool {
    !IS_FOR_DISKS.get() && Handle::try_current().is_ok()
}

/// States that the caller may wait for a disk. In debug builds a task that gets here panics. Unit tests of this crate may wait.
pub(crate) fn may_wait() {
    debug_assert!(cfg!(test) || !runs_tasks(), "a task waits for a disk");
}

/// An open file on a person's disk. A task that drops it has it closed by a thread that may wait: a share, or a FUSE, is asked
/// for that, too.
#[derive(Debug)]
pub(crate) struct DiskFile {
    /// `None` only while it is dropped.
    file: Option<File>,
    /// Kind of its volume; `None` where the system does not say.
    kind: Option<FsWord>,
}

impl DiskFile {
    /// Takes over `file`, and asks for the kind of its volume.
    pub fn new(file: File) -> Self {
        let kind = rustix::fs::fstatfs(&file).ok().map(|volume| volume.f_type);
        Self { file: Some(file), kind }
    }

    /// Whether its volume is memory or a disk of this machine: what is written goes to memory, as long as the disk keeps up.
    /// Other volumes work at the pace of a network or of another program.
    pub fn is_on_this_machine(&self) -> bool {
        self.kind.is_some_and(|kind| OF_THIS_MACHINE.contains(&kind))
    }

    /// Whether its volume is memory: nothing there is more durable after a sync than before.
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
            // Said, and not left to the closing: a program that is just being started has the file open for a moment too.
            let _ = file.unlock();
        };
        if !self.is_on_this_machine() && runs_tasks() {
            spawn(close);
        } else {
            close();
        }
    }
}

/// What a disk task gives. One that panicked is a defect of ours; one that was never run means that the runtime is ending,
/// and so is this run: that is no failure of the transfer, and nothing may be told of it.
pub(crate) async fn joined<T>(task: JoinHandle<T>) -> Result<T, TransferFailure> {
    match task.await {
        Ok(done) => Ok(done),
        Err(error) if error.is_cancelled() => std::future::pending().await,
        Err(error) => Err(TransferFailure::new(FailureKind::Internal, format!("disk work ended: {error}"))),
    }
}

/// A folder of a network, or of another program, may be interrupted in being opened, and the standard library says so here alone.
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
    async fn only_threads_for_disks_and_threads_without_tasks_may_wait() {
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
    async fn disk_that_does_not_answer_in_time_gives_nothing() {
        let (answer, held) = std::sync::mpsc::channel();
        assert_eq!(within(Duration::from_millis(20), move || held.recv()).await, None);
        answer.send(()).unwrap();
        assert_eq!(within(Duration::from_secs(20), || 7).await, Some(7));
    }

    /// While the only thread for disks is busy, a file that such a thread has to close stays open. The read end of a pipe
    /// hears the end once the last write end is closed.
    #[test]
    fn file_of_another_machine_is_closed_by_a_thread_for_disks_and_any_other_at_once() {
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
    fn volume_in_memory_is_of_this_machine() {
        let place = tempfile::tempdir_in("/dev/shm").unwrap();
        let file = DiskFile::new(File::create(place.path().join("a")).unwrap());
        assert!(file.is_in_memory() && file.is_on_this_machine());
        let other = DiskFile::new(File::open("/proc/self/stat").unwrap());
        assert!(!other.is_in_memory() && !other.is_on_this_machine());
        assert!(catch_unwind(AssertUnwindSafe(may_wait)).is_ok());
    }
}
