//! Reads a PowerShell command (`Invoke-WebRequest`) in the form that browsers copy. [pure]
//!
//! The first lines may prepare the session of the command. A command with an unsupported part is refused with an error
//! that names the part.

use ashore_messages::{UserMessage, message};

use crate::{
    intake::parse::{
        request_parts::{ParsedFields, accept_method, form, header, named_by, proxy, requests, without_value},
        shell_words::{self, ShellKind},
    },
    model::{NewRequest, SignIn},
};

/// Ignored options without a value. They do not change the file.
const ANYWAY: &[&str] = &[
    "-usebasicparsing",
    "-skipcertificatecheck",
    "-resume",
    "-passthru",
    "-disablekeepalive",
    "-skipheadervalidation",
    "-preserveauthorizationonredirect",
    "-allowinsecureredirect",
    "-skiphttperrorcheck",
    "-verbose",
];
/// Ignored options with a value. They do not change the file.
const ANYWAY_WITH_VALUE: &[&str] = &[
    "-websession",
    "-sessionvariable",
    "-sv",
    "-timeoutsec",
    "-maximumredirection",
    "-maximumretrycount",
    "-retryintervalsec",
    "-httpversion",
    "-sslprotocol",
    "-contenttype",
    "-erroraction",
    "-connectiontimeoutseconds",
    "-operationtimeoutseconds",
];

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Text(String),
    Word(String),
    Sign(char),
}

impl Token {
    fn value(self) -> Option<String> {
        match self {
            Self::Text(text) | Self::Word(text) => Some(text),
            Self::Sign(_) => None,
        }
    }
}

/// Whether a line prepares the session that the next command uses.
pub(super) fn is_preparation(line: &str) -> bool {
    let line = line.trim_start();
    let name = line.strip_prefix('$').map(|rest| rest.split(['.', ' ', '=']).next().unwrap_or_default());
    let is_session =
        name.is_some_and(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
    is_session && (line.contains("New-Object") || line.contains(".UserAgent") || line.contains(".Cookies.Add") || has_call(line))
}

/// Whether `line` can be part of a PowerShell command with several lines.
pub(super) fn is_part(line: &str) -> bool {
    line.trim().is_empty() || is_preparation(line) || has_call(line)
}

/// Whether `text` calls a command that fetches, such as `Invoke-WebRequest`.
pub(super) fn has_call(text: &str) -> bool {
    text.split([' ', '\n', '\t', '=', ';', '(']).any(|word| {
        ["invoke-webrequest", "iwr", "invoke-restmethod", "irm", "curl", "wget"]
            .iter()
            .any(|name| word.eq_ignore_ascii_case(name))
    })
}

/// Whether a `curl` or `wget` command is meant for PowerShell.
pub(super) fn has_options(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    ["-uri ", "-headers ", "-outfile ", "-usebasicparsing"].iter().any(|option| lower.contains(option))
}

/// Whether `text` has an unclosed quote or bracket.
pub(super) fn is_open(text: &str) -> bool {
    tokens(text).is_none_or(|tokens| {
        let count = |sign: char| tokens.iter().filter(|token| **token == Token::Sign(sign)).count();
        count('{') > count('}') || count('(') > count(')')
    })
}

/// Returns the request of `command`. Fails with a message about the first unsupported part.
pub(super) fn read(command: &str) -> Result<ParsedFields, UserMessage> {
    let tokens = tokens(command).ok_or_else(|| message!("command"))?;
    let mut request = NewRequest::default();
    let (mut url, mut sign_in, mut unknown, mut cookies) = (None, None, Vec::new(), Vec::new());
    let mut is_called = false;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let word = match token {
            Token::Text(text) => {
                if is_called && url.is_none() {
                    url = Some(text);
                }
                continue;
            }
            Token::Word(word) => word,
            Token::Sign(_) => continue,
        };
        let lower = word.to_ascii_lowercase();
        if !is_called {
            if lower.ends_with(".useragent") {
                tokens.next_if_eq(&Token::Word("=".to_owned()));
                request.headers.extend(tokens.next().and_then(Token::value).map(|value| ("User-Agent".to_owned(), value)));
            } else if lower.ends_with("net.cookie") {
                let mut texts =
                    std::iter::from_fn(|| tokens.next_if(|token| *token != Token::Sign(')'))).filter_map(Token::value);
                if let (Some(name), Some(value)) = (texts.next(), texts.next()) {
                    cookies.push(format!("{name}={value}"));
                }
            } else {
                is_called = has_call(&word);
            }
            continue;
        }
        if !word.starts_with('-') {
            if url.is_none() {
                url = Some(word);
            }
            continue;
        }
        if ANYWAY.contains(&lower.as_str()) {
            continue;
        }
        let mut value = || tokens.next().and_then(Token::value).ok_or_else(|| without_value(&word));
        match lower.as_str() {
            "-uri" | "-url" => url = Some(value()?),
            "-outfile" => request.name = named_by(&value()?),
            "-useragent" => request.headers.push(("User-Agent".to_owned(), value()?)),
            "-method" | "-custommethod" => accept_method(&value()?)?,
            "-headers" => headers(&mut tokens, &mut request, &mut sign_in)?,
            "-body" | "-form" | "-infile" => return Err(form()),
            "-proxy" => return Err(proxy()),
            option if ANYWAY_WITH_VALUE.contains(&option) => drop(tokens.next()),
            _ => unknown.push(word.clone()),
        }
    }
    if !cookies.is_empty() {
        request.headers.push(("Cookie".to_owned(), cookies.join("; ")));
    }
    Ok((requests(&request, url.into_iter().collect(), &unknown)?, sign_in))
}

/// Reads `@{ "name"="value"; ... }`.
fn headers(
    tokens: &mut std::iter::Peekable<impl Iterator<Item = Token>>,
    request: &mut NewRequest,
    sign_in: &mut Option<SignIn>,
) -> Result<(), UserMessage> {
    let unclear = || message!("command.headers");
    tokens.next_if_eq(&Token::Word("@".to_owned()));
    if tokens.next_if_eq(&Token::Sign('{')).is_none() {
        return Err(unclear());
    }
    loop {
        match tokens.next().ok_or_else(unclear)? {
            Token::Sign('}') => return Ok(()),
            Token::Sign(_) => {}
            Token::Text(name) | Token::Word(name) => {
                tokens.next_if_eq(&Token::Sign('=')).ok_or_else(unclear)?;
                let value = tokens.next().and_then(Token::value).ok_or_else(unclear)?;
                // Pseudo-header fields of HTTP/2 (RFC 9113, section 8.3.1).
                if !["method", "path", "scheme", "authority"].contains(&name.to_ascii_lowercase().as_str()) {
                    header(&format!("{name}: {value}"), request, sign_in)?;
                }
            }
        }
    }
}

/// Returns the tokens of a command; `None` for an unclosed quote.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.peek().copied() {
        if letter.is_whitespace() {
            letters.next();
            continue;
        }
        if matches!(letter, '"' | '\'' | '“' | '‘') {
            found.push(Token::Text(shell_words::quoted_text(&mut letters, ShellKind::PowerShell)?));
            continue;
        }
        if is_sign(letter, depth) {
            letters.next();
            match letter {
                '{' | '(' => depth += 1,
                '}' | ')' => depth = depth.saturating_sub(1),
                // Another command begins after a pipe.
                '|' if depth == 0 => break,
                _ => {}
            }
            found.push(Token::Sign(letter));
            continue;
        }
        let mut word = String::new();
        while let Some(letter) =
            letters.next_if(|letter| !letter.is_whitespace() && !is_sign(*letter, depth) && !matches!(letter, '"' | '\''))
        {
            match letter {
                // A backtick at the end of a line joins this line to the next one.
                '`' => word.extend(letters.next().filter(|next| !matches!(next, '\n' | '\r'))),
                letter => word.push(letter),
            }
        }
        let word = word.trim_end_matches(';');
        if !word.is_empty() {
            found.push(Token::Word(word.to_owned()));
        }
    }
    Some(found)
}

/// Whether `letter` is a token by itself. `=`, `;` and `,` are tokens only inside brackets, because addresses may
/// contain them.
fn is_sign(letter: char, depth: usize) -> bool {
    matches!(letter, '{' | '}' | '(' | ')' | '|') || depth > 0 && matches!(letter, '=' | ';' | ',')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn powershell_command_from_browser_is_understood_with_session_lines() {
        let command = "$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\n$session.UserAgent = \"Mozilla/5.0 (X; Y)\"\n\
            $session.Cookies.Add((New-Object System.Net.Cookie(\"s\", \"1\", \"/\", \"a.example\")))\n\
            $session.Cookies.Add((New-Object System.Net.Cookie(\"t\", \"2=\", \"/\", \"a.example\")))\n\
            Invoke-WebRequest -UseBasicParsing -Uri \"http://a.example/x?a=1&b=2\" `\n-WebSession $session `\n-Headers @{\n\"authority\"=\"a.example\"\n\
            \"method\"=\"GET\"\n  \"path\"=\"/x\"\n  \"scheme\"=\"https\"\n  \"accept-encoding\"=\"gzip\"\n  \"X-Key\"=\"k`\"1\"\n}";
        let (requests, sign_in) = read(command).unwrap();
        assert_eq!((requests[0].url.as_str(), sign_in), ("http://a.example/x?a=1&b=2", None));
        assert_eq!(
            requests[0].headers,
            [pair("User-Agent", "Mozilla/5.0 (X; Y)"), pair("X-Key", "k\"1"), pair("Cookie", "s=1; t=2=")]
        );
    }

    #[test]
    fn powershell_command_written_by_hand_is_understood() {
        for command in [
            "Invoke-WebRequest -Uri 'http://a.example/x' -OutFile x.zip -Headers @{ 'X-Key' = 'k-1' }",
            "iwr http://a.example/x -OutFile C:\\out\\x.zip -Headers @{'X-Key'='k-1';}",
            "irm -Headers @{X-Key=\"k-1\"} -Method Get -OutFile \"x.zip\" \"http://a.example/x\" | Out-Null",
            "curl -Uri http://a.example/x -Headers @{\"X-Key\"=\"k-1\"} -OutFile x.zip",
        ] {
            let (requests, _) = read(command).unwrap();
            assert_eq!(
                (requests[0].url.as_str(), requests[0].name.as_deref()),
                ("http://a.example/x", Some("x.zip")),
                "{command}"
            );
            assert_eq!(requests[0].headers, [pair("X-Key", "k-1")], "{command}");
        }
        let (_, sign_in) = read("iwr http://a.example -Headers @{\"Authorization\"=\"Bearer canary\"}").unwrap();
        assert_eq!(sign_in, Some(SignIn::Bearer { token: "canary".to_owned() }));
    }

    #[test]
    fn unsupported_parts_of_powershell_command_are_named() {
        let said = |command: &str| read(command).unwrap_err().text;
        assert!(said("iwr http://a.example -Method POST").contains("sends a POST"));
        assert!(said("iwr http://a.example -Body 'a=1'").contains("form"));
        assert!(said("iwr http://a.example -Headers $mine").contains("headers in full"));
        assert!(said("iwr http://a.example -Credential $me").contains("-Credential"));
        assert!(said("iwr 'http://a.example").contains("not closed"));
        assert!(said("iwr -UseBasicParsing").contains("no link"));
        assert!(is_open("iwr @{") && is_open("iwr 'a") && !is_open("iwr @{ a=b }"));
    }
}
