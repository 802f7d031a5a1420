//! Compares every counter with the rows that it counts, by scanning all rows, and recomputes wrong counters. Called by
//! `doctor` and the tests.
//!
//! - Counters, lanes, names and usage follow from other rows, so [`LedgerWriter::recompute`] can write them again.
//! - A record that contradicts another record cannot be recomputed and is only reported.

use sqlx::SqliteConnection;

use crate::{
    EngineError,
    model::{CounterMismatch, MiscountKind},
    store::{
        columns::unique_id,
        ledger::{LedgerStore, LedgerWriter},
        requests::outcomes::settle,
        statement::statements,
    },
};

/// Maximum number of reported contradictions of each kind. Contradictions that are not reported are still repaired.
const NAMED: i64 = 100;

/// SQL that selects each registration whose counters differ from the sums over its requests.
macro_rules! miscounted {
    () => {
        "SELECT r.reg_id FROM registration r JOIN (
           SELECT reg_id, count(*) AS n, sum(state = 0) AS pending, sum(state = 1) AS active, sum(state = 2) AS succeeded,
             sum(state = 3) AS waiting, sum(state = 4) AS aborted, sum(state = 5) AS failed, sum(size IS NULL) AS unsized,
             sum(state <> 2 AND kept > 0) AS partial, sum(coalesce(size, 0)) AS expected, sum(kept) AS downloaded,
             sum(CASE state WHEN 2 THEN kept ELSE 0 END) AS completed_bytes, sum(sent) AS uploaded
           FROM req_state GROUP BY reg_id) s USING (reg_id)
         WHERE r.doomed = 0 AND (r.n_requests, r.n_pending, r.n_active, r.n_succeeded, r.n_waiting, r.n_aborted, r.n_failed,
             r.n_unsized, r.n_partial, r.expected, r.downloaded, r.completed_bytes, r.uploaded)
           IS NOT (s.n, s.pending, s.active, s.succeeded, s.waiting, s.aborted, s.failed, s.unsized, s.partial, s.expected,
             s.downloaded, s.completed_bytes, s.uploaded)"
    };
}

/// Selects registrations that lack a lane, or in which a lane disagrees with the requests for the host of the lane.
macro_rules! mislaid {
    () => {
        "SELECT l.reg_id FROM lane l JOIN registration r USING (reg_id) WHERE r.doomed = 0 AND (
           l.n_pending <> (SELECT count(*) FROM req_state s WHERE s.reg_id = l.reg_id AND s.host_id = l.host_id AND s.state = 0)
           OR l.n_pending > 0 AND l.first_idx IS NOT
             (SELECT min(idx) FROM req_state s WHERE s.reg_id = l.reg_id AND s.host_id = l.host_id AND s.state = 0))
         UNION SELECT s.reg_id FROM req_state s JOIN registration r USING (reg_id) WHERE r.doomed = 0 AND NOT EXISTS (
           SELECT 1 FROM lane l WHERE l.reg_id = s.reg_id AND l.host_id = s.host_id)"
    };
}

/// Computes the rows that `usage` should have, from the requests.
macro_rules! used {
    () => {
        "SELECT r.owner_id, s.category, sum(s.state = 2 OR s.state NOT IN (1, 4) AND s.kept > 0) AS files,
           sum(CASE WHEN s.state IN (1, 4) THEN 0 ELSE s.kept END) AS kept, sum(s.state = 1) AS running,
           sum(CASE WHEN s.state = 1 THEN max(s.kept, coalesce(s.size, 0)) ELSE 0 END) AS expected
         FROM req_state s JOIN registration r ON r.reg_id = s.reg_id GROUP BY r.owner_id, s.category"
    };
}

/// Selects id and title of each registration in the result of `$found`.
macro_rules! named {
    ($found:expr) => {
        concat!(
            "SELECT r.unique_id, f.title FROM registration r JOIN face f USING (reg_id) WHERE r.reg_id IN (",
            $found,
            ") ORDER BY r.reg_id LIMIT ?1"
        )
    };
}

statements! {
    COUNTERS: Listing = named!(miscounted!());
    LANES: Listing = named!(mislaid!());
    NAMES: Listing = named!(
        "SELECT r.reg_id FROM registration r WHERE r.active <> EXISTS (SELECT 1 FROM active_name n WHERE n.reg_id = r.reg_id)"
    );
    UNSETTLED: Listing = named!(
        "SELECT reg_id FROM registration WHERE active = 1 AND n_pending + n_active + n_waiting = 0"
    );
    CONTRADICTED: Listing = named!(
        "SELECT s.reg_id FROM req_state s JOIN voucher v ON v.reg_id = s.reg_id AND v.idx = s.idx
         WHERE s.state = 2 AND v.said <> '' AND v.found <> '' AND v.said <> v.found"
    );
    UNANSWERED: Listing = named!(
        "SELECT s.reg_id FROM req_state s JOIN registration r USING (reg_id) WHERE r.doomed = 0 AND (s.state = 2) <> EXISTS (
           SELECT 1 FROM response_done d WHERE d.reg_id = s.reg_id AND d.idx = s.idx)"
    );
    USAGE: Listing = concat!(
        "WITH should AS (", used!(), "), says AS (SELECT owner_id, category, files, kept, running, expected FROM usage)
         SELECT name FROM owner WHERE owner_id IN (
           SELECT owner_id FROM (SELECT * FROM should EXCEPT SELECT * FROM says) WHERE (files, kept, running, expected) <> (0, 0, 0, 0)
           UNION
           SELECT owner_id FROM (SELECT * FROM says EXCEPT SELECT * FROM should) WHERE (files, kept, running, expected) <> (0, 0, 0, 0))
         ORDER BY owner_id LIMIT ?1"
    );
    RECOUNT: Listing = concat!(
        "UPDATE registration SET (n_requests, n_pending, n_active, n_succeeded, n_waiting, n_aborted, n_failed, n_unsized, n_partial,
             expected, downloaded, completed_bytes, uploaded) = (
           SELECT count(*), sum(state = 0), sum(state = 1), sum(state = 2), sum(state = 3), sum(state = 4), sum(state = 5),
             sum(size IS NULL), sum(state <> 2 AND kept > 0), sum(coalesce(size, 0)), sum(kept),
             sum(CASE state WHEN 2 THEN kept ELSE 0 END), sum(sent)
           FROM req_state s WHERE s.reg_id = registration.reg_id)
         WHERE reg_id IN (", miscounted!(), ")"
    );
    EMPTY_LANES: Listing =
        "UPDATE lane SET n_pending = 0 WHERE n_pending > 0 AND NOT EXISTS (
           SELECT 1 FROM req_state s WHERE s.reg_id = lane.reg_id AND s.host_id = lane.host_id AND s.state = 0)";
    // If a lane has no pending request, the stored value for its first request has no meaning.
    RELAY: Listing = concat!(
        "INSERT INTO lane (reg_id, host_id, first_idx, n_pending)
         SELECT reg_id, host_id, coalesce(min(CASE state WHEN 0 THEN idx END), min(idx)), sum(state = 0)
         FROM req_state WHERE reg_id IN (", mislaid!(), ") GROUP BY reg_id, host_id
         ON CONFLICT (reg_id, host_id) DO UPDATE SET first_idx = excluded.first_idx, n_pending = excluded.n_pending"
    );
    FREE_NAMES: Listing =
        "DELETE FROM active_name WHERE reg_id IN (SELECT reg_id FROM registration WHERE active = 0)";
    // If another active registration of the owner has taken the name, that registration keeps the name.
    TAKE_NAMES: Listing =
        "INSERT OR IGNORE INTO active_name (reg_id, owner_id, developer_id, content)
         SELECT r.reg_id, r.owner_id, g.developer_id, g.content FROM registration r JOIN given g USING (reg_id)
         WHERE r.active = 1 AND NOT EXISTS (SELECT 1 FROM active_name n WHERE n.reg_id = r.reg_id)";
    FORGET_USAGE: Listing = "DELETE FROM usage";
    COUNT_USAGE: Listing = concat!("INSERT INTO usage (owner_id, category, files, kept, running, expected) ", used!());
    ENDED: Walk =
        "SELECT reg_id FROM registration INDEXED BY reg_finished WHERE active = 1 AND n_pending + n_active + n_waiting = 0";
}

/// Checks of registrations, in the order in which they are reported.
const OF_REGISTRATIONS: [(MiscountKind, &str); 6] = [
    (MiscountKind::Counters, COUNTERS),
    (MiscountKind::Lanes, LANES),
    (MiscountKind::Name, NAMES),
    (MiscountKind::Unsettled, UNSETTLED),
    (MiscountKind::Digest, CONTRADICTED),
    (MiscountKind::Response, UNANSWERED),
];

impl LedgerStore {
    /// Returns the contradictions in the ledger, the first hundred of each kind; empty if there are none. Reads the
    /// whole ledger.
    pub async fn audit(&self) -> Result<Vec<CounterMismatch>, EngineError> {
        let mut reader = self.readers().begin().await?;
        audit(&mut reader).await
    }
}

impl LedgerWriter<'_> {
    /// Returns the contradictions as this transaction sees them.
    pub async fn audit(&mut self) -> Result<Vec<CounterMismatch>, EngineError> {
        audit(self.connection()?).await
    }

    /// Recomputes every wrong counter, lane, name and usage. Then settles finished registrations.
    pub async fn recompute(&mut self, now_us: i64) -> Result<(), EngineError> {
        let (connection, remembered, tallies) = self.parts()?;
        remembered.clear();
        for statement in [RECOUNT, EMPTY_LANES, RELAY, FREE_NAMES, TAKE_NAMES, FORGET_USAGE, COUNT_USAGE] {
            sqlx::query(statement).execute(&mut *connection).await?;
        }
        let ended: Vec<i64> = sqlx::query_scalar(ENDED).fetch_all(&mut *connection).await?;
        for reg_id in ended {
            settle(connection, tallies, reg_id, now_us).await?;
        }
        Ok(())
    }
}

async fn audit(connection: &mut SqliteConnection) -> Result<Vec<CounterMismatch>, EngineError> {
    let mut wrong = Vec::new();
    for (kind, sql) in OF_REGISTRATIONS {
        let found: Vec<(Vec<u8>, String)> = sqlx::query_as(sql).bind(NAMED).fetch_all(&mut *connection).await?;
        for (id, name) in found {
            wrong.push(CounterMismatch { kind, unique_id: Some(unique_id(&id)?), name });
        }
    }
    let owners: Vec<String> = sqlx::query_scalar(USAGE).bind(NAMED).fetch_all(connection).await?;
    wrong.extend(owners.into_iter().map(|name| CounterMismatch { kind: MiscountKind::Usage, unique_id: None, name }));
    Ok(wrong)
}
