//! Streams the whole list in order for export, from one snapshot, with only a few rows in memory.

use ashore_messages::UserMessage;
use futures_util::{Stream, StreamExt as _, TryStreamExt as _};
use serde::Deserialize;
use sqlx::{FromRow, SqlitePool};
use url::Url;

use crate::{
    EngineError,
    model::{FailureReason, FollowUpRule, RegistrationResult, UniqueId, accepted::AcceptedRequest},
    store::{
        columns::{
            category, flag, from_json, json, key, milliseconds, narrow, reason, row, source, tag, unique_id, unsigned, verified,
        },
        ledger::{LedgerStore, LedgerWriter},
        list_file::format::{
            ExportedCaller, ExportedFailure, ExportedRequest, ExportedState, ImportFingerprint, ImportFingerprinter, leaves,
            without_pages, without_sign_in,
        },
        requests::{
            expectations::{self, known},
            fact::{COMPLETED, DEAD},
        },
        statement::statements,
    },
};

/// Columns of a request `q`, of its `expectation` row `e` and of its `follow_on` row `n`.
macro_rules! asked {
    () => {
        concat!(
            "q.method, q.url, q.headers, q.body_path IS NOT NULL AS sends, q.body_size, q.name, q.digest, s.optional, n.next, ",
            known!(),
            " AS known, EXISTS (SELECT 1 FROM owner w WHERE w.owner_id = r.owner_id AND w.name = 'browser') AS of_browser"
        )
    };
}
macro_rules! beside {
    () => {
        "CROSS JOIN request q ON q.reg_id = r.reg_id
         CROSS JOIN req_state s ON s.reg_id = q.reg_id AND s.idx = q.idx
         LEFT JOIN expectation e ON e.reg_id = q.reg_id AND e.idx = q.idx
         LEFT JOIN follow_on n ON n.reg_id = q.reg_id AND n.idx = q.idx "
    };
}

statements! {
    // The row of a registration's first request also contains the registration. A single statement therefore reads one
    // snapshot of the list.
    SAVED: Listing = concat!(
        "SELECT CASE q.idx WHEN 0 THEN (
           SELECT json_array(hex(r.unique_id), o.name, g.source, g.developer_id, f.title, g.folder, g.category, r.created_us,
             r.active, r.paused, r.lane_rank, r.parallel, r.download_total, r.keep_for_us, r.takes_files, l.rate,
             r.settled_us, r.result, r.failure, r.trouble_code, r.trouble_detail, f.description)
           FROM given g CROSS JOIN face f ON f.reg_id = g.reg_id CROSS JOIN owner o ON o.owner_id = r.owner_id
           LEFT JOIN reg_rate l ON l.reg_id = g.reg_id
           WHERE g.reg_id = q.reg_id) END AS registration, ",
        asked!(), ",
           s.state, s.category, s.tries, s.sent,
           CASE WHEN h.reg_id IS NOT NULL THEN
             json_array(h.status, h.status_text, json(h.headers), json(h.url_chain), h.total_size, h.name) END AS answer,
           CASE WHEN d.reg_id IS NOT NULL THEN
             json_array(d.path, d.size, d.digest, d.verified, d.started_us, d.finished_us, d.brought) END AS done,
           (SELECT json_group_array(json_array(a.number, a.started_us, a.ended_us, a.reason, a.code, a.detail, a.status, a.bytes,
              a.brought, json(a.url_chain)) ORDER BY a.number)
            FROM attempt a WHERE a.reg_id = q.reg_id AND a.idx = q.idx) AS attempts,
           (SELECT json_group_array(json_array(v.by_idx, v.algorithm, v.said) ORDER BY v.by_idx)
            FROM voucher v INDEXED BY voucher_of WHERE v.reg_id = q.reg_id AND v.idx = q.idx) AS vouchers
         FROM registration r ",
        beside!(),
        "LEFT JOIN response_head h ON h.reg_id = q.reg_id AND h.idx = q.idx
         LEFT JOIN response_done d ON d.reg_id = q.reg_id AND d.idx = q.idx
         WHERE r.doomed = 0 ORDER BY r.reg_id, q.idx"
    );
    ASKED_OF_ALL: Search = concat!(
        "SELECT r.unique_id, q.idx, ", asked!(), " FROM json_each(?1) j CROSS JOIN registration r ON r.unique_id = unhex(j.value) ",
        beside!(), "WHERE r.doomed = 0"
    );
    ASKED_OF: Search = concat!(
        "SELECT ", asked!(), " FROM registration r ", beside!(), "WHERE r.unique_id = ?1 AND r.doomed = 0 ORDER BY q.idx"
    );
}

#[derive(FromRow)]
struct AskedRow {
    method: String,
    url: String,
    headers: String,
    sends: bool,
    body_size: i64,
    name: Option<String>,
    digest: Option<String>,
    optional: bool,
    next: Option<String>,
    known: String,
    of_browser: bool,
}

impl AskedRow {
    fn into_asked(self) -> Result<ExportedRequest, EngineError> {
        let known: expectations::ExpectationRow = row(&self.known)?;
        let url = Url::parse(&self.url).map_err(|error| EngineError::Ledger(sqlx::Error::Decode(Box::new(error))))?;
        let next: Option<FollowUpRule> = self.next.as_deref().and_then(|next| serde_json::from_str(next).ok());
        let headers = from_json(&self.headers);
        Ok(ExportedRequest::from_accepted(&AcceptedRequest {
            method: self.method,
            url,
            // A browser's referrer is the page on which the user clicked. The address of this page must stay on this
            // machine.
            headers: if self.of_browser { without_pages(headers) } else { headers },
            body: self.sends.then(|| (Default::default(), unsigned(self.body_size))),
            name: self.name,
            digest: self.digest.and_then(|text| text.parse().ok()),
            expectation: known.into_expectation(),
            optional: self.optional,
            next: next.map(Box::new),
            guid: None,
        }))
    }
}

#[derive(FromRow)]
struct AskedOfRow {
    unique_id: Vec<u8>,
    idx: i64,
    #[sqlx(flatten)]
    asked: AskedRow,
}

#[derive(FromRow)]
struct Row {
    registration: Option<String>,
    #[sqlx(flatten)]
    asked: AskedRow,
    state: i64,
    category: i64,
    tries: i64,
    sent: i64,
    answer: Option<String>,
    done: Option<String>,
    attempts: String,
    vouchers: String,
}

/// Columns in the order of [`SAVED`].
#[derive(Deserialize)]
struct Registration(
    UniqueId,
    String,
    i64,
    String,
    String,
    String,
    i64,
    i64,
    #[serde(deserialize_with = "flag")] bool,
    #[serde(deserialize_with = "flag")] bool,
    i64,
    i64,
    i64,
    Option<i64>,
    #[serde(deserialize_with = "flag")] bool,
    Option<i64>,
    Option<i64>,
    i64,
    i64,
    String,
    String,
    String,
);

#[derive(Deserialize)]
struct Answer(u16, String, Vec<(String, String)>, Vec<String>, Option<i64>, String);

#[derive(Deserialize)]
struct Done(Option<String>, i64, Option<String>, i64, Option<i64>, i64, Option<i64>);

#[derive(Deserialize)]
struct Attempt(i64, Option<i64>, i64, i64, String, String, Option<u16>, i64, Option<i64>, Option<Vec<String>>);

#[derive(Deserialize)]
struct ExportedVoucherRow(i64, String, String);

impl Row {
    fn into_saved(self) -> Result<(Option<crate::store::list_file::format::ExportedRegistration>, ExportedCaller), EngineError> {
        let registration = self.registration.as_deref().map(row::<Registration>).transpose()?;
        let state = match self.state {
            COMPLETED => ExportedState::Done,
            DEAD => ExportedState::Failed,
            _ => ExportedState::Unfinished,
        };
        let is_unfinished = state == ExportedState::Unfinished;
        let answer = self.answer.as_deref().filter(|_| !is_unfinished).map(row::<Answer>).transpose()?;
        let done = self.done.as_deref().filter(|_| state == ExportedState::Done).map(row::<Done>).transpose()?;
        let vouchers: Vec<ExportedVoucherRow> = if is_unfinished { row(&self.vouchers)? } else { Vec::new() };
        let request = ExportedCaller {
            asked: self.asked.into_asked()?,
            kind: Some(category(self.category)),
            state,
            tries: narrow(self.tries),
            done: done.map(|done| done.into_saved(self.sent)),
            answer: answer.map(Answer::into_saved),
            attempts: row::<Vec<Attempt>>(&self.attempts)?.into_iter().map(Attempt::into_saved).collect(),
            vouchers: vouchers.into_iter().map(ExportedVoucherRow::into_saved).collect(),
            left_out: Vec::new(),
        };
        Ok((registration.map(Registration::into_saved), request))
    }
}

impl Registration {
    fn into_saved(self) -> crate::store::list_file::format::ExportedRegistration {
        let Self(
            id,
            owner,
            from,
            developer_id,
            title,
            folder,
            kind,
            created_us,
            active,
            paused,
            rank,
            parallel,
            download_total,
            keep_for_us,
            takes_files,
            rate,
            settled_us,
            result,
            failure,
            code,
            detail,
            description,
        ) = self;
        let failure = Some(reason(failure)).filter(|failure| *failure != FailureReason::None);
        let failure = failure.map(|reason| {
            let UserMessage { code, variant, args, text } = UserMessage::from_detail(&code, &detail);
            ExportedFailure { reason, code, variant, args, text }
        });
        crate::store::list_file::format::ExportedRegistration {
            id,
            owner,
            source: Some(source(from)),
            developer_id: Some(developer_id).filter(|name| *name != id.to_string()),
            title,
            description,
            folder,
            kind: Some(category(kind)),
            created: milliseconds(created_us),
            result: match result {
                _ if active => RegistrationResult::None,
                1 => RegistrationResult::Success,
                _ => RegistrationResult::Failure,
            },
            settled: settled_us.filter(|_| !active).map(milliseconds),
            failure,
            paused: active && paused,
            rank: if active { rank } else { 0 },
            parallel: Some(narrow(parallel)).filter(|parallel| *parallel > 0),
            download_total: unsigned(download_total),
            keep_for_seconds: keep_for_us.map(|us| unsigned(us.div_euclid(1_000_000))),
            takes_files,
            bytes_per_second: rate.map(unsigned),
            left_out: Vec::new(),
        }
    }
}

impl Answer {
    fn into_saved(self) -> crate::store::list_file::format::ExportedResponse {
        let Self(status, status_text, headers, url_chain, total_size, name) = self;
        let (headers, headers_left_out) = leaves(headers);
        let url_chain = url_chain.iter().map(|url| without_sign_in(url)).collect();
        crate::store::list_file::format::ExportedResponse {
            status,
            status_text,
            headers,
            headers_left_out,
            url_chain,
            total_size: total_size.map(unsigned),
            name,
        }
    }
}

impl Done {
    fn into_saved(self, sent: i64) -> crate::store::list_file::format::ExportedCompletion {
        let Self(path, size, digest, how, started_us, finished_us, brought) = self;
        crate::store::list_file::format::ExportedCompletion {
            path,
            size: unsigned(size),
            sent: unsigned(sent),
            verified: verified(how),
            digest,
            started: started_us.map(milliseconds),
            finished: milliseconds(finished_us),
            brought: brought.map(unsigned),
        }
    }
}

impl Attempt {
    fn into_saved(self) -> crate::store::list_file::format::ExportedAttempt {
        let Self(number, started_us, ended_us, why, code, detail, status, bytes, brought, url_chain) = self;
        crate::store::list_file::format::ExportedAttempt {
            number: narrow(number),
            started: started_us.map(milliseconds),
            ended: milliseconds(ended_us),
            reason: reason(why),
            trouble: UserMessage::from_detail(&code, &detail),
            status,
            bytes: unsigned(bytes),
            brought: brought.map(unsigned),
            url_chain: url_chain.unwrap_or_default().iter().map(|url| without_sign_in(url)).collect(),
        }
    }
}

impl ExportedVoucherRow {
    fn into_saved(self) -> crate::store::list_file::format::ExportedChecksumLink {
        let Self(index, algorithm, said) = self;
        crate::store::list_file::format::ExportedChecksumLink {
            index: narrow(index),
            algorithm,
            said: Some(said).filter(|said| !said.is_empty()),
        }
    }
}

impl LedgerStore {
    /// Streams every request in the list, in creation order. The first request of each registration also contains the
    /// registration.
    pub fn saved(
        &self,
    ) -> impl Stream<Item = Result<(Option<crate::store::list_file::format::ExportedRegistration>, ExportedCaller), EngineError>>
    + Send
    + '_ {
        sqlx::query_as::<_, Row>(SAVED).fetch(self.readers()).map(|row| row?.into_saved())
    }
}

/// Streams the requests of these registrations, in any order. Each result also has the id of the registration and the
/// index of the request.
pub(in crate::store) fn asked_of<'a>(
    readers: &'a SqlitePool,
    ids: &[UniqueId],
) -> Result<impl Stream<Item = Result<(UniqueId, i64, ExportedRequest), EngineError>> + Send + Unpin + 'a, EngineError> {
    let ids: Vec<String> = ids.iter().map(|id| tag(key(id))).collect();
    let rows = sqlx::query_as::<_, AskedOfRow>(ASKED_OF_ALL).bind(json(&ids)?).fetch(readers);
    Ok(rows.map(|row| {
        let row = row?;
        Ok((unique_id(&row.unique_id)?, row.idx, row.asked.into_asked()?))
    }))
}

impl LedgerWriter<'_> {
    /// Returns the fingerprint of a registration's requests. Returns `None` if the registration is not in the list or
    /// is being removed.
    pub async fn mark_of(&mut self, id: UniqueId) -> Result<Option<ImportFingerprint>, EngineError> {
        let mut rows = sqlx::query_as::<_, AskedRow>(ASKED_OF).bind(key(&id)).fetch(self.connection()?);
        let mut marking = None;
        while let Some(row) = rows.try_next().await? {
            marking.get_or_insert_with(ImportFingerprinter::default).add(row.into_asked()?);
        }
        Ok(marking.map(ImportFingerprinter::finish))
    }
}
