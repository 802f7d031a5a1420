//! Finds the active registration with the same content as a new registration. A repeat within one minute is merged
//! into the existing registration, unless the user asked for the repeat. The existing registration keeps its place
//! in the queue.

use sqlx::SqliteConnection;

use crate::{
    EngineError,
    model::{
        QueuePlace, UniqueId,
        accepted::{AcceptedRegistration, RegistrationFingerprint},
    },
    store::{
        columns::{json, unique_id},
        ledger::LedgerWriter,
        registrations::queue_order::QueuePosition,
        statement::statements,
        sync::marks::SyncChange,
        totals::tally::TallyMap,
    },
};

/// Length of a minute in µs.
const MINUTE: i64 = 60_000_000;

statements! {
    LATELY: Search =
        "SELECT r.reg_id, r.unique_id, r.n_active, r.paused
         FROM owner o CROSS JOIN asked_lately l ON l.minute = ?2 AND l.owner_id = o.owner_id AND l.content = ?3
         CROSS JOIN active_name n ON n.reg_id = l.reg_id AND n.content = l.content
         CROSS JOIN registration r ON r.reg_id = l.reg_id
         WHERE o.name = ?1 AND r.active = 1 AND r.doomed = 0";
    SAME: Search =
        "SELECT r.reg_id, r.unique_id, r.n_active, r.paused
         FROM owner o CROSS JOIN active_name n INDEXED BY name_content ON n.owner_id = o.owner_id AND n.content = ?2
         CROSS JOIN registration r ON r.reg_id = n.reg_id
         WHERE o.name = ?1 AND r.active = 1 AND r.doomed = 0 ORDER BY n.reg_id LIMIT 1";
    MERGE: Search =
        "UPDATE face SET title = coalesce(?2, title), description = coalesce(?3, description), icons = coalesce(?4, icons),
           asked_again_us = ?5
         WHERE reg_id = ?1";
    MOVE: Search = "UPDATE registration SET priority = ?2, lane_rank = ?3, paused = paused AND ?4 WHERE reg_id = ?1";
    FORGET_OLD: Walk = "DELETE FROM asked_lately WHERE minute <> ?1";
    REMEMBER: Search = "INSERT OR REPLACE INTO asked_lately (minute, owner_id, content, reg_id) VALUES (?1, ?2, ?3, ?4)";
}

/// Outcome of a repeated registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExistingMatch {
    /// The existing registration was waiting, and has been moved to the place that was requested for the new
    /// registration.
    Moved(UniqueId),
    /// The existing registration is running.
    Running(UniqueId),
    /// The existing registration was added within the same minute.
    Merged(UniqueId),
}

#[derive(sqlx::FromRow)]
pub(crate) struct ExistingRegistration {
    reg_id: i64,
    unique_id: Vec<u8>,
    n_active: i64,
    paused: bool,
}

impl LedgerWriter<'_> {
    /// Finds the registration that `new` repeats. Updates its title, description and icons from `new`. A waiting
    /// registration moves to `place`. Returns `None` if `new` is not a repeat.
    pub async fn ask_again(
        &mut self,
        new: &AcceptedRegistration,
        place: QueuePlace,
        now_us: i64,
    ) -> Result<Option<ExistingMatch>, EngineError> {
        let (connection, _, tallies) = self.parts()?;
        if let Some(content) = repeated(new) {
            let lately: Option<ExistingRegistration> = sqlx::query_as(LATELY)
                .bind(&new.owner)
                .bind(now_us.div_euclid(MINUTE))
                .bind(content.as_slice())
                .fetch_optional(&mut *connection)
                .await?;
            if let Some(there) = lately {
                merge(connection, tallies, &there, new, now_us).await?;
                return Ok(Some(ExistingMatch::Merged(unique_id(&there.unique_id)?)));
            }
        }
        let Some(content) = new.content else { return Ok(None) };
        let same: Option<ExistingRegistration> =
            sqlx::query_as(SAME).bind(&new.owner).bind(content.as_slice()).fetch_optional(&mut *connection).await?;
        let Some(there) = same else { return Ok(None) };
        merge(connection, tallies, &there, new, now_us).await?;
        let id = unique_id(&there.unique_id)?;
        if there.n_active > 0 && !there.paused {
            return Ok(Some(ExistingMatch::Running(id)));
        }
        let QueuePosition { priority, rank } = self.standing(place, id).await?;
        self.tallies.marks.add(there.reg_id, SyncChange::Requested(now_us));
        sqlx::query(MOVE).bind(there.reg_id).bind(priority).bind(rank).bind(new.paused).execute(self.connection()?).await?;
        Ok(Some(ExistingMatch::Moved(id)))
    }
}

/// Stores `new`, so that repeats within the same minute are merged into it.
pub(in crate::store) async fn remember(
    connection: &mut SqliteConnection,
    new: &AcceptedRegistration,
    (reg_id, owner_id): (i64, i64),
    now_us: i64,
) -> Result<(), EngineError> {
    let Some(content) = repeated(new) else { return Ok(()) };
    let minute = now_us.div_euclid(MINUTE);
    sqlx::query(FORGET_OLD).bind(minute).execute(&mut *connection).await?;
    sqlx::query(REMEMBER).bind(minute).bind(owner_id).bind(content.as_slice()).bind(reg_id).execute(connection).await?;
    Ok(())
}

/// Returns the fingerprint of a registration whose repeats are merged. Returns `None` if repeats are not merged, as
/// for registrations that the user adds.
fn repeated(new: &AcceptedRegistration) -> Option<RegistrationFingerprint> {
    new.content.filter(|_| new.merges_repeats && !new.source.is_person())
}

/// Updates title, description and icons from `new`; fields that `new` leaves out stay.
pub(crate) async fn merge(
    connection: &mut SqliteConnection,
    tallies: &mut TallyMap,
    there: &ExistingRegistration,
    new: &AcceptedRegistration,
    now_us: i64,
) -> Result<(), EngineError> {
    let title = new.is_titled.then_some(&new.title);
    if title.is_some() {
        tallies.marks.add(there.reg_id, SyncChange::Title(now_us));
    }
    let icons = (!new.icons.is_empty()).then(|| json(&new.icons)).transpose()?;
    sqlx::query(MERGE).bind(there.reg_id).bind(title).bind(&new.description).bind(icons).bind(now_us).execute(connection).await?;
    Ok(())
}
