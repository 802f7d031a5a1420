//! Lists the sends of this machine with their results, and the sends of other machines that this machine missed.

use ashore_engine::SyncRecordRow;

use crate::{
    cycle::{SyncFault, all_rows, known_send},
    records::{DeviceId, SendAnswer, SendRecord, SyncRecord as _},
    service::{
        remote,
        status::{SendState, SentDownload},
        sync_service::SyncService,
    },
};

impl SyncService {
    /// Returns the downloads that this machine sent and those that it missed, latest first.
    ///
    /// A send of this machine is listed for two months. A missed send is listed for one month after it expired.
    pub async fn sends(&self) -> Result<Vec<SentDownload>, SyncFault> {
        let Some(account) = self.account().await? else { return Ok(Vec::new()) };
        let names = remote::all_names(&self.0.engine).await?;
        let sent = |row: SyncRecordRow| {
            let send = known_send(&row)?;
            let state = match send.answer {
                _ if send.is_missed_by(&account.device) => SendState::Missed,
                _ if send.from != account.device => return None,
                None => SendState::Waiting,
                Some(SendAnswer::Delivered) => SendState::Delivered,
                Some(SendAnswer::Refused) => SendState::Refused,
                Some(SendAnswer::Expired) => SendState::Expired,
            };
            let name = |device: &DeviceId| names.get(device.as_str()).map_or(device.as_str(), String::as_str).to_owned();
            let (from, to) = (name(&send.from), name(&send.to));
            Some(SentDownload { id: row.id, title: send.title, from, device: send.to.into(), to, state, sent_ms: send.sent_ms })
        };
        let rows = all_rows(&self.0.engine, SendRecord::COLLECTION).await?;
        let mut all: Vec<SentDownload> = rows.into_iter().filter_map(sent).collect();
        all.sort_by_key(|send| std::cmp::Reverse(send.sent_ms));
        Ok(all)
    }
}
