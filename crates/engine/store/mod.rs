//! Every SQL statement there is. One writer, a few readers; a state changes only where the row still has the state the
//! caller expects, and zero rows touched means that somebody else decided.
//!
//! Writes go through [`Writing`], one transaction: `begin`, any number of operations, `commit`. Nothing may be told to
//! anyone before its commit. The ten storage operations carry the names of the design they come from.

use std::path::{Path, PathBuf};

use ashore_transfer::{Digest, Guid, Head};

use crate::{
    Error,
    model::{FailureReason, ListQuery, MatchOptions, Record, Registration, Trouble, UniqueId, Verified},
};

/// A registration that has been checked and may be written.
#[derive(Clone, Debug)]
pub(crate) struct Accepted {
    pub unique_id: UniqueId,
    pub owner: String,
    pub developer_id: String,
    pub title: String,
    pub icon: Option<PathBuf>,
    pub download_total: u64,
    pub folder: PathBuf,
    pub paused: bool,
    pub requests: Vec<AcceptedRequest>,
}

/// A request that has been checked and may be written.
#[derive(Clone, Debug)]
pub(crate) struct AcceptedRequest {
    pub method: String,
    pub url: url::Url,
    pub headers: Vec<(String, String)>,
    /// Our own durable copy of the body, and its size.
    pub body: Option<(PathBuf, u64)>,
    pub name: Option<String>,
    pub digest: Option<Digest>,
    pub optional: bool,
}

/// A request handed out for fetching, with all that a transfer needs.
#[derive(Clone, Debug)]
pub(crate) struct Activated {
    pub unique_id: UniqueId,
    pub index: u32,
    /// Minted by the caller the first time; the request's own ever after, so that its partial is found again.
    pub guid: Guid,
    pub method: String,
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: Option<(PathBuf, u64)>,
    pub folder: PathBuf,
    pub name: Option<String>,
    pub digest: Option<String>,
    /// Whose connections it counts against.
    pub host: i64,
    /// Failed tries so far.
    pub attempt: u32,
    /// Durable bytes when it was last put back.
    pub kept: u64,
    /// Its registration is still active.
    pub is_wanted: bool,
    /// Its registration's pause wish.
    pub is_paused: bool,
    /// The registration's declared total, 0 unknown...
    pub download_total: u64,
    /// ...and what its completed requests have used of it.
    pub completed_bytes: u64,
}

/// Op 1: a registration with active requests.
#[derive(Clone, Debug)]
pub(crate) struct ActiveRegistration {
    pub unique_id: UniqueId,
    pub title: String,
    pub icon: Option<PathBuf>,
    pub guids: Vec<Guid>,
}

/// Op 6: what is written of a completed request.
#[derive(Clone, Debug)]
pub(crate) struct CompletedResponse {
    pub path: Option<PathBuf>,
    pub size: u64,
    pub digest: Option<Digest>,
    pub verified: Verified,
    pub uploaded: u64,
}

/// A failure that no further try will mend, as written.
#[derive(Clone, Debug)]
pub(crate) struct FailedResponse {
    pub reason: FailureReason,
    pub trouble: Trouble,
    /// The refusing answer's status, where there was one; stored as the record's.
    pub status: Option<u16>,
    pub bytes: u64,
    pub uploaded: u64,
}

/// What became of a request that a transfer let go.
#[derive(Clone, Debug)]
pub(crate) enum PutBack {
    /// Set aside: pending again, in its place, no try counted.
    Pending,
    /// It failed; again at `not_before_us`. One more attempt is counted, or the count starts over at 1 when `progressed`.
    Waiting { not_before_us: i64, trouble: Trouble, progressed: bool },
}

/// What a write by GUID found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Touched {
    pub unique_id: UniqueId,
    /// This write settled the registration: result, reason and "event owed" are in the same transaction.
    pub settled: bool,
}

/// The ledger.
#[derive(Clone, Debug)]
pub(crate) struct Store {}

/// One write transaction. Dropped without `commit`, nothing of it happened.
#[derive(Debug)]
pub(crate) struct Writing<'a> {
    store: &'a Store,
}

impl Store {
    /// Opens `path`, checks and migrates it. `LedgerNewer`, `LedgerDamaged`, `LedgerLocked`: nothing was changed.
    pub async fn open(path: &Path) -> Result<Self, Error> {
        let _ = path;
        todo!()
    }

    pub async fn begin(&self) -> Result<Writing<'_>, Error> {
        todo!()
    }

    /// Op 1.
    pub async fn options_and_download_guids_for_active_registrations(&self) -> Result<Vec<ActiveRegistration>, Error> {
        todo!()
    }

    /// Op 1, second half: every active request, with all that is needed to start it again under the same GUID.
    pub async fn active_requests(&self) -> Result<Vec<Activated>, Error> {
        todo!()
    }

    /// Registrations whose last request is done but which were not settled (an older crash).
    pub async fn finished_but_unsettled(&self) -> Result<Vec<UniqueId>, Error> {
        todo!()
    }

    /// Registrations whose event is owed, oldest first.
    pub async fn owed(&self) -> Result<Vec<UniqueId>, Error> {
        todo!()
    }

    /// When the next waiting request is due, µs.
    pub async fn next_due(&self) -> Result<Option<i64>, Error> {
        todo!()
    }

    /// Op 3.
    pub async fn ids(&self, owner: &str) -> Result<Vec<String>, Error> {
        let _ = owner;
        todo!()
    }

    /// Op 3.
    pub async fn find(&self, owner: &str, developer_id: &str) -> Result<Option<Registration>, Error> {
        let _ = (owner, developer_id);
        todo!()
    }

    /// As stored: `downloaded` and `uploaded` are what was last written down.
    pub async fn registration(&self, id: UniqueId) -> Result<Option<Registration>, Error> {
        let _ = id;
        todo!()
    }

    /// A page, newest first.
    pub async fn list(&self, query: &ListQuery) -> Result<Vec<Registration>, Error> {
        let _ = query;
        todo!()
    }

    /// Op 7.
    pub async fn records(&self, id: UniqueId, from: u32, limit: u32) -> Result<Vec<Record>, Error> {
        let _ = (id, from, limit);
        todo!()
    }

    pub async fn match_all(&self, id: UniqueId, url: &url::Url, options: &MatchOptions) -> Result<Vec<Record>, Error> {
        let _ = (id, url, options);
        todo!()
    }

    /// Registrations with an active request, and those that will go on by themselves.
    pub async fn running_and_waiting(&self) -> Result<(u32, u32), Error> {
        todo!()
    }

    /// "Pause everything" is on.
    pub async fn is_paused(&self) -> Result<bool, Error> {
        todo!()
    }

    /// Active GUIDs (states 1 and 2) of one registration, or of all.
    pub async fn active_guids(&self, id: Option<UniqueId>) -> Result<Vec<Guid>, Error> {
        let _ = id;
        todo!()
    }

    /// Distinct folders of registrations that are not settled, and of failed ones that kept bytes.
    pub async fn folders_with_partials(&self) -> Result<Vec<PathBuf>, Error> {
        todo!()
    }

    /// Whose request has this GUID.
    pub async fn whose(&self, guid: Guid) -> Result<Option<UniqueId>, Error> {
        let _ = guid;
        todo!()
    }

    /// GUIDs whose transfer may have left a partial on disk for this registration (doomed ones too), with the folder it
    /// is in: every request that has a GUID and did not complete with success.
    pub async fn guids_of(&self, id: UniqueId) -> Result<Vec<(Guid, PathBuf)>, Error> {
        let _ = id;
        todo!()
    }

    /// Files to unlink: ours alone (body copies), and placed ones only while they are still the file we wrote.
    pub async fn file_gc(&self) -> Result<Vec<Doomed>, Error> {
        todo!()
    }

    /// SQLite's `quick_check`: "ok" or what is wrong.
    pub async fn check(&self) -> Result<String, Error> {
        todo!()
    }

    /// The schema's version.
    pub async fn version(&self) -> Result<u32, Error> {
        todo!()
    }

    /// Closes all connections; the WAL is folded in.
    pub async fn close(&self) {
        todo!()
    }
}

/// A file on its way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Doomed {
    pub path: PathBuf,
    /// Device, inode, size and modification time (ns) when it was placed; None for files of our own data folder.
    pub identity: Option<FileIdentity>,
}

/// What a placed file was when it was placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileIdentity {
    pub device: i64,
    pub inode: i64,
    pub size: i64,
    pub modified_ns: i64,
}

impl Writing<'_> {
    pub async fn commit(self) -> Result<(), Error> {
        let _ = self.store;
        todo!()
    }

    /// Op 2. `IdTaken` when the owner has an active one of that name.
    pub async fn create_registration(&mut self, new: &Accepted, now_us: i64) -> Result<(), Error> {
        let _ = (new, now_us);
        todo!()
    }

    /// Op 4: the first pending request of the first runnable registration whose host is not in `resting`; none while
    /// everything is paused. A request that had a GUID keeps it, else it gets `fresh`.
    pub async fn next_pending_request_and_mark_it_active(
        &mut self,
        fresh: Guid,
        resting: &[i64],
    ) -> Result<Option<Activated>, Error> {
        let _ = (fresh, resting);
        todo!()
    }

    /// Op 5. None: the request is not active under this GUID any more.
    pub async fn write_active_download_metadata(&mut self, guid: Guid, head: &Head) -> Result<Option<UniqueId>, Error> {
        let _ = (guid, head);
        todo!()
    }

    /// Op 6.
    pub async fn write_completed_download_response(
        &mut self,
        guid: Guid,
        response: &CompletedResponse,
        identity: Option<FileIdentity>,
        now_us: i64,
    ) -> Result<Option<Touched>, Error> {
        let _ = (guid, response, identity, now_us);
        todo!()
    }

    /// Op 6 for a failure: dead, with its reason; the registration's first failure in time is kept.
    pub async fn write_failed_download_response(
        &mut self,
        guid: Guid,
        response: &FailedResponse,
        now_us: i64,
    ) -> Result<Option<Touched>, Error> {
        let _ = (guid, response, now_us);
        todo!()
    }

    /// An active request is let go with `bytes` durable. An inactive registration's request becomes aborted instead.
    pub async fn put_back(&mut self, guid: Guid, bytes: u64, how: &PutBack, now_us: i64) -> Result<Option<UniqueId>, Error> {
        let _ = (guid, bytes, how, now_us);
        todo!()
    }

    /// Waiting requests that are due become pending, at most `limit`. Returns whose.
    pub async fn wake_due(&mut self, now_us: i64, limit: u32) -> Result<Vec<UniqueId>, Error> {
        let _ = (now_us, limit);
        todo!()
    }

    /// Settles what `finished_but_unsettled` found. True if it did.
    pub async fn settle(&mut self, id: UniqueId, now_us: i64) -> Result<bool, Error> {
        let _ = (id, now_us);
        todo!()
    }

    /// Op 8: takes the `developer_id` away, sets result, reason and "event owed". None: somebody was first. Else the GUIDs
    /// whose transfers must be told to stop. `reason` `DownloadTotalExceeded` and `Aborted` are the ways here.
    pub async fn mark_registration_for_deletion(
        &mut self,
        id: UniqueId,
        reason: FailureReason,
        trouble: &Trouble,
        now_us: i64,
    ) -> Result<Option<Vec<Guid>>, Error> {
        let _ = (id, reason, trouble, now_us);
        todo!()
    }

    /// The wish; one registration's or everything's. `Unknown` when there is no such registration.
    pub async fn set_paused(&mut self, id: Option<UniqueId>, paused: bool) -> Result<(), Error> {
        let _ = (id, paused);
        todo!()
    }

    pub async fn update_ui(
        &mut self,
        id: UniqueId,
        title: Option<&str>,
        icon: Option<&Path>,
    ) -> Result<(), Error> {
        let _ = (id, title, icon);
        todo!()
    }

    /// To the top of the queue.
    pub async fn first(&mut self, id: UniqueId) -> Result<(), Error> {
        let _ = id;
        todo!()
    }

    /// Dead and failed requests of a settled registration, waiting ones of an active one: pending again, attempts at 0.
    /// Reopens a settled one (`IdTaken` when its name has been taken since). Returns how many.
    pub async fn retry(&mut self, id: UniqueId) -> Result<u32, Error> {
        let _ = id;
        todo!()
    }

    /// 1 -> 2 in the outbox: true for exactly one caller.
    pub async fn claim(&mut self, id: UniqueId) -> Result<bool, Error> {
        let _ = id;
        todo!()
    }

    /// Wished away: out of every list at once; `delete_registration` or `garbage_collect` does the rest. With `files`,
    /// what it placed is to go as well.
    pub async fn doom(&mut self, id: UniqueId, files: bool) -> Result<(), Error> {
        let _ = (id, files);
        todo!()
    }

    /// Op 9, a chunk of at most `limit` requests of a doomed, inactive registration with nothing active; its files go to
    /// `file_gc`. True when the registration is gone whole.
    pub async fn delete_registration(&mut self, id: UniqueId, limit: u32) -> Result<bool, Error> {
        let _ = (id, limit);
        todo!()
    }

    /// Op 10: the doomed and inactive registrations that a crash left behind, at most `limit`; the caller finishes each with
    /// `delete_registration`.
    pub async fn garbage_collect(&mut self, limit: u32) -> Result<Vec<UniqueId>, Error> {
        let _ = limit;
        todo!()
    }

    /// The file is gone; its row goes.
    pub async fn forget_file(&mut self, path: &Path) -> Result<(), Error> {
        let _ = path;
        todo!()
    }

    /// Inactivates and dooms all of an owner's registrations without owing an event. The GUIDs of active transfers.
    pub async fn doom_owner(&mut self, owner: &str) -> Result<(Vec<UniqueId>, Vec<Guid>), Error> {
        let _ = owner;
        todo!()
    }

    /// The executor row: who works on this ledger, and that it lives.
    pub async fn beat(&mut self, holder: &str, now_us: i64) -> Result<(), Error> {
        let _ = (holder, now_us);
        todo!()
    }
}
