//! What transfers report: the head (op 5), the end (op 6), and settling when the last one is in.
//!
//! Each names a GUID. When the request is not active under it any more, nothing is written: somebody else decided.

use ashore_transfer::{Guid, Head};
use sqlx::SqliteConnection;

use super::{
    CompletedResponse, FailedResponse, FileIdentity, Store, Touched, Writing, attempt,
    convert::{json, key, reason_number, signed, text, unique_id, verified_number},
    fact::{self, ACTIVE_WITH_HEAD, COMPLETED, DEAD, Fact},
    statement::statements,
};
use crate::{Error, model::UniqueId};

statements! {
    // A partial answer continues the answer that is stored; any other is a new one.
    WRITE_HEAD: Search =
        "INSERT INTO response_head (reg_id, idx, status, status_text, headers, url_chain, total_size, name)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
         ON CONFLICT (reg_id, idx) DO UPDATE SET status = excluded.status, status_text = excluded.status_text,
           headers = excluded.headers, url_chain = excluded.url_chain, total_size = excluded.total_size, name = excluded.name
         WHERE excluded.status <> 206 OR response_head.status NOT BETWEEN 200 AND 299";
    WRITE_DONE: Search =
        "INSERT INTO response_done (reg_id, idx, path, size, digest, verified, finished_us, device, inode, file_size, modified_ns)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    // What was sent needs no copy any more.
    BODY_GOES: Search =
        "INSERT OR IGNORE INTO file_gc (path)
         SELECT body_path FROM request WHERE reg_id = ?1 AND idx = ?2 AND body_path IS NOT NULL";
    FIRST_FAILURE: Search =
        "UPDATE registration SET failure = ?2, trouble_code = ?3, trouble_text = ?4 WHERE reg_id = ?1 AND failure = 0";
    SETTLE: Search =
        "UPDATE registration SET active = 0, result = CASE failure WHEN 0 THEN 1 ELSE 2 END, event = 1, settled_us = ?2
         WHERE reg_id = ?1 AND active = 1 AND n_pending + n_active + n_waiting = 0";
    FREE_NAME: Search = "DELETE FROM active_name WHERE reg_id = ?1";
    FINISHED: Walk =
        "SELECT unique_id FROM registration INDEXED BY reg_finished
         WHERE active = 1 AND n_pending + n_active + n_waiting = 0";
    REG_ID: Search = "SELECT reg_id FROM registration WHERE unique_id = ?1";
    OWED: Walk =
        "SELECT unique_id FROM registration INDEXED BY reg_owed WHERE event = 1 ORDER BY settled_us, reg_id";
    CLAIM: Search = "UPDATE registration SET event = 2 WHERE unique_id = ?1 AND event = 1";
}

impl Store {
    /// Registrations whose last request is done but which were not settled (an older crash).
    pub async fn finished_but_unsettled(&self) -> Result<Vec<UniqueId>, Error> {
        let ids: Vec<Vec<u8>> = sqlx::query_scalar(FINISHED).fetch_all(self.readers()).await?;
        ids.iter().map(|id| unique_id(id)).collect()
    }

    /// Registrations whose event is owed, oldest first.
    pub async fn owed(&self) -> Result<Vec<UniqueId>, Error> {
        let ids: Vec<Vec<u8>> = sqlx::query_scalar(OWED).fetch_all(self.readers()).await?;
        ids.iter().map(|id| unique_id(id)).collect()
    }
}

impl Writing<'_> {
    /// Op 5. None: the request is not active under this GUID any more.
    pub async fn write_active_download_metadata(&mut self, guid: Guid, head: &Head) -> Result<Option<UniqueId>, Error> {
        let (headers, url_chain) = (json(&head.headers)?, json(&head.url_chain)?);
        let connection = self.connection()?;
        let Some(found) = fact::active_by_guid(connection, guid).await? else { return Ok(None) };
        let old = &found.fact;
        sqlx::query(WRITE_HEAD)
            .bind(old.reg_id)
            .bind(old.idx)
            .bind(head.status)
            .bind(&head.status_text)
            .bind(headers)
            .bind(url_chain)
            .bind(head.total_size.map(signed))
            .bind(&head.name)
            .execute(&mut *connection)
            .await?;
        let is_whole = head.status != 206;
        let new = Fact {
            state: ACTIVE_WITH_HEAD,
            size: head.total_size.map(signed).or(if is_whole { None } else { old.size }),
            // The whole file again: what was kept of the old answer does not count any more.
            kept: if is_whole { 0 } else { old.kept },
            ..old.clone()
        };
        fact::shift(connection, old, &new).await?;
        unique_id(&found.unique_id).map(Some)
    }

    /// Op 6.
    pub async fn write_completed_download_response(
        &mut self,
        guid: Guid,
        response: &CompletedResponse,
        identity: Option<FileIdentity>,
        now_us: i64,
    ) -> Result<Option<Touched>, Error> {
        let path = response.path.as_deref().map(text).transpose()?;
        let connection = self.connection()?;
        let Some(found) = fact::active_by_guid(connection, guid).await? else { return Ok(None) };
        let old = &found.fact;
        let size = signed(response.size);
        sqlx::query(WRITE_DONE)
            .bind(old.reg_id)
            .bind(old.idx)
            .bind(path)
            .bind(size)
            .bind(response.digest.as_ref().map(ToString::to_string))
            .bind(verified_number(response.verified))
            .bind(now_us)
            .bind(identity.map(|identity| identity.device))
            .bind(identity.map(|identity| identity.inode))
            .bind(identity.map(|identity| identity.size))
            .bind(identity.map(|identity| identity.modified_ns))
            .execute(&mut *connection)
            .await?;
        sqlx::query(BODY_GOES).bind(old.reg_id).bind(old.idx).execute(&mut *connection).await?;
        let new = Fact {
            state: COMPLETED,
            tries: old.tries + 1,
            kept: size,
            sent: signed(response.uploaded),
            size: Some(size),
            ..old.clone()
        };
        fact::shift(connection, old, &new).await?;
        let settled = settle(connection, old.reg_id, now_us).await?;
        Ok(Some(Touched { unique_id: unique_id(&found.unique_id)?, settled }))
    }

    /// Op 6 for a failure: dead, with its reason; the registration's first failure in time is kept.
    pub async fn write_failed_download_response(
        &mut self,
        guid: Guid,
        response: &FailedResponse,
        now_us: i64,
    ) -> Result<Option<Touched>, Error> {
        let connection = self.connection()?;
        let Some(found) = fact::active_by_guid(connection, guid).await? else { return Ok(None) };
        end_badly(connection, &found.fact, found.active, response, now_us).await?;
        let settled = settle(connection, found.fact.reg_id, now_us).await?;
        Ok(Some(Touched { unique_id: unique_id(&found.unique_id)?, settled }))
    }

    /// Settles what `finished_but_unsettled` found. True if it did.
    pub async fn settle(&mut self, id: UniqueId, now_us: i64) -> Result<bool, Error> {
        let connection = self.connection()?;
        let reg_id: Option<i64> = sqlx::query_scalar(REG_ID).bind(key(&id)).fetch_optional(&mut *connection).await?;
        match reg_id {
            Some(reg_id) => settle(connection, reg_id, now_us).await,
            None => Ok(false),
        }
    }

    /// 1 -> 2 in the outbox: true for exactly one caller.
    pub async fn claim(&mut self, id: UniqueId) -> Result<bool, Error> {
        let claimed = sqlx::query(CLAIM).bind(key(&id)).execute(self.connection()?).await?;
        Ok(claimed.rows_affected() == 1)
    }
}

/// A request ends as dead, with its reason; the first failure in time is its registration's. A completed one, whose try
/// has been counted already, may end so as well.
pub(super) async fn end_badly(
    connection: &mut SqliteConnection,
    old: &Fact,
    is_active: bool,
    response: &FailedResponse,
    now_us: i64,
) -> Result<(), Error> {
    let kept = signed(response.bytes);
    let new = Fact {
        state: DEAD,
        attempt: old.attempt + 1,
        tries: old.tries + i64::from(old.state != COMPLETED),
        kept,
        sent: signed(response.uploaded),
        size: Some(kept),
        ..old.clone()
    };
    attempt::note(connection, &new, &response.trouble, response.status, Some(response.reason), now_us).await?;
    fact::shift(connection, old, &new).await?;
    if is_active && !old.optional {
        sqlx::query(FIRST_FAILURE)
            .bind(old.reg_id)
            .bind(reason_number(response.reason))
            .bind(&response.trouble.code)
            .bind(&response.trouble.text)
            .execute(connection)
            .await?;
    }
    Ok(())
}

/// Settles if everything is done: result, "event owed" and the free name in one transaction with the last request.
async fn settle(connection: &mut SqliteConnection, reg_id: i64, now_us: i64) -> Result<bool, Error> {
    let settled = sqlx::query(SETTLE).bind(reg_id).bind(now_us).execute(&mut *connection).await?;
    if settled.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query(FREE_NAME).bind(reg_id).execute(connection).await?;
    Ok(true)
}
