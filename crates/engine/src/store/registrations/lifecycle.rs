//! Changes a registration as a whole: ends it (storage operation 8), reopens it, and changes its appearance. The
//! cost does not depend on the number of its requests.

use ashore_transfer::Guid;
use sqlx::{FromRow, SqliteConnection};

use crate::{
    EngineError,
    model::{FailureReason, NotificationIcon, UniqueId, UserMessage},
    store::{
        PartialDisposition,
        columns::{self, guid, json, key, reason_number, row, unique_id},
        ledger::{LedgerStore, LedgerWriter},
        registrations::{delivery::delivers, expiry::expires},
        requests::{
            fact::{ABORTED, PENDING, StoredRequest},
            state::{self, fact},
        },
        statement::statements,
        sync::marks::SyncChange,
        totals::tally::HostTally,
    },
};

statements! {
    MARK: Search = concat!(
        "UPDATE registration SET active = 0, result = 2, failure = ?2, trouble_code = ?3, trouble_detail = ?4, event = 1,
           settled_us = ?5, expires_us = ", expires!("?5"), ", ", delivers!(), "
         WHERE unique_id = ?1 AND active = 1 RETURNING reg_id"
    );
    FREE_NAME: Search = "DELETE FROM active_name WHERE reg_id = ?1";
    ACTIVE_GUIDS: Search = "SELECT guid FROM req_state INDEXED BY rs_active WHERE reg_id = ?1 AND state = 1";
    ALL_ACTIVE_GUIDS: Walk = "SELECT guid FROM req_state INDEXED BY rs_active WHERE state = 1";
    REG_ID: Search = "SELECT reg_id FROM registration WHERE unique_id = ?1";
    OF_TAG: Search = "SELECT guid FROM req_state INDEXED BY rs_guid WHERE guid >= ?1 AND guid <= ?2 AND state <> 2";
    WHOSE: Search =
        "SELECT r.unique_id FROM req_state s INDEXED BY rs_guid JOIN registration r ON r.reg_id = s.reg_id
         WHERE s.guid = ?1 AND s.state <> 2";
    // No index has the GUIDs of completed requests, so this statement reads every request.
    COMPLETED_OF_TAGS: Listing =
        "SELECT s.guid, r.unique_id FROM req_state s CROSS JOIN registration r ON r.reg_id = s.reg_id
         WHERE s.state = 2 AND substr(s.guid, 1, 4) IN (SELECT unhex(value) FROM json_each(?1))";
    SET_FACE: Search =
        "UPDATE face SET title = coalesce(?2, title), description = coalesce(?3, description), icons = coalesce(?4, icons)
         WHERE reg_id = (SELECT reg_id FROM registration WHERE unique_id = ?1 AND doomed = 0) RETURNING reg_id";
    TO_RETRY: Search =
        "SELECT r.reg_id, r.active, r.owner_id, r.n_pending + r.n_active AS n_left, g.developer_id
         FROM registration r JOIN given g ON g.reg_id = r.reg_id WHERE r.unique_id = ?1 AND r.doomed = 0";
    NAME_TAKEN: Search = "SELECT EXISTS (SELECT 1 FROM active_name WHERE owner_id = ?1 AND developer_id = ?2)";
    TAKE_NAME: Search =
        "INSERT INTO active_name (reg_id, owner_id, developer_id, content)
         SELECT ?1, ?2, ?3, content FROM given WHERE reg_id = ?1";
    STOPPED: Search =
        "SELECT count(*) AS n, coalesce(sum(state = 3), 0) AS waiting, coalesce(sum(state = 4), 0) AS aborted,
           coalesce(sum(state = 5), 0) AS dead, coalesce(sum(CASE state WHEN 5 THEN size END), 0) AS dead_bytes
         FROM req_state INDEXED BY rs_stopped WHERE reg_id = ?1 AND state >= 3 AND state <= ?2";
    // Requests with bytes on disk in an aborted registration. After a retry, these bytes count again.
    ABORTED_WITH_BYTES: Search = concat!(
        "SELECT ", fact!(), " FROM req_state s INDEXED BY rs_stopped
         WHERE s.reg_id = ?1 AND s.state >= 3 AND s.state <= ?2 AND s.state = 4 AND s.kept > 0"
    );
    LEFT_WITH_BYTES: Search = concat!(
        "SELECT ", fact!(), " FROM registration r CROSS JOIN req_state s ON s.reg_id = r.reg_id
         WHERE r.unique_id = ?1 AND r.active = 0 AND r.failure = 1 AND s.state IN (0, 3) AND s.kept > 0"
    );
    REFILL_LANES: Search =
        "INSERT INTO lane (reg_id, host_id, first_idx, n_pending)
         SELECT reg_id, host_id, min(idx), count(*)
         FROM req_state INDEXED BY rs_stopped WHERE reg_id = ?1 AND state >= 3 AND state <= ?2 GROUP BY host_id
         ON CONFLICT (reg_id, host_id) DO UPDATE SET
           first_idx = CASE WHEN n_pending > 0 THEN min(first_idx, excluded.first_idx) ELSE excluded.first_idx END,
           n_pending = n_pending + excluded.n_pending";
    REOPEN_REQUESTS: Search =
        "UPDATE req_state INDEXED BY rs_stopped
         SET state = 0, attempt = 0, not_before_us = 0, size = CASE state WHEN 5 THEN NULL ELSE size END
         WHERE reg_id = ?1 AND state >= 3 AND state <= ?2";
    COUNT_REOPENED: Search =
        "UPDATE registration SET n_pending = n_pending + ?2, n_waiting = n_waiting - ?3, n_aborted = n_aborted - ?4,
           n_failed = n_failed - ?5, n_unsized = n_unsized + ?5, expected = expected - ?6
         WHERE reg_id = ?1";
    REOPEN: Search =
        "UPDATE registration SET active = 1, paused = 0, result = 0, failure = 0, trouble_code = '', trouble_detail = '',
           event = 0, delivery = 0, settled_us = NULL, expires_us = NULL
         WHERE reg_id = ?1";
    BEAT: Search =
        "INSERT INTO executor (one, holder, started_us, heartbeat_us) VALUES (1, ?1, ?2, ?2)
         ON CONFLICT (one) DO UPDATE SET heartbeat_us = excluded.heartbeat_us, holder = excluded.holder,
           started_us = CASE WHEN holder = excluded.holder THEN started_us ELSE excluded.started_us END";
    LAST_BEAT: Search = "SELECT holder, heartbeat_us FROM executor WHERE one = 1";
    // A file with wrong content is never resumed, so its partial file is not wanted.
    FATE: Search =
        "SELECT CASE
           WHEN r.doomed = 1 OR s.state = 4 OR r.active = 0 AND r.failure = 1 THEN 0
           WHEN s.state = 5 AND EXISTS (SELECT 1 FROM attempt a
             WHERE a.reg_id = s.reg_id AND a.idx = s.idx AND a.number = s.tries AND a.code = 'digest-mismatch') THEN 1
           ELSE 2 END
         FROM req_state s INDEXED BY rs_guid CROSS JOIN registration r ON r.reg_id = s.reg_id
         WHERE s.guid = ?1 AND s.state <> 2";
}

#[derive(FromRow)]
struct ToRetry {
    reg_id: i64,
    active: bool,
    owner_id: i64,
    n_left: i64,
    developer_id: String,
}

#[derive(FromRow)]
struct Stopped {
    n: i64,
    waiting: i64,
    aborted: i64,
    dead: i64,
    dead_bytes: i64,
}

impl LedgerStore {
    /// Returns the GUIDs of the active requests of one registration, or of all registrations.
    pub async fn active_guids(&self, id: Option<UniqueId>) -> Result<Vec<Guid>, EngineError> {
        let mut reader = self.readers().acquire().await?;
        let guids: Vec<Vec<u8>> = match id {
            None => sqlx::query_scalar(ALL_ACTIVE_GUIDS).fetch_all(&mut *reader).await?,
            Some(id) => {
                let reg_id: Option<i64> = sqlx::query_scalar(REG_ID).bind(key(&id)).fetch_optional(&mut *reader).await?;
                return match reg_id {
                    Some(reg_id) => active_guids(&mut reader, reg_id).await,
                    None => Ok(Vec::new()),
                };
            }
        };
        guids.iter().map(|bytes| guid(bytes)).collect()
    }

    /// Returns the registration whose request has this GUID. Returns `None` if the request is complete; see
    /// [`Self::completed_of_tags`].
    pub async fn whose(&self, guid: Guid) -> Result<Option<UniqueId>, EngineError> {
        let found: Option<Vec<u8>> =
            sqlx::query_scalar(WHOSE).bind(guid.0.as_bytes().as_slice()).fetch_optional(self.readers()).await?;
        found.map(|id| unique_id(&id)).transpose()
    }

    /// Returns the transfers whose partial files have this tag, the first eight hexadecimal digits of their GUID. The
    /// chance that two transfers share a tag is one in four billion. The result is empty if the tag is not valid or the
    /// request is complete.
    pub async fn guids_of_tag(&self, tag: &str) -> Result<Vec<Guid>, EngineError> {
        let mut first = [0; 16];
        if hex::decode_to_slice(tag, &mut first[..4]).is_err() {
            return Ok(Vec::new());
        }
        let mut last = [u8::MAX; 16];
        last[..4].copy_from_slice(&first[..4]);
        let found: Vec<Vec<u8>> =
            sqlx::query_scalar(OF_TAG).bind(first.as_slice()).bind(last.as_slice()).fetch_all(self.readers()).await?;
        found.iter().map(|bytes| guid(bytes)).collect()
    }

    /// Returns completed transfers whose partial files would have one of these tags, with their registrations. Reads
    /// every request, so this function is only for partial files that the other queries did not find.
    pub async fn completed_of_tags(&self, tags: &[&str]) -> Result<Vec<(Guid, UniqueId)>, EngineError> {
        if tags.is_empty() {
            return Ok(Vec::new());
        }
        let found: Vec<(Vec<u8>, Vec<u8>)> =
            sqlx::query_as(COMPLETED_OF_TAGS).bind(json(&tags)?).fetch_all(self.readers()).await?;
        found.iter().map(|(bytes, id)| Ok((guid(bytes)?, unique_id(id)?))).collect()
    }

    /// Returns whether this transfer's partial file is still needed. Returns `None` if no request with this GUID may
    /// have a partial file.
    pub async fn wants_partial(&self, guid: Guid) -> Result<Option<bool>, EngineError> {
        Ok(self.fate_of_partial(guid).await?.map(|fate| fate == PartialDisposition::Wanted))
    }

    /// Returns what must happen to this transfer's partial file. Returns `None` if no request with this GUID may have a
    /// partial file.
    pub async fn fate_of_partial(&self, guid: Guid) -> Result<Option<PartialDisposition>, EngineError> {
        let guid = guid.0.as_bytes().as_slice();
        let fate: Option<i64> = sqlx::query_scalar(FATE).bind(guid).fetch_optional(self.readers()).await?;
        Ok(fate.map(|fate| match fate {
            0 => PartialDisposition::GivenUp,
            1 => PartialDisposition::Wrong,
            _ => PartialDisposition::Wanted,
        }))
    }

    /// Writes the executor row: the engine that works on this ledger, and its heartbeat. The single statement needs no
    /// explicit transaction. An idle engine runs only this statement every minute, since each further statement would
    /// wake two threads.
    pub async fn beat(&self, holder: &str, now_us: i64) -> Result<(), EngineError> {
        let mut alone = self.alone().await?;
        sqlx::query(BEAT).bind(holder).bind(now_us).execute(alone.connection()?).await?;
        Ok(())
    }

    /// Returns the engine that wrote the last heartbeat, and the time of that heartbeat in microseconds.
    pub async fn last_beat(&self) -> Result<Option<(String, i64)>, EngineError> {
        Ok(sqlx::query_as(LAST_BEAT).fetch_optional(self.readers()).await?)
    }
}

impl LedgerWriter<'_> {
    /// Storage operation 8: frees the `developer_id`, sets result and reason, and marks the end event as pending.
    ///
    /// Returns the GUIDs of the transfers to stop, or `None` if the registration was not active. `reason` is
    /// `DownloadTotalExceeded` or `Aborted`. It replaces the reason of an earlier failed request, since it explains why
    /// the remaining files are missing.
    pub async fn mark_registration_for_deletion(
        &mut self,
        id: UniqueId,
        reason: FailureReason,
        trouble: &UserMessage,
        now_us: i64,
    ) -> Result<Option<Vec<Guid>>, EngineError> {
        let (connection, _, tallies) = self.parts()?;
        let marked: Option<i64> = sqlx::query_scalar(MARK)
            .bind(key(&id))
            .bind(reason_number(reason))
            .bind(&trouble.code)
            .bind(trouble.detail())
            .bind(now_us)
            .fetch_optional(&mut *connection)
            .await?;
        let Some(reg_id) = marked else { return Ok(None) };
        tallies.marks.add(reg_id, SyncChange::Facts);
        sqlx::query(FREE_NAME).bind(reg_id).execute(&mut *connection).await?;
        active_guids(connection, reg_id).await.map(Some)
    }

    /// Changes title, description and icons. A value that is not given stays unchanged. Fails with `Unknown`.
    pub async fn update_ui(&mut self, id: UniqueId, face: &NotificationIcon, now_us: i64) -> Result<(), EngineError> {
        let (connection, _, tallies) = self.parts()?;
        let icons = face.icons.as_ref().map(json).transpose()?;
        let touched: Option<i64> = sqlx::query_scalar(SET_FACE)
            .bind(key(&id))
            .bind(&face.title)
            .bind(&face.description)
            .bind(icons)
            .fetch_optional(connection)
            .await?;
        let reg_id = touched.ok_or(EngineError::Unknown(id))?;
        if face.title.is_some() {
            tallies.marks.add(reg_id, SyncChange::Title(now_us));
        }
        Ok(())
    }

    /// Makes failed or waiting requests pending again, with attempts at 0.
    ///
    /// These are the dead and aborted requests of a settled registration, or the waiting requests of an active
    /// registration. A settled registration is reopened with a new end event.
    ///
    /// Returns the number of requests that this call causes to be fetched. If the number is 0, nothing was changed.
    /// Fails with `IdTaken` if another registration has taken the name.
    pub async fn retry(&mut self, id: UniqueId) -> Result<u32, EngineError> {
        let (connection, _, tallies) = self.parts()?;
        let found: Option<ToRetry> = sqlx::query_as(TO_RETRY).bind(key(&id)).fetch_optional(&mut *connection).await?;
        let found = found.ok_or(EngineError::Unknown(id))?;
        let highest = if found.active { crate::store::requests::fact::WAITING } else { crate::store::requests::fact::DEAD };
        let stopped: Stopped = sqlx::query_as(STOPPED).bind(found.reg_id).bind(highest).fetch_one(&mut *connection).await?;
        // Also count the requests whose state was not changed when the registration was aborted. Of these requests, the
        // pending ones continue. Those whose transfers have not stopped yet become pending again and continue.
        let again = stopped.n + if found.active { 0 } else { found.n_left };
        if again == 0 {
            return Ok(0);
        }
        if !found.active {
            let taken: bool =
                sqlx::query_scalar(NAME_TAKEN).bind(found.owner_id).bind(&found.developer_id).fetch_one(&mut *connection).await?;
            if taken {
                return Err(EngineError::IdTaken(found.developer_id));
            }
            sqlx::query(TAKE_NAME)
                .bind(found.reg_id)
                .bind(found.owner_id)
                .bind(&found.developer_id)
                .execute(&mut *connection)
                .await?;
            sqlx::query(REOPEN).bind(found.reg_id).execute(&mut *connection).await?;
            tallies.marks.add(found.reg_id, SyncChange::Started(false));
        }
        let with_bytes: Vec<String> =
            sqlx::query_scalar(ABORTED_WITH_BYTES).bind(found.reg_id).bind(highest).fetch_all(&mut *connection).await?;
        for text in with_bytes {
            let aborted: StoredRequest = row(&text)?;
            tallies.used.shift(&aborted, &StoredRequest { state: PENDING, ..aborted.clone() });
        }
        sqlx::query(REFILL_LANES).bind(found.reg_id).bind(highest).execute(&mut *connection).await?;
        sqlx::query(REOPEN_REQUESTS).bind(found.reg_id).bind(highest).execute(&mut *connection).await?;
        sqlx::query(COUNT_REOPENED)
            .bind(found.reg_id)
            .bind(stopped.n)
            .bind(stopped.waiting)
            .bind(stopped.aborted)
            .bind(stopped.dead)
            .bind(stopped.dead_bytes)
            .execute(connection)
            .await?;
        tallies.marks.add(found.reg_id, SyncChange::Facts);
        tallies.change(found.reg_id, HostTally { failed: -stopped.dead, retried: again, ..HostTally::default() });
        Ok(columns::narrow(again))
    }

    /// Returns the GUIDs of the active requests of a registration.
    pub(in crate::store) async fn active_guids_of(&mut self, reg_id: i64) -> Result<Vec<Guid>, EngineError> {
        active_guids(self.connection()?, reg_id).await
    }

    /// Stops counting the partial files of an aborted registration, because they have been removed. Reads all its
    /// requests.
    pub async fn let_partials_go(&mut self, id: UniqueId) -> Result<(), EngineError> {
        let (connection, _, tallies) = self.parts()?;
        let left: Vec<String> = sqlx::query_scalar(LEFT_WITH_BYTES).bind(key(&id)).fetch_all(&mut *connection).await?;
        for text in left {
            let fact: StoredRequest = row(&text)?;
            let aborted = StoredRequest { state: ABORTED, not_before_us: 0, ..fact.clone() };
            state::shift(connection, tallies, &fact, &aborted).await?;
        }
        Ok(())
    }
}

async fn active_guids(connection: &mut SqliteConnection, reg_id: i64) -> Result<Vec<Guid>, EngineError> {
    let guids: Vec<Vec<u8>> = sqlx::query_scalar(ACTIVE_GUIDS).bind(reg_id).fetch_all(connection).await?;
    guids.iter().map(|bytes| guid(bytes)).collect()
}
