//! `/api/v1/downloads`: adds a download, or lists downloads in pages.

use std::sync::Arc;

use ashore_engine::{ListPage, ListPosition, ListQuery, NewRegistration, Registration};
use ashore_rpc::MethodCall;
use axum::{
    Router,
    body::Body,
    extract::RawQuery,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
    routing::get,
};
use serde::Serialize;

use crate::{
    page::PageInterface,
    problem::{JsonAnswer, RequestProblem},
    rest::{
        bodies::BodyUploads,
        caller::{RestCaller, object},
        idempotency_key,
        query::QueryParameters,
    },
};

/// Number of downloads in a page if the request has no `limit`.
const USUAL_PAGE: u32 = 100;
/// Maximum number of downloads in a page.
const LONGEST_PAGE: u32 = 1000;
/// Error code for a name that another download already has.
const ID_TAKEN: &str = "id-taken";

/// Page of the list.
#[derive(Serialize)]
struct DownloadPage {
    /// Downloads, newest first.
    downloads: Vec<Registration>,
    /// Value of `before` for the next page; null on the last page.
    next: Option<String>,
}

pub(super) fn routes() -> Router<Arc<PageInterface>> {
    Router::new().route(idempotency_key::PATH, get(list).post(create))
}

async fn list(caller: RestCaller, RawQuery(query): RawQuery) -> Result<JsonAnswer<DownloadPage>, RequestProblem> {
    let query = QueryParameters::parse(query.as_deref(), &["owner", "search", "active", "failed", "before", "limit"])?;
    let limit = query.value("limit")?.unwrap_or(USUAL_PAGE);
    if !(1..=LONGEST_PAGE).contains(&limit) {
        return Err(RequestProblem::invalid(format!("`limit` must be between 1 and {LONGEST_PAGE}")));
    }
    // Instead of a position, a client may send the id of a download that still exists.
    let position: Option<ListPosition> = query.value::<String>("before")?.and_then(|text| text.parse().ok());
    let wanted = ListQuery {
        owner: query.value("owner")?,
        search: query.value("search")?,
        active: query.value("active")?,
        failed: query.value("failed")?,
        before: if position.is_some() { None } else { query.value("before")? },
        limit,
    };
    caller.admit(&mut MethodCall::List(wanted.clone())).await?;
    let page = caller.page.service.engine().list_page(wanted, position).await;
    let ListPage { registrations, next } = page.map_err(|error| RequestProblem::of_call(error.message()))?;
    Ok(JsonAnswer(DownloadPage { downloads: registrations, next: next.map(|next| next.to_string()) }))
}

/// Answers 201 with the new download, or 200 with the download that an earlier request with the same key added.
async fn create(caller: RestCaller, headers: HeaderMap, body: Body) -> Result<Response, RequestProblem> {
    let mut new: NewRegistration = object(caller.page.json(body).await?)?;
    idempotency_key::apply(&headers, &mut new)?;
    caller.own(&mut new)?;
    let uploads = BodyUploads::take_out(&mut new);
    // A repeated request must not look for the download while the first request copies its bodies.
    let _adding = if uploads.is_empty() { None } else { Some(caller.page.bodies.adding.lock().await) };
    // The same rules apply as for a download that a page adds.
    let mut checked = MethodCall::Add(new);
    caller.admit(&mut checked).await?;
    let MethodCall::Add(mut new) = checked else { return Err(RequestProblem::of_scope(caller.owner.kind)) };
    if let Some(known) = idempotency_key::earlier(caller.page.service.engine(), &new).await? {
        return Ok(JsonAnswer(known).into_response());
    }
    let bodies = uploads.put_into(&mut new, &caller)?;
    let created: Result<Registration, _> = caller.carry_out(MethodCall::Create(new.clone())).await;
    match created {
        Ok(download) => created_answer(&caller, download),
        // Another request with the same key has added the download in the meantime.
        Err(problem) if problem.why.code == ID_TAKEN => {
            bodies.put_back(&caller.page);
            let known = idempotency_key::earlier(caller.page.service.engine(), &new).await?;
            known.map(|known| JsonAnswer(known).into_response()).ok_or(problem)
        }
        Err(problem) => {
            bodies.put_back(&caller.page);
            Err(problem)
        }
    }
}

fn created_answer(caller: &RestCaller, download: Registration) -> Result<Response, RequestProblem> {
    let address = format!("{}api/v1/downloads/{}", caller.page.base_path, download.unique_id);
    let mut response = JsonAnswer(download).into_response();
    *response.status_mut() = StatusCode::CREATED;
    let address = HeaderValue::try_from(address).map_err(RequestProblem::invalid)?;
    response.headers_mut().insert(header::LOCATION, address);
    Ok(response)
}
