//! Decides whether the browser and Ashore receive the same file from the server. [pure]
//!
//! Called by `hand_off` with the download of the browser and the probe of the engine. In doubt, the files count as
//! different. The download then stays with the browser, so no data is lost.

use ashore_engine::ProbeReport;

use crate::protocol::BrowserDownload;

/// First reason why the two responses may carry different files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileDifference {
    /// The status of the engine's response is neither 200 nor 206.
    Status,
    /// The engine's response is a web page, but the browser's response is not.
    Page,
    /// One of the bodies is encoded, so its size is not the size of the file.
    Encoded,
    /// The sizes differ, or only one of them is known.
    Size,
    /// The validators contradict each other.
    Validator,
    /// Neither sizes nor validators are known.
    Unstated,
}

/// Compares the response to the browser with the response to the engine.
pub(crate) fn compare(seen: &BrowserDownload, probed: &ProbeReport) -> Result<(), FileDifference> {
    if !matches!(probed.status, Some(200 | 206)) {
        return Err(FileDifference::Status);
    }
    // Reject a response that the engine reports as faulty, even if the browser also received a web page.
    let is_trouble = probed.trouble.is_some();
    if is_trouble || is_page(&probed.content_type) && !is_page(&seen.content_type) {
        return Err(FileDifference::Page);
    }
    if [&seen.content_encoding, &probed.content_encoding].into_iter().flatten().any(|codings| is_coded(codings)) {
        return Err(FileDifference::Encoded);
    }
    let is_same_version = agree(seen, probed);
    match (seen.size, probed.size, is_same_version) {
        (Some(one), Some(other), _) if one != other => Err(FileDifference::Size),
        (Some(_), None, _) | (None, Some(_), _) => Err(FileDifference::Size),
        (.., Some(false)) => Err(FileDifference::Validator),
        (None, None, None) => Err(FileDifference::Unstated),
        (Some(_), Some(_), None | Some(true)) | (None, None, Some(true)) => Ok(()),
    }
}

/// Whether the validators agree; `None` if the responses have no validator in common.
///
/// An entity tag takes precedence over a time (RFC 9110, section 13.2.2). The comparison of tags is weak, because the
/// bytes of only one response are used.
fn agree(seen: &BrowserDownload, probed: &ProbeReport) -> Option<bool> {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let known = |text: &Option<String>| text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(ToOwned::to_owned);
    if let (Some(one), Some(other)) = (known(&seen.etag), known(&probed.etag)) {
        return Some(opaque(&one) == opaque(&other));
    }
    let (one, other) = (known(&seen.last_modified)?, known(&probed.last_modified)?);
    Some(one == other)
}

fn is_page(content_type: &Option<String>) -> bool {
    let essence = content_type.as_deref().unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    matches!(essence.as_str(), "text/html" | "application/xhtml+xml")
}

fn is_coded(codings: &str) -> bool {
    codings.split(',').map(str::trim).any(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case("identity"))
}

#[cfg(test)]
mod tests {
    use ashore_messages::message;
    use proptest::{option, prelude::*, sample::select};

    use super::*;

    const DATE: &str = "Wed, 21 Oct 2015 07:28:00 GMT";
    const PAGE: &str = "text/html";
    const LATER: &str = "Thu, 22 Oct 2015 07:28:00 GMT";

    fn probe() -> ProbeReport {
        ProbeReport {
            probe: None,
            waits_seconds: 120,
            status: Some(200),
            name: Some("a.iso".to_owned()),
            size: Some(10),
            content_type: Some("application/octet-stream".to_owned()),
            content_encoding: None,
            etag: Some("\"1\"".to_owned()),
            last_modified: Some(DATE.to_owned()),
            may_resume: Some(true),
            trouble: None,
        }
    }

    /// Returns a browser download whose response has the same values as `probed`.
    fn seen(probed: &ProbeReport) -> BrowserDownload {
        BrowserDownload {
            url: "https://a.example/a.iso".to_owned(),
            size: probed.size,
            content_type: probed.content_type.clone(),
            content_encoding: probed.content_encoding.clone(),
            etag: probed.etag.clone(),
            last_modified: probed.last_modified.clone(),
            ..BrowserDownload::default()
        }
    }

    type Change = fn(&mut BrowserDownload, &mut ProbeReport);

    #[test]
    fn each_difference_between_responses_is_found() {
        let cases: &[(&str, Change, Result<(), FileDifference>)] = &[
            ("equal", |_, _| {}, Ok(())),
            ("another name", |seen, _| seen.name = Some("b.iso".to_owned()), Ok(())),
            ("partial content", |_, probed| probed.status = Some(206), Ok(())),
            ("403", |_, probed| probed.status = Some(403), Err(FileDifference::Status)),
            ("no response", |_, probed| probed.status = None, Err(FileDifference::Status)),
            ("203", |_, probed| probed.status = Some(203), Err(FileDifference::Status)),
            ("page", |_, probed| probed.content_type = Some("Text/HTML; charset=utf-8".to_owned()), Err(FileDifference::Page)),
            ("XHTML", |_, probed| probed.content_type = Some("application/xhtml+xml".to_owned()), Err(FileDifference::Page)),
            ("content of a page", |_, probed| probed.trouble = Some(message!("web-page")), Err(FileDifference::Page)),
            (
                "page in both",
                |seen, probed| (seen.content_type, probed.content_type) = (Some(PAGE.to_owned()), Some(PAGE.to_owned())),
                Ok(()),
            ),
            (
                "page in both instead of a file",
                |seen, probed| (seen.content_type, probed.trouble) = (Some(PAGE.to_owned()), Some(message!("web-page"))),
                Err(FileDifference::Page),
            ),
            ("gzip here", |_, probed| probed.content_encoding = Some("gzip".to_owned()), Err(FileDifference::Encoded)),
            ("gzip there", |seen, _| seen.content_encoding = Some("identity, br".to_owned()), Err(FileDifference::Encoded)),
            ("identity", |seen, _| seen.content_encoding = Some(" Identity ".to_owned()), Ok(())),
            ("size", |_, probed| probed.size = Some(11), Err(FileDifference::Size)),
            ("size only here", |seen, _| seen.size = None, Err(FileDifference::Size)),
            ("size only there", |_, probed| probed.size = None, Err(FileDifference::Size)),
            ("tag", |_, probed| probed.etag = Some("\"2\"".to_owned()), Err(FileDifference::Validator)),
            ("weak tag", |_, probed| probed.etag = Some("W/\"1\"".to_owned()), Ok(())),
            ("same tag, other time", |_, probed| probed.last_modified = Some(LATER.to_owned()), Ok(())),
            (
                "no tag, other time",
                |seen, probed| (seen.etag, probed.last_modified) = (None, Some(LATER.to_owned())),
                Err(FileDifference::Validator),
            ),
            ("no validators", |seen, _| (seen.etag, seen.last_modified) = (None, None), Ok(())),
            ("no sizes", |seen, probed| (seen.size, probed.size) = (None, None), Ok(())),
            (
                "no sizes, only times",
                |seen, probed| (seen.size, probed.size, seen.etag) = (None, None, Some(String::new())),
                Ok(()),
            ),
            (
                "no sizes, other tag",
                |seen, probed| (seen.size, probed.size, seen.etag) = (None, None, Some("\"2\"".to_owned())),
                Err(FileDifference::Validator),
            ),
            (
                "no sizes, no common validator",
                |seen, probed| (seen.size, probed.size, seen.etag, probed.last_modified) = (None, None, None, None),
                Err(FileDifference::Unstated),
            ),
            ("no length is not 0", |seen, probed| (seen.size, probed.size) = (Some(0), None), Err(FileDifference::Size)),
        ];
        for (name, change, expected) in cases {
            let mut probed = probe();
            let mut seen = seen(&probed);
            change(&mut seen, &mut probed);
            assert_eq!(compare(&seen, &probed), *expected, "{name}");
        }
    }

    fn texts(values: &'static [&'static str]) -> impl Strategy<Value = Option<String>> {
        option::of(select(values).prop_map(str::to_owned))
    }

    prop_compose! {
        fn responses()(
            status in option::of(select(&[200_u16, 203, 206, 302, 403, 404, 503][..])),
            size in option::of(0_u64..4),
            content_type in texts(&["text/html", "text/plain", "application/zip"]),
            content_encoding in texts(&["gzip", "identity", ""]),
            etag in texts(&["\"1\"", "W/\"1\"", "\"2\"", ""]),
            last_modified in texts(&[DATE, LATER]),
        ) -> ProbeReport {
            ProbeReport { status, size, content_type, content_encoding, etag, last_modified, ..probe() }
        }
    }

    proptest! {
        #[test]
        fn responses_count_as_same_file_only_with_equal_size_or_validator(one in responses(), other in responses()) {
            let seen = seen(&one);
            if compare(&seen, &other).is_ok() {
                prop_assert!(matches!(other.status, Some(200 | 206)));
                prop_assert_eq!(seen.size, other.size);
                let is_same_tag = seen.etag.is_some() && other.etag.is_some();
                let is_same_time = seen.last_modified.is_some() && seen.last_modified == other.last_modified;
                prop_assert!(seen.size.is_some() || is_same_tag || is_same_time);
            }
        }

        #[test]
        fn plain_file_in_response_matches_itself_if_its_size_or_a_validator_is_known(one in responses()) {
            let is_file = matches!(one.status, Some(200 | 206)) && one.content_encoding.as_deref() != Some("gzip");
            let is_known = one.size.is_some() || one.last_modified.is_some() || one.etag.as_deref().is_some_and(|tag| !tag.is_empty());
            prop_assert_eq!(compare(&seen(&one), &one).is_ok(), is_file && is_known);
        }
    }
}
