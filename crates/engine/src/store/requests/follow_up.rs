//! Stores the follow-up requests of a request. The transaction that ends the request adds them to the registration
//! exactly once.

use ashore_transfer::Guid;
use sqlx::SqliteConnection;
use url::Url;

use crate::{
    EngineError,
    model::accepted::AcceptedRequest,
    store::{
        columns::json,
        ledger::LedgerStore,
        requests::{
            fact::StoredRequest,
            insert::{add_hosts, add_requests},
        },
        statement::statements,
        sync::marks::SyncChange,
        totals::tally::{HostTally, TallyMap},
    },
};

statements! {
    URL_OF: Search =
        "SELECT h.url_chain ->> '$[#-1]' FROM req_state s INDEXED BY rs_guid
         CROSS JOIN response_head h ON h.reg_id = s.reg_id AND h.idx = s.idx
         WHERE s.guid = ?1 AND s.state <> 2";
    TAKE: Search = "DELETE FROM follow_on WHERE reg_id = ?1 AND idx = ?2";
    GROW: Search =
        "UPDATE registration SET n_requests = n_requests + ?2, n_pending = n_pending + ?2, n_unsized = n_unsized + ?2
         WHERE reg_id = ?1 RETURNING n_requests - ?2";
    // The added requests come after all existing requests of the registration.
    GROW_LANES: Search =
        "INSERT INTO lane (reg_id, host_id, first_idx, n_pending)
         SELECT ?1, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2) WHERE true
         ON CONFLICT (reg_id, host_id) DO UPDATE SET
           first_idx = CASE WHEN n_pending > 0 THEN first_idx ELSE excluded.first_idx END,
           n_pending = n_pending + excluded.n_pending";
}

impl LedgerStore {
    /// Returns the final address of a response after all redirects. Returns `None` if there is no response, or if the
    /// request is complete.
    pub async fn url_of(&self, guid: Guid) -> Result<Option<Url>, EngineError> {
        let guid = guid.0.as_bytes().as_slice();
        let url: Option<Option<String>> = sqlx::query_scalar(URL_OF).bind(guid).fetch_optional(self.readers()).await?;
        Ok(url.flatten().and_then(|url| url.parse().ok()))
    }
}

/// Adds the follow-up requests of `ended`, unless they were added before. `ended` must have ended in this transaction.
pub(in crate::store) async fn append(
    connection: &mut SqliteConnection,
    tallies: &mut TallyMap,
    ended: &StoredRequest,
    requests: &[AcceptedRequest],
) -> Result<(), EngineError> {
    let taken = sqlx::query(TAKE).bind(ended.reg_id).bind(ended.idx).execute(&mut *connection).await?;
    if taken.rows_affected() == 0 || requests.is_empty() {
        return Ok(());
    }
    let count = i64::try_from(requests.len()).unwrap_or(i64::MAX);
    let offset: i64 = sqlx::query_scalar(GROW).bind(ended.reg_id).bind(count).fetch_one(&mut *connection).await?;
    tallies.change(ended.reg_id, HostTally { added: count, ..HostTally::default() });
    tallies.marks.add(ended.reg_id, SyncChange::Facts);
    let mut lanes = add_hosts(connection, requests).await?;
    add_requests(connection, ended.reg_id, usize::try_from(offset).unwrap_or_default(), requests, &mut lanes).await?;
    let rows: Vec<_> = lanes.values().map(|lane| (lane.host_id, lane.first, lane.count)).collect();
    sqlx::query(GROW_LANES).bind(ended.reg_id).bind(json(&rows)?).execute(connection).await?;
    Ok(())
}
