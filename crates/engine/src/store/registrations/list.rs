//! Reads registrations for display: one registration by name or id (storage operation 3), a page of the list, or all
//! registrations with active requests (storage operation 1).

use std::{collections::BTreeSet, path::PathBuf};

use sqlx::FromRow;

use crate::{
    EngineError,
    model::{
        FailureReason, ImageResource, ListPage, ListPosition, ListQuery, Registration, RegistrationResult, RegistrationState,
        SHOWN_SIDE, UniqueId, UserMessage, best_icon, state::state,
    },
    store::{
        ActiveRegistration,
        columns::{self, category, from_json, guid, key, milliseconds, narrow, reason, source, unique_id, unsigned},
        ledger::LedgerStore,
        registrations::{delivery, queue_order::QueuePosition},
        statement::statements,
    },
};

/// Value of `registration.event` after a caller has claimed the right to show the user's notification.
const SHOWN: i64 = 2;

/// Number of registrations in a page, if the caller gives none.
const PAGE: u32 = 500;

/// Selects a registration's columns from `$from`, which provides the registration as `r`.
macro_rules! registrations {
    ($from:expr, $rest:expr) => {
        concat!(
            "SELECT r.reg_id, r.unique_id, g.developer_id, o.name AS owner, f.title, f.description, f.icons, g.folder,
               r.active, r.paused OR (SELECT paused FROM wish WHERE one = 1) AS paused, r.created_us, r.settled_us,
               r.expires_us,
               g.source, g.page, f.asked_again_us, EXISTS (SELECT 1 FROM follow_on n WHERE n.reg_id = r.reg_id) AS has_more,
               EXISTS (SELECT 1 FROM response_done u INDEXED BY done_unmeasured
                       WHERE u.reg_id = r.reg_id AND u.verified = 3) AS unmeasured,
               r.n_requests, r.n_active, r.n_succeeded, r.n_failed, r.n_unsized, r.expected, r.downloaded, r.uploaded,
               r.download_total, r.upload_total, r.priority, r.lane_rank, r.result, r.failure, r.trouble_code, r.trouble_detail,
               r.event, r.delivery, r.ends,
               CASE WHEN r.n_requests = 1 AND r.n_succeeded = 1 THEN
                 (SELECT d.path FROM response_done d WHERE d.reg_id = r.reg_id AND d.idx = 0) END AS path,
               CASE WHEN r.n_requests = 1 THEN
                 (SELECT c.category FROM req_state c WHERE c.reg_id = r.reg_id AND c.idx = 0) ELSE g.category END AS category,
               w.not_before_us, a.code AS waiting_code, a.detail AS waiting_detail
             FROM ",
            $from,
            " CROSS JOIN given g ON g.reg_id = r.reg_id CROSS JOIN face f ON f.reg_id = r.reg_id
             CROSS JOIN owner o ON o.owner_id = r.owner_id
             LEFT JOIN req_state w ON w.reg_id = r.reg_id AND w.idx =
               CASE WHEN r.active = 1 AND r.n_active = 0 AND r.n_pending = 0 AND r.n_waiting > 0 THEN
                 (SELECT e.idx FROM req_state e INDEXED BY rs_due WHERE e.reg_id = r.reg_id AND e.state = 3
                  ORDER BY e.not_before_us, e.idx LIMIT 1) END
             LEFT JOIN attempt a ON a.reg_id = w.reg_id AND a.idx = w.idx AND a.number = w.tries ",
            $rest
        )
    };
}

pub(in crate::store) use registrations;

/// Condition that the pattern occurs in the registration's title, or in the address or a name of one of its requests.
/// Expects the registration as `r` and its row in `face` as `f`.
macro_rules! has {
    ($pattern:literal) => {
        concat!(
            "(f.title LIKE ",
            $pattern,
            " ESCAPE '\\' OR EXISTS (
             SELECT 1 FROM request q LEFT JOIN response_head h ON h.reg_id = q.reg_id AND h.idx = q.idx
             WHERE q.reg_id = r.reg_id
               AND (q.url LIKE ",
            $pattern,
            " ESCAPE '\\' OR q.name LIKE ",
            $pattern,
            " ESCAPE '\\'
                    OR h.name LIKE ",
            $pattern,
            " ESCAPE '\\'))) "
        )
    };
}

statements! {
    ONE: Search = registrations!("registration r", "WHERE r.unique_id = ?1 AND r.doomed <= ?2");
    NAMED: Search = registrations!(
        "owner w0 CROSS JOIN active_name n ON n.owner_id = w0.owner_id CROSS JOIN registration r ON r.reg_id = n.reg_id",
        "WHERE w0.name = ?1 AND n.developer_id = ?2"
    );
    IDS: Search =
        "SELECT n.developer_id FROM owner o CROSS JOIN active_name n ON n.owner_id = o.owner_id
         WHERE o.name = ?1 ORDER BY n.developer_id";
    PLACE: Search = "SELECT reg_id FROM registration WHERE unique_id = ?1";
    ALL: Search =
        registrations!("registration r", "WHERE r.reg_id < ?1 AND r.doomed = 0 ORDER BY r.reg_id DESC LIMIT ?2");
    ONLY_ACTIVE: Search = registrations!(
        "registration r INDEXED BY reg_active",
        "WHERE r.reg_id < ?1 AND r.active = 1 ORDER BY r.reg_id DESC LIMIT ?2"
    );
    ONLY_SETTLED: Search = registrations!(
        "registration r INDEXED BY reg_settled",
        "WHERE r.reg_id < ?1 AND r.active = 0 AND r.doomed = 0 ORDER BY r.reg_id DESC LIMIT ?2"
    );
    SEARCH: Listing = registrations!(
        "registration r",
        concat!(
            "WHERE r.reg_id < ?1 AND r.doomed = 0 AND (?3 IS NULL OR r.active = ?3) AND (?6 IS NULL OR (r.n_failed > 0) = ?6)
               AND (?4 IS NULL OR ",
            has!("?4"),
            ") AND (?5 IS NULL OR r.owner_id = (SELECT owner_id FROM owner WHERE name = ?5)) ORDER BY r.reg_id DESC LIMIT ?2"
        )
    );
    OWNED: Listing = registrations!(
        "registration r INDEXED BY reg_owner",
        "WHERE r.owner_id = (SELECT owner_id FROM owner WHERE name = ?3) AND r.reg_id < ?1 AND r.doomed = 0
           AND (?4 IS NULL OR r.active = ?4) ORDER BY r.reg_id DESC LIMIT ?2"
    );
    UNACKNOWLEDGED: Listing = registrations!(
        "registration r INDEXED BY reg_delivery",
        "WHERE r.owner_id = (SELECT owner_id FROM owner WHERE name = ?1) AND r.delivery IN (1, 3) AND r.active = 0
           AND r.doomed = 0 ORDER BY r.settled_us DESC, r.reg_id DESC LIMIT ?2"
    );
    FOUND: Listing = concat!(
        "SELECT r.unique_id FROM registration r CROSS JOIN face f ON f.reg_id = r.reg_id WHERE r.doomed = 0 AND ",
        has!("?1"),
        "ORDER BY r.reg_id DESC LIMIT ?2"
    );
    UNDER_WAY: Walk =
        "SELECT r.unique_id, f.title, f.icons, s.guid
         FROM req_state s INDEXED BY rs_active CROSS JOIN registration r ON r.reg_id = s.reg_id
         CROSS JOIN face f ON f.reg_id = s.reg_id
         WHERE s.state = 1 AND r.active = 1 ORDER BY s.reg_id";
    ACTIVE_FOLDERS: Walk =
        "SELECT g.folder FROM registration r INDEXED BY reg_active CROSS JOIN given g ON g.reg_id = r.reg_id
         WHERE r.active = 1";
    KEPT_FOLDERS: Walk =
        "SELECT g.folder FROM registration r INDEXED BY reg_kept CROSS JOIN given g ON g.reg_id = r.reg_id
         WHERE r.active = 0 AND r.n_partial > 0";
    ENDED_FOLDERS: Search =
        "SELECT g.folder FROM registration r INDEXED BY reg_ended CROSS JOIN given g ON g.reg_id = r.reg_id
         WHERE r.active = 0 AND r.settled_us >= ?1";
}

/// Row of a registration with all values that are displayed.
#[derive(FromRow)]
pub(in crate::store) struct RegistrationRow {
    reg_id: i64,
    unique_id: Vec<u8>,
    developer_id: String,
    owner: String,
    title: String,
    description: String,
    icons: String,
    folder: String,
    active: bool,
    paused: bool,
    created_us: i64,
    settled_us: Option<i64>,
    expires_us: Option<i64>,
    source: i64,
    page: String,
    has_more: bool,
    unmeasured: bool,
    asked_again_us: Option<i64>,
    n_requests: i64,
    n_active: i64,
    n_succeeded: i64,
    n_failed: i64,
    n_unsized: i64,
    expected: i64,
    downloaded: i64,
    uploaded: i64,
    download_total: i64,
    upload_total: i64,
    priority: i64,
    lane_rank: i64,
    result: i64,
    failure: i64,
    trouble_code: String,
    trouble_detail: String,
    event: i64,
    delivery: i64,
    ends: i64,
    path: Option<String>,
    category: i64,
    not_before_us: Option<i64>,
    waiting_code: Option<String>,
    waiting_detail: Option<String>,
}

impl RegistrationRow {
    /// Returns whether the end event was handled. An event for the owner must be acknowledged by a client. Any other
    /// event must be shown to the user.
    fn is_handled(&self) -> bool {
        match self.delivery {
            0 => self.event == SHOWN,
            delivery => delivery == delivery::ACKNOWLEDGED,
        }
    }

    /// Returns the key by which unfinished registrations are sorted in the queue.
    pub(in crate::store) fn queue_order(&self) -> (bool, i64, i64) {
        let position = QueuePosition { priority: self.priority, rank: self.lane_rank };
        (!position.is_urgent(), self.lane_rank, self.reg_id)
    }

    pub(in crate::store) fn into_registration(self) -> Result<Registration, EngineError> {
        let state = state(self.active, self.paused, self.n_active);
        let failure_reason = reason(self.failure);
        let is_handled = self.is_handled();
        let icons: Vec<ImageResource> = from_json(&self.icons);
        let waiting_for =
            self.waiting_code.zip(self.waiting_detail).map(|(code, detail)| UserMessage::from_detail(&code, &detail));
        Ok(Registration {
            unique_id: unique_id(&self.unique_id)?,
            developer_id: self.developer_id,
            owner: self.owner,
            title: self.title,
            description: self.description,
            icon: best_icon(&icons, SHOWN_SIDE).map(|icon| icon.src.clone()),
            icons,
            state,
            result: match self.result {
                0 => RegistrationResult::None,
                1 => RegistrationResult::Success,
                _ => RegistrationResult::Failure,
            },
            failure_reason,
            failure: (failure_reason != FailureReason::None)
                .then(|| UserMessage::from_detail(&self.trouble_code, &self.trouble_detail)),
            downloaded: unsigned(self.downloaded),
            download_total: unsigned(self.download_total),
            expected_total: if self.n_unsized == 0 { unsigned(self.expected) } else { 0 },
            uploaded: unsigned(self.uploaded),
            upload_total: unsigned(self.upload_total),
            records_available: !is_handled,
            event_number: narrow(self.ends),
            requests: narrow(self.n_requests),
            succeeded: narrow(self.n_succeeded),
            failed: narrow(self.n_failed),
            active: narrow(self.n_active),
            urgent: QueuePosition { priority: self.priority, rank: self.lane_rank }.is_urgent(),
            rank: self.lane_rank,
            next_try: self.not_before_us.filter(|_| state == RegistrationState::Waiting).map(milliseconds),
            waiting_for: waiting_for.filter(|_| state == RegistrationState::Waiting),
            path: self.path.as_deref().map(columns::path),
            folder: columns::path(&self.folder),
            category: category(self.category),
            has_more: self.has_more,
            unmeasured: self.unmeasured,
            source: source(self.source),
            page: Some(self.page).filter(|page| !page.is_empty()),
            awaited_link: None,
            created: milliseconds(self.created_us),
            first_enqueued: milliseconds(self.created_us),
            last_updated: milliseconds(self.asked_again_us.unwrap_or(self.created_us)),
            settled: self.settled_us.map(milliseconds),
            expires: self.expires_us.map(milliseconds),
        })
    }
}

#[derive(FromRow)]
struct UnderWay {
    unique_id: Vec<u8>,
    title: String,
    icons: String,
    guid: Vec<u8>,
}

impl LedgerStore {
    /// Storage operation 1: returns the display fields of registrations with active requests, and those requests'
    /// GUIDs.
    pub async fn options_and_download_guids_for_active_registrations(&self) -> Result<Vec<ActiveRegistration>, EngineError> {
        let rows: Vec<UnderWay> = sqlx::query_as(UNDER_WAY).fetch_all(self.readers()).await?;
        let mut found: Vec<ActiveRegistration> = Vec::new();
        for row in rows {
            let (id, guid) = (unique_id(&row.unique_id)?, guid(&row.guid)?);
            match found.last_mut() {
                Some(last) if last.unique_id == id => last.guids.push(guid),
                _ => found.push(ActiveRegistration {
                    unique_id: id,
                    title: row.title,
                    icons: from_json(&row.icons),
                    guids: vec![guid],
                }),
            }
        }
        Ok(found)
    }

    /// Storage operation 3: returns the names of the owner's active registrations.
    pub async fn ids(&self, owner: &str) -> Result<Vec<String>, EngineError> {
        Ok(sqlx::query_scalar(IDS).bind(owner).fetch_all(self.readers()).await?)
    }

    /// Storage operation 3: returns the owner's active registration of this name.
    pub async fn find(&self, owner: &str, developer_id: &str) -> Result<Option<Registration>, EngineError> {
        let row: Option<RegistrationRow> =
            sqlx::query_as(NAMED).bind(owner).bind(developer_id).fetch_optional(self.readers()).await?;
        row.map(RegistrationRow::into_registration).transpose()
    }

    /// Returns a registration as stored: `downloaded` and `uploaded` are the last persisted values.
    pub async fn registration(&self, id: UniqueId) -> Result<Option<Registration>, EngineError> {
        self.seen(id, false).await
    }

    /// Returns the same registration as `registration` does. If `removed` is true, also finds a removed registration
    /// while its row exists.
    pub async fn seen(&self, id: UniqueId, removed: bool) -> Result<Option<Registration>, EngineError> {
        let row: Option<RegistrationRow> =
            sqlx::query_as(ONE).bind(key(&id)).bind(removed).fetch_optional(self.readers()).await?;
        row.map(RegistrationRow::into_registration).transpose()
    }

    /// Returns a page of registrations, newest first. With `position`, the page begins there.
    ///
    /// Fails with `Unknown` if the query continues after a registration that no longer exists.
    pub async fn list_page(&self, query: &ListQuery, position: Option<ListPosition>) -> Result<ListPage, EngineError> {
        let mut reader = self.readers().acquire().await?;
        let before = match (position, query.before) {
            (Some(ListPosition(before)), _) => before,
            (None, None) => i64::MAX,
            (None, Some(id)) => {
                sqlx::query_scalar(PLACE).bind(key(&id)).fetch_optional(&mut *reader).await?.ok_or(EngineError::Unknown(id))?
            }
        };
        let limit = if query.limit == 0 { PAGE } else { query.limit };
        // One more registration shows whether there is a next page.
        let one_more = i64::from(limit) + 1;
        let search = query.search.as_deref().map(str::trim).filter(|search| !search.is_empty());
        let owner = query.owner.as_deref();
        let is_filtered = search.is_some() || query.failed.is_some();
        let mut rows: Vec<RegistrationRow> = match (is_filtered, query.active) {
            (true, active) => sqlx::query_as(SEARCH)
                .bind(before)
                .bind(one_more)
                .bind(active)
                .bind(search.map(like))
                .bind(owner)
                .bind(query.failed),
            (false, active) if owner.is_some() => sqlx::query_as(OWNED).bind(before).bind(one_more).bind(owner).bind(active),
            (false, None) => sqlx::query_as(ALL).bind(before).bind(one_more),
            (false, Some(true)) => sqlx::query_as(ONLY_ACTIVE).bind(before).bind(one_more),
            (false, Some(false)) => sqlx::query_as(ONLY_SETTLED).bind(before).bind(one_more),
        }
        .fetch_all(&mut *reader)
        .await?;
        let has_next = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let next = rows.last().filter(|_| has_next).map(|last| ListPosition(last.reg_id));
        Ok(ListPage { registrations: rows.into_iter().map(RegistrationRow::into_registration).collect::<Result<_, _>>()?, next })
    }

    /// Returns the owner's ended registrations with a pending end event, as stored. The latest is first; at most
    /// `limit` are returned.
    pub async fn unacknowledged(&self, owner: &str, limit: u32) -> Result<Vec<Registration>, EngineError> {
        let rows: Vec<RegistrationRow> = sqlx::query_as(UNACKNOWLEDGED).bind(owner).bind(limit).fetch_all(self.readers()).await?;
        rows.into_iter().map(RegistrationRow::into_registration).collect()
    }

    /// Returns registrations with `text` in a title, an address or a name: at most `limit`, newest first.
    pub async fn search(&self, text: &str, limit: u32) -> Result<Vec<UniqueId>, EngineError> {
        let found: Vec<Vec<u8>> = sqlx::query_scalar(FOUND).bind(like(text.trim())).bind(limit).fetch_all(self.readers()).await?;
        found.iter().map(|id| unique_id(id)).collect()
    }

    /// Returns the distinct folders that may contain partial files:
    ///
    /// - the folders of registrations that are not settled,
    /// - the folders of failed registrations that kept bytes, and
    /// - the folders of registrations that ended at `ended_since_us` or later, because a crash may have prevented the
    ///   clean-up.
    pub async fn folders_with_partials(&self, ended_since_us: i64) -> Result<Vec<PathBuf>, EngineError> {
        let mut folders: BTreeSet<String> = BTreeSet::new();
        for statement in [ACTIVE_FOLDERS, KEPT_FOLDERS] {
            let found: Vec<String> = sqlx::query_scalar(statement).fetch_all(self.readers()).await?;
            folders.extend(found);
        }
        let ended: Vec<String> = sqlx::query_scalar(ENDED_FOLDERS).bind(ended_since_us).fetch_all(self.readers()).await?;
        folders.extend(ended);
        Ok(folders.iter().map(|folder| columns::path(folder)).collect())
    }
}

/// Returns a `LIKE` pattern for text that contains `search` literally.
fn like(search: &str) -> String {
    let escaped = search.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}
