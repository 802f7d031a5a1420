//! Finds links in all registrations, and changes the link of an unfinished request.

use ashore_messages::message;
use std::collections::BTreeMap;

use sqlx::FromRow;
use url::Url;

use crate::{
    EngineError,
    model::UniqueId,
    store::{
        columns::{host, json, key, narrow, row, unique_id, url_key},
        ledger::{LedgerStore, LedgerWriter},
        requests::{
            fact::{ACTIVE, COMPLETED, OwnedRequest, PENDING},
            insert::add_host,
            state::{fact, found},
        },
        statement::statements,
        sync::marks::SyncChange,
    },
};

/// Maximum number of rows read for one query. Even for a link that was added thousands of times, this number suffices
/// to recognise the link.
const MOST: u32 = 10_000;

statements! {
    KNOWN: Search =
        "SELECT j.key AS link, r.reg_id, r.unique_id, q.idx, q.url
         FROM json_each(?1) j CROSS JOIN request q INDEXED BY request_key ON q.url_key = j.value
         CROSS JOIN registration r ON r.reg_id = q.reg_id
         WHERE r.doomed = 0 LIMIT ?2";
    TO_RELINK: Search = concat!(
        "SELECT ", found!(), " FROM registration r CROSS JOIN req_state s ON s.reg_id = r.reg_id AND s.idx = ?2
         WHERE r.unique_id = ?1 AND r.doomed = 0"
    );
    SENDS: Search = "SELECT body_path IS NOT NULL FROM request WHERE reg_id = ?1 AND idx = ?2";
    READDRESS: Search =
        "UPDATE request SET url = ?3, url_key = ?4, headers = coalesce(?5, headers) WHERE reg_id = ?1 AND idx = ?2";
    REPLACE_MIRRORS: Search =
        "INSERT INTO expectation (reg_id, idx, mirrors)
         SELECT reg_id, ?2, ?3 FROM registration WHERE unique_id = ?1 AND doomed = 0
         ON CONFLICT (reg_id, idx) DO UPDATE SET mirrors = excluded.mirrors";
    REHOST: Search = "UPDATE req_state SET host_id = ?3 WHERE reg_id = ?1 AND idx = ?2";
    JOIN_LANE: Search =
        "INSERT INTO lane (reg_id, host_id, first_idx, n_pending) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (reg_id, host_id) DO UPDATE SET
           first_idx = CASE WHEN excluded.n_pending = 0 THEN first_idx WHEN n_pending > 0 THEN min(first_idx, excluded.first_idx)
             ELSE excluded.first_idx END,
           n_pending = n_pending + excluded.n_pending";
    LEAVE_LANE: Search =
        "UPDATE lane SET n_pending = n_pending - 1, first_idx = coalesce(
           (SELECT idx FROM req_state INDEXED BY rs_pending
            WHERE reg_id = ?1 AND host_id = ?2 AND state = 0 ORDER BY idx LIMIT 1), first_idx)
         WHERE reg_id = ?1 AND host_id = ?2";
    // This registration no longer has its original content, so a repeat of the original request must not match it.
    NO_CONTENT: Search = "UPDATE given SET content = NULL WHERE reg_id = ?1";
    NO_ACTIVE_CONTENT: Search = "UPDATE active_name SET content = NULL WHERE reg_id = ?1";
}

/// A request that has one of the given links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnownLink {
    /// Index of the link in the query, from 0.
    pub link: u32,
    /// Whether the address of the request equals the given link, including the query.
    pub is_same: bool,
    pub unique_id: UniqueId,
    pub index: u32,
}

#[derive(FromRow)]
struct Row {
    link: i64,
    reg_id: i64,
    unique_id: Vec<u8>,
    idx: i64,
    url: String,
}

impl LedgerStore {
    /// Returns for each of `urls` a request whose link is equal or differs only in its query. Prefers an equal link,
    /// then the latest request.
    pub async fn known(&self, urls: &[String]) -> Result<Vec<KnownLink>, EngineError> {
        let keys: Vec<i64> = urls.iter().map(|url| url_key(url)).collect();
        let rows: Vec<Row> = sqlx::query_as(KNOWN).bind(json(&keys)?).bind(MOST).fetch_all(self.readers()).await?;
        let mut best: BTreeMap<i64, (bool, Row)> = BTreeMap::new();
        for row in rows {
            let asked = usize::try_from(row.link).ok().and_then(|link| urls.get(link));
            let is_same = asked.is_some_and(|url| *url == row.url);
            let is_better = best
                .get(&row.link)
                .is_none_or(|(is_other_same, other)| (is_same, row.reg_id, row.idx) > (*is_other_same, other.reg_id, other.idx));
            if is_better {
                best.insert(row.link, (is_same, row));
            }
        }
        let known = |(is_same, row): (bool, Row)| {
            let unique_id = unique_id(&row.unique_id)?;
            Ok(KnownLink { link: narrow(row.link), is_same, unique_id, index: narrow(row.idx) })
        };
        best.into_values().map(known).collect()
    }
}

impl LedgerWriter<'_> {
    /// Changes the address of a request, and its headers if given. Fails with `Unknown`. Fails with `WrongState` if the
    /// request is running, done or an upload.
    pub async fn relink(
        &mut self,
        id: UniqueId,
        index: u32,
        url: &Url,
        headers: Option<&[(String, String)]>,
    ) -> Result<(), EngineError> {
        let (connection, _, tallies) = self.parts()?;
        let text: Option<String> =
            sqlx::query_scalar(TO_RELINK).bind(key(&id)).bind(index).fetch_optional(&mut *connection).await?;
        let OwnedRequest { fact, .. } = row(&text.ok_or(EngineError::Unknown(id))?)?;
        let refuse = |message| Err(EngineError::WrongState(message));
        match fact.state {
            ACTIVE => return refuse(message!("wrong-state")),
            COMPLETED => return refuse(message!("wrong-state.there")),
            _ => {}
        }
        let sends: bool = sqlx::query_scalar(SENDS).bind(fact.reg_id).bind(fact.idx).fetch_one(&mut *connection).await?;
        if sends {
            // Refuse an upload: part of the body may have been sent to the old address, and no server can report how
            // much it received.
            return refuse(message!("wrong-state.upload"));
        }
        let host_id = add_host(connection, &host(url)).await?;
        sqlx::query(READDRESS)
            .bind(fact.reg_id)
            .bind(fact.idx)
            .bind(url.as_str())
            .bind(url_key(url.as_str()))
            .bind(headers.map(|headers| json(&headers)).transpose()?)
            .execute(&mut *connection)
            .await?;
        tallies.marks.add(fact.reg_id, SyncChange::Facts);
        sqlx::query(NO_CONTENT).bind(fact.reg_id).execute(&mut *connection).await?;
        sqlx::query(NO_ACTIVE_CONTENT).bind(fact.reg_id).execute(&mut *connection).await?;
        if host_id == fact.host_id {
            return Ok(());
        }
        let is_pending = fact.state == PENDING;
        sqlx::query(REHOST).bind(fact.reg_id).bind(fact.idx).bind(host_id).execute(&mut *connection).await?;
        sqlx::query(JOIN_LANE)
            .bind(fact.reg_id)
            .bind(host_id)
            .bind(fact.idx)
            .bind(i64::from(is_pending))
            .execute(&mut *connection)
            .await?;
        if is_pending {
            sqlx::query(LEAVE_LANE).bind(fact.reg_id).bind(fact.host_id).execute(&mut *connection).await?;
        }
        Ok(())
    }

    /// Replaces the mirrors of a request. Fails with `Unknown`.
    pub async fn replace_mirrors(&mut self, id: UniqueId, index: u32, mirrors: &[Url]) -> Result<(), EngineError> {
        let written = sqlx::query(REPLACE_MIRRORS).bind(key(&id)).bind(index).bind(json(&mirrors)?);
        let written = written.execute(self.connection()?).await?;
        if written.rows_affected() == 0 { Err(EngineError::Unknown(id)) } else { Ok(()) }
    }
}
