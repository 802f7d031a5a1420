//! Parses the lines of a checksum file, in every known form. [pure]
//!
//! - Forms of one line: GNU (`HEX  name`, `HEX *name`, `\HEX  escaped`), BSD and OpenSSL (`SHA256 (name) = HEX`).
//! - Also any line that consists of a digest, a name and the name of an algorithm: tables, `name: HEX`, `sha256:HEX`,
//!   `sha256-BASE64`.
//! - Forms of several lines: `certutil`, PowerShell's `Get-FileHash` as a list, the groups of `gpg --print-md`, and
//!   sections of Debian's `.dsc` and `Release`.
//! - Signatures around the text are skipped, and not verified.

use crate::{
    integrity::checksum_file::{
        ListedChecksum,
        algorithm_label::{AlgorithmLabel, from_base64, from_digits, from_word, is_neutral, label},
        relative,
    },
    model::digest::FileDigest,
};

/// Returns the digests in `text`, in order.
pub(super) fn read(text: &str) -> Vec<ListedChecksum> {
    let mut reader = Reader::default();
    for line in text.split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']) {
        reader.line(line);
    }
    reader.close_groups();
    reader.found
}

/// State of the parser. Earlier lines determine the meaning of the next line.
#[derive(Default)]
struct Reader {
    found: Vec<ListedChecksum>,
    heading: Heading,
    groups: Option<Groups>,
    armor: Armor,
}

/// Line that announces digests.
#[derive(Default)]
struct Heading {
    label: Option<AlgorithmLabel>,
    /// File to which the next bare digest applies.
    name: Option<String>,
    /// Whether each line has a size between its digest and its name.
    has_sizes: bool,
}

/// Digest that is written in groups of digits: the digits parsed so far.
struct Groups {
    name: Option<String>,
    label: Option<AlgorithmLabel>,
    digits: String,
}

/// Position in a signed message (RFC 9580, section 7).
#[derive(Default, PartialEq)]
enum Armor {
    #[default]
    None,
    Header,
    Text,
    Signature,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let Some(line) = self.unsigned(line) else { return };
        let trimmed = line.trim();
        if trimmed.is_empty() {
            self.close_groups();
            return;
        }
        if let Some(groups) = &mut self.groups
            && let Some(digits) = grouped(trimmed)
        {
            groups.digits.push_str(&digits);
            return;
        }
        self.close_groups();
        if let Some(comment) = trimmed.strip_prefix(['#', ';']) {
            self.comment(comment);
        } else if let Some(listed) = tagged(trimmed).or_else(|| self.plain(trimmed, line.starts_with([' ', '\t']))) {
            self.found.push(listed);
        } else if !self.is_field(trimmed) && !self.is_grouped(trimmed) {
            let found = loose(trimmed, self.heading.label);
            if found.is_empty() {
                self.announce(trimmed);
            }
            for mut listed in found {
                listed.name = listed.name.or_else(|| self.heading.name.clone());
                self.found.push(listed);
            }
        }
    }

    /// Returns the line without signature markup.
    ///
    /// Returns `None` if the line is not part of the signed text.
    fn unsigned<'a>(&mut self, line: &'a str) -> Option<&'a str> {
        if line.starts_with("-----BEGIN PGP SIGNED MESSAGE") {
            self.armor = Armor::Header;
            return None;
        }
        if line.starts_with("-----BEGIN PGP SIGNATURE") {
            self.armor = Armor::Signature;
            return None;
        }
        match self.armor {
            Armor::None => Some(line),
            Armor::Text => Some(line.strip_prefix("- ").unwrap_or(line)),
            Armor::Header => {
                if line.trim().is_empty() {
                    self.armor = Armor::Text;
                }
                None
            }
            Armor::Signature => {
                if line.starts_with("-----END PGP SIGNATURE") {
                    self.armor = Armor::None;
                }
                None
            }
        }
    }

    /// Parses a comment. Comments matter only as headings of sections.
    fn comment(&mut self, text: &str) {
        let text = text.trim_matches(|letter: char| matches!(letter, '#' | ':' | '*' | '`') || letter.is_whitespace());
        if let Some(label) = label(text) {
            self.heading = Heading { label: Some(label), ..Heading::default() };
        }
    }

    /// Parses `HEX  name`, `HEX *name`, `\HEX  escaped\nname`, or `HEX` alone.
    fn plain(&mut self, line: &str, is_indented: bool) -> Option<ListedChecksum> {
        let (is_escaped, line) = match line.strip_prefix('\\') {
            Some(line) => (true, line),
            None => (false, line),
        };
        let (digits, rest) = line.split_at(line.find([' ', '\t']).unwrap_or(line.len()));
        if self.heading.label == Some(AlgorithmLabel::Foreign) {
            return None;
        }
        let digest = from_digits(None, digits)?;
        let mut name = rest.trim_start();
        if self.heading.has_sizes
            && is_indented
            && let Some((size, after)) = name.split_once([' ', '\t'])
            && size.bytes().all(|byte| byte.is_ascii_digit())
        {
            name = after.trim_start();
        }
        let name = unquoted(name.strip_prefix('*').unwrap_or(name));
        let name = if is_escaped { unescape(name)? } else { name.to_owned() };
        let name = relative(&name).or_else(|| self.heading.name.take());
        Some(ListedChecksum { name, digest })
    }

    /// Parses a line `Key : value` that describes the digest in a neighbouring line.
    ///
    /// This is the form of `Get-FileHash | Format-List`. Returns false for a line in another form.
    fn is_field(&mut self, line: &str) -> bool {
        let Some((key, value)) = line.split_once(':') else { return false };
        let value = value.trim();
        match key.trim().to_ascii_lowercase().as_str() {
            "algorithm" => {
                self.heading = Heading { label: label(value), ..Heading::default() };
                true
            }
            "hash" => match from_digits(self.heading.label, value) {
                Some(digest) => {
                    self.found.push(ListedChecksum { name: None, digest });
                    true
                }
                None => false,
            },
            "path" => {
                if let Some(last) = self.found.last_mut().filter(|last| last.name.is_none()) {
                    last.name = relative(unquoted(value));
                }
                true
            }
            _ => false,
        }
    }

    /// Parses the first line of a digest that is written in groups.
    ///
    /// Examples: `name: 0123ABCD ...`, `name: SHA256 = 01 23 ...`, `01 23 ...`. Returns false for a line in another
    /// form.
    fn is_grouped(&mut self, line: &str) -> bool {
        let start = line.char_indices().rev().find(|(_, letter)| !letter.is_ascii_hexdigit() && !letter.is_whitespace());
        let at = start.map_or(0, |(at, letter)| at + letter.len_utf8());
        let (before, digits) = line.split_at(at);
        let Some(digits) = grouped(digits.trim()).filter(|_| before.is_empty() || before.ends_with([':', '='])) else {
            return false;
        };
        let (rest, own) = labelled(before);
        let name = relative(unquoted(rest)).or_else(|| self.heading.name.take());
        self.groups = Some(Groups { name, label: own.or(self.heading.label), digits });
        true
    }

    fn close_groups(&mut self) {
        let Some(Groups { name, label, digits }) = self.groups.take() else { return };
        self.found.extend(from_digits(label, &digits).map(|digest| ListedChecksum { name, digest }));
    }

    /// Parses a line without a digest.
    ///
    /// A line that ends in a colon, or that contains only the name of an algorithm, announces the digests after it.
    fn announce(&mut self, line: &str) {
        let bare =
            line.trim_matches(|letter: char| matches!(letter, '*' | '`' | '[' | ']' | '|' | '_') || letter.is_whitespace());
        let Some(text) = bare.strip_suffix(':').or_else(|| label(bare).map(|_| bare)) else { return };
        let has_sizes = matches!(text, "Files" | "SHA1" | "SHA256" | "SHA512" | "MD5Sum") || text.starts_with("Checksums-Sha");
        let own = match text {
            "Files" => label("md5"),
            // Needed for languages other than English: in German, certutil writes `SHA256-Hash von Datei ...`.
            _ => text.split_whitespace().find_map(|word| label(word).or_else(|| label(word.split('-').next()?))),
        };
        let name = match own {
            Some(_) => [" hash of file ", " hash of "].iter().find_map(|of| Some(text.split_once(of)?.1)),
            None => Some(text),
        };
        self.heading = Heading { label: own, name: name.and_then(|name| relative(unquoted(name.trim()))), has_sizes };
    }
}

/// Parses `SHA256 (name) = HEX`, or the OpenSSL form `SHA2-256(name)= HEX`.
fn tagged(line: &str) -> Option<ListedChecksum> {
    let (is_escaped, line) = match line.strip_prefix('\\') {
        Some(line) => (true, line),
        None => (false, line),
    };
    let (before, digits) = line.rsplit_once('=')?;
    let (name_of, name) = before.trim_end().strip_suffix(')')?.split_once('(')?;
    let own = label(name_of)?;
    let digest = from_digits(Some(own), digits.trim()).or_else(|| from_base64(Some(own), digits.trim()))?;
    let name = if is_escaped { unescape(name)? } else { name.to_owned() };
    Some(ListedChecksum { name: relative(&name), digest })
}

const QUOTES: [char; 7] = ['"', '\'', '`', '“', '”', '‘', '’'];

/// Returns whether `letter` may directly follow a digest.
fn is_border(letter: char) -> bool {
    letter.is_whitespace()
        || QUOTES.contains(&letter)
        || matches!(letter, '|' | ',' | ';' | ':' | '=' | '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | '*')
}

/// Finds digests anywhere in `line`. The rest of the line is the file name.
fn loose(line: &str, heading: Option<AlgorithmLabel>) -> Vec<ListedChecksum> {
    let mut found: Vec<FileDigest> = Vec::new();
    let (mut name, mut is_seen) = (None, false);
    let mut after = 0;
    let mut start = 0;
    for (end, border) in line.char_indices().chain([(line.len(), ' ')]).filter(|(_, letter)| is_border(*letter)) {
        let word = &line[start..end];
        let at = start;
        start = end + if end == line.len() { 0 } else { border.len_utf8() };
        if word.len() < 22 {
            continue;
        }
        // A quote next to the digest is not part of the name.
        let (rest, own) = labelled(line[after..at].trim_end_matches(QUOTES));
        let digest = from_word(own, word).or_else(|| own.is_none().then(|| whole_in_base64(line)).flatten());
        let Some(digest) = digest else {
            if own == Some(AlgorithmLabel::Foreign) && word.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                (after, is_seen) = (end, true);
            }
            continue;
        };
        if own.is_none() && heading == Some(AlgorithmLabel::Foreign) {
            return Vec::new();
        }
        name = name.or_else(|| relative(unquoted(rest)));
        (after, is_seen) = (end, true);
        found.push(digest);
    }
    if is_seen && name.is_none() {
        let (rest, _) = labelled(line[after..].trim_start_matches(QUOTES));
        name = relative(unquoted(rest));
    }
    found.into_iter().map(|digest| ListedChecksum { name: name.clone(), digest }).collect()
}

/// Parses a line that is one Base64 digest, as `openssl dgst -binary | base64` prints it.
fn whole_in_base64(line: &str) -> Option<FileDigest> {
    let is_digest = line.ends_with('=') && matches!(line.len(), 24 | 28 | 44 | 88);
    is_digest.then(|| from_base64(None, line)).flatten()
}

/// Removes algorithm names and separators from both ends of `text`.
///
/// Returns the rest and the algorithm. If both ends name an algorithm, the one at the end wins.
fn labelled(text: &str) -> (&str, Option<AlgorithmLabel>) {
    let mut rest = trimmed(text);
    let mut own = None;
    while let Some(word) = rest.rsplit([' ', '\t', ':', ',', '|', '=', '(', '`']).next()
        && let found = label(word)
        && (found.is_some() || is_neutral(word))
    {
        own = own.or(found);
        rest = trimmed(&rest[..rest.len() - word.len()]);
        if rest.is_empty() {
            return (rest, own);
        }
    }
    while let Some(word) = rest.split([' ', '\t', ':', ',', '|', '=', '(']).next()
        && word.len() < rest.len()
        && let found = label(word)
        && (found.is_some() || is_neutral(word))
    {
        own = own.or(found);
        rest = trimmed(&rest[word.len()..]);
    }
    (rest, own)
}

fn trimmed(text: &str) -> &str {
    let text = text
        .trim_matches(|letter: char| letter.is_whitespace() || matches!(letter, '|' | ',' | ';' | ':' | '=' | '`' | '*' | '•'));
    // A bracket without its counterpart belongs to the format of the line, not to the file name.
    let text = if text.contains(')') { text } else { text.strip_suffix('(').unwrap_or(text) };
    if text.contains('(') { text.trim() } else { text.strip_prefix(')').unwrap_or(text).trim() }
}

/// Returns a name without surrounding quotes and without Markdown link syntax.
fn unquoted(name: &str) -> &str {
    let name = name.trim();
    let pairs = [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”'), ('‘', '’'), ('<', '>')];
    let inside = pairs.iter().find_map(|(open, close)| name.strip_prefix(*open)?.strip_suffix(*close));
    let name = inside.unwrap_or(name);
    match name.strip_prefix('[').and_then(|rest| rest.strip_suffix(')')?.split_once("](")) {
        Some((shown, _)) => shown,
        None => name,
    }
}

/// Returns the digits of a line if it consists only of groups of two, four or eight digits.
fn grouped(line: &str) -> Option<String> {
    let mut groups = line.split_whitespace().peekable();
    let length = groups.peek()?.len();
    let is_group = |group: &str| group.len() == length && group.bytes().all(|byte| byte.is_ascii_hexdigit());
    (matches!(length, 2 | 4 | 8) && groups.clone().all(is_group)).then(|| groups.collect())
}

/// Decodes `\n`, `\r` and `\\`. Returns `None` for any other escape.
fn unescape(name: &str) -> Option<String> {
    let mut plain = String::with_capacity(name.len());
    let mut characters = name.chars();
    while let Some(character) = characters.next() {
        plain.push(match character {
            '\\' => match characters.next()? {
                'n' => '\n',
                'r' => '\r',
                '\\' => '\\',
                _ => return None,
            },
            other => other,
        });
    }
    Some(plain)
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
