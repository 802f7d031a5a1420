//! Records the reports of transfers: the head (storage operation 5) and the end (storage operation 6). The last request
//! settles its registration.
//!
//! Each report names a GUID. If no active request has that GUID any more, nothing is written, because another
//! transaction has changed the request first.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap},
};

use ashore_transfer::{Guid, ResponseSummary};
use serde::Serialize;
use sqlx::SqliteConnection;

use crate::{
    EngineError,
    intake::file_kind,
    model::{RecordedRestart, UniqueId, accepted::AcceptedRequest},
    store::{
        CompletedResponse, FailedResponse, FileIdentity, ResponseHeadRow, UpdatedRequest,
        columns::{category_number, json, key, missing_number, restart_number, signed, text, unique_id, verified_number},
        ledger::{LedgerStore, LedgerWriter},
        registrations::{delivery::delivers, expiry::expires},
        requests::{
            end_badly::end_badly,
            fact::{ACTIVE, COMPLETED, StoredRequest},
            follow_up,
            state::{self, OwnedTransition},
        },
        statement::statements,
        sync::marks::SyncChange,
        totals::tally::TallyMap,
    },
};

statements! {
    NOT_STARTED: Search =
        "SELECT m.reg_id FROM json_each(?1) j CROSS JOIN sync_mark m ON m.reg_id = j.value WHERE m.started = 0";
    // A partial response (206) continues the stored response; any other response replaces the stored response.
    WRITE_HEADS: Search =
        "INSERT INTO response_head (reg_id, idx, status, status_text, headers, url_chain, total_size, name)
         SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value -> 4, value -> 5, value ->> 6, value ->> 7
         FROM json_each(?1) WHERE true
         ON CONFLICT (reg_id, idx) DO UPDATE SET status = excluded.status, status_text = excluded.status_text,
           headers = excluded.headers, url_chain = excluded.url_chain, total_size = excluded.total_size, name = excluded.name
         WHERE excluded.status <> 206 OR response_head.status NOT BETWEEN 200 AND 299";
    // A preempted attempt may restart twice; only its last restart is stored.
    WRITE_RESTARTS: Search =
        "INSERT INTO restart (reg_id, idx, number, why, bytes)
         SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?1) WHERE true
         ON CONFLICT (reg_id, idx, number) DO UPDATE SET why = excluded.why, bytes = excluded.bytes";
    WRITE_DONE: Search =
        "INSERT INTO response_done (reg_id, idx, path, size, digest, verified, finished_us, device, inode, file_size, modified_ns,
           started_us, brought, missing)
         SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, ?2, value ->> 6, value ->> 7,
           value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12
         FROM json_each(?1)";
    // After a request body was sent, its stored copy is no longer needed.
    BODIES_GO: Search =
        "INSERT OR IGNORE INTO file_gc (path)
         SELECT q.body_path FROM json_each(?1) j CROSS JOIN request q ON q.reg_id = j.value ->> 0 AND q.idx = j.value ->> 1
         WHERE q.body_path IS NOT NULL";
    SETTLE: Search = concat!(
        "UPDATE registration SET active = 0, result = CASE failure WHEN 0 THEN 1 ELSE 2 END, event = 1, settled_us = ?2,
           expires_us = ", expires!("?2"), ", ", delivers!(), "
         WHERE reg_id = ?1 AND active = 1 AND n_pending + n_active + n_waiting = 0"
    );
    FREE_NAME: Search = "DELETE FROM active_name WHERE reg_id = ?1";
    FINISHED: Walk =
        "SELECT unique_id FROM registration INDEXED BY reg_finished
         WHERE active = 1 AND n_pending + n_active + n_waiting = 0";
    FINISHED_WITH_REST: Walk =
        "SELECT EXISTS (
           SELECT 1 FROM registration r INDEXED BY reg_finished JOIN req_state s USING (reg_id)
           WHERE r.active = 1 AND r.n_pending + r.n_active + r.n_waiting = 0 AND s.state IN (0, 1, 3))";
    REG_ID: Search = "SELECT reg_id FROM registration WHERE unique_id = ?1";
    OWED: Walk =
        "SELECT unique_id FROM registration INDEXED BY reg_owed WHERE event = 1 ORDER BY settled_us, reg_id";
    // Extend the expiry, because the retention time must not start before the notification.
    CLAIM: Search = concat!(
        "UPDATE registration SET event = 2, expires_us = max(expires_us, ", expires!("?2"), ")
         WHERE unique_id = ?1 AND event = 1"
    );
}

impl LedgerStore {
    /// Returns registrations that a crash left unsettled although their last request is done.
    pub async fn finished_but_unsettled(&self) -> Result<Vec<UniqueId>, EngineError> {
        let ids: Vec<Vec<u8>> = sqlx::query_scalar(FINISHED).fetch_all(self.readers()).await?;
        ids.iter().map(|id| unique_id(id)).collect()
    }

    /// Returns whether a registration in `finished_but_unsettled` has unfinished requests. In this case its counters
    /// are damaged, and settling it would hide these requests forever.
    pub async fn is_rest_miscounted(&self) -> Result<bool, EngineError> {
        Ok(sqlx::query_scalar(FINISHED_WITH_REST).fetch_one(self.readers()).await?)
    }

    /// Returns registrations with a pending notification, oldest first.
    pub async fn pending_notifications(&self) -> Result<Vec<UniqueId>, EngineError> {
        let ids: Vec<Vec<u8>> = sqlx::query_scalar(OWED).fetch_all(self.readers()).await?;
        ids.iter().map(|id| unique_id(id)).collect()
    }
}

impl LedgerWriter<'_> {
    /// Performs storage operation 5 or 6 for each of `answers`, all in one transaction. Reports on the same GUID are written
    /// in their order. An entry of the result is `None` if no active request has that GUID any more.
    ///
    /// The check for settling runs once at the end. If a registration settles, the entry of its last answer reports
    /// this.
    pub async fn write_answers(
        &mut self,
        answers: &[ResponseHeadRow<'_>],
        now_us: i64,
    ) -> Result<Vec<Option<UpdatedRequest>>, EngineError> {
        let (connection, remembered, tallies) = self.parts()?;
        let mut places: HashMap<Guid, usize> = HashMap::with_capacity(answers.len());
        let mut guids = Vec::with_capacity(answers.len());
        for answer in answers {
            places.entry(answer.guid()).or_insert_with(|| {
                guids.push(answer.guid());
                guids.len() - 1
            });
        }
        let found = state::active_by_guids(connection, remembered, &guids).await?;
        let mut facts: Vec<Option<StoredRequest>> = found.iter().map(|found| found.as_ref().map(|it| it.fact.clone())).collect();
        let (mut heads, mut restarts, mut done, mut bodies) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut whose = Vec::with_capacity(answers.len());
        let mut last_of: BTreeMap<i64, usize> = BTreeMap::new();
        let mut followed = Vec::new();
        for (number, answer) in answers.iter().enumerate() {
            let place = places.get(&answer.guid()).copied().unwrap_or_default();
            let (Some(Some(found)), Some(Some(fact))) = (found.get(place), facts.get_mut(place)) else {
                whose.push(None);
                continue;
            };
            if fact.state == COMPLETED {
                whose.push(None);
                continue;
            }
            match answer {
                ResponseHeadRow::Head(_, head, restart) => {
                    heads.push(HeadRow::from_head(fact, head));
                    restarts.extend(restart.map(|restart| RestartRow::from_restart(fact, restart)));
                    *fact = with_head(fact, head);
                }
                ResponseHeadRow::Completed(_, response, identity, following) => {
                    done.push(DoneRow::from_response(fact, response, *identity)?);
                    if response.is_upload {
                        bodies.push((fact.reg_id, fact.idx));
                    }
                    *fact = completed(fact, response);
                    followed.extend(following.map(|following| (fact.clone(), following)));
                    last_of.insert(fact.reg_id, number);
                }
            }
            whose.push(Some(UpdatedRequest { unique_id: found.unique_id, settled: false }));
        }
        if !heads.is_empty() {
            mark_first_responses(connection, tallies, &heads).await?;
            sqlx::query(WRITE_HEADS).bind(json(&heads)?).execute(&mut *connection).await?;
        }
        if !restarts.is_empty() {
            sqlx::query(WRITE_RESTARTS).bind(json(&restarts)?).execute(&mut *connection).await?;
        }
        if !done.is_empty() {
            sqlx::query(WRITE_DONE).bind(json(&done)?).bind(now_us).execute(&mut *connection).await?;
        }
        if !bodies.is_empty() {
            sqlx::query(BODIES_GO).bind(json(&bodies)?).execute(&mut *connection).await?;
        }
        let moves: Vec<(&StoredRequest, &StoredRequest)> =
            found.iter().flatten().map(|found| &found.fact).zip(facts.iter().flatten()).collect();
        let finished = state::shift_active(connection, tallies, &moves).await?;
        for (ended, following) in followed {
            follow_up::append(connection, tallies, &ended, following).await?;
        }
        for ((guid, found), fact) in guids.iter().zip(&found).zip(facts) {
            if let (Some(found), Some(fact)) = (found, fact.filter(|fact| fact.state == ACTIVE)) {
                remembered.hold(*guid, OwnedTransition { fact, unique_id: found.unique_id });
            }
        }
        for (reg_id, last) in last_of.into_iter().filter(|(reg_id, _)| finished.contains(reg_id)) {
            if settle(connection, tallies, reg_id, now_us).await?
                && let Some(Some(touched)) = whose.get_mut(last)
            {
                touched.settled = true;
            }
        }
        Ok(whose)
    }

    /// Storage operation 6 for a failure: ends the request as dead, with its reason. The registration keeps its first
    /// failure. Adds the follow-up requests that do not depend on success.
    pub async fn write_failed_download_response(
        &mut self,
        guid: Guid,
        response: &FailedResponse,
        following: Option<&[AcceptedRequest]>,
        now_us: i64,
    ) -> Result<Option<UpdatedRequest>, EngineError> {
        let (connection, remembered, tallies) = self.parts()?;
        let Some(found) = state::active_by_guid(connection, remembered, guid).await? else { return Ok(None) };
        end_badly(connection, tallies, (&found.fact, found.active), response, now_us).await?;
        if let Some(following) = following {
            follow_up::append(connection, tallies, &found.fact, following).await?;
        }
        let settled = settle(connection, tallies, found.fact.reg_id, now_us).await?;
        Ok(Some(UpdatedRequest { unique_id: found.unique_id, settled }))
    }

    /// Settles a registration that `finished_but_unsettled` found. Returns whether this call settled the registration.
    pub async fn settle(&mut self, id: UniqueId, now_us: i64) -> Result<bool, EngineError> {
        let (connection, _, tallies) = self.parts()?;
        let reg_id: Option<i64> = sqlx::query_scalar(REG_ID).bind(key(&id)).fetch_optional(&mut *connection).await?;
        match reg_id {
            Some(reg_id) => settle(connection, tallies, reg_id, now_us).await,
            None => Ok(false),
        }
    }

    /// Claims the notification (changes `registration.event` from 1 to 2). Returns true to exactly one caller.
    pub async fn claim(&mut self, id: UniqueId, now_us: i64) -> Result<bool, EngineError> {
        let claimed = sqlx::query(CLAIM).bind(key(&id)).bind(now_us).execute(self.connection()?).await?;
        Ok(claimed.rows_affected() == 1)
    }
}

impl ResponseHeadRow<'_> {
    fn guid(&self) -> Guid {
        match self {
            Self::Head(guid, ..) | Self::Completed(guid, ..) => *guid,
        }
    }
}

/// A row of `response_head`, in the column order of [`WRITE_HEADS`].
#[derive(Serialize)]
struct HeadRow<'a>(
    i64,
    i64,
    u16,
    &'a str,
    &'a [(String, String)],
    &'a [String],
    Option<i64>,
    &'a str,
    /// Whether the request is optional; not a column.
    #[serde(skip)]
    bool,
);

impl<'a> HeadRow<'a> {
    fn from_head(fact: &StoredRequest, head: &'a ResponseSummary) -> Self {
        let ResponseSummary { status, status_text, headers, url_chain, total_size, name } = head;
        Self(fact.reg_id, fact.idx, *status, status_text, headers, url_chain, total_size.map(signed), name, fact.optional)
    }
}

/// A row of `restart`, in the column order of [`WRITE_RESTARTS`].
#[derive(Serialize)]
struct RestartRow(i64, i64, i64, i64, i64);

impl RestartRow {
    /// Returns the row for the running attempt.
    fn from_restart(fact: &StoredRequest, restart: RecordedRestart) -> Self {
        Self(fact.reg_id, fact.idx, fact.tries + 1, restart_number(restart.why), signed(restart.bytes))
    }
}

/// A row of `response_done`, in the column order of [`WRITE_DONE`].
#[derive(Serialize)]
struct DoneRow<'a>(
    i64,
    i64,
    Option<Cow<'a, str>>,
    i64,
    Option<String>,
    i64,
    Option<i64>,
    Option<i64>,
    Option<i64>,
    Option<i64>,
    Option<i64>,
    Option<i64>,
    i64,
);

impl<'a> DoneRow<'a> {
    fn from_response(
        fact: &StoredRequest,
        response: &'a CompletedResponse,
        identity: Option<FileIdentity>,
    ) -> Result<Self, EngineError> {
        Ok(Self(
            fact.reg_id,
            fact.idx,
            response.path.as_deref().map(text),
            signed(response.size),
            response.digest.as_ref().map(ToString::to_string),
            verified_number(response.verified),
            identity.map(|identity| identity.device),
            identity.map(|identity| identity.inode),
            identity.map(|identity| identity.size),
            identity.map(|identity| identity.modified_ns),
            response.run.started_us,
            response.run.brought.map(signed),
            missing_number(&response.missing),
        ))
    }
}

fn with_head(old: &StoredRequest, head: &ResponseSummary) -> StoredRequest {
    let is_whole = head.status != 206;
    StoredRequest {
        size: head.total_size.map(signed).or(if is_whole { None } else { old.size }),
        // A response with the whole file starts the file again, so bytes of the earlier response no longer count.
        kept: if is_whole { 0 } else { old.kept },
        category: category_number(file_kind::category_of_response(head)),
        ..old.clone()
    }
}

fn completed(old: &StoredRequest, response: &CompletedResponse) -> StoredRequest {
    let size = signed(response.size);
    let sent = signed(response.uploaded);
    StoredRequest { state: COMPLETED, tries: old.tries + 1, kept: size, sent, size: Some(size), ..old.clone() }
}

/// Marks a registration if its first successful response has one of these heads. Heads of optional requests do not
/// count.
async fn mark_first_responses(
    connection: &mut SqliteConnection,
    tallies: &mut TallyMap,
    heads: &[HeadRow<'_>],
) -> Result<(), EngineError> {
    if tallies.marks.is_on() {
        let starts = |head: &&HeadRow<'_>| (200..300).contains(&head.2) && !head.8;
        let ids: BTreeSet<i64> = heads.iter().filter(starts).map(|head| head.0).collect();
        let first: Vec<i64> = sqlx::query_scalar(NOT_STARTED).bind(json(&ids)?).fetch_all(connection).await?;
        first.into_iter().for_each(|reg_id| tallies.marks.add(reg_id, SyncChange::Started(true)));
    }
    Ok(())
}

/// Settles the registration if no request is left. Writes the result and the pending end event, and frees the name. All
/// this happens in the transaction of the last request.
pub(in crate::store) async fn settle(
    connection: &mut SqliteConnection,
    tallies: &mut TallyMap,
    reg_id: i64,
    now_us: i64,
) -> Result<bool, EngineError> {
    let settled = sqlx::query(SETTLE).bind(reg_id).bind(now_us).execute(&mut *connection).await?;
    if settled.rows_affected() == 0 {
        return Ok(false);
    }
    tallies.marks.add(reg_id, SyncChange::Facts);
    sqlx::query(FREE_NAME).bind(reg_id).execute(connection).await?;
    Ok(true)
}
