//! The messages between the batch and its threads.

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

/// A file that has come, and where it is to go.
#[derive(Debug)]
pub(crate) struct StagedSmallFile {
    pub guid: Guid,
    pub folder: PathBuf,
    /// Its final name, or the next `name (1)` that is free.
    pub name: String,
    /// All of its bytes.
    pub pieces: Vec<Bytes>,
    /// Where they came from.
    pub origin: Url,
}

/// Result of publishing one file.
#[derive(Debug)]
pub(crate) enum PublishResult {
    /// Durable under this name; the partial's name is there until it is forgotten.
    At(PathBuf),
    /// This folder has no links, without which nobody could tell after a kill that it was placed, or no sync, or takes only
    /// short names. Nothing was done.
    Unsuited,
    /// A defect cut the pass short. What was done is on the disk, where it is looked for again.
    CutShort,
}

#[derive(Debug)]
pub(crate) enum PublishJob {
    Land(StagedSmallFile, PublishReply),
    Forget(Vec<Guid>),
    /// As `Forget`, and durable before the next `Rest` is answered, so that no power cut undoes the removal.
    Discard(Guid),
    Rest(oneshot::Sender<HashSet<Guid>>),
}

/// The thread of each folder that has one. Orders are given under this lock, so that a thread that ends misses none.
pub(crate) type PublisherChannels = Mutex<HashMap<PathBuf, mpsc::Sender<PublishJob>>>;

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers a caller, which may be gone: the next start finds what is on the disk.
pub(crate) fn send_reply(answer: PublishReply, outcome: Result<PublishResult, TransferFailure>) {
    let _ = answer.send(outcome);
}
