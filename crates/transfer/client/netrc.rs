//! A `.netrc`: who signs in where, by host name. [pure]
//!
//! It knows neither schemes nor ports, and its `default` matches every host there is; that is why what it says is only
//! given to a server that asks for it.

use std::fmt;

use super::Secret;

/// A `.netrc` that was read. Prints itself without passwords.
#[derive(Clone, Default)]
pub struct Netrc {
    entries: Vec<Entry>,
}

#[derive(Clone, Default)]
struct Entry {
    /// None for `default`.
    machine: Option<String>,
    login: Option<String>,
    password: Option<String>,
}

impl Netrc {
    /// Reads `text`. Words that are not known are passed over, as every other reader does.
    pub fn parse(text: &str) -> Self {
        let mut entries: Vec<Entry> = Vec::new();
        let mut words = Words { rest: text };
        while let Some(word) = words.next() {
            match word.as_str() {
                // Without a name it would be taken for the default.
                "machine" => {
                    let Some(name) = words.next() else { break };
                    entries.push(Entry { machine: Some(name.to_lowercase()), ..Entry::default() });
                }
                "default" => entries.push(Entry::default()),
                "login" | "password" | "account" => {
                    let value = words.next();
                    match (word.as_str(), entries.last_mut()) {
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

    /// Looks into `other` before this one.
    pub(super) fn put_first(&mut self, other: Self) {
        self.entries.splice(0..0, other.entries);
    }

    /// What signs in at `host`: the first entry that names it, else the default.
    pub(crate) fn find(&self, host: &str) -> Option<Secret> {
        let host = host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.');
        let named = self.entries.iter().find(|entry| entry.machine.as_deref() == Some(host));
        let entry = named.or_else(|| self.entries.iter().find(|entry| entry.machine.is_none()))?;
        let (user, password) = (entry.login.clone()?, entry.password.clone().unwrap_or_default());
        Some(Secret::Basic { user, password })
    }
}

impl fmt::Debug for Netrc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let machines = self.entries.iter().map(|entry| entry.machine.as_deref().unwrap_or("default"));
        f.debug_list().entries(machines).finish()
    }
}

/// Words between white space; one in double quotes may hold some, and a backslash in it spares the next letter. One whose quotes
/// are never closed ends with its line: what follows may be a password, and is no part of a name that is told.
struct Words<'a> {
    rest: &'a str,
}

impl Words<'_> {
    fn next(&mut self) -> Option<String> {
        loop {
            self.rest = self.rest.trim_start();
            if !self.rest.starts_with('#') {
                break;
            }
            self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
        }
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
                // No letter to be spared: it ends there too.
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

    /// A macro ends at the first empty line.
    fn skip_macro(&mut self) {
        let end = self.rest.find("\n\n").or_else(|| self.rest.find("\n\r\n"));
        self.rest = end.map_or("", |end| &self.rest[end..]);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(text: &str, host: &str) -> Option<(String, String)> {
        match Netrc::parse(text).find(host)? {
            Secret::Basic { user, password } => Some((user, password)),
            Secret::Bearer(_) | Secret::Other(_) => None,
        }
    }

    fn pair(user: &str, password: &str) -> Option<(String, String)> {
        Some((user.to_owned(), password.to_owned()))
    }

    #[test]
    fn entries_are_found_however_they_are_laid_out() {
        let text = "# mine\nmachine a.test login ann password one\nmachine B.test\n\tlogin bob\n\tpassword \"two words \\\"q\\\"\"\n\
                    account x\nmacdef init\nmachine c.test login no password no\n\nmachine [::1]\n";
        assert_eq!(found(text, "a.test"), pair("ann", "one"));
        assert_eq!(found(text, "b.test"), pair("bob", "two words \"q\""));
        assert_eq!(found(text, "c.test"), None, "a macro is no entry");
        assert_eq!(found(text, "d.test"), None);
    }

    #[test]
    fn the_first_that_names_a_host_counts_and_the_default_comes_last() {
        let text = "default login anonymous password me@\nmachine a.test login one password 1\nmachine a.test login two password 2";
        assert_eq!(found(text, "a.test"), pair("one", "1"));
        assert_eq!(found(text, "z.test"), pair("anonymous", "me@"));
        assert_eq!(found("machine a.test password only", "a.test"), None, "nobody is nobody");
        assert_eq!(found("machine a.test login only", "a.test"), pair("only", ""));
    }

    #[test]
    fn passwords_are_not_printed() {
        let netrc = Netrc::parse("machine a.test login ann password canary");
        assert_eq!(format!("{netrc:?}"), "[\"a.test\"]");
        let unclosed = "machine \"a.test\\\n  login me password canary\nmachine b.test login bob password b";
        assert_eq!(format!("{:?}", Netrc::parse(unclosed)), "[\"a.test\", \"b.test\"]");
        assert_eq!(found(unclosed, "a.test"), pair("me", "canary"));
    }

    proptest! {
        #[test]
        fn any_text_can_be_read(text in ".{0,200}", words in "(machine|login|password|default|macdef|\"|#|\\\\|\n| |a){0,60}") {
            Netrc::parse(&text).find("a");
            Netrc::parse(&words).find("a");
        }
    }
}
