//! Defines the messages between the batch and its threads.

use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError, mpsc},
};

use bytes::Bytes;
use tokio::sync::oneshot;
use url::Url;

use crate::model::{failure::TransferFailure, spec::Guid};

pub(crate) type PublishReply = oneshot::Sender<Result<PublishResult, TransferFailure>>;

/// Complete small file and its destination.
#[derive(Debug)]
pub(crate) struct StagedSmallFile {
    pub guid: Guid,
    pub folder: PathBuf,
    /// Final name. If this name is taken, the file gets the next free numbered name, such as `name (1)`.
    pub name: String,
    /// All bytes of the file.
    pub pieces: Vec<Bytes>,
    /// URL from which the bytes came.
    pub origin: Url,
}

/// Result of publishing one file.
#[derive(Debug)]
pub(crate) enum PublishResult {
    /// The file is durable under this path.
    ///
    /// It keeps the name of the partial file as a second name until a `Forget` job removes that name.
    At(PathBuf),
    /// The folder is not suitable for batches. No file was changed.
    ///
    /// A suitable folder supports sync, long names and hard links. Without hard links, a placed file would not be
    /// recognised after a kill.
    Unsuited,
    /// A panic ended the pass. The next run detects from the disk which steps were completed.
    CutShort,
}

#[derive(Debug)]
pub(crate) enum PublishJob {
    Land(StagedSmallFile, PublishReply),
    Forget(Vec<Guid>),
    /// Like `Forget`, but the removal becomes durable before the next `Rest` job is answered.
    ///
    /// After this answer, a power cut can no longer restore the file.
    Discard(Guid),
    Rest(oneshot::Sender<HashSet<Guid>>),
}

/// Channels to the publishing threads, by folder.
///
/// Hold the lock while sending an order, so that no order goes to a thread that is about to end.
pub(crate) type PublisherChannels = Mutex<HashMap<PathBuf, mpsc::Sender<PublishJob>>>;

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends the outcome to the caller.
///
/// If the caller no longer exists, the next start finds the file on disk.
pub(crate) fn send_reply(answer: PublishReply, outcome: Result<PublishResult, TransferFailure>) {
    let _ = answer.send(outcome);
}
