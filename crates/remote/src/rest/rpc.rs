//! `/api/rpc`: one message of the local socket in each request, with the same answers.
//!
//! The rules of the other routes apply: a program acts for its own owner, and only calls with a route are permitted.

use std::{io, sync::Arc};

use ashore_engine::UserMessage;
use ashore_messages::message;
use ashore_rpc::{MethodCall, PeerConversation, PeerMessage, permissions::not_understood};
use axum::{
    Router,
    body::Body,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
    routing::post,
};
use tokio::sync::mpsc;

use crate::{
    page::{PageInterface, call_scope},
    problem::RequestProblem,
    rest::{caller::RestCaller, idempotency_key},
    token_scope::TokenScope,
};

pub(super) fn routes() -> Router<Arc<PageInterface>> {
    Router::new().route("/api/rpc", post(receive))
}

/// Answers 200 with the answer to the message, or 204 if the message requests no answer.
async fn receive(caller: RestCaller, body: Body) -> Result<Response, RequestProblem> {
    caller.require(TokenScope::Read)?;
    let text = caller.page.whole(body).await?;
    // A message has at most one answer.
    let (output, mut answers) = mpsc::channel(1);
    let mut conversation = PeerConversation::new(caller.page.service.clone(), output).from_source(caller.owner.source());
    if let Err(error) = carry_out(&caller, &mut conversation, &text).await {
        tracing::error!(%error, "answer could not be serialised as JSON");
        return Err(RequestProblem::internal(message!("internal")));
    }
    conversation.end().await;
    let Some(answer) = answers.recv().await else { return Ok(StatusCode::NO_CONTENT.into_response()) };
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers.map(|(name, value)| (name, HeaderValue::from_static(value))), answer).into_response())
}

async fn carry_out(caller: &RestCaller, conversation: &mut PeerConversation, text: &[u8]) -> io::Result<()> {
    let Some(mut message) = conversation.understand(text).await? else { return Ok(()) };
    if let Err(why) = admit(caller, &mut message).await {
        return conversation.refuse(message, why).await;
    }
    let is_restricted = caller.owner.scope != TokenScope::Control;
    if is_restricted && matches!(message.call(), Some(MethodCall::Settings)) {
        return match conversation.call(MethodCall::Settings).await {
            Ok(settings) => conversation.answer(message, &call_scope::without_proxy(settings)).await,
            Err(failure) => conversation.refuse(message, failure.message()).await,
        };
    }
    conversation.carry_out(message).await
}

/// Fails if the sender may not send this message. Sets the owner of a new download.
async fn admit(caller: &RestCaller, message: &mut PeerMessage) -> Result<(), UserMessage> {
    // A subscription needs a connection. `/api/v1/events` sends the events.
    if message.names_owner() || message.is_subscription() {
        return Err(not_understood(message!("fault-call.unused")));
    }
    let Some(call) = message.call_mut() else { return Ok(()) };
    if !is_offered(call) {
        return Err(not_understood(message!("fault-call.unused")));
    }
    let is_create = matches!(call, MethodCall::Create(_));
    if let MethodCall::Create(new) | MethodCall::Add(new) = call {
        let mut new = std::mem::take(new);
        if is_create {
            idempotency_key::apply(&HeaderMap::new(), &mut new).map_err(|problem| *problem.why)?;
        }
        caller.own(&mut new).map_err(|problem| *problem.why)?;
        // The rules for both calls are the same, but the page only makes one of them.
        *call = MethodCall::Add(new);
    }
    caller.admit(call).await.map_err(|problem| *problem.why)?;
    if is_create && let MethodCall::Add(new) = call {
        *call = MethodCall::Create(std::mem::take(new));
    }
    Ok(())
}

/// Whether a route of the REST interface makes calls of this kind, or reads the same data. [pure]
///
/// Every other call is refused, also a call that the page may make: the page acts for a user, but a program does not. For
/// example, a program must not steer other machines of a synced list.
fn is_offered(call: &MethodCall) -> bool {
    matches!(
        call,
        MethodCall::Create(_)
            | MethodCall::Add(_)
            | MethodCall::List(_)
            | MethodCall::Search { .. }
            | MethodCall::Show { .. }
            | MethodCall::Records { .. }
            | MethodCall::Details { .. }
            | MethodCall::Segments { .. }
            | MethodCall::Abort { .. }
            | MethodCall::Pause { .. }
            | MethodCall::Resume { .. }
            | MethodCall::Retry { .. }
            | MethodCall::Move { .. }
            | MethodCall::Remove { .. }
            | MethodCall::Relink { .. }
            | MethodCall::PutInto { .. }
            | MethodCall::UpdateUi { .. }
            | MethodCall::Totals
            | MethodCall::Statistics { .. }
            | MethodCall::Understand { .. }
            | MethodCall::Settings
            | MethodCall::Set { .. }
            | MethodCall::Doctor
            | MethodCall::Limit { .. }
            | MethodCall::Limits
            | MethodCall::SetQuota { .. }
            | MethodCall::Quotas
    )
}
