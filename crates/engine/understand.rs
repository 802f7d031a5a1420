//! Pasted text, line by line: links, patterns of links, commands for cURL, Metalink documents, and what is wrong with the
//! rest. [pure]
//!
//! Whatever is pasted, nothing is fetched here, and nothing that is not understood is passed over in silence.

mod curl;
mod metalink;
mod pattern;
mod shell;

use std::collections::HashSet;

use crate::{
    Error,
    accept::accept_url,
    model::{NewRequest, Trouble, UnderstoodLine},
};

/// Links in one text. A longer list is for `ashore add -i`, which reads it piece by piece.
const MOST: usize = 100_000;
/// Characters of a line that are shown again.
const SHOWN: usize = 300;

/// Every line that says something; empty lines and those that begin with `#` say nothing.
pub fn understand(text: &str) -> Vec<UnderstoodLine> {
    let mut seen = HashSet::new();
    let mut left = MOST;
    let mut understood = Vec::new();
    let mut lines = text.split('\n').map(|line| line.trim_end_matches('\r')).zip(1_u32..);
    while let Some((first, number)) = lines.next() {
        let mut whole = first.trim().to_owned();
        let mut count = 1;
        if whole.is_empty() || whole.starts_with('#') {
            continue;
        }
        if metalink::begins(&whole) {
            // To its end, on however many lines.
            while !metalink::ends(&whole)
                && let Some((more, _)) = lines.next()
            {
                whole.push('\n');
                whole.push_str(more);
                count += 1;
            }
            let mut line = metalink::read(&whole, left);
            (line.number, line.lines) = (number, count);
            line.requests.retain(|request| seen.insert(key(request)));
            left -= line.requests.len();
            understood.push(line);
            continue;
        }
        if curl::begins(&whole) {
            // A command goes on where a backslash says so.
            while whole.ends_with('\\')
                && let Some((more, _)) = lines.next()
            {
                whole.truncate(whole.len() - 1);
                whole.push_str(more.trim_end());
                count += 1;
            }
        }
        for piece in pieces(&whole) {
            let mut line = read(piece, left);
            (line.number, line.lines) = (number, count);
            let before = line.requests.len();
            line.requests.retain(|request| seen.insert(key(request)));
            if line.requests.is_empty() && before > 0 {
                line.trouble = Some(trouble("twice", "It stands above already."));
            }
            left -= line.requests.len();
            understood.push(line);
        }
    }
    understood
}

/// Several links on one line are several links; anything else with spaces is one line as it stands.
fn pieces(line: &str) -> Vec<&str> {
    let parts: Vec<&str> = line.split_whitespace().collect();
    let is_link = |part: &&str| {
        let bare = part.trim_start_matches(['<', '"', '\'']);
        ["http://", "https://"].iter().any(|start| bare.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start)))
    };
    if parts.len() > 1 && parts.iter().all(is_link) { parts } else { vec![line] }
}

fn read(text: &str, left: usize) -> UnderstoodLine {
    let shown = match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    };
    let line = UnderstoodLine { number: 0, lines: 1, text: shown, requests: Vec::new(), sign_in: None, trouble: None };
    let read = if curl::begins(text) {
        curl::read(text)
    } else {
        pattern::links(bare(text), left).map(|links| {
            let request = |url| NewRequest { url, ..NewRequest::default() };
            (links.into_iter().map(request).collect(), None)
        })
    };
    let checked = read.and_then(|(requests, sign_in): (Vec<NewRequest>, _)| {
        requests.iter().try_for_each(|request| check(&request.url))?;
        match requests.len() > left {
            true => Err(too_many()),
            false => Ok((requests, sign_in)),
        }
    });
    match checked {
        Ok((requests, sign_in)) => UnderstoodLine { requests, sign_in, ..line },
        Err(trouble) => UnderstoodLine { trouble: Some(trouble), ..line },
    }
}

/// Links are often copied with the brackets or quotes that stood around them.
fn bare(text: &str) -> &str {
    let around = [('<', '>'), ('"', '"'), ('\'', '\'')];
    let stripped = around.iter().find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close));
    stripped.unwrap_or(text)
}

fn check(url: &str) -> Result<(), Trouble> {
    let scheme = url.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    let is_web = matches!(scheme.as_deref(), Some("http" | "https"));
    // `localhost:8080/x` is an address without a scheme, and not one of another scheme.
    let is_other = scheme.as_deref().is_some_and(|scheme| {
        url.get(scheme.len()..).is_some_and(|rest| rest.starts_with("://"))
            || matches!(scheme, "magnet" | "mailto" | "data" | "file" | "blob" | "javascript")
    });
    if is_other && !is_web {
        let scheme = scheme.unwrap_or_default();
        return Err(trouble("other-scheme", &format!("Ashore fetches http and https links, not {scheme}.")));
    }
    let has_server = url.split_once("://").is_some_and(|(_, rest)| !rest.is_empty() && !rest.starts_with('/'));
    if !is_web || !has_server || url.contains(char::is_whitespace) {
        return Err(not_a_link());
    }
    match accept_url(url) {
        Ok(_) => Ok(()),
        Err(error @ (Error::Credentials(_) | Error::BadPort { .. })) => Err(trouble(error.code(), &error.to_string())),
        Err(_) => Err(not_a_link()),
    }
}

fn not_a_link() -> Trouble {
    trouble("not-a-link", "Not a link. A link begins with https:// or http://.")
}

fn too_many() -> Trouble {
    trouble("too-many", "These are more than 100,000 links. Add the rest as a list: ashore add -i FILE.")
}

fn trouble(code: &str, text: &str) -> Trouble {
    Trouble { code: code.to_owned(), text: text.to_owned() }
}

/// What makes two of them the same.
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
    fn there_is_one_link_on_each_line_whatever_the_line_endings() {
        let text = "https://a.example/one\r\n\r\n  http://b.example:8080/two?x=1#y  \nhttps://c.example";
        assert_eq!(links(text), ["https://a.example/one", "http://b.example:8080/two?x=1#y", "https://c.example"]);
        assert_eq!(understand(text).iter().map(|line| line.number).collect::<Vec<_>>(), [1, 3, 4]);
        assert_eq!(links("https://a.example/1 https://a.example/2").len(), 2);
        assert_eq!(links("<https://a.example/1>\n\"https://a.example/2\""), ["https://a.example/1", "https://a.example/2"]);
        assert!(understand("\n  \n# a comment\n").is_empty());
    }

    #[test]
    fn what_is_no_link_says_why() {
        for text in ["some words", "example.org/file.zip", "localhost:8080/x", "https://", "https:///x", "https:/a.example", "https://a.example/with space"] {
            assert_eq!(code(text), "not-a-link", "{text}");
        }
        assert_eq!(code("https://robin:secret@a.example/x"), "credentials");
        assert_eq!(code("http://a.example:25/x"), "bad-port");
        assert_eq!(code("ftp://a.example/x"), "other-scheme");
        assert!(understand("magnet:?xt=urn:btih:1")[0].trouble.as_ref().unwrap().text.contains("not magnet"));
    }

    #[test]
    fn what_stands_twice_counts_once() {
        let lines = understand("https://a.example/1\nhttps://a.example/[1:3]\nhttps://a.example/2");
        assert_eq!(lines.iter().map(|line| line.requests.len()).collect::<Vec<_>>(), [1, 2, 0]);
        assert_eq!(lines[2].trouble.as_ref().unwrap().code, "twice");
    }

    #[test]
    fn there_is_an_end_to_what_one_text_may_ask_for() {
        assert_eq!(links("https://a.example/[1:100000]").len(), MOST);
        assert_eq!(code("https://a.example/[1:100001]"), "too-many");
        let lines = understand("https://a.example/[1:60000]\nhttps://b.example/[1:60000]\nhttps://c.example/");
        assert_eq!(lines.iter().map(|line| line.requests.len()).collect::<Vec<_>>(), [60_000, 0, 1]);
        let long = format!("https://a.example/{}", "x".repeat(64 << 10));
        assert_eq!(understand(&long)[0].text.chars().count(), SHOWN + 1);
        assert_eq!(links(&long), [long]);
    }

    #[test]
    fn a_command_may_take_several_lines_and_stands_among_links() {
        let text = "https://a.example/1\ncurl 'https://b.example/2' \\\n  -H 'Referer: https://b.example/' \\\n  --compressed\nhttps://c.example/3";
        let lines = understand(text);
        let places: Vec<_> = lines.iter().map(|line| (line.number, line.lines)).collect();
        assert_eq!(places, [(1, 1), (2, 3), (5, 1)]);
        assert_eq!(lines[1].requests[0].headers, [("Referer".to_owned(), "https://b.example/".to_owned())]);
    }

    proptest! {
        #[test]
        fn whatever_is_pasted_is_understood_or_said_and_what_is_understood_can_be_asked_for(text in "(?s).{0,200}") {
            for line in understand(&text) {
                prop_assert_eq!(line.requests.is_empty(), line.trouble.is_some());
                for request in line.requests {
                    prop_assert!(accept_url(&request.url).is_ok());
                }
            }
        }

        #[test]
        fn what_looks_like_a_command_or_a_pattern_as_well(
            text in "(curl )?[-'\"\\\\ HbuXo]{0,20}https://a.example/[\\[\\]{},:0-9a-c\\\\$'\" -]{0,40}"
        ) {
            for line in understand(&text) {
                prop_assert_eq!(line.requests.is_empty(), line.trouble.is_some());
            }
        }
    }
}
