//! Describes downloads and the whole program.

use ashore_engine::{Registration, RegistrationState};
use serde_json::{Value, json};

use crate::aria2::{
    gids,
    methods::{Aria2Methods, refusal},
    params::{CallParams, WantedKeys, queue_window, window},
    status::{DownloadStatus, DownloadView},
    wire::{Aria2Failure, LONGEST_ANSWER, length},
};

impl Aria2Methods {
    pub(super) async fn tell_status(&self, params: CallParams<'_>) -> Result<Value, Aria2Failure> {
        let (gid, keys) = (params.gid(0)?, params.keys(1)?);
        let download = self.find(&gid).await?;
        let described = self.describe(&[download], &keys).await?;
        Ok(described.into_iter().next().unwrap_or_default())
    }

    pub(super) async fn tell_active(&self, params: CallParams<'_>) -> Result<Value, Aria2Failure> {
        let keys = params.keys(0)?;
        self.describe(&self.running().await?, &keys).await.map(Value::Array)
    }

    pub(super) async fn tell_waiting(&self, params: CallParams<'_>) -> Result<Value, Aria2Failure> {
        let (offset, count, keys) = (params.integer(0)?, params.count(1)?, params.keys(2)?);
        let page = self.queue_page(queue_window(offset, count)).await?;
        self.describe(&page, &keys).await.map(Value::Array)
    }

    pub(super) async fn tell_stopped(&self, params: CallParams<'_>) -> Result<Value, Aria2Failure> {
        let (offset, count, keys) = (params.integer(0)?, params.count(1)?, params.keys(2)?);
        let stopped = window(&self.results().await?, offset, count);
        self.describe(&stopped, &keys).await.map(Value::Array)
    }

    pub(super) async fn get_uris(&self, params: CallParams<'_>) -> Result<Value, Aria2Failure> {
        let download = self.find(&params.gid(0)?).await?;
        if download.is_settled() {
            return Err(Aria2Failure::new(format!("No URI data is available for GID#{}", gids::gid_of(&download))));
        }
        self.view(&download, |view| view.uris()).await
    }

    pub(super) async fn get_files(&self, params: CallParams<'_>) -> Result<Value, Aria2Failure> {
        let download = self.find(&params.gid(0)?).await?;
        self.view(&download, |view| view.files()).await
    }

    pub(super) async fn get_servers(&self, params: CallParams<'_>) -> Result<Value, Aria2Failure> {
        let download = self.find(&params.gid(0)?).await?;
        if download.state != RegistrationState::Running {
            return Err(Aria2Failure::new(format!("No active download for GID#{}", gids::gid_of(&download))));
        }
        self.view(&download, |view| view.servers()).await
    }

    pub(super) async fn get_global_stat(&self) -> Result<Value, Aria2Failure> {
        let (running, results) = (self.running().await?, self.results().await?);
        let waiting = self.engine().queue_counts(self.shown_owner()).await.map_err(refusal)?.waiting;
        let rates = self.engine().rates().await;
        let speed: u64 = running.iter().filter_map(|download| rates.get(&download.unique_id)).map(|rate| rate.speed).sum();
        let stopped = results.len().to_string();
        Ok(json!({
            "downloadSpeed": speed.to_string(),
            "numActive": running.len().to_string(),
            "numStopped": stopped,
            "numStoppedTotal": stopped,
            "numWaiting": waiting.to_string(),
            "uploadSpeed": "0",
        }))
    }

    /// Returns the wanted keys of each download.
    async fn describe(&self, downloads: &[Registration], keys: &WantedKeys<'_>) -> Result<Vec<Value>, Aria2Failure> {
        let rates = self.engine().rates().await;
        let (mut described, mut total) = (Vec::with_capacity(downloads.len()), 0);
        for download in downloads {
            let kept = self.kept(download).await?;
            let is_active = DownloadStatus::from_registration(download) == DownloadStatus::Active;
            let maps = match is_active && keys.has("bitfield") {
                true => self.engine().segments(download.unique_id).await.map_err(refusal)?,
                false => Vec::new(),
            };
            // A transfer may still be stopping after its download was paused.
            let rate = rates.get(&download.unique_id).copied().filter(|_| is_active).unwrap_or_default();
            let status = DownloadView { registration: download, kept: &kept, rate, map: maps.first() }.status(keys);
            total += length(&status);
            if total > LONGEST_ANSWER {
                return Err(Aria2Failure::too_long());
            }
            described.push(status);
        }
        Ok(described)
    }

    async fn view(&self, download: &Registration, show: fn(&DownloadView<'_>) -> Value) -> Result<Value, Aria2Failure> {
        let kept = self.kept(download).await?;
        let rate = self.engine().rates().await.get(&download.unique_id).copied().unwrap_or_default();
        Ok(show(&DownloadView { registration: download, kept: &kept, rate, map: None }))
    }
}
