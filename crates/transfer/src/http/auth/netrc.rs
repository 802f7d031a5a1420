//! Reads `.netrc` files: user names and passwords by host name. [pure]
//!
//! - Entries name no scheme, and `default` matches every host. Credentials from a `.netrc` are therefore sent only to a
//!   server that sends a challenge.
//! - The format has no standard, so parsing follows curl. Keywords match in any case. `#` begins a comment only where a
//!   keyword is possible. A byte order mark is skipped.
//! - The first matching entry of the file is used. `default` counts as a match.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use url::Url;

use crate::http::HttpSecret;

/// Entries of a `.netrc` file. The `Debug` output contains no passwords.
#[derive(Clone, Default)]
pub struct Netrc {
    entries: Vec<NetrcEntry>,
}

#[derive(Clone, Default)]
struct NetrcEntry {
    /// Host name, possibly with a port. `None` for `default`.
    machine: Option<String>,
    login: Option<String>,
    password: Option<String>,
    /// Whether the file is not UTF-8. If so, each character stands for one byte.
    is_bytes: bool,
}

impl Netrc {
    /// Parses the bytes of a file.
    ///
    /// If the file is not UTF-8, each byte becomes one character, so that a password in another character set is sent
    /// unchanged.
    pub fn read(bytes: &[u8]) -> Self {
        match str::from_utf8(bytes) {
            Ok(text) => Self::parse(text),
            Err(_) => {
                let mut read = Self::parse(&bytes.iter().map(|&byte| char::from(byte)).collect::<String>());
                read.entries.iter_mut().for_each(|entry| entry.is_bytes = true);
                read
            }
        }
    }

    /// Parses `text`. Skips unknown words, as other parsers do.
    pub fn parse(text: &str) -> Self {
        let mut entries: Vec<NetrcEntry> = Vec::new();
        let mut words = Words { rest: text.trim_start_matches('\u{feff}') };
        while let Some(word) = words.keyword() {
            match word.to_ascii_lowercase().as_str() {
                // Without a host name, stop: the entry would match every host, like `default`.
                "machine" => {
                    let Some(name) = words.value() else { break };
                    entries.push(NetrcEntry { machine: Some(host_name(&name)), ..NetrcEntry::default() });
                }
                "default" => entries.push(NetrcEntry::default()),
                keyword @ ("login" | "password" | "account") => {
                    let value = words.value();
                    match (keyword, entries.last_mut()) {
                        ("login", Some(entry)) => entry.login = value,
                        ("password", Some(entry)) => entry.password = value,
                        _ => {}
                    }
                }
                "macdef" => words.skip_macro(),
                _ => {}
            }
        }
        Self { entries }
    }

    /// Inserts the entries of `other` before the existing ones.
    pub(in crate::http) fn put_first(&mut self, other: Self) {
        self.entries.splice(0..0, other.entries);
    }

    /// Returns the credentials for `url`. If there is a `user`, only entries of this user match.
    ///
    /// Prefers the first matching entry with a password, then the first matching entry with a login.
    pub(crate) fn find(&self, url: &Url, user: Option<&str>) -> Option<HttpSecret> {
        let host = host_name(url.host_str()?);
        let with_port = url.port_or_known_default().map(|port| format!("{host}:{port}"));
        let is_of_host = |name: &str| name == host || Some(name) == with_port.as_deref();
        let matching = |entry: &&NetrcEntry| {
            entry.machine.as_deref().is_none_or(is_of_host) && user.is_none_or(|user| entry.login.as_deref() == Some(user))
        };
        let entries = || self.entries.iter().filter(matching);
        let entry = entries().find(|entry| entry.password.is_some()).or_else(|| entries().find(|entry| entry.login.is_some()))?;
        Some(entry.secret())
    }
}

impl NetrcEntry {
    fn secret(&self) -> HttpSecret {
        let (user, password) = (self.login.clone().unwrap_or_default(), self.password.clone().unwrap_or_default());
        if !self.is_bytes {
            return HttpSecret::Basic { user, password };
        }
        // Each character stands for one byte.
        let bytes = |text: &str| text.chars().map(|letter| u8::try_from(letter).unwrap_or(b'?')).collect::<Vec<u8>>();
        match (String::from_utf8(bytes(&user)), String::from_utf8(bytes(&password))) {
            (Ok(user), Ok(password)) => HttpSecret::Basic { user, password },
            _ => HttpSecret::Other(format!("Basic {}", STANDARD.encode([bytes(&user), vec![b':'], bytes(&password)].concat()))),
        }
    }
}

/// Returns the normalised form of a host name, for comparison.
///
/// The form is lower case, without the brackets of an address and without a trailing dot. The port is kept.
fn host_name(name: &str) -> String {
    let name = name.to_lowercase();
    let (host, port) = match name.strip_prefix('[').and_then(|name| name.split_once(']')) {
        Some((address, port)) => (address.to_owned(), port),
        // An IPv6 address without brackets has several colons and no port.
        None => match name.split_once(':') {
            Some((host, port)) if !port.contains(':') => (host.to_owned(), &name[name.len() - port.len() - 1..]),
            _ => (name.clone(), ""),
        },
    };
    format!("{}{port}", host.trim_end_matches('.'))
}

impl fmt::Debug for Netrc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let machines = self.entries.iter().map(|entry| entry.machine.as_deref().unwrap_or("default"));
        f.debug_list().entries(machines).finish()
    }
}

/// Splits text into words at white space.
///
/// A word in double quotes may contain white space, and a backslash inside the quotes escapes the next character. A
/// word without a closing quote ends with its line. Otherwise a later password could become part of a host name, and
/// host names are printed.
struct Words<'a> {
    rest: &'a str,
}

impl Words<'_> {
    /// Returns the next word where a keyword is possible. Skips comments.
    fn keyword(&mut self) -> Option<String> {
        loop {
            self.rest = self.rest.trim_start();
            if !self.rest.starts_with('#') {
                return self.value();
            }
            self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
        }
    }

    /// Returns the next word without skipping comments, because a password may begin with `#`.
    fn value(&mut self) -> Option<String> {
        self.rest = self.rest.trim_start();
        if let Some(quoted) = self.rest.strip_prefix('"') {
            return Some(self.quoted(quoted.len()));
        }
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(word.to_owned())
    }

    fn quoted(&mut self, length: usize) -> String {
        let inside = &self.rest[self.rest.len() - length..];
        let mut word = String::new();
        let mut letters = inside.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.rest = &inside[at + 1..];
                    return word;
                }
                '\n' => {
                    self.rest = &inside[at..];
                    return word;
                }
                // A backslash at the end of a line escapes nothing. The word ends there.
                '\\' if inside[at + 1..].starts_with('\n') => {}
                '\\' => match letters.next() {
                    Some((_, 'n')) => word.push('\n'),
                    Some((_, 't')) => word.push('\t'),
                    Some((_, 'r')) => word.push('\r'),
                    Some((_, other)) => word.push(other),
                    None => {}
                },
                other => word.push(other),
            }
        }
        self.rest = "";
        word
    }

    /// Skips a macro, which ends at the first empty line.
    fn skip_macro(&mut self) {
        while let Some((line, rest)) = self.rest.split_once('\n') {
            self.rest = rest;
            if line.trim().is_empty() {
                return;
            }
        }
        self.rest = "";
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(text: &str, host: &str) -> Option<(String, String)> {
        let url = Url::parse(&format!("http://{host}/")).unwrap();
        match Netrc::parse(text).find(&url, None)? {
            HttpSecret::Basic { user, password } => Some((user, password)),
            HttpSecret::Bearer(_) | HttpSecret::Other(_) => None,
        }
    }

    fn pair(user: &str, password: &str) -> Option<(String, String)> {
        Some((user.to_owned(), password.to_owned()))
    }

    #[test]
    fn netrc_entries_are_found_in_any_layout() {
        let text = "# mine\nmachine a.test login ann password one\nmachine B.test\n\tlogin bob\n\tpassword \"two words \\\"q\\\"\"\n\
                    account x\nmacdef init\nmachine c.test login no password no\n\nmachine [::1]\n";
        assert_eq!(found(text, "a.test"), pair("ann", "one"));
        assert_eq!(found(text, "b.test"), pair("bob", "two words \"q\""));
        assert_eq!(found(text, "c.test"), None, "a macro is no entry");
        assert_eq!(found(text, "d.test"), None);
    }

    #[test]
    fn first_matching_netrc_entry_is_used() {
        let text =
            "machine a.test login one password 1\nmachine a.test login two password 2\ndefault login anonymous password me@";
        assert_eq!(found(text, "a.test"), pair("one", "1"));
        assert_eq!(found(text, "z.test"), pair("anonymous", "me@"));
        let text = "default login anonymous password me@\nmachine a.test login one password 1";
        assert_eq!(found(text, "a.test"), pair("anonymous", "me@"), "the default entry matches and is the first");
        assert_eq!(found("machine a.test password only", "a.test"), pair("", "only"));
        assert_eq!(found("machine a.test login only", "a.test"), pair("only", ""));
        assert_eq!(found("machine a.test login none\nmachine a.test login two password 2", "a.test"), pair("two", "2"));
        assert_eq!(found("machine a.test account x", "a.test"), None);
    }

    #[test]
    fn hash_sign_begins_comment_only_where_keyword_may_stand() {
        for (text, password) in [
            ("machine a.test login kim password #s3cret", "#s3cret"),
            ("machine a.test login kim password s3#cret", "s3#cret"),
            ("machine a.test login kim password \"# s3\"", "# s3"),
            ("# machine a.test login no password no\nmachine a.test login kim password x # old password y", "x"),
            ("machine a.test login kim # the usual\n\tpassword x", "x"),
        ] {
            assert_eq!(found(text, "a.test"), pair("kim", password), "{text}");
        }
        assert_eq!(found("machine a.test login #kim password #", "a.test"), pair("#kim", "#"));
    }

    #[test]
    fn netrc_entry_is_found_despite_bom_or_case_or_line_endings() {
        for text in [
            "\u{feff}machine a.test login kim password x",
            "machine a.test\r\nlogin kim\r\npassword x\r\n",
            "MACHINE A.TEST Login kim PASSWORD x",
            "machine a.test. login kim password x",
            "machine a.test password x login kim",
            "macdef init\r\nmachine a.test login no password no\r\n\r\nmachine a.test login kim password x",
            "macdef init\nmachine a.test login no password no\n \nmachine a.test login kim password x\n\n",
            "machine a.test login kim account y password x",
            "machine a.test:80 login kim password x",
            "machine a.test:81 login no password no\nmachine a.test login kim password x",
        ] {
            assert_eq!(found(text, "a.test"), pair("kim", "x"), "{text:?}");
        }
        for name in ["::1", "[::1]", "[::1]:80"] {
            assert_eq!(found(&format!("machine {name} login kim password x"), "[::1]"), pair("kim", "x"), "{name}");
        }
        assert_eq!(found("machine a.test login login password password", "a.test"), pair("login", "password"));
    }

    #[test]
    fn lookup_by_user_name_ignores_entries_of_other_users() {
        let netrc = Netrc::parse("machine a.test login ann password 1 machine a.test login bob password 2");
        let of = |user| netrc.find(&Url::parse("https://a.test/").unwrap(), Some(user));
        assert_eq!(of("bob"), Some(HttpSecret::Basic { user: "bob".to_owned(), password: "2".to_owned() }));
        assert_eq!(of("eve"), None);
    }

    #[test]
    fn non_utf_8_credentials_are_sent_unchanged() {
        let netrc = Netrc::read(b"machine b.test login j\xfcrg password x\nmachine a.test login kim password s3cret");
        let of = |host: &str| netrc.find(&Url::parse(&format!("http://{host}/")).unwrap(), None);
        assert_eq!(of("a.test"), Some(HttpSecret::Basic { user: "kim".to_owned(), password: "s3cret".to_owned() }));
        assert_eq!(of("b.test"), Some(HttpSecret::Other(format!("Basic {}", STANDARD.encode(b"j\xfcrg:x")))));
    }

    #[test]
    fn netrc_passwords_are_not_printed() {
        let netrc = Netrc::parse("machine a.test login ann password canary");
        assert_eq!(format!("{netrc:?}"), "[\"a.test\"]");
        let unclosed = "machine \"a.test\\\n  login me password canary\nmachine b.test login bob password b";
        assert_eq!(format!("{:?}", Netrc::parse(unclosed)), "[\"a.test\", \"b.test\"]");
        assert_eq!(found(unclosed, "a.test"), pair("me", "canary"));
    }

    proptest! {
        #[test]
        fn arbitrary_text_parses_without_panic(text in ".{0,200}", words in "(machine|login|password|default|macdef|\"|#|\\\\|\n| |a){0,60}") {
            Netrc::parse(&text).find(&Url::parse("http://a/").unwrap(), None);
            Netrc::parse(&words).find(&Url::parse("http://a/").unwrap(), None);
        }
    }
}
