//! Serves `/jsonrpc` with calls by POST, and `/rpc` with calls in XML. `socket` continues with the WebSocket of `/jsonrpc`.
//!
//! - Methods other than POST are refused. This includes GET with JSONP, because a page of any origin could read the
//!   answers.
//! - The type of the content is ignored, as in aria2.
//! - A page of another origin may read the answers if the server accepts its `Origin`, which is checked before.
//! - `remote_access` carries out each call to its end, even if the client disconnects.

use std::{sync::Arc, time::Duration};

use axum::{
    Extension, Router,
    body::{Bytes, to_bytes},
    extract::{
        Request, State,
        ws::{WebSocketUpgrade, rejection::WebSocketUpgradeRejection},
    },
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::{Next, from_fn},
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use serde_json::Value;
use tokio::{sync::watch, time::timeout};

use crate::{
    aria2::{
        methods::{Aria2Caller, Aria2Config, Aria2Methods},
        notification_hub::NotificationHub,
        requests::answer_request,
        socket::Aria2Sockets,
        wire::{Aria2Failure, LONGEST_REQUEST, answer},
        xml,
    },
    server::{RemoteLimits, RemotePeer},
};

/// Path of calls in JSON.
const PATH: &str = "/jsonrpc";
/// Path of calls in XML.
const XML_PATH: &str = "/rpc";
/// Media type of the answers.
const JSON_RPC: HeaderValue = HeaderValue::from_static("application/json-rpc");
const XML_RPC: HeaderValue = HeaderValue::from_static("text/xml");
/// Maximum time to receive the body of a request.
const RECEIVE: Duration = Duration::from_secs(10);

/// Returns the routes of the interface. Its WebSockets close when `stopped` becomes true.
pub(crate) fn routes(config: Aria2Config, limits: RemoteLimits, stopped: watch::Receiver<bool>) -> Router {
    let server = Aria2Sockets { methods: Arc::new(Aria2Methods::new(config)), hub: NotificationHub::new(), limits, stopped };
    // HEAD would otherwise be answered as GET.
    let refused = async || StatusCode::METHOD_NOT_ALLOWED;
    let methods = get(connect).post(receive).head(refused).options(preflight);
    let xml_methods = post(receive_xml).options(preflight);
    let routes = Router::new().route(PATH, methods).route(XML_PATH, xml_methods);
    routes.route_layer(from_fn(permit_origin)).with_state(Arc::new(server))
}

/// Answers a CORS preflight request. A browser sends it before it permits a page of another origin to send a call.
async fn preflight(headers: HeaderMap) -> Response {
    if !headers.contains_key(header::ORIGIN) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let answers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "POST"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "Content-Type"),
        (header::ACCESS_CONTROL_MAX_AGE, "600"),
    ];
    (StatusCode::NO_CONTENT, answers).into_response()
}

/// Permits the page that sent the request to read the response. The server has already checked its `Origin`.
async fn permit_origin(request: Request, next: Next) -> Response {
    let origin = request.headers().get(header::ORIGIN).cloned();
    let mut response = next.run(request).await;
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("Origin"));
    if let Some(origin) = origin {
        response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    response
}

async fn receive(State(server): State<Arc<Aria2Sockets>>, Extension(peer): Extension<RemotePeer>, request: Request) -> Response {
    let body = match read(request).await {
        Ok(body) => body,
        Err(UnreadBody::TooLong) => {
            let failure = Aria2Failure::unreadable();
            return respond(failure.status(), &answer(&Value::Null, Err(failure)));
        }
        Err(UnreadBody::Slow) => return StatusCode::REQUEST_TIMEOUT.into_response(),
    };
    let (status, answer) = answer_request(&server.methods, &body, &mut Aria2Caller::new(peer.address)).await;
    respond(status, &answer)
}

async fn receive_xml(
    State(server): State<Arc<Aria2Sockets>>,
    Extension(peer): Extension<RemotePeer>,
    request: Request,
) -> Response {
    let body = match read(request).await {
        Ok(body) => body,
        Err(UnreadBody::TooLong) => return StatusCode::BAD_REQUEST.into_response(),
        Err(UnreadBody::Slow) => return StatusCode::REQUEST_TIMEOUT.into_response(),
    };
    let Some(call) = xml::parse(&body) else { return StatusCode::BAD_REQUEST.into_response() };
    let method = call.method.clone();
    let result = server.methods.call(call, &mut Aria2Caller::new(peer.address)).await;
    let headers = [(header::CONTENT_TYPE, XML_RPC), (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"))];
    (headers, xml::answer(&method, result)).into_response()
}

/// Reason why the body of a request could not be read.
enum UnreadBody {
    TooLong,
    Slow,
}

async fn read(request: Request) -> Result<Bytes, UnreadBody> {
    let read = timeout(RECEIVE, to_bytes(request.into_body(), LONGEST_REQUEST)).await;
    read.map_err(|_| UnreadBody::Slow)?.map_err(|_| UnreadBody::TooLong)
}

async fn connect(
    State(server): State<Arc<Aria2Sockets>>,
    Extension(peer): Extension<RemotePeer>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let Ok(upgrade) = upgrade else { return StatusCode::METHOD_NOT_ALLOWED.into_response() };
    upgrade
        .max_message_size(LONGEST_REQUEST)
        .max_frame_size(LONGEST_REQUEST)
        // The task owns `peer`, so the connection keeps its place in the limits until the conversation ends.
        .on_upgrade(async move |socket| server.converse(socket, peer).await)
}

fn respond(status: u16, answer: &Value) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, [(header::CONTENT_TYPE, JSON_RPC)], answer.to_string()).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if status != StatusCode::OK {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
