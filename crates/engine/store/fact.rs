//! The one row that says where a request stands, and the only way it changes: [`shift`] moves the row, the counters of
//! its registration and its lane together.

use ashore_transfer::Guid;
use sqlx::{FromRow, SqliteConnection};

use super::statement::statements;
use crate::Error;

pub(super) const PENDING: i64 = 0;
pub(super) const ACTIVE: i64 = 1;
pub(super) const ACTIVE_WITH_HEAD: i64 = 2;
pub(super) const COMPLETED: i64 = 3;
pub(super) const WAITING: i64 = 4;
pub(super) const ABORTED: i64 = 5;
pub(super) const DEAD: i64 = 6;

macro_rules! columns {
    () => {
        "s.reg_id, s.idx, s.host_id, s.optional, s.state, s.guid, s.attempt, s.tries, s.not_before_us, s.kept, s.sent, s.size"
    };
}
pub(super) use columns;

statements! {
    ACTIVE_BY_GUID: Search = concat!(
        "SELECT ", columns!(), ", r.unique_id, r.active
         FROM req_state s INDEXED BY rs_guid JOIN registration r ON r.reg_id = s.reg_id
         WHERE s.guid = ?1 AND s.state IN (1, 2)"
    );
    MOVE: Search =
        "UPDATE req_state SET state = ?4, guid = ?5, attempt = ?6, tries = ?7, not_before_us = ?8, kept = ?9, sent = ?10, size = ?11
         WHERE reg_id = ?1 AND idx = ?2 AND state = ?3";
    COUNT: Search =
        "UPDATE registration SET n_pending = n_pending + ?2, n_active = n_active + ?3, n_waiting = n_waiting + ?4,
           n_succeeded = n_succeeded + ?5, n_failed = n_failed + ?6, n_aborted = n_aborted + ?7,
           n_unsized = n_unsized + ?8, n_partial = n_partial + ?9,
           expected = expected + ?10, downloaded = downloaded + ?11, completed_bytes = completed_bytes + ?12, uploaded = uploaded + ?13
         WHERE reg_id = ?1";
    LANE: Search =
        "UPDATE lane SET n_pending = n_pending + ?3, first_idx = coalesce(
           (SELECT idx FROM req_state INDEXED BY rs_pending
            WHERE reg_id = ?1 AND host_id = ?2 AND state = 0 ORDER BY idx LIMIT 1), first_idx)
         WHERE reg_id = ?1 AND host_id = ?2";
}

/// Where a request stands.
#[derive(Clone, Debug, FromRow)]
pub(super) struct Fact {
    pub reg_id: i64,
    pub idx: i64,
    pub host_id: i64,
    pub optional: bool,
    pub state: i64,
    pub guid: Option<Vec<u8>>,
    pub attempt: i64,
    pub tries: i64,
    pub not_before_us: i64,
    pub kept: i64,
    pub sent: i64,
    pub size: Option<i64>,
}

/// An active request, found by its GUID.
#[derive(Debug, FromRow)]
pub(super) struct Found {
    #[sqlx(flatten)]
    pub fact: Fact,
    pub unique_id: Vec<u8>,
    /// Its registration is.
    pub active: bool,
}

impl Fact {
    /// What this row adds to its registration's counters, in the order of [`COUNT`].
    fn counts(&self) -> [i64; 12] {
        let is = |state| i64::from(self.state == state);
        [
            is(PENDING),
            is(ACTIVE) + is(ACTIVE_WITH_HEAD),
            is(WAITING),
            is(COMPLETED),
            is(DEAD),
            is(ABORTED),
            i64::from(self.size.is_none()),
            i64::from(self.state != COMPLETED && self.kept > 0),
            self.size.unwrap_or(0),
            self.kept,
            if self.state == COMPLETED { self.kept } else { 0 },
            self.sent,
        ]
    }
}

/// The request that is active under this GUID, if any is.
pub(super) async fn active_by_guid(connection: &mut SqliteConnection, guid: Guid) -> Result<Option<Found>, Error> {
    Ok(sqlx::query_as(ACTIVE_BY_GUID).bind(guid.0.as_bytes().as_slice()).fetch_optional(connection).await?)
}

/// Moves a request from `old` to `new`. False, and nothing is changed, where it is not in `old`'s state any more.
pub(super) async fn shift(connection: &mut SqliteConnection, old: &Fact, new: &Fact) -> Result<bool, Error> {
    let moved = sqlx::query(MOVE)
        .bind(old.reg_id)
        .bind(old.idx)
        .bind(old.state)
        .bind(new.state)
        .bind(new.guid.as_deref())
        .bind(new.attempt)
        .bind(new.tries)
        .bind(new.not_before_us)
        .bind(new.kept)
        .bind(new.sent)
        .bind(new.size)
        .execute(&mut *connection)
        .await?;
    if moved.rows_affected() == 0 {
        return Ok(false);
    }
    let (before, after) = (old.counts(), new.counts());
    if before != after {
        let mut count = sqlx::query(COUNT).bind(old.reg_id);
        for (before, after) in before.iter().zip(after) {
            count = count.bind(after - before);
        }
        count.execute(&mut *connection).await?;
    }
    if before[0] != after[0] {
        sqlx::query(LANE).bind(old.reg_id).bind(old.host_id).bind(after[0] - before[0]).execute(connection).await?;
    }
    Ok(true)
}
