//! The one row that says where a request stands, and the only ways it changes: [`shift`] moves the row, the counters of
//! its registration and its lane together, [`shift_active`] and [`start`] do so for many rows at once.
//!
//! Thousands of small files fly by in few transactions. There the rows go to SQLite and back as one JSON argument: a
//! statement for each row would spend its time on the way to the writer's thread.

use std::collections::BTreeMap;

use ashore_transfer::Guid;
use serde::Deserialize;
use sqlx::{FromRow, SqliteConnection};

use super::{
    convert::{json, tag},
    statement::statements,
};
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
    // Found in the order of the argument or not at all; the first column says which one it is.
    ACTIVE_BY_GUIDS: Search =
        "SELECT json_group_array(json_array(j.key, s.reg_id, s.idx, s.host_id, s.optional, s.state, s.attempt, s.tries,
           s.not_before_us, s.kept, s.sent, s.size, hex(r.unique_id), r.active))
         FROM json_each(?1) j CROSS JOIN req_state s INDEXED BY rs_guid ON s.guid = unhex(j.value)
         CROSS JOIN registration r ON r.reg_id = s.reg_id
         WHERE s.state IN (1, 2)";
    MOVE: Search =
        "UPDATE req_state SET state = ?4, attempt = ?5, tries = ?6, not_before_us = ?7, kept = ?8, sent = ?9, size = ?10
         WHERE reg_id = ?1 AND idx = ?2 AND state = ?3";
    // Columns that an active request's news do not change are left out: their indexes are not touched.
    MOVE_ACTIVE: Search =
        "UPDATE req_state SET state = j.value ->> 2, tries = j.value ->> 3, kept = j.value ->> 4, sent = j.value ->> 5,
           size = j.value ->> 6
         FROM json_each(?1) j
         WHERE req_state.reg_id = j.value ->> 0 AND req_state.idx = j.value ->> 1 AND req_state.state IN (1, 2)";
    START: Search =
        "UPDATE req_state SET state = j.value ->> 2, guid = unhex(j.value ->> 3)
         FROM json_each(?1) j
         WHERE req_state.reg_id = j.value ->> 0 AND req_state.idx = j.value ->> 1 AND req_state.state = 0";
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

/// A row of [`ACTIVE_BY_GUIDS`], in its order.
#[derive(Deserialize)]
struct FoundRow(usize, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, Option<i64>, String, i64);

/// The requests that are active under these GUIDs: for each, in its place, the request if there is one.
pub(super) async fn active_by_guids(
    connection: &mut SqliteConnection,
    guids: &[Guid],
) -> Result<Vec<Option<Found>>, Error> {
    let asked: Vec<String> = guids.iter().map(|guid| tag(guid.0.as_bytes())).collect();
    let found: String = sqlx::query_scalar(ACTIVE_BY_GUIDS).bind(json(&asked)?).fetch_one(connection).await?;
    let unreadable = |error| Error::Ledger(sqlx::Error::Decode(error));
    let rows: Vec<FoundRow> = serde_json::from_str(&found).map_err(|error| unreadable(error.into()))?;
    let mut all: Vec<Option<Found>> = guids.iter().map(|_| None).collect();
    for row in rows {
        let FoundRow(key, reg_id, idx, host_id, optional, state, attempt, tries, not_before_us, kept, sent, size, id, active) =
            row;
        let guid = guids.get(key).map(|guid| guid.0.as_bytes().to_vec());
        let optional = optional != 0;
        let fact = Fact { reg_id, idx, host_id, optional, state, guid, attempt, tries, not_before_us, kept, sent, size };
        let unique_id = hex::decode(id).map_err(|error| unreadable(error.into()))?;
        if let Some(place) = all.get_mut(key) {
            *place = Some(Found { fact, unique_id, active: active != 0 });
        }
    }
    Ok(all)
}

/// Moves a request from `old` to `new`. False, and nothing is changed, where it is not in `old`'s state any more.
pub(super) async fn shift(connection: &mut SqliteConnection, old: &Fact, new: &Fact) -> Result<bool, Error> {
    let moved = sqlx::query(MOVE)
        .bind(old.reg_id)
        .bind(old.idx)
        .bind(old.state)
        .bind(new.state)
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
    count(connection, &[(old, new)]).await?;
    Ok(true)
}

/// Moves active requests, each from what was found in this same transaction to what it is now.
pub(super) async fn shift_active(connection: &mut SqliteConnection, moves: &[(&Fact, &Fact)]) -> Result<(), Error> {
    let rows = moves.iter().map(|(_, new)| (new.reg_id, new.idx, new.state, new.tries, new.kept, new.sent, new.size));
    let rows: Vec<_> = rows.collect();
    let moved = sqlx::query(MOVE_ACTIVE).bind(json(&rows)?).execute(&mut *connection).await?;
    expect_all(moved.rows_affected(), moves.len())?;
    count(connection, moves).await
}

/// Makes pending requests, found in this same transaction, active under their GUIDs.
pub(super) async fn start(connection: &mut SqliteConnection, moves: &[(&Fact, &Fact)]) -> Result<(), Error> {
    let rows = moves.iter().map(|(_, new)| (new.reg_id, new.idx, new.state, new.guid.as_deref().map(tag)));
    let rows: Vec<_> = rows.collect();
    let moved = sqlx::query(START).bind(json(&rows)?).execute(&mut *connection).await?;
    expect_all(moved.rows_affected(), moves.len())?;
    count(connection, moves).await
}

/// What was read in a transaction is still so in it; if not, nothing of the transaction may be kept.
fn expect_all(moved: u64, expected: usize) -> Result<(), Error> {
    if u64::try_from(expected) == Ok(moved) { Ok(()) } else { Err(Error::Ledger(sqlx::Error::RowNotFound)) }
}

/// The counters of registrations and lanes after these moves: each row is written once, however many requests moved.
async fn count(connection: &mut SqliteConnection, moves: &[(&Fact, &Fact)]) -> Result<(), Error> {
    let mut registrations: BTreeMap<i64, [i64; 12]> = BTreeMap::new();
    let mut lanes: BTreeMap<(i64, i64), i64> = BTreeMap::new();
    for (old, new) in moves {
        let (before, after) = (old.counts(), new.counts());
        let sums = registrations.entry(old.reg_id).or_default();
        for ((sum, before), after) in sums.iter_mut().zip(before).zip(after) {
            *sum += after - before;
        }
        if before[0] != after[0] {
            *lanes.entry((old.reg_id, old.host_id)).or_default() += after[0] - before[0];
        }
    }
    for (reg_id, sums) in registrations.into_iter().filter(|(_, sums)| sums.iter().any(|sum| *sum != 0)) {
        let mut count = sqlx::query(COUNT).bind(reg_id);
        for sum in sums {
            count = count.bind(sum);
        }
        count.execute(&mut *connection).await?;
    }
    for ((reg_id, host_id), sum) in lanes {
        sqlx::query(LANE).bind(reg_id).bind(host_id).bind(sum).execute(&mut *connection).await?;
    }
    Ok(())
}
