//! Sends of this machine, and how they ended.

use ashore_engine::SyncRecordRow;

use crate::{
    cycle::{SyncFault, all_rows, known_send},
    records::{SendAnswer, SendRecord, SyncRecord as _},
    service::{
        remote,
        status::{SendState, SentDownload},
        sync_service::SyncService,
    },
};

impl SyncService {
    /// Downloads that this machine sent to others, the latest first. Each of them is listed for two months.
    pub async fn sends(&self) -> Result<Vec<SentDownload>, SyncFault> {
        let Some(account) = self.account().await? else { return Ok(Vec::new()) };
        let names = remote::all_names(&self.0.engine).await?;
        let sent = |row: SyncRecordRow| {
            let send = known_send(&row).filter(|send| send.from == account.device)?;
            let device = send.to.to_string();
            Some(SentDownload {
                id: row.id,
                title: send.title,
                to: names.get(&device).cloned().unwrap_or_else(|| device.clone()),
                device,
                state: match send.answer {
                    None => SendState::Waiting,
                    Some(SendAnswer::Delivered) => SendState::Delivered,
                    Some(SendAnswer::Refused) => SendState::Refused,
                    Some(SendAnswer::Expired) => SendState::Expired,
                },
                sent_ms: send.sent_ms,
            })
        };
        let rows = all_rows(&self.0.engine, SendRecord::COLLECTION).await?;
        let mut all: Vec<SentDownload> = rows.into_iter().filter_map(sent).collect();
        all.sort_by_key(|send| std::cmp::Reverse(send.sent_ms));
        Ok(all)
    }
}
