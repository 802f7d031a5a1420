//! Writes the downloads of this interface to a session file.

use ashore_engine::{Registration, atomic_file};
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use crate::aria2::{
    OWNER,
    methods::{Aria2Methods, refusal},
    options::mapping::KeptDownload,
    session_file::{Aria2SessionEntry, write_session},
    status::DownloadStatus,
    wire::Aria2Failure,
};

/// Name of the session file in the data folder.
const FILE: &str = "aria2.session";

impl Aria2Methods {
    /// Writes the downloads that failed or have not ended, in the order of aria2. Only the user of this program can read
    /// the file.
    pub(super) async fn save_session(&self) -> Result<Value, Aria2Failure> {
        let mut downloads = self.own_results().await?;
        downloads.retain(|result| DownloadStatus::from_registration(result) == DownloadStatus::Error);
        downloads.extend(self.unfinished().await?.into_iter().filter(|download| download.owner == OWNER));
        let mut entries = Vec::with_capacity(downloads.len());
        for download in &downloads {
            // A person may have removed the download in the meantime.
            entries.extend(self.session_entry(download).await.ok());
        }
        let path = self.config.data_dir.join(FILE);
        let written = spawn_blocking(move || {
            atomic_file::replace(&path, write_session(&entries).as_bytes())
                .map_err(|error| format!("Failed to serialize session to '{}'. {error}", path.display()))
        });
        written.await.map_err(|error| error.to_string()).flatten().map_err(Aria2Failure::new)?;
        Ok(json!("OK"))
    }

    async fn session_entry(&self, download: &Registration) -> Result<Aria2SessionEntry, Aria2Failure> {
        let kept = self.kept(download).await?;
        let details = self.engine().details(download.unique_id, 0).await.map_err(refusal)?;
        Ok(Aria2SessionEntry::new(download, &details, KeptDownload::clone(&kept)))
    }
}
