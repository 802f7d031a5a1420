//! Parses authentication challenges of servers and proxies: schemes with parameters (RFC 9110, section 11.6.1). [pure]

use http::{HeaderMap, HeaderName};

/// Authentication scheme offered by a server or proxy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::http) struct AuthChallenge {
    /// Scheme name in lower case.
    pub scheme: String,
    /// Parameters: names in lower case, values without quotes.
    parameters: Vec<(String, String)>,
}

impl AuthChallenge {
    /// Returns the value of the parameter `name`.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// Returns the challenges of all header fields with this name, in order.
pub(in crate::http) fn challenges(headers: &HeaderMap, name: &HeaderName) -> Vec<AuthChallenge> {
    let mut found: Vec<AuthChallenge> = Vec::new();
    for value in headers.get_all(name) {
        let text = String::from_utf8_lossy(value.as_bytes());
        // Each field starts with a scheme, so a parameter never continues a challenge of the previous field.
        let mut is_first = true;
        for part in outside_quotes(&text) {
            let part = part.trim();
            let (word, rest) = part.split_at(part.find([' ', '\t', '=']).unwrap_or(part.len()));
            let is_parameter = rest.trim_start().starts_with('=');
            if word.is_empty() {
                continue;
            }
            if is_parameter && !is_first {
                if let Some(challenge) = found.last_mut() {
                    challenge.parameters.extend(parameter(part));
                }
            } else if !is_parameter {
                let scheme = word.to_ascii_lowercase();
                found.push(AuthChallenge { scheme, parameters: parameter(rest.trim()).into_iter().collect() });
                is_first = false;
            }
        }
    }
    found
}

/// Parses `name=value`. Returns `None` for a bare token.
///
/// Accepts blanks around the equals sign, because some servers write them.
fn parameter(text: &str) -> Option<(String, String)> {
    let (name, value) = text.split_once('=')?;
    let value = value.trim();
    let value = match value.strip_prefix('"') {
        Some(quoted) => unquoted(quoted),
        None => value.to_owned(),
    };
    Some((name.trim().to_ascii_lowercase(), value))
}

/// Returns the part of `text` before the closing quote. A backslash escapes the next character (RFC 9110, section
/// 5.6.4).
fn unquoted(text: &str) -> String {
    let mut value = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => break,
            '\\' => value.extend(letters.next()),
            other => value.push(other),
        }
    }
    value
}

/// Splits `text` at commas that are not inside quotes.
fn outside_quotes(text: &str) -> Vec<&str> {
    let (mut parts, mut begin, mut is_quoted, mut is_spared) = (Vec::new(), 0, false, false);
    for (at, letter) in text.char_indices() {
        match letter {
            _ if is_spared => is_spared = false,
            '\\' if is_quoted => is_spared = true,
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => {
                parts.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    parts
}

#[cfg(test)]
mod tests {
    use http::{HeaderValue, header::WWW_AUTHENTICATE};

    use super::*;

    fn read(fields: &[&'static str]) -> Vec<AuthChallenge> {
        let mut headers = HeaderMap::new();
        for text in fields {
            headers.append(WWW_AUTHENTICATE, HeaderValue::from_static(text));
        }
        challenges(&headers, &WWW_AUTHENTICATE)
    }

    #[test]
    fn authentication_schemes_are_parsed_despite_quotes_and_stray_commas() {
        for (text, schemes) in [
            ("Basic realm=\"a\"", vec!["basic"]),
            ("Digest realm=\"a, Basic b\", qop=auth, Basic realm=x", vec!["digest", "basic"]),
            ("Digest realm=\"say \\\"Bearer, x\\\"\", Negotiate", vec!["digest", "negotiate"]),
            (", Basic", vec!["basic"]),
            ("Negotiate YII=, Basic", vec!["negotiate", "basic"]),
            ("realm=\"x\"", vec![]),
            ("", vec![]),
        ] {
            let found: Vec<String> = read(&[text]).into_iter().map(|challenge| challenge.scheme).collect();
            assert_eq!(found, schemes, "{text}");
        }
    }

    #[test]
    fn authentication_parameters_are_assigned_to_their_challenge() {
        let found =
            read(&["Digest REALM = \"a \\\"b\\\"\" , nonce=n/=, qop=\"auth,auth-int\", Basic realm=x", "Digest nonce=\"m\""]);
        let get = |place: usize, name| found[place].get(name);
        assert_eq!((get(0, "realm"), get(0, "nonce"), get(0, "qop")), (Some("a \"b\""), Some("n/="), Some("auth,auth-int")));
        assert_eq!((get(1, "realm"), get(1, "nonce"), get(2, "nonce")), (Some("x"), None, Some("m")));
    }
}
