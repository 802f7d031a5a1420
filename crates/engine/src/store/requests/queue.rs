//! Moves requests through the queue: dispatch (storage operation 4), release, and waking due requests.
//!
//! - Dispatch walks an owner's runnable registrations in order and reads their lanes. It reads only requests that it
//!   dispatches.
//! - Registrations that are paused, aborted or settled are not part of this walk, regardless of their number of
//!   requests.
//! - Registrations whose hosts are all in cooldown are skipped one by one. For each such host, one lane is read.

use std::{cmp::Reverse, path::PathBuf};

use ashore_transfer::Guid;
use serde::Deserialize;
use sqlx::SqliteConnection;

use crate::{
    EngineError,
    model::UniqueId,
    store::{
        ExpiryCandidate, OwnerFilter, PickedRequest, ReleaseOutcome, SkipSet, StartableRequest,
        columns::{self, category, flag, from_json, key, narrow, row, source, unsigned},
        ledger::{LedgerStore, LedgerWriter},
        registrations::queue_order::{has_quota, has_space, runnable},
        requests::{
            attempts,
            checksum_links::{ChecksumRow, asked},
            expectations::{ExpectationRow, known},
            fact::{ABORTED, ACTIVE, OwnedRequest, PENDING, StoredRequest, WAITING},
            state::{self, OwnedTransition, RememberedFile, fact, found},
        },
        rows::FairTurn,
        statement::statements,
        sync::marks::SyncChange,
        totals::tally::TallyMap,
    },
};

/// Columns that a transfer needs. `$has_begun` is true if a partial file may exist. A request that was running when an
/// engine ended may have left a partial file.
macro_rules! activated {
    ($has_begun:literal) => {
        concat!(
            "SELECT json_array(",
            fact!(),
            ", f.next, hex(r.unique_id), r.active, r.paused, r.priority, r.lane_rank, r.parallel > 0, r.owner_id,
               (SELECT name FROM owner WHERE owner_id = r.owner_id), g.source,
               g.connections, r.download_total, r.completed_bytes,
               q.method, q.url, q.headers, q.body_path, q.body_size, q.name, q.digest, g.folder, ",
            known!(),
            ", ",
            asked!(),
            ", ",
            $has_begun,
            ")",
        )
    };
}

/// Selects lanes of runnable registrations that match `$wanted`, in queue order.
macro_rules! pick {
    ($registrations:literal, $wanted:literal) => {
        concat!(
            "SELECT r.reg_id, l.host_id, l.first_idx, CASE r.parallel WHEN 0 THEN r.n_pending ELSE r.parallel - r.n_active END
             FROM ",
            $registrations,
            " CROSS JOIN lane l INDEXED BY lane_ready ON l.reg_id = r.reg_id AND l.n_pending > 0
             WHERE ",
            runnable!("r"),
            " AND ",
            $wanted,
            " AND (SELECT paused FROM wish WHERE one = 1) = 0
               AND l.host_id NOT IN (SELECT value FROM json_each(?1)) ",
            has_space!("?2", "?3"),
            has_quota!("?4"),
            "
             ORDER BY r.lane_rank, r.reg_id, l.first_idx LIMIT 2"
        )
    };
}

statements! {
    // The query returns the next lane and the one after it. Only requests that precede the first request of the second
    // lane may be taken from the first lane.
    PICK: Search = pick!("registration r INDEXED BY reg_runnable", "r.priority = ?5 AND r.owner_id = ?6");
    // The query for a single registration returns the same columns. It ignores gates (general reasons to wait).
    PICK_OF: Search = pick!("registration r", "r.unique_id = ?5");
    READ_PICKED: Search = concat!(
        activated!("s.kept > 0 OR EXISTS (SELECT 1 FROM response_head b WHERE b.reg_id = s.reg_id AND b.idx = s.idx)"),
        " FROM req_state s INDEXED BY rs_pending CROSS JOIN registration r ON r.reg_id = s.reg_id
          CROSS JOIN given g ON g.reg_id = s.reg_id
          CROSS JOIN request q ON q.reg_id = s.reg_id AND q.idx = s.idx
          LEFT JOIN expectation e ON e.reg_id = s.reg_id AND e.idx = s.idx
          LEFT JOIN follow_on f ON f.reg_id = s.reg_id AND f.idx = s.idx
          WHERE s.reg_id = ?1 AND s.host_id = ?2 AND s.state = 0 AND s.idx < ?3 ORDER BY s.idx LIMIT ?4"
    );
    READ_OPTIONAL: Search = concat!(
        activated!("s.kept > 0 OR EXISTS (SELECT 1 FROM response_head b WHERE b.reg_id = s.reg_id AND b.idx = s.idx)"),
        " FROM json_each(?1) j CROSS JOIN req_state s INDEXED BY rs_optional ON s.host_id = j.value
          CROSS JOIN registration r ON r.reg_id = s.reg_id AND r.active = 1 AND r.paused = 0
          CROSS JOIN given g ON g.reg_id = s.reg_id
          CROSS JOIN request q ON q.reg_id = s.reg_id AND q.idx = s.idx
          LEFT JOIN expectation e ON e.reg_id = s.reg_id AND e.idx = s.idx
          LEFT JOIN follow_on f ON f.reg_id = s.reg_id AND f.idx = s.idx
          WHERE s.state = 0 AND s.optional = 1 AND (SELECT paused FROM wish WHERE one = 1) = 0 LIMIT ?2"
    );
    READ_ACTIVE: Walk = concat!(
        activated!("1"),
        " FROM req_state s INDEXED BY rs_active CROSS JOIN registration r ON r.reg_id = s.reg_id
          JOIN given g ON g.reg_id = s.reg_id
          JOIN request q ON q.reg_id = s.reg_id AND q.idx = s.idx
          LEFT JOIN expectation e ON e.reg_id = s.reg_id AND e.idx = s.idx
          LEFT JOIN follow_on f ON f.reg_id = s.reg_id AND f.idx = s.idx
          WHERE s.state = 1"
    );
    READ_BEGUN: Walk = concat!(
        activated!("1"),
        ", h.name, h.total_size FROM registration r INDEXED BY reg_active
          CROSS JOIN given g ON g.reg_id = r.reg_id
          CROSS JOIN req_state s ON s.reg_id = r.reg_id AND s.state IN (0, 1, 3) AND s.guid IS NOT NULL
          CROSS JOIN response_head h ON h.reg_id = s.reg_id AND h.idx = s.idx AND h.total_size IS NOT NULL
          CROSS JOIN request q ON q.reg_id = s.reg_id AND q.idx = s.idx AND q.method = 'GET'
          LEFT JOIN expectation e ON e.reg_id = s.reg_id AND e.idx = s.idx
          LEFT JOIN follow_on f ON f.reg_id = s.reg_id AND f.idx = s.idx
          WHERE r.active = 1"
    );
    NEXT_DUE: Walk =
        "SELECT not_before_us FROM req_state INDEXED BY rs_waiting WHERE state = 3 ORDER BY not_before_us LIMIT 1";
    LAST_DUE: Walk =
        "SELECT not_before_us FROM req_state INDEXED BY rs_waiting WHERE state = 3 ORDER BY not_before_us DESC LIMIT 1";
    TOO_LATE: Search =
        "UPDATE req_state INDEXED BY rs_waiting SET not_before_us = ?1 WHERE state = 3 AND not_before_us > ?2";
    PUT_OFF: Search =
        "UPDATE req_state INDEXED BY rs_waiting SET not_before_us = max(not_before_us + ?1, 0) WHERE state = 3 AND not_before_us >= 0";
    // The codes stand for two kinds of failure: the server was not reached, or the connection was interrupted. The HTTP
    // statuses are included because a gateway of the previous network may have sent them.
    FOR_NETWORK: Search =
        "UPDATE req_state INDEXED BY rs_waiting SET not_before_us = ?1
         WHERE state = 3 AND not_before_us > ?1 AND EXISTS (
           SELECT 1 FROM attempt a WHERE a.reg_id = req_state.reg_id AND a.idx = req_state.idx AND a.number = req_state.tries
             AND (a.code IN ('dns', 'name-server', 'connect', 'connect-timeout', 'proxy', 'tls-handshake', 'timeout', 'reset', 'truncated')
               OR a.status IN (500, 502, 504)))";
    PENDING_LANES: Search =
        "SELECT r.priority, r.owner_id, l.host_id FROM registration r CROSS JOIN lane l INDEXED BY lane_ready ON l.reg_id = r.reg_id
         WHERE r.unique_id = ?1 AND l.n_pending > 0";
    DUE: Search = concat!(
        "SELECT ", found!(), "
         FROM req_state s INDEXED BY rs_waiting CROSS JOIN registration r ON r.reg_id = s.reg_id
         WHERE s.state = 3 AND s.not_before_us <= ?1 ORDER BY s.not_before_us, s.reg_id, s.idx LIMIT ?2"
    );
    PAUSE: Search = "UPDATE registration SET paused = ?2 WHERE unique_id = ?1 AND doomed = 0 RETURNING reg_id";
    PAUSE_ALL: Search = "UPDATE wish SET paused = ?1 WHERE one = 1";
    IS_PAUSED: Search = "SELECT paused FROM wish WHERE one = 1";
    HOSTS: Search =
        "SELECT l.host_id FROM registration r CROSS JOIN lane l ON l.reg_id = r.reg_id WHERE r.unique_id = ?1";
    RUNNING: Walk = "SELECT count(*) FROM registration INDEXED BY reg_running WHERE active = 1 AND n_active > 0";
    IDLE: Walk =
        "SELECT count(*) FROM registration INDEXED BY reg_idle
         WHERE active = 1 AND paused = 0 AND n_active = 0 AND (SELECT paused FROM wish WHERE one = 1) = 0";
}

/// A request with everything that a transfer needs, in the column order of `activated`.
#[derive(Debug, Deserialize)]
struct Wide {
    fact: StoredRequest,
    next: Option<String>,
    unique_id: UniqueId,
    #[serde(deserialize_with = "flag")]
    active: bool,
    #[serde(deserialize_with = "flag")]
    paused: bool,
    priority: i64,
    lane_rank: i64,
    #[serde(deserialize_with = "flag")]
    is_limited: bool,
    owner: i64,
    owner_name: String,
    source: i64,
    connections: i64,
    download_total: i64,
    completed_bytes: i64,
    method: String,
    url: String,
    headers: String,
    body_path: Option<String>,
    body_size: i64,
    name: Option<String>,
    digest: Option<String>,
    #[serde(with = "crate::model::values::path_text")]
    folder: PathBuf,
    known: ExpectationRow,
    asked: ChecksumRow,
    #[serde(deserialize_with = "flag")]
    has_begun: bool,
}

impl Wide {
    /// Returns the size of the file in bytes, if it is known; `None` for an upload.
    fn size(&self) -> Option<u64> {
        self.fact.size.map(unsigned).or(self.known.size()).filter(|_| self.body_path.is_none())
    }

    fn candidate(&self) -> ExpiryCandidate<'_> {
        ExpiryCandidate {
            unique_id: self.unique_id,
            owner: self.owner,
            category: category(self.fact.category),
            folder: &self.folder,
            guid: self.fact.guid.filter(|_| self.has_begun),
            kept: unsigned(self.fact.kept),
            size: self.size(),
        }
    }

    fn into_activated(self, guid: Guid) -> StartableRequest {
        let body_size = unsigned(self.body_size);
        let size = self.size();
        let (compute, said) = self.asked.digests();
        StartableRequest {
            unique_id: self.unique_id,
            index: narrow(self.fact.idx),
            guid,
            method: self.method,
            url: self.url,
            headers: from_json(&self.headers),
            body: self.body_path.map(|path| (columns::path(&path), body_size)),
            folder: self.folder,
            name: self.name,
            digest: self.digest,
            expectation: self.known.into_expectation(),
            next: self.next.and_then(|next| from_json(&next)),
            is_optional: self.fact.optional,
            vouches: self.asked.vouches,
            compute,
            said,
            owner: self.owner,
            source: source(self.source),
            connections: usize::try_from(self.connections).ok().filter(|connections| *connections > 0),
            keeps_credentials: source(self.source).keeps_own_credentials(&self.owner_name),
            category: category(self.fact.category),
            size,
            room: None,
            host: self.fact.host_id,
            attempt: narrow(self.fact.attempt),
            kept: unsigned(self.fact.kept),
            has_begun: self.has_begun,
            is_placed: false,
            is_at_once: false,
            is_wanted: self.active,
            is_paused: self.paused,
            is_limited: self.is_limited,
            download_total: unsigned(self.download_total),
            completed_bytes: unsigned(self.completed_bytes),
        }
    }
}

impl LedgerStore {
    /// Storage operation 1, second part: returns every active request with everything that a restart under the same
    /// GUID needs. Sorted in dispatch order.
    pub async fn active_requests(&self) -> Result<Vec<StartableRequest>, EngineError> {
        let rows: Vec<String> = sqlx::query_scalar(READ_ACTIVE).fetch_all(self.readers()).await?;
        let mut rows = rows.iter().map(|text| row(text)).collect::<Result<Vec<Wide>, _>>()?;
        rows.sort_by_key(|wide| (Reverse(wide.priority), wide.lane_rank, wide.fact.reg_id, wide.fact.idx));
        let named = rows.into_iter().filter_map(|wide| Some((wide.fact.guid?, wide)));
        Ok(named.map(|(guid, wide)| wide.into_activated(guid)).collect())
    }

    /// Returns every unfinished download that has begun and whose response gave a name and a size. Each result includes
    /// that name and size.
    pub async fn begun(&self) -> Result<Vec<(StartableRequest, String, u64)>, EngineError> {
        let rows: Vec<(String, String, i64)> = sqlx::query_as(READ_BEGUN).fetch_all(self.readers()).await?;
        let mut begun = Vec::with_capacity(rows.len());
        for (text, name, size) in rows {
            let wide: Wide = row(&text)?;
            if let Some(guid) = wide.fact.guid {
                begun.push((wide.into_activated(guid), name, unsigned(size)));
            }
        }
        Ok(begun)
    }

    /// Returns the time when the next waiting request is due, in µs.
    pub async fn next_due(&self) -> Result<Option<i64>, EngineError> {
        Ok(sqlx::query_scalar(NEXT_DUE).fetch_optional(self.readers()).await?)
    }

    /// Returns the time when the last waiting request is due, in µs.
    pub async fn last_due(&self) -> Result<Option<i64>, EngineError> {
        Ok(sqlx::query_scalar(LAST_DUE).fetch_optional(self.readers()).await?)
    }

    /// Returns whether everything is paused.
    pub async fn is_paused(&self) -> Result<bool, EngineError> {
        Ok(sqlx::query_scalar(IS_PAUSED).fetch_one(self.readers()).await?)
    }

    /// Returns the hosts of a registration's requests.
    pub async fn hosts(&self, id: UniqueId) -> Result<Vec<i64>, EngineError> {
        Ok(sqlx::query_scalar(HOSTS).bind(key(&id)).fetch_all(self.readers()).await?)
    }

    /// Returns the hosts of a registration's pending requests, each with the owner and the priority of the
    /// registration.
    pub async fn pending_lanes(&self, id: UniqueId) -> Result<Vec<(FairTurn, i64)>, EngineError> {
        let rows: Vec<(i64, i64, i64)> = sqlx::query_as(PENDING_LANES).bind(key(&id)).fetch_all(self.readers()).await?;
        Ok(rows.into_iter().map(|(priority, owner, host)| (FairTurn { priority, owner }, host)).collect())
    }

    /// Returns the number of running registrations, and the number of waiting registrations that continue without user
    /// action.
    pub async fn running_and_waiting(&self) -> Result<(u32, u32), EngineError> {
        let running: i64 = sqlx::query_scalar(RUNNING).fetch_one(self.readers()).await?;
        let waiting: i64 = sqlx::query_scalar(IDLE).fetch_one(self.readers()).await?;
        Ok((narrow(running), narrow(waiting)))
    }
}

impl LedgerWriter<'_> {
    /// Storage operation 4: marks the next pending requests as active and returns them.
    ///
    /// Takes requests of the first runnable registration that matches `whose` and is not excluded by `passed`. All of
    /// these requests are from one host, in order. Their number is limited by the `room` of that host and by the
    /// parallel limit of the registration. Stops at the first request that `may_start` refuses. Takes no request while
    /// everything is paused. A request keeps its GUID, or gets a `fresh` GUID.
    pub async fn next_pending_requests_and_mark_them_active(
        &mut self,
        whose: OwnerFilter,
        passed: &SkipSet<'_>,
        room: impl Fn(i64) -> u32,
        mut may_start: impl FnMut(&ExpiryCandidate<'_>) -> bool,
        mut fresh: impl FnMut() -> Guid,
    ) -> Result<PickedRequest, EngineError> {
        let (hosts, folders, ids, full) = passed.lists()?;
        let (connection, remembered, tallies) = self.parts()?;
        let pick = sqlx::query_as(match whose {
            OwnerFilter::Turn(_) => PICK,
            OwnerFilter::Of(_) => PICK_OF,
        });
        let pick = pick.bind(hosts).bind(folders).bind(ids).bind(full);
        let pick = match whose {
            OwnerFilter::Turn(turn) => pick.bind(turn.priority).bind(turn.owner),
            OwnerFilter::Of(id) => pick.bind(key(&id).to_vec()),
        };
        let lanes: Vec<(i64, i64, i64, i64)> = pick.fetch_all(&mut *connection).await?;
        let Some((reg_id, host, _, left)) = lanes.first().copied() else { return Ok(PickedRequest::Some(Vec::new())) };
        let end = lanes.get(1).filter(|next| next.0 == reg_id).map_or(i64::MAX, |next| next.2);
        let picked: Vec<String> = sqlx::query_scalar(READ_PICKED)
            .bind(reg_id)
            .bind(host)
            .bind(end)
            .bind(left.min(room(host).into()))
            .fetch_all(&mut *connection)
            .await?;
        let mut wanted = Vec::with_capacity(picked.len());
        for text in picked {
            let wide: Wide = row(&text)?;
            if !may_start(&wide.candidate()) {
                if wanted.is_empty() {
                    return Ok(PickedRequest::NoRoom);
                }
                break;
            }
            wanted.push(wide);
        }
        Ok(PickedRequest::Some(mark_active((connection, remembered, tallies), wanted, &mut fresh).await?))
    }

    /// Marks at most `limit` pending optional requests at these hosts as active, so that they can be ended. Skips
    /// paused registrations. Takes no request while everything is paused.
    pub async fn optional_requests_and_mark_them_active(
        &mut self,
        hosts: &[i64],
        limit: u32,
        mut fresh: impl FnMut() -> Guid,
    ) -> Result<Vec<StartableRequest>, EngineError> {
        let (connection, remembered, tallies) = self.parts()?;
        let rows: Vec<String> =
            sqlx::query_scalar(READ_OPTIONAL).bind(columns::json(&hosts)?).bind(limit).fetch_all(&mut *connection).await?;
        let wanted = rows.iter().map(|text| row(text)).collect::<Result<Vec<Wide>, _>>()?;
        mark_active((connection, remembered, tallies), wanted, &mut fresh).await
    }

    /// Releases an active request that has `bytes` durable bytes. If its registration is inactive, the request becomes
    /// aborted instead.
    pub async fn put_back(
        &mut self,
        guid: Guid,
        bytes: u64,
        how: &ReleaseOutcome,
        now_us: i64,
    ) -> Result<Option<UniqueId>, EngineError> {
        let (connection, remembered, tallies) = self.parts()?;
        let Some(found) = state::active_by_guid(connection, remembered, guid).await? else { return Ok(None) };
        let old = &found.fact;
        let mut new = StoredRequest { kept: columns::signed(bytes), ..old.clone() };
        match how {
            _ if !found.active => new.state = ABORTED,
            ReleaseOutcome::Pending => new.state = PENDING,
            ReleaseOutcome::Waiting { not_before_us, trouble, status, progressed, run } => {
                new.state = WAITING;
                new.not_before_us = *not_before_us;
                new.attempt = if *progressed { 1 } else { old.attempt + 1 };
                new.tries += 1;
                attempts::note(connection, &new, trouble, *status, None, run, now_us).await?;
            }
            ReleaseOutcome::Blameless { not_before_us, trouble, run } => {
                new.state = WAITING;
                new.not_before_us = *not_before_us;
                new.tries += 1;
                attempts::note(connection, &new, trouble, None, None, run, now_us).await?;
            }
        }
        state::shift(connection, tallies, old, &new).await?;
        Ok(Some(found.unique_id))
    }

    /// Changes the state of at most `limit` due requests to pending. Returns their registrations.
    ///
    /// If the registration has ended, its due requests become aborted instead, so that the end of a registration does not
    /// have to write each request.
    pub async fn wake_due(&mut self, now_us: i64, limit: u32) -> Result<Vec<UniqueId>, EngineError> {
        let (connection, _, tallies) = self.parts()?;
        let due: Vec<String> = sqlx::query_scalar(DUE).bind(now_us).bind(limit).fetch_all(&mut *connection).await?;
        let mut whose = Vec::new();
        for text in due {
            let found: OwnedRequest = row(&text)?;
            let state = if found.active { PENDING } else { ABORTED };
            let new = StoredRequest { state, not_before_us: 0, ..found.fact.clone() };
            state::shift(connection, tallies, &found.fact, &new).await?;
            if found.active && !whose.contains(&found.unique_id) {
                whose.push(found.unique_id);
            }
        }
        Ok(whose)
    }

    /// Makes each waiting request due now if its due time is later than `latest_us`.
    pub async fn end_waits_after(&mut self, latest_us: i64, now_us: i64) -> Result<(), EngineError> {
        sqlx::query(TOO_LATE).bind(now_us).bind(latest_us).execute(self.connection()?).await?;
        Ok(())
    }

    /// Shifts the due time of all waiting requests by `by_us`, which may be negative.
    pub async fn put_off_waits(&mut self, by_us: i64) -> Result<(), EngineError> {
        sqlx::query(PUT_OFF).bind(by_us).execute(self.connection()?).await?;
        Ok(())
    }

    /// Makes every request due now if it waits because its server was unreachable.
    pub async fn end_waits_for_network(&mut self, now_us: i64) -> Result<(), EngineError> {
        sqlx::query(FOR_NETWORK).bind(now_us).execute(self.connection()?).await?;
        Ok(())
    }

    /// Pauses or resumes one registration or everything. Fails with `Unknown` if there is no such registration.
    pub async fn set_paused(&mut self, id: Option<UniqueId>, paused: bool, now_us: i64) -> Result<(), EngineError> {
        let (connection, _, tallies) = self.parts()?;
        let Some(id) = id else {
            sqlx::query(PAUSE_ALL).bind(paused).execute(connection).await?;
            return Ok(());
        };
        let touched: Option<i64> = sqlx::query_scalar(PAUSE).bind(key(&id)).bind(paused).fetch_optional(connection).await?;
        tallies.marks.add(touched.ok_or(EngineError::Unknown(id))?, SyncChange::Requested(now_us));
        Ok(())
    }
}

/// Makes pending requests active. A request keeps its GUID, or gets a `fresh` GUID.
async fn mark_active(
    (connection, remembered, tallies): (&mut SqliteConnection, &mut RememberedFile, &mut TallyMap),
    wanted: Vec<Wide>,
    fresh: &mut impl FnMut() -> Guid,
) -> Result<Vec<StartableRequest>, EngineError> {
    let mut named = Vec::with_capacity(wanted.len());
    for wide in wanted {
        let name = wide.fact.guid.unwrap_or_else(&mut *fresh);
        let new = StoredRequest { state: ACTIVE, guid: Some(name), ..wide.fact.clone() };
        named.push((wide, new, name));
    }
    if !named.is_empty() {
        let moves: Vec<_> = named.iter().map(|(wide, new, _)| (&wide.fact, new)).collect();
        state::start(connection, tallies, &moves).await?;
    }
    let started = named.into_iter().map(|(wide, fact, name)| {
        remembered.hold(name, OwnedTransition { fact, unique_id: wide.unique_id });
        wide.into_activated(name)
    });
    Ok(started.collect())
}
