//! Reads a Metalink document in pasted text, with the known data of all its files. [pure]

use crate::{from_metalink, intake::parse::error::too_many, model::UnderstoodLine};

/// Maximum number of displayed file names of a document.
const SHOWN: usize = 3;

/// Whether a Metalink document begins with `line`.
///
/// `is_named` states whether the text contains the word "metalink". XML without this word, such as a feed, is read as text.
pub(super) fn begins(line: &str, is_named: bool) -> bool {
    let starts = ["<?xml", "<metalink", "<!doctype metalink"];
    is_named && starts.iter().any(|start| line.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start)))
}

/// Whether `text` contains the end of a Metalink document.
pub(super) fn ends(text: &str) -> bool {
    text.contains("</metalink>")
}

/// Returns the result for a Metalink document. A document with more than `left` files is refused.
pub(super) fn read(document: &str, left: usize) -> UnderstoodLine {
    let line =
        UnderstoodLine { number: 0, lines: 0, text: "Metalink".to_owned(), requests: Vec::new(), sign_in: None, trouble: None };
    let requests = match from_metalink(document.as_bytes()) {
        Ok(new) => new.requests,
        Err(trouble) => return UnderstoodLine { trouble: Some(trouble), ..line },
    };
    if requests.len() > left {
        return UnderstoodLine { trouble: Some(too_many()), ..line };
    }
    let mut names: Vec<&str> = requests.iter().filter_map(|request| request.name.as_deref()).take(SHOWN).collect();
    if requests.len() > SHOWN {
        names.push("…");
    }
    UnderstoodLine { text: names.join(", "), requests, ..line }
}

#[cfg(test)]
mod tests {
    use crate::intake::parse::text::understand;

    #[test]
    fn metalink_among_links_yields_all_its_files() {
        let sha = "a".repeat(64);
        let file = |name: &str| {
            format!(
                "<file name=\"{name}\">\n<size>5</size>\n<hash type=\"sha-256\">{sha}</hash><url>http://a.test/{name}</url></file>"
            )
        };
        let text = format!(
            "http://a.test/before\n<?xml version=\"1.0\"?>\n<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">{}\n{}</metalink>\nhttp://a.test/after",
            file("one.iso"),
            file("two.iso")
        );
        let lines = understand(&text);
        assert_eq!(lines.iter().map(|line| (line.number, line.lines)).collect::<Vec<_>>(), [(1, 1), (2, 7), (9, 1)]);
        assert_eq!(lines[1].text, "one.iso, two.iso");
        let two = &lines[1].requests[1];
        assert_eq!((two.url.as_str(), two.name.as_deref(), two.size), ("http://a.test/two.iso", Some("two.iso"), Some(5)));
        assert_eq!(two.checksum.as_deref(), Some(format!("sha-256={sha}").as_str()));
    }

    #[test]
    fn pasted_metalink_shows_first_files_and_is_refused_over_limit() {
        let document = |files: u32| {
            let file = |at: u32| format!("<file name=\"{at}\"><url>http://a.test/{at}</url></file>");
            let all: String = (0..files).map(file).collect();
            format!("<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">{all}</metalink>")
        };
        let line = super::read(&document(5), 5);
        assert_eq!((line.text.as_str(), line.requests.len()), ("0, 1, 2, …", 5));
        let line = super::read(&document(5), 4);
        assert_eq!((line.trouble.unwrap().code.as_str(), line.requests.len()), ("too-many", 0));
    }

    #[test]
    fn invalid_pasted_metalink_reports_reason() {
        for text in ["<?xml version=\"1.0\"?>\n<metalink></metalink>", "<metalink>\nhttp://a.test/"] {
            let lines = understand(text);
            assert_eq!(lines.len(), 1, "{text}");
            assert_eq!(lines[0].trouble.as_ref().unwrap().code, "metalink");
        }
    }
}
