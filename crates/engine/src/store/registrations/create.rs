//! Op 2: a registration and its requests, in one transaction.
//!
//! Requests are written a few thousand at a time, each chunk as one JSON argument that SQLite takes apart: a statement for
//! each row would spend its time on the way to the writer's thread.

use std::{borrow::Cow, collections::HashMap};

use serde::Serialize;
use sqlx::SqliteConnection;

use crate::{
    Error,
    intake::{checksum_files, file_kind},
    model::{
        Category,
        accepted::{Accepted, AcceptedRequest},
        values::retention::Period,
    },
    store::{
        columns::{category_number, host, json, key, signed, source_number, text, url_key},
        ledger::Writing,
        registrations::{duplicates, queue_order::Standing},
        requests::{checksum_links, expectations, follow_up},
        statement::statements,
        totals::statistics::Tally,
    },
};

/// Requests in one statement; less than 1 MB of JSON as a rule.
const CHUNK: usize = 4096;

statements! {
    ADD_OWNER: Search = "INSERT INTO owner (name) VALUES (?1) ON CONFLICT (name) DO UPDATE SET doomed = 0 WHERE doomed = 1";
    OWNER: Search = "SELECT owner_id FROM owner WHERE name = ?1";
    NAME_TAKEN: Search = "SELECT EXISTS (SELECT 1 FROM active_name WHERE owner_id = ?1 AND developer_id = ?2)";
    ADD_REGISTRATION: Search =
        "INSERT INTO registration (unique_id, owner_id, created_us, paused, priority, lane_rank, n_requests, n_pending,
           n_unsized, download_total, upload_total, parallel, keep_for_us, takes_files, delivers)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
    ADD_NAME: Search = "INSERT INTO active_name (reg_id, owner_id, developer_id, content) VALUES (?1, ?2, ?3, ?4)";
    ADD_GIVEN: Search =
        "INSERT INTO given (reg_id, developer_id, folder, content, source, day, category) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    ADD_FACE: Search = "INSERT INTO face (reg_id, title, description, icons) VALUES (?1, ?2, ?3, ?4)";
    ADD_HOSTS: Search = "INSERT OR IGNORE INTO host (name) SELECT value FROM json_each(?1)";
    HOSTS: Search = "SELECT h.name, h.host_id FROM json_each(?1) j CROSS JOIN host h ON h.name = j.value";
    ADD_REQUESTS: Search =
        "INSERT INTO request (reg_id, idx, url, method, url_key, headers, body_path, body_size, name, digest)
         SELECT ?1, ?2 + key, value ->> 0, value ->> 1, value ->> 2, coalesce(value ->> 3, '[]'), value ->> 4,
           coalesce(value ->> 5, 0), value ->> 6, value ->> 7
         FROM json_each(?3)";
    // Sixteen times the host, eight for an optional one, and the kind of file: a number is cheaper to take apart than a list.
    ADD_STATES: Search =
        "INSERT INTO req_state (reg_id, idx, host_id, optional, category)
         SELECT ?1, ?2 + key, value >> 4, value >> 3 & 1, value & 7 FROM json_each(?3)";
    ADD_GUID: Search = "UPDATE req_state SET guid = ?3 WHERE reg_id = ?1 AND idx = ?2";
    ADD_LANES: Search =
        "INSERT INTO lane (reg_id, host_id, first_idx, n_pending)
         SELECT ?1, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2)";
}

/// A row of `request`, in the order of [`ADD_REQUESTS`]. Most requests are an address and nothing else.
#[derive(Serialize)]
#[serde(untagged)]
enum RequestRow<'a> {
    Plain(&'a str, &'a str, i64),
    Full(&'a str, &'a str, i64, String, Option<Cow<'a, str>>, i64, Option<&'a str>, Option<String>),
}

impl<'a> RequestRow<'a> {
    fn of(request: &'a AcceptedRequest) -> Result<Self, Error> {
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

/// What is first and how many there are of one host.
pub(in crate::store) struct Lane {
    pub host_id: i64,
    pub first: usize,
    pub count: usize,
}

impl Writing<'_> {
    /// Op 2. `IdTaken` when the owner has an active one of that name; `Unknown` when it is to stand before one that is not
    /// active.
    pub async fn create_registration(&mut self, new: &Accepted, now_us: i64) -> Result<(), Error> {
        let folder = text(&new.folder);
        let connection = self.connection()?;
        sqlx::query(ADD_OWNER).bind(&new.owner).execute(&mut *connection).await?;
        let owner_id: i64 = sqlx::query_scalar(OWNER).bind(&new.owner).fetch_one(&mut *connection).await?;
        let taken: bool =
            sqlx::query_scalar(NAME_TAKEN).bind(owner_id).bind(&new.developer_id).fetch_one(&mut *connection).await?;
        if taken {
            return Err(Error::IdTaken(new.developer_id.clone()));
        }

        let Standing { priority, rank } = self.standing(new.place, new.unique_id).await?;
        let (connection, _, tallies) = self.parts()?;
        let count = i64::try_from(new.requests.len()).unwrap_or(i64::MAX);
        let upload_total = new.requests.iter().map(body_size).fold(0, i64::saturating_add);
        let reg_id = sqlx::query(ADD_REGISTRATION)
            .bind(key(&new.unique_id))
            .bind(owner_id)
            .bind(now_us)
            .bind(new.paused)
            .bind(priority)
            .bind(rank)
            .bind(count)
            .bind(signed(new.download_total))
            .bind(upload_total)
            .bind(new.parallel)
            .bind(new.keep_for.map(Period::microseconds))
            .bind(new.takes_files)
            .bind(new.delivers)
            .execute(&mut *connection)
            .await?
            .last_insert_rowid();
        let content = new.content.as_ref().map(<[u8; 16]>::as_slice);
        sqlx::query(ADD_NAME).bind(reg_id).bind(owner_id).bind(&new.developer_id).bind(content).execute(&mut *connection).await?;
        sqlx::query(ADD_GIVEN)
            .bind(reg_id)
            .bind(&new.developer_id)
            .bind(folder)
            .bind(content)
            .bind(source_number(new.source))
            .bind(new.day)
            .bind(category_number(file_kind::of_most(new.requests.iter().map(kind))))
            .execute(&mut *connection)
            .await?;
        tallies.change(reg_id, Tally { added: count, ..Tally::default() });
        duplicates::remember(connection, new, (reg_id, owner_id), now_us).await?;
        sqlx::query(ADD_FACE)
            .bind(reg_id)
            .bind(&new.title)
            .bind(new.description.as_deref().unwrap_or_default())
            .bind(json(&new.icons)?)
            .execute(&mut *connection)
            .await?;

        checksum_links::add(connection, reg_id, &checksum_files::vouchers(&new.requests)).await?;
        let mut lanes = add_hosts(connection, &new.requests).await?;
        for (number, chunk) in new.requests.chunks(CHUNK).enumerate() {
            add_requests(connection, reg_id, number * CHUNK, chunk, &mut lanes).await?;
        }
        let rows: Vec<_> = lanes.values().map(|lane| (lane.host_id, lane.first, lane.count)).collect();
        for chunk in rows.chunks(CHUNK) {
            sqlx::query(ADD_LANES).bind(reg_id).bind(json(&chunk)?).execute(&mut *connection).await?;
        }
        Ok(())
    }
}

/// The id of a host, which is known from now on.
pub(in crate::store) async fn add_host(connection: &mut SqliteConnection, name: &str) -> Result<i64, Error> {
    let names = json(&[name])?;
    sqlx::query(ADD_HOSTS).bind(&names).execute(&mut *connection).await?;
    let (_, host_id): (String, i64) = sqlx::query_as(HOSTS).bind(&names).fetch_one(connection).await?;
    Ok(host_id)
}

/// Gives every host of these requests its id; the lanes are empty as yet.
pub(in crate::store) async fn add_hosts(
    connection: &mut SqliteConnection,
    requests: &[AcceptedRequest],
) -> Result<HashMap<String, Lane>, Error> {
    let mut names: Vec<String> = requests.iter().map(|request| host(&request.url)).collect();
    names.sort_unstable();
    names.dedup();
    let mut lanes = HashMap::with_capacity(names.len());
    for chunk in names.chunks(CHUNK) {
        let chunk = json(&chunk)?;
        sqlx::query(ADD_HOSTS).bind(&chunk).execute(&mut *connection).await?;
        let found: Vec<(String, i64)> = sqlx::query_as(HOSTS).bind(&chunk).fetch_all(&mut *connection).await?;
        lanes.extend(found.into_iter().map(|(name, host_id)| (name, Lane { host_id, first: 0, count: 0 })));
    }
    Ok(lanes)
}

/// Writes requests, the first of which has the index `offset`, and counts them into their lanes.
pub(in crate::store) async fn add_requests(
    connection: &mut SqliteConnection,
    reg_id: i64,
    offset: usize,
    chunk: &[AcceptedRequest],
    lanes: &mut HashMap<String, Lane>,
) -> Result<(), Error> {
    let mut requests = Vec::with_capacity(chunk.len());
    let mut states = Vec::with_capacity(chunk.len());
    for (idx, request) in (offset..).zip(chunk) {
        let lane = lanes.get_mut(&host(&request.url)).ok_or(sqlx::Error::RowNotFound)?;
        if lane.count == 0 {
            lane.first = idx;
        }
        lane.count += 1;
        states.push(lane.host_id * 16 + i64::from(request.optional) * 8 + category_number(kind(request)));
        requests.push(RequestRow::of(request)?);
    }
    let first = i64::try_from(offset).unwrap_or(i64::MAX);
    expectations::add(connection, reg_id, offset, chunk).await?;
    follow_up::add(connection, reg_id, offset, chunk).await?;
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

fn kind(request: &AcceptedRequest) -> Category {
    file_kind::expected(&request.url, request.name.as_deref())
}

fn body_size(request: &AcceptedRequest) -> i64 {
    request.body.as_ref().map_or(0, |(_, size)| signed(*size))
}
