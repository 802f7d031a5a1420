//! Order of the queue: the next owner to serve, and the place of a registration among the waiting registrations.
//!
//! - Urgent registrations precede all others. Within the same priority the owners take turns, and within an owner the
//!   rank decides.
//! - Ranks are far apart, so that a registration can be placed between two others without writing other rows. All ranks
//!   are spaced again only if no free rank is left.

use std::{collections::HashMap, path::PathBuf};

use futures_util::TryStreamExt as _;
use sqlx::SqliteConnection;

use crate::{
    EngineError,
    model::{QueuePlace, UniqueId},
    store::{
        SkipSet,
        columns::{self, category_number, json, key, tag, unique_id},
        ledger::{LedgerStore, LedgerWriter},
        rows::FairTurn,
        statement::statements,
    },
};

/// Distance between the ranks of two consecutive registrations.
const GAP: i64 = 1 << 20;
/// Priority of a registration that the user wants immediately.
const URGENT: i64 = 1;

/// Condition for a runnable registration. The text must equal the condition of the index word for word, or SQLite
/// would not use the index.
macro_rules! runnable {
    ($r:literal) => {
        concat!(
            $r,
            ".active = 1 AND ",
            $r,
            ".paused = 0 AND ",
            $r,
            ".n_pending > 0 AND (",
            $r,
            ".parallel = 0 OR ",
            $r,
            ".n_active < ",
            $r,
            ".parallel)"
        )
    };
}
/// Condition that excludes the registrations in `$registrations`, and registrations whose folder is in `$folders`.
macro_rules! has_space {
    ($folders:literal, $registrations:literal) => {
        concat!(
            "AND (",
            $folders,
            " = '[]' OR NOT EXISTS (
               SELECT 1 FROM given g WHERE g.reg_id = r.reg_id AND g.folder IN (SELECT value FROM json_each(",
            $folders,
            "))))
             AND (",
            $registrations,
            " = '[]' OR r.unique_id NOT IN (SELECT unhex(value) FROM json_each(",
            $registrations,
            ")))"
        )
    };
}
/// Condition that no full quota applies to the next request of a lane `l`. Each entry of `$full` has an owner and a
/// category; null matches all.
macro_rules! has_quota {
    ($full:literal) => {
        concat!(
            "AND (",
            $full,
            " = '[]' OR NOT EXISTS (
               SELECT 1 FROM json_each(",
            $full,
            ") q
               WHERE coalesce(q.value ->> 0, r.owner_id) = r.owner_id AND (q.value ->> 1 IS NULL OR q.value ->> 1 =
                 (SELECT s.category FROM req_state s WHERE s.reg_id = l.reg_id AND s.idx = l.first_idx))))"
        )
    };
}
pub(in crate::store) use {has_quota, has_space, runnable};

statements! {
    NEXT_TURN: Search = concat!(
        "SELECT r.priority, r.owner_id FROM registration r INDEXED BY reg_runnable
         WHERE ", runnable!("r"), " AND (r.priority, r.owner_id) < (?1, ?2)
         ORDER BY r.priority DESC, r.owner_id DESC LIMIT 1"
    );
    // Number of requests that each registration could start, and the number of pending requests for each of its hosts.
    //
    // The caller stops reading when it has enough rows. For example, if a registration may start one more request, one
    // host is enough.
    URGENT_WAITING: Search = concat!(
        "SELECT r.reg_id, CASE r.parallel WHEN 0 THEN r.n_pending ELSE r.parallel - r.n_active END, l.host_id, l.n_pending,
           d.folder
         FROM registration r INDEXED BY reg_runnable CROSS JOIN lane l INDEXED BY lane_ready
           ON l.reg_id = r.reg_id AND l.n_pending > 0
         CROSS JOIN given d ON d.reg_id = r.reg_id
         WHERE ", runnable!("r"), " AND r.priority >= 1 AND (SELECT paused FROM wish WHERE one = 1) = 0
           AND l.host_id NOT IN (SELECT value FROM json_each(?1)) ", has_space!("?2", "?3"), has_quota!("?4")
    );
    RUNNING: Walk =
        "SELECT unique_id, priority, lane_rank FROM registration INDEXED BY reg_running WHERE active = 1 AND n_active > 0";
    TOP: Walk = "SELECT lane_rank FROM registration INDEXED BY reg_rank WHERE active = 1 ORDER BY lane_rank LIMIT 1";
    BOTTOM: Walk = "SELECT lane_rank FROM registration INDEXED BY reg_rank WHERE active = 1 ORDER BY lane_rank DESC LIMIT 1";
    STANDS: Search = "SELECT reg_id, priority, lane_rank FROM registration WHERE unique_id = ?1 AND active = 1 AND doomed = 0";
    BEFORE: Search =
        "SELECT lane_rank FROM registration INDEXED BY reg_rank
         WHERE active = 1 AND (lane_rank, reg_id) < (?1, ?2) AND unique_id <> ?3
         ORDER BY lane_rank DESC, reg_id DESC LIMIT 1";
    // This statement reads and writes every active registration, but runs rarely: only after many moves have used up a
    // gap between two ranks.
    SPREAD: Listing =
        "UPDATE registration SET lane_rank = spread.rank
         FROM (SELECT reg_id, ?1 * row_number() OVER (ORDER BY lane_rank, reg_id) AS rank
               FROM registration INDEXED BY reg_rank WHERE active = 1) spread
         WHERE registration.reg_id = spread.reg_id";
    PUT: Search = "UPDATE registration SET priority = ?2, lane_rank = ?3 WHERE unique_id = ?1 AND doomed = 0";
}

/// Place of a registration in the queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueuePosition {
    pub priority: i64,
    pub rank: i64,
}

impl QueuePosition {
    /// Returns whether the user wants the registration immediately.
    pub(crate) fn is_urgent(&self) -> bool {
        self.priority >= URGENT
    }
}

impl LedgerStore {
    /// Returns the host and the folder of each urgent request that waits only for a slot. Skips the requests that
    /// `passed` excludes. Returns at most `limit` entries, in arbitrary order.
    pub async fn urgent(&self, passed: &SkipSet<'_>, limit: u32) -> Result<Vec<(i64, PathBuf)>, EngineError> {
        let (hosts, folders, ids, full) = passed.lists()?;
        let lanes =
            sqlx::query_as::<_, (i64, i64, i64, i64, String)>(URGENT_WAITING).bind(hosts).bind(folders).bind(ids).bind(full);
        let mut lanes = lanes.fetch(self.readers());
        let limit = limit as usize;
        let mut left = HashMap::new();
        let mut urgent = Vec::new();
        while urgent.len() < limit
            && let Some((reg_id, of_registration, host, of_lane, folder)) = lanes.try_next().await?
        {
            let left = left.entry(reg_id).or_insert(of_registration);
            let count = of_lane.min(*left);
            *left -= count;
            urgent.extend((0..count).map(|_| (host, columns::path(&folder))).take(limit - urgent.len()));
        }
        Ok(urgent)
    }
}

impl LedgerStore {
    /// Returns the present place of each registration with a running request.
    pub async fn places_of_running(&self) -> Result<HashMap<UniqueId, QueuePosition>, EngineError> {
        let rows: Vec<(Vec<u8>, i64, i64)> = sqlx::query_as(RUNNING).fetch_all(self.readers()).await?;
        rows.into_iter().map(|(id, priority, rank)| Ok((unique_id(&id)?, QueuePosition { priority, rank }))).collect()
    }
}

impl LedgerWriter<'_> {
    /// Returns the turns, urgent ones first.
    ///
    /// There is one turn for each owner and each priority of this owner's runnable registrations.
    pub async fn turns(&mut self) -> Result<Vec<FairTurn>, EngineError> {
        let connection = self.connection()?;
        let mut turns = Vec::new();
        let mut last = FairTurn { priority: i64::MAX, owner: i64::MAX };
        while let Some(next) =
            sqlx::query_as::<_, FairTurn>(NEXT_TURN).bind(last.priority).bind(last.owner).fetch_optional(&mut *connection).await?
        {
            turns.push(next);
            last = next;
        }
        Ok(turns)
    }

    /// Moves a registration to `place`. Fails with `Unknown` if the registration is not in the list, or if `place` is
    /// before a registration that is not active.
    pub async fn move_to(&mut self, id: UniqueId, place: QueuePlace) -> Result<(), EngineError> {
        let QueuePosition { priority, rank } = self.standing(place, id).await?;
        let put = sqlx::query(PUT).bind(key(&id)).bind(priority).bind(rank).execute(self.connection()?).await?;
        if put.rows_affected() == 0 { Err(EngineError::Unknown(id)) } else { Ok(()) }
    }

    /// Returns the priority and the rank that the registration `moving` gets at `place`.
    pub(in crate::store) async fn standing(&mut self, place: QueuePlace, moving: UniqueId) -> Result<QueuePosition, EngineError> {
        let connection = self.connection()?;
        let top = async |connection: &mut SqliteConnection| {
            let top: Option<i64> = sqlx::query_scalar(TOP).fetch_optional(connection).await?;
            Ok::<_, EngineError>(top.unwrap_or(GAP) - GAP)
        };
        match place {
            QueuePlace::Now => Ok(QueuePosition { priority: URGENT, rank: top(connection).await? }),
            QueuePlace::Top => Ok(QueuePosition { priority: 0, rank: top(connection).await? }),
            QueuePlace::Bottom => {
                let bottom: Option<i64> = sqlx::query_scalar(BOTTOM).fetch_optional(connection).await?;
                Ok(QueuePosition { priority: 0, rank: bottom.unwrap_or(-GAP) + GAP })
            }
            QueuePlace::Before(other) => match between(connection, other, moving).await? {
                Some(standing) => Ok(standing),
                None => {
                    sqlx::query(SPREAD).bind(GAP).execute(&mut *connection).await?;
                    // All ranks have just been spaced evenly, so there is a free gap before each registration.
                    let standing = between(connection, other, moving).await?.ok_or(EngineError::Unknown(other));
                    self.is_spread = true;
                    standing
                }
            },
        }
    }

    /// Returns whether all active registrations got new ranks, in the same order. Clients then have to read ranks
    /// again.
    pub fn is_spread(&self) -> bool {
        self.is_spread
    }
}

impl SkipSet<'_> {
    /// Returns four JSON arrays for SQLite: the hosts, folders, registrations and quotas to skip.
    pub(in crate::store) fn lists(&self) -> Result<(String, String, String, String), EngineError> {
        let ids: Vec<_> = self.registrations.iter().map(|id| tag(id.0)).collect();
        let full: Vec<_> = self.full.iter().map(|(owner, kind)| (owner, kind.map(category_number))).collect();
        let folders: Vec<_> = self.folders.iter().map(|folder| columns::text(folder)).collect();
        Ok((json(&self.hosts)?, json(&folders)?, json(&ids)?, json(&full)?))
    }
}

/// Returns a place between `other` and its predecessor. Returns `None` if no rank is free between the two.
async fn between(
    connection: &mut SqliteConnection,
    other: UniqueId,
    moving: UniqueId,
) -> Result<Option<QueuePosition>, EngineError> {
    let stands: Option<(i64, i64, i64)> = sqlx::query_as(STANDS).bind(key(&other)).fetch_optional(&mut *connection).await?;
    let (reg_id, priority, rank) = stands.ok_or(EngineError::Unknown(other))?;
    let before: Option<i64> =
        sqlx::query_scalar(BEFORE).bind(rank).bind(reg_id).bind(key(&moving)).fetch_optional(connection).await?;
    let before = before.unwrap_or(rank - 2 * GAP);
    Ok((rank - before > 1).then(|| QueuePosition { priority, rank: before + (rank - before) / 2 }))
}
