//! Reads synced registrations in the form in which the sync client sends them, and applies changes that other machines
//! request.

use std::collections::HashMap;

use ashore_transfer::Guid;
use futures_util::TryStreamExt as _;
use serde_json::Value;
use sqlx::FromRow;

use crate::{
    EngineError,
    model::{FailureReason, RegistrationResult, SyncedRegistration, UniqueId, UserMessage},
    store::{
        columns::{category, json, key, milliseconds, narrow, tag, unique_id, unsigned, without_query},
        ledger::{LedgerStore, LedgerWriter},
        list_file::export,
        statement::statements,
        sync::marks::SyncChange,
    },
};

/// Maximum number of requests that a record carries. Other machines can only display a larger registration.
const MOST_REQUESTS: u32 = 10_000;

/// Prefix of the `developer_id` of a download that another machine sent; the id of the command follows.
pub(crate) const SENT_PREFIX: &str = "sent-";

/// Columns of a synced registration, in the order of [`SyncedRow`].
macro_rules! synced {
    () => {
        "r.unique_id, m.sync_id, m.change, m.title_us, m.requested_us, f.title, r.created_us, r.active, r.paused, r.result,
           r.trouble_code, r.trouble_detail, r.settled_us, r.expected, r.n_unsized, r.n_requests, g.category, g.developer_id,
           m.started AS is_started,
           (SELECT q.url FROM request q WHERE q.reg_id = r.reg_id AND q.idx = 0) AS address,
           (SELECT d.digest FROM response_done d WHERE d.reg_id = r.reg_id AND d.idx = 0) AS digest"
    };
}
macro_rules! beside {
    () => {
        " CROSS JOIN given g ON g.reg_id = r.reg_id CROSS JOIN face f ON f.reg_id = r.reg_id "
    };
}

statements! {
    DUE: Walk = concat!(
        "SELECT ", synced!(), " FROM sync_mark m INDEXED BY sync_mark_due CROSS JOIN registration r ON r.reg_id = m.reg_id", beside!(),
        "WHERE m.change > m.sent AND r.doomed = 0 ORDER BY m.change LIMIT ?1"
    );
    OF_SYNC_ID: Search = concat!(
        "SELECT ", synced!(), " FROM sync_mark m CROSS JOIN registration r ON r.reg_id = m.reg_id", beside!(),
        "WHERE m.sync_id = ?1 AND r.doomed = 0"
    );
    OF_UNIQUE_ID: Search = concat!(
        "SELECT ", synced!(), " FROM registration r CROSS JOIN sync_mark m ON m.reg_id = r.reg_id", beside!(),
        "WHERE r.unique_id = ?1 AND r.doomed = 0"
    );
    ASSIGN: Search =
        "INSERT INTO sync_mark (reg_id, sync_id, change)
         SELECT m.reg_id, j.value ->> 1, m.change
         FROM json_each(?1) j CROSS JOIN registration r ON r.unique_id = unhex(j.value ->> 0)
         CROSS JOIN sync_mark m ON m.reg_id = r.reg_id
         WHERE m.sync_id IS NULL AND r.doomed = 0
         ON CONFLICT (reg_id) DO UPDATE SET sync_id = excluded.sync_id";
    ADOPT: Search =
        "INSERT INTO sync_mark (reg_id, sync_id, change)
         SELECT reg_id, ?2, 0 FROM registration WHERE unique_id = ?1
         ON CONFLICT (reg_id) DO UPDATE SET sync_id = excluded.sync_id";
    SENT: Search =
        "UPDATE sync_mark SET sent = j.value ->> 1 FROM json_each(?1) j
         WHERE sync_mark.sync_id = j.value ->> 0 AND sync_mark.sent < j.value ->> 1";
    SEEN: Search =
        "SELECT m.reg_id, r.unique_id FROM sync_mark m CROSS JOIN registration r ON r.reg_id = m.reg_id
         WHERE m.sync_id = ?1 AND m.change = ?2 AND r.doomed = 0";
    LATEST_OF: Search =
        "SELECT r.created_us FROM registration r INDEXED BY reg_owner
         WHERE r.owner_id = (SELECT owner_id FROM owner WHERE name = ?1) ORDER BY r.reg_id DESC LIMIT ?2";
    SET_TITLE: Search = "UPDATE face SET title = ?2 WHERE reg_id = ?1";
    COUNT: Listing = "SELECT count(*), sum(change > sent) FROM sync_mark";
}

#[derive(FromRow)]
struct SyncedRow {
    unique_id: Vec<u8>,
    sync_id: Option<String>,
    change: i64,
    title_us: i64,
    requested_us: i64,
    title: String,
    created_us: i64,
    active: bool,
    paused: bool,
    result: i64,
    trouble_code: String,
    trouble_detail: String,
    settled_us: Option<i64>,
    expected: i64,
    n_unsized: i64,
    n_requests: i64,
    category: i64,
    developer_id: String,
    is_started: bool,
    address: Option<String>,
    digest: Option<String>,
}

impl SyncedRow {
    fn into_synced(self) -> Result<SyncedRegistration, EngineError> {
        let result = match self.result {
            _ if self.active => RegistrationResult::None,
            1 => RegistrationResult::Success,
            _ => RegistrationResult::Failure,
        };
        let is_failure = result == RegistrationResult::Failure;
        Ok(SyncedRegistration {
            unique_id: unique_id(&self.unique_id)?,
            sync_id: self.sync_id,
            change: self.change,
            title: self.title,
            title_ms: milliseconds(self.title_us),
            requested_ms: milliseconds(self.requested_us),
            created_ms: milliseconds(self.created_us),
            is_paused: self.active && self.paused,
            is_started: self.is_started,
            result,
            failure: is_failure.then(|| UserMessage::from_detail(&self.trouble_code, &self.trouble_detail)),
            settled_ms: self.settled_us.filter(|_| !self.active).map(milliseconds),
            size: (self.n_unsized == 0).then(|| unsigned(self.expected)),
            kind: category(self.category),
            address: self.address.map(|address| without_query(&crate::intake::userinfo::without_sign_in(&address)).to_owned()),
            digest: self.digest.filter(|_| self.n_requests == 1),
            command: self.developer_id.strip_prefix(SENT_PREFIX).map(str::to_owned),
            request_count: narrow(self.n_requests),
            requests: Vec::new(),
        })
    }
}

impl LedgerStore {
    /// Returns registrations that changed since they were sent, in the order of the changes, with their requests.
    pub async fn due_synced_registrations(&self, limit: u32) -> Result<Vec<SyncedRegistration>, EngineError> {
        let rows = sqlx::query_as(DUE).bind(limit).fetch_all(self.readers()).await?;
        self.with_requests(rows).await
    }

    /// Returns the registration that a record describes; `None` if this machine does not have it.
    pub async fn synced_registration(&self, sync_id: &str) -> Result<Option<SyncedRegistration>, EngineError> {
        let rows = sqlx::query_as(OF_SYNC_ID).bind(sync_id).fetch_all(self.readers()).await?;
        Ok(self.with_requests(rows).await?.pop())
    }

    /// Returns a registration in the form in which it is sent to the server; `None` if it is not synced.
    pub async fn synced_view(&self, id: UniqueId) -> Result<Option<SyncedRegistration>, EngineError> {
        let rows = sqlx::query_as(OF_UNIQUE_ID).bind(key(&id)).fetch_all(self.readers()).await?;
        Ok(self.with_requests(rows).await?.pop())
    }

    /// Returns the times in microseconds at which the latest registrations of an owner were created, newest first.
    pub async fn latest_creations(&self, owner: &str, limit: u32) -> Result<Vec<i64>, EngineError> {
        Ok(sqlx::query_scalar(LATEST_OF).bind(owner).bind(limit).fetch_all(self.readers()).await?)
    }

    /// Returns how many registrations are synced, and how many of them are due.
    pub async fn synced_counts(&self) -> Result<(i64, i64), EngineError> {
        let (all, due): (i64, Option<i64>) = sqlx::query_as(COUNT).fetch_one(self.readers()).await?;
        Ok((all, due.unwrap_or(0)))
    }

    /// Reads the requests of all registrations with one statement.
    async fn with_requests(&self, rows: Vec<SyncedRow>) -> Result<Vec<SyncedRegistration>, EngineError> {
        let mut registrations: Vec<SyncedRegistration> =
            rows.into_iter().map(SyncedRow::into_synced).collect::<Result<_, _>>()?;
        let portable = registrations.iter().filter(|synced| synced.request_count <= MOST_REQUESTS);
        let ids: Vec<UniqueId> = portable.map(|synced| synced.unique_id).collect();
        let mut requests: HashMap<UniqueId, Vec<(i64, Value)>> = HashMap::new();
        let mut rows = export::asked_of(self.readers(), &ids)?;
        while let Some((id, idx, request)) = rows.try_next().await? {
            let request =
                serde_json::to_value(request).map_err(|error| EngineError::Ledger(sqlx::Error::Encode(Box::new(error))))?;
            requests.entry(id).or_default().push((idx, request));
        }
        for synced in &mut registrations {
            let mut found = requests.remove(&synced.unique_id).unwrap_or_default();
            found.sort_by_key(|(idx, _)| *idx);
            synced.requests = found.into_iter().map(|(_, request)| request).collect();
        }
        Ok(registrations)
    }
}

/// Effects of a change that another machine requested. The engine carries them out after the commit.
#[derive(Debug)]
pub(crate) struct AppliedWish {
    pub id: UniqueId,
    /// Transfers to stop.
    pub guids: Vec<Guid>,
    /// Whether this change ended a registration that was active.
    pub has_ended: bool,
    pub is_removed: bool,
}

/// Change that another machine requests to a registration of this machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct RegistrationWish<'a> {
    pub title: Option<&'a str>,
    pub is_paused: Option<bool>,
    pub is_restarted: bool,
    pub is_removed: bool,
}

impl LedgerWriter<'_> {
    /// Gives registrations their sync ids. Returns false if one of them already has a sync id, or is not synced.
    pub async fn assign_sync_ids(&mut self, ids: &[(UniqueId, &str)]) -> Result<bool, EngineError> {
        if ids.is_empty() {
            return Ok(true);
        }
        let rows: Vec<(String, &str)> = ids.iter().map(|(id, sync_id)| (tag(key(id)), *sync_id)).collect();
        let assigned = sqlx::query(ASSIGN).bind(json(&rows)?).execute(self.connection()?).await?;
        Ok(usize::try_from(assigned.rows_affected()) == Ok(ids.len()))
    }

    /// Makes a new registration the local version of an existing record, because the download was handed over to this
    /// machine.
    pub async fn adopt_sync_id(&mut self, id: UniqueId, sync_id: &str) -> Result<(), EngineError> {
        sqlx::query(ADOPT).bind(key(&id)).bind(sync_id).execute(self.connection()?).await?;
        Ok(())
    }

    /// Stores for each sync id the change number of the version that was sent.
    pub async fn mark_synced(&mut self, sent: &[(&str, i64)]) -> Result<(), EngineError> {
        if sent.is_empty() {
            return Ok(());
        }
        sqlx::query(SENT).bind(json(&sent)?).execute(self.connection()?).await?;
        Ok(())
    }

    /// Applies a change that another machine requested, if the registration is unchanged since the caller read it.
    /// Otherwise returns `None`.
    pub async fn apply_wish(
        &mut self,
        (sync_id, seen): (&str, i64),
        wish: &RegistrationWish<'_>,
        now_us: i64,
    ) -> Result<Option<AppliedWish>, EngineError> {
        let found: Option<(i64, Vec<u8>)> =
            sqlx::query_as(SEEN).bind(sync_id).bind(seen).fetch_optional(self.connection()?).await?;
        let Some((reg_id, id)) = found else { return Ok(None) };
        let mut applied = AppliedWish { id: unique_id(&id)?, guids: Vec::new(), has_ended: false, is_removed: wish.is_removed };
        if let Some(title) = wish.title {
            sqlx::query(SET_TITLE).bind(reg_id).bind(title).execute(self.connection()?).await?;
            self.tallies.marks.add(reg_id, SyncChange::Facts);
        }
        if wish.is_restarted {
            self.tallies.marks.add(reg_id, SyncChange::Started(false));
        }
        if wish.is_removed {
            let reason = FailureReason::Aborted;
            let ended =
                self.mark_registration_for_deletion(applied.id, reason, &crate::model::messages::aborted(), now_us).await?;
            self.mark_for_removal(applied.id, false).await?;
            applied.has_ended = ended.is_some();
            applied.guids = ended.unwrap_or_default();
        } else if let Some(is_paused) = wish.is_paused {
            self.set_paused(Some(applied.id), is_paused, now_us).await?;
            if is_paused {
                applied.guids = self.active_guids_of(reg_id).await?;
            }
        }
        Ok(Some(applied))
    }
}
