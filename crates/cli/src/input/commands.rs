//! Expands input that is not a plain link.
//!
//! Such input is a link pattern, a link within copied text, or a command such as a cURL command. The engine parses it
//! in the same way for this program and for the window. If the engine cannot parse it, all input is refused with the
//! sentence of the engine.

use std::{io, mem};

use ashore_engine::{UserMessage, is_command, mended_link, understand};
use ashore_messages::message;
use ashore_rpc::CallFailure;

use crate::{
    arguments::{CliVerb, WantedDownload},
    limited_input::read_text,
    output::problem::CliProblem,
};

/// Maximum length of a command, in bytes. Commands that browsers copy are shorter.
const LONGEST_COMMAND: u64 = 1 << 20;

/// Replaces each pattern and each command in the arguments with its links.
///
/// Fails if the engine refuses a pattern or a command. Fails with a usage problem if the value of `--curl` is not
/// exactly one command.
pub fn read(verb: &mut CliVerb) -> Result<(), CliProblem> {
    let wanted = match verb {
        CliVerb::Get(fetching) => &mut fetching.wanted,
        CliVerb::Add(adding) => &mut adding.wanted,
        _ => return Ok(()),
    };
    match wanted.curl.take() {
        Some(command) => carry_out(wanted, &command),
        None if wanted.literal => Ok(()),
        None => count(wanted),
    }
}

fn carry_out(wanted: &mut WantedDownload, command: &str) -> Result<(), CliProblem> {
    let text = if command == "-" { piped()? } else { command.to_owned() };
    let mut lines = if is_command(&text) { understand(&text) } else { Vec::new() };
    let (Some(line), true) = (lines.pop(), lines.is_empty()) else {
        return Err(CliProblem::Usage(message!("curl")));
    };
    match line.trouble {
        Some(message) => Err(refused(message)),
        None => {
            (wanted.commanded, wanted.sign_in) = (line.requests, line.sign_in);
            Ok(())
        }
    }
}

fn piped() -> Result<String, CliProblem> {
    read_text(io::stdin().lock(), LONGEST_COMMAND).map_err(|error| CliProblem::Usage(message!("input.command", why = &error)))
}

fn count(wanted: &mut WantedDownload) -> Result<(), CliProblem> {
    // Index of the first link of each typed argument.
    let mut starts = Vec::new();
    for typed in mem::take(&mut wanted.urls) {
        starts.push(wanted.urls.len());
        wanted.urls.extend(links(mended(typed))?);
    }
    wanted.optional_from = wanted.optional_from.map(|from| starts.get(from).copied().unwrap_or(wanted.urls.len()));
    Ok(())
}

/// Returns a link without the text that was copied with it. Returns the path of a Metalink unchanged.
fn mended(typed: String) -> String {
    let lower = typed.to_ascii_lowercase();
    let is_path = !typed.contains("://") && (lower.ends_with(".meta4") || lower.ends_with(".metalink"));
    if is_path { typed } else { mended_link(&typed).unwrap_or(typed) }
}

/// Returns the links of the pattern `typed`, or `typed` itself if it is not a pattern.
fn links(typed: String) -> Result<Vec<String>, CliProblem> {
    if !typed.contains(['[', '{']) {
        return Ok(vec![typed]);
    }
    let mut lines = understand(&typed);
    match (lines.pop(), lines.is_empty()) {
        (Some(line), true) => match line.trouble {
            None => Ok(line.requests.into_iter().map(|request| request.url).collect()),
            Some(message) if message.code == "pattern" || message.code == "too-many" => Err(refused(message)),
            // Keep the text as a link. If it has another mistake, the engine reports the mistake when the link is
            // added.
            Some(_) => Ok(vec![typed]),
        },
        _ => Ok(vec![typed]),
    }
}

fn refused(message: UserMessage) -> CliProblem {
    CallFailure::Refused(message).into()
}

#[cfg(test)]
mod tests {
    use ashore_engine::SignIn;

    use super::*;
    use crate::arguments::AddArguments;

    fn read_of(wanted: WantedDownload) -> Result<WantedDownload, CliProblem> {
        let mut verb = CliVerb::Add(AddArguments { wanted, again: false, to: None });
        read(&mut verb)?;
        match verb {
            CliVerb::Add(adding) => Ok(adding.wanted),
            _ => unreachable!("it is the same verb"),
        }
    }

    fn urls(urls: &[&str]) -> WantedDownload {
        WantedDownload { urls: urls.iter().map(|&url| url.to_owned()).collect(), ..WantedDownload::default() }
    }

    fn problem_text(problem: CliProblem) -> String {
        problem.message().unwrap().text
    }

    #[test]
    fn optional_links_after_an_expanded_pattern_stay_optional() {
        let typed = WantedDownload {
            optional_from: Some(1),
            ..urls(&["http://a.test/[08:10]", "http://a.test/{a,b}", "http://[::1]/c"])
        };
        let read = read_of(typed).unwrap();
        let expected = ["08", "09", "10", "a", "b"].map(|name| format!("http://a.test/{name}"));
        assert_eq!(read.urls, [&expected[..], &["http://[::1]/c".to_owned()]].concat());
        assert_eq!(read.optional_from, Some(3));
        let all = WantedDownload { optional_from: Some(2), ..urls(&["http://a.test/[1:2]", "http://a.test/c"]) };
        assert_eq!(read_of(all).unwrap().optional_from, Some(3), "those of the list that follows them");
        let literal = WantedDownload { literal: true, ..urls(&["http://a.test/{a,b}"]) };
        assert_eq!(read_of(literal).unwrap().urls, ["http://a.test/{a,b}"]);
        assert_eq!(read_of(urls(&["no link [1:2]"])).unwrap().urls, ["no link [1:2]"]);
        assert!(problem_text(read_of(urls(&["http://a.test/[9:1]"])).unwrap_err()).contains("counts backwards"));
        assert!(problem_text(read_of(urls(&["http://a.test/[1:200000]"])).unwrap_err()).contains("more than 100,000"));
    }

    #[test]
    fn copied_link_loses_surrounding_text() {
        for (typed, link) in [
            ("<http://a.test/x>", "http://a.test/x"),
            ("'http://a.test/x'", "http://a.test/x"),
            ("http://a.test/k\nit.zip", "http://a.test/kit.zip"),
            ("view-source:http://a.test/x", "http://a.test/x"),
            ("my.folder/list.meta4", "my.folder/list.meta4"),
            ("1234abcd", "1234abcd"),
        ] {
            assert_eq!(read_of(urls(&[typed])).unwrap().urls, [link], "{typed:?}");
        }
    }

    #[test]
    fn copied_download_command_becomes_request_or_usage_error() {
        let curl = |command: &str| read_of(WantedDownload { curl: Some(command.to_owned()), ..WantedDownload::default() });
        let read = curl("curl 'http://a.test/x?a=[1:2]' \\\n -H 'X-Taste: plain' -u me:secret -o y.zip").unwrap();
        assert_eq!(read.commanded.len(), 1);
        assert_eq!(
            (read.commanded[0].url.as_str(), read.commanded[0].name.as_deref()),
            ("http://a.test/x?a=[1:2]", Some("y.zip"))
        );
        assert_eq!(read.commanded[0].headers, [("X-Taste".to_owned(), "plain".to_owned())]);
        assert_eq!(read.sign_in, Some(SignIn::Basic { user: "me".to_owned(), password: "secret".to_owned() }));
        assert!(problem_text(curl("curl http://a.test/x --cert --key").unwrap_err()).contains("does not support --cert, --key"));
        for command in [
            "wget -O y.zip --header='X-Taste: plain' http://a.test/x",
            "```sh\n$ curl http://a.test/x -H 'X-Taste: plain' -o y.zip\n```",
            "curl ^\"http://a.test/x^\" ^\r\n  -H ^\"X-Taste: plain^\" ^\r\n  -o y.zip",
            "Invoke-WebRequest -Uri \"http://a.test/x\" `\r\n-Headers @{\r\n\"X-Taste\"=\"plain\"\r\n} -OutFile y.zip",
        ] {
            let read = curl(command).unwrap().commanded;
            assert_eq!((read[0].url.as_str(), read[0].name.as_deref()), ("http://a.test/x", Some("y.zip")), "{command}");
            assert_eq!(read[0].headers, [("X-Taste".to_owned(), "plain".to_owned())], "{command}");
        }
        for none in ["scp http://a.test/x", "http://a.test/x", "", "curl http://a.test/x\ncurl http://a.test/y"] {
            let problem = curl(none).unwrap_err();
            assert_eq!(problem.code(), 2, "{none}");
            assert_eq!(problem.message().unwrap().code, "curl");
        }
    }
}
