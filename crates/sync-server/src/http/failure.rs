//! Converts failed requests to responses.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};

use super::reply;
use crate::{
    auth::Unauthorized,
    protocol::{ProtocolRefusal, Timestamp, headers::RequestPreconditions},
    store::StoreError,
};

/// Seconds until a client may retry while the database is unavailable.
const RETRY_AFTER: u64 = 5;

/// Reason why a request does not get a success response.
#[derive(Debug)]
pub(super) enum RequestFailure {
    Refused(ProtocolRefusal),
    /// 304, with the time of the unchanged resource.
    NotModified(Timestamp),
    /// 412, with the time of the newer resource.
    Modified(Timestamp),
    /// 429, with the seconds to wait.
    TooMany(u64),
    Unauthorized,
}

/// Fails with 304 or 412 if a read does not meet its preconditions.
pub(super) fn compare(conditions: RequestPreconditions, modified: Timestamp) -> Result<(), RequestFailure> {
    if conditions.if_modified_since.is_some_and(|seen| modified <= seen) {
        return Err(RequestFailure::NotModified(modified));
    }
    if conditions.if_unmodified_since.is_some_and(|seen| modified > seen) {
        return Err(RequestFailure::Modified(modified));
    }
    Ok(())
}

impl From<ProtocolRefusal> for RequestFailure {
    fn from(refusal: ProtocolRefusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Unauthorized> for RequestFailure {
    fn from(reason: Unauthorized) -> Self {
        tracing::info!(status = 401, %reason, "request not authenticated");
        Self::Unauthorized
    }
}

impl From<StoreError> for RequestFailure {
    fn from(error: StoreError) -> Self {
        match error {
            error if error.is_disk_full() => {
                tracing::error!(%error, "database disk is full; free up space there, clients will retry");
                Self::Refused(ProtocolRefusal::UNAVAILABLE)
            }
            StoreError::Refused(refusal) => Self::Refused(refusal),
            StoreError::Modified(time) => Self::Modified(time),
            StoreError::UnknownUser => Unauthorized::NoUser.into(),
            StoreError::Busy => {
                tracing::info!("too many requests of this kind are queued; refused");
                Self::Refused(ProtocolRefusal::UNAVAILABLE)
            }
            StoreError::Taken => {
                tracing::warn!("every random ID for a new user was taken; enrolment refused");
                Self::Refused(ProtocolRefusal::UNAVAILABLE)
            }
            StoreError::Unavailable(error) => {
                tracing::warn!(%error, "database is temporarily unavailable");
                Self::Refused(ProtocolRefusal::UNAVAILABLE)
            }
            StoreError::Database(error) => {
                tracing::error!(%error, "database returned an unexpected error");
                Self::Refused(ProtocolRefusal::DEFECT)
            }
        }
    }
}

impl IntoResponse for RequestFailure {
    fn into_response(self) -> Response {
        let refused = |refusal: ProtocolRefusal| reply::json(refusal.status, refusal.code.to_string());
        let wait = |mut response: Response, seconds: u64| {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
            response
        };
        match self {
            Self::Refused(refusal @ ProtocolRefusal::UNAVAILABLE) => wait(refused(refusal), RETRY_AFTER),
            Self::Refused(refusal) => refused(refusal),
            Self::TooMany(seconds) => wait(refused(ProtocolRefusal::TOO_MANY), seconds),
            Self::NotModified(time) => reply::empty(StatusCode::NOT_MODIFIED, time),
            Self::Modified(time) => reply::empty(StatusCode::PRECONDITION_FAILED, time),
            Self::Unauthorized => {
                let mut response = refused(ProtocolRefusal::UNAUTHORIZED);
                response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Hawk"));
                response
            }
        }
    }
}
