//! `/api/v1/downloads/{id}` and the routes below it: reads and changes one download.
//!
//! A change is one call of the engine, so it is carried out as a whole or not at all.

use std::sync::Arc;

use ashore_rpc::MethodCall;
use axum::{
    Router,
    body::Body,
    extract::{Path, RawQuery},
    http::StatusCode,
    routing::{get, post},
};
use serde_json::{Value, json};

use crate::{
    page::PageInterface,
    problem::{JsonAnswer, RequestProblem},
    rest::{
        caller::{RestCaller, call_of, download_id},
        query::QueryParameters,
    },
};

/// Maximum number of records in an answer.
const LONGEST_PAGE: u32 = 1000;

pub(super) fn routes() -> Router<Arc<PageInterface>> {
    Router::new()
        .route("/api/v1/downloads/{id}", get(show).patch(change).delete(remove))
        .route("/api/v1/downloads/{id}/records", get(records))
        .route("/api/v1/downloads/{id}/pause", post(pause))
        .route("/api/v1/downloads/{id}/resume", post(resume))
        .route("/api/v1/downloads/{id}/retry", post(retry))
        .route("/api/v1/downloads/{id}/move", post(move_to))
        .route("/api/v1/downloads/{id}/relink", post(relink))
}

async fn show(caller: RestCaller, Path(id): Path<String>) -> Result<JsonAnswer<Value>, RequestProblem> {
    caller.call(MethodCall::Show { unique_id: download_id(&id)? }).await.map(JsonAnswer)
}

async fn change(caller: RestCaller, Path(id): Path<String>, body: Body) -> Result<StatusCode, RequestProblem> {
    let id = json!(download_id(&id)?);
    caller.done(change_of(&id, caller.page.json(body).await?)?).await
}

/// Returns the call that makes a change. The fields of `body` determine the method of the call. [pure]
fn change_of(id: &Value, body: Value) -> Result<MethodCall, RequestProblem> {
    let own = [("unique_id", id.clone())];
    if body.get("folder").is_some() {
        return call_of("put_into", body, &own);
    }
    if body.get("bytes_per_second").is_some() {
        return call_of("limit", body, &[("scope", json!({ "type": "registration", "unique_id": id }))]);
    }
    if body.get("title").or_else(|| body.get("description")).is_some() {
        return call_of("update_ui", body, &own);
    }
    Err(RequestProblem::invalid("one of `title`, `description`, `folder` and `bytes_per_second` is required"))
}

async fn remove(caller: RestCaller, Path(id): Path<String>, RawQuery(query): RawQuery) -> Result<StatusCode, RequestProblem> {
    let files = QueryParameters::parse(query.as_deref(), &["files"])?.value("files")?.unwrap_or(false);
    let unique_id = download_id(&id)?;
    // Check that the download exists, because the engine reports no error if it removes an unknown download.
    caller.call(MethodCall::Show { unique_id }).await?;
    caller.done(MethodCall::Remove { unique_id, files }).await
}

async fn records(
    caller: RestCaller,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<JsonAnswer<Value>, RequestProblem> {
    let query = QueryParameters::parse(query.as_deref(), &["from", "limit"])?;
    let (from, limit) = (query.value("from")?.unwrap_or(0), query.value("limit")?.unwrap_or(LONGEST_PAGE));
    if !(1..=LONGEST_PAGE).contains(&limit) {
        return Err(RequestProblem::invalid(format!("`limit` must be between 1 and {LONGEST_PAGE}")));
    }
    caller.call(MethodCall::Records { unique_id: download_id(&id)?, from, limit }).await.map(JsonAnswer)
}

async fn pause(caller: RestCaller, Path(id): Path<String>) -> Result<StatusCode, RequestProblem> {
    caller.done(MethodCall::Pause { unique_id: Some(download_id(&id)?) }).await
}

async fn resume(caller: RestCaller, Path(id): Path<String>) -> Result<StatusCode, RequestProblem> {
    caller.done(MethodCall::Resume { unique_id: Some(download_id(&id)?) }).await
}

async fn retry(caller: RestCaller, Path(id): Path<String>) -> Result<JsonAnswer<Value>, RequestProblem> {
    let retried = caller.call(MethodCall::Retry { unique_id: download_id(&id)? }).await?;
    Ok(JsonAnswer(json!({ "retried": retried })))
}

async fn move_to(caller: RestCaller, Path(id): Path<String>, body: Body) -> Result<StatusCode, RequestProblem> {
    let own = [("unique_id", json!(download_id(&id)?))];
    caller.done(call_of("move", caller.page.json(body).await?, &own)?).await
}

async fn relink(caller: RestCaller, Path(id): Path<String>, body: Body) -> Result<StatusCode, RequestProblem> {
    let own = [("unique_id", json!(download_id(&id)?))];
    caller.done(call_of("relink", caller.page.json(body).await?, &own)?).await
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "018f3a54-7b5e-7c1d-9a39-1d2f0c9be001";

    #[test]
    fn change_of_texts_folder_or_speed_becomes_one_call() {
        let change = |body: Value| change_of(&json!(ID), body);
        assert!(matches!(change(json!({ "folder": "/srv" })), Ok(MethodCall::PutInto { .. })));
        assert!(matches!(change(json!({ "bytes_per_second": 4096 })), Ok(MethodCall::Limit { .. })));
        assert!(matches!(change(json!({ "bytes_per_second": null })), Ok(MethodCall::Limit { .. })));
        assert!(matches!(change(json!({ "description": "b" })), Ok(MethodCall::UpdateUi { title: None, .. })));
        assert!(matches!(change(json!({ "title": "a", "description": "b" })), Ok(MethodCall::UpdateUi { .. })));
        for body in [json!({}), json!([]), json!({ "title": "a", "folder": "/srv" }), json!({ "owner": "a" })] {
            assert!(change(body.clone()).is_err(), "{body}");
        }
    }
}
