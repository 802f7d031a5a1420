//! Parses a cURL command as browsers and manuals write it: addresses, headers and sign-in. [pure]
//!
//! A command with an unsupported part is refused with an error that names the part.

use ashore_messages::UserMessage;

use crate::{
    intake::parse::{
        request_parts::{
            ParsedFields, accept_method, basic, cookie_file, form, header, named_by, proxy, requests, without_value,
        },
        shell_words::ShellWords,
    },
    model::{NewRequest, SignIn},
};

/// Ignored options: they do not change the file, or match the default behaviour of Ashore.
///
/// Certificates are always checked. If a certificate is not valid, a command with `--insecure` fails with a message
/// that says so.
const ANYWAY: &[&str] = &[
    "-L",
    "--location",
    "-s",
    "--silent",
    "-S",
    "--show-error",
    "-f",
    "--fail",
    "-O",
    "--remote-name",
    "-J",
    "--remote-header-name",
    "-v",
    "--verbose",
    "-#",
    "--progress-bar",
    "--compressed",
    "-g",
    "--globoff",
    "-N",
    "--no-buffer",
    "--location-trusted",
    "-k",
    "--insecure",
    "-q",
    "--disable",
    "-4",
    "--ipv4",
    "-6",
    "--ipv6",
    "-0",
    "--http1.0",
    "--http1.1",
    "--http2",
    "--http2-prior-knowledge",
    "--http3",
    "-1",
    "--tlsv1",
    "--tlsv1.0",
    "--tlsv1.1",
    "--tlsv1.2",
    "--tlsv1.3",
    "--ssl-reqd",
    "--ssl-no-revoke",
    "--tcp-nodelay",
    "--no-keepalive",
    "--no-progress-meter",
    "--no-sessionid",
    "--no-alpn",
    "--fail-with-body",
    "--fail-early",
    "--create-dirs",
    "--retry-connrefused",
    "--retry-all-errors",
    "--remove-on-error",
    "--remote-name-all",
    "--remote-time",
    "-R",
    "-Z",
    "--parallel",
    "--path-as-is",
    "--styled-output",
    "--no-clobber",
    "--xattr",
    "-i",
    "--include",
    "--tr-encoding",
    "-a",
    "--append",
    "-j",
    "--junk-session-cookies",
];
/// Ignored options with a value. They are ignored for the reasons given at [`ANYWAY`].
const ANYWAY_WITH_VALUE: &[&str] = &[
    "-C",
    "--continue-at",
    "--retry",
    "--retry-delay",
    "--retry-max-time",
    "--connect-timeout",
    "--max-redirs",
    "--proto",
    "--proto-redir",
    "--proto-default",
    "--tls-max",
    "-m",
    "--max-time",
    "-w",
    "--write-out",
    "-D",
    "--dump-header",
    "--stderr",
    "--keepalive-time",
    "-Y",
    "--speed-limit",
    "-y",
    "--speed-time",
    "--parallel-max",
    "-c",
    "--cookie-jar",
    "--trace",
    "--trace-ascii",
    "--expect100-timeout",
];
/// Short options with a value, which may follow without a space: `-HName: value`.
const SHORT_WITH_VALUE: &str = "HAebuoXCmwDYycdFxrTEKUQ";

/// Returns the requests of the command with these `words`.
///
/// Fails with a message about the first unsupported part.
pub(super) fn read(ShellWords { words, output }: ShellWords) -> Result<ParsedFields, UserMessage> {
    let mut request = NewRequest { name: output.as_deref().and_then(named_by), ..NewRequest::default() };
    let mut urls: Vec<String> = Vec::new();
    let (mut sign_in, mut unknown, mut data, mut is_get) = (None, Vec::new(), Vec::new(), false);
    let mut words = words.into_iter().skip(1).flat_map(apart);
    while let Some(word) = words.next() {
        let (option, at_once) = match word {
            CurlWord::Plain(word) => {
                urls.push(word);
                continue;
            }
            CurlWord::Option(option, at_once) => (option, at_once),
        };
        if ANYWAY.contains(&option.as_str()) {
            continue;
        }
        let mut value = || {
            let next = || words.next().map(CurlWord::text);
            at_once.clone().or_else(next).ok_or_else(|| without_value(&option))
        };
        match option.as_str() {
            "-H" | "--header" => header(&value()?, &mut request, &mut sign_in)?,
            "-A" | "--user-agent" => request.headers.push(("User-Agent".to_owned(), value()?)),
            "-e" | "--referer" => {
                let page = value()?;
                request.headers.extend(
                    Some(page.trim_end_matches(";auto"))
                        .filter(|page| !page.is_empty())
                        .map(|page| ("Referer".to_owned(), page.to_owned())),
                );
            }
            "-b" | "--cookie" => {
                let cookie = value()?;
                if !cookie.contains('=') {
                    return Err(cookie_file());
                }
                request.headers.push(("Cookie".to_owned(), cookie));
            }
            "-u" | "--user" => sign_in = Some(basic(&value()?)),
            "--oauth2-bearer" => sign_in = Some(SignIn::Bearer { token: value()? }),
            "-o" | "--output" => request.name = named_by(&value()?),
            "--output-dir" => drop(value()?),
            "-X" | "--request" => accept_method(&value()?)?,
            "-r" | "--range" if at_once.as_deref().is_some_and(|range| range != "0-") => unknown.push(option),
            "-r" | "--range" => {
                if value()? != "0-" {
                    unknown.push(option);
                }
            }
            "--url" => urls.push(value()?),
            "-G" | "--get" => is_get = true,
            option if ANYWAY_WITH_VALUE.contains(&option) => drop(value()?),
            "-d" | "--data" | "--data-raw" | "--data-binary" | "--data-urlencode" | "--data-ascii" => data.push(value()?),
            "-F" | "--form" | "--json" | "--form-string" => return Err(form()),
            "-x" | "--proxy" => return Err(proxy()),
            _ => unknown.push(option),
        }
    }
    if !data.is_empty() && !is_get {
        return Err(form());
    }
    let query = data.join("&").replace(' ', "%20");
    if !query.is_empty() {
        for url in &mut urls {
            let joint = if url.contains('?') { '&' } else { '?' };
            *url = format!("{url}{joint}{query}");
        }
    }
    Ok((requests(&request, urls, &unknown)?, sign_in))
}

/// Word of a command: an option, which may contain its value, or a plain word.
enum CurlWord {
    Option(String, Option<String>),
    Plain(String),
}

impl CurlWord {
    /// Returns the original text of the word, for use as the value of the previous option.
    fn text(self) -> String {
        match self {
            Self::Plain(word) => word,
            Self::Option(option, None) => option,
            Self::Option(option, Some(value)) if option.starts_with("--") => format!("{option}={value}"),
            Self::Option(option, Some(value)) => option + &value,
        }
    }
}

/// Splits options that share one word, such as `-sSLo`.
fn apart(word: String) -> Vec<CurlWord> {
    if !word.starts_with('-') || word == "-" {
        return vec![CurlWord::Plain(word)];
    }
    if word.starts_with("--") {
        return vec![match word.split_once('=') {
            Some((option, value)) => CurlWord::Option(option.to_owned(), Some(value.to_owned())),
            None => CurlWord::Option(word, None),
        }];
    }
    let mut options = Vec::new();
    for (at, letter) in word.char_indices().skip(1) {
        let option = format!("-{letter}");
        if SHORT_WITH_VALUE.contains(letter) {
            let value = Some(word[at + letter.len_utf8()..].to_owned()).filter(|value| !value.is_empty());
            options.push(CurlWord::Option(option, value));
            return options;
        }
        options.push(CurlWord::Option(option, None));
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intake::parse::command;

    fn read(command: &str) -> Result<ParsedFields, UserMessage> {
        command::read(command)
    }

    fn refusal_text(command: &str) -> String {
        read(command).unwrap_err().text
    }

    #[test]
    fn curl_command_copied_from_browser_is_understood() {
        let command = "curl 'https://a.example/f.zip?x=1&y=2' -H 'accept: */*' -H 'Accept-Encoding: gzip' -b 'id=7; taste=plain' \
                       -H $'x-odd: a\\u0021' -A Browser -e https://a.example/ --compressed -sSL -o 'over/here.zip'";
        let (requests, sign_in) = read(command).unwrap();
        assert_eq!((requests.len(), sign_in), (1, None));
        assert_eq!(requests[0].url, "https://a.example/f.zip?x=1&y=2");
        assert_eq!(requests[0].name.as_deref(), Some("here.zip"));
        let headers: Vec<String> = requests[0].headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        let expected =
            ["accept: */*", "Cookie: id=7; taste=plain", "x-odd: a!", "User-Agent: Browser", "Referer: https://a.example/"];
        assert_eq!(headers, expected);
    }

    #[test]
    fn curl_credentials_become_sign_in_instead_of_header() {
        let (requests, sign_in) = read("curl -u ann:can:ary a.example/x --url=http://b.example").unwrap();
        assert_eq!(sign_in, Some(SignIn::Basic { user: "ann".to_owned(), password: "can:ary".to_owned() }));
        assert_eq!(requests.iter().map(|one| one.url.as_str()).collect::<Vec<_>>(), ["http://a.example/x", "http://b.example"]);
        let (requests, sign_in) = read("curl https://a.example -H'Authorization: Bearer canary'").unwrap();
        assert_eq!(sign_in, Some(SignIn::Bearer { token: "canary".to_owned() }));
        assert!(requests[0].headers.is_empty());
        assert!(refusal_text("curl https://a.example -H 'Authorization: Digest x'").contains("ashore sign-in"));
    }

    #[test]
    fn unsupported_parts_of_curl_command_are_named() {
        assert_eq!(
            refusal_text("curl https://a.example --cert --frobnicate"),
            "Ashore does not support --cert, --frobnicate in this command. Leave it out if it does not matter."
        );
        assert!(refusal_text("curl https://a.example -d x=1").contains("sends a form"));
        assert!(refusal_text("curl -X POST https://a.example").contains("sends a POST"));
        assert!(refusal_text("curl -x p:1 https://a.example").contains("proxy"));
        assert!(refusal_text("curl 'https://a.example").contains("not closed"));
        assert!(refusal_text("curl https://a.example -H").contains("-H of this command has no value"));
        assert!(refusal_text("curl https://a.example -b jar.txt").contains("--cookies"));
        assert!(refusal_text("curl -L").contains("contains no link"));
        assert!(refusal_text("curl -T a.zip https://a.example").contains("-T"));
        assert!(refusal_text("curl -r 5-9 https://a.example").contains("-r"));
    }

    #[test]
    fn irrelevant_curl_options_are_ignored_in_any_spelling() {
        for command in [
            "curl -sSLk -o out.bin https://a.example/x",
            "curl -fsSLO https://a.example/x",
            "curl -LOJ https://a.example/x",
            "curl --proto '=https' --tlsv1.2 -sSf https://a.example/x",
            "curl --retry 5 --retry-delay 2 --connect-timeout 10 -C - https://a.example/x",
            "curl -X GET --location --url https://a.example/x --http2 -r 0-",
            "curl --request=GET -m 30 -w '%{http_code}' https://a.example/x",
            "curl -sLo out.bin https://a.example/x | tar xz",
            "curl -H 'authority: a.example' -H 'Origin;' -H 'Accept:' -H 'Range: bytes=0-' https://a.example/x > x.zip",
        ] {
            let (requests, _) = read(command).unwrap();
            assert_eq!((requests[0].url.as_str(), requests[0].headers.len()), ("https://a.example/x", 0), "{command}");
        }
        assert_eq!(read("curl -sLo out.bin https://a.example").unwrap().0[0].name.as_deref(), Some("out.bin"));
        assert_eq!(read("curl https://a.example > x.zip").unwrap().0[0].name.as_deref(), Some("x.zip"));
        assert_eq!(
            read("curl -G https://a.example/x -d a=1 --data-urlencode 'b=2 3'").unwrap().0[0].url,
            "https://a.example/x?a=1&b=2%203"
        );
    }
}
