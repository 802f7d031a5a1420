//! Methods of the engine for clients that store their own values with a registration.
//!
//! Such a client also shows registrations that have ended, until it acknowledges their end.

use std::collections::HashMap;

use crate::{
    Engine, EngineError,
    model::{OwnerChoices, Registration, TransferRate, UniqueId},
};

/// Number of parts of a segment map if only the connections of the map are needed.
const PARTS: usize = 1;

impl Engine {
    /// Returns the values that the owner's clients chose for a registration. Fails with `Unknown`.
    pub async fn owner_choices(&self, id: UniqueId) -> Result<OwnerChoices, EngineError> {
        self.shared.store.owner_choices(id).await
    }

    /// Replaces the values that the owner's clients chose for a registration.
    ///
    /// A running file keeps its connections. Fails with `Unknown`.
    pub async fn choose_for_owner(&self, id: UniqueId, choices: &OwnerChoices) -> Result<(), EngineError> {
        let mut ledger = self.shared.store.begin().await?;
        ledger.choose_for_owner(id, choices).await?;
        ledger.commit().await
    }

    /// Returns the registrations of `owner` whose `developer_id` begins with `prefix`.
    ///
    /// These are the active registrations, and the ended registrations with an unacknowledged end event. Returns at
    /// most `limit` registrations.
    pub async fn find_by_prefix(&self, owner: &str, prefix: &str, limit: u32) -> Result<Vec<Registration>, EngineError> {
        let mut named = Vec::new();
        for id in self.shared.store.named(owner, prefix, limit).await? {
            named.extend(self.shared.view(id).await?);
        }
        Ok(named)
    }

    /// Returns the registrations of `owner` with an unacknowledged end event, the latest end first.
    ///
    /// Returns at most `limit` registrations.
    pub async fn unacknowledged(&self, owner: &str, limit: u32) -> Result<Vec<Registration>, EngineError> {
        self.shared.store.unacknowledged(owner, limit).await
    }

    /// Returns the speed and the number of connections for every running registration.
    pub async fn rates(&self) -> HashMap<UniqueId, TransferRate> {
        let live = self.shared.live.read().await;
        let mut rates: HashMap<UniqueId, TransferRate> = HashMap::new();
        for (guid, transfer) in live.all() {
            let id = transfer.unique_id;
            let rate = rates.entry(id).or_insert_with(|| TransferRate { speed: live.sum(id).speed, connections: 0 });
            let connections = self.shared.transfers.map(guid, PARTS).map_or(1, |map| map.fetching.len());
            rate.connections = rate.connections.saturating_add(u32::try_from(connections).unwrap_or(u32::MAX));
        }
        rates
    }
}
