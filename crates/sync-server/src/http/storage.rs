//! Handles collections and objects.

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
    app::SharedApp,
    enter::{EnrolPage, EnrolRequest},
    failure::{RequestFailure, compare},
    reply,
};
use crate::{
    protocol::{
        BsoQuery, ProtocolRefusal, Timestamp, bso,
        headers::{self, ListFormat, RequestPreconditions},
        query::BatchParameter,
        render,
    },
    store::{BsoWrite, ListingQuery, WriteAction, WriteReceipt},
};

type Answer = Result<Response, RequestFailure>;

/// `GET storage/C`
pub(super) async fn list(State(app): State<SharedApp>, place: EnrolPage, request: Request) -> Answer {
    let (parts, _) = request.into_parts();
    let entered = app.enter(&parts, &place.uid, false).await?;
    let format = headers::accepted(&parts.headers)?;
    let query = query(&app, &parts)?;
    let conditions = RequestPreconditions::read(&parts.headers)?;
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
            let mut list = render::ListRenderer::new(format);
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

/// Returns the body of a long listing, read from the database at the client's pace.
///
/// The body is cut off after a failure, or if the client accepts no data for `reader_time`.
fn stream_list(listing: ListingQuery, query: BsoQuery, format: ListFormat, reader_time: Duration) -> Body {
    let (sender, parts) = mpsc::channel(1);
    let sending = tokio::spawn(async move { listing.send(&query, sender, reader_time).await });
    let state = Some((parts, sending, render::ListRenderer::new(format)));
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
pub(super) async fn read(State(app): State<SharedApp>, place: EnrolPage, request: Request) -> Answer {
    let (parts, _) = request.into_parts();
    let entered = app.enter(&parts, &place.uid, false).await?;
    headers::accepted(&parts.headers)?;
    let conditions = RequestPreconditions::read(&parts.headers)?;
    let row = app.store.object(entered.caller.uid, &place.collection, &place.id, entered.now).await?;
    let row = row.ok_or(ProtocolRefusal::NOT_FOUND)?;
    let modified = Timestamp(row.modified);
    compare(conditions, modified)?;
    Ok(reply::dated(StatusCode::OK, render::object(&row), modified))
}

/// `PUT storage/C/ID`
pub(super) async fn put_storage(State(app): State<SharedApp>, place: EnrolPage, request: Request) -> Answer {
    let (parts, body) = request.into_parts();
    let entered = app.enter(&parts, &place.uid, false).await?;
    headers::accepted(&parts.headers)?;
    headers::sent(&parts.headers)?;
    BsoQuery::read_none(text_of_query(&parts))?;
    let conditions = RequestPreconditions::read(&parts.headers)?;
    headers::check_counts(&parts.headers, false, app.store.limits())?;
    let body = app.read_body(&parts.headers, body, app.store.limits().max_request_bytes).await?;
    let entry = bso::read_one(&body, &place.collection, &place.id, app.store.limits())?;
    let written = write(&app, &entered, Some(place.collection), conditions, WriteAction::Put(entry)).await?;
    Ok(with_quota(reply::dated(StatusCode::OK, written.modified.to_string(), written.modified), written))
}

/// `POST storage/C`
pub(super) async fn post(State(app): State<SharedApp>, place: EnrolPage, request: Request) -> Answer {
    let (parts, body) = request.into_parts();
    let entered = app.enter(&parts, &place.uid, false).await?;
    headers::accepted(&parts.headers)?;
    let format = headers::sent(&parts.headers)?;
    let query = query(&app, &parts)?;
    let conditions = RequestPreconditions::read(&parts.headers)?;
    let is_batch = query.batch != BatchParameter::None { is_batch: false };
    headers::check_counts(&parts.headers, is_batch, app.store.limits())?;
    let body = app.read_body(&parts.headers, body, app.store.limits().max_request_bytes).await?;
    let read = bso::read_list(&body, format, &place.collection, app.store.limits())?;
    drop(body);
    let success: Vec<String> = read.valid.iter().map(|entry| entry.id.clone()).collect();
    let entries = read.valid;
    let (action, open) = match query.batch {
        BatchParameter::None { is_batch } => (WriteAction::Post { entries, is_batch }, None),
        BatchParameter::Begin => {
            let batch = Uuid::new_v4().to_string();
            (WriteAction::Begin { batch: batch.clone(), entries }, Some(batch))
        }
        BatchParameter::Append(batch) => (WriteAction::Append { batch: batch.clone(), entries }, Some(batch)),
        BatchParameter::Commit(batch) => (WriteAction::Commit { batch, entries }, None),
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
pub(super) async fn delete(State(app): State<SharedApp>, place: EnrolPage, request: Request) -> Answer {
    let EnrolPage { uid, collection, id } = place;
    remove(&app, &uid, Some(collection), request, |query| {
        BsoQuery::read_none(query)?;
        Ok(WriteAction::DeleteObject(id))
    })
    .await
}

/// `DELETE storage/C[?ids=]`
pub(super) async fn delete_collection(State(app): State<SharedApp>, place: EnrolPage, request: Request) -> Answer {
    let limits = *app.store.limits();
    let action = |query: &str| {
        Ok(match BsoQuery::read_ids(query, &limits)? {
            Some(ids) => WriteAction::DeleteObjects(ids),
            None => WriteAction::DeleteCollection,
        })
    };
    remove(&app, &place.uid, Some(place.collection), request, action).await
}

/// `DELETE storage` and `DELETE` of the root: deletes all collections.
pub(super) async fn delete_all(State(app): State<SharedApp>, place: EnrolPage, request: Request) -> Answer {
    remove(&app, &place.uid, None, request, |query| {
        BsoQuery::read_none(query)?;
        Ok(WriteAction::DeleteAll)
    })
    .await
}

/// Answers a DELETE request. `action` returns the deletion that the query describes.
async fn remove(
    app: &SharedApp,
    uid: &str,
    collection: Option<String>,
    request: Request,
    action: impl FnOnce(&str) -> Result<WriteAction, ProtocolRefusal> + Send,
) -> Answer {
    let (parts, _) = request.into_parts();
    let entered = app.enter(&parts, uid, false).await?;
    headers::accepted(&parts.headers)?;
    let action = action(text_of_query(&parts))?;
    let conditions = RequestPreconditions::read(&parts.headers)?;
    let written = write(app, &entered, collection, conditions, action).await?;
    Ok(reply::dated(StatusCode::OK, render::modified(written.modified), written.modified))
}

async fn write(
    app: &SharedApp,
    entered: &EnrolRequest,
    collection: Option<String>,
    conditions: RequestPreconditions,
    action: WriteAction,
) -> Result<WriteReceipt, RequestFailure> {
    let is_open = matches!(action, WriteAction::Begin { .. } | WriteAction::Append { .. });
    let write = BsoWrite {
        user: entered.caller.uid,
        makes_user: entered.makes_user,
        collection,
        unmodified_since: conditions.if_unmodified_since,
        clock: app.clock.clone(),
        action,
    };
    let written = app.store.write(&write).await?;
    if !is_open {
        let is_gone = matches!(write.action, WriteAction::DeleteCollection | WriteAction::DeleteAll);
        app.changes.announce(write.user, write.collection, written.modified, is_gone);
    }
    Ok(written)
}

fn query(app: &SharedApp, parts: &Parts) -> Result<BsoQuery, RequestFailure> {
    Ok(BsoQuery::read(text_of_query(parts), app.store.limits())?)
}

fn text_of_query(parts: &Parts) -> &str {
    parts.uri.query().unwrap_or_default()
}

fn with_quota(mut response: Response, written: WriteReceipt) -> Response {
    if let Some(bytes) = written.remaining {
        response.headers_mut().insert(reply::QUOTA_REMAINING, reply::text(&(bytes / 1024).to_string()));
    }
    response
}
