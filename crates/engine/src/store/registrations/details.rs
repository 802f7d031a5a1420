//! Reads the details of a file that are not in the record of its request.
//!
//! The rows of a removed registration can be read until they are deleted. The caller decides whether it may read them.

use std::collections::HashMap;

use sqlx::FromRow;

use crate::{
    EngineError,
    model::{RecordedRestart, RegistrationDetails, RequestAttempt, UniqueId, UserMessage},
    store::{
        FinishedRequest,
        columns::{self, UtcStamp, from_json, key, milliseconds, narrow, restart_reason, unsigned},
        ledger::LedgerStore,
        list_file::redact::leaves,
        requests::fact::COMPLETED,
        statement::statements,
    },
};

statements! {
    FILE: Search =
        "SELECT s.state, s.tries, s.kept, q.headers, q.digest, e.digests, e.mirrors, d.started_us, d.finished_us, d.brought
         FROM registration r CROSS JOIN request q ON q.reg_id = r.reg_id AND q.idx = ?2
         CROSS JOIN req_state s ON s.reg_id = q.reg_id AND s.idx = q.idx
         LEFT JOIN expectation e ON e.reg_id = q.reg_id AND e.idx = q.idx
         LEFT JOIN response_done d ON d.reg_id = q.reg_id AND d.idx = q.idx
         WHERE r.unique_id = ?1";
    FINISHED: Search =
        "SELECT d.path, d.size, d.device, d.inode, d.file_size, d.modified_ns
         FROM registration r CROSS JOIN req_state s ON s.reg_id = r.reg_id AND s.idx = ?2 AND s.state = ?3
         CROSS JOIN response_done d ON d.reg_id = s.reg_id AND d.idx = s.idx
         WHERE r.unique_id = ?1";
    FAILED: Search =
        "SELECT a.number, a.started_us, a.ended_us, a.reason, a.code, a.detail, a.status, a.bytes, a.brought, a.url_chain
         FROM registration r CROSS JOIN attempt a ON a.reg_id = r.reg_id AND a.idx = ?2
         WHERE r.unique_id = ?1 ORDER BY a.number DESC";
    RESTARTS: Search =
        "SELECT t.number, t.why, t.bytes FROM registration r CROSS JOIN restart t ON t.reg_id = r.reg_id AND t.idx = ?2
         WHERE r.unique_id = ?1";
}

#[derive(FromRow)]
struct File {
    state: i64,
    tries: i64,
    kept: i64,
    headers: String,
    digest: Option<String>,
    digests: Option<String>,
    mirrors: Option<String>,
    started_us: Option<i64>,
    finished_us: Option<i64>,
    brought: Option<i64>,
}

#[derive(FromRow)]
struct FinishedRow {
    path: Option<String>,
    size: i64,
    #[sqlx(flatten)]
    stamp: UtcStamp,
}

#[derive(FromRow)]
struct Failed {
    number: i64,
    started_us: Option<i64>,
    ended_us: i64,
    reason: i64,
    code: String,
    detail: String,
    status: Option<u16>,
    bytes: i64,
    brought: Option<i64>,
    url_chain: Option<String>,
}

impl File {
    /// Returns the attempt that completed the file.
    fn last(&self) -> Option<RequestAttempt> {
        let finished_us = self.finished_us.filter(|_| self.state == COMPLETED)?;
        Some(RequestAttempt {
            number: narrow(self.tries),
            started: self.started_us.map(milliseconds),
            ended: Some(milliseconds(finished_us)),
            status: None,
            brought: self.brought.map(unsigned),
            bytes: unsigned(self.kept),
            url_chain: Vec::new(),
            trouble: None,
            is_final: false,
            restart: None,
        })
    }

    fn into_details(self, failed: Vec<Failed>) -> RegistrationDetails {
        let attempts = self.last().into_iter().chain(failed.into_iter().map(Failed::into_attempt)).collect();
        let (headers, hidden_headers) = leaves(from_json(&self.headers));
        let referrer = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("referer")).map(|(_, value)| value.clone());
        let mut checksums: Vec<String> = self.digest.into_iter().collect();
        checksums.extend(self.digests.as_deref().map(from_json::<Vec<String>>).unwrap_or_default());
        RegistrationDetails {
            attempts,
            referrer,
            headers,
            hidden_headers,
            mirrors: self.mirrors.as_deref().map(from_json).unwrap_or_default(),
            checksums,
            finished: self.finished_us.map(milliseconds),
        }
    }
}

impl Failed {
    fn into_attempt(self) -> RequestAttempt {
        RequestAttempt {
            number: narrow(self.number),
            started: self.started_us.map(milliseconds),
            ended: Some(milliseconds(self.ended_us)),
            status: self.status,
            brought: self.brought.map(unsigned),
            bytes: unsigned(self.bytes),
            url_chain: self.url_chain.as_deref().map(from_json).unwrap_or_default(),
            trouble: Some(UserMessage::from_detail(&self.code, &self.detail)),
            is_final: self.reason != 0,
            restart: None,
        }
    }
}

impl LedgerStore {
    /// Returns the file at `index` if it is complete and has a path.
    pub async fn finished(&self, id: UniqueId, index: u32) -> Result<Option<FinishedRequest>, EngineError> {
        let found: Option<FinishedRow> =
            sqlx::query_as(FINISHED).bind(key(&id)).bind(index).bind(COMPLETED).fetch_optional(self.readers()).await?;
        Ok(found.and_then(|row| {
            Some(FinishedRequest { path: columns::path(&row.path?), size: unsigned(row.size), identity: row.stamp.identity() })
        }))
    }

    /// Returns the details of a file; empty if the file is not in the list.
    pub async fn details(&self, id: UniqueId, index: u32) -> Result<RegistrationDetails, EngineError> {
        let file: Option<File> = sqlx::query_as(FILE).bind(key(&id)).bind(index).fetch_optional(self.readers()).await?;
        let Some(file) = file else { return Ok(RegistrationDetails::default()) };
        let failed = sqlx::query_as(FAILED).bind(key(&id)).bind(index).fetch_all(self.readers()).await?;
        Ok(file.into_details(failed))
    }

    /// Returns the restarts of the file at `index`, keyed by attempt number. The restarts of a running attempt are
    /// included.
    pub async fn restarts(&self, id: UniqueId, index: u32) -> Result<HashMap<u32, RecordedRestart>, EngineError> {
        let rows: Vec<(i64, i64, i64)> = sqlx::query_as(RESTARTS).bind(key(&id)).bind(index).fetch_all(self.readers()).await?;
        let restart =
            |(number, why, bytes)| (narrow(number), RecordedRestart { why: restart_reason(why), bytes: unsigned(bytes) });
        Ok(rows.into_iter().map(restart).collect())
    }
}
