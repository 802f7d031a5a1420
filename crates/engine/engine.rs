//! The façade: one method a verb, plain serialisable values in and out. Every shell stands on this.

use std::path::PathBuf;

use crate::{
    Error, Event, Events,
    model::{
        ListQuery, MatchOptions, NewRegistration, Record, Registration, Report, Totals, UniqueId,
    },
};

/// How to open an engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of the ledger. Made when it is not there, mode 0700.
    pub data_dir: PathBuf,
    /// Who holds it, in words for people: "the Ashore window", "ashore serve".
    pub holder: String,
    /// Fetch (true), or only read and write the ledger (false).
    pub fetch: bool,
}

/// The engine. Cheap to clone; every clone is the same.
#[derive(Clone, Debug)]
pub struct Engine {}

impl Engine {
    /// Takes the folder, opens the ledger, reconciles it with the disk, and goes on with what was running.
    ///
    /// Fails with `Held`, `LedgerNewer`, `LedgerDamaged`, `LedgerLocked`, `Io`; then nothing was changed.
    pub async fn open(options: Options) -> Result<Self, Error> {
        let _ = options;
        todo!()
    }

    /// Op 2. Nothing is returned before everything is durable. Returns the registration's state right then.
    pub async fn create(&self, new: NewRegistration) -> Result<Registration, Error> {
        let _ = new;
        todo!()
    }

    /// Op 3: the `developer_id`s of an owner's active registrations.
    pub async fn ids(&self, owner: &str) -> Result<Vec<String>, Error> {
        let _ = owner;
        todo!()
    }

    /// Op 3: an owner's active registration of that name.
    pub async fn find(&self, owner: &str, developer_id: &str) -> Result<Option<Registration>, Error> {
        let _ = (owner, developer_id);
        todo!()
    }

    /// Any registration, active or settled.
    pub async fn show(&self, id: UniqueId) -> Result<Registration, Error> {
        let _ = id;
        todo!()
    }

    /// A page of the list, newest first.
    pub async fn list(&self, query: ListQuery) -> Result<Vec<Registration>, Error> {
        let _ = query;
        todo!()
    }

    /// Op 7: records from index `from`, at most `limit` (0: 1,000).
    pub async fn records(&self, id: UniqueId, from: u32, limit: u32) -> Result<Vec<Record>, Error> {
        let _ = (id, from, limit);
        todo!()
    }

    /// Records whose request matches `url`, in order. A miss is empty, not an error.
    pub async fn match_all(&self, id: UniqueId, url: &str, options: MatchOptions) -> Result<Vec<Record>, Error> {
        let _ = (id, url, options);
        todo!()
    }

    /// Ends it, keeping what is complete. True only if this very registration was still active.
    pub async fn abort(&self, id: UniqueId) -> Result<bool, Error> {
        let _ = id;
        todo!()
    }

    /// Sets it aside with every byte kept; `None` for everything.
    pub async fn pause(&self, id: Option<UniqueId>) -> Result<(), Error> {
        let _ = id;
        todo!()
    }

    /// Takes `pause` back; `None` for everything.
    pub async fn resume(&self, id: Option<UniqueId>) -> Result<(), Error> {
        let _ = id;
        todo!()
    }

    /// Changes what people see, now and after a restart.
    pub async fn update_ui(&self, id: UniqueId, title: Option<String>, icon: Option<PathBuf>) -> Result<(), Error> {
        let _ = (id, title, icon);
        todo!()
    }

    /// To the top of the queue.
    pub async fn first(&self, id: UniqueId) -> Result<(), Error> {
        let _ = id;
        todo!()
    }

    /// Reopens a settled registration for its failed records, or tries waiting ones now. Returns how many.
    pub async fn retry(&self, id: UniqueId) -> Result<u32, Error> {
        let _ = id;
        todo!()
    }

    /// Takes it from the list, aborting it first if need be; with `files`, what it downloaded goes too, where it is still
    /// the same file.
    pub async fn remove(&self, id: UniqueId, files: bool) -> Result<(), Error> {
        let _ = (id, files);
        todo!()
    }

    /// Everything of an owner: transfers stop, rows and partials go, nobody is told.
    pub async fn remove_owner(&self, owner: &str) -> Result<(), Error> {
        let _ = owner;
        todo!()
    }

    /// Claims the right to tell people how it settled: true for exactly one caller, ever.
    pub async fn claim(&self, id: UniqueId) -> Result<bool, Error> {
        let _ = id;
        todo!()
    }

    /// Everything that is owed right now.
    pub async fn owed(&self) -> Result<Vec<Registration>, Error> {
        todo!()
    }

    /// The sum of everything.
    pub async fn totals(&self) -> Result<Totals, Error> {
        todo!()
    }

    /// Checks ledger and partials; changes nothing.
    pub async fn doctor(&self) -> Result<Report, Error> {
        todo!()
    }

    /// From now on, everything that happens.
    pub fn events(&self) -> Events {
        todo!()
    }

    /// Stops all transfers with their bytes durable, closes the ledger, lets the folder go.
    pub async fn close(&self) {
        todo!()
    }
}

#[expect(dead_code, reason = "placeholder until the loop speaks")]
fn _unused(_: Event) {}
