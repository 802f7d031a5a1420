//! Recognises the sender of a request, checks its calls, and carries them out.
//!
//! - A program acts for an owner of its own, and its downloads reach only public addresses. A device with the scope for
//!   control acts for the user, like the page.
//! - A call is checked by the same rules about scopes and folders as a call of the page. In addition, this interface
//!   permits a few calls for which the page has no controls.

use std::sync::Arc;

use ashore_engine::{RequestSource, UniqueId, UserMessage};
use ashore_messages::message;
use ashore_rpc::{EventFeed, MethodCall, PeerConversation, permissions};
use axum::{
    extract::FromRequestParts,
    http::{StatusCode, request::Parts},
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;

use crate::{
    page::{PageInterface, call_check, call_scope},
    problem::RequestProblem,
    server::RemotePeer,
    sessions::{TokenKind, TokenOwner},
    token_scope::TokenScope,
};

/// Owner of downloads that a device adds.
const WINDOW: &str = "window";
/// Prefix of the owner of downloads that a program adds. The name of the program follows the prefix.
const OWNER_PREFIX: &str = "api/";

/// Signed-in device or program that sent a request.
pub(super) struct RestCaller {
    pub page: Arc<PageInterface>,
    pub owner: TokenOwner,
    conversation: PeerConversation,
}

impl FromRequestParts<Arc<PageInterface>> for RestCaller {
    type Rejection = RequestProblem;

    async fn from_request_parts(parts: &mut Parts, page: &Arc<PageInterface>) -> Result<Self, RequestProblem> {
        let peer = parts.extensions.get::<RemotePeer>().ok_or_else(RequestProblem::signed_out)?;
        let owner = page.any_sender(&parts.headers, peer).await?;
        // This conversation returns results directly and sends no messages, so the capacity of its queue does not matter.
        let conversation = PeerConversation::new(page.service.clone(), mpsc::channel(1).0).from_source(source_of(&owner));
        Ok(Self { page: Arc::clone(page), owner, conversation })
    }
}

impl RestCaller {
    /// Checks `call` and carries it out. Returns its result.
    pub(super) async fn call(&self, call: MethodCall) -> Result<Value, RequestProblem> {
        self.admit(&call).await?;
        let is_settings = matches!(call, MethodCall::Settings);
        let result = self.carry_out(call).await?;
        let is_restricted = self.owner.scope != TokenScope::Control;
        Ok(if is_settings && is_restricted { call_scope::without_proxy(result) } else { result })
    }

    /// Fails if this sender may not make `call`.
    pub(super) async fn admit(&self, call: &MethodCall) -> Result<(), RequestProblem> {
        let PageInterface { service, roots, .. } = self.page.as_ref();
        has_route(call).map_err(RequestProblem::of_call)?;
        let checked = call_check::check_sender(&self.conversation, service, roots, self.owner.scope, call).await;
        checked.map_err(RequestProblem::of_call)
    }

    /// Carries out a call without checking it.
    pub(super) async fn carry_out<T: DeserializeOwned>(&self, call: MethodCall) -> Result<T, RequestProblem> {
        self.conversation.call(call).await.map_err(|failure| RequestProblem::of_call(failure.message()))
    }

    /// Subscribes to the events that the user receives.
    pub(super) async fn events(&self) -> Result<EventFeed, RequestProblem> {
        self.conversation.events().await.map_err(|failure| RequestProblem::of_call(failure.message()))
    }

    /// Fails if the scope of the sender does not include `needed`.
    pub(super) fn require(&self, needed: TokenScope) -> Result<(), RequestProblem> {
        if self.owner.scope.includes(needed) { Ok(()) } else { Err(RequestProblem::of_scope()) }
    }

    /// Checks `call` and carries it out. The response has no content.
    pub(super) async fn done(&self, call: MethodCall) -> Result<StatusCode, RequestProblem> {
        self.call(call).await.map(|_| StatusCode::NO_CONTENT)
    }

    /// Returns the owner of downloads that this sender adds.
    pub(super) fn owner_name(&self) -> String {
        match self.owner.kind {
            TokenKind::Program => format!("{OWNER_PREFIX}{}", self.owner.name),
            TokenKind::Device | TokenKind::Browser => WINDOW.to_owned(),
        }
    }

    /// Returns the source of downloads that this sender adds.
    pub(super) fn source(&self) -> RequestSource {
        source_of(&self.owner)
    }
}

/// Returns the source of everything that `owner` requests. [pure]
fn source_of(owner: &TokenOwner) -> RequestSource {
    match (owner.kind, owner.scope) {
        (TokenKind::Device, TokenScope::Control) => RequestSource::Window,
        _ => RequestSource::Program,
    }
}

/// Fails if `call` is of a kind that neither the page nor a route of this interface may make. [pure]
fn has_route(call: &MethodCall) -> Result<(), UserMessage> {
    match call {
        MethodCall::Doctor | MethodCall::Quotas | MethodCall::SetQuota { .. } | MethodCall::Limit { .. } => Ok(()),
        call => permissions::may(call),
    }
}

/// Parses the id in an address. Fails as for an unknown download if `text` is not an id. [pure]
pub(super) fn download_id(text: &str) -> Result<UniqueId, RequestProblem> {
    text.parse().map_err(|_| RequestProblem::of_call(message!("unknown", id = text)))
}

/// Converts `body`, which must be a JSON object, to a value. [pure]
///
/// Fails if `body` is not an object. This check is needed because serde alone would also accept a list of values.
pub(super) fn object<T: DeserializeOwned>(body: Value) -> Result<T, RequestProblem> {
    match body {
        Value::Object(_) => serde_json::from_value(body).map_err(RequestProblem::invalid),
        _ => Err(RequestProblem::invalid("the body must be a JSON object")),
    }
}

/// Returns the call `method` with the fields of `body` and the fields `own`. `own` are determined by the route. [pure]
///
/// Fails if `body` has unknown fields, lacks fields, or has fields of `own`.
pub(super) fn call_of(method: &str, body: Value, own: &[(&str, Value)]) -> Result<MethodCall, RequestProblem> {
    let mut params: Map<String, Value> = object(body)?;
    for (name, value) in own {
        if params.insert((*name).to_owned(), value.clone()).is_some() {
            return Err(RequestProblem::invalid(format!("`{name}` is part of the address")));
        }
    }
    serde_json::from_value(json!({ "method": method, "params": params })).map_err(RequestProblem::invalid)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "018f3a54-7b5e-7c1d-9a39-1d2f0c9be001";

    #[test]
    fn only_device_with_control_scope_has_source_window() {
        let source = |kind, scope| source_of(&TokenOwner { id: String::new(), name: String::new(), scope, kind, is_old: false });
        assert_eq!(source(TokenKind::Device, TokenScope::Control), RequestSource::Window);
        assert_eq!(source(TokenKind::Device, TokenScope::Add), RequestSource::Program);
        assert_eq!(source(TokenKind::Program, TokenScope::Control), RequestSource::Program);
    }

    #[test]
    fn body_with_missing_unknown_or_own_field_is_refused() {
        let own = [("unique_id", json!(ID))];
        let call = call_of("move", json!({ "place": "top" }), &own).unwrap();
        assert!(matches!(call, MethodCall::Move { .. }), "{call:?}");
        for body in [json!({}), json!([]), json!({ "place": "top", "x": 1 }), json!({ "place": "top", "unique_id": ID })] {
            let refused = call_of("move", body.clone(), &own).unwrap_err();
            assert_eq!((refused.status, refused.why.code.as_str()), (StatusCode::BAD_REQUEST, "remote-request"), "{body}");
        }
    }

    #[test]
    fn calls_with_files_of_this_machine_are_refused() {
        let is_refused = |method: &str, body: Value| has_route(&call_of(method, body, &[]).unwrap()).is_err();
        assert!(is_refused("add_cookies", json!({ "file": "/etc/passwd" })));
        assert!(is_refused("export", json!({ "file": "/tmp/a", "replace": true })));
        assert!(is_refused("add", json!({ "requests": [{ "url": "http://a.example/", "upload_file": "/etc/passwd" }] })));
        assert!(!is_refused("set_quota", json!({ "scope": {}, "bytes": 1 })));
    }
}
