//! SQL statements for all registrations of an owner, and for the owner's running totals.
//!
//! Each operation runs in one transaction: clearing the list, resetting the queue, deleting the owner.

use ashore_transfer::Guid;
use sqlx::{FromRow, SqliteConnection};

use crate::{
    EngineError,
    model::{FailureReason, QueueStats, UniqueId, UserMessage},
    store::{
        columns::{guid, key, reason_number, unique_id, unsigned},
        ledger::{LedgerStore, LedgerWriter},
        registrations::{delivery::delivers, expiry::expires},
        statement::statements,
        sync::marks::SyncChange,
        totals::tally::TallyMap,
    },
};

statements! {
    OWNER: Search = "SELECT owner_id FROM owner WHERE name = ?1";
    ACTIVE_GUIDS: Search = "SELECT guid FROM req_state INDEXED BY rs_active WHERE reg_id = ?1 AND state = 1";
    // Each active registration has a row in `active_name`. No other registration has one.
    ACTIVE: Search =
        "SELECT r.unique_id FROM active_name n CROSS JOIN registration r ON r.reg_id = n.reg_id WHERE n.owner_id = ?1";
    END: Search = concat!(
        "UPDATE registration SET active = 0, result = 2, failure = ?2, trouble_code = ?3, trouble_detail = ?4, event = 1,
           settled_us = ?5, expires_us = ", expires!("?5"), ", ", delivers!(), "
         WHERE unique_id = ?1 AND active = 1 RETURNING reg_id"
    );
    FREE_NAMES: Search = "DELETE FROM active_name WHERE owner_id = ?1";
    // An event that no client has acknowledged stays pending. Notifications for the user are dropped, because the user
    // cleared the list.
    CLEAR: Search =
        "UPDATE registration INDEXED BY reg_owner SET doomed = 1, doomed_files = ?2,
           event = CASE event WHEN 1 THEN 2 ELSE event END
         WHERE owner_id = ?1 AND doomed = 0 RETURNING reg_id, unique_id";
    DOOM_OWNED: Search =
        "UPDATE registration INDEXED BY reg_owner SET doomed = 1, doomed_files = 0, delivery = 0,
           result = CASE active WHEN 1 THEN 2 ELSE result END, failure = CASE active WHEN 1 THEN 1 ELSE failure END,
           event = CASE event WHEN 1 THEN 2 ELSE event END, active = 0
         WHERE owner_id = ?1 AND doomed = 0 RETURNING reg_id, unique_id";
    DOOM_OWNER: Search = "UPDATE owner SET doomed = 1, has_client = 0 WHERE owner_id = ?1";
    DELETE_OWNER: Search =
        "DELETE FROM owner WHERE owner_id = ?1 AND doomed = 1
           AND NOT EXISTS (SELECT 1 FROM registration r INDEXED BY reg_owner WHERE r.owner_id = ?1)";
    STATS: Search =
        "SELECT s.total, s.successes, s.failures FROM owner o CROSS JOIN queue_stat s ON s.owner_id = o.owner_id
         WHERE o.name = ?1";
}

/// Registrations that one operation has ended or removed.
#[derive(Debug, Default)]
pub(crate) struct EndedRegistration {
    /// Every registration that ended or was removed.
    pub ids: Vec<UniqueId>,
    /// Registrations in `ids` that were active before. Each of these registrations now has an end event.
    pub settled: Vec<UniqueId>,
    /// Transfers to stop.
    pub guids: Vec<Guid>,
}

#[derive(FromRow)]
struct Stats {
    total: i64,
    successes: i64,
    failures: i64,
}

impl LedgerStore {
    /// Returns three numbers: all requests that the owner has ever added, those that succeeded, and those that failed.
    pub async fn queue_stats(&self, owner: &str) -> Result<QueueStats, EngineError> {
        let found: Option<Stats> = sqlx::query_as(STATS).bind(owner).fetch_optional(self.readers()).await?;
        Ok(found.map_or_else(QueueStats::default, |found| QueueStats {
            total: unsigned(found.total),
            successes: unsigned(found.successes),
            failures: unsigned(found.failures),
        }))
    }
}

impl LedgerWriter<'_> {
    /// Ends every active registration of the owner, as `mark_registration_for_deletion` does for a single registration.
    /// The registrations stay in the list.
    pub async fn reset_owner(
        &mut self,
        owner: &str,
        trouble: &UserMessage,
        now_us: i64,
    ) -> Result<EndedRegistration, EngineError> {
        let (connection, _, tallies) = self.parts()?;
        let Some(owner_id) = owner_id(connection, owner).await? else { return Ok(EndedRegistration::default()) };
        let settled = end_active(connection, tallies, owner_id, trouble, now_us).await?;
        Ok(EndedRegistration { ids: settled.ids.clone(), settled: settled.ids, guids: settled.guids })
    }

    /// Ends every active registration of the owner and removes all its registrations from the list. If `files` is true,
    /// also removes their downloaded files.
    pub async fn clear_owner(
        &mut self,
        owner: &str,
        files: bool,
        trouble: &UserMessage,
        now_us: i64,
    ) -> Result<EndedRegistration, EngineError> {
        let (connection, _, tallies) = self.parts()?;
        let Some(owner_id) = owner_id(connection, owner).await? else { return Ok(EndedRegistration::default()) };
        let ended = end_active(connection, tallies, owner_id, trouble, now_us).await?;
        let cleared: Vec<(i64, Vec<u8>)> = sqlx::query_as(CLEAR).bind(owner_id).bind(files).fetch_all(connection).await?;
        cleared.iter().for_each(|(reg_id, _)| tallies.marks.add(*reg_id, SyncChange::Gone));
        let ids = cleared.iter().map(|(_, id)| unique_id(id)).collect::<Result<_, _>>()?;
        Ok(EndedRegistration { ids, settled: ended.ids, guids: ended.guids })
    }

    /// Removes the owner and all its registrations, including removed registrations that waited for an acknowledgement.
    /// All pending events are dropped. The owner's row is deleted with its last registration.
    pub async fn doom_owner(&mut self, owner: &str) -> Result<(Vec<UniqueId>, Vec<Guid>), EngineError> {
        let (connection, _, tallies) = self.parts()?;
        let Some(owner_id) = owner_id(connection, owner).await? else { return Ok((Vec::new(), Vec::new())) };
        let doomed: Vec<(i64, Vec<u8>)> = sqlx::query_as(DOOM_OWNED).bind(owner_id).fetch_all(&mut *connection).await?;
        sqlx::query(FREE_NAMES).bind(owner_id).execute(&mut *connection).await?;
        sqlx::query(DOOM_OWNER).bind(owner_id).execute(&mut *connection).await?;
        sqlx::query(DELETE_OWNER).bind(owner_id).execute(&mut *connection).await?;
        let (mut ids, mut guids) = (Vec::with_capacity(doomed.len()), Vec::new());
        for (reg_id, id) in doomed {
            tallies.marks.add(reg_id, SyncChange::Gone);
            ids.push(unique_id(&id)?);
            guids.extend(active_guids(connection, reg_id).await?);
        }
        ids.extend(self.drop_owed(owner_id).await?);
        Ok((ids, guids))
    }
}

/// Deletes the owner's row, if the owner was removed and has no registration left.
pub(in crate::store) async fn delete_owner(connection: &mut SqliteConnection, owner_id: i64) -> Result<(), EngineError> {
    sqlx::query(DELETE_OWNER).bind(owner_id).execute(connection).await?;
    Ok(())
}

async fn owner_id(connection: &mut SqliteConnection, owner: &str) -> Result<Option<i64>, EngineError> {
    Ok(sqlx::query_scalar(OWNER).bind(owner).fetch_optional(connection).await?)
}

async fn end_active(
    connection: &mut SqliteConnection,
    tallies: &mut TallyMap,
    owner_id: i64,
    trouble: &UserMessage,
    now_us: i64,
) -> Result<EndedRegistration, EngineError> {
    let active: Vec<Vec<u8>> = sqlx::query_scalar(ACTIVE).bind(owner_id).fetch_all(&mut *connection).await?;
    let mut ended = EndedRegistration::default();
    for id in active {
        let id = unique_id(&id)?;
        let reg_id: Option<i64> = sqlx::query_scalar(END)
            .bind(key(&id))
            .bind(reason_number(FailureReason::Aborted))
            .bind(&trouble.code)
            .bind(trouble.detail())
            .bind(now_us)
            .fetch_optional(&mut *connection)
            .await?;
        if let Some(reg_id) = reg_id {
            tallies.marks.add(reg_id, SyncChange::Facts);
            ended.guids.extend(active_guids(connection, reg_id).await?);
            ended.ids.push(id);
        }
    }
    sqlx::query(FREE_NAMES).bind(owner_id).execute(connection).await?;
    Ok(ended)
}

async fn active_guids(connection: &mut SqliteConnection, reg_id: i64) -> Result<Vec<Guid>, EngineError> {
    let guids: Vec<Vec<u8>> = sqlx::query_scalar(ACTIVE_GUIDS).bind(reg_id).fetch_all(connection).await?;
    guids.iter().map(|bytes| guid(bytes)).collect()
}
