//! Decodes percent signs and encoded words of RFC 2047 in names, although the grammar of these names does not allow
//! them. [pure]

use base64::{Engine as _, engine::general_purpose::STANDARD};
use encoding_rs::Encoding;

use crate::filename::charset;

/// Returns the decoded `name` if all of it is encoded, else the unchanged name.
pub(super) fn decoded(name: &str) -> String {
    words(name).or_else(|| percent(name)).unwrap_or_else(|| name.to_owned())
}

/// Decodes percent-encoded text.
///
/// Returns `None` for a percent sign without two hex digits.
pub(super) fn percent_decoded(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    let digit = |byte: Option<u8>| char::from(byte?).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    while let Some(byte) = rest.next() {
        bytes.push(if byte == b'%' { (digit(rest.next())? << 4) | digit(rest.next())? } else { byte });
    }
    Some(bytes)
}

/// Decodes `name` if it looks like the output of an encoder.
///
/// Returns `None` if a percent sign encodes a letter, a digit or a control character of ASCII (such as `%41` for the
/// letter A). Also returns `None` for a name with white space.
fn percent(name: &str) -> Option<String> {
    if !name.contains('%') || name.contains(char::is_whitespace) {
        return None;
    }
    let bytes = percent_decoded(name)?;
    let is_needless = |escape: &str| {
        let byte = escape.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        byte.is_none_or(|byte| byte.is_ascii_alphanumeric() || byte.is_ascii_control())
    };
    (!name.split('%').skip(1).any(is_needless)).then(|| charset::decoded(&bytes).into_owned())
}

/// Decodes a name that consists only of RFC 2047 encoded words.
///
/// An encoded word is `=?charset?B?Base64?=` or `=?charset?Q?quoted-printable?=`. Blanks separate words.
fn words(name: &str) -> Option<String> {
    if !name.trim_start().starts_with("=?") {
        return None;
    }
    // Two words of the same charset may contain the halves of a character, so decode them together.
    let (mut text, mut bytes, mut encoding) = (String::new(), Vec::new(), None);
    let mut rest = name.trim();
    while !rest.is_empty() {
        let (charset, after) = rest.strip_prefix("=?")?.split_once('?')?;
        let (kind, after) = after.split_once('?')?;
        let (word, after) = after.split_once("?=")?;
        // A language may follow the charset (RFC 2231, section 5).
        let charset = charset.split('*').next().unwrap_or(charset);
        let own = Encoding::for_label(charset.as_bytes())?;
        if let Some(before) = encoding.replace(own)
            && before != own
        {
            text.push_str(&before.decode_without_bom_handling(&std::mem::take(&mut bytes)).0);
        }
        bytes.extend(match kind {
            "B" | "b" => STANDARD.decode(word.trim()).ok()?,
            "Q" | "q" => quoted_printable(word)?,
            _ => return None,
        });
        rest = after.trim_start();
    }
    text.push_str(&encoding?.decode_without_bom_handling(&bytes).0);
    Some(text)
}

fn quoted_printable(word: &str) -> Option<Vec<u8>> {
    percent_decoded(&word.replace('%', "=25").replace('_', " ").replace('=', "%"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_words_are_decoded_in_their_charset() {
        for (name, expected) in [
            ("=?UTF-8?B?R2Vyw6R0LnppcA==?=", "Gerät.zip"),
            ("=?utf-8?q?Ger=C3=A4t_2.zip?=", "Gerät 2.zip"),
            ("=?ISO-8859-1?Q?Ger=E4t.zip?=", "Gerät.zip"),
            ("=?GBK?B?yO28/i56aXA=?=", "软件.zip"),
            ("=?UTF-8*en?Q?100%?=", "100%"),
            ("=?UTF-8?B?R2Vyw6Q=?= =?UTF-8?B?dC56aXA=?=", "Gerät.zip"),
            ("=?UTF-8?B?w?= =?UTF-8?B?pC56aXA=?=", "=?UTF-8?B?w?= =?UTF-8?B?pC56aXA=?="),
            ("=?UTF-8?Q?a=C3?= =?UTF-8?Q?=A4?=", "aä"),
            ("=?UTF-8?Q?a?= =?ISO-8859-1?Q?=E4?=", "aä"),
        ] {
            assert_eq!(decoded(name), expected, "{name}");
        }
    }

    #[test]
    fn partly_encoded_name_stays_unchanged() {
        for name in [
            "100% off.zip",
            "50%.zip",
            "foo-%41.html",
            "a%zz",
            "%",
            "a b%20c",
            "=?UTF-8?X?a?=",
            "=?klingon?Q?a?=",
            "=?UTF-8?Q?a",
            "=?",
            "=",
            "=?UTF-8?Q?a?= b",
            "plain",
            "",
            "a%00b",
            "%0d%0aSet-Cookie",
        ] {
            assert_eq!(decoded(name), name);
        }
        assert_eq!(decoded("a%20b%E4.zip"), "a bä.zip");
        assert_eq!(decoded("%c8%ed%bc%fe.zip"), "软件.zip");
    }
}
