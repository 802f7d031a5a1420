//! `/api/session`: signs a device in with the token or the code of a link, and signs it out.

use std::sync::Arc;

use axum::{
    Extension, Router,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
    routing::post,
};
use serde::{Deserialize, Serialize};

use crate::{
    page::{PageInterface, cookies},
    problem::{JsonAnswer, RequestProblem},
    remote_sessions::SignInSecret,
    server::RemotePeer,
    token_scope::TokenScope,
};

/// Content of a sign-in: either a token or a code.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignInRequest {
    token: Option<String>,
    pairing: Option<String>,
    /// Name of the device, as shown to people.
    #[serde(default)]
    name: String,
}

/// Content of the answer.
#[derive(Serialize)]
struct SignedInAnswer {
    /// Second half of the key. The first half is in a cookie.
    key: String,
    name: String,
    scope: TokenScope,
}

pub(super) fn routes() -> Router<Arc<PageInterface>> {
    Router::new().route("/api/session", post(sign_in).delete(sign_out))
}

async fn sign_in(
    State(page): State<Arc<PageInterface>>,
    Extension(peer): Extension<RemotePeer>,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, RequestProblem> {
    let SignInRequest { token, pairing, name } = page.json(request.into_body()).await?;
    let secret = match (token, pairing) {
        (Some(token), None) => SignInSecret::Token(token),
        (None, Some(code)) => SignInSecret::Pairing(code),
        _ => return Err(RequestProblem::invalid("one of `token` and `pairing` is required")),
    };
    let (key, owner) = page.sessions.sign_in(secret, name, peer.address).await?;
    let cookie = cookies::stored(&headers, &page.base_path, &key);
    let answer = SignedInAnswer { key: key.second, name: owner.name, scope: owner.scope };
    Ok(with_cookie(JsonAnswer(answer).into_response(), cookie))
}

async fn sign_out(
    State(page): State<Arc<PageInterface>>,
    Extension(peer): Extension<RemotePeer>,
    headers: HeaderMap,
) -> Result<Response, RequestProblem> {
    // Require only the scope `Read`, because every device may sign itself out. A token for metrics has no session.
    let owner = page.sender(&headers, &peer, TokenScope::Read).await?;
    page.sessions.sign_out(owner.id).await.map_err(RequestProblem::internal)?;
    Ok(with_cookie(StatusCode::NO_CONTENT.into_response(), cookies::removed(&headers, &page.base_path)))
}

fn with_cookie(mut response: Response, cookie: Option<HeaderValue>) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(cookie) = cookie {
        headers.insert(header::SET_COOKIE, cookie);
    }
    response
}
