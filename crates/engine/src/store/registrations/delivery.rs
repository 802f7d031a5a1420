//! Delivers end events to the owner: pending events, registered clients, and acknowledgements.
//!
//! An end event is pending from the transaction that settles its registration until a client of the owner acknowledges
//! it.
//! - If a client has registered for the owner, or the creator asked for delivery, the row stays until the
//!   acknowledgement, even after a removal ([`OWED`]).
//! - If no client ever registered, the event is pending while the row exists, but does not keep the row ([`UNHEARD`]).
//! - Deleting the owner drops its pending events.

use crate::{
    EngineError,
    model::UniqueId,
    store::{
        columns::{key, unique_id},
        ledger::{LedgerStore, LedgerWriter},
        registrations::expiry::expires,
        statement::statements,
    },
};

/// The event is pending, and the row stays until a client acknowledges the event.
pub(in crate::store) const OWED: i64 = 1;
/// Acknowledged.
pub(in crate::store) const ACKNOWLEDGED: i64 = 2;
/// The event is pending, but no client has registered yet, so the row may be deleted with the event.
pub(in crate::store) const UNHEARD: i64 = 3;

/// Delivery state that is written when a registration settles.
macro_rules! delivers {
    () => {
        "ends = ends + 1, delivery = CASE delivers WHEN 0 THEN 0 WHEN 2 THEN 1 ELSE
           (SELECT CASE o.has_client WHEN 1 THEN 1 ELSE 3 END FROM owner o WHERE o.owner_id = registration.owner_id) END"
    };
}
pub(in crate::store) use delivers;

statements! {
    OWED_TO: Search =
        "SELECT r.unique_id FROM owner o CROSS JOIN registration r INDEXED BY reg_delivery
           ON r.owner_id = o.owner_id AND r.delivery IN (1, 3)
         WHERE o.name = ?1 ORDER BY r.settled_us, r.reg_id";
    OWNER_OF: Search =
        "SELECT o.name FROM registration r CROSS JOIN owner o ON o.owner_id = r.owner_id WHERE r.unique_id = ?1";
    IS_REMOVED: Search = "SELECT doomed FROM registration WHERE unique_id = ?1";
    HAS_CLIENT: Search = "SELECT has_client FROM owner WHERE name = ?1";
    REGISTER: Search =
        "INSERT INTO owner (name, has_client) VALUES (?1, 1)
         ON CONFLICT (name) DO UPDATE SET has_client = 1 WHERE has_client = 0 RETURNING owner_id";
    KEEP_OWED: Search =
        "UPDATE registration INDEXED BY reg_delivery SET delivery = 1
         WHERE owner_id = ?1 AND delivery IN (1, 3) AND delivery = 3 AND doomed = 0";
    // Extend the expiry, because the retention time must not start before the acknowledgement.
    ACKNOWLEDGE: Search = concat!(
        "UPDATE registration SET delivery = 2, expires_us = max(expires_us, ", expires!("?3"), ")
         WHERE unique_id = ?1 AND delivery IN (1, 3) AND ends = ?2 RETURNING doomed"
    );
    FREE_EVENTS: Search =
        "UPDATE registration INDEXED BY reg_delivery SET delivery = 0 WHERE owner_id = ?1 AND delivery IN (1, 3)
         RETURNING unique_id";
}

/// Result of an acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AckOutcome {
    /// The end event was already acknowledged, is not the latest event, or never existed.
    No,
    /// This acknowledgement was the first for the end event.
    Now,
    /// This acknowledgement was the first for the end event. The registration was removed, and its row is no longer
    /// needed.
    AndRemoved,
}

impl LedgerStore {
    /// Returns the owner's registrations with a pending end event, in the order they settled. Removed registrations are
    /// included.
    pub async fn owed_to(&self, owner: &str) -> Result<Vec<UniqueId>, EngineError> {
        let ids: Vec<Vec<u8>> = sqlx::query_scalar(OWED_TO).bind(owner).fetch_all(self.readers()).await?;
        ids.iter().map(|id| unique_id(id)).collect()
    }

    /// Returns the owner of a registration, removed or not; `None` if the ledger has no such row.
    pub async fn owner_of(&self, id: UniqueId) -> Result<Option<String>, EngineError> {
        Ok(sqlx::query_scalar(OWNER_OF).bind(key(&id)).fetch_optional(self.readers()).await?)
    }

    /// Returns whether the registration was removed and its row still exists.
    pub async fn is_removed(&self, id: UniqueId) -> Result<bool, EngineError> {
        let removed: Option<bool> = sqlx::query_scalar(IS_REMOVED).bind(key(&id)).fetch_optional(self.readers()).await?;
        Ok(removed.unwrap_or(false))
    }

    /// Returns whether a client has ever registered for the owner.
    pub async fn has_client(&self, owner: &str) -> Result<bool, EngineError> {
        let has: Option<bool> = sqlx::query_scalar(HAS_CLIENT).bind(owner).fetch_optional(self.readers()).await?;
        Ok(has.unwrap_or(false))
    }
}

impl LedgerWriter<'_> {
    /// Registers a client for the owner. From now on, pending end events keep their rows until they are acknowledged.
    pub async fn register_client(&mut self, owner: &str) -> Result<(), EngineError> {
        let connection = self.connection()?;
        let owner_id: Option<i64> = sqlx::query_scalar(REGISTER).bind(owner).fetch_optional(&mut *connection).await?;
        if let Some(owner_id) = owner_id {
            sqlx::query(KEEP_OWED).bind(owner_id).execute(connection).await?;
        }
        Ok(())
    }

    /// Acknowledges the end event with this number, if that event is pending.
    pub async fn acknowledge(&mut self, id: UniqueId, number: u32, now_us: i64) -> Result<AckOutcome, EngineError> {
        let removed: Option<bool> =
            sqlx::query_scalar(ACKNOWLEDGE).bind(key(&id)).bind(number).bind(now_us).fetch_optional(self.connection()?).await?;
        Ok(match removed {
            None => AckOutcome::No,
            Some(false) => AckOutcome::Now,
            Some(true) => AckOutcome::AndRemoved,
        })
    }

    /// Drops all pending end events of an owner. Returns the registrations of these events.
    pub(in crate::store) async fn drop_owed(&mut self, owner_id: i64) -> Result<Vec<UniqueId>, EngineError> {
        let ids: Vec<Vec<u8>> = sqlx::query_scalar(FREE_EVENTS).bind(owner_id).fetch_all(self.connection()?).await?;
        ids.iter().map(|id| unique_id(id)).collect()
    }
}
