//! `/api/v1/events`: the events of `docs/socket.md` as server-sent events.
//!
//! - The queue of the engine is bounded. A client that reads too slowly loses events, and receives `lagged`. A client
//!   that does not read at all is disconnected by `write_limit`.
//! - The response ends within a second after the token is signed out, and when the server stops.

use std::{convert::Infallible, sync::Arc, time::Duration};

use ashore_engine::{EngineEvent, ListQuery};
use ashore_rpc::{EventFeed, MethodCall};
use axum::{
    Router,
    body::{Body, Bytes},
    http::{HeaderName, HeaderValue, header},
    response::Response,
    routing::get,
};
use futures_util::stream::unfold;
use serde_json::Value;
use tokio::{
    sync::watch,
    time::{Interval, MissedTickBehavior, interval},
};

use crate::{page::PageInterface, problem::RequestProblem, rest::caller::RestCaller, server::until_stopped};

/// Time between two checks that the sender is still signed in.
const CHECK_AGAIN: Duration = Duration::from_secs(1);
/// Time between two comments. A comment shows the client, and the proxies before it, that the connection still works.
const COMMENT_AGAIN: Duration = Duration::from_secs(15);
/// Comment in the format of server-sent events. Clients ignore comments.
const COMMENT: &[u8] = b":\n\n";
/// Headers of the response. The last one makes nginx forward each event immediately.
const HEADERS: [(HeaderName, &str); 3] = [
    (header::CONTENT_TYPE, "text/event-stream"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("x-accel-buffering"), "no"),
];

pub(super) fn routes() -> Router<Arc<PageInterface>> {
    Router::new().route("/api/v1/events", get(events))
}

async fn events(caller: RestCaller) -> Result<Response, RequestProblem> {
    // Events contain the same as the list.
    caller.admit(&mut MethodCall::List(ListQuery::default())).await?;
    let flow = EventFlow {
        feed: caller.events().await?,
        stopped: caller.page.stopped.clone(),
        checks: ticks(CHECK_AGAIN),
        comments: ticks(COMMENT_AGAIN),
        sender: caller.owner.id,
        page: caller.page,
    };
    let texts = unfold(flow, async |mut flow| flow.next().await.map(|text| (Ok::<_, Infallible>(text), flow)));
    let mut response = Response::new(Body::from_stream(texts));
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

/// Events for one client.
struct EventFlow {
    feed: EventFeed,
    stopped: watch::Receiver<bool>,
    checks: Interval,
    comments: Interval,
    /// Id of the device or program that receives the events.
    sender: String,
    page: Arc<PageInterface>,
}

impl EventFlow {
    /// Returns the next event or comment; `None` when the response ends.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            tokio::select! {
                event = self.feed.next() => if let Some(text) = text(&event?) { return Some(text.into()) },
                // The first comment is due immediately, so that the client receives the head of the response.
                _ = self.comments.tick() => return Some(Bytes::from_static(COMMENT)),
                _ = self.checks.tick() => if !self.page.sessions.is_signed_in(&self.sender).await { return None },
                () = until_stopped(&mut self.stopped) => return None,
            }
        }
    }
}

fn ticks(period: Duration) -> Interval {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// Returns an event in the format of server-sent events (HTML standard). Its name is the `type` of the event. [pure]
fn text(event: &EngineEvent) -> Option<String> {
    let value = serde_json::to_value(event).inspect_err(|error| tracing::warn!(%error, "event could not be serialised")).ok()?;
    let name = value.get("type").and_then(Value::as_str)?;
    // JSON escapes line breaks, so the data are one line.
    Some(format!("event: {name}\ndata: {value}\n\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ashore_engine::UniqueId;

    #[test]
    fn event_has_its_type_as_name_and_one_data_line() {
        assert_eq!(text(&EngineEvent::Lagged).unwrap(), "event: lagged\ndata: {\"type\":\"lagged\"}\n\n");
        let removed = EngineEvent::Removed { unique_id: UniqueId(uuid::Uuid::nil()), owner: "a\nb".to_owned() };
        let written = text(&removed).unwrap();
        assert!(written.starts_with("event: removed\ndata: {") && written.matches('\n').count() == 3, "{written}");
    }
}
