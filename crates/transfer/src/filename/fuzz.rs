//! Property tests with arbitrary headers and names.
//!
//! No input causes a panic or an unsafe name. If a strict parser accepts a header, this crate finds the same name.

use parse_net::Filename;
use proptest::prelude::*;
use url::Url;

use crate::filename::{
    content_disposition,
    name::{choose, tests::percent},
    safety_check::assert_is_safe,
    sanitize::safe,
};

/// Whether `parse-net` accepts the header and parses the same name.
///
/// Fails if `parse-net` parses a different name. Does not compare non-ASCII bytes, because `parse-net` leaves them to
/// its caller. Does not compare Windows paths, because this crate has its own rule for them.
pub(super) fn agrees(header: &[u8]) -> Result<bool, String> {
    let Ok(parsed) = parse_net::parse_content_disposition(header) else { return Ok(false) };
    let mut room = vec![0; 4 * header.len() + 8];
    let theirs = match parsed.filename() {
        None => None,
        Some(Filename::Ext(value)) => match value.decode_into(&mut room) {
            Ok(name) => Some(name.to_owned()),
            Err(_) => return Ok(false),
        },
        Some(Filename::Plain(word)) => match word.unescape_into(&mut room).map(<[u8]>::to_vec).map(String::from_utf8) {
            // Skip names that are encoded or quoted in violation of the grammar, because only this crate decodes them.
            Ok(Ok(name)) if name.contains('%') || name.starts_with("=?") || name.starts_with('\'') => return Ok(false),
            Ok(Ok(name)) if content_disposition::undo_mojibake(&name) == name => Some(name),
            _ => return Ok(false),
        },
    };
    let is_windows_path = String::from_utf8_lossy(header).split('"').any(content_disposition::is_windows_path);
    if is_windows_path {
        return Ok(false);
    }
    let theirs = theirs.filter(|name| !name.is_empty());
    let ours = content_disposition::filename(header);
    if ours == theirs { Ok(true) } else { Err(format!("we read {ours:?}, it reads {theirs:?}")) }
}

/// Generates names from typical fragments of attacks.
fn evil() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("..".to_owned()),
        Just("/".to_owned()),
        Just("\\".to_owned()),
        Just("C:\\".to_owned()),
        Just("-".to_owned()),
        Just(" ".to_owned()),
        Just(".".to_owned()),
        Just("CON".to_owned()),
        Just("com1".to_owned()),
        Just("\u{202e}".to_owned()),
        Just("\u{200d}".to_owned()),
        Just("\u{a0}".to_owned()),
        Just("%2e%2e%2f".to_owned()),
        Just(".0123abcd.part".to_owned()),
        Just(".ashore".to_owned()),
        Just(".old".to_owned()),
        Just(".tar.gz".to_owned()),
        Just("\0".to_owned()),
        Just("\r\n".to_owned()),
        Just("e\u{301}".to_owned()),
        Just("한".repeat(60)),
        any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// Generates headers that are usually valid.
fn header() -> impl Strategy<Value = Vec<u8>> {
    let value = prop_oneof![
        "[a-zA-Z0-9!#$&+.^_`|~-]{1,12}",
        "\"([ -!#-\\[\\]-~]|\\\\[ -~]){0,12}\"",
        "\"[à-ÿ日本€ a-z.]{0,8}\"",
        "(UTF-8|utf-8|ISO-8859-1|iso-8859-1|us-ascii|gbk|)'[a-z]{0,2}'([a-z.]|%[0-9a-fA-F]{2}|%C3%A4|%){0,8}",
        "[ -~]{0,8}",
    ];
    let name = prop_oneof![
        4 => Just("filename".to_owned()),
        4 => Just("filename*".to_owned()),
        1 => Just("FileName".to_owned()),
        1 => "[a-z]{1,5}[*]?[01]?",
    ];
    let parameter = ("[ \t]{0,2};[ \t]{0,2}", name, "( ?= ?|=)", value)
        .prop_map(|(delimiter, name, equals, value)| format!("{delimiter}{name}{equals}{value}"));
    let kind = prop_oneof![6 => Just("attachment".to_owned()), 1 => Just("inline".to_owned()), 1 => "[a-z\"=;]{0,4}"];
    (kind, proptest::collection::vec(parameter, 0..4)).prop_map(|(kind, parameters)| (kind + &parameters.concat()).into_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn chosen_name_is_safe_for_any_input(
        raw in any::<Vec<u8>>(),
        text in any::<String>(),
        evil in evil(),
        header in header(),
        wanted in proptest::option::of(evil()),
    ) {
        let url = Url::parse("http://a.test/").unwrap();
        let quoted = format!("attachment; filename=\"{evil}\"");
        let extended = format!("attachment; filename*=UTF-8''{}", percent(&evil));
        for disposition in [&raw, text.as_bytes(), quoted.as_bytes(), extended.as_bytes(), &header] {
            assert_is_safe(&choose(wanted.as_deref(), Some(disposition), &url, None));
            assert_is_safe(&choose(None, Some(disposition), &url, Some("text/html")));
        }
        if let Ok(url) = Url::parse(&format!("http://a.test/{evil}")) {
            assert_is_safe(&choose(None, None, &url, None));
        }
    }

    #[test]
    fn extension_survives_any_stem_length(stem in "[a-zäß日 ]{1,300}", extension in "(\\.tar)?\\.[a-z0-9]{1,8}") {
        let name = safe(&format!("a{stem}{extension}")).unwrap();
        assert_is_safe(&name);
        prop_assert!(name.ends_with(&extension), "{name:?}");
    }

    #[test]
    fn parsed_filename_matches_strict_parser_on_accepted_headers(header in header(), raw in any::<Vec<u8>>()) {
        agrees(&header).map_err(TestCaseError::fail)?;
        agrees(&raw).map_err(TestCaseError::fail)?;
    }
}
