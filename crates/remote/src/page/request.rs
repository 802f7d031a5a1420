//! Reads the body and the query of a request, and recognises its sender.

use std::error::Error as _;

use ashore_messages::message;
use axum::{
    body::{Body, Bytes, to_bytes},
    http::{HeaderMap, StatusCode},
};
use http_body_util::LengthLimitError;
use serde::de::DeserializeOwned;
use tokio::time::timeout;
use url::form_urlencoded;

use crate::{
    page::{PageInterface, cookies},
    problem::RequestProblem,
    remote_sessions::SentKey,
    server::RemotePeer,
    sessions::TokenOwner,
    token_scope::TokenScope,
};

/// Maximum length of a JSON body in bytes.
const LONGEST_JSON: usize = 2 * 1024 * 1024;

impl PageInterface {
    /// Returns the device or program that sent a request, if its scope includes `needed`.
    pub(super) async fn sender(
        &self,
        headers: &HeaderMap,
        peer: &RemotePeer,
        needed: TokenScope,
    ) -> Result<TokenOwner, RequestProblem> {
        let owner = self.any_sender(headers, peer).await?;
        if owner.scope.includes(needed) { Ok(owner) } else { Err(RequestProblem::of_scope(owner.kind)) }
    }

    /// Returns the device or program that sent a request. Accepts every scope.
    pub(crate) async fn any_sender(&self, headers: &HeaderMap, peer: &RemotePeer) -> Result<TokenOwner, RequestProblem> {
        let Some(key) = cookies::sent_key(headers) else { return Err(RequestProblem::signed_out()) };
        let refused = match &key {
            SentKey::Program(_) => RequestProblem::without_token(),
            SentKey::Device { .. } => RequestProblem::signed_out(),
        };
        let owner = self.sessions.owner(key, peer.address).await.map_err(RequestProblem::internal)?;
        owner.ok_or(refused)
    }

    /// Reads a JSON body.
    pub(crate) async fn json<T: DeserializeOwned>(&self, body: Body) -> Result<T, RequestProblem> {
        let bytes = self.whole(body).await?;
        serde_json::from_slice(&bytes).map_err(RequestProblem::invalid)
    }

    /// Reads a body that is as long as a JSON body may be.
    pub(crate) async fn whole(&self, body: Body) -> Result<Bytes, RequestProblem> {
        let read = timeout(self.limits.body, to_bytes(body, LONGEST_JSON)).await;
        read.map_err(|_| RequestProblem::slow())?.map_err(|error| match error.source() {
            Some(source) if source.is::<LengthLimitError>() => RequestProblem::too_large(LONGEST_JSON as u64),
            _ => RequestProblem::invalid(error),
        })
    }
}

impl RequestProblem {
    /// Returns the problem for a file of this program that cannot be read.
    pub(crate) fn internal(why: ashore_engine::UserMessage) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, why)
    }

    /// Returns the problem for a body that arrives too slowly.
    pub(super) fn slow() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, message!("remote-request.slow"))
    }

    /// Returns the problem for a body that is longer than `most` bytes.
    pub(super) fn too_large(most: u64) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, message!("too-long.message", most = most))
    }
}

/// Returns the value of a parameter in the query of an address. Returns `None` if the parameter is missing or occurs
/// repeatedly. [pure]
pub(super) fn parameter(query: Option<&str>, name: &str) -> Option<String> {
    let mut values = form_urlencoded::parse(query?.as_bytes()).filter(|(key, _)| key == name);
    let first = values.next()?.1.into_owned();
    values.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_parameter_is_decoded_and_must_occur_exactly_once() {
        let query = Some("path=%2Fsrv%2Fa%20b+c&x=1&x=2&empty=");
        assert_eq!(parameter(query, "path").as_deref(), Some("/srv/a b c"));
        assert_eq!(parameter(query, "empty").as_deref(), Some(""));
        assert_eq!((parameter(query, "x"), parameter(query, "y"), parameter(None, "x")), (None, None, None));
    }
}
