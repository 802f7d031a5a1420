//! Recognises the sender of a request, checks its calls, and carries them out.
//!
//! - A program acts for an owner of its own, and its downloads reach only public addresses. A device with the scope for
//!   control acts for the user, as with the page.
//! - A program cannot change which addresses its downloads reach: neither by a setting, nor by the link of a download
//!   that a person added, nor by an imported list.
//! - Calls have the same scopes, folders and other rules as those of the page. In addition, a few calls are allowed for
//!   which the page has no controls.

use std::sync::Arc;

use ashore_engine::{NewRegistration, Registration, UniqueId, UserMessage};
use ashore_messages::message;
use ashore_rpc::{EventFeed, MethodCall, PeerConversation, permissions};
use axum::{
    extract::FromRequestParts,
    http::{HeaderName, StatusCode, header, request::Parts},
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;

use crate::{
    page::{PageInterface, call_check, call_scope},
    problem::RequestProblem,
    rest::idempotency_key,
    server::RemotePeer,
    sessions::{TokenKind, TokenOwner},
    token_scope::TokenScope,
};

/// Owner of downloads that a device adds.
const WINDOW: &str = "window";
/// Start of an owner's name if this owner is a program. The name of the program follows.
const OWNER_PREFIX: &str = "api/";

/// Headers that contain a token, or the half of a device's key. A sender without both is a program.
const SECRET_HEADERS: [HeaderName; 2] = [header::AUTHORIZATION, header::COOKIE];

/// Device or program that sent a request, and is signed in.
pub(super) struct RestCaller {
    pub page: Arc<PageInterface>,
    pub owner: TokenOwner,
    conversation: PeerConversation,
}

impl FromRequestParts<Arc<PageInterface>> for RestCaller {
    type Rejection = RequestProblem;

    async fn from_request_parts(parts: &mut Parts, page: &Arc<PageInterface>) -> Result<Self, RequestProblem> {
        let peer = parts.extensions.get::<RemotePeer>().ok_or_else(RequestProblem::signed_out)?;
        if !SECRET_HEADERS.iter().any(|name| parts.headers.contains_key(name)) {
            return Err(RequestProblem::without_token());
        }
        let owner = page.any_sender(&parts.headers, peer).await?;
        // The conversation only makes calls, so its queue of answers stays empty.
        let conversation = PeerConversation::new(page.service.clone(), mpsc::channel(1).0).from_source(owner.source());
        let caller = Self { page: Arc::clone(page), owner, conversation };
        idempotency_key::refuse_elsewhere(page.service.engine(), &caller.owner_name(), parts).await?;
        Ok(caller)
    }
}

impl RestCaller {
    /// Checks `call` and carries it out. Returns its result.
    pub(super) async fn call(&self, mut call: MethodCall) -> Result<Value, RequestProblem> {
        self.admit(&mut call).await?;
        let is_settings = matches!(call, MethodCall::Settings);
        let result = self.carry_out(call).await?;
        let is_restricted = self.owner.scope != TokenScope::Control;
        Ok(if is_settings && is_restricted { call_scope::without_proxy(result) } else { result })
    }

    /// Fails if this sender may not make `call`. Replaces the folder in `call` by its path without symbolic links.
    pub(super) async fn admit(&self, call: &mut MethodCall) -> Result<(), RequestProblem> {
        let PageInterface { service, roots, .. } = self.page.as_ref();
        has_route(call).map_err(RequestProblem::of_call)?;
        let checked = call_check::check_sender(&self.conversation, service, roots, self.owner.scope, call).await;
        checked.map_err(|why| self.refusal(why))?;
        self.refuse_local_network(call).await
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
        if self.owner.scope.includes(needed) { Ok(()) } else { Err(RequestProblem::of_scope(self.owner.kind)) }
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

    /// Sets the owner and the source of a new download. Fails if `new` names another owner.
    pub(super) fn own(&self, new: &mut NewRegistration) -> Result<(), RequestProblem> {
        let owner = self.owner_name();
        if !new.owner.is_empty() && new.owner != owner {
            return Err(RequestProblem::invalid(format!("`owner` must be missing or `{owner}`")));
        }
        (new.owner, new.source) = (owner, self.owner.source());
        Ok(())
    }

    /// Returns the refusal of a call for the reason `why`.
    fn refusal(&self, why: UserMessage) -> RequestProblem {
        match (why.code.as_str(), why.variant.as_deref()) {
            ("remote-sign-in", Some("scope")) => RequestProblem::of_scope(self.owner.kind),
            _ => RequestProblem::of_call(why),
        }
    }

    /// Fails if `call` could give a program access to the local network, unless a person permits this in the settings.
    async fn refuse_local_network(&self, call: &MethodCall) -> Result<(), RequestProblem> {
        if self.owner.source().is_wide() {
            return Ok(());
        }
        let is_open = match call {
            MethodCall::Relink { unique_id, .. } => self.reaches_more(*unique_id).await?,
            call => call_scope::opens_network(call),
        };
        if is_open { Err(RequestProblem::of_call(message!("remote-sign-in.network"))) } else { Ok(()) }
    }

    /// Whether the download may reach addresses that the downloads of this sender may not.
    async fn reaches_more(&self, id: UniqueId) -> Result<bool, RequestProblem> {
        let download: Registration = self.carry_out(MethodCall::Show { unique_id: id }).await?;
        let engine = self.page.service.engine();
        Ok(engine.may_reach_local(download.source) && !engine.may_reach_local(self.owner.source()))
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

/// Returns the call `method` with the fields of `body`, and with the fields `own` that the route sets. [pure]
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
    fn body_of_call_has_exactly_the_fields_of_its_parameters() {
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
