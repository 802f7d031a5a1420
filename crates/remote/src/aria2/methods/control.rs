//! Pauses, continues and removes downloads, and removes results.

use ashore_engine::{EngineError, Registration, RegistrationState};
use serde_json::{Value, json};

use crate::aria2::{
    gids,
    methods::{Aria2Methods, refusal},
    params::CallParams,
    wire::Aria2Failure,
};

impl Aria2Methods {
    pub(super) async fn pause(&self, params: CallParams<'_>) -> Result<Value, Aria2Failure> {
        let download = self.find(&params.gid(0)?).await?;
        if !matches!(download.state, RegistrationState::Running | RegistrationState::Waiting) {
            return Err(Aria2Failure::new(format!("GID#{} cannot be paused now", gids::gid_of(&download))));
        }
        self.engine().pause(Some(download.unique_id)).await.map_err(refusal)?;
        Ok(json!(gids::gid_of(&download)))
    }

    pub(super) async fn unpause(&self, params: CallParams<'_>) -> Result<Value, Aria2Failure> {
        let download = self.find(&params.gid(0)?).await?;
        if download.state != RegistrationState::Paused {
            return Err(Aria2Failure::new(format!("GID#{} cannot be unpaused now", gids::gid_of(&download))));
        }
        self.engine().resume(Some(download.unique_id)).await.map_err(refusal)?;
        Ok(json!(gids::gid_of(&download)))
    }

    pub(super) async fn pause_all(&self) -> Result<Value, Aria2Failure> {
        for download in self.unfinished().await? {
            if download.state != RegistrationState::Paused {
                self.engine().pause(Some(download.unique_id)).await.map_err(refusal)?;
            }
        }
        Ok(json!("OK"))
    }

    pub(super) async fn unpause_all(&self) -> Result<Value, Aria2Failure> {
        for download in self.unfinished().await? {
            if download.state == RegistrationState::Paused {
                self.engine().resume(Some(download.unique_id)).await.map_err(refusal)?;
            }
        }
        Ok(json!("OK"))
    }

    /// Aborts a download. A running download leaves a result; any other download disappears, as in aria2.
    pub(super) async fn remove(&self, params: CallParams<'_>) -> Result<Value, Aria2Failure> {
        let download = self.find_own(&params.gid(0)?).await?;
        let not_found = || Aria2Failure::new(format!("Active Download not found for GID#{}", download.developer_id));
        if download.is_settled() || !self.engine().abort(download.unique_id).await.map_err(refusal)? {
            return Err(not_found());
        }
        if download.state != RegistrationState::Running {
            let ended = self.engine().show(download.unique_id).await.map_err(refusal)?;
            self.hide(&ended).await?;
        }
        Ok(json!(download.developer_id))
    }

    pub(super) async fn remove_download_result(&self, params: CallParams<'_>) -> Result<Value, Aria2Failure> {
        let download = self.find_own(&params.gid(0)?).await?;
        if !download.is_settled() {
            return Err(Aria2Failure::new(format!("Could not remove download result of GID#{}", download.developer_id)));
        }
        self.hide(&download).await?;
        Ok(json!("OK"))
    }

    pub(super) async fn purge_download_result(&self) -> Result<Value, Aria2Failure> {
        loop {
            let results = self.own_results().await?;
            if results.is_empty() {
                return Ok(json!("OK"));
            }
            for result in &results {
                self.hide(result).await?;
            }
        }
    }

    /// Hides a result from the clients of this interface.
    async fn hide(&self, ended: &Registration) -> Result<(), Aria2Failure> {
        match self.engine().acknowledge(ended.unique_id, ended.event_number).await {
            // Another client hid the result, or a person removed it.
            Ok(_) | Err(EngineError::Unknown(_)) => Ok(()),
            Err(error) => Err(refusal(error)),
        }
    }
}
