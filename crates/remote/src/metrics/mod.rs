//! `/metrics` in the text format of Prometheus, for tokens with the scope for metrics or for control.
//!
//! - `request_counts` counts the requests of all interfaces, and `remote_sessions` counts refused sign-ins. All other
//!   values are read from the engine for each answer.
//! - `text` writes the format.
//! - Labels have a small fixed set of values. Titles, hosts and names of devices are never labels.

mod request_counts;
mod text;

use std::sync::Arc;

use ashore_engine::{Engine, EngineError, FailureReason, RegistrationCount, RegistrationState};
use axum::{
    Extension, Router,
    extract::{MatchedPath, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::{Next, from_fn_with_state},
    response::Response,
    routing::get,
};

use crate::{
    metrics::{
        request_counts::RequestCounts,
        text::{MetricKind, MetricsText},
    },
    page::PageInterface,
    problem::RequestProblem,
    server::RemotePeer,
    token_scope::TokenScope,
};

/// Version 0.0.4 of the text format.
const MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";
/// Label of all requests for files of the page.
const PAGE: &str = "page";
/// Label of all requests that match neither a route nor a file of the page. Their paths are no labels, because a client could
/// send any number of different paths.
const UNKNOWN: &str = "unknown";
const STATES: [(RegistrationState, &str); 4] = [
    (RegistrationState::Running, "running"),
    (RegistrationState::Waiting, "waiting"),
    (RegistrationState::Paused, "paused"),
    (RegistrationState::Settled, "settled"),
];
const REASONS: [(FailureReason, &str); 5] = [
    (FailureReason::Aborted, "aborted"),
    (FailureReason::BadStatus, "bad-status"),
    (FailureReason::FetchError, "fetch-error"),
    (FailureReason::QuotaExceeded, "quota-exceeded"),
    (FailureReason::DownloadTotalExceeded, "download-total-exceeded"),
];

/// State of the route `/metrics` and of the counting middleware.
#[derive(Clone)]
struct MetricsSource {
    page: Arc<PageInterface>,
    counts: Arc<RequestCounts>,
}

/// Adds the route `/metrics` to `routes`, and counts the requests to all of these routes.
pub(crate) fn counted(routes: Router, page: Arc<PageInterface>) -> Router {
    let source = MetricsSource { page, counts: Arc::default() };
    let own = Router::new().route("/metrics", get(metrics)).with_state(source.clone());
    routes.merge(own).layer(from_fn_with_state(source, count))
}

async fn count(State(source): State<MetricsSource>, request: Request, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;
    // Remove the base path of the server from the path of the route, so that labels do not depend on the configuration.
    let base_path = source.page.base_path.trim_end_matches('/');
    let route = path.as_ref().and_then(|path| path.as_str().strip_prefix(base_path));
    // Below a base path, the first file of the page has the route `/`, which stands for no route of an interface.
    let route = route.filter(|route| *route != "/");
    source.counts.add(label(route, response.status()), response.status());
    response
}

/// Returns the label of a request that matched `route`. Without a route, the request was answered as one for a file of the
/// page. [pure]
fn label(route: Option<&str>, status: StatusCode) -> &str {
    let is_file = !matches!(status, StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED);
    route.unwrap_or(if is_file { PAGE } else { UNKNOWN })
}

async fn metrics(
    State(source): State<MetricsSource>,
    Extension(peer): Extension<RemotePeer>,
    headers: HeaderMap,
) -> Result<Response, RequestProblem> {
    let sender = source.page.any_sender(&headers, &peer).await?;
    if !matches!(sender.scope, TokenScope::Metrics | TokenScope::Control) {
        return Err(RequestProblem::of_scope(sender.kind));
    }
    let mut text = MetricsText::default();
    let read = write_engine(&mut text, source.page.service.engine()).await;
    read.map_err(|error| RequestProblem::of_call(error.message()))?;
    write_server(&mut text, &source);
    let mut response = Response::new(text.into_string().into());
    for (name, value) in [(header::CONTENT_TYPE, MEDIA_TYPE), (header::CACHE_CONTROL, "no-store")] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

/// Writes the metrics of the list and of the transfers.
async fn write_engine(text: &mut MetricsText, engine: &Engine) -> Result<(), EngineError> {
    let (counts, totals) = (engine.registration_counts().await?, engine.totals().await?);
    let transferred = engine.statistics(1).await?.total;
    let sum = |is_counted: &dyn Fn(&RegistrationCount) -> bool| {
        counts.iter().filter(|one| is_counted(one)).map(|one| one.count).sum::<u64>()
    };
    let name = "ashore_registrations";
    text.family(name, MetricKind::Gauge, "Downloads in the list, by state.");
    for (state, word) in STATES {
        text.sample(name, &[("state", word)], sum(&|one| one.state == state));
    }
    let name = "ashore_failed_registrations";
    text.family(name, MetricKind::Gauge, "Downloads in the list that failed, by reason.");
    for (reason, word) in REASONS {
        text.sample(name, &[("reason", word)], sum(&|one| one.failure_reason == reason));
    }
    for (name, help, value) in [
        ("ashore_queue_length", "Downloads that will start or continue automatically.", u64::from(totals.waiting)),
        ("ashore_paused", "Whether everything is paused.", u64::from(totals.paused)),
        ("ashore_speed_bytes_per_second", "Bytes of bodies per second, over the last seconds.", totals.speed),
    ] {
        text.family(name, MetricKind::Gauge, help);
        text.sample(name, &[], value);
    }
    for (name, help, value) in [
        ("ashore_downloaded_bytes_total", "Bytes of received bodies.", transferred.downloaded),
        ("ashore_uploaded_bytes_total", "Bytes of sent bodies.", transferred.uploaded),
    ] {
        text.family(name, MetricKind::Counter, help);
        text.sample(name, &[], value);
    }
    Ok(())
}

/// Writes the metrics of the server. Its counters begin at zero when the server starts.
fn write_server(text: &mut MetricsText, source: &MetricsSource) {
    let name = "ashore_http_requests_total";
    text.family(name, MetricKind::Counter, "Answered HTTP requests, by route and by class of the status.");
    for ((route, class), count) in source.counts.all() {
        text.sample(name, &[("route", route.as_str()), ("class", class)], count);
    }
    let name = "ashore_refused_sign_ins_total";
    text.family(name, MetricKind::Counter, "Refused tokens, keys and links.");
    text.sample(name, &[], source.page.sessions.refused_sign_ins());
}
