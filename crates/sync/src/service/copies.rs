//! Detects a second machine with a copy of this machine's data folder.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

use crate::{
    cycle::{STARTS_SECRET, StartHistory, SyncAccount, SyncFault},
    records::{DeviceRecord, SyncRecord as _},
    service::sync_service::SyncService,
};

/// Length of the random mark of a program start, in bytes before the base64url encoding.
const MARK: usize = 9;

impl SyncService {
    /// Returns the history of program starts with the identity of this device.
    ///
    /// The first call in each run of the program stores the start of that run.
    pub(super) async fn starts(&self, account: &SyncAccount) -> Result<StartHistory, SyncFault> {
        if let Some(starts) = self.latest().starts.clone() {
            return Ok(starts);
        }
        let engine = &self.0.engine;
        let kept = engine.sync_secret(STARTS_SECRET).await.unwrap_or_default();
        let mut starts = StartHistory::read(&kept);
        starts.begin(account.epoch, URL_SAFE_NO_PAD.encode(self.0.env.bytes::<MARK>()));
        // Store the start before sending it, so that this machine recognises its own record after a crash.
        engine.keep_sync_secret(STARTS_SECRET, starts.write()).await?;
        self.latest().starts = Some(starts.clone());
        Ok(starts)
    }

    /// Whether another machine wrote the last version of this device's record that was read from the server.
    pub(super) async fn is_copied(&self, account: &SyncAccount) -> Result<bool, SyncFault> {
        let rows = self.0.engine.sync_records(DeviceRecord::COLLECTION, &[account.device.as_str()]).await?;
        let base = rows.into_iter().next().and_then(|row| row.base);
        let record: Option<DeviceRecord> = base.and_then(|text| serde_json::from_str(&text).ok());
        let starts = self.starts(account).await?;
        Ok(record.is_some_and(|record| starts.is_foreign(record.epoch, &record.mark)))
    }
}
