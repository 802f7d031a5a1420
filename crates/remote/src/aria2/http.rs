//! Serves calls in JSON at `/jsonrpc`, by POST or through a WebSocket, and calls in XML at `/rpc`, by POST.
//!
//! - Methods other than POST are refused. This includes GET with JSONP, because a page of any origin could read the
//!   answers.
//! - The type of the content is ignored, as in aria2.
//! - The server checks `Origin` before these routes. A page of an accepted origin may read the answers.
//! - Every client of a WebSocket receives the notifications, as in aria2. A notification contains only a GID.
//! - `remote_access` carries out each call to its end, even if the client disconnects.
//! - The caller receives the answer to a call before the notifications about the effects of this call.

use std::{sync::Arc, time::Duration};

use ashore_engine::{EngineEvent, EventStream};
use axum::{
    Extension, Router,
    body::{Bytes, to_bytes},
    extract::{
        Request, State,
        ws::{Message, WebSocket, WebSocketUpgrade, rejection::WebSocketUpgradeRejection},
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
        notify::{Aria2Notification, NotificationState},
        wire::{Aria2Failure, Aria2Refusal, Aria2Request, LONGEST_REQUEST, answer, notification, parse},
        xml,
    },
    server::RemotePeer,
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
/// Maximum time to send a message.
const SEND: Duration = Duration::from_secs(10);

/// State of the routes.
#[derive(Debug)]
struct Aria2Server {
    methods: Aria2Methods,
    /// True when the server stops.
    stopped: watch::Receiver<bool>,
}

/// Returns the routes of the interface. Its WebSockets close when `stopped` becomes true.
pub(crate) fn routes(config: Aria2Config, stopped: watch::Receiver<bool>) -> Router {
    let server = Aria2Server { methods: Aria2Methods::new(config), stopped };
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

async fn receive(State(server): State<Arc<Aria2Server>>, Extension(peer): Extension<RemotePeer>, request: Request) -> Response {
    let body = match read(request).await {
        Ok(body) => body,
        Err(UnreadBody::TooLong) => {
            let failure = Aria2Failure::unreadable();
            return respond(failure.status(), &answer(&Value::Null, Err(failure)));
        }
        Err(UnreadBody::Slow) => return StatusCode::REQUEST_TIMEOUT.into_response(),
    };
    let (status, answer) = server.answer(&body, &peer).await;
    respond(status, &answer)
}

async fn receive_xml(
    State(server): State<Arc<Aria2Server>>,
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
    State(server): State<Arc<Aria2Server>>,
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

impl Aria2Server {
    /// Returns the HTTP status and the answer to a request.
    async fn answer(&self, body: &[u8], peer: &RemotePeer) -> (u16, Value) {
        let mut caller = Aria2Caller::new(peer.address);
        match parse(body) {
            Aria2Request::Single(Ok(call)) => {
                let id = call.id.clone();
                let result = self.methods.call(call, &mut caller).await;
                let status = result.as_ref().err().map_or(200, Aria2Failure::status);
                (status, answer(&id, result))
            }
            Aria2Request::Single(Err(Aria2Refusal { id, failure })) => (failure.status(), answer(&id, Err(failure))),
            Aria2Request::Batch(calls) => {
                let mut answers = Vec::with_capacity(calls.len());
                for call in calls {
                    answers.push(match call {
                        Ok(call) => {
                            let id = call.id.clone();
                            answer(&id, self.methods.call(call, &mut caller).await)
                        }
                        Err(Aria2Refusal { id, failure }) => answer(&id, Err(failure)),
                    });
                }
                (200, Value::Array(answers))
            }
        }
    }

    /// Exchanges messages with a client until one side ends the connection.
    async fn converse(&self, socket: WebSocket, peer: RemotePeer) {
        let mut stopped = self.stopped.clone();
        let mut client = SocketClient { socket };
        tokio::select! {
            () = self.serve(&mut client, &peer) => {}
            // An error means that the server is gone.
            _ = stopped.wait_for(|stop| *stop) => {}
        }
        client.close().await;
    }

    async fn serve(&self, client: &mut SocketClient, peer: &RemotePeer) {
        // Subscribe before the list is read, so that no change in between is missed.
        let mut events = self.methods.engine().events();
        let mut known = NotificationState::default();
        for download in self.methods.unfinished().await.unwrap_or_default() {
            known.know(&download);
        }
        loop {
            tokio::select! {
                received = client.receive() => {
                    let Some(received) = received else { return };
                    let (_, answer) = self.answer(&received, peer).await;
                    if !client.send(answer.to_string()).await {
                        return;
                    }
                }
                told = self.notifications(&mut events, &mut known) => {
                    let Some(told) = told else { return };
                    for (method, gid) in told {
                        if !client.send(notification(method, &gid).to_string()).await {
                            return;
                        }
                    }
                }
            }
        }
    }

    /// Returns the notifications that follow from the next event; `None` when the engine closes. Cancel safe while it waits for
    /// an event.
    async fn notifications(&self, events: &mut EventStream, known: &mut NotificationState) -> Option<Vec<Aria2Notification>> {
        Some(match events.next().await? {
            EngineEvent::Changed { registration } if self.methods.is_shown(&registration.owner) => known.on_change(&registration),
            EngineEvent::Removed { unique_id, owner } if self.methods.is_shown(&owner) => known.on_removal(unique_id),
            EngineEvent::Lagged => self.catch_up(known).await,
            _ => Vec::new(),
        })
    }

    /// Returns the notifications that lost events would have caused.
    async fn catch_up(&self, known: &mut NotificationState) -> Vec<Aria2Notification> {
        let mut told = Vec::new();
        for id in known.unfinished() {
            match self.methods.engine().show(id).await {
                Ok(download) => told.extend(known.on_change(&download)),
                Err(_) => told.extend(known.on_removal(id)),
            }
        }
        for download in self.methods.unfinished().await.unwrap_or_default() {
            told.extend(known.on_change(&download));
        }
        told
    }
}

struct SocketClient {
    socket: WebSocket,
}

impl SocketClient {
    /// Returns the next message; `None` when the client is gone. Cancel safe.
    async fn receive(&mut self) -> Option<Bytes> {
        loop {
            match self.socket.recv().await?.ok()? {
                Message::Text(text) => return Some(text.into()),
                Message::Binary(bytes) => return Some(bytes),
                Message::Close(_) => return None,
                Message::Ping(_) | Message::Pong(_) => {}
            }
        }
    }

    /// Sends a message. Returns false if the client is gone or does not read.
    async fn send(&mut self, text: String) -> bool {
        timeout(SEND, self.socket.send(Message::Text(text.into()))).await.is_ok_and(|sent| sent.is_ok())
    }

    async fn close(mut self) {
        // Ignore the error: it means that the connection is closed already.
        let _ = timeout(SEND, self.socket.send(Message::Close(None))).await;
    }
}
