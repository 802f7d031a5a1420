//! Where small files land: a thread for each folder gives as many as wait their place on disk together. A folder that does not
//! answer holds up its own files alone. A thread ends as soon as it has nothing to do and nothing to remember.
//!
//! Ten thousand files of ten kilobytes cost next to nothing on the network; what they cost is a sync, a synced folder and
//! a hop to another thread for each. Here one pass writes all that wait, makes all of it durable with one call, gives
//! each its name, and makes the names durable with one more. The order is that of a single file: bytes, sync, name,
//! folder, and only then is anybody told. One file's trouble is its own: the others of the pass go on. A defect ends no more
//! than its pass, and the files of that go the ordinary way, where each is on its own. To a disk, ten thousand take a sixth of
//! the time that aria2 takes, and as long as curl, which syncs nothing (`make bench ONLY=small`).
//!
//! `worker` is the thread of a folder, `files` writes, syncs and names the files of a pass.
//!
//! A partial of this room has no journal and is whole or worth nothing. It carries its GUID's tag like every other, so
//! that a kill in the middle leaves what `load_partial` and `scan` know how to read: bytes that nobody vouches for, or a
//! second name of a file that was placed.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, mpsc},
    time::Duration,
};

use tokio::sync::oneshot;

use crate::{
    filename::name,
    model::{outcome::TransferFailure, spec::Guid},
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
    /// What its partial is called.
    pub(crate) fn part(&self) -> String {
        name::partial(&self.name, &self.guid.tag())
    }
}

/// The way to the threads.
#[derive(Clone, Debug)]
pub(crate) struct PublishBatch {
    desks: Arc<PublisherChannels>,
    /// Downloads that are to be forgotten and are not yet, each with its folder.
    leaving: Arc<Mutex<HashMap<Guid, PathBuf>>>,
    index: Arc<PartialIndex>,
}

impl PublishBatch {
    /// Without a thread yet: each starts with the first order for its folder.
    pub fn new(index: Arc<PartialIndex>) -> Self {
        Self { desks: Arc::default(), leaving: Arc::default(), index }
    }

    /// Places `landing`; answered when file and name are durable, or it is known why not. Not cut short.
    pub async fn land(&self, landing: StagedSmallFile) -> Result<PublishResult, TransferFailure> {
        let (answer, answered) = oneshot::channel();
        let (guid, folder, part) = (landing.guid, landing.folder.clone(), landing.folder.join(landing.part()));
        if !self.order(&folder, PublishJob::Land(landing, answer)) {
            // There is no thread to be had; the ordinary way has one already.
            return Ok(PublishResult::CutShort);
        }
        answered.await.unwrap_or_else(|_| {
            // Whatever there is of it by now, whoever goes on with it finds.
            self.index.add(guid, &part);
            Ok(PublishResult::CutShort)
        })
    }

    /// Removes the partials' names and all that belongs to them, sooner or later.
    pub fn forget(&self, finished: Vec<(Guid, PathBuf)>) {
        let mut by_folder: BTreeMap<PathBuf, Vec<Guid>> = BTreeMap::new();
        for (guid, folder) in finished {
            locked(&self.leaving).insert(guid, folder.clone());
            by_folder.entry(folder).or_default().push(guid);
        }
        for (folder, guids) in by_folder {
            // Without a thread it is done at the next start.
            self.order(&folder, PublishJob::Forget(guids));
        }
    }

    /// Removes the partial of a download that was given up, and returns once no power cut brings it back, or `folder` has not
    /// answered within `limit`.
    pub async fn discard(&self, guid: Guid, folder: &Path, limit: Duration) {
        locked(&self.leaving).insert(guid, folder.to_owned());
        // Without a thread it is done at the next start.
        self.order(folder, PublishJob::Discard(guid));
        self.rest_of(folder, limit).await;
    }

    /// Returns when everything ordered before is done, with those of whom something could not be removed. A folder that does not
    /// answer within `limit` is not waited for, and what was to be forgotten in it is left.
    pub async fn shut_down(&self, limit: Duration) -> HashSet<Guid> {
        let folders: Vec<PathBuf> = locked(&self.desks).keys().cloned().collect();
        let resting = folders.iter().map(|folder| self.rest_of(folder, limit));
        futures_util::future::join_all(resting).await.into_iter().flatten().collect()
    }

    /// The same for one folder.
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

    /// Hands `order` to the thread of `folder`, which is started where there is none. False where the system has none to give.
    fn order(&self, folder: &Path, order: PublishJob) -> bool {
        let mut desks = locked(&self.desks);
        let order = match desks.get(folder) {
            None => order,
            Some(desk) => match desk.send(order) {
                Ok(()) => return true,
                // Its thread ended by a defect.
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
