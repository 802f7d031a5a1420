//! Reads a saved list line by line in bounded memory, and verifies its hash and counts against its last line. Other
//! modules validate the content of the lines.

use std::io::{self, BufRead, Read as _};

use ashore_messages::{UserMessage, message};
use sha2::{Digest as _, Sha256};

use crate::store::list_file::format::{KIND, LONGEST, ListFileHeader, ListFileLine, ListFileTrailer, VERSION};

/// First bytes of every saved list.
const BEGINS: &[u8] = br#"{"ashore":"export""#;

/// Reason why the rest of a saved list cannot be read.
#[derive(Debug)]
pub(crate) enum ListFileFault {
    /// The disk failed.
    Io(io::Error),
    /// The file is not a saved list.
    Other,
    /// The format version of the file is newer than this Ashore supports. Contains the version of the file.
    Newer(u32),
    /// The file ends before the end of its last line.
    Cut,
    /// The file differs from the exported file.
    Changed,
    /// A line is not valid. Contains the line number, counted from 1, and a whole sentence about the fault.
    Line(u64, UserMessage),
}

impl From<io::Error> for ListFileFault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Reader for the lines of a saved list after its first line.
#[derive(Debug)]
pub(crate) struct ListFileReader<R> {
    source: R,
    line: Vec<u8>,
    number: u64,
    hash: Sha256,
    is_checked: bool,
    /// Line number of the current registration, until its first request is read; `None` afterwards.
    lonely: Option<u64>,
    registrations: u64,
    requests: u64,
    read: u64,
}

impl<R: BufRead> ListFileReader<R> {
    /// Reads the first line. Without `is_checked`, the counts and the hash in the last line are ignored.
    pub fn open(source: R, is_checked: bool) -> Result<Self, ListFileFault> {
        let (line, hash) = (Vec::new(), Sha256::new());
        let mut lines = Self { source, line, number: 0, hash, is_checked, lonely: None, registrations: 0, requests: 0, read: 0 };
        match lines.advance() {
            Ok(()) => {}
            // A file counts as truncated only if it begins like a saved list. Any other file is of another kind.
            Err(ListFileFault::Cut) if lines.line.starts_with(BEGINS) || BEGINS.starts_with(&lines.line) => {
                return Err(ListFileFault::Cut);
            }
            Err(ListFileFault::Cut | ListFileFault::Line(..)) => return Err(ListFileFault::Other),
            Err(fault) => return Err(fault),
        }
        let header: ListFileHeader = serde_json::from_slice(&lines.line).map_err(|_| ListFileFault::Other)?;
        match header {
            ListFileHeader { ashore, .. } if ashore != KIND => Err(ListFileFault::Other),
            ListFileHeader { version, .. } if version > VERSION => Err(ListFileFault::Newer(version)),
            _ => Ok(lines),
        }
    }

    /// Returns a reader that starts in the middle of a file and reads only requests.
    pub fn amid(source: R) -> Self {
        let (line, hash) = (Vec::new(), Sha256::new());
        Self { source, line, number: 0, hash, is_checked: false, lonely: None, registrations: 1, requests: 0, read: 0 }
    }

    /// Returns the next line with known content, and its number. Returns `None` at the end of a complete file.
    pub fn next(&mut self) -> Result<Option<(u64, ListFileLine)>, ListFileFault> {
        loop {
            let before = self.hash.clone();
            self.advance()?;
            let wrong = |why: UserMessage| Err(ListFileFault::Line(self.number, why));
            let line: ListFileLine = match serde_json::from_slice(&self.line) {
                // Refuse an array, because Serde would accept an array of the field values in the right order.
                Ok(_) if !self.line.starts_with(b"{") => return wrong(message!("fault-line.object")),
                Ok(line) => line,
                Err(error) => return wrong(message!("fault-line.unreadable", why = error.to_string())),
            };
            let ListFileLine { limit, quota, registration, request, end } = &line;
            let said = [limit.is_some(), quota.is_some(), registration.is_some(), request.is_some(), end.is_some()];
            match said.iter().filter(|is_said| **is_said).count() {
                0 => continue,
                1 => {}
                _ => return wrong(message!("fault-line.several")),
            }
            if request.is_none()
                && let Some(number) = self.lonely.take()
            {
                return Err(ListFileFault::Line(number, message!("fault-line.no-file")));
            }
            if registration.is_some() {
                self.lonely = Some(self.number);
                self.registrations += 1;
            }
            if request.is_some() {
                if self.registrations == 0 {
                    return wrong(message!("fault-line.no-download"));
                }
                self.lonely = None;
                self.requests += 1;
            }
            if let Some(end) = end {
                self.finish(end, before)?;
                return Ok(None);
            }
            return Ok(Some((self.number, line)));
        }
    }

    /// Returns the number of bytes up to the end of the last line read.
    pub fn read(&self) -> u64 {
        self.read
    }

    /// Returns the number of registrations and requests so far, for assertions.
    #[cfg(debug_assertions)]
    pub fn counts(&self) -> (u64, u64) {
        (self.registrations, self.requests)
    }

    /// Reads the next line.
    fn advance(&mut self) -> Result<(), ListFileFault> {
        self.line.clear();
        self.number += 1;
        let most = u64::try_from(LONGEST).unwrap_or(u64::MAX);
        (&mut self.source).take(most).read_until(b'\n', &mut self.line)?;
        match self.line.last() {
            Some(b'\n') => {
                self.hash.update(&self.line);
                self.read += self.line.len() as u64;
                Ok(())
            }
            _ if self.line.len() == LONGEST => Err(ListFileFault::Line(self.number, message!("fault-line.long"))),
            _ => Err(ListFileFault::Cut),
        }
    }

    fn finish(&mut self, end: &ListFileTrailer, before: Sha256) -> Result<(), ListFileFault> {
        let has_more = !self.source.fill_buf()?.is_empty();
        if !self.is_checked {
            let why = || message!("fault-line.after-end");
            return if has_more { Err(ListFileFault::Line(self.number + 1, why())) } else { Ok(()) };
        }
        let Self { registrations, requests, .. } = self;
        let expected = ListFileTrailer {
            registrations: Some(*registrations),
            requests: Some(*requests),
            sha256: Some(hex::encode(before.finalize())),
        };
        if has_more || *end != expected { Err(ListFileFault::Changed) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGISTRATION: &str = r#"{"registration":{"id":"00000000-0000-4000-8000-000000000001","folder":"/a"}}"#;
    const REQUEST: &str = r#"{"request":{"asked":{"url":"https://a.test/"}}}"#;

    fn whole(lines: &[&str]) -> Vec<u8> {
        let mut text = b"{\"ashore\":\"export\",\"version\":1}\n".to_vec();
        lines.iter().for_each(|line| text.extend(format!("{line}\n").bytes()));
        let count = |begins: &str| lines.iter().filter(|line| line.starts_with(begins)).count() as u64;
        let end = ListFileTrailer {
            registrations: Some(count("{\"registration")),
            requests: Some(count("{\"request")),
            sha256: Some(hex::encode(Sha256::digest(&text))),
        };
        text.extend(ListFileLine { end: Some(end), ..ListFileLine::default() }.written().unwrap().unwrap());
        text
    }

    /// Returns the number of lines, or the fault.
    fn read(text: &[u8], is_checked: bool) -> Result<usize, String> {
        let said = |fault| match fault {
            ListFileFault::Line(number, why) => format!("{number}: {why}"),
            fault => format!("{fault:?}"),
        };
        let mut lines = ListFileReader::open(text, is_checked).map_err(said)?;
        let mut count = 0;
        while lines.next().map_err(said)?.is_some() {
            count += 1;
        }
        Ok(count)
    }

    #[test]
    fn truncated_list_file_is_detected_wherever_it_ends() {
        let text = whole(&[REGISTRATION, REQUEST, REQUEST]);
        assert_eq!(read(&text, true), Ok(3));
        for end in 0..text.len() {
            for is_checked in [true, false] {
                assert_eq!(read(&text[..end], is_checked), Err("Cut".to_owned()), "{end}");
            }
        }
    }

    #[test]
    fn edited_list_file_is_refused_only_if_integrity_check_is_requested() {
        let text = String::from_utf8(whole(&[REGISTRATION, REQUEST])).unwrap();
        let edited = text.replace("a.test", "b.test");
        assert_eq!(read(edited.as_bytes(), true), Err("Changed".to_owned()));
        assert_eq!(read(edited.as_bytes(), false), Ok(2));
        let uncounted = text.replace("\"requests\":1", "\"requests\":2");
        assert_eq!(read(uncounted.as_bytes(), true), Err("Changed".to_owned()));
        let by_hand = format!("{{\"ashore\":\"export\",\"version\":1}}\n{REGISTRATION}\n{REQUEST}\n{{\"end\":{{}}}}\n");
        assert_eq!(read(by_hand.as_bytes(), true), Err("Changed".to_owned()));
        assert_eq!(read(by_hand.as_bytes(), false), Ok(2));
        let longer = format!("{text}\n");
        assert_eq!(read(longer.as_bytes(), true), Err("Changed".to_owned()));
        assert_eq!(
            read(longer.as_bytes(), false),
            Err("5: Another line follows the end of the list. Remove that line.".to_owned())
        );
    }

    #[test]
    fn list_file_reader_distinguishes_foreign_files_from_newer_versions() {
        for other in ["hello", "hello\n", "{}\n", "{\"ashore\":\"import\",\"version\":1}\n", "\n", "\0"] {
            assert_eq!(read(other.as_bytes(), true), Err("Other".to_owned()), "{other:?}");
        }
        assert_eq!(read(&[b'a'; LONGEST + 1], true), Err("Other".to_owned()));
        let newer = "{\"ashore\":\"export\",\"version\":2,\"made\":{}}\n";
        assert_eq!(read(newer.as_bytes(), true), Err("Newer(2)".to_owned()));
    }

    #[test]
    fn invalid_line_is_reported_with_its_number() {
        for (lines, number) in [
            (vec!["nonsense"], 2),
            (vec!["[]"], 2),
            (vec![REQUEST], 2),
            (vec![REGISTRATION, REGISTRATION, REQUEST], 2),
            (vec![REGISTRATION, REQUEST, REGISTRATION], 4),
            (vec![REGISTRATION, r#"{"request":{"asked":{"url":1}}}"#], 3),
            (vec![r#"{"limit":{"bytes_per_second":-1}}"#], 2),
            (vec![r#"{"limit":{"bytes_per_second":1},"quota":{}}"#], 2),
        ] {
            let refused = read(&whole(&lines), true).unwrap_err();
            assert!(refused.starts_with(&format!("{number}: ")), "{lines:?}: {refused}");
        }
        let long = format!("{{\"a\":\"{}\"}}", "a".repeat(LONGEST));
        assert_eq!(read(&whole(&[&long]), true), Err("2: The line is longer than 1 MiB.".to_owned()));
        assert_eq!(read(&whole(&[r#"{"feed":{}}"#, "{}"]), true), Ok(0), "unknown lines are skipped");
    }
}
