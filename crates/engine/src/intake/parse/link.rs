//! Reads single links as users and programs write them: removes surrounding characters and repairs damage. [pure]
//!
//! `in_text` finds links in prose; `whole` repairs a text that is a single link. Both keep a valid link unchanged.

use std::{borrow::Cow, collections::HashSet};

/// Maximum number of punctuation characters to remove after a link.
const MOST_SIGNS: usize = 32;
/// Length of `www.` and of `http`, with which a link begins, in bytes.
const START_LENGTH: usize = 4;
/// Character references of HTML that may stand around a link in the source of a page.
const REFERENCES: [&str; 11] =
    ["&quot;", "&ldquo;", "&rdquo;", "&apos;", "&lt;", "&gt;", "&nbsp;", "&#34;", "&#39;", "&#x22;", "&#x27;"];

/// Whether `letter` is an invisible character copied with a link.
///
/// Joiners are kept, because they may belong to a name.
fn is_stray(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\0')
}

/// Returns `text` without invisible characters and surrounding space.
pub(super) fn tidy(text: &str) -> Cow<'_, str> {
    match text.contains(is_stray) {
        true => Cow::Owned(text.replace(is_stray, "").trim().to_owned()),
        false => Cow::Borrowed(text.trim()),
    }
}

/// Whether `text` begins with `http://` or `https://`, in any case.
///
/// Also accepts defused (`hxxp`) and mistyped forms (`http:/`, `http:\\`).
pub(super) fn begins(text: &str) -> bool {
    after_scheme(text).is_some()
}

/// Returns the intended scheme, and the text after the scheme and its slashes.
fn after_scheme(text: &str) -> Option<(&'static str, &str)> {
    const SCHEMES: [(&str, &str); 6] = [
        ("https:", "https"),
        ("http:", "http"),
        ("hxxps:", "https"),
        ("hxxp:", "http"),
        ("hxxps[:]", "https"),
        ("hxxp[:]", "http"),
    ];
    let found = SCHEMES.iter().find(|(start, _)| text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start)));
    let (start, scheme) = found?;
    let after = &text[start.len()..];
    let rest = after.trim_start_matches(['/', '\\']);
    let slashes = after.len() - rest.len();
    let is_host = rest.chars().next().is_some_and(|letter| letter.is_alphanumeric() || letter == '[' || !letter.is_ascii());
    // A link with three slashes, as in `https:///x`, names no server.
    (matches!(slashes, 1 | 2) && is_host).then_some((scheme, rest))
}

/// Corrects the scheme and the slashes at the beginning of `text`.
fn mended(text: &str) -> Option<String> {
    let (scheme, rest) = after_scheme(text)?;
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let (place, query) = rest.split_at(end);
    let start = text.get(..scheme.len() + 3).unwrap_or_default();
    if start.eq_ignore_ascii_case(&format!("{scheme}://")) && !place.contains('\\') {
        return Some(text.to_owned());
    }
    // Some authors write dots in brackets, to prevent accidental clicks on a link.
    let host = place.find(['/', '\\']).unwrap_or(place.len());
    let (host, path) = place.split_at(host);
    Some(format!("{scheme}://{}{}{query}", host.replace("[.]", ".").replace("(.)", "."), path.replace('\\', "/")))
}

/// Returns the links in a line of prose, in order.
///
/// Finds links in brackets, quotes, Markdown and HTML. Ignores bullets and punctuation around a link, and separates
/// adjacent links. Finds a link without a scheme only if it begins with `www.` and has a path.
pub(super) fn in_text(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut from = 0;
    while let Some(at) = next_start(line, from) {
        let text = &line[at..];
        let before = line[..at].chars().next_back();
        let in_attribute = line[..at].trim_end_matches(['"', '\'']).trim_end().ends_with('=');
        let end = end_of_link(text, before);
        let link = without_punctuation(&text[..end], before);
        let Some(link) = mended(link).or_else(|| without_scheme(link)) else {
            // The text only looked like a link. Continue the search after its first letters.
            from = at + START_LENGTH;
            continue;
        };
        from = at + end;
        let link = if in_attribute { link.replace("&amp;", "&") } else { link };
        if seen.insert(link.clone()) {
            found.push(link);
        }
    }
    found
}

/// Returns the position of the next link at or after `from`. A link does not begin inside a word.
fn next_start(line: &str, from: usize) -> Option<usize> {
    let rest = line.get(from..)?;
    rest.match_indices(['h', 'H', 'w', 'W']).map(|(at, _)| from + at).find(|at| {
        let before = line[..*at].chars().next_back();
        let is_new_word = before.is_none_or(|letter| !letter.is_ascii_alphanumeric());
        // In `ftp://www.a.example` and `me@www.a.example`, the host is part of an FTP or e-mail address.
        let is_host = before.is_some_and(|letter| matches!(letter, '/' | '\\' | '@' | '.' | '-' | '_' | '%'));
        is_new_word && line.get(*at..).is_some_and(|text| begins(text) || !is_host && begins_with_www(text))
    })
}

/// Whether `text` begins with `www.` and a letter or digit.
fn begins_with_www(text: &str) -> bool {
    let is_www = text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."));
    is_www && text[4..].starts_with(char::is_alphanumeric)
}

/// Returns the length of the link at the start of `text`. `before` is the character in front of the link.
fn end_of_link(text: &str, before: Option<char>) -> usize {
    let (open, close) = match before {
        Some('(') => ('(', ')'),
        Some('[') => ('[', ']'),
        Some('{') => ('{', '}'),
        // No link contains a control character.
        _ => ('\0', '\0'),
    };
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        let rest = &text[at..];
        let is_closed = letter == close && depth == 0;
        // One of these characters before `http` separates two links. Without it, as in `?u=http://...`, the second link is
        // part of the first one.
        let is_separator = matches!(letter, ',' | ';' | '|') && begins(&rest[1..]);
        let is_reference = letter == '&' && REFERENCES.iter().any(|sign| rest.starts_with(sign));
        if is_end(letter, before) || is_closed || is_separator || is_reference {
            return at;
        }
        match letter {
            _ if letter == open => depth += 1,
            _ if letter == close => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Whether a link ends before `letter`. `before` is the character in front of the link.
fn is_end(letter: char, before: Option<char>) -> bool {
    letter.is_whitespace()
        || matches!(
            letter,
            '<' | '>'
                | '"'
                | '“'
                | '”'
                | '„'
                | '«'
                | '»'
                | '「'
                | '」'
                | '『'
                | '』'
                | '《'
                | '》'
                | '〉'
                | '】'
                | '〕'
                | '）'
                | '！'
                | '？'
                | '：'
                | '，'
                | '。'
                | '、'
                | '；'
                | '｜'
        )
        || matches!((before, letter), (Some('\''), '\'') | (Some('‘'), '’') | (Some('`'), '`') | (Some('|'), '|'))
}

/// Returns `link` without the punctuation of the surrounding sentence. Keeps brackets whose counterpart is in the link.
fn without_punctuation(link: &str, before: Option<char>) -> &str {
    let mut link = link;
    for _ in 0..MOST_SIGNS {
        let Some(last) = link.chars().next_back() else { break };
        let open = match last {
            ')' => Some('('),
            ']' => Some('['),
            '}' => Some('{'),
            _ => None,
        };
        let is_around = match (last, open) {
            (_, Some(open)) => link.matches(last).count() > link.matches(open).count(),
            (
                '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '’' | '…' | '|' | '！' | '？' | '：' | '】' | '،' | '؛' | '؟' | '।',
                None,
            ) => true,
            ('*' | '_' | '~' | '`', None) => before == Some(last),
            _ => false,
        };
        if !is_around {
            break;
        }
        link = &link[..link.len() - last.len_utf8()];
    }
    link
}

/// Returns the single link in `text`, without surrounding characters, and with its scheme repaired or added.
///
/// `None` if `text` is not a link or is ambiguous.
pub(super) fn whole(text: &str) -> Option<String> {
    let text = bare(text);
    if begins(text) {
        let text = joined(text)?;
        return mended(without_punctuation(&text, None));
    }
    without_scheme(without_punctuation(text, None))
}

/// Whether `text`, which has no blanks, contains more than the link `found`: another link, the source of a page, or the
/// rest of a sentence in a language without blanks, such as Chinese.
pub(super) fn is_more_than_link(text: &str, found: &str) -> bool {
    let text = bare(text);
    if text.contains(['<', '>', '"']) {
        return true;
    }
    let rest = text.split_once(found).map_or("", |(_, rest)| rest);
    let is_sentence = rest.starts_with(|letter: char| !letter.is_ascii() && is_end(letter, None)) && has_extension(found);
    let is_source = REFERENCES.iter().any(|sign| rest.starts_with(sign));
    is_sentence || is_source || next_start(rest, 0).is_some()
}

/// Returns `text` without the wrapping of a link: quotes, `<>`, `<URL:...>`, and prefixes of browsers.
fn bare(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let around = [
            ('<', '>'),
            ('"', '"'),
            ('\'', '\''),
            ('`', '`'),
            ('“', '”'),
            ('„', '“'),
            ('‘', '’'),
            ('«', '»'),
            ('(', ')'),
            ('[', ']'),
        ];
        let inside = around.iter().find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close));
        let prefixes = ["url:", "view-source:", "blob:"];
        let word = prefixes.iter().find(|word| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)));
        let after = word.map(|word| &text[word.len()..]).filter(|after| begins(after) && !is_blob(text));
        match inside.or(after) {
            Some(inside) => text = inside.trim(),
            None => return text,
        }
    }
}

/// Whether `text` is a `blob:` address. The last segment of such an address is a UUID. Only the page that created the
/// address can read it.
fn is_blob(text: &str) -> bool {
    let last = text.rsplit('/').next().unwrap_or_default();
    text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("blob:")) && last.len() == 36 && last.matches('-').count() == 4
}

/// Joins a link that was broken over several lines, or that has a blank in its name.
///
/// `None` if the words after the blank do not belong to the link.
fn joined(text: &str) -> Option<String> {
    let text: String = text.split(['\n', '\r']).map(str::trim).collect();
    if !text.contains(char::is_whitespace) {
        return Some(text);
    }
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    let last = words.next_back().unwrap_or_default();
    let has_other = text.split_whitespace().skip(1).any(|word| begins(word) || word.contains("://"));
    // A version number such as 1.5 at the end of a sentence is no extension.
    let is_file = has_extension(last) && last.rsplit('.').next().is_some_and(|end| end.contains(char::is_alphabetic));
    let is_one = !has_other && !has_extension(first) && is_file && first.matches('/').count() > 2;
    is_one.then(|| text.replace(char::is_whitespace, "%20"))
}

/// Whether the last segment of a path has an extension.
pub(super) fn has_extension(text: &str) -> bool {
    let last = text.rsplit('/').next().unwrap_or(text);
    let last = last.split(['?', '#']).next().unwrap_or(last);
    let extension = last.rsplit_once('.').map(|(_, extension)| extension);
    extension
        .is_some_and(|extension| (1..=8).contains(&extension.len()) && extension.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Adds a scheme to `//host/x`, `host:8080/x` or `example.org/x`.
///
/// Accepts the same forms as a browser's address bar. As in browsers, host names without a port get https. IP addresses
/// and ports other than 443 get http.
fn without_scheme(text: &str) -> Option<String> {
    let text = text.strip_prefix("//").unwrap_or(text);
    let (host, path) = text.split_once('/')?;
    if path.contains(char::is_whitespace) || host.contains('@') {
        return None;
    }
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) => (name, Some(port.parse::<u16>().ok()?)),
        None => (host, None),
    };
    let is_number = name.parse::<std::net::Ipv4Addr>().is_ok() || name.starts_with('[') && name.ends_with(']');
    let labels: Vec<&str> = name.split('.').collect();
    let is_name = labels.len() > 1
        && labels.iter().all(|label| !label.is_empty() && label.chars().all(|letter| letter.is_alphanumeric() || letter == '-'))
        && labels.last().is_some_and(|last| last.len() > 1 && last.chars().all(char::is_alphabetic));
    let is_known = is_number || is_name || name.eq_ignore_ascii_case("localhost");
    let scheme = match port {
        Some(443) => "https",
        Some(_) => "http",
        None if is_name => "https",
        None => "http",
    };
    is_known.then(|| format!("{scheme}://{text}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intake::parse::text::understand;

    const LINK: &str = "http://a.example/kit.zip";

    /// Returns the links that [`understand`] finds in `text`.
    fn links(text: &str) -> Vec<String> {
        understand(text).into_iter().flat_map(|line| line.requests).map(|request| request.url).collect()
    }

    #[test]
    fn link_in_prose_is_found_without_surrounding_characters() {
        for text in [
            "<{}>",
            "<URL:{}>",
            "\"{}\"",
            "'{}'",
            "“{}”",
            "‘{}’",
            "«{}»",
            "„{}“",
            "`{}`",
            "[kit]({})",
            "![kit]({} \"title\")",
            "- {}",
            "* {}",
            "• {}",
            "1. {}",
            "2) {}",
            "{}.",
            "{},",
            "{};",
            "({})",
            "({}).",
            "[{}]",
            "**{}**",
            "_{}_",
            "Get it here: {} today",
            "kit {}",
            "kit={}",
            "<a href=\"{}\">kit</a>",
            "<a href='{}'>kit</a>",
            "| kit | {} |",
            "|{}|",
            "下载：{}。",
            "{}…",
            "URL: {}!",
            "see {}?",
        ] {
            assert_eq!(in_text(&text.replace("{}", LINK)), [LINK], "{text}");
        }
        assert_eq!(in_text("<a href=\"http://a.example/x?a=1&amp;b=2\">"), ["http://a.example/x?a=1&b=2"]);
        assert_eq!(in_text(&format!("[{LINK}]({LINK})")), [LINK]);
        assert_eq!(in_text(&format!("{LINK} http://b.example/y, {LINK}")), [LINK, "http://b.example/y"]);
    }

    #[test]
    fn adjacent_links_are_separated() {
        const OTHER: &str = "https://b.example/list.txt";
        for text in [
            "Hi Anna, the files are at {1} and {2}. Bye",
            "> they are at {1} and\t{2}",
            "{1},{2}",
            "{1};{2}",
            "{1}|{2}",
            "[kit]({1})[list]({2})",
            "[![kit]({1})]({2})",
            "[![kit]({1} \"title\")]({2} \"title\")",
            "({1})({2})",
            "[{1}][{2}]",
            "{{1}}{{2}}",
            "[kit]: {1} \"title\" [list]: {2}",
            "<p>{1}<br/>{2}</p>",
            "<a href={1}>kit</a><a href={2}>list</a>",
            "&lt;{1}&gt; &quot;{2}&quot;",
            "<i data-kit='{&quot;a&quot;:&quot;{1}&quot;,&#34;b&#34;:&#34;{2}&#34;}'>",
            "「{1}」、{2}。",
            "{1}، {2}؟",
            "{1}। {2}।",
        ] {
            assert_eq!(in_text(&text.replace("{1}", LINK).replace("{2}", OTHER)), [LINK, OTHER], "{text}");
        }
        for link in ["http://a.example/?u=http://b.example/y", "http://a.example/web/http://b.example/y", "http://a.example/x&#y"]
        {
            assert_eq!(in_text(link), [link]);
        }
    }

    #[test]
    fn links_in_line_without_blanks_are_separated() {
        const ONE: &str = "https://a.example/1.zip";
        const OTHER: &str = "http://b.example/2.zip";
        for text in [
            "{1},{2}",
            "{1};{2}",
            "{1}|{2}",
            "[\"{1}\",\"{2}\"]",
            "({1})({2})",
            "[{1}][{2}]",
            "<{1}>,<{2}>",
            "&quot;{1}&quot;,&quot;{2}&quot;",
            "{1}，{2}",
            "www.a.example：{1},{2}",
        ] {
            assert_eq!(links(&text.replace("{1}", ONE).replace("{2}", OTHER)), [ONE, OTHER], "{text}");
        }
        for text in ["{}<br>", "{}</td>", "<td>{}</td>", "【{}】点击下载", "{}！下载", "{}&nbsp;(12&nbsp;MB)", "{},{}"] {
            assert_eq!(links(&text.replace("{}", ONE)), [ONE], "{text}");
        }
        for link in ["https://a.example/?u=http://b.example/2.zip", "https://a.example/%22x%22"] {
            assert_eq!(links(link), [link]);
        }
        let many = format!("Links:{}", (0..10_000).map(|number| format!(",{ONE}?{number}")).collect::<String>());
        assert_eq!(links(&many).len(), 10_000);
    }

    #[test]
    fn sentence_after_link_is_not_part_of_link() {
        let text = "https://a.example/x/y/releases contains version 1.5";
        assert_eq!(links(text), ["https://a.example/x/y/releases"]);
    }

    #[test]
    fn link_without_scheme_is_found_only_with_www_and_path() {
        assert_eq!(in_text("see www.a.example/kit.zip, please"), ["https://www.a.example/kit.zip"]);
        assert_eq!(in_text("(www.a.example:8080/kit.zip)"), ["http://www.a.example:8080/kit.zip"]);
        for text in [
            "see www.a.example",
            "www/kit.zip",
            "get ftp://www.a.example/x",
            "me@www.a.example/x",
            "http://a.example/www.a.example/x",
            "awww.a.example/x",
        ] {
            assert!(in_text(text).iter().all(|link| !link.contains("//www")), "{text}");
        }
    }

    #[test]
    fn link_keeps_its_own_brackets_and_punctuation() {
        for link in [
            "https://en.wikipedia.org/wiki/Rust_(programming_language)",
            "http://a.example/x?q=(a)&b=[c]",
            "http://[::1]:80/x",
            "http://a.example/a,b;c:d!e",
            "http://a.example/it's.zip",
            "http://a.example/?u=http://b.example/y",
            "http://a.example/x_",
            "http://a.example/~me/",
            "http://a.example/%20x",
        ] {
            assert_eq!(in_text(link), [link]);
            assert_eq!(in_text(&format!("({link})")), [link], "{link}");
            assert_eq!(whole(link).as_deref(), Some(link));
        }
    }

    #[test]
    fn defused_or_damaged_link_is_repaired() {
        for (text, expected) in [
            ("hxxp://a.example/kit.zip", LINK),
            ("hxxps://a[.]example/x", "https://a.example/x"),
            ("http:/a.example/kit.zip", LINK),
            ("http:\\\\a.example\\kit.zip", LINK),
            ("HTTP://a.example/kit.zip", "HTTP://a.example/kit.zip"),
            ("view-source:http://a.example/kit.zip", LINK),
            ("blob:http://a.example/kit.zip", LINK),
            ("http://a.example/k\nit.zip", LINK),
            ("  <http://a.example/kit.zip> ", LINK),
            ("http://a.example/my kit.zip", "http://a.example/my%20kit.zip"),
            ("//a.example/x", "https://a.example/x"),
            ("127.0.0.1:8080/x", "http://127.0.0.1:8080/x"),
            ("localhost/x", "http://localhost/x"),
            ("www.example.org/x", "https://www.example.org/x"),
            ("http://a.example/a\\b?c=\\d", "http://a.example/a/b?c=\\d"),
        ] {
            assert_eq!(whole(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "",
            "words",
            "some words",
            "kit.zip",
            "folder/kit.zip",
            "https://",
            "https:///x",
            "C:\\x\\y",
            "C:/x",
            "me@example.org/x",
            "a.example/b c",
            "blob:https://a.example/550e8400-e29b-41d4-a716-446655440000",
            "http://a.example/page is nice",
            "1.2/3",
            "and/or",
        ] {
            assert_eq!(whole(text), None, "{text}");
        }
    }

    #[test]
    fn invisible_characters_are_removed_from_link() {
        assert_eq!(tidy("\u{feff}\u{200e} http://a.example/\u{200b}kit.zip\u{a0}\u{2060}"), LINK);
        assert_eq!(tidy(" a\u{200c}b "), "a\u{200c}b");
    }
}
