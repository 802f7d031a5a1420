//! Extracts facts from a response head: status, size, range, validators, encoding, name and retry delay.

use std::time::{Duration, SystemTime};

use http::header::{
    CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_RANGE, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, LAST_MODIFIED, RETRY_AFTER,
};
use url::Url;

use crate::{
    http::{content_range::RangeAnswer, html_detection::ResponseInfo},
    model::{event::ResponseSummary, spec::TransferSpec, validators::Validators},
};

/// Maximum retry delay. Prevents overflow in sums of times.
pub(crate) const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(366 * 24 * 3600);

/// Returns the range, validators and length in the head of `response`.
pub(crate) fn answer_of(response: &reqwest::Response) -> RangeAnswer {
    range_answer(response.status().as_u16(), response.headers(), response.content_length())
}

/// Returns the range and validators in a head.
///
/// `length` is the length of the encoded body.
pub(crate) fn range_answer(status: u16, headers: &HeaderMap, length: Option<u64>) -> RangeAnswer {
    let mut ranges = headers.get_all(CONTENT_RANGE).iter();
    let content_range = match (ranges.next(), ranges.next()) {
        (None, _) => None,
        (Some(only), None) => only.to_str().ok().map(str::to_owned),
        // Two fields contradict each other, so return an empty value, which never parses.
        (Some(_), Some(_)) => Some(String::new()),
    };
    RangeAnswer { status, content_range, is_encoded: is_encoded(headers), length, validators: validators(headers) }
}

/// Returns the validators in a head, unchanged.
pub(crate) fn validators(headers: &HeaderMap) -> Validators {
    Validators { etag: text(headers, &ETAG), last_modified: text(headers, &LAST_MODIFIED) }
}

/// Returns whether the body has any encoding except identity.
pub(crate) fn is_encoded(headers: &HeaderMap) -> bool {
    headers.get_all(CONTENT_ENCODING).iter().any(|value| {
        let codings = String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase();
        codings.split(',').any(|coding| !matches!(coding.trim(), "" | "identity"))
    })
}

/// Returns the input of `html_detection` for a response that would begin a file.
///
/// `spec` describes the file. `held` is the head of the response that began the partial file.
pub(crate) fn came<'a>(
    spec: &'a TransferSpec,
    held: Option<&'a ResponseSummary>,
    headers: &'a HeaderMap,
    chain: &'a [Url],
    length: Option<u64>,
) -> ResponseInfo<'a> {
    let began = held.map(|head| head.headers.iter().find(|(name, _)| name == CONTENT_TYPE.as_str()));
    ResponseInfo {
        wanted: spec.name.as_deref(),
        expected: spec.expected.size,
        began_as: began.map(|header| header.map_or("", |(_, value)| value.as_str())),
        chain,
        content_type: headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()),
        disposition: headers.get(CONTENT_DISPOSITION).map(http::HeaderValue::as_bytes),
        length,
    }
}

/// Returns the head in the form in which it is stored.
///
/// Omits cookies, which are credentials.
pub(crate) fn head(
    status: http::StatusCode,
    reason: &str,
    headers: &HeaderMap,
    chain: &[Url],
    size: Option<u64>,
    wanted: Option<&str>,
) -> ResponseSummary {
    let kept = headers.iter().filter(|(name, _)| !matches!(name.as_str(), "set-cookie" | "set-cookie2"));
    let kept = kept.map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()));
    let disposition = headers.get(CONTENT_DISPOSITION).map(http::HeaderValue::as_bytes);
    let content_type = text(headers, &CONTENT_TYPE);
    let name = match chain.last() {
        Some(url) => crate::filename::name::choose(wanted, disposition, url, content_type.as_deref()),
        None => "download".to_owned(),
    };
    ResponseSummary {
        status: status.as_u16(),
        status_text: reason.to_owned(),
        headers: kept.collect(),
        url_chain: chain.iter().map(Url::to_string).collect(),
        total_size: size,
        name,
    }
}

/// Returns the delay in `Retry-After`, which contains seconds or a date.
///
/// A date in the past gives a delay of zero. An unreadable value gives `None`.
pub(crate) fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = text(headers, &RETRY_AFTER)?;
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let seconds = text.parse().map_or(LONGEST_RETRY_AFTER, Duration::from_secs);
        return Some(seconds.min(LONGEST_RETRY_AFTER));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(now).unwrap_or_default().min(LONGEST_RETRY_AFTER))
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}

/// Returns the length of the body, as the head states it.
pub(crate) fn length(response: &reqwest::Response) -> Option<u64> {
    if has_no_body_by(response.status().as_u16()) { Some(0) } else { response.content_length() }
}

pub(crate) fn has_no_body_by(status: u16) -> bool {
    matches!(status, 204 | 205)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn headers(pairs: &[(HeaderName, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn retry_after_is_parsed_in_both_forms_and_bounded() {
        let now = httpdate::parse_http_date("Wed, 21 Oct 2015 07:28:00 GMT").unwrap();
        let wait = |text| retry_after(&headers(&[(RETRY_AFTER, text)]), now);
        assert_eq!(wait("120"), Some(Duration::from_secs(120)));
        assert_eq!(wait("Wed, 21 Oct 2015 07:30:00 GMT"), Some(Duration::from_secs(120)));
        assert_eq!(wait("Wed, 21 Oct 2015 07:00:00 GMT"), Some(Duration::ZERO));
        assert_eq!(wait("99999999999999999999999999"), Some(LONGEST_RETRY_AFTER));
        assert_eq!(wait("99999999"), Some(LONGEST_RETRY_AFTER));
        for unreadable in ["soon", "-5", "1.5", ""] {
            assert_eq!(wait(unreadable), None, "{unreadable}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), now), None);
    }

    #[test]
    fn encodings_other_than_identity_are_detected() {
        let encoded = |text| is_encoded(&headers(&[(CONTENT_ENCODING, text)]));
        assert!(encoded("gzip") && encoded("identity, br") && encoded("X-Unknown"));
        assert!(!encoded("identity") && !encoded("Identity") && !encoded("") && !is_encoded(&HeaderMap::new()));
    }

    #[test]
    fn duplicate_content_range_header_is_unreadable() {
        let mut twice = headers(&[(CONTENT_RANGE, "bytes 0-1/2")]);
        assert_eq!(range_answer(206, &twice, None).content_range.as_deref(), Some("bytes 0-1/2"));
        twice.append(CONTENT_RANGE, HeaderValue::from_static("bytes 0-1/2"));
        assert_eq!(range_answer(206, &twice, None).content_range.as_deref(), Some(""));
    }

    #[test]
    fn cookies_of_response_head_are_not_persisted() {
        let all = headers(&[(http::header::SET_COOKIE, "id=secret"), (ETAG, "\"a\"")]);
        let url = Url::parse("http://a.test/a").unwrap();
        let head = head(http::StatusCode::OK, "OK", &all, &[url], Some(3), None);
        assert_eq!(head.headers, [("etag".to_owned(), "\"a\"".to_owned())]);
        assert_eq!((head.name.as_str(), head.total_size), ("a", Some(3)));
    }
}
