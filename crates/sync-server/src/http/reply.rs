//! Builds responses and their headers.

use axum::{
    body::Body,
    response::{IntoResponse as _, Response},
};
use http::{HeaderName, HeaderValue, StatusCode, header};

use crate::protocol::Timestamp;

pub(super) const LAST_MODIFIED: HeaderName = HeaderName::from_static("x-last-modified");
pub(super) const TIMESTAMP: HeaderName = HeaderName::from_static("x-weave-timestamp");
pub(super) const RECORDS: HeaderName = HeaderName::from_static("x-weave-records");
pub(super) const NEXT_OFFSET: HeaderName = HeaderName::from_static("x-weave-next-offset");
pub(super) const BACKOFF: HeaderName = HeaderName::from_static("x-weave-backoff");
pub(super) const QUOTA_REMAINING: HeaderName = HeaderName::from_static("x-weave-quota-remaining");

/// Builds a response with a JSON body, without a modification time.
pub(super) fn json(status: u16, body: String) -> Response {
    with_type(StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), "application/json", body)
}

/// Builds a response with a JSON body and the modification time of the described resource.
pub(super) fn dated(status: StatusCode, body: String, modified: Timestamp) -> Response {
    let mut response = with_type(status, "application/json", body);
    response.headers_mut().insert(LAST_MODIFIED, text(&modified.to_string()));
    response
}

/// Builds a response without a body.
pub(super) fn empty(status: StatusCode, modified: Timestamp) -> Response {
    let mut response = (status, Body::empty()).into_response();
    response.headers_mut().insert(LAST_MODIFIED, text(&modified.to_string()));
    response
}

pub(super) fn with_type(status: StatusCode, content_type: &'static str, body: impl Into<Body>) -> Response {
    let mut response = (status, body.into()).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

/// Converts a text of the server to a header value. Such a text is always valid as a header value.
pub(super) fn text(value: &str) -> HeaderValue {
    HeaderValue::from_str(value).unwrap_or(HeaderValue::from_static(""))
}
