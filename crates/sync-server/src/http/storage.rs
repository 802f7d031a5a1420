//! Collections and objects.

use std::{io, time::Duration};

use axum::{
    body::Body,
    extract::{Request, State},
    response::Response,
};
use bytes::Bytes;
use futures_util::stream;
use http::{StatusCode, request::Parts};
use tokio::sync::mpsc;
use uuid::Uuid;

use super::{
    enter::{Entered, Place},
    failure::Failure,
    reply,
    routes::Shared,
};
use crate::{
    protocol::{
        Query, Refusal, Timestamp, bso,
        headers::{self, Format, Preconditions},
        query::Batch,
        render,
    },
    store::{Action, Listing, Write, Written},
};

type Answer = Result<Response, Failure>;

/// `GET storage/C`
pub(super) async fn list(State(app): State<Shared>, place: Place, request: Request) -> Answer {
    let (parts, _) = request.into_parts();
    let entered = app.enter(&parts, &place.uid, false).await?;
    let format = headers::accepted(&parts.headers)?;
    let query = query(&app, &parts)?;
    let conditions = Preconditions::read(&parts.headers)?;
    let mut listing = app.store.listing(entered.caller.uid, &place.collection, entered.now).await?;
    if listing.is_long(&query) {
        drop(listing);
        listing = app.store.long_listing(entered.caller.uid, &place.collection, entered.now).await?;
    }
    let modified = listing.modified();
    compare(conditions, modified)?;
    let (body, rows, next) = match listing.is_long(&query) {
        true => {
            let (rows, next) = listing.measure(&query).await?;
            (stream_list(listing, query.clone(), format, app.settings.reader_time), rows, next)
        }
        false => {
            let mut list = render::List::new(format);
            let next = listing.read(&query, |row| list.push(row)).await?;
            let rows = list.rows();
            (Body::from(list.finish()), rows, next)
        }
    };
    let mut response = reply::with_type(StatusCode::OK, format.content_type(), body);
    let headers = response.headers_mut();
    headers.insert(reply::LAST_MODIFIED, reply::text(&modified.to_string()));
    headers.insert(reply::RECORDS, reply::text(&rows.to_string()));
    if let Some(next) = next {
        headers.insert(reply::NEXT_OFFSET, reply::text(&next.write(query.sort)));
    }
    Ok(response)
}

/// Body of a long listing, read from the database as fast as the client takes it. A failure breaks the body off, and so does a
/// client that takes nothing for `reader_time`.
fn stream_list(listing: Listing, query: Query, format: Format, reader_time: Duration) -> Body {
    let (sender, parts) = mpsc::channel(1);
    let sending = tokio::spawn(async move { listing.send(&query, sender, reader_time).await });
    let state = Some((parts, sending, render::List::new(format)));
    Body::from_stream(stream::unfold(state, async |state| {
        let (mut parts, sending, mut list) = state?;
        if let Some(rows) = parts.recv().await {
            rows.iter().for_each(|row| list.push(row));
            return Some((Ok(Bytes::from(list.take())), Some((parts, sending, list))));
        }
        let end = match sending.await {
            Ok(Ok(())) => Ok(Bytes::from(list.finish())),
            Ok(Err(error)) => Err(io::Error::other(error)),
            Err(error) => Err(io::Error::other(error)),
        };
        Some((end, None))
    }))
}

/// `GET storage/C/ID`
pub(super) async fn read(State(app): State<Shared>, place: Place, request: Request) -> Answer {
    let (parts, _) = request.into_parts();
    let entered = app.enter(&parts, &place.uid, false).await?;
    headers::accepted(&parts.headers)?;
    let conditions = Preconditions::read(&parts.headers)?;
    let row = app.store.object(entered.caller.uid, &place.collection, &place.id, entered.now).await?;
    let row = row.ok_or(Refusal::NOT_FOUND)?;
    let modified = Timestamp(row.modified);
    compare(conditions, modified)?;
    Ok(reply::dated(StatusCode::OK, render::object(&row), modified))
}

/// `PUT storage/C/ID`
pub(super) async fn put(State(app): State<Shared>, place: Place, request: Request) -> Answer {
    let (parts, body) = request.into_parts();
    let entered = app.enter(&parts, &place.uid, false).await?;
    headers::accepted(&parts.headers)?;
    headers::sent(&parts.headers)?;
    Query::read_none(text_of_query(&parts))?;
    let conditions = Preconditions::read(&parts.headers)?;
    headers::check_counts(&parts.headers, false, app.store.limits())?;
    let body = app.read_body(&parts.headers, body, app.store.limits().max_request_bytes).await?;
    let entry = bso::read_one(&body, &place.collection, &place.id, app.store.limits())?;
    let written = write(&app, &entered, Some(place.collection), conditions, Action::Put(entry)).await?;
    Ok(with_quota(reply::dated(StatusCode::OK, written.modified.to_string(), written.modified), written))
}

/// `POST storage/C`
pub(super) async fn post(State(app): State<Shared>, place: Place, request: Request) -> Answer {
    let (parts, body) = request.into_parts();
    let entered = app.enter(&parts, &place.uid, false).await?;
    headers::accepted(&parts.headers)?;
    let format = headers::sent(&parts.headers)?;
    let query = query(&app, &parts)?;
    let conditions = Preconditions::read(&parts.headers)?;
    let is_batch = query.batch != Batch::None { is_batch: false };
    headers::check_counts(&parts.headers, is_batch, app.store.limits())?;
    let body = app.read_body(&parts.headers, body, app.store.limits().max_request_bytes).await?;
    let read = bso::read_list(&body, format, &place.collection, app.store.limits())?;
    drop(body);
    let success: Vec<String> = read.valid.iter().map(|entry| entry.id.clone()).collect();
    let entries = read.valid;
    let (action, open) = match query.batch {
        Batch::None { is_batch } => (Action::Post { entries, is_batch }, None),
        Batch::Begin => {
            let batch = Uuid::new_v4().to_string();
            (Action::Begin { batch: batch.clone(), entries }, Some(batch))
        }
        Batch::Append(batch) => (Action::Append { batch: batch.clone(), entries }, Some(batch)),
        Batch::Commit(batch) => (Action::Commit { batch, entries }, None),
    };
    let written = write(&app, &entered, Some(place.collection), conditions, action).await?;
    let (status, head) = match open {
        Some(batch) => (StatusCode::ACCEPTED, format!("\"batch\":{}", render::quoted(&batch))),
        None => (StatusCode::OK, format!("\"modified\":{}", written.modified)),
    };
    let body = render::written(&head, &success, &read.failed);
    Ok(with_quota(reply::dated(status, body, written.modified), written))
}

/// `DELETE storage/C/ID`
pub(super) async fn delete(State(app): State<Shared>, place: Place, request: Request) -> Answer {
    let Place { uid, collection, id } = place;
    remove(&app, &uid, Some(collection), request, |query| {
        Query::read_none(query)?;
        Ok(Action::DeleteObject(id))
    })
    .await
}

/// `DELETE storage/C[?ids=]`
pub(super) async fn delete_collection(State(app): State<Shared>, place: Place, request: Request) -> Answer {
    let limits = *app.store.limits();
    let action = |query: &str| {
        Ok(match Query::read_ids(query, &limits)? {
            Some(ids) => Action::DeleteObjects(ids),
            None => Action::DeleteCollection,
        })
    };
    remove(&app, &place.uid, Some(place.collection), request, action).await
}

/// `DELETE storage`, and the same for the root.
pub(super) async fn delete_all(State(app): State<Shared>, place: Place, request: Request) -> Answer {
    remove(&app, &place.uid, None, request, |query| {
        Query::read_none(query)?;
        Ok(Action::DeleteAll)
    })
    .await
}

/// Deletes what `action` reads from the query.
async fn remove(
    app: &Shared,
    uid: &str,
    collection: Option<String>,
    request: Request,
    action: impl FnOnce(&str) -> Result<Action, Refusal> + Send,
) -> Answer {
    let (parts, _) = request.into_parts();
    let entered = app.enter(&parts, uid, false).await?;
    headers::accepted(&parts.headers)?;
    let action = action(text_of_query(&parts))?;
    let conditions = Preconditions::read(&parts.headers)?;
    let written = write(app, &entered, collection, conditions, action).await?;
    Ok(reply::dated(StatusCode::OK, render::modified(written.modified), written.modified))
}

async fn write(
    app: &Shared,
    entered: &Entered,
    collection: Option<String>,
    conditions: Preconditions,
    action: Action,
) -> Result<Written, Failure> {
    let is_open = matches!(action, Action::Begin { .. } | Action::Append { .. });
    let write = Write {
        user: entered.caller.uid,
        makes_user: entered.makes_user,
        collection,
        unmodified_since: conditions.if_unmodified_since,
        clock: app.clock.clone(),
        action,
    };
    let written = app.store.write(&write).await?;
    if !is_open {
        let is_gone = matches!(write.action, Action::DeleteCollection | Action::DeleteAll);
        app.changes.announce(write.user, write.collection, written.modified, is_gone);
    }
    Ok(written)
}

fn query(app: &Shared, parts: &Parts) -> Result<Query, Failure> {
    Ok(Query::read(text_of_query(parts), app.store.limits())?)
}

fn text_of_query(parts: &Parts) -> &str {
    parts.uri.query().unwrap_or_default()
}

/// 304 or 412 for a read.
pub(super) fn compare(conditions: Preconditions, modified: Timestamp) -> Result<(), Failure> {
    if conditions.if_modified_since.is_some_and(|seen| modified <= seen) {
        return Err(Failure::NotModified(modified));
    }
    if conditions.if_unmodified_since.is_some_and(|seen| modified > seen) {
        return Err(Failure::Modified(modified));
    }
    Ok(())
}

fn with_quota(mut response: Response, written: Written) -> Response {
    if let Some(bytes) = written.remaining {
        response.headers_mut().insert(reply::QUOTA_REMAINING, reply::text(&(bytes / 1024).to_string()));
    }
    response
}
