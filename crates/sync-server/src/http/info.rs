//! Reports the counters and times of a user, the limits, and the health of the server.

use std::collections::BTreeMap;

use axum::{
    extract::{Request, State},
    response::Response,
};
use http::StatusCode;

use super::{
    app::SharedApp,
    enter::EnrolPage,
    failure::{RequestFailure, compare},
    reply,
};
use crate::{
    protocol::{
        Timestamp,
        headers::{self, RequestPreconditions},
        render,
    },
    store::CollectionState,
};

type Answer = Result<Response, RequestFailure>;

/// `GET info/collections`. Accepts expired tokens, so that a client can check for changes.
pub(super) async fn collections(State(app): State<SharedApp>, place: EnrolPage, request: Request) -> Answer {
    let render = |states: &BTreeMap<String, CollectionState>, _| render::times(&map(states, |state| state.modified));
    answer(&app, &place, request, true, false, render).await
}

/// `GET info/collection_counts`
pub(super) async fn counts(State(app): State<SharedApp>, place: EnrolPage, request: Request) -> Answer {
    let render = |states: &BTreeMap<String, CollectionState>, _| render::counts(&map(states, |state| state.count));
    answer(&app, &place, request, false, true, render).await
}

/// `GET info/collection_usage`
pub(super) async fn usage(State(app): State<SharedApp>, place: EnrolPage, request: Request) -> Answer {
    let render = |states: &BTreeMap<String, CollectionState>, _| render::usage(&map(states, |state| state.bytes));
    answer(&app, &place, request, false, true, render).await
}

/// `GET info/quota`
pub(super) async fn quota(State(app): State<SharedApp>, place: EnrolPage, request: Request) -> Answer {
    let limit = app.store.limits().quota;
    let render = |states: &BTreeMap<String, CollectionState>, own: Option<i64>| {
        render::quota(states.values().map(|state| state.bytes).sum(), own.or(limit).filter(|limit| *limit < i64::MAX))
    };
    answer(&app, &place, request, false, true, render).await
}

/// `GET info/configuration`, without authentication.
pub(super) async fn configuration(State(app): State<SharedApp>) -> Response {
    let limits = serde_json::to_string(app.store.limits()).unwrap_or_default();
    reply::dated(StatusCode::OK, limits, Timestamp::default())
}

async fn answer(
    app: &SharedApp,
    place: &EnrolPage,
    request: Request,
    allows_expired: bool,
    is_counted: bool,
    render: impl FnOnce(&BTreeMap<String, CollectionState>, Option<i64>) -> String + Send,
) -> Answer {
    let (parts, _) = request.into_parts();
    let entered = app.enter(&parts, &place.uid, allows_expired).await?;
    headers::accepted(&parts.headers)?;
    let conditions = RequestPreconditions::read(&parts.headers)?;
    if conditions != RequestPreconditions::default() {
        // Most polls end here: nothing has changed, and the server has read only a single row.
        compare(conditions, app.store.user(entered.caller.uid).await?.0)?;
    }
    let (states, modified, quota) = app.store.info(entered.caller.uid, entered.now, is_counted).await?;
    Ok(reply::dated(StatusCode::OK, render(&states, quota), modified))
}

fn map(states: &BTreeMap<String, CollectionState>, value: impl Fn(&CollectionState) -> i64) -> BTreeMap<String, i64> {
    states.iter().map(|(name, state)| (name.clone(), value(state))).collect()
}

/// `GET /__heartbeat__`: also checks the database.
pub(super) async fn heartbeat(State(app): State<SharedApp>) -> Response {
    let is_alive = app.store.is_alive().await;
    let (status, word) = if is_alive { (200, "ok") } else { (503, "error") };
    reply::json(
        status,
        format!("{{\"version\":\"{}\",\"database\":\"{word}\",\"status\":\"{word}\"}}", env!("CARGO_PKG_VERSION")),
    )
}

/// `GET /__lbheartbeat__`: does not check the database.
pub(super) async fn balancer_heartbeat() -> Response {
    reply::json(200, "{}".to_owned())
}

/// `GET /__version__`
pub(super) async fn version() -> Response {
    reply::json(200, format!("{{\"name\":\"ashore-sync-server\",\"version\":\"{}\"}}", env!("CARGO_PKG_VERSION")))
}
