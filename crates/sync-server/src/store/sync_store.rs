//! Holds the open database, and begins its transactions.

use std::{sync::Arc, time::Duration};

use tokio::sync::Semaphore;

use super::{
    RetryJitter,
    collections::CollectionNames,
    gate::WriteGates,
    transaction::{DatabaseTransaction, Pools, on},
};
use crate::protocol::ProtocolLimits;

/// Open database with the schema version of this program.
#[derive(Debug)]
pub struct SyncStore {
    pub(super) pools: Pools,
    pub(super) names: CollectionNames,
    pub(super) limits: ProtocolLimits,
    pub(super) gates: WriteGates,
    /// Permits for long listings. Such a listing uses a database connection for as long as its client reads it.
    pub(super) long_listings: Arc<Semaphore>,
    pub(super) dice: RetryJitter,
}

impl SyncStore {
    /// Returns the limits with which the store was opened.
    pub fn limits(&self) -> &ProtocolLimits {
        &self.limits
    }

    /// Replaces the random numbers that determine the waits before retries.
    #[must_use]
    pub fn with_dice(self, dice: RetryJitter) -> Self {
        Self { dice, ..self }
    }

    /// Begins a write transaction.
    pub(super) async fn begin(&self) -> Result<DatabaseTransaction, sqlx::Error> {
        self.pools.begin().await
    }

    /// Begins a read-only transaction. It sees the state that was committed at its first read.
    pub(super) async fn snapshot(&self) -> Result<DatabaseTransaction, sqlx::Error> {
        self.pools.snapshot().await
    }

    /// Whether the database answers.
    pub async fn is_alive(&self) -> bool {
        let ask = async {
            let mut transaction = self.snapshot().await?;
            on!(&mut transaction, |connection| sqlx::query("SELECT 1").execute(connection).await.map(|_| ()))?;
            transaction.commit().await
        };
        matches!(tokio::time::timeout(Duration::from_secs(2), ask).await, Ok(Ok(())))
    }

    /// Returns `SQLite` or `PostgreSQL`.
    pub fn kind(&self) -> &'static str {
        self.pools.kind()
    }

    /// Closes each connection as soon as its work is done.
    pub async fn close(&self) {
        self.pools.close().await;
    }
}
