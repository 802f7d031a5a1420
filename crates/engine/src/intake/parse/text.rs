//! Parses pasted text by line: links, link patterns, fetch commands, Metalink. [pure]
//!
//! Contacts no server. Reports each line that is not understood. `link` parses links; `command` recognises commands.

use std::{borrow::Cow, collections::HashSet};

use ashore_messages::{UserMessage, message};

use crate::{
    EngineError,
    intake::{
        parse::{
            command,
            error::{not_a_link, too_many},
            link, metalink,
            request_parts::{self, ParsedFields},
            url_pattern,
        },
        userinfo::{link_without_sign_in, split},
        validate::accept_url,
    },
    model::{NewRequest, SignIn, UnderstoodLine},
    store::list_file::format::without_sign_in,
};

/// Maximum number of links in one text. `ashore add -i` accepts longer lists, because it reads them piece by piece.
const MOST: usize = 100_000;
/// Minimum number of words, including the link, at which a line that begins with a link counts as prose.
const FEWEST_WORDS: usize = 4;
/// Maximum number of displayed characters of a line.
const SHOWN: usize = 300;

/// Returns a result for each line with content. Skips empty lines, comments and code fences.
pub fn understand(text: &str) -> Vec<UnderstoodLine> {
    let mut seen = HashSet::new();
    let mut left = MOST;
    let mut understood: Vec<UnderstoodLine> = Vec::new();
    let text = with_line_feeds(text);
    let mut number = 0_u32;
    let names_metalink = text.contains("metalink");
    let mut lines = text.split('\n').map(|line| line.trim_end_matches('\r'));
    while let Some(first) = lines.next() {
        number += 1;
        let tidy = link::tidy(first);
        if says_nothing(&tidy) {
            continue;
        }
        if let Some(option) = list_option(first)
            && let Some(line) =
                understood.last_mut().filter(|line| !line.requests.is_empty() && line.number + line.lines == number)
        {
            line.requests.iter_mut().for_each(|request| option.apply(request));
            line.lines += 1;
            continue;
        }
        let start = number;
        if metalink::begins(&tidy, names_metalink) {
            // A document may span several lines, so read on to its end.
            let mut has_end = metalink::ends(&tidy);
            let mut whole = tidy.into_owned();
            while !has_end && let Some(more) = lines.next() {
                has_end = metalink::ends(more);
                whole.push('\n');
                whole.push_str(more);
                number += 1;
            }
            let mut line = metalink::read(&whole, left);
            (line.number, line.lines) = (start, number + 1 - start);
            keep_new(&mut line, &mut seen);
            left -= line.requests.len();
            understood.push(line);
            continue;
        }
        let pieces = if command::begins(&tidy) {
            let (whole, count) = command::gather(&tidy, &mut lines);
            number += count - 1;
            let read = command::read(&whole);
            vec![(Cow::Owned(whole), read)]
        } else {
            read(&tidy, left).into_iter().map(|(shown, read)| (shown, read.map(|links| (links, None)))).collect()
        };
        for (shown, read) in pieces {
            let mut line = checked(&shown, read, left);
            (line.number, line.lines) = (start, number + 1 - start);
            keep_new(&mut line, &mut seen);
            left -= line.requests.len();
            understood.push(line);
        }
    }
    understood
}

/// Drops the requests of a line that are already in earlier lines.
///
/// If this leaves no requests, the line reports `twice`.
fn keep_new(line: &mut UnderstoodLine, seen: &mut HashSet<String>) {
    let before = line.requests.len();
    line.requests.retain(|request| seen.insert(key(request)));
    if line.requests.is_empty() && before > 0 {
        line.trouble = Some(message!("twice"));
    }
}

/// Returns the requests of one line of a list; none for a line without content.
///
/// Reads only one line, because the list may be larger than memory. Several links with tabs between them are mirrors of
/// one file, as in a list for aria2. Fails with the problem of the line.
pub fn understand_listed(line: &str) -> Result<Vec<NewRequest>, UserMessage> {
    let tidy = link::tidy(line);
    if says_nothing(&tidy) {
        return Ok(Vec::new());
    }
    let mirrors: Vec<&str> = tidy.split('\t').map(str::trim).filter(|part| !part.is_empty()).collect();
    if let [first, others @ ..] = mirrors.as_slice()
        && !others.is_empty()
        && mirrors.iter().all(|part| link::begins(part) && !part.contains(char::is_whitespace))
    {
        let mirrors = others.iter().filter_map(|part| link::whole(part)).filter(|link| check(link).is_ok()).collect();
        let url = link::whole(first).ok_or_else(not_a_link)?;
        check(&url)?;
        return Ok(vec![NewRequest { url, mirrors, ..NewRequest::default() }]);
    }
    let mut found = Vec::new();
    for link in written(&tidy).map_err(|text| check(text).err().unwrap_or_else(not_a_link))? {
        check(&link)?;
        found.push(NewRequest { url: link, ..NewRequest::default() });
    }
    Ok(found)
}

/// Returns the link in `text` without the wrapping that was copied with it: quotes, brackets, `view-source:`, line
/// breaks.
///
/// `None` if `text` is already valid, or is not a link.
pub fn mended_link(text: &str) -> Option<String> {
    let is_right =
        accept_url(&link_without_sign_in(text)).is_ok() && !text.trim().contains(char::is_whitespace) && !text.contains('\\');
    let mended = if is_right { None } else { link::whole(&link::tidy(text)) };
    mended.filter(|link| check(link).is_ok())
}

/// Whether `text` begins with a download command, such as a cURL command.
pub fn is_command(text: &str) -> bool {
    let text = with_line_feeds(text);
    let first = text.split('\n').map(link::tidy).find(|line| !says_nothing(line));
    first.is_some_and(|line| command::begins(&line))
}

/// Option in an indented line, which applies to the link above it. The form is that of a list for aria2: `  out=NAME`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListOption<'a> {
    name: &'a str,
    value: &'a str,
}

/// Parses an option; `None` if `line` is not indented or has no option name.
pub fn list_option(line: &str) -> Option<ListOption<'_>> {
    let option = line.strip_prefix([' ', '\t'])?.trim();
    let (name, value) = option.split_once('=')?;
    let is_name = name.starts_with(|letter: char| letter.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    is_name.then_some(ListOption { name, value: value.trim() })
}

impl ListOption<'_> {
    /// Applies the option to `request`.
    ///
    /// Ignores options that do not describe the file, such as those about folders and connections.
    pub fn apply(self, request: &mut NewRequest) {
        let value = || self.value.to_owned();
        match self.name {
            "out" => request.name = request_parts::named_by(self.value).or(request.name.take()),
            "checksum" => request.checksum = Some(value()),
            "referer" => request.headers.push(("Referer".to_owned(), value())),
            "user-agent" => request.headers.push(("User-Agent".to_owned(), value())),
            "header" => {
                if let Some((name, value)) = self.value.split_once(':') {
                    request.headers.push((name.trim().to_owned(), value.trim().to_owned()));
                }
            }
            _ => {}
        }
    }
}

/// Returns `text` with line feeds as line ends.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    match text.contains(['\r', '\u{85}', '\u{2028}', '\u{2029}']) {
        true => Cow::Owned(text.replace("\r\n", "\n").replace(['\r', '\u{85}', '\u{2028}', '\u{2029}'], "\n")),
        false => Cow::Borrowed(text),
    }
}

/// Whether a tidied line is empty, a comment, or a code fence.
fn says_nothing(line: &str) -> bool {
    line.is_empty()
        || line.starts_with(['#', ';'])
        || line.starts_with("// ")
        || line.starts_with("```")
        || line.starts_with("~~~")
}

/// Part of a line, with its requests.
type Piece<'a> = (Cow<'a, str>, Result<Vec<NewRequest>, UserMessage>);

/// Returns the parts of a line, each with its requests.
fn read(line: &str, left: usize) -> Vec<Piece<'_>> {
    let request = |url| NewRequest { url, ..NewRequest::default() };
    match written(line) {
        Ok(links) if links.len() == 1 => {
            let all = links.first().map(|link| url_pattern::links(link, left)).unwrap_or_else(|| Ok(Vec::new()));
            vec![(Cow::Borrowed(line), all.map(|links| links.into_iter().map(request).collect()))]
        }
        Ok(links) => links
            .into_iter()
            .map(|link| {
                let all = url_pattern::links(&link, left).map(|links| links.into_iter().map(request).collect());
                (Cow::Owned(link), all)
            })
            .collect(),
        Err(text) => vec![(Cow::Borrowed(line), check(text).and_then(|()| Err(not_a_link())))],
    }
}

/// Returns the links in a line, at least one. If the line has no link, fails with the text of the line.
fn written(line: &str) -> Result<Vec<String>, &str> {
    if !line.contains(char::is_whitespace) {
        let found = link::in_text(line);
        if found.len() > 1 || found.first().is_some_and(|link| link::is_more_than_link(line, link)) {
            return Ok(found);
        }
        if let Some(link) = link::whole(line) {
            return Ok(vec![link]);
        }
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    // The words after a link may be the rest of its name. In that case do not fetch half a link.
    let first = words.first().copied().unwrap_or_default();
    let is_doubtful = words.len() > 1
        && link::begins(first)
        && !words.iter().skip(1).any(|word| link::begins(word))
        && !link::has_extension(first)
        && !first.ends_with(['/', '.', ',', ';', ':', ')'])
        && !first.contains(['?', '#']);
    if is_doubtful && let Some(link) = link::whole(line) {
        return Ok(vec![link]);
    }
    if is_doubtful && words.len() < FEWEST_WORDS {
        return Err(line);
    }
    let found = link::in_text(line);
    if found.is_empty() { Err(line) } else { Ok(found) }
}

fn checked(text: &str, read: Result<ParsedFields, UserMessage>, left: usize) -> UnderstoodLine {
    let shown = match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    };
    let shown = if command::begins(text) { shown } else { without_sign_in(&shown) };
    let line = UnderstoodLine { number: 0, lines: 1, text: shown, requests: Vec::new(), sign_in: None, trouble: None };
    let checked = read.and_then(|(requests, sign_in)| {
        requests.iter().try_for_each(|request| check(&request.url))?;
        match requests.len() > left {
            true => Err(too_many()),
            false => Ok((requests, sign_in)),
        }
    });
    match checked {
        Ok((requests, sign_in)) => {
            let (requests, sign_in) = signing_in(requests, sign_in);
            UnderstoodLine { requests, sign_in, ..line }
        }
        Err(trouble) => UnderstoodLine { trouble: Some(trouble), ..line },
    }
}

/// Removes user names and passwords from the links in `requests`, and returns one sign-in for all of them.
///
/// The result is `said`, the sign-in of the line, or else the sign-in that all links share. If the links have different
/// sign-ins and `said` is `None`, the links stay unchanged. Each sign-in is then stored when its link is added.
fn signing_in(mut requests: Vec<NewRequest>, said: Option<SignIn>) -> (Vec<NewRequest>, Option<SignIn>) {
    let found: Vec<_> = requests.iter().map(|request| split(&request.url)).collect();
    let first = found.iter().flatten().map(|(_, sign_in)| sign_in).next().cloned();
    let is_one = found.iter().all(|found| found.as_ref().map(|(_, sign_in)| sign_in) == first.as_ref());
    if said.is_none() && !is_one {
        return (requests, None);
    }
    for (request, found) in requests.iter_mut().zip(found) {
        if let Some((bare, _)) = found {
            request.url = bare;
        }
    }
    (requests, said.or(first))
}

fn check(url: &str) -> Result<(), UserMessage> {
    let scheme = url.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    let is_web = matches!(scheme.as_deref(), Some("http" | "https"));
    if let Some(scheme) = other_scheme(url) {
        return Err(message!("other-scheme", scheme = scheme));
    }
    let has_server = url.split_once("://").is_some_and(|(_, rest)| !rest.is_empty() && !rest.starts_with('/'));
    if !is_web || !has_server || url.contains(char::is_whitespace) {
        return Err(not_a_link());
    }
    match accept_url(&link_without_sign_in(url)) {
        Ok(_) => Ok(()),
        Err(error @ (EngineError::Credentials(_) | EngineError::BadPort { .. })) => Err(error.message()),
        Err(_) => Err(not_a_link()),
    }
}

/// Returns the scheme of the first address in `text`, in lower case, unless that address is a web address.
fn other_scheme(text: &str) -> Option<String> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.');
    text.split_whitespace()
        .enumerate()
        .find_map(|(place, word)| {
            let (before, after) = word.split_once(':')?;
            let start = before.trim_end_matches(is_part).len();
            let scheme = before[start..].trim_start_matches(|letter: char| !letter.is_ascii_alphabetic()).to_ascii_lowercase();
            // In `localhost:8080/x`, `localhost` is the host and not a scheme.
            let is_known = match scheme.as_str() {
                "magnet" => after.starts_with('?'),
                "mailto" | "data" | "file" | "blob" | "javascript" => place == 0 && start == 0 && !after.is_empty(),
                _ => false,
            };
            let is_address = !scheme.is_empty() && after.starts_with("//") || is_known;
            is_address.then_some(scheme)
        })
        .filter(|scheme| !matches!(scheme.as_str(), "http" | "https"))
}

/// Returns the key that identifies duplicate requests: address and headers.
fn key(request: &NewRequest) -> String {
    let mut key = request.url.clone();
    for (name, value) in &request.headers {
        key.push('\n');
        key.push_str(name);
        key.push_str(value);
    }
    key
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn links(text: &str) -> Vec<String> {
        understand(text).into_iter().flat_map(|line| line.requests).map(|request| request.url).collect()
    }

    fn code(text: &str) -> String {
        understand(text)[0].trouble.clone().unwrap().code
    }

    #[test]
    fn lines_are_split_at_any_line_ending() {
        let text = "https://a.example/one\r\n\r\n  http://b.example:8080/two?x=1#y  \nhttps://c.example";
        assert_eq!(links(text), ["https://a.example/one", "http://b.example:8080/two?x=1#y", "https://c.example"]);
        assert_eq!(understand(text).iter().map(|line| line.number).collect::<Vec<_>>(), [1, 3, 4]);
        assert_eq!(links("https://a.example/1 https://a.example/2").len(), 2);
        assert_eq!(links("<https://a.example/1>\n\"https://a.example/2\""), ["https://a.example/1", "https://a.example/2"]);
        assert!(understand("\n  \n# a comment\n").is_empty());
    }

    #[test]
    fn reason_is_reported_for_line_without_link() {
        for text in [
            "some words",
            "file.zip",
            "folder/file.zip",
            "me@example.org/x",
            "https://",
            "https:///x",
            "https://a.example/with space",
        ] {
            assert_eq!(code(text), "not-a-link", "{text}");
        }
        assert_eq!(code("http://a.example:25/x"), "bad-port");
        for (text, scheme) in [
            ("ftp://a.example/x", "ftp"),
            ("magnet:?xt=urn:btih:1", "magnet"),
            ("Hi Anna, the files are at ftp://a.example/x", "ftp"),
            ("Note: (sftp://a.example/x)", "sftp"),
            ("get magnet:?xt=urn:btih:1", "magnet"),
            ("mailto:me@example.org", "mailto"),
        ] {
            let trouble = understand(text)[0].trouble.clone().unwrap();
            assert_eq!(
                (trouble.code.as_str(), trouble.text.contains(&format!("not {scheme}."))),
                ("other-scheme", true),
                "{text}"
            );
        }
        for text in ["<img src=\"data:image/png;base64,aa\">", "the file: none", "now: 12:30"] {
            assert_eq!(code(text), "not-a-link", "{text}");
        }
    }

    #[test]
    fn links_are_found_among_ten_thousand_lines_of_prose() {
        let prose =
            "It is a truth universally acknowledged, that a single man in possession of a fortune must be in want of a wife.\n";
        let text = [
            &prose.repeat(5000),
            "<p>Hi Anna, the files are at https://a.example/1.zip and\n",
            "> https://a.example/download which is the newer one (see also https://a.example/3.zip).\n",
            &prose.repeat(5000),
        ]
        .concat();
        assert_eq!(links(&text), ["https://a.example/1.zip", "https://a.example/download", "https://a.example/3.zip"]);
        assert_eq!(understand(&text).iter().filter(|line| line.trouble.is_some()).count(), 10_000);
        assert_eq!(links("https://a.example/download is the newer one"), ["https://a.example/download"]);
    }

    #[test]
    fn links_are_found_in_pasted_page() {
        let page =
            "<?xml version=\"1.0\"?>\n<!DOCTYPE html>\n<html>\n<a\n  href='https://a.example/1.zip?a=1&amp;b=2'>kit</a>\n</html>";
        assert_eq!(links(page), ["https://a.example/1.zip?a=1&b=2"]);
        let feed = "<?xml version=\"1.0\"?><rss><enclosure url=\"https://a.example/1.mp3\" length=\"5\"/></rss>";
        assert_eq!(links(feed), ["https://a.example/1.mp3"]);
    }

    #[test]
    fn links_are_found_in_any_copied_form() {
        let one = ["https://a.example/1.zip"];
        for text in [
            "<https://a.example/1.zip>",
            "- https://a.example/1.zip",
            "1. https://a.example/1.zip.",
            "[one](https://a.example/1.zip)",
            "Get it here: https://a.example/1.zip today",
            "one https://a.example/1.zip",
            "\u{feff}https://a.example/1.zip\u{200b}",
            "(https://a.example/1.zip)",
            "\u{200e}https://a.example/1.zip\u{200e}",
            "hxxps://a.example/1.zip",
            "https:/a.example/1.zip",
            "https:\\\\a.example\\1.zip",
            "//a.example/1.zip",
            "a.example/1.zip",
            "https://a.example/1.zip (12 MB)",
            "<a href=\"https://a.example/1.zip\">one</a>",
            "\"https://a.example/1.zip\",",
        ] {
            assert_eq!(links(text), one, "{text}");
        }
        assert_eq!(links("https://a.example/1\rhttps://a.example/2\r").len(), 2);
        assert_eq!(links("https://a.example/1\u{2028}https://a.example/2").len(), 2);
        assert_eq!(links("one: https://a.example/1.zip, two: https://a.example/2.zip").len(), 2);
        assert_eq!(links("# list\n; old\n// older\n```\nhttps://a.example/1\n```"), ["https://a.example/1"]);
        assert_eq!(links("- https://a.example/[1:3].zip").len(), 3);
        let lines = understand("https://a.example/1\nnot a link\nftp://a.example/x\nhttps://a.example/2");
        assert_eq!(lines.iter().map(|line| line.requests.len()).collect::<Vec<_>>(), [1, 0, 0, 1]);
    }

    #[test]
    fn indented_options_apply_to_link_above() {
        let lines = understand("https://a.example/1\n  out=mine/one.zip\n  dir=/tmp\n\theader=X-Key: k\nhttps://a.example/2");
        assert_eq!(lines.iter().map(|line| (line.number, line.lines)).collect::<Vec<_>>(), [(1, 4), (5, 1)]);
        let first = &lines[0].requests[0];
        assert_eq!(
            (first.name.as_deref(), first.headers.as_slice()),
            (Some("one.zip"), &[("X-Key".to_owned(), "k".to_owned())][..])
        );
        assert_eq!(lines[1].requests[0].name, None);
        assert_eq!(list_option("out=x"), None, "it is not indented");
        assert_eq!(list_option("  https://a.example/?a=b"), None);
    }

    #[test]
    fn list_line_is_read_as_mirrors_or_as_separate_links() {
        let of = |line: &str| {
            understand_listed(line).map(|found| found.into_iter().map(|one| (one.url, one.mirrors.len())).collect::<Vec<_>>())
        };
        let link = |number: u8, mirrors| (format!("https://a.example/{number}.zip"), mirrors);
        assert_eq!(of("https://a.example/1.zip\thttps://a.example/2.zip"), Ok(vec![link(1, 1)]));
        assert_eq!(of("https://a.example/1.zip https://a.example/2.zip"), Ok(vec![link(1, 0), link(2, 0)]));
        assert_eq!(of("kit https://a.example/1.zip"), Ok(vec![link(1, 0)]));
        assert_eq!(
            of("https://a.example/[1:3].zip"),
            Ok(vec![("https://a.example/[1:3].zip".to_owned(), 0)]),
            "a list counts nothing"
        );
        for nothing in ["", "  ", "# a", "; a", "\u{feff}"] {
            assert_eq!(of(nothing), Ok(Vec::new()), "{nothing:?}");
        }
        assert_eq!(of("not a link").unwrap_err().code, "not-a-link");
        assert_eq!(of("ftp://a.example/1").unwrap_err().code, "other-scheme");
        assert_eq!(of("magnet:?xt=urn:btih:aa").unwrap_err().code, "other-scheme");
    }

    #[test]
    fn damaged_link_is_repaired_and_valid_link_stays_unchanged() {
        for right in
            ["https://a.example/1.", "http://a.example/[1:2]", "https://a.example/x)", "1234abcd", "folder/list.meta4", "words"]
        {
            assert_eq!(mended_link(right), None, "{right}");
        }
        for (text, link) in [
            ("<https://a.example/1>", "https://a.example/1"),
            ("'https://a.example/1'", "https://a.example/1"),
            ("  https://a.example/a b.zip", "https://a.example/a%20b.zip"),
            ("https://a.example/a\nb", "https://a.example/ab"),
            ("view-source:https://a.example/1", "https://a.example/1"),
        ] {
            assert_eq!(mended_link(text).as_deref(), Some(link), "{text:?}");
        }
    }

    #[test]
    fn link_credentials_become_sign_in_and_are_hidden() {
        let robin = SignIn::Basic { user: "robin".to_owned(), password: "s:cret".to_owned() };
        for text in [
            "https://robin:s%3Acret@a.example/x",
            "https://robin:s%3Acret@a.example/[1:2]",
            "https://robin:s%3Acret@a.example/x https://a.example/y",
            "curl https://robin:s%3Acret@a.example/x -o y.zip",
            "curl -u robin:s:cret https://other:x@a.example/x",
        ] {
            let line = understand(text).remove(0);
            assert_eq!((line.trouble, line.sign_in.as_ref()), (None, Some(&robin)), "{text}");
            assert!(line.requests.iter().all(|request| request.url.starts_with("https://a.example/")), "{:?}", line.requests);
            assert!(text.starts_with("curl") || !line.text.contains("cret"), "{}", line.text);
        }
        let several = understand("curl https://ann:a@a.example/x https://bob:b@b.example/x").remove(0);
        assert_eq!((several.sign_in, several.requests[1].url.as_str()), (None, "https://bob:b@b.example/x"));
    }

    #[test]
    fn duplicate_links_are_counted_once() {
        let lines = understand("https://a.example/1\nhttps://a.example/[1:3]\nhttps://a.example/2");
        assert_eq!(lines.iter().map(|line| line.requests.len()).collect::<Vec<_>>(), [1, 2, 0]);
        assert_eq!(lines[2].trouble.as_ref().unwrap().code, "twice");
    }

    #[test]
    fn number_of_links_per_text_is_limited() {
        assert_eq!(links("https://a.example/[1:100000]").len(), MOST);
        assert_eq!(code("https://a.example/[1:100001]"), "too-many");
        let lines = understand("https://a.example/[1:60000]\nhttps://b.example/[1:60000]\nhttps://c.example/");
        assert_eq!(lines.iter().map(|line| line.requests.len()).collect::<Vec<_>>(), [60_000, 0, 1]);
        let long = format!("https://a.example/{}", "x".repeat(64 << 10));
        assert_eq!(understand(&long)[0].text.chars().count(), SHOWN + 1);
        assert_eq!(links(&long), [long]);
    }

    #[test]
    fn multiline_command_among_links_is_one_entry() {
        let text = "https://a.example/1\ncurl 'https://b.example/2' \\\n  -H 'Referer: https://b.example/' \\\n  --compressed\nhttps://c.example/3";
        let lines = understand(text);
        let places: Vec<_> = lines.iter().map(|line| (line.number, line.lines)).collect();
        assert_eq!(places, [(1, 1), (2, 3), (5, 1)]);
        assert_eq!(lines[1].requests[0].headers, [("Referer".to_owned(), "https://b.example/".to_owned())]);
    }

    proptest! {
        #[test]
        fn every_pasted_line_yields_valid_requests_or_a_problem(text in "(?s).{0,200}") {
            for line in understand(&text) {
                prop_assert_eq!(line.requests.is_empty(), line.trouble.is_some());
                for request in line.requests {
                    prop_assert!(accept_url(&link_without_sign_in(&request.url)).is_ok());
                }
            }
        }

        #[test]
        fn every_command_like_line_yields_requests_or_a_problem(
            text in "(curl )?[-'\"\\\\ HbuXo]{0,20}https://a.example/[\\[\\]{},:0-9a-c\\\\$'\" -]{0,40}"
        ) {
            for line in understand(&text) {
                prop_assert_eq!(line.requests.is_empty(), line.trouble.is_some());
            }
        }
    }
}
