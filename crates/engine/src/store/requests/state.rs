//! Changes the row that holds the state of a request, together with its counters.
//!
//! - [`shift`] writes the row, its registration's counters and its lane; [`shift_active`] and [`start`] do so for
//!   many rows. Changes of the running totals are collected until the commit.
//! - Thousands of small files need only a few transactions. Rows go to SQLite as one JSON argument, since a
//!   statement for each row would cost a round trip to the writer's thread. Each row is returned as one text, since
//!   otherwise every column of every row would be copied separately.
//! - Active requests are cached after a write, so that they need not be queried from SQLite again.

use std::collections::{BTreeMap, HashMap};

use ashore_transfer::Guid;
use serde::Serialize;
use sqlx::{FromRow, SqliteConnection};

use crate::{
    EngineError,
    model::UniqueId,
    store::{
        columns::{json, row, tag},
        requests::fact::{COMPLETED, OwnedRequest, StoredRequest},
        statement::statements,
        sync::marks::SyncChange,
        totals::tally::{HostTally, TallyMap},
    },
};

/// SQL for the JSON of a [`StoredRequest`], from a row `s`.
macro_rules! fact {
    () => {
        "json_array(s.reg_id, s.idx, s.host_id, s.optional, s.state, CASE WHEN s.guid IS NOT NULL THEN hex(s.guid) END,
           s.attempt, s.tries, s.not_before_us, s.kept, s.sent, s.size, s.category)"
    };
}
/// SQL for the JSON of an [`OwnedRequest`], from a row `s` and the row `r` of its registration.
macro_rules! found {
    () => {
        concat!("json_array(", fact!(), ", hex(r.unique_id), r.active)")
    };
}
pub(in crate::store) use {fact, found};

statements! {
    // Each use of the GUID index repeats the condition of the index word for word, because SQLite would not use the
    // index otherwise.
    ACTIVE_BY_GUID: Search = concat!(
        "SELECT ", found!(), "
         FROM req_state s INDEXED BY rs_guid JOIN registration r ON r.reg_id = s.reg_id
         WHERE s.guid = ?1 AND s.state <> 2 AND s.state = 1"
    );
    // The result has no row for a GUID without an active request. For this reason the first column is the position of
    // the GUID in the argument.
    ACTIVE_BY_GUIDS: Search = concat!(
        "SELECT json_array(j.key, ", found!(), ")
         FROM json_each(?1) j CROSS JOIN req_state s INDEXED BY rs_guid ON s.guid = unhex(j.value) AND s.state <> 2
         CROSS JOIN registration r ON r.reg_id = s.reg_id
         WHERE s.state = 1"
    );
    MOVE: Search =
        "UPDATE req_state SET state = ?4, attempt = ?5, tries = ?6, not_before_us = ?7, kept = ?8, sent = ?9, size = ?10
         WHERE reg_id = ?1 AND idx = ?2 AND state = ?3";
    // Write only changed columns, so that SQLite does not update the indexes of the other columns. The state column
    // alone is in six indexes.
    RESIZE: Search =
        "UPDATE req_state SET kept = j.value ->> 2, size = j.value ->> 3, category = j.value ->> 4
         FROM json_each(?1) j
         WHERE req_state.reg_id = j.value ->> 0 AND req_state.idx = j.value ->> 1 AND req_state.state = 1";
    COMPLETE: Search =
        "UPDATE req_state SET state = 2, tries = j.value ->> 2, kept = j.value ->> 3, sent = j.value ->> 4, size = j.value ->> 5,
           category = j.value ->> 6
         FROM json_each(?1) j
         WHERE req_state.reg_id = j.value ->> 0 AND req_state.idx = j.value ->> 1 AND req_state.state = 1";
    START: Search =
        "UPDATE req_state SET state = 1, guid = unhex(j.value ->> 2)
         FROM json_each(?1) j
         WHERE req_state.reg_id = j.value ->> 0 AND req_state.idx = j.value ->> 1 AND req_state.state = 0";
    COUNT: Search =
        "UPDATE registration SET n_pending = n_pending + ?2, n_active = n_active + ?3, n_waiting = n_waiting + ?4,
           n_succeeded = n_succeeded + ?5, n_failed = n_failed + ?6, n_aborted = n_aborted + ?7,
           n_unsized = n_unsized + ?8, n_partial = n_partial + ?9,
           expected = expected + ?10, downloaded = downloaded + ?11, completed_bytes = completed_bytes + ?12, uploaded = uploaded + ?13
         WHERE reg_id = ?1 RETURNING n_pending + n_active + n_waiting AS remaining, n_unsized";
    LANE: Search =
        "UPDATE lane SET n_pending = n_pending + ?3, first_idx = coalesce(
           (SELECT idx FROM req_state INDEXED BY rs_pending
            WHERE reg_id = ?1 AND host_id = ?2 AND state = 0 ORDER BY idx LIMIT 1), first_idx)
         WHERE reg_id = ?1 AND host_id = ?2";
}

/// An active request and its registration.
#[derive(Clone, Debug)]
pub(crate) struct OwnedTransition {
    pub fact: StoredRequest,
    pub unique_id: UniqueId,
}

/// Cache of active requests by GUID, with the same values as in the ledger. Not every active request has an entry. A
/// caller removes the entry of a request before it changes the request, so that a failure leaves no wrong entry. A
/// rollback clears the cache.
#[derive(Debug, Default)]
pub(crate) struct RememberedFile(HashMap<Guid, OwnedTransition>);

impl RememberedFile {
    pub fn hold(&mut self, guid: Guid, owned: OwnedTransition) {
        self.0.insert(guid, owned);
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// Returns the active request with this GUID, if there is such a request.
pub(in crate::store) async fn active_by_guid(
    connection: &mut SqliteConnection,
    remembered: &mut RememberedFile,
    guid: Guid,
) -> Result<Option<OwnedRequest>, EngineError> {
    remembered.0.remove(&guid);
    let found: Option<String> =
        sqlx::query_scalar(ACTIVE_BY_GUID).bind(guid.0.as_bytes().as_slice()).fetch_optional(connection).await?;
    found.map(|text| row(&text)).transpose()
}

/// Returns the active request for each of these GUIDs, in order, or `None` if there is no such request.
pub(in crate::store) async fn active_by_guids(
    connection: &mut SqliteConnection,
    remembered: &mut RememberedFile,
    guids: &[Guid],
) -> Result<Vec<Option<OwnedTransition>>, EngineError> {
    let mut all: Vec<Option<OwnedTransition>> = guids.iter().map(|guid| remembered.0.remove(guid)).collect();
    let unknown: Vec<usize> = (0..all.len()).filter(|place| all.get(*place).is_some_and(Option::is_none)).collect();
    if unknown.is_empty() {
        return Ok(all);
    }
    let asked: Vec<String> = unknown.iter().filter_map(|place| guids.get(*place)).map(|guid| tag(guid.0.as_bytes())).collect();
    let found: Vec<String> = sqlx::query_scalar(ACTIVE_BY_GUIDS).bind(json(&asked)?).fetch_all(connection).await?;
    for text in found {
        let (key, OwnedRequest { fact, unique_id, .. }): (usize, _) = row(&text)?;
        if let Some(place) = unknown.get(key).and_then(|place| all.get_mut(*place)) {
            *place = Some(OwnedTransition { fact, unique_id });
        }
    }
    Ok(all)
}

/// Changes the state of a request from `old` to `new`. Returns false and changes nothing if the request no longer has
/// the state of `old`.
pub(in crate::store) async fn shift(
    connection: &mut SqliteConnection,
    tallies: &mut TallyMap,
    old: &StoredRequest,
    new: &StoredRequest,
) -> Result<bool, EngineError> {
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
    count(connection, tallies, &[(old, new)]).await?;
    Ok(true)
}

/// Changes active requests to other values, or to the completed state. The old values are those that this transaction
/// has read. Returns the registrations without remaining work.
pub(in crate::store) async fn shift_active(
    connection: &mut SqliteConnection,
    tallies: &mut TallyMap,
    moves: &[(&StoredRequest, &StoredRequest)],
) -> Result<Vec<i64>, EngineError> {
    let (mut resized, mut completed) = (Vec::new(), Vec::new());
    for (_, new) in moves {
        match new.state {
            COMPLETED => completed.push((new.reg_id, new.idx, new.tries, new.kept, new.sent, new.size, new.category)),
            _ => resized.push((new.reg_id, new.idx, new.kept, new.size, new.category)),
        }
    }
    write_all(connection, RESIZE, &resized).await?;
    write_all(connection, COMPLETE, &completed).await?;
    count(connection, tallies, moves).await
}

/// Makes pending requests active under their GUIDs. The old values are those that this transaction has read.
pub(in crate::store) async fn start(
    connection: &mut SqliteConnection,
    tallies: &mut TallyMap,
    moves: &[(&StoredRequest, &StoredRequest)],
) -> Result<(), EngineError> {
    let rows: Vec<_> = moves.iter().map(|(_, new)| (new.reg_id, new.idx, new.guid.map(|guid| tag(guid.0)))).collect();
    write_all(connection, START, &rows).await?;
    count(connection, tallies, moves).await.map(drop)
}

/// Runs `statement` for `rows`. Fails if a row has changed since this transaction read it. The caller must then
/// discard the transaction.
async fn write_all(
    connection: &mut SqliteConnection,
    statement: &'static str,
    rows: &[impl Serialize],
) -> Result<(), EngineError> {
    if rows.is_empty() {
        return Ok(());
    }
    let written = sqlx::query(statement).bind(json(&rows)?).execute(connection).await?.rows_affected();
    if u64::try_from(rows.len()) == Ok(written) { Ok(()) } else { Err(EngineError::Ledger(sqlx::Error::RowNotFound)) }
}

/// Counters of a registration after an update.
#[derive(FromRow)]
struct UpdatedCounters {
    /// Number of requests that have not ended.
    remaining: i64,
    n_unsized: i64,
}

impl UpdatedCounters {
    /// Returns whether `changes` made the size of all files known. `changes` has the order of `COUNT`. [pure]
    fn completes_size(&self, changes: &[i64; 12]) -> bool {
        let [.., n_unsized, _, _, _, _, _] = *changes;
        n_unsized < 0 && self.n_unsized == 0
    }
}

/// Updates the counters of registrations and lanes after these state changes. Each row is written once, regardless of
/// the number of changed requests. Returns the registrations without remaining work.
async fn count(
    connection: &mut SqliteConnection,
    tallies: &mut TallyMap,
    moves: &[(&StoredRequest, &StoredRequest)],
) -> Result<Vec<i64>, EngineError> {
    let mut finished = Vec::new();
    let mut registrations: BTreeMap<i64, [i64; 12]> = BTreeMap::new();
    let mut lanes: BTreeMap<(i64, i64), i64> = BTreeMap::new();
    for (old, new) in moves {
        tallies.used.shift(old, new);
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
        let [.., succeeded, failed, _, _, _, _, _, downloaded, uploaded] = sums;
        tallies.change(reg_id, HostTally { succeeded, failed, downloaded, uploaded, ..HostTally::default() });
        let mut count = sqlx::query_as::<_, UpdatedCounters>(COUNT).bind(reg_id);
        for sum in sums {
            count = count.bind(sum);
        }
        let Some(counted) = count.fetch_optional(&mut *connection).await? else { continue };
        if counted.remaining == 0 {
            finished.push(reg_id);
        }
        if counted.completes_size(&sums) {
            tallies.marks.add(reg_id, SyncChange::Facts);
        }
    }
    for ((reg_id, host_id), sum) in lanes {
        sqlx::query(LANE).bind(reg_id).bind(host_id).bind(sum).execute(&mut *connection).await?;
    }
    Ok(finished)
}
