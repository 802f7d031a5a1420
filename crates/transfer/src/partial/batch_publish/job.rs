//! Defines the messages between the batch and its threads.

use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError, mpsc},
};

use bytes::Bytes;
use tokio::sync::oneshot;
use url::Url;

use crate::model::{outcome::TransferFailure, spec::Guid};

pub(crate) type PublishReply = oneshot::Sender<Result<PublishResult, TransferFailure>>;

/// Complete small file and its destination.
#[derive(Debug)]
pub(crate) struct StagedSmallFile {
    pub guid: Guid,
    pub folder: PathBuf,
    /// Final name; if taken, the next free `name (1)` is used.
    pub name: String,
    /// All bytes of the file.
    pub pieces: Vec<Bytes>,
    /// URL that the bytes came from.
    pub origin: Url,
}

/// Result of publishing one file.
#[derive(Debug)]
pub(crate) enum PublishResult {
    /// Durable under this name. The partial file's name stays until the file is forgotten.
    At(PathBuf),
    /// The folder is not suited; nothing was done.
    ///
    /// The folder has no hard links, without which a placed file cannot be recognised after a kill, or no sync, or
    /// accepts only short names.
    Unsuited,
    /// A panic ended the pass. The next run finds on disk the work that was done.
    CutShort,
}

#[derive(Debug)]
pub(crate) enum PublishJob {
    Land(StagedSmallFile, PublishReply),
    Forget(Vec<Guid>),
    /// Like `Forget`, but durable before the next `Rest` is answered, so that a power cut cannot undo the removal.
    Discard(Guid),
    Rest(oneshot::Sender<HashSet<Guid>>),
}

/// Threads by folder.
///
/// Orders are sent under this lock, so that a thread that ends misses none.
pub(crate) type PublisherChannels = Mutex<HashMap<PathBuf, mpsc::Sender<PublishJob>>>;

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers a caller.
///
/// If the caller is gone, the next start finds the file on disk.
pub(crate) fn send_reply(answer: PublishReply, outcome: Result<PublishResult, TransferFailure>) {
    let _ = answer.send(outcome);
}
