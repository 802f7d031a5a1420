//! Holds the table of all routes, and the headers of every response.

use std::{
    convert::Infallible,
    sync::{Arc, atomic::Ordering},
};

use axum::{
    Router,
    body::Body,
    response::{IntoResponse as _, Response},
    routing::{delete, get, post, put},
};
use http::{HeaderValue, Method, Request, StatusCode, header};
use tower_service::Service as _;

use super::{
    ConnectedPeer, SyncApp, account, app::SharedApp, events, failure::RequestFailure, info, reply, request::RequestBody, storage,
};
use crate::protocol::{ProtocolRefusal, Timestamp};

/// Lifetime of a preflight response in seconds, as on the public Sync Storage server.
const MAX_AGE: &str = "555";

/// Response headers that a web page of another origin may read.
const EXPOSED: &str = "X-Last-Modified, X-Weave-Timestamp, X-Weave-Records, X-Weave-Next-Offset, X-Weave-Quota-Remaining, \
                       X-Weave-Backoff, Retry-After";

/// Value of X-Weave-Backoff while the server is busy, in seconds.
const BACKOFF: &str = "30";

fn router(app: SharedApp) -> Router {
    let object = get(storage::read).put(storage::put_storage).delete(storage::delete);
    let collection = get(storage::list).post(storage::post).delete(storage::delete_collection);
    Router::new()
        .route("/1.5/{uid}", delete(storage::delete_all))
        .route("/1.5/{uid}/", delete(storage::delete_all))
        .route("/1.5/{uid}/storage", delete(storage::delete_all))
        .route("/1.5/{uid}/storage/{collection}", collection)
        .route("/1.5/{uid}/storage/{collection}/{id}", object)
        .route("/1.5/{uid}/info/collections", get(info::collections))
        .route("/1.5/{uid}/info/collection_counts", get(info::counts))
        .route("/1.5/{uid}/info/collection_usage", get(info::usage))
        .route("/1.5/{uid}/info/quota", get(info::quota))
        .route("/1.5/{uid}/info/configuration", get(info::configuration))
        .route("/1.5/{uid}/events", get(events::events))
        .route("/1.0/sync/1.5", get(account::token))
        .route("/1.0/enrol", post(account::enrol))
        .route("/1.0/invites", post(account::invite))
        .route("/1.0/devices", get(account::devices))
        .route("/1.0/devices/{id}", delete(account::remove_device))
        .route("/1.0/account/auth", put(account::set_auth))
        .route("/__heartbeat__", get(info::heartbeat))
        .route("/__lbheartbeat__", get(info::balancer_heartbeat))
        .route("/__version__", get(info::version))
        .fallback(|| async { RequestFailure::from(ProtocolRefusal::NOT_FOUND) })
        .method_not_allowed_fallback(|| async { RequestFailure::from(ProtocolRefusal::BAD_METHOD) })
        .with_state(app)
}

/// Returns a function that answers requests.
pub fn answer(app: Arc<SyncApp>) -> impl AsyncAnswer {
    let router = router(Arc::clone(&app));
    move |peer: ConnectedPeer, mut request: Request<Body>| {
        let (app, mut router) = (Arc::clone(&app), router.clone());
        let future: Future = Box::pin(async move {
            let now = app.clock.now();
            let origin = request.headers().get(header::ORIGIN).cloned();
            let asked = request.headers().get(header::ACCESS_CONTROL_REQUEST_HEADERS).cloned();
            let method = request.method().clone();
            request.extensions_mut().insert(peer);
            request.extensions_mut().insert(RequestBody(now));
            let started = tokio::time::Instant::now();
            let under_way = UnderWay::new(&app);
            let mut response = match method {
                Method::OPTIONS => allowed(asked),
                _ => router.call(request).await.unwrap_or_else(|never: Infallible| match never {}),
            };
            finish(&mut response, origin, now);
            if under_way.count > app.settings.busy {
                response.headers_mut().insert(reply::BACKOFF, HeaderValue::from_static(BACKOFF));
            }
            app.metrics.count(&method, response.status(), started.elapsed());
            tracing::debug!(%method, status = response.status().as_u16(), "answered");
            response
        });
        future
    }
}

/// Counts a request while it is processed, even if its client disconnects.
struct UnderWay<'a> {
    app: &'a SyncApp,
    /// Number of requests in progress, including this one.
    count: usize,
}

impl<'a> UnderWay<'a> {
    fn new(app: &'a SyncApp) -> Self {
        Self { app, count: app.under_way.fetch_add(1, Ordering::Relaxed) + 1 }
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.app.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

type Future = std::pin::Pin<Box<dyn std::future::Future<Output = Response> + Send>>;

/// Function from a request to its response.
pub trait AsyncAnswer: Fn(ConnectedPeer, Request<Body>) -> Future + Clone + Send + Sync + 'static {}

impl<F: Fn(ConnectedPeer, Request<Body>) -> Future + Clone + Send + Sync + 'static> AsyncAnswer for F {}

/// Answers a preflight.
///
/// Every origin is allowed: a request is authenticated only by its token, which browsers do not send automatically.
fn allowed(asked: Option<HeaderValue>) -> Response {
    let mut response = (StatusCode::OK, Body::empty()).into_response();
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, PUT, DELETE, OPTIONS"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, asked.unwrap_or(HeaderValue::from_static("*")));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(MAX_AGE));
    response
}

/// Adds the headers that every response has.
fn finish(response: &mut Response, origin: Option<HeaderValue>, now: i64) {
    let headers = response.headers_mut();
    let modified = headers.get(reply::LAST_MODIFIED).and_then(|value| Timestamp::parse(value.to_str().ok()?));
    let time = Timestamp::floor(now).max(modified.map_or(Timestamp::default(), |(time, _)| time));
    headers.insert(reply::TIMESTAMP, reply::text(&time.to_string()));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::VARY, HeaderValue::from_static("Origin"));
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
    }
}
