//! JSON answers to requests, and refusals as `application/problem+json` (RFC 9457).

use ashore_engine::UserMessage;
use ashore_messages::message;
use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;

use crate::{remote_sessions::SignInFailure, sessions::TokenKind};

/// JSON answer that no cache may keep.
pub(crate) struct JsonAnswer<T>(pub T);

/// Refusal of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequestProblem {
    pub status: StatusCode,
    pub why: Box<UserMessage>,
    /// Seconds that the client has to wait before its next attempt.
    pub retry_after: Option<u64>,
}

/// Content of the response. With the fields of the message, the page can show the reason in its own language.
#[derive(Serialize)]
struct ProblemDocument<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    status: u16,
    detail: &'a str,
    #[serde(flatten)]
    message: &'a UserMessage,
}

impl RequestProblem {
    /// Returns a refusal with this status and reason.
    pub(crate) fn new(status: StatusCode, why: UserMessage) -> Self {
        Self { status, why: why.into(), retry_after: None }
    }

    /// Returns the refusal of a sender that is not signed in.
    pub(crate) fn signed_out() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, message!("remote-sign-in.out"))
    }

    /// Returns the refusal of a program without a valid token.
    pub(crate) fn without_token() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, message!("remote-sign-in.token"))
    }

    /// Returns the refusal of a request that a sender of this kind may not make.
    pub(crate) fn of_scope(kind: TokenKind) -> Self {
        let why = match kind {
            TokenKind::Program => message!("remote-sign-in.token-scope"),
            TokenKind::Device | TokenKind::Browser => message!("remote-sign-in.scope"),
        };
        Self::new(StatusCode::FORBIDDEN, why)
    }

    /// Returns the refusal of a request that is not valid, for the reason `why`.
    pub(crate) fn invalid(why: impl ToString) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message!("remote-request.invalid", why = why.to_string()))
    }

    /// Returns the refusal of a call for the reason `why`. The code of `why` determines the HTTP status.
    pub(crate) fn of_call(why: UserMessage) -> Self {
        Self::new(status_of(&why.code), why)
    }

    /// Returns the refusal for a call that the engine refused, or a file that cannot be used.
    pub(crate) fn refused(why: UserMessage) -> Self {
        Self::new(StatusCode::CONFLICT, why)
    }
}

impl From<SignInFailure> for RequestProblem {
    fn from(failure: SignInFailure) -> Self {
        let (status, retry_after) = match failure {
            SignInFailure::Wait(seconds) => (StatusCode::TOO_MANY_REQUESTS, Some(seconds)),
            SignInFailure::Wrong => (StatusCode::UNAUTHORIZED, None),
            SignInFailure::Unreadable(_) => (StatusCode::INTERNAL_SERVER_ERROR, None),
        };
        Self { status, why: failure.message().into(), retry_after }
    }
}

impl IntoResponse for RequestProblem {
    fn into_response(self) -> Response {
        let RequestProblem { status, why, retry_after } = self;
        let document = ProblemDocument { kind: &why.code, status: status.as_u16(), detail: &why.text, message: &why };
        let mut response = json(status, "application/problem+json", &document);
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

impl<T: Serialize> IntoResponse for JsonAnswer<T> {
    fn into_response(self) -> Response {
        json(StatusCode::OK, "application/json", &self.0)
    }
}

/// Returns the HTTP status for an error code of `docs/socket.md`. [pure]
fn status_of(code: &str) -> StatusCode {
    match code {
        "empty" | "bad-url" | "bad-scheme" | "credentials" | "bad-port" | "invalid" | "target" | "upload-source"
        | "bad-quota" | "bad-speed" | "bad-host" | "icon" | "idempotency-key" | "stored-body" => StatusCode::UNPROCESSABLE_ENTITY,
        "remote-sign-in" | "remote-folder" | "not-yours" => StatusCode::FORBIDDEN,
        "unknown" | "unknown-owner" => StatusCode::NOT_FOUND,
        "ledger" | "ledger-damaged" | "disk" => StatusCode::INTERNAL_SERVER_ERROR,
        "closed" | "unreachable" => StatusCode::SERVICE_UNAVAILABLE,
        // All other codes mean that the current state of the list or of a file does not permit the call.
        _ => StatusCode::CONFLICT,
    }
}

fn json(status: StatusCode, media_type: &'static str, value: &impl Serialize) -> Response {
    let (status, bytes) = match serde_json::to_vec(value) {
        Ok(bytes) => (status, bytes),
        Err(error) => {
            tracing::error!(%error, "answer could not be serialised as JSON");
            (StatusCode::INTERNAL_SERVER_ERROR, Vec::new())
        }
    };
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
