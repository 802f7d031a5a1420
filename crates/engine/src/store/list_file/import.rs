//! Writes imported registrations and requests, a few thousand rows at a time.
//!
//! - The transaction may contain other writes too.
//! - Counters are computed from the written rows, so that they match the rows.
//! - Ashore must not delete files that an import names, so the identities of these files are not stored.

use std::path::PathBuf;

use ashore_messages::UserMessage;
use ashore_transfer::FileDigest;
use serde::Serialize;
use uuid::Uuid;

use crate::{
    EngineError,
    intake::file_kind,
    model::{
        FailureReason, FileCategory, RecordedVerification, RegistrationResult, RequestSource, UniqueId,
        accepted::{AcceptedRequest, RegistrationFingerprint},
        values::retention::RetentionPeriod,
    },
    store::{
        QuotaLimit,
        columns::{category_number, json, key, reason_number, signed, source_number, tag, text, verified_number},
        ledger::LedgerWriter,
        registrations::expiry::expires,
        requests::{
            fact::{COMPLETED, DEAD, PENDING},
            insert::{add_hosts, add_requests},
        },
        statement::statements,
        sync::marks::SyncChange,
        totals::tally::HostTally,
    },
};

/// Distance between the ranks of two consecutive registrations.
const GAP: i64 = 1 << 20;
/// Number of registrations whose totals are collected in memory before they are written.
const GATHERED: usize = 1000;

statements! {
    BOTTOM: Walk = "SELECT lane_rank FROM registration INDEXED BY reg_rank WHERE active = 1 ORDER BY lane_rank DESC LIMIT 1";
    // Imported ranks keep their distances until the import ends. Then all ranks are spaced evenly again.
    SPREAD: Listing =
        "UPDATE registration SET lane_rank = spread.rank
         FROM (SELECT reg_id, ?1 * row_number() OVER (ORDER BY lane_rank, reg_id) AS rank
               FROM registration INDEXED BY reg_rank WHERE active = 1) spread
         WHERE registration.reg_id = spread.reg_id";
    IS_THERE: Search = "SELECT EXISTS (SELECT 1 FROM registration WHERE unique_id = ?1)";
    ADD_OWNER: Search = "INSERT INTO owner (name) VALUES (?1) ON CONFLICT (name) DO UPDATE SET doomed = 0 WHERE doomed = 1";
    OWNER: Search = "SELECT owner_id FROM owner WHERE name = ?1";
    ADD: Search =
        "INSERT INTO registration (unique_id, owner_id, created_us, active, paused, lane_rank, n_requests, n_pending, n_unsized,
           download_total, parallel, keep_for_us, takes_files, delivers)
         VALUES (?1, ?2, ?3, 0, 1, ?4, 0, 0, 0, ?5, ?6, ?7, ?8, ?9)";
    ADD_GIVEN: Search =
        "INSERT INTO given (reg_id, developer_id, folder, source, day, category) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    ADD_FACE: Search = "INSERT INTO face (reg_id, title, description) VALUES (?1, ?2, ?3)";
    ADD_RATE: Search = "INSERT INTO reg_rate (reg_id, rate) VALUES (?1, ?2)";
    BECAME: Search =
        "UPDATE req_state SET state = j.value ->> 1, guid = unhex(j.value ->> 2), tries = j.value ->> 3, kept = j.value ->> 4,
           sent = j.value ->> 5, size = j.value ->> 6, category = j.value ->> 7
         FROM json_each(?2) j WHERE req_state.reg_id = ?1 AND req_state.idx = j.value ->> 0";
    ADD_HEADS: Search =
        "INSERT INTO response_head (reg_id, idx, status, status_text, headers, url_chain, total_size, name)
         SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value -> 3, value -> 4, value ->> 5, value ->> 6
         FROM json_each(?2)";
    ADD_DONE: Search =
        "INSERT INTO response_done (reg_id, idx, path, size, digest, verified, finished_us, started_us, brought)
         SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7
         FROM json_each(?2)";
    ADD_ATTEMPTS: Search =
        "INSERT OR IGNORE INTO attempt (reg_id, idx, number, started_us, ended_us, reason, code, detail, status, bytes, brought,
           url_chain)
         SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
           value ->> 8, value ->> 9, value ->> 10
         FROM json_each(?2)";
    ADD_VOUCHERS: Search =
        "INSERT OR IGNORE INTO voucher (reg_id, by_idx, idx, algorithm, said)
         SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?2)";
    COUNT: Search =
        "UPDATE registration SET
           (n_requests, n_pending, n_succeeded, n_failed, n_unsized, expected, downloaded, completed_bytes, uploaded) =
             (SELECT count(*), sum(state = 0), sum(state = 2), sum(state = 5), sum(size IS NULL), sum(coalesce(size, 0)),
                sum(kept), sum(CASE state WHEN 2 THEN kept ELSE 0 END), sum(sent)
              FROM req_state WHERE reg_id = ?1),
           upload_total = (SELECT sum(body_size) FROM request WHERE reg_id = ?1)
         WHERE reg_id = ?1 RETURNING n_requests, n_pending, n_succeeded, n_failed, completed_bytes, uploaded, owner_id";
    ADD_LANES: Listing =
        "INSERT INTO lane (reg_id, host_id, first_idx, n_pending)
         SELECT reg_id, host_id, coalesce(min(CASE state WHEN 0 THEN idx END), min(idx)), sum(state = 0)
         FROM req_state WHERE reg_id = ?1 GROUP BY host_id";
    USE: Listing =
        "INSERT INTO usage (owner_id, category, files, kept)
         SELECT ?2, category, sum(state = 2 OR kept > 0), sum(kept) FROM req_state WHERE reg_id = ?1 GROUP BY category
         HAVING sum(state = 2 OR kept > 0) > 0
         ON CONFLICT (owner_id, category) DO UPDATE SET files = files + excluded.files, kept = kept + excluded.kept";
    FAILED: Search = "UPDATE registration SET failure = ?2, trouble_code = ?3, trouble_detail = ?4 WHERE reg_id = ?1";
    ACTIVATE: Search = "UPDATE registration SET active = 1 WHERE reg_id = ?1";
    SETTLE: Search = concat!(
        "UPDATE registration SET result = ?2, settled_us = ?3, event = 2, expires_us = ", expires!("?4"), " WHERE reg_id = ?1"
    );
    NAME_TAKEN: Search = "SELECT EXISTS (SELECT 1 FROM active_name WHERE owner_id = ?1 AND developer_id = ?2)";
    TAKE_NAME: Search = "INSERT INTO active_name (reg_id, owner_id, developer_id, content) VALUES (?1, ?2, ?3, ?4)";
    SET_NAME: Search = "UPDATE given SET developer_id = ?2, content = ?3 WHERE reg_id = ?1";
    LIMIT_ALL: Search = "UPDATE wish SET rate = ?1 WHERE one = 1 AND rate = 0";
    LIMIT_HOST: Search = "INSERT OR IGNORE INTO host_rate (name, rate) VALUES (?1, ?2)";
    ADD_QUOTA: Search = "INSERT OR IGNORE INTO quota (owner_id, category, bytes, files) VALUES (?1, ?2, ?3, ?4)";
}

/// A registration that was validated for import.
#[derive(Clone, Debug)]
pub(crate) struct ImportedRegistration {
    pub id: UniqueId,
    pub owner: String,
    pub developer_id: String,
    pub title: String,
    pub description: String,
    pub source: RequestSource,
    pub day: i64,
    pub folder: PathBuf,
    pub category: FileCategory,
    pub created_us: i64,
    pub rank: i64,
    pub parallel: u32,
    pub download_total: u64,
    pub keep_for: Option<RetentionPeriod>,
    pub takes_files: bool,
    pub bytes_per_second: Option<u64>,
}

/// A request that was validated for import, with its outcome.
#[derive(Clone, Debug)]
pub(crate) struct ImportedRequest {
    pub accepted: AcceptedRequest,
    pub category: FileCategory,
    pub became: ImportOutcome,
    pub tries: u32,
    pub answer: Option<ImportedAnswer>,
    pub attempts: Vec<ImportedAttempt>,
    /// Checksum files that may cover the request. Each entry has the index and the algorithm of the checksum file, and
    /// the checksum if it is known.
    pub vouchers: Vec<(u32, String, String)>,
}

/// Outcome of a request.
#[derive(Clone, Debug)]
pub(crate) enum ImportOutcome {
    Unfinished,
    Failed,
    Done(Box<ImportedDone>),
}

#[derive(Clone, Debug)]
pub(crate) struct ImportedDone {
    /// New GUID, because the ledger requires one for each completed request.
    pub guid: Uuid,
    pub path: Option<String>,
    pub size: u64,
    pub sent: u64,
    pub digest: Option<FileDigest>,
    pub verified: RecordedVerification,
    pub started_us: Option<i64>,
    pub finished_us: i64,
    pub brought: Option<u64>,
}

#[derive(Clone, Debug)]
pub(crate) struct ImportedAnswer {
    pub status: u16,
    pub status_text: String,
    pub headers: Vec<(String, String)>,
    pub url_chain: Vec<String>,
    pub total_size: Option<u64>,
    pub name: String,
}

#[derive(Clone, Debug)]
pub(crate) struct ImportedAttempt {
    pub number: u32,
    pub started_us: Option<i64>,
    pub ended_us: i64,
    pub reason: FailureReason,
    pub trouble: UserMessage,
    pub status: Option<u16>,
    pub bytes: u64,
    pub brought: Option<u64>,
    pub url_chain: Vec<String>,
}

/// Saved result of a registration, if the states of its requests permit this result.
#[derive(Clone, Debug)]
pub(crate) struct ImportedEnd {
    pub result: RegistrationResult,
    pub settled_us: Option<i64>,
    pub failure: Option<(FailureReason, UserMessage)>,
    /// Fingerprint of the content. Identifies repeated registrations.
    pub content: Option<RegistrationFingerprint>,
}

impl LedgerWriter<'_> {
    /// Returns a rank behind all registrations in the queue.
    pub async fn behind_all(&mut self) -> Result<i64, EngineError> {
        let bottom: Option<i64> = sqlx::query_scalar(BOTTOM).fetch_optional(self.connection()?).await?;
        Ok(bottom.unwrap_or(-GAP) + GAP)
    }

    /// Spaces the ranks of the queue evenly, after everything was imported.
    pub async fn spread(&mut self) -> Result<(), EngineError> {
        sqlx::query(SPREAD).bind(GAP).execute(self.connection()?).await?;
        self.is_spread = true;
        Ok(())
    }

    /// Returns whether a registration has this id. Registrations that are being removed count too.
    pub async fn is_taken(&mut self, id: UniqueId) -> Result<bool, EngineError> {
        Ok(sqlx::query_scalar(IS_THERE).bind(key(&id)).fetch_one(self.connection()?).await?)
    }

    /// Writes a registration, but not its requests. No list shows the registration before [`Self::finish_import`].
    pub async fn import_registration(&mut self, new: &ImportedRegistration) -> Result<i64, EngineError> {
        let folder = text(&new.folder);
        let connection = self.connection()?;
        sqlx::query(ADD_OWNER).bind(&new.owner).execute(&mut *connection).await?;
        let owner_id: i64 = sqlx::query_scalar(OWNER).bind(&new.owner).fetch_one(&mut *connection).await?;
        let reg_id = sqlx::query(ADD)
            .bind(key(&new.id))
            .bind(owner_id)
            .bind(new.created_us)
            .bind(new.rank)
            .bind(signed(new.download_total))
            .bind(new.parallel)
            .bind(new.keep_for.map(RetentionPeriod::microseconds))
            .bind(new.takes_files)
            .bind(crate::model::owner::delivers(&new.owner, None))
            .execute(&mut *connection)
            .await?
            .last_insert_rowid();
        sqlx::query(ADD_GIVEN)
            .bind(reg_id)
            .bind(&new.developer_id)
            .bind(folder)
            .bind(source_number(new.source))
            .bind(new.day)
            .bind(category_number(new.category))
            .execute(&mut *connection)
            .await?;
        sqlx::query(ADD_FACE).bind(reg_id).bind(&new.title).bind(&new.description).execute(&mut *connection).await?;
        if let Some(rate) = new.bytes_per_second {
            sqlx::query(ADD_RATE).bind(reg_id).bind(signed(rate)).execute(connection).await?;
        }
        Ok(reg_id)
    }

    /// Writes the next requests of a registration; the first one has the index `first`.
    pub async fn import_requests(&mut self, reg_id: i64, first: usize, all: Vec<ImportedRequest>) -> Result<(), EngineError> {
        let connection = self.connection()?;
        let mut rows = Rows::default();
        let mut accepted = Vec::with_capacity(all.len());
        for (idx, request) in (first..).zip(all) {
            rows.add(idx, &request);
            accepted.push(request.accepted);
        }
        let mut lanes = add_hosts(connection, &accepted).await?;
        add_requests(connection, reg_id, first, &accepted, &mut lanes).await?;
        let Rows { became, heads, done, attempts, vouchers } = rows;
        for (statement, rows) in [
            (BECAME, json(&became)?),
            (ADD_HEADS, json(&heads)?),
            (ADD_DONE, json(&done)?),
            (ADD_ATTEMPTS, json(&attempts)?),
            (ADD_VOUCHERS, json(&vouchers)?),
        ] {
            if rows != "[]" {
                sqlx::query(statement).bind(reg_id).bind(rows).execute(&mut *connection).await?;
            }
        }
        Ok(())
    }

    /// Finishes a registration after its last request is written.
    ///
    /// A registration with unfinished requests becomes active and paused, regardless of its state in the imported file.
    /// A registration that failed, or whose requests have all ended, is settled without a notification.
    ///
    /// An active registration gets the first of `names` that no other active registration of the owner uses. The first
    /// of `names` is the registration's original name.
    pub async fn finish_import(
        &mut self,
        (reg_id, id): (i64, UniqueId),
        names: &[&str],
        end: ImportedEnd,
        now_us: i64,
    ) -> Result<(), EngineError> {
        let (connection, _, tallies) = self.parts()?;
        let (added, pending, succeeded, failed, downloaded, uploaded, owner_id): (i64, i64, i64, i64, i64, i64, i64) =
            sqlx::query_as(COUNT).bind(reg_id).fetch_one(&mut *connection).await?;
        sqlx::query(ADD_LANES).bind(reg_id).execute(&mut *connection).await?;
        sqlx::query(USE).bind(reg_id).bind(owner_id).execute(&mut *connection).await?;
        tallies.marks.add(reg_id, SyncChange::Title(now_us));
        tallies.marks.add(reg_id, SyncChange::Requested(now_us));
        tallies.change(reg_id, HostTally { added, succeeded, failed, downloaded, uploaded, ..HostTally::default() });
        let is_full = tallies.registrations() >= GATHERED;
        if let Some((reason, trouble)) = &end.failure {
            sqlx::query(FAILED)
                .bind(reg_id)
                .bind(reason_number(*reason))
                .bind(&trouble.code)
                .bind(trouble.detail())
                .execute(&mut *connection)
                .await?;
        }
        let is_over = pending == 0 || end.result == RegistrationResult::Failure && end.failure.is_some();
        if is_over {
            sqlx::query(SETTLE)
                .bind(reg_id)
                .bind(if end.failure.is_some() { 2 } else { 1 })
                .bind(end.settled_us.unwrap_or(now_us))
                .bind(now_us)
                .execute(&mut *connection)
                .await?;
        } else {
            sqlx::query(ACTIVATE).bind(reg_id).execute(&mut *connection).await?;
            let mut free = id.to_string();
            for name in names {
                let is_taken: bool = sqlx::query_scalar(NAME_TAKEN).bind(owner_id).bind(name).fetch_one(&mut *connection).await?;
                if !is_taken {
                    free = (*name).to_owned();
                    break;
                }
            }
            let content = end.content.as_ref().map(<[u8; 16]>::as_slice);
            sqlx::query(SET_NAME).bind(reg_id).bind(&free).bind(content).execute(&mut *connection).await?;
            sqlx::query(TAKE_NAME).bind(reg_id).bind(owner_id).bind(&free).bind(content).execute(&mut *connection).await?;
        }
        if is_full { self.tally().await } else { Ok(()) }
    }

    /// Sets a speed limit, unless a limit is already set.
    pub async fn import_limit(&mut self, host: Option<&str>, bytes_per_second: u64) -> Result<(), EngineError> {
        let rate = signed(bytes_per_second);
        let connection = self.connection()?;
        match host {
            None => sqlx::query(LIMIT_ALL).bind(rate).execute(connection).await?,
            Some(host) => sqlx::query(LIMIT_HOST).bind(host).bind(rate).execute(connection).await?,
        };
        Ok(())
    }

    /// Adds a quota, unless that quota already exists.
    pub async fn import_quota(&mut self, limit: &QuotaLimit) -> Result<(), EngineError> {
        sqlx::query(ADD_QUOTA)
            .bind(limit.owner.unwrap_or(crate::store::totals::usage::EVERYBODY))
            .bind(limit.category.map_or(crate::store::totals::usage::ALL_KINDS, category_number))
            .bind(limit.bytes.map(signed))
            .bind(limit.files.map(signed))
            .execute(self.connection()?)
            .await?;
        Ok(())
    }
}

/// Rows for all tables except `request`. The columns are in the order that the SQL statements for these tables expect.
#[derive(Default)]
struct Rows {
    became: Vec<BecameRow>,
    heads: Vec<HeadRow>,
    done: Vec<DoneRow>,
    attempts: Vec<AttemptRow>,
    vouchers: Vec<(u32, usize, String, String)>,
}

#[derive(Serialize)]
struct BecameRow(usize, i64, Option<String>, u32, i64, i64, Option<i64>, i64);

#[derive(Serialize)]
struct HeadRow(usize, u16, String, Vec<(String, String)>, Vec<String>, Option<i64>, String);

#[derive(Serialize)]
struct DoneRow(usize, Option<String>, i64, Option<String>, i64, i64, Option<i64>, Option<i64>);

#[derive(Serialize)]
struct AttemptRow(usize, u32, Option<i64>, i64, i64, String, String, Option<u16>, i64, Option<i64>, Option<String>);

impl Rows {
    fn add(&mut self, idx: usize, request: &ImportedRequest) {
        let (tries, kind) = (request.tries, category_number(request.category));
        let expected = file_kind::expected(&request.accepted.url, request.accepted.name.as_deref());
        match &request.became {
            // Write nothing here: `add_requests` writes the same values.
            ImportOutcome::Unfinished if tries == 0 && expected == request.category => {}
            ImportOutcome::Unfinished => self.became.push(BecameRow(idx, PENDING, None, tries, 0, 0, None, kind)),
            ImportOutcome::Failed => self.became.push(BecameRow(idx, DEAD, None, tries, 0, 0, Some(0), kind)),
            ImportOutcome::Done(done) => {
                let size = signed(done.size);
                self.became.push(BecameRow(
                    idx,
                    COMPLETED,
                    Some(tag(done.guid)),
                    tries,
                    size,
                    signed(done.sent),
                    Some(size),
                    kind,
                ));
                self.done.push(DoneRow(
                    idx,
                    done.path.clone(),
                    size,
                    done.digest.as_ref().map(ToString::to_string),
                    verified_number(done.verified),
                    done.finished_us,
                    done.started_us,
                    done.brought.map(signed),
                ));
            }
        }
        if let Some(answer) = request.answer.clone() {
            let ImportedAnswer { status, status_text, headers, url_chain, total_size, name } = answer;
            self.heads.push(HeadRow(idx, status, status_text, headers, url_chain, total_size.map(signed), name));
        }
        for attempt in &request.attempts {
            let chain = (!attempt.url_chain.is_empty()).then(|| serde_json::to_string(&attempt.url_chain).unwrap_or_default());
            self.attempts.push(AttemptRow(
                idx,
                attempt.number,
                attempt.started_us,
                attempt.ended_us,
                reason_number(attempt.reason),
                attempt.trouble.code.clone(),
                attempt.trouble.detail(),
                attempt.status,
                signed(attempt.bytes),
                attempt.brought.map(signed),
                chain,
            ));
        }
        self.vouchers.extend(request.vouchers.iter().cloned().map(|(by, algorithm, said)| (by, idx, algorithm, said)));
    }
}
