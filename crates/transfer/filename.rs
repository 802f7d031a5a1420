//! A name that is safe on every system, from what a server or a person says. Servers choose file names: whatever they
//! choose, the name stays in its folder, shows what it is, and is never taken for an option, a device or a partial of
//! ours. [pure]

use percent_encoding::percent_decode_str;
use unicode_normalization::UnicodeNormalization;
use url::Url;

/// The longest name, in bytes of UTF-8; file systems take 255, and a number may have to be added.
const LONGEST: usize = 240;
/// An extension longer than this is part of the name.
const LONGEST_EXTENSION: usize = 32;

/// The safe name for an answer: what the caller `wanted`, else what `disposition` (the raw header) says, else the last
/// segment of the `url` that answered, else `download` with an extension for `content_type`.
pub(crate) fn choose(
    wanted: Option<&str>,
    disposition: Option<&[u8]>,
    url: &Url,
    content_type: Option<&str>,
) -> String {
    let stated = || disposition.and_then(from_disposition);
    let in_url = || {
        let segment = url.path_segments()?.next_back()?;
        Some(percent_decode_str(segment).decode_utf8_lossy().into_owned())
    };
    wanted
        .and_then(safe)
        .or_else(|| stated().and_then(|name| safe(last_component(&name))))
        .or_else(|| in_url().and_then(|name| safe(last_component(&name))))
        .unwrap_or_else(|| match content_type.and_then(extension_of) {
            Some(extension) => format!("download.{extension}"),
            None => "download".to_owned(),
        })
}

/// The name with a number before its extension, for when the name is taken: `name (1).ext`.
pub(crate) fn numbered(name: &str, number: u32) -> String {
    let (stem, extension) = split(name);
    let number = format!(" ({number})");
    let stem = cut(stem, 255 - number.len() - extension.len());
    format!("{stem}{number}{extension}")
}

/// The name of a partial that is to become `name`: with `tag`, so that the disk alone says whose it is, and short
/// enough for its journal's name.
pub(crate) fn partial(name: &str, tag: &str) -> String {
    let ending = format!(".{tag}.part");
    let stem = cut(name, 255 - ending.len() - JOURNAL_ENDING.len());
    format!("{stem}{ending}")
}

/// What a journal's name has after its partial's.
pub(crate) const JOURNAL_ENDING: &str = ".ashore";
/// What the name of a partial that was set aside has after the partial's.
pub(crate) const ASIDE_ENDING: &str = ".old";

/// The tag in the name of a partial; none when it is no partial of ours.
pub(crate) fn tag_of_partial(name: &str) -> Option<&str> {
    let stem = name.strip_suffix(".part")?;
    let (_, tag) = stem.rsplit_once('.')?;
    let is_tag = tag.len() == 8 && tag.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_tag.then_some(tag)
}

/// A `Content-Disposition` in whatever shape it comes (RFC 6266, RFC 8187, raw UTF-8 or Latin-1): the value of
/// `filename*`, else of `filename`.
fn from_disposition(raw: &[u8]) -> Option<String> {
    let text = match std::str::from_utf8(raw) {
        Ok(text) => text.to_owned(),
        Err(_) => raw.iter().map(|byte| char::from(*byte)).collect(),
    };
    let parameters = parameters(&text);
    let find = |wanted: &str| parameters.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
    let name = find("filename*").and_then(extended_value).or_else(|| find("filename").map(plain_value));
    name.filter(|name| !name.is_empty())
}

/// The parameters after the disposition's type, names in lower case, quotes undone.
fn parameters(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = match text.split_once(';') {
        Some((_, rest)) => rest,
        // Some servers leave the type out.
        None if text.to_ascii_lowercase().trim_start().starts_with("filename") => text,
        None => return found,
    };
    while let Some((name, after)) = rest.split_once('=') {
        let name = name.rsplit(';').next().unwrap_or(name).trim().to_ascii_lowercase();
        let after = after.trim_start();
        let (value, left) = match after.strip_prefix('"') {
            Some(quoted) => unquote(quoted),
            None => match after.split_once(';') {
                Some((value, left)) => (value.trim().to_owned(), left),
                None => (after.trim().to_owned(), ""),
            },
        };
        found.push((name, value));
        rest = left;
    }
    found
}

/// The text up to the closing quote, and what follows. A backslash escapes a quote or a backslash and else stays: some
/// servers send whole Windows paths.
fn unquote(quoted: &str) -> (String, &str) {
    let mut value = String::new();
    let mut characters = quoted.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (value, &quoted[at + 1..]),
            '\\' => match characters.peek() {
                Some((_, next @ ('"' | '\\'))) => {
                    value.push(*next);
                    characters.next();
                }
                _ => value.push('\\'),
            },
            other => value.push(other),
        }
    }
    (value, "")
}

/// `charset'language'percent-encoded`, in UTF-8 or Latin-1.
fn extended_value(value: &str) -> Option<String> {
    let (charset, rest) = value.split_once('\'')?;
    let (_, encoded) = rest.split_once('\'')?;
    let bytes: Vec<u8> = percent_decode_str(encoded).collect();
    match charset.to_ascii_lowercase().as_str() {
        "utf-8" | "utf8" | "us-ascii" | "" => String::from_utf8(bytes).ok(),
        "iso-8859-1" | "latin1" => Some(bytes.into_iter().map(char::from).collect()),
        _ => None,
    }
}

/// Browsers decode percent signs in plain values too, and so servers send them.
fn plain_value(value: &str) -> String {
    match percent_decode_str(value).decode_utf8() {
        Ok(decoded) => decoded.into_owned(),
        Err(_) => value.to_owned(),
    }
}

fn last_component(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// `name` with everything taken out that could surprise a system or a person; none when nothing is left.
fn safe(name: &str) -> Option<String> {
    let visible = name.chars().filter(|character| !is_invisible(*character)).map(|character| match character {
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
        space if space.is_whitespace() => ' ',
        other => other,
    });
    let name: String = visible.nfc().collect();
    let name = name.trim_start_matches(['.', ' ', '-', '~']).trim_end_matches(['.', ' ']);
    let mut name = shorten(name);
    if is_device(&name) {
        name.insert(0, '_');
    }
    let is_ours = [JOURNAL_ENDING, ASIDE_ENDING, ""]
        .into_iter()
        .any(|ending| name.strip_suffix(ending).is_some_and(|stem| tag_of_partial(stem).is_some()));
    if is_ours {
        name.push('_');
    }
    (!name.is_empty()).then_some(name)
}

/// Control characters, and those that change how the ones around them are shown.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// Names that Windows takes for devices, whatever their extension.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_uppercase();
    if matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" | "CLOCK$") {
        return true;
    }
    let digit = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    digit.is_some_and(|digit| {
        let mut characters = digit.chars();
        matches!((characters.next(), characters.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
    })
}

/// At most [`LONGEST`] bytes, with the extension kept.
fn shorten(name: &str) -> String {
    if name.len() <= LONGEST {
        return name.to_owned();
    }
    let (stem, extension) = split(name);
    let stem = cut(stem, LONGEST - extension.len()).trim_end_matches(['.', ' ']);
    format!("{stem}{extension}").trim_end_matches(['.', ' ']).to_owned()
}

/// Stem and extension with its dot; `.tar.gz` and its like count as one.
fn split(name: &str) -> (&str, &str) {
    let Some(dot) = name.rfind('.').filter(|dot| *dot > 0 && name.len() - dot <= LONGEST_EXTENSION) else {
        return (name, "");
    };
    let dot = match name[..dot].rfind('.') {
        Some(inner) if inner > 0 && name[inner..dot].eq_ignore_ascii_case(".tar") => inner,
        _ => dot,
    };
    name.split_at(dot)
}

/// At most `bytes` bytes, at a character's boundary.
fn cut(text: &str, bytes: usize) -> &str {
    let mut end = text.len().min(bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn extension_of(content_type: &str) -> Option<&'static str> {
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    Some(match essence.as_str() {
        "text/html" | "application/xhtml+xml" => "html",
        "text/plain" => "txt",
        "text/css" => "css",
        "text/csv" => "csv",
        "text/xml" | "application/xml" => "xml",
        "application/json" => "json",
        "application/pdf" => "pdf",
        "application/zip" => "zip",
        "application/gzip" | "application/x-gzip" => "gz",
        "application/x-tar" => "tar",
        "application/x-7z-compressed" => "7z",
        "application/epub+zip" => "epub",
        "application/x-bittorrent" => "torrent",
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/gif" => "gif",
        "image/webp" => "webp",
        "image/svg+xml" => "svg",
        "audio/mpeg" => "mp3",
        "audio/ogg" => "ogg",
        "audio/flac" => "flac",
        "video/mp4" => "mp4",
        "video/webm" => "webm",
        "video/x-matroska" => "mkv",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn named(disposition: &str) -> String {
        let url = Url::parse("http://a.test/from-url.bin").unwrap();
        choose(None, Some(disposition.as_bytes()), &url, None)
    }

    fn of_url(url: &str) -> String {
        choose(None, None, &Url::parse(url).unwrap(), Some("text/html; charset=utf-8"))
    }

    #[test]
    fn the_disposition_names_the_file_in_every_shape_seen_in_the_wild() {
        for (header, name) in [
            (r#"attachment; filename="a b.txt""#, "a b.txt"),
            ("attachment; filename=a.txt", "a.txt"),
            ("attachment;filename=a.txt;size=3", "a.txt"),
            ("filename=a.txt", "a.txt"),
            ("inline; FileName = \"a.txt\"", "a.txt"),
            (r#"attachment; filename="a\"b.txt""#, "a_b.txt"),
            (r#"attachment; filename="semi;colon.txt"; x=y"#, "semi;colon.txt"),
            (r#"attachment; filename="plain.txt"; filename*=UTF-8''%e2%82%ac.txt"#, "€.txt"),
            (r#"attachment; filename*=UTF-8''%e2%82%ac.txt; filename="plain.txt""#, "€.txt"),
            ("attachment; filename*=iso-8859-1'en'%A3.txt", "£.txt"),
            (r#"attachment; filename*=klingon'x'a.txt; filename="plain.txt""#, "plain.txt"),
            (r#"attachment; filename="na%C3%AFve.txt""#, "naïve.txt"),
            (r#"attachment; filename="100%.txt""#, "100%.txt"),
            ("attachment; filename=\"naïve.txt\"", "naïve.txt"),
            (r#"attachment; filename="C:\dir\a.txt""#, "a.txt"),
            ("attachment", "from-url.bin"),
            (r#"attachment; filename="""#, "from-url.bin"),
            (r#"attachment; filename="unclosed"#, "unclosed"),
        ] {
            assert_eq!(named(header), name, "{header}");
        }
        let url = Url::parse("http://a.test/").unwrap();
        assert_eq!(choose(None, Some(b"attachment; filename=\"na\xefve.txt\""), &url, None), "naïve.txt");
    }

    #[test]
    fn without_one_the_url_names_the_file() {
        assert_eq!(of_url("http://a.test/d/a%20b.iso?x=/y.z#w"), "a b.iso");
        assert_eq!(of_url("http://a.test/d/"), "download.html");
        assert_eq!(of_url("http://a.test/%2e%2e%2fevil"), "evil");
        assert_eq!(of_url("http://a.test/%00"), "download.html");
        let url = Url::parse("http://a.test/").unwrap();
        assert_eq!(choose(Some("mine.bin"), Some(b"attachment; filename=x"), &url, None), "mine.bin");
    }

    #[test]
    fn evil_names_are_made_harmless() {
        for (evil, harmless) in [
            ("../../evil", "evil"),
            ("..\\..\\evil", "evil"),
            (".bashrc", "bashrc"),
            ("-rf", "rf"),
            ("a\u{202e}gpj.exe", "agpj.exe"),
            ("CON", "_CON"),
            ("nul.txt", "_nul.txt"),
            ("com1.tar.gz", "_com1.tar.gz"),
            ("lpt³", "_lpt³"),
            ("trailing. . ", "trailing"),
            ("a\tb\nc", "abc"),
            ("a<b>:c|d?*e", "a_b__c_d__e"),
            ("cafe\u{301}", "café"),
            ("x.0123abcd.part", "x.0123abcd.part_"),
            ("x.0123abcd.part.ashore", "x.0123abcd.part.ashore_"),
        ] {
            assert_eq!(named(&format!("attachment; filename*=UTF-8''{}", percent(evil))), harmless, "{evil:?}");
        }
    }

    fn percent(text: &str) -> String {
        text.bytes().map(|byte| format!("%{byte:02x}")).collect()
    }

    #[test]
    fn long_names_keep_their_extension() {
        let long = "ä".repeat(300);
        for extension in [".iso", ".tar.gz", ""] {
            let name = safe(&format!("{long}{extension}")).unwrap();
            assert!(name.len() <= LONGEST && name.len() > LONGEST - 4 && name.ends_with(extension), "{name}");
            let second = numbered(&name, 12);
            assert!(second.len() <= 255 && second.ends_with(&format!(" (12){extension}")), "{second}");
            let partial = partial(&name, "0123abcd");
            assert!(partial.len() + JOURNAL_ENDING.len() <= 255 && tag_of_partial(&partial) == Some("0123abcd"));
        }
        assert_eq!(numbered("a.tar.gz", 1), "a (1).tar.gz");
        assert_eq!(numbered("a", 2), "a (2)");
    }

    #[test]
    fn only_our_own_partials_are_taken_for_ours() {
        assert_eq!(tag_of_partial("a.bin.0123abcd.part"), Some("0123abcd"));
        let others = ["a.part", "a.bin.part", "a.0123ABCD.part", "a.0123abc.part", "a.0123abcd.part.ashore", "0123abcd.part"];
        for other in others {
            assert_eq!(tag_of_partial(other), None, "{other}");
        }
    }

    proptest! {
        #[test]
        fn no_name_escapes_is_empty_or_hides_anything(
            raw in any::<Vec<u8>>(),
            text in any::<String>(),
            wanted in any::<Option<String>>(),
        ) {
            let url = Url::parse("http://a.test/").unwrap();
            let quoted = format!("attachment; filename=\"{text}\"; filename*=UTF-8''{}", percent(&text));
            for disposition in [raw.as_slice(), text.as_bytes(), quoted.as_bytes()] {
                let name = choose(wanted.as_deref(), Some(disposition), &url, None);
                prop_assert!(!name.is_empty() && name.len() <= LONGEST + 2);
                prop_assert!(!name.contains(['/', '\\', '\0', ':']) && name != "." && name != "..");
                prop_assert!(!name.starts_with(['.', '-', ' ']) && !name.ends_with(['.', ' ']));
                prop_assert!(!name.chars().any(is_invisible));
                prop_assert!(tag_of_partial(&name).is_none() && !is_device(&name));
                prop_assert_eq!(name.nfc().collect::<String>(), name.clone());
                prop_assert_eq!(safe(&name), Some(name));
            }
        }
    }
}
