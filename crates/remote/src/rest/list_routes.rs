//! `/api/v1/export` and `/api/v1/import`: the export document of `docs/export.md`.

use std::sync::Arc;

use ashore_engine::ImportSummary;
use axum::{
    Router,
    body::Body,
    http::HeaderMap,
    response::Response,
    routing::{get, post},
};

use crate::{
    page::PageInterface,
    problem::{JsonAnswer, RequestProblem},
    rest::caller::RestCaller,
    token_scope::TokenScope,
};

pub(super) fn routes() -> Router<Arc<PageInterface>> {
    Router::new().route("/api/v1/export", get(export)).route("/api/v1/import", post(import))
}

async fn export(caller: RestCaller, headers: HeaderMap) -> Result<Response, RequestProblem> {
    caller.require(TokenScope::Control)?;
    caller.page.export_document(&headers).await
}

async fn import(caller: RestCaller, body: Body) -> Result<JsonAnswer<ImportSummary>, RequestProblem> {
    caller.require(TokenScope::Control)?;
    caller.page.import_document(body, caller.owner.source()).await
}
