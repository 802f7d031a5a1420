//! Routes that read and change settings, speed limits and quotas, read statistics and the report of `ashore doctor`, and
//! parse pasted text.

use std::sync::Arc;

use ashore_rpc::MethodCall;
use axum::{
    Router,
    body::Body,
    extract::{Path, RawQuery},
    http::StatusCode,
    routing::{get, post, put},
};
use serde_json::{Value, json};

use crate::{
    page::PageInterface,
    problem::{JsonAnswer, RequestProblem},
    rest::{
        caller::{RestCaller, call_of},
        query::QueryParameters,
    },
};

pub(super) fn routes() -> Router<Arc<PageInterface>> {
    Router::new()
        .route("/api/v1/settings", get(settings))
        .route("/api/v1/settings/{key}", put(set))
        .route("/api/v1/limits", get(limits).put(limit))
        .route("/api/v1/quotas", get(quotas).put(set_quota))
        .route("/api/v1/statistics", get(statistics))
        .route("/api/v1/doctor", get(doctor))
        .route("/api/v1/understand", post(understand))
}

async fn settings(caller: RestCaller) -> Result<JsonAnswer<Value>, RequestProblem> {
    caller.call(MethodCall::Settings).await.map(JsonAnswer)
}

async fn set(caller: RestCaller, Path(key): Path<String>, body: Body) -> Result<StatusCode, RequestProblem> {
    caller.done(call_of("set", caller.page.json(body).await?, &[("key", json!(key))])?).await
}

async fn limits(caller: RestCaller) -> Result<JsonAnswer<Value>, RequestProblem> {
    caller.call(MethodCall::Limits).await.map(JsonAnswer)
}

async fn limit(caller: RestCaller, body: Body) -> Result<StatusCode, RequestProblem> {
    caller.done(call_of("limit", caller.page.json(body).await?, &[])?).await
}

async fn quotas(caller: RestCaller) -> Result<JsonAnswer<Value>, RequestProblem> {
    caller.call(MethodCall::Quotas).await.map(JsonAnswer)
}

async fn set_quota(caller: RestCaller, body: Body) -> Result<StatusCode, RequestProblem> {
    caller.done(call_of("set_quota", caller.page.json(body).await?, &[])?).await
}

async fn statistics(caller: RestCaller, RawQuery(query): RawQuery) -> Result<JsonAnswer<Value>, RequestProblem> {
    let days = QueryParameters::parse(query.as_deref(), &["days"])?.value("days")?.unwrap_or(0);
    caller.call(MethodCall::Statistics { days }).await.map(JsonAnswer)
}

async fn doctor(caller: RestCaller) -> Result<JsonAnswer<Value>, RequestProblem> {
    caller.call(MethodCall::Doctor).await.map(JsonAnswer)
}

async fn understand(caller: RestCaller, body: Body) -> Result<JsonAnswer<Value>, RequestProblem> {
    caller.call(call_of("understand", caller.page.json(body).await?, &[])?).await.map(JsonAnswer)
}
