//! Frees space on the server: clears the history of past downloads, and reads the used space.

use ashore_messages::{MessageArgument, UserMessage, message};

use crate::{
    cycle::{SyncFault, clear_before, clearing_id},
    records::{HistoryRecord, SyncRecord as _},
    server::{ServerFault, SyncServer as _},
    service::{messages::message_of, status::ServerSpace, sync_service::SyncService},
};

impl SyncService {
    /// Removes past downloads from all machines and from the server, if they ended before `before_ms` (milliseconds of
    /// Unix time).
    pub async fn clear_history(&self, before_ms: i64) -> Result<(), SyncFault> {
        let _at_work = self.0.at_work.lock().await;
        let (account, secrets, server) = self.server().await?;
        let known = self.latest().keys.clone().map(|(_, keys)| keys);
        let keys = match known {
            Some(keys) => keys,
            None => self.open_keys(&account, &secrets, &server).await?.ring,
        };
        let engine = &self.0.engine;
        let row = engine.sync_records(HistoryRecord::COLLECTION, &[&clearing_id(&keys)]).await?.into_iter().next();
        if row.as_ref().is_some_and(|row| row.held_code.is_some()) {
            return Err(SyncFault::Newer);
        }
        // A time in the future would also remove downloads that have not ended.
        let before_ms = before_ms.clamp(0, (self.0.env.now_ms)().max(0));
        if !engine.write_sync(&[clear_before(&keys, row, before_ms, &account.device)]).await? {
            return Err(SyncFault::Contended);
        }
        // Make the next cycle review all past downloads.
        self.latest().is_reviewed = false;
        self.want_cycle();
        Ok(())
    }

    /// Number of history records that are not past downloads. It is 1 if the history was ever cleared, and 0 otherwise.
    pub(super) async fn count_of_clearings(&self) -> Result<u64, SyncFault> {
        let keys = self.latest().keys.clone();
        let Some((_, keys)) = keys else { return Ok(0) };
        let rows = self.0.engine.sync_records(HistoryRecord::COLLECTION, &[&clearing_id(&keys)]).await?;
        Ok(u64::from(!rows.is_empty()))
    }

    /// Reads the used and total space if `fault` means that the server refused a write for lack of space.
    ///
    /// Returns `None` for other faults, if the space has no limit, or if the server does not answer.
    pub(super) async fn space(&self, fault: &SyncFault) -> Option<ServerSpace> {
        let SyncFault::Server(failure) = fault else { return None };
        if failure.fault != ServerFault::Full {
            return None;
        }
        let (_, _, server) = self.server().await.ok()?;
        let usage = server.quota().await.ok()?.value;
        let [used, total] = [usage.used_bytes, usage.limit_bytes?].map(|bytes| u64::try_from(bytes).unwrap_or_default());
        Some(ServerSpace { used, total })
    }
}

/// Returns the message of a fault, with the used and total space if both are known. [pure]
pub fn message_with_space(fault: &SyncFault, space: Option<ServerSpace>) -> UserMessage {
    match space {
        Some(ServerSpace { used, total }) => {
            message!("sync-full.space", used = MessageArgument::size(used), total = MessageArgument::size(total))
        }
        None => message_of(fault),
    }
}
