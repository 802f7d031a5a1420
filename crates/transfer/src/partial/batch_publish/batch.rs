//! Publishes small files in batches, with one thread per folder.
//!
//! - A thread publishes all waiting files of its folder together. A folder that does not answer delays only its own
//!   files. A thread ends as soon as it has no work and remembers no placed file.
//! - One pass writes all waiting files, syncs them with one call, links each to its name, and syncs the names with
//!   another call. The order is the same as for a single file: bytes, sync, name, folder, and then the reply to the
//!   caller.
//! - A failed file does not affect the other files of its pass. A panic ends only its own pass. The files of that pass
//!   are then downloaded in the ordinary way, one by one.
//! - A partial file of this module has no journal. It is either complete or worthless. Its name contains the tag of its
//!   GUID. By this tag, `load_partial` and `scan` recognise it after a kill: as unconfirmed bytes, or as a hard link to
//!   a placed file.
//!
//! Ten thousand files of 10 KB cost almost nothing on the network. Their cost is a file sync, a folder sync and a
//! thread switch per file. On a disk, ten thousand files take a sixth of the time of aria2. Curl, which syncs nothing,
//! takes the same time as Ashore (`make bench ONLY=small`).
//!
//! `worker` is the thread of a folder. `files` writes, syncs and names the files of a pass.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, mpsc},
    time::Duration,
};

use tokio::sync::oneshot;

use crate::{
    filename::name,
    model::{failure::TransferFailure, spec::Guid},
    partial::{
        batch_publish::{
            files::FolderHandles,
            job::{PublishJob, PublishResult, PublisherChannels, StagedSmallFile, locked},
            worker::BatchPublisher,
        },
        scan::PartialIndex,
    },
};

impl StagedSmallFile {
    /// Returns the name of the partial file for this file.
    pub(crate) fn part(&self) -> String {
        name::partial(&self.name, &self.guid.tag())
    }
}

/// Handle to the publishing threads.
#[derive(Clone, Debug)]
pub(crate) struct PublishBatch {
    desks: Arc<PublisherChannels>,
    /// Downloads with files that must still be removed, and the folders of these files.
    leaving: Arc<Mutex<HashMap<Guid, PathBuf>>>,
    index: Arc<PartialIndex>,
}

impl PublishBatch {
    /// Creates a batch without threads.
    ///
    /// The thread of a folder starts with the first order for this folder.
    pub fn new(index: Arc<PartialIndex>) -> Self {
        Self { desks: Arc::default(), leaving: Arc::default(), index }
    }

    /// Publishes `landing`. Returns after its bytes and its name are durable.
    ///
    /// Fails with the reason if the file cannot be published. Stopping the transfer does not interrupt this call.
    pub async fn land(&self, landing: StagedSmallFile) -> Result<PublishResult, TransferFailure> {
        let (answer, answered) = oneshot::channel();
        let (guid, folder, part) = (landing.guid, landing.folder.clone(), landing.folder.join(landing.part()));
        if !self.order(&folder, PublishJob::Land(landing, answer)) {
            // No thread could be started. The caller then downloads the file in the ordinary way, which needs no new
            // thread.
            return Ok(PublishResult::CutShort);
        }
        answered.await.unwrap_or_else(|_| {
            // Register the partial file, so that the ordinary download finds the bytes in it.
            self.index.add(guid, &part);
            Ok(PublishResult::CutShort)
        })
    }

    /// Requests the removal of all partial files of these downloads. Does not wait for the removal.
    pub fn forget(&self, finished: Vec<(Guid, PathBuf)>) {
        let mut by_folder: BTreeMap<PathBuf, Vec<Guid>> = BTreeMap::new();
        for (guid, folder) in finished {
            locked(&self.leaving).insert(guid, folder.clone());
            by_folder.entry(folder).or_default().push(guid);
        }
        for (folder, guids) in by_folder {
            // Without a thread, the next start of Ashore removes these files.
            self.order(&folder, PublishJob::Forget(guids));
        }
    }

    /// Removes the partial file of a cancelled download, and waits for the removal.
    ///
    /// Waits until a power cut can no longer restore the file, but gives up if `folder` does not answer within `limit`.
    pub async fn discard(&self, guid: Guid, folder: &Path, limit: Duration) {
        locked(&self.leaving).insert(guid, folder.to_owned());
        // Without a thread, the next start of Ashore removes this file.
        self.order(folder, PublishJob::Discard(guid));
        self.rest_of(folder, limit).await;
    }

    /// Waits for all earlier orders. Returns the downloads that still have files on disk.
    ///
    /// If a folder does not answer within `limit`, the result includes all downloads with files that are still to be
    /// removed from it.
    pub async fn shut_down(&self, limit: Duration) -> HashSet<Guid> {
        let folders: Vec<PathBuf> = locked(&self.desks).keys().cloned().collect();
        let resting = folders.iter().map(|folder| self.rest_of(folder, limit));
        futures_util::future::join_all(resting).await.into_iter().flatten().collect()
    }

    /// Waits for the orders of one folder, like [`Self::shut_down`].
    pub async fn rest_of(&self, folder: &Path, limit: Duration) -> HashSet<Guid> {
        let (answer, answered) = oneshot::channel();
        if locked(&self.desks).get(folder).is_none_or(|desk| desk.send(PublishJob::Rest(answer)).is_err()) {
            return HashSet::new();
        }
        match tokio::time::timeout(limit, answered).await {
            Ok(left) => left.unwrap_or_default(),
            Err(_) => {
                let leaving = locked(&self.leaving);
                leaving.iter().filter(|(_, where_it_is)| *where_it_is == folder).map(|(guid, _)| *guid).collect()
            }
        }
    }

    /// Sends `order` to the thread of `folder`. Starts this thread if there is none.
    ///
    /// Returns `false` if the system cannot start a thread.
    fn order(&self, folder: &Path, order: PublishJob) -> bool {
        let mut desks = locked(&self.desks);
        let order = match desks.get(folder) {
            None => order,
            Some(desk) => match desk.send(order) {
                Ok(()) => return true,
                // A panic ended the thread of this folder.
                Err(mpsc::SendError(order)) => order,
            },
        };
        let (orders, queue) = mpsc::channel();
        if orders.send(order).is_err() {
            return false;
        }
        let (all, place) = (Arc::downgrade(&self.desks), folder.to_owned());
        let mut desk = BatchPublisher::new(self.index.clone(), self.leaving.clone(), FolderHandles::real());
        let work = move || desk.work(&place, &queue, &all);
        let is_started = std::thread::Builder::new().name("ashore-landing".to_owned()).spawn(work).is_ok();
        if is_started {
            desks.insert(folder.to_owned(), orders);
        }
        is_started
    }
}
