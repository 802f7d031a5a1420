//! Validates the fields of received records: sanitises display texts, and refuses records with other faults. [pure]
//!
//! - A title is sanitised, because the user can still recognise the download by it.
//! - Texts that programs compare are never sanitised, because a sanitised text no longer equals the original. A record
//!   with a fault in such a text is refused.
//! - The result depends only on the record, so that all devices read the same values.

use serde_json::{Map, Value};
use url::Url;

/// Maximum length of a title in bytes.
pub const LONGEST_TITLE: usize = 4 << 10;
/// Maximum length of the requests in one record, in bytes of JSON.
pub const LONGEST_REQUESTS: usize = 180 << 10;
/// Maximum number of links of a synced download. A download with more links can be seen on other devices, but not
/// fetched there.
pub const MOST_LINKS: u64 = 10_000;

/// Maximum length in bytes of names, of codes, and of ids other than device ids.
const LONGEST_NAME: usize = 256;
/// Maximum length of an object id in the protocol.
const LONGEST_ID: usize = 64;
/// Maximum size of a file, in bytes. JSON represents it exactly.
const MOST: u64 = 1 << 53;
/// Accepted times, from the year 0 to the year 9999, in milliseconds of Unix time.
const TIMES: std::ops::RangeInclusive<i64> = -62_167_219_200_000..=253_402_300_799_999;

/// Reason why a record is quarantined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordFault {
    /// The text is not JSON, or lacks fields of this collection.
    #[error("The record does not have the fields of its collection.")]
    Shape,
    /// The field `v` is missing or is not a version.
    #[error("The record has no version.")]
    Version,
    /// The value of the named field is outside its range.
    #[error("The field `{0}` of the record is not valid.")]
    Field(&'static str),
    /// The named field is longer than its limit.
    #[error("The field `{0}` of the record is too long.")]
    TooLong(&'static str),
    /// The named field contains a control character, or a character that changes the text direction.
    #[error("The field `{0}` of the record contains control characters.")]
    ControlCharacter(&'static str),
    /// A link is not an `http` or `https` link.
    #[error("The record contains a link that is not a web link.")]
    NotWebLink,
    /// A request has a body. Uploads are not synced.
    #[error("The record contains an upload.")]
    Upload,
}

/// Whether `letter` can mislead a device that shows a text, or a reader of the text.
fn is_misleading(letter: char) -> bool {
    let is_turning = matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || is_turning
}

/// Returns `text` without control characters and direction characters, shortened to at most `most` bytes.
///
/// The cut is between two characters.
pub(crate) fn clean_text(text: &str, most: usize) -> String {
    // An unterminated direction character would also reorder the text around the title.
    let clean: String = text.chars().filter(|letter| !is_misleading(*letter)).collect();
    let clean = clean.trim();
    clean[..clean.floor_char_boundary(most)].trim_end().to_owned()
}

/// Returns a title without misleading characters, at most [`LONGEST_TITLE`] long.
pub(crate) fn clean_title(title: &str) -> String {
    clean_text(title, LONGEST_TITLE)
}

/// Fails if `text` is too long or contains misleading characters. Accepts an empty text.
pub(crate) fn check_name(field: &'static str, text: &str) -> Result<(), RecordFault> {
    if text.len() > LONGEST_NAME {
        return Err(RecordFault::TooLong(field));
    }
    if text.chars().any(is_misleading) { Err(RecordFault::ControlCharacter(field)) } else { Ok(()) }
}

/// Fails if `id` is not a valid object id: 1 to 64 characters from space to tilde.
pub(crate) fn check_id(field: &'static str, id: &str) -> Result<(), RecordFault> {
    let is_id = (1..=LONGEST_ID).contains(&id.len()) && id.bytes().all(|letter| (b' '..=b'~').contains(&letter));
    if is_id { Ok(()) } else { Err(RecordFault::Field(field)) }
}

/// Fails if `ms` is outside the years 0 to 9999.
pub(crate) fn check_time(field: &'static str, ms: i64) -> Result<(), RecordFault> {
    if TIMES.contains(&ms) { Ok(()) } else { Err(RecordFault::Field(field)) }
}

/// Fails if JSON cannot represent `number` exactly.
pub(crate) fn check_number(field: &'static str, number: u64) -> Result<(), RecordFault> {
    if number <= MOST { Ok(()) } else { Err(RecordFault::Field(field)) }
}

/// Returns the address without user name, password, query and fragment, which may contain secrets.
pub fn plain_address(text: &str) -> Result<String, RecordFault> {
    let mut url = web_link(text)?;
    url.set_query(None);
    url.set_fragment(None);
    // This call never fails, because every http address has a host.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    Ok(url.into())
}

/// Returns the arguments of a message with sanitised texts.
///
/// Fails if all arguments together, as JSON, are longer than [`LONGEST_TITLE`], or if the name of an argument is not
/// valid.
pub(crate) fn clean_arguments(field: &'static str, args: Map<String, Value>) -> Result<Map<String, Value>, RecordFault> {
    if serde_json::to_string(&args).map_err(|_| RecordFault::Shape)?.len() > LONGEST_TITLE {
        return Err(RecordFault::TooLong(field));
    }
    for name in args.keys() {
        check_name(field, name)?;
    }
    Ok(args.into_iter().map(|(name, value)| (name, clean_value(value))).collect())
}

fn clean_value(value: Value) -> Value {
    match value {
        Value::String(text) => clean_text(&text, LONGEST_TITLE).into(),
        Value::Array(values) => values.into_iter().map(clean_value).collect(),
        Value::Object(fields) => Value::Object(fields.into_iter().map(|(name, value)| (name, clean_value(value))).collect()),
        other => other,
    }
}

/// Validates exported requests: their number, their length, and every link.
///
/// The recipient's engine validates the rest when it accepts the requests.
///
/// Fails with `TooLong`, `Shape`, `ControlCharacter`, `Upload`, `NotWebLink`.
pub fn judge_requests(requests: &[Value]) -> Result<(), RecordFault> {
    judge_requests_up_to(requests, LONGEST_REQUESTS)
}

/// Validates exported requests as [`judge_requests`] does, with the maximum length `longest` in bytes of JSON.
pub fn judge_requests_up_to(requests: &[Value], longest: usize) -> Result<(), RecordFault> {
    let is_long = serde_json::to_string(requests).map_err(|_| RecordFault::Shape)?.len() > longest;
    if is_long || count_links(requests) > MOST_LINKS {
        return Err(RecordFault::TooLong("requests"));
    }
    requests.iter().try_for_each(judge_request)
}

/// Validates one exported request, except for its length.
///
/// Fails with `Shape`, `ControlCharacter`, `Upload`, `Field`, `NotWebLink`.
pub(crate) fn judge_request(request: &Value) -> Result<(), RecordFault> {
    let fields = request.as_object().ok_or(RecordFault::Shape)?;
    if has_nul(request) {
        return Err(RecordFault::ControlCharacter("requests"));
    }
    if fields.get("body_size").is_some_and(|size| !size.is_null()) {
        return Err(RecordFault::Upload);
    }
    // Only GET is accepted. Any other method could change data on a server, with a sign-in that only this machine has.
    let is_get = |method: &Value| method.as_str().is_some_and(|method| method.eq_ignore_ascii_case("GET"));
    if !fields.get("method").is_none_or(|method| method.is_null() || is_get(method)) {
        return Err(RecordFault::Field("method"));
    }
    judge_link(fields.get("url"))?;
    for mirror in list(fields.get("mirrors"))? {
        judge_link(Some(mirror))?;
    }
    let Some(next) = fields.get("next").filter(|next| !next.is_null()) else { return Ok(()) };
    let next = next.as_object().ok_or(RecordFault::Shape)?;
    if let Some(series) = next.get("series") {
        judge_link(series.get("url"))?;
    }
    list(next.get("list"))?.iter().try_for_each(judge_request)
}

fn judge_link(link: Option<&Value>) -> Result<(), RecordFault> {
    web_link(link.and_then(Value::as_str).ok_or(RecordFault::Shape)?).map(drop)
}

fn web_link(text: &str) -> Result<Url, RecordFault> {
    let url = Url::parse(text).map_err(|_| RecordFault::NotWebLink)?;
    if matches!(url.scheme(), "http" | "https") { Ok(url) } else { Err(RecordFault::NotWebLink) }
}

fn list(value: Option<&Value>) -> Result<&[Value], RecordFault> {
    match value {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(values)) => Ok(values),
        Some(_) => Err(RecordFault::Shape),
    }
}

fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(values) => values.iter().any(has_nul),
        Value::Object(fields) => fields.iter().any(|(name, value)| name.contains('\0') || has_nul(value)),
        _ => false,
    }
}

/// Returns the number of links in exported requests, including all pages of every series.
pub fn count_links(requests: &[Value]) -> u64 {
    let of_request = |request: &Value| {
        let Some(next) = request.get("next") else { return 1 };
        let number = |name: &str| next.get("series")?.get(name)?.as_u64();
        let pages = match (number("number"), number("until")) {
            (Some(first), Some(last)) => last.saturating_sub(first).saturating_add(1),
            _ => 0,
        };
        let listed = next.get("list").and_then(Value::as_array).map_or(0, |list| count_links(list));
        1_u64.saturating_add(pages).saturating_add(listed)
    };
    requests.iter().map(of_request).fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn title_loses_direction_and_control_characters() {
        assert_eq!(clean_title("  a\0b\u{202e}gpj.exe\r\n\u{2066}"), "abgpj.exe");
        assert_eq!(clean_title("größe 漢字 (1).pdf"), "größe 漢字 (1).pdf");
    }

    #[test]
    fn title_over_limit_is_cut_between_characters() {
        let cut = clean_title(&"漢".repeat(2000));
        assert_eq!((cut.len(), cut.chars().count()), (4095, 1365));
        assert_eq!(clean_title(&"a".repeat(1 << 20)).len(), LONGEST_TITLE);
    }

    #[test]
    fn address_loses_query_and_fragment_and_credentials() {
        assert_eq!(plain_address("https://me:pw@a.test/x?token=1#y").as_deref(), Ok("https://a.test/x"));
        for bad in ["file:///etc/passwd", "ftp://a.test/", "a.test", "javascript:alert(1)"] {
            assert_eq!(plain_address(bad), Err(RecordFault::NotWebLink), "{bad}");
        }
    }

    #[test]
    fn requests_with_non_web_links_or_other_faults_are_refused() {
        let good =
            json!({ "url": "https://a.test/", "mirrors": ["http://b.test/"], "next": { "list": [{ "url": "http://c.test" }] } });
        assert_eq!(judge_requests(&[good]), Ok(()));
        for (bad, fault) in [
            (json!({ "url": "file:///etc/passwd" }), RecordFault::NotWebLink),
            (json!({ "url": "https://a.test/", "mirrors": ["file:///a"] }), RecordFault::NotWebLink),
            (json!({ "url": "https://a.test/", "next": { "series": { "url": "ftp://a.test/1" } } }), RecordFault::NotWebLink),
            (json!({ "url": "https://a.test/", "next": { "list": [{ "url": "file:///a" }] } }), RecordFault::NotWebLink),
            (json!({ "url": "https://a.test/", "name": "a\0b" }), RecordFault::ControlCharacter("requests")),
            (json!({ "url": "https://a.test/", "body_size": 5 }), RecordFault::Upload),
            (json!({ "url": "https://a.test/", "mirrors": "http://b.test/" }), RecordFault::Shape),
            (json!({ "name": "a" }), RecordFault::Shape),
            (json!("https://a.test/"), RecordFault::Shape),
            (json!({ "url": "https://a.test/", "name": "a".repeat(LONGEST_REQUESTS) }), RecordFault::TooLong("requests")),
        ] {
            assert_eq!(judge_requests(std::slice::from_ref(&bad)), Err(fault), "{bad}");
        }
    }

    #[test]
    fn link_count_includes_links_of_series_and_lists() {
        let series =
            json!({ "url": "https://a.test/1", "next": { "series": { "url": "https://a.test/1", "number": 2, "until": 10 } } });
        let listed =
            json!({ "url": "https://a.test/", "next": { "list": [{ "url": "https://b.test/" }, { "url": "https://c.test/" }] } });
        assert_eq!(count_links(&[series, listed, json!({ "url": "https://d.test/" })]), 10 + 3 + 1);
        let endless = json!({ "next": { "series": { "number": 0, "until": u64::MAX } } });
        assert_eq!(count_links(&[endless.clone(), endless]), u64::MAX);
    }
}
