//! Reads the links that the browser extension offers: `ashore-desktop --offer -`. Called once at the start of the program.

use std::io::{BufRead, Read};

use serde::Deserialize;
use url::Url;

/// Maximum number of links; the rest is ignored.
const MOST_LINKS: usize = 20_000;
/// Maximum size of the input in bytes; the rest is ignored. The extension sends at most half as much.
const MOST_BYTES: u64 = 8 << 20;
/// Maximum length of a link in bytes.
const LONGEST: usize = 64 << 10;

#[derive(Deserialize)]
struct OfferedLink {
    url: String,
}

/// Reads the whole input and returns the links. Each line is a JSON object with a `url`.
///
/// A web page chose the links. Therefore this returns only web links, never a path or another link that this program
/// would open.
pub fn read(input: impl Read) -> Vec<String> {
    let lines = std::io::BufReader::new(input.take(MOST_BYTES)).split(b'\n').map_while(Result::ok);
    let links = lines.filter(|line| !line.trim_ascii().is_empty()).filter_map(|line| {
        let link = serde_json::from_slice::<OfferedLink>(&line).ok().and_then(|offered| web_link(&offered.url));
        if link.is_none() {
            tracing::warn!("offered line has no web link; ignored");
        }
        link
    });
    links.take(MOST_LINKS).collect()
}

fn web_link(text: &str) -> Option<String> {
    let url = Url::parse(text).ok().filter(|_| text.len() <= LONGEST)?;
    matches!(url.scheme(), "http" | "https").then(|| url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_links_of_valid_lines_are_returned() {
        let long = format!("{{\"url\":\"https://a.example/{}\"}}", "x".repeat(LONGEST));
        let lines = [
            r#"{"url":"https://a.example/1","text":"one"}"#,
            r#"{"url":"http://a.example/a b"}"#,
            "",
            r#"{"url":"file:///home/ann/list.meta4"}"#,
            r#"{"url":"/home/ann/list.meta4"}"#,
            r#"{"url":"ashore://join?x=y"}"#,
            r#"{"url":"javascript:alert(1)"}"#,
            r#"{"url":"--data-dir=/tmp"}"#,
            r#"{"text":"no address"}"#,
            "not JSON",
            &long,
            r#"{"url":"https://a.example/2"}"#,
        ];
        let expected = ["https://a.example/1", "http://a.example/a%20b", "https://a.example/2"];
        assert_eq!(read(lines.join("\n").as_bytes()), expected);
    }

    #[test]
    fn number_of_links_and_size_of_input_are_limited() {
        let line = "{\"url\":\"https://a.example/\"}\n";
        assert_eq!(read(line.repeat(MOST_LINKS + 1).as_bytes()).len(), MOST_LINKS);
        assert_eq!(read(std::io::repeat(b' ')).len(), 0);
    }
}
