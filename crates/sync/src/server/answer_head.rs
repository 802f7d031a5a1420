//! Reads status and headers of an answer. [pure]
//!
//! Called by the HTTP client for each answer.
//!
//! - Every answer of a sync server has X-Weave-Timestamp. An error without this header comes from a proxy or a login
//!   page, and must not count as an answer of the server. For example, a 401 from a proxy does not mean that this
//!   device was removed.

use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, RETRY_AFTER};

use super::{
    server_fault::{ServerFault, ServerHints, UnexpectedAnswer, UnreachableCause},
    server_time::parse_seconds,
};

/// Maximum wait that a header can request, in seconds. A wrong header must not stop the sync for years.
const LONGEST_WAIT_S: u64 = 24 * 60 * 60;

/// Error code for a write that exceeds the quota.
const OVER_QUOTA: u32 = 14;

/// Reads the hints of an answer. Ignores hints that are not valid.
pub(super) fn read_hints(headers: &HeaderMap) -> ServerHints {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    // Some servers write whole numbers with decimals.
    let whole = |name: &str| text(name)?.split('.').next()?.parse::<i64>().ok();
    let wait = |name: &str| Some(u64::try_from(whole(name)?).ok()?.min(LONGEST_WAIT_S));
    ServerHints {
        retry_after_s: wait(RETRY_AFTER.as_str()),
        backoff_s: wait("x-weave-backoff"),
        quota_remaining_kb: whole("x-weave-quota-remaining"),
        server_time_ms: text("x-weave-timestamp").and_then(parse_seconds),
    }
}

/// Returns X-Last-Modified in milliseconds. Fails with `MissingTime`.
pub(super) fn last_modified(headers: &HeaderMap) -> Result<i64, UnexpectedAnswer> {
    let value = headers.get("x-last-modified").and_then(|value| value.to_str().ok());
    value.and_then(parse_seconds).ok_or(UnexpectedAnswer::MissingTime)
}

/// Returns the fault for an HTTP status, or `None` for 2xx and 304.
///
/// `body` is the beginning of the answer's body.
pub(super) fn fault_of_status(status: u16, hints: &ServerHints, body: &[u8]) -> Option<ServerFault> {
    let code = std::str::from_utf8(body).ok().and_then(|text| text.trim().parse::<u32>().ok());
    let unexpected = |why| Some(ServerFault::NotSyncServer(why));
    let is_protocol = hints.server_time_ms.is_some();
    match status {
        200..=299 | 304 if is_protocol => None,
        200..=299 | 304 => unexpected(UnexpectedAnswer::MissingTime),
        300..=399 => unexpected(UnexpectedAnswer::Redirect),
        // Answers of proxies with 413, 429, 502, 503 and 504 have the same meaning as those of the server.
        413 => Some(ServerFault::TooLarge),
        429 | 503 => Some(ServerFault::Busy { retry_after_s: hints.retry_after_s }),
        502 | 504 => Some(ServerFault::Unreachable(UnreachableCause::Gateway)),
        // Plain HTTP from another machine is refused before the server adds its headers, so this answer has no
        // X-Weave-Timestamp.
        403 if code.is_some_and(|code| code != OVER_QUOTA) => Some(ServerFault::Refused { status, code }),
        _ if !is_protocol => unexpected(UnexpectedAnswer::MissingTime),
        401 => Some(ServerFault::Unauthorized),
        403 if code == Some(OVER_QUOTA) => Some(ServerFault::Full),
        408 => Some(ServerFault::TimedOut),
        412 => Some(ServerFault::Conflict),
        400..=599 => Some(ServerFault::Refused { status, code }),
        _ => unexpected(UnexpectedAnswer::Status),
    }
}

/// Checks that the body has the media type `expected` and is not encoded. Fails with `ContentType`.
pub(super) fn check_type(headers: &HeaderMap, expected: &str) -> Result<(), UnexpectedAnswer> {
    let text = |name| headers.get(name).map(|value: &reqwest::header::HeaderValue| value.to_str().unwrap_or("?"));
    let encoding = text(CONTENT_ENCODING).unwrap_or("identity").trim();
    let kind = text(CONTENT_TYPE).and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
    match kind.eq_ignore_ascii_case(expected) && encoding.eq_ignore_ascii_case("identity") {
        true => Ok(()),
        false => Err(UnexpectedAnswer::ContentType),
    }
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    const FROM_SERVER: ServerHints =
        ServerHints { retry_after_s: Some(5), backoff_s: None, quota_remaining_kb: None, server_time_ms: Some(1) };

    fn map(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn server_hints_are_read_from_response_headers() {
        let hints = read_hints(&map(&[
            ("retry-after", "5"),
            ("x-weave-backoff", "30.0"),
            ("x-weave-quota-remaining", "-7"),
            ("x-weave-timestamp", "1700000000.05"),
        ]));
        let expected = ServerHints {
            retry_after_s: Some(5),
            backoff_s: Some(30),
            quota_remaining_kb: Some(-7),
            server_time_ms: Some(1_700_000_000_050),
        };
        assert_eq!(hints, expected);
    }

    #[test]
    fn invalid_server_hint_is_ignored_and_long_wait_is_limited() {
        let hints = read_hints(&map(&[("retry-after", "999999999"), ("x-weave-backoff", "-1"), ("x-weave-timestamp", "1e9")]));
        assert_eq!(hints, ServerHints { retry_after_s: Some(LONGEST_WAIT_S), ..ServerHints::default() });
    }

    #[test]
    fn http_status_of_sync_server_is_mapped_to_fault() {
        let refused = |status, code| Some(ServerFault::Refused { status, code });
        for (status, body, fault) in [
            (200, "", None),
            (304, "", None),
            (302, "", Some(ServerFault::NotSyncServer(UnexpectedAnswer::Redirect))),
            (400, "8", refused(400, Some(8))),
            (401, "0", Some(ServerFault::Unauthorized)),
            (403, "14", Some(ServerFault::Full)),
            (403, "0", refused(403, Some(0))),
            (404, "0", refused(404, Some(0))),
            (408, "0", Some(ServerFault::TimedOut)),
            (412, "", Some(ServerFault::Conflict)),
            (413, "17", Some(ServerFault::TooLarge)),
            (429, "0", Some(ServerFault::Busy { retry_after_s: Some(5) })),
            (500, "oops", refused(500, None)),
            (502, "<html>", Some(ServerFault::Unreachable(UnreachableCause::Gateway))),
            (503, "0", Some(ServerFault::Busy { retry_after_s: Some(5) })),
        ] {
            assert_eq!(fault_of_status(status, &FROM_SERVER, body.as_bytes()), fault, "{status} {body}");
        }
    }

    #[test]
    fn status_from_another_program_means_missing_sync_server() {
        let none = ServerHints::default();
        for (status, body) in
            [(200, "{}"), (304, ""), (401, "0"), (403, "14"), (403, "<html>"), (404, "0"), (412, ""), (500, "0")]
        {
            let fault = fault_of_status(status, &none, body.as_bytes());
            assert_eq!(fault, Some(ServerFault::NotSyncServer(UnexpectedAnswer::MissingTime)), "{status} {body}");
        }
        assert_eq!(fault_of_status(503, &none, b"<html>"), Some(ServerFault::Busy { retry_after_s: None }));
        assert_eq!(fault_of_status(403, &none, b"0"), Some(ServerFault::Refused { status: 403, code: Some(0) }));
    }

    #[test]
    fn response_body_must_have_expected_type_and_no_encoding() {
        let check = |pairs: &[(&'static str, &'static str)]| check_type(&map(pairs), "application/json");
        assert_eq!(check(&[("content-type", "Application/JSON; charset=utf-8")]), Ok(()));
        for wrong in
            [&[("content-type", "text/html")][..], &[], &[("content-type", "application/json"), ("content-encoding", "gzip")]]
        {
            assert_eq!(check(wrong), Err(UnexpectedAnswer::ContentType), "{wrong:?}");
        }
    }

    #[test]
    fn missing_last_modified_header_is_reported() {
        assert_eq!(last_modified(&map(&[("x-last-modified", "1.50")])), Ok(1500));
        assert_eq!(last_modified(&map(&[])), Err(UnexpectedAnswer::MissingTime));
    }
}
