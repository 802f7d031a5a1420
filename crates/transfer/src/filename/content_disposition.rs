//! Parses the file name in a `Content-Disposition`, even if the header is malformed. [pure]
//!
//! A valid header (RFC 6266, with RFC 8187 in `filename*`) is parsed by its grammar: `filename*` takes precedence, a
//! backslash in quotes escapes the next character, and the continuations of RFC 2231 have no meaning. From a malformed
//! header, the parser extracts the name that most people would see. Examples of such faults are a missing type, stray
//! semicolons, blanks or non-ASCII text outside of quotes, single quotes, an unclosed quote, and two headers that a
//! proxy joined.
//!
//! Three departures from the grammar are deliberate:
//!
//! - A quoted value that begins like a Windows path keeps its backslashes, so that its last component can be found.
//! - A plain value is decoded if all of it is percent-encoded or consists of encoded words of RFC 2047 (see
//!   `encoded_words`). The server must have meant the decoded text.
//! - A malformed `filename*` is still used if the header has no other name.
//!
//! `charset` decodes non-ASCII bytes. UTF-8 that was mistaken for Latin-1 and encoded again is decoded twice.

use encoding_rs::Encoding;

use crate::filename::{charset, encoded_words};

/// Returns the value of `filename*` if it can be parsed, else the value of `filename`.
///
/// The name is never empty, but not yet sanitised.
pub(super) fn filename(raw: &[u8]) -> Option<String> {
    let text = match std::str::from_utf8(raw) {
        Ok(text) => undo_mojibake(text),
        Err(_) => charset::decoded(raw).into_owned(),
    };
    let parameters = parameters(&text);
    let find = |wanted: &str| parameters.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
    let name = find("filename*").and_then(extended_value);
    let name = name.or_else(|| find("filename").filter(|value| !value.is_empty()).map(encoded_words::decoded));
    let name = name.or_else(|| find("filename*").map(broken_extended_value));
    name.filter(|name| !name.is_empty())
}

/// Returns all `name=value` pairs between semicolons.
///
/// Names are in lower case, and quotes are removed. Skips the disposition type, wherever it appears.
fn parameters(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|character: char| character == ';' || character.is_whitespace());
        if rest.is_empty() {
            return found;
        }
        if let Some(quoted) = rest.strip_prefix('"') {
            rest = after_semicolon(unquote(quoted).1);
            continue;
        }
        let end = rest.find([';', '=']).unwrap_or(rest.len());
        let Some(value) = rest[end..].strip_prefix('=') else {
            rest = &rest[end..];
            continue;
        };
        let name = parameter_name(&rest[..end]);
        let value = value.trim_start();
        let (value, left) = match value.strip_prefix('"') {
            Some(quoted) => {
                let (value, left) = unquote(quoted);
                (value, after_semicolon(left))
            }
            None => {
                let end = value.find(';').unwrap_or(value.len());
                (singly_unquoted(first_of_many(&value[..end]).trim()).to_owned(), &value[end..])
            }
        };
        found.push((name, value));
        rest = left;
    }
}

/// Returns the parameter name: the last word before the equals sign.
///
/// The disposition type may precede the name without a semicolon (`attachment, filename=`).
fn parameter_name(text: &str) -> String {
    let name = text.trim().to_ascii_lowercase();
    let (name, star) = match name.strip_suffix('*') {
        Some(name) => (name.trim_end(), "*"),
        None => (name.as_str(), ""),
    };
    let last = name.rsplit(|character: char| character == ',' || character.is_whitespace()).next().unwrap_or(name);
    format!("{last}{star}")
}

/// Removes single quotes around a value.
///
/// Single quotes are ordinary characters in the grammar, but some servers use them like double quotes.
fn singly_unquoted(value: &str) -> &str {
    value.strip_prefix('\'').and_then(|value| value.strip_suffix('\'')).filter(|value| !value.is_empty()).unwrap_or(value)
}

fn after_semicolon(text: &str) -> &str {
    text.split_once(';').map_or("", |(_, rest)| rest)
}

/// Returns an unquoted value up to the start of the next header.
///
/// Needed because some proxies join two headers with a comma.
fn first_of_many(value: &str) -> &str {
    let next = value.match_indices(',').find(|(at, _)| {
        let word = value[at + 1..].trim_start();
        let word = word.split(|character: char| character == '=' || character.is_whitespace()).next().unwrap_or(word);
        ["attachment", "inline", "filename", "filename*"].iter().any(|known| word.eq_ignore_ascii_case(known))
    });
    next.map_or(value, |(at, _)| &value[..at])
}

/// Returns the text up to the closing quote, and the rest after it.
fn unquote(quoted: &str) -> (String, &str) {
    let is_path = is_windows_path(quoted);
    let mut value = String::new();
    let mut characters = quoted.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (value, &quoted[at + 1..]),
            '\\' => match characters.next_if(|(_, next)| !is_path || matches!(next, '"' | '\\')) {
                Some((_, next)) => value.push(next),
                None => value.push('\\'),
            },
            other => value.push(other),
        }
    }
    (value, "")
}

/// Whether a quoted value begins like a Windows path, for example with `C:\`.
pub(super) fn is_windows_path(value: &str) -> bool {
    matches!(value.as_bytes(), [drive, b':', b'\\', ..] if drive.is_ascii_alphabetic())
}

/// Decodes `charset'language'percent-encoded` (RFC 8187, section 3.2).
///
/// Returns `None` if the charset is unknown, or if the bytes are not valid in the charset. A missing charset means
/// UTF-8.
fn extended_value(value: &str) -> Option<String> {
    let (charset, rest) = value.split_once('\'')?;
    let (_, encoded) = rest.split_once('\'')?;
    let bytes = encoded_words::percent_decoded(encoded)?;
    match charset.trim().to_ascii_lowercase().as_str() {
        "" | "utf-8" | "utf8" => String::from_utf8(bytes).ok(),
        "us-ascii" | "ascii" => String::from_utf8(bytes).ok().filter(|text| text.is_ascii()),
        // Decode strictly, because a name cannot contain the control characters of Latin-1.
        "iso-8859-1" | "latin1" => {
            let is_text = bytes.iter().all(|byte| !(0x80..0xa0).contains(byte));
            is_text.then(|| bytes.into_iter().map(char::from).collect())
        }
        other => {
            let encoding = Encoding::for_label(other.as_bytes())?;
            Some(encoding.decode_without_bom_handling_and_without_replacement(&bytes)?.into_owned())
        }
    }
}

/// Returns the name in a malformed `filename*`.
///
/// The charset is missing or does not match the bytes, or the value contains a stray percent sign.
fn broken_extended_value(value: &str) -> String {
    let is_charset = |text: &str| Encoding::for_label(text.trim().as_bytes()).is_some();
    let encoded = match value.split_once('\'') {
        Some((charset, rest)) if charset.is_empty() || is_charset(charset) || rest.contains('\'') => {
            rest.split_once('\'').map_or(rest, |(_, encoded)| encoded)
        }
        _ => value,
    };
    match encoded_words::percent_decoded(encoded) {
        Some(bytes) => charset::decoded(&bytes).into_owned(),
        None => encoded.to_owned(),
    }
}

/// Decodes UTF-8 that was mistaken for Latin-1 and then encoded again.
///
/// Latin-1 characters whose bytes are valid UTF-8 are almost certainly the result of this mistake.
pub(super) fn undo_mojibake(text: &str) -> String {
    let bytes: Option<Vec<u8>> = text.chars().map(|character| u8::try_from(character).ok()).collect();
    match bytes.map(String::from_utf8) {
        Some(Ok(undone)) => undone,
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(header: impl AsRef<[u8]>) -> Option<String> {
        filename(header.as_ref())
    }

    #[test]
    fn file_name_is_found_in_all_known_header_forms() {
        for (header, name) in [
            (r#"attachment; filename="a b.txt""#, "a b.txt"),
            ("attachment;filename=a.txt;size=3", "a.txt"),
            ("filename=a.txt", "a.txt"),
            ("inline; FileName = \"a.txt\"", "a.txt"),
            ("attachment; filename=my report (final).txt", "my report (final).txt"),
            ("attachment; filename=naïve.txt", "naïve.txt"),
            (r#"attachment; filename="a\"b.txt""#, "a\"b.txt"),
            (r#"attachment; filename="semi;colon.txt"; x=y"#, "semi;colon.txt"),
            (r#"attachment; filename="plain.txt"; filename*=UTF-8''%e2%82%ac.txt"#, "€.txt"),
            (r#"attachment; filename*=UTF-8''%e2%82%ac.txt; filename="plain.txt""#, "€.txt"),
            ("attachment; filename*=utf8''a b.txt", "a b.txt"),
            ("attachment; filename*=iso-8859-1'en'%A3.txt", "£.txt"),
            ("attachment; filename*=windows-1252''%80.txt", "€.txt"),
            ("attachment; filename*=Shift_JIS''%83e%83X%83g.txt", "テスト.txt"),
            (r#"attachment; filename*=klingon'x'a.txt; filename="plain.txt""#, "plain.txt"),
            ("attachment; filename*=klingon'x'a%20b.txt", "a b.txt"),
            ("attachment; filename*=%E2%82%AC.txt", "€.txt"),
            ("attachment; filename*=UTF-8''100% a.txt", "100% a.txt"),
            ("attachment; filename*=GBK''%c8%ed%bc%fe.txt", "软件.txt"),
            ("attachment; filename*=UTF-8''%c8%ed%bc%fe.txt", "软件.txt"),
            ("attachment; filename*=UTF-8''it's.txt", "it's.txt"),
            ("attachment; filename='a b.txt'", "a b.txt"),
            ("attachment; filename=it's.txt", "it's.txt"),
            (r#"attachment, filename="a.txt""#, "a.txt"),
            (r#"attachment filename="a.txt""#, "a.txt"),
            (r#"attachment; filename *="UTF-8''a%20b.txt""#, "a b.txt"),
            (r#"attachment; filename="%EC%9E%90%EB%A3%8C%20%EC%A7%91.txt""#, "자료 집.txt"),
            (r#"attachment; filename="my%20kit.txt""#, "my kit.txt"),
            (r#"attachment; filename="100% off.txt""#, "100% off.txt"),
            (r#"attachment; filename="=?UTF-8?B?R2Vyw6R0LnR4dA==?=""#, "Gerät.txt"),
            ("attachment; filename==?UTF-8?Q?Ger=C3=A4t_1.txt?=", "Gerät 1.txt"),
            (r#"attachment; filename*=UTF-8''%ff; filename="plain.txt""#, "plain.txt"),
            (r#"attachment; filename="100%.txt""#, "100%.txt"),
            (r#"attachment; filename="C:\new\table.txt""#, r"C:\new\table.txt"),
            (r#"attachment; filename="unclosed"#, "unclosed"),
            ("attachment; filename=a.txt, attachment; filename=b.txt", "a.txt"),
        ] {
            assert_eq!(named(header).as_deref(), Some(name), "{header}");
        }
        for nothing in ["attachment", r#"attachment; filename="""#, "attachment; filename=", "", ";", "=", "\"", "filename"] {
            assert_eq!(named(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn non_ascii_bytes_are_decoded_as_utf_8_or_legacy_encoding() {
        assert_eq!(named(b"attachment; filename=\"na\xefve.txt\"").as_deref(), Some("naïve.txt"));
        assert_eq!(named(b"attachment; filename=\"it\x92s 5\x80.txt\"").as_deref(), Some("it’s 5€.txt"));
        assert_eq!(named("attachment; filename=\"日本.txt\"").as_deref(), Some("日本.txt"));
        for (encoding, name) in
            [(encoding_rs::GBK, "软件包.txt"), (encoding_rs::SHIFT_JIS, "表示 資料.txt"), (encoding_rs::EUC_KR, "자료.txt")]
        {
            let header = format!("attachment; filename=\"{name}\"");
            assert_eq!(named(encoding.encode(&header).0).as_deref(), Some(name), "{}", encoding.name());
        }
    }

    #[test]
    fn double_utf_8_encoding_is_decoded_twice() {
        let twice = |text: &str| text.bytes().map(char::from).collect::<String>();
        for name in ["naïve.txt", "日本語.zip", "€.pdf", "plain.txt"] {
            assert_eq!(named(format!("attachment; filename=\"{}\"", twice(name))).as_deref(), Some(name));
        }
        // Latin-1 text that is not valid UTF-8 stays unchanged.
        assert_eq!(named("attachment; filename=\"Ã la carte ä.txt\"").as_deref(), Some("Ã la carte ä.txt"));
        // The stated charset is used, although another charset is plausible.
        let stated = format!("attachment; filename*=UTF-8''{}", crate::filename::name::tests::percent("Ã¤.txt"));
        assert_eq!(named(stated).as_deref(), Some("Ã¤.txt"));
    }
}
