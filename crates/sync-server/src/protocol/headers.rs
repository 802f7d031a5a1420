//! Reads the headers of a request: preconditions, formats, announced counts. [pure]

use http::{HeaderMap, header};

use super::{ProtocolLimits, ProtocolRefusal, Timestamp};

/// Format of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListFormat {
    /// `application/json`
    Json,
    /// `application/newlines`: one JSON value per line.
    Newlines,
}

impl ListFormat {
    /// Returns the value of `Content-Type`.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Newlines => "application/newlines",
        }
    }
}

/// Preconditions of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestPreconditions {
    /// The response is 304 if the resource was not modified after this time.
    pub if_modified_since: Option<Timestamp>,
    /// The response is 412 if the resource was modified after this time.
    ///
    /// The time 0 allows a write only if the resource does not exist.
    pub if_unmodified_since: Option<Timestamp>,
}

impl RequestPreconditions {
    /// Reads both preconditions.
    ///
    /// Fails with status 400 and code 0 if a value is negative or not a number, or if both preconditions are present.
    pub fn read(headers: &HeaderMap) -> Result<Self, ProtocolRefusal> {
        let time = |name: &str| match headers.get(name) {
            None => Ok(None),
            Some(_) if headers.get_all(name).iter().count() > 1 => Err(ProtocolRefusal::BAD_REQUEST),
            Some(value) => {
                let text = value.to_str().ok().map(str::trim).and_then(Timestamp::parse);
                text.map(|(time, _)| Some(time)).ok_or(ProtocolRefusal::BAD_REQUEST)
            }
        };
        let read = Self { if_modified_since: time("x-if-modified-since")?, if_unmodified_since: time("x-if-unmodified-since")? };
        match read {
            Self { if_modified_since: Some(_), if_unmodified_since: Some(_) } => Err(ProtocolRefusal::BAD_REQUEST),
            read => Ok(read),
        }
    }
}

/// Chooses the format of a response according to `Accept`. Fails with 406 if the client accepts no supported format.
pub fn accepted(headers: &HeaderMap) -> Result<ListFormat, ProtocolRefusal> {
    let mut best: Option<(u32, ListFormat)> = None;
    let mut is_sent = false;
    for value in headers.get_all(header::ACCEPT) {
        is_sent = true;
        for range in value.to_str().unwrap_or_default().split(',') {
            let mut parts = range.split(';').map(str::trim);
            let format = match parts.next().unwrap_or_default().to_ascii_lowercase().as_str() {
                "" | "*/*" | "application/*" | "application/json" => ListFormat::Json,
                "application/newlines" => ListFormat::Newlines,
                _ => continue,
            };
            let weight = parts.find_map(|part| part.strip_prefix("q=")).map_or(1000, weight);
            // If two formats have the same weight, use the format that is listed first.
            if weight > 0 && best.is_none_or(|(heaviest, _)| weight > heaviest) {
                best = Some((weight, format));
            }
        }
    }
    match best {
        Some((_, format)) => Ok(format),
        None if is_sent => Err(ProtocolRefusal::NOT_ACCEPTABLE),
        None => Ok(ListFormat::Json),
    }
}

/// Parses a weight in thousandths; an invalid weight counts as the full weight.
fn weight(text: &str) -> u32 {
    text.parse::<f32>().ok().filter(|weight| (0.0..=1.0).contains(weight)).map_or(1000, |weight| (weight * 1000.0) as u32)
}

/// Returns the format of a body according to `Content-Type`. Fails with 415 if the format is not supported.
///
/// `text/plain` and a missing type count as JSON.
pub fn sent(headers: &HeaderMap) -> Result<ListFormat, ProtocolRefusal> {
    let Some(value) = headers.get(header::CONTENT_TYPE) else { return Ok(ListFormat::Json) };
    let text = value.to_str().unwrap_or("?").split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match text.as_str() {
        "application/json" | "text/plain" | "" => Ok(ListFormat::Json),
        "application/newlines" => Ok(ListFormat::Newlines),
        _ => Err(ProtocolRefusal::UNSUPPORTED),
    }
}

/// Compares announced counts with the limits.
///
/// Fails with status 400. The code is 17 if a count exceeds its limit. The code is 1 if a count is not a number, or if
/// a request without a batch announces batch totals.
pub fn check_counts(headers: &HeaderMap, is_batch: bool, limits: &ProtocolLimits) -> Result<(), ProtocolRefusal> {
    let posts = [("x-weave-records", limits.max_post_records as u64), ("x-weave-bytes", limits.max_post_bytes as u64)];
    let totals = [
        ("x-weave-total-records", limits.max_total_records.unsigned_abs()),
        ("x-weave-total-bytes", limits.max_total_bytes.unsigned_abs()),
    ];
    let is_sent = |(name, _): &(&str, u64)| headers.contains_key(*name);
    if !is_batch && totals.iter().any(is_sent) {
        return Err(ProtocolRefusal::BAD_COUNT);
    }
    for (name, most) in posts.into_iter().chain(totals) {
        let Some(value) = headers.get(name) else { continue };
        let number: u64 = value.to_str().ok().and_then(|text| text.trim().parse().ok()).ok_or(ProtocolRefusal::BAD_COUNT)?;
        if number > most {
            return Err(ProtocolRefusal::OVER_LIMIT);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};

    use super::*;

    fn map(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn preconditions_are_numbers_and_mutually_exclusive() {
        let read = |pairs: &[(&'static str, &'static str)]| RequestPreconditions::read(&map(pairs));
        assert_eq!(read(&[("x-if-unmodified-since", "0")]).unwrap().if_unmodified_since, Some(Timestamp(0)));
        for wrong in ["-1", "x", "1e3", ""] {
            assert_eq!(read(&[("x-if-modified-since", wrong)]), Err(ProtocolRefusal::BAD_REQUEST), "{wrong}");
        }
        assert_eq!(read(&[("x-if-modified-since", "1"), ("x-if-unmodified-since", "1")]), Err(ProtocolRefusal::BAD_REQUEST));
        let mut twice = map(&[("x-if-unmodified-since", "5")]);
        twice.append("x-if-unmodified-since", HeaderValue::from_static("9"));
        assert_eq!(RequestPreconditions::read(&twice), Err(ProtocolRefusal::BAD_REQUEST), "the later one would allow more");
    }

    #[test]
    fn response_format_is_chosen_by_weights_in_accept_header() {
        let accept = |text: &'static str| accepted(&map(&[("accept", text)]));
        assert_eq!(accepted(&HeaderMap::new()), Ok(ListFormat::Json));
        assert_eq!(accept("application/newlines"), Ok(ListFormat::Newlines));
        assert_eq!(accept("text/html, */*;q=0.1"), Ok(ListFormat::Json));
        assert_eq!(accept("application/json;q=0.2, application/newlines;q=0.9"), Ok(ListFormat::Newlines));
        assert_eq!(accept("application/newlines, application/json"), Ok(ListFormat::Newlines));
        assert_eq!(accept("x/yy"), Err(ProtocolRefusal::NOT_ACCEPTABLE));
        assert_eq!(accept("application/json;q=0"), Err(ProtocolRefusal::NOT_ACCEPTABLE));
        let content = |text: &'static str| sent(&map(&[("content-type", text)]));
        assert_eq!(content("text/plain; charset=utf-8"), Ok(ListFormat::Json));
        assert_eq!(content("application/octet-stream"), Err(ProtocolRefusal::UNSUPPORTED));
    }

    #[test]
    fn announced_numbers_of_records_and_bytes_must_respect_limits() {
        let check = |name, value, is_batch| check_counts(&map(&[(name, value)]), is_batch, &ProtocolLimits::default());
        assert_eq!(check("x-weave-records", "100", false), Ok(()));
        assert_eq!(check("x-weave-records", "101", false), Err(ProtocolRefusal::OVER_LIMIT));
        assert_eq!(check("x-weave-bytes", "-1", false), Err(ProtocolRefusal::BAD_COUNT));
        assert_eq!(check("x-weave-total-records", "1", false), Err(ProtocolRefusal::BAD_COUNT));
        assert_eq!(check("x-weave-total-records", "10000", true), Ok(()));
        assert_eq!(check("x-weave-total-bytes", "262144001", true), Err(ProtocolRefusal::OVER_LIMIT));
    }
}
