//! Lists and changes downloads of other machines for the user.
//!
//! A download with many requests is stored in parts. The parts are read when the user takes over or fetches the download.

use crate::{
    cycle::{ReadParts, SyncFault},
    records::PartList,
    server::{ServerFailure, ServerFault},
    service::{
        remote,
        status::{RemoteChange, RemoteDownload},
        sync_service::SyncService,
    },
};

impl SyncService {
    /// Downloads of the other machines.
    pub async fn remote_downloads(&self) -> Result<Vec<RemoteDownload>, SyncFault> {
        match self.account().await? {
            Some(account) => remote::remote_downloads(&self.0.engine, &account).await,
            None => Ok(Vec::new()),
        }
    }

    /// Applies a change that the user made here to a download of another machine.
    pub async fn change_remote(&self, id: &str, wanted: RemoteChange) -> Result<(), SyncFault> {
        let account = self.require_on().await?;
        let engine = &self.0.engine;
        let parts = self.read_parts(id, wanted).await?;
        remote::change(engine, &self.0.env, &account, (id, wanted), parts.as_ref()).await?;
        self.latest().others = None;
        self.want_cycle();
        Ok(())
    }

    /// Creates a new download from the record of a download that another machine removed.
    pub(super) async fn fetch_removed(&self, id: &str) -> Result<(), SyncFault> {
        let engine = &self.0.engine;
        let parts = self.read_parts(id, RemoteChange::FetchHere).await?;
        remote::fetch_removed(engine, &self.0.env, id, parts.as_ref()).await
    }

    /// Reads the requests that `wanted` needs, if the download has parts.
    async fn read_parts(&self, id: &str, wanted: RemoteChange) -> Result<Option<ReadParts>, SyncFault> {
        match remote::needed_parts(&self.0.engine, id, wanted).await? {
            Some(list) => self.read_listed(list).await.map(Some).map_err(fault_of_person),
            None => Ok(None),
        }
    }

    async fn read_listed(&self, list: PartList) -> Result<ReadParts, SyncFault> {
        let (account, secrets, server) = self.server().await?;
        let opened = self.open_keys(&account, &secrets, &server).await?;
        ReadParts::read(&server, &opened.ring, account.uid, list).await
    }
}

/// Returns the fault to show if parts cannot be read. [pure]
fn fault_of_person(fault: SyncFault) -> SyncFault {
    match fault {
        // Replace these faults: their messages promise that the change will be sent later. This is not true for a
        // change that needs parts.
        SyncFault::Server(ServerFailure { fault: ServerFault::Unreachable(_) | ServerFault::TimedOut, .. }) => {
            SyncFault::PartsUnreadable
        }
        other => other,
    }
}
