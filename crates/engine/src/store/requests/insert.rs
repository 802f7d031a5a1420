//! Inserts requests with their hosts, their expectations and the requests that follow them.

use std::{borrow::Cow, collections::HashMap};

use serde::Serialize;
use sqlx::SqliteConnection;

use crate::{
    EngineError,
    intake::file_kind,
    model::{FileCategory, FollowUpRule, accepted::AcceptedRequest},
    store::{
        columns::{category_number, host, json, signed, text, url_key},
        requests::expectations,
        statement::statements,
    },
};

statements! {
    ADD_HOSTS: Search = "INSERT OR IGNORE INTO host (name) SELECT value FROM json_each(?1)";
    HOSTS: Search = "SELECT h.name, h.host_id FROM json_each(?1) j CROSS JOIN host h ON h.name = j.value";
    ADD_REQUESTS: Search =
        "INSERT INTO request (reg_id, idx, url, method, url_key, headers, body_path, body_size, name, digest)
         SELECT ?1, ?2 + key, value ->> 0, value ->> 1, value ->> 2, coalesce(value ->> 3, '[]'), value ->> 4,
           coalesce(value ->> 5, 0), value ->> 6, value ->> 7
         FROM json_each(?3)";
    // Host, optional flag and category are packed into one number (16 * host + 8 * optional + category), because a
    // number is cheaper to unpack than a list.
    ADD_STATES: Search =
        "INSERT INTO req_state (reg_id, idx, host_id, optional, category)
         SELECT ?1, ?2 + key, value >> 4, value >> 3 & 1, value & 7 FROM json_each(?3)";
    ADD_GUID: Search = "UPDATE req_state SET guid = ?3 WHERE reg_id = ?1 AND idx = ?2";
    ADD_FOLLOW_UPS: Search = "INSERT INTO follow_on (reg_id, idx, next) SELECT ?1, value ->> 0, value -> 1 FROM json_each(?2)";
}

/// Writes the follow-ups of these requests; `first` is the index of the first request. Writes nothing for requests
/// without follow-ups.
pub(in crate::store) async fn add_follow_ups(
    connection: &mut SqliteConnection,
    reg_id: i64,
    first: usize,
    requests: &[AcceptedRequest],
) -> Result<(), EngineError> {
    #[derive(Serialize)]
    struct Row<'a>(usize, &'a FollowUpRule);
    let followed = (first..).zip(requests).filter_map(|(idx, request)| Some(Row(idx, request.next.as_deref()?)));
    let rows: Vec<Row> = followed.collect();
    if !rows.is_empty() {
        sqlx::query(ADD_FOLLOW_UPS).bind(reg_id).bind(json(&rows)?).execute(connection).await?;
    }
    Ok(())
}

/// Number of requests in one statement. Their JSON is usually smaller than 1 MB.
pub(crate) const CHUNK: usize = 4096;

/// Returns the id of a host, adding the host if it is new.
pub(in crate::store) async fn add_host(connection: &mut SqliteConnection, name: &str) -> Result<i64, EngineError> {
    let names = json(&[name])?;
    sqlx::query(ADD_HOSTS).bind(&names).execute(&mut *connection).await?;
    let (_, host_id): (String, i64) = sqlx::query_as(HOSTS).bind(&names).fetch_one(connection).await?;
    Ok(host_id)
}

/// Adds the hosts of these requests. Returns an empty lane for each host.
pub(in crate::store) async fn add_hosts(
    connection: &mut SqliteConnection,
    requests: &[AcceptedRequest],
) -> Result<HashMap<String, HostQueue>, EngineError> {
    let mut names: Vec<String> = requests.iter().map(|request| host(&request.url)).collect();
    names.sort_unstable();
    names.dedup();
    let mut lanes = HashMap::with_capacity(names.len());
    for chunk in names.chunks(CHUNK) {
        let chunk = json(&chunk)?;
        sqlx::query(ADD_HOSTS).bind(&chunk).execute(&mut *connection).await?;
        let found: Vec<(String, i64)> = sqlx::query_as(HOSTS).bind(&chunk).fetch_all(&mut *connection).await?;
        lanes.extend(found.into_iter().map(|(name, host_id)| (name, HostQueue { host_id, first: 0, count: 0 })));
    }
    Ok(lanes)
}

/// Writes requests, and counts them in their lanes; `offset` is the index of the first request.
pub(in crate::store) async fn add_requests(
    connection: &mut SqliteConnection,
    reg_id: i64,
    offset: usize,
    chunk: &[AcceptedRequest],
    lanes: &mut HashMap<String, HostQueue>,
) -> Result<(), EngineError> {
    let mut requests = Vec::with_capacity(chunk.len());
    let mut states = Vec::with_capacity(chunk.len());
    for (idx, request) in (offset..).zip(chunk) {
        let lane = lanes.get_mut(&host(&request.url)).ok_or(sqlx::Error::RowNotFound)?;
        if lane.count == 0 {
            lane.first = idx;
        }
        lane.count += 1;
        states.push(lane.host_id * 16 + i64::from(request.optional) * 8 + category_number(kind(request)));
        requests.push(RequestRow::from_request(request)?);
    }
    let first = i64::try_from(offset).unwrap_or(i64::MAX);
    expectations::add(connection, reg_id, offset, chunk).await?;
    add_follow_ups(connection, reg_id, offset, chunk).await?;
    for (statement, rows) in [(ADD_REQUESTS, json(&requests)?), (ADD_STATES, json(&states)?)] {
        sqlx::query(statement).bind(reg_id).bind(first).bind(rows).execute(&mut *connection).await?;
    }
    for (idx, request) in (first..).zip(chunk) {
        if let Some(guid) = request.guid {
            let guid = guid.0.as_bytes().as_slice();
            sqlx::query(ADD_GUID).bind(reg_id).bind(idx).bind(guid).execute(&mut *connection).await?;
        }
    }
    Ok(())
}

/// A row of `request`, in the column order of [`ADD_REQUESTS`]. For most requests, the only value is the address.
#[derive(Serialize)]
#[serde(untagged)]
enum RequestRow<'a> {
    Plain(&'a str, &'a str, i64),
    Full(&'a str, &'a str, i64, String, Option<Cow<'a, str>>, i64, Option<&'a str>, Option<String>),
}

impl<'a> RequestRow<'a> {
    fn from_request(request: &'a AcceptedRequest) -> Result<Self, EngineError> {
        let (url, method) = (request.url.as_str(), request.method.as_str());
        let AcceptedRequest { headers, body, name, digest, .. } = request;
        if headers.is_empty() && body.is_none() && name.is_none() && digest.is_none() {
            return Ok(Self::Plain(url, method, url_key(url)));
        }
        let body_path = body.as_ref().map(|(path, _)| text(path));
        let digest = digest.as_ref().map(ToString::to_string);
        let (headers, name) = (json(headers)?, name.as_deref());
        Ok(Self::Full(url, method, url_key(url), headers, body_path, body_size(request), name, digest))
    }
}

/// Index of the first request of a host, and the number of that host's requests.
pub(in crate::store) struct HostQueue {
    pub host_id: i64,
    pub first: usize,
    pub count: usize,
}

pub(crate) fn kind(request: &AcceptedRequest) -> FileCategory {
    file_kind::expected(&request.url, request.name.as_deref())
}

pub(crate) fn body_size(request: &AcceptedRequest) -> i64 {
    request.body.as_ref().map_or(0, |(_, size)| signed(*size))
}
