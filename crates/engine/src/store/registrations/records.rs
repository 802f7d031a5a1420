//! Storage operation 7: reads requests with the known parts of their responses, and finds requests by `match`.
//! Records are ordered by index.

use std::collections::BTreeMap;

use sqlx::FromRow;

use crate::{
    EngineError,
    model::{MatchOptions, RecordOutcome, RecordState, ResponseRecord, UniqueId, UserMessage, messages},
    store::{
        columns::{
            self, from_json, key, milliseconds, missing_guarantees, narrow, unsigned, url_key, verified, without_fragment,
            without_query,
        },
        ledger::LedgerStore,
        requests::fact::{ABORTED, COMPLETED, DEAD, PENDING, WAITING},
        statement::statements,
    },
};

macro_rules! records {
    ($request:literal) => {
        concat!(
            "SELECT q.idx, q.url, q.method, s.state, s.optional, s.kept, s.size, s.tries, s.not_before_us, r.active,
               h.status, h.status_text, h.headers, h.url_chain, h.total_size, d.path, d.verified, d.digest, d.missing,
               a.code, a.detail, a.status AS refused_status
             FROM registration r CROSS JOIN request q ",
            $request,
            " CROSS JOIN req_state s ON s.reg_id = q.reg_id AND s.idx = q.idx
             LEFT JOIN response_head h ON h.reg_id = q.reg_id AND h.idx = q.idx
             LEFT JOIN response_done d ON d.reg_id = q.reg_id AND d.idx = q.idx
             LEFT JOIN attempt a ON a.reg_id = s.reg_id AND a.idx = s.idx AND a.number = s.tries "
        )
    };
}

statements! {
    RECORDS: Search = concat!(
        records!("ON q.reg_id = r.reg_id"),
        "WHERE r.unique_id = ?1 AND r.doomed <= ?4 AND q.idx >= ?2 ORDER BY q.idx LIMIT ?3"
    );
    MATCHING: Search = concat!(
        records!("INDEXED BY request_key ON q.reg_id = r.reg_id"),
        "WHERE r.unique_id = ?1 AND r.doomed <= ?3 AND q.url_key = ?2 ORDER BY q.idx"
    );
}

#[derive(FromRow)]
struct Row {
    idx: i64,
    url: String,
    method: String,
    state: i64,
    optional: bool,
    kept: i64,
    size: Option<i64>,
    tries: i64,
    not_before_us: i64,
    active: bool,
    status: Option<u16>,
    status_text: Option<String>,
    headers: Option<String>,
    url_chain: Option<String>,
    total_size: Option<i64>,
    path: Option<String>,
    verified: Option<i64>,
    digest: Option<String>,
    missing: Option<i64>,
    code: Option<String>,
    detail: Option<String>,
    refused_status: Option<u16>,
}

impl Row {
    /// Returns the state shown for a request. An unfinished request of an ended registration counts as aborted, because
    /// ending a registration does not write the rows of its requests.
    fn state(&self) -> (RecordState, Option<RecordOutcome>) {
        match self.state {
            COMPLETED => (RecordState::Completed, Some(RecordOutcome::Success)),
            DEAD => (RecordState::Dead, Some(RecordOutcome::Failure)),
            ABORTED => (RecordState::Aborted, Some(RecordOutcome::Aborted)),
            _ if !self.active => (RecordState::Aborted, Some(RecordOutcome::Aborted)),
            PENDING => (RecordState::Pending, None),
            WAITING => (RecordState::Waiting, None),
            _ => (RecordState::Active, None),
        }
    }

    fn into_record(self) -> ResponseRecord {
        let (state, outcome) = self.state();
        let is_dead = state == RecordState::Dead;
        let message = match state {
            RecordState::Aborted => Some(messages::aborted()),
            _ => self.code.zip(self.detail).map(|(code, detail)| UserMessage::from_detail(&code, &detail)),
        };
        let (code, variant, args, text) = match message {
            Some(UserMessage { code, variant, args, text }) => (Some(code), variant, args, Some(text)),
            None => (None, None, BTreeMap::new(), None),
        };
        let refused = self.refused_status.filter(|status| is_dead && self.status != Some(*status));
        ResponseRecord {
            index: narrow(self.idx),
            url: self.url,
            method: self.method,
            state,
            optional: self.optional,
            status: refused.or(self.status),
            status_text: self.status_text.filter(|_| refused.is_none()),
            headers: self.headers.as_deref().map(from_json).unwrap_or_default(),
            url_chain: self.url_chain.as_deref().map(from_json).unwrap_or_default(),
            path: self.path.as_deref().map(columns::path),
            size: if is_dead { self.total_size } else { self.size }.map(unsigned),
            downloaded: unsigned(self.kept),
            outcome,
            code,
            variant,
            args,
            text,
            verified: self.verified.map(verified),
            digest: self.digest,
            missing_guarantees: self.missing.map(missing_guarantees).unwrap_or_default(),
            attempts: narrow(self.tries) + u32::from(state == RecordState::Active),
            next_try: (state == RecordState::Waiting).then(|| milliseconds(self.not_before_us)),
        }
    }
}

impl LedgerStore {
    /// Storage operation 7: returns at most `limit` records from index `from`. The result is empty for an unknown
    /// registration. Records of a removed registration are returned only if `removed` is true.
    pub async fn records(&self, id: UniqueId, from: u32, limit: u32, removed: bool) -> Result<Vec<ResponseRecord>, EngineError> {
        let records = sqlx::query_as(RECORDS).bind(key(&id)).bind(from).bind(limit).bind(removed);
        let rows: Vec<Row> = records.fetch_all(self.readers()).await?;
        Ok(rows.into_iter().map(Row::into_record).collect())
    }

    /// Returns the records whose request matches, in order. Fragments are always ignored. If `ignore_search` is set,
    /// queries are ignored too. If `ignore_method` is set, any method matches.
    pub async fn match_all(
        &self,
        id: UniqueId,
        url: &url::Url,
        options: &MatchOptions,
        removed: bool,
    ) -> Result<Vec<ResponseRecord>, EngineError> {
        let compared = if options.ignore_search { without_query } else { without_fragment };
        let method = options.method.as_deref().unwrap_or("GET");
        let matching = sqlx::query_as(MATCHING).bind(key(&id)).bind(url_key(url.as_str())).bind(removed);
        let rows: Vec<Row> = matching.fetch_all(self.readers()).await?;
        Ok(rows
            .into_iter()
            .filter(|row| compared(&row.url) == compared(url.as_str()))
            .filter(|row| options.ignore_method || row.method.eq_ignore_ascii_case(method))
            .map(Row::into_record)
            .collect())
    }
}
