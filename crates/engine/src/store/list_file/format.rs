//! A list that is saved in a file: what stands in its lines, as `docs/export.md` says it to whoever reads one. What must not
//! leave this machine has no place in here. `asked` is what was asked for, `redact` says what may leave, `reader` reads a
//! file line by line. No ledger, no rules for what may come in. [pure]
//!
//! Fields that a reader does not know are passed over, so more may be said in time; what they mean never changes.

use serde::{Deserialize, Serialize};

use crate::model::{FailureReason, FileCategory, RecordedVerification, RegistrationResult, RequestSource, UniqueId, UserMessage};
pub(crate) use crate::store::list_file::reader::{ListFileFault, ListFileReader};
pub(crate) use crate::store::list_file::request::{ExportedRequest, ImportFingerprint, ImportFingerprinter};
pub(crate) use crate::{intake::userinfo::without_sign_in, store::list_file::redact::leaves};

/// The version of the format. A reader refuses newer ones.
pub(crate) const VERSION: u32 = 1;
/// The longest line in bytes, with its end.
pub(crate) const LONGEST: usize = 1 << 20;
/// What the first line says that it is.
pub(crate) const KIND: &str = "export";

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ListFileHeader {
    /// Always `export`.
    pub ashore: String,
    pub version: u32,
    /// In milliseconds of Unix time, as all times in here.
    #[serde(default)]
    pub made_at: i64,
    /// The program.
    #[serde(default)]
    pub by: String,
}

impl ListFileHeader {
    pub fn new(now_us: i64) -> Self {
        let by = concat!("Ashore ", env!("CARGO_PKG_VERSION")).to_owned();
        Self { ashore: KIND.to_owned(), version: VERSION, made_at: now_us.div_euclid(1000), by }
    }
}

/// Every other line has one of these. One that has none of them says something that is not known here.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ListFileLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<ExportedLimit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quota: Option<ExportedQuota>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registration: Option<Box<ExportedRegistration>>,
    /// Of the registration before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<Box<ExportedCaller>>,
    /// The last line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<ListFileTrailer>,
}

/// How fast bytes may come and go: from a host, or everything together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ExportedLimit {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    pub bytes_per_second: u64,
}

/// How much of the list may be whose, and of what kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ExportedQuota {
    /// None: everybody's together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// None: all kinds together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<FileCategory>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<u64>,
}

/// A registration; its requests are the lines behind it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExportedRegistration {
    pub id: UniqueId,
    #[serde(default)]
    pub owner: String,
    #[serde(default)]
    pub source: Option<RequestSource>,
    /// The owner's own name for it; none where that is its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub developer_id: Option<String>,
    #[serde(default)]
    pub title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    pub folder: String,
    #[serde(default)]
    pub kind: Option<FileCategory>,
    #[serde(default)]
    pub created: i64,
    /// How it ended; `""` where it is not over.
    #[serde(default)]
    pub result: RegistrationResult,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<i64>,
    /// The first failure in time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<ExportedFailure>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub paused: bool,
    /// Among what is not over, the lower goes first.
    #[serde(default)]
    pub rank: i64,
    /// Of its requests at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parallel: Option<u32>,
    /// What its creator declared; 0 unknown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub download_total: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_for_seconds: Option<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub takes_files: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_per_second: Option<u64>,
    /// What would have made the line too long, by its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// Why a registration failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExportedFailure {
    pub reason: FailureReason,
    #[serde(default)]
    pub code: String,
    #[serde(default)]
    pub text: String,
}

/// Where a request stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ExportedState {
    /// It is not there, and nobody gave up on it: it waits, runs, or was cancelled with its registration.
    #[default]
    Unfinished,
    /// Its file is there.
    Done,
    /// A failure that trying again will not mend.
    Failed,
}

/// A request with what became of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ExportedCaller {
    pub asked: ExportedRequest,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<FileCategory>,
    pub state: ExportedState,
    /// Tries that ended.
    #[serde(skip_serializing_if = "is_default")]
    pub tries: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done: Option<ExportedCompletion>,
    /// What the server answered, of what is not unfinished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<ExportedResponse>,
    /// The tries that failed, as far as they are remembered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<ExportedAttempt>,
    /// Of what is unfinished, the checksum files that may be about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vouchers: Vec<ExportedChecksumLink>,
    /// What would have made the line too long, by its name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// A file that is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExportedCompletion {
    /// None where the answer was no file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    pub size: u64,
    /// Bytes that were sent for it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sent: u64,
    #[serde(default = "unverified")]
    pub verified: RecordedVerification,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<i64>,
    #[serde(default)]
    pub finished: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brought: Option<u64>,
}

/// An answer's head, without what may be secret in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ExportedResponse {
    pub status: u16,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub status_text: String,
    pub headers: Vec<(String, String)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub headers_left_out: Vec<String>,
    pub url_chain: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_size: Option<u64>,
    pub name: String,
}

/// A try that failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExportedAttempt {
    pub number: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<i64>,
    #[serde(default)]
    pub ended: i64,
    /// `""` where it was tried again.
    #[serde(default)]
    pub reason: FailureReason,
    #[serde(flatten)]
    pub trouble: UserMessage,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Body bytes that were there then.
    #[serde(default)]
    pub bytes: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brought: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub url_chain: Vec<String>,
}

/// A checksum file that may be about a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ExportedChecksumLink {
    /// Which request of the registration it is, from 0.
    pub index: u32,
    pub algorithm: String,
    /// The checksum, once the file is there and names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
}

/// The last line. What is missing is only missed by who checks the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ListFileTrailer {
    pub registrations: Option<u64>,
    pub requests: Option<u64>,
    /// Of all bytes before this line, in hexadecimal digits.
    pub sha256: Option<String>,
}

impl ListFileLine {
    /// As it is written, with its end. What makes it too long is left out where it can be, and named. None: it is too long all
    /// the same.
    pub fn written(mut self) -> Result<Option<Vec<u8>>, serde_json::Error> {
        loop {
            let mut text = serde_json::to_vec(&self)?;
            text.push(b'\n');
            if text.len() <= LONGEST {
                return Ok(Some(text));
            }
            if !self.lighten() {
                return Ok(None);
            }
        }
    }

    /// Leaves out the next thing that can be done without. False: there is none left.
    fn lighten(&mut self) -> bool {
        if let Some(request) = &mut self.request {
            let left_out = if request.asked.pieces.take().is_some() {
                "pieces"
            } else if !std::mem::take(&mut request.attempts).is_empty() {
                "attempts"
            } else if request.answer.take().is_some() {
                "answer"
            } else if request.asked.next.take().is_some() {
                "next"
            } else if !std::mem::take(&mut request.vouchers).is_empty() {
                "vouchers"
            } else {
                return false;
            };
            request.left_out.push(left_out.to_owned());
            return true;
        }
        let Some(registration) = &mut self.registration else { return false };
        let left_out = if registration.developer_id.take().is_some() {
            "developer_id"
        } else if !std::mem::take(&mut registration.description).is_empty() {
            "description"
        } else if !std::mem::take(&mut registration.title).is_empty() {
            "title"
        } else {
            return false;
        };
        registration.left_out.push(left_out.to_owned());
        true
    }
}

fn unverified() -> RecordedVerification {
    RecordedVerification::No
}

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_makes_a_line_too_long_is_left_out_and_named() {
        let digests = vec!["a".repeat(64); 20_000];
        let pieces =
            crate::store::list_file::request::ExportedPieces { algorithm: "sha-256".to_owned(), length: 1 << 20, digests };
        let asked = ExportedRequest { url: "https://a.test/".to_owned(), pieces: Some(pieces), ..ExportedRequest::default() };
        let line = ListFileLine {
            request: Some(Box::new(ExportedCaller { asked, ..ExportedCaller::default() })),
            ..ListFileLine::default()
        };
        let written = line.written().unwrap().unwrap();
        let read: ListFileLine = serde_json::from_slice(&written).unwrap();
        let request = read.request.unwrap();
        assert_eq!(
            (request.asked.url.as_str(), request.asked.pieces, request.left_out),
            ("https://a.test/", None, vec!["pieces".to_owned()])
        );
        let asked = ExportedRequest { url: format!("https://a.test/{}", "a".repeat(LONGEST)), ..ExportedRequest::default() };
        let line = ListFileLine {
            request: Some(Box::new(ExportedCaller { asked, ..ExportedCaller::default() })),
            ..ListFileLine::default()
        };
        assert_eq!(line.written().unwrap(), None, "a link is never left out");
    }

    /// Each of them alone is too long.
    #[test]
    fn what_can_be_done_without_is_left_out_in_the_order_in_which_it_is_missed_least() {
        let long = "a".repeat(LONGEST);
        let request = json!({
            "asked": {
                "url": "https://a.test/",
                "pieces": { "algorithm": "sha-256", "length": 1, "digests": [long] },
                "next": { "list": [{ "url": long }] },
            },
            "attempts": [{ "number": 1, "ended": 0, "reason": "", "code": "reset", "text": long }],
            "answer": { "status": 200, "status_text": long },
            "vouchers": [{ "index": 0, "algorithm": long }],
        });
        let registration = json!({ "id": UniqueId(uuid::Uuid::nil()), "folder": "/f", "developer_id": long, "title": long });
        for (line, left_out) in [
            (json!({ "request": request }), ["pieces", "attempts", "answer", "next", "vouchers"].as_slice()),
            (json!({ "registration": registration }), &["developer_id", "title"]),
        ] {
            let line: ListFileLine = serde_json::from_value(line).unwrap();
            let read: ListFileLine = serde_json::from_slice(&line.written().unwrap().unwrap()).unwrap();
            let named = read.request.map(|request| request.left_out).or(read.registration.map(|new| new.left_out));
            assert_eq!(named.unwrap(), left_out);
        }
        let registration = json!({ "id": UniqueId(uuid::Uuid::nil()), "folder": long });
        let line: ListFileLine = serde_json::from_value(json!({ "registration": registration })).unwrap();
        assert_eq!(line.written().unwrap(), None, "a folder is never left out");
        let line: ListFileLine = serde_json::from_value(json!({ "quota": { "owner": long } })).unwrap();
        assert_eq!(line.written().unwrap(), None, "an owner neither");
    }

    #[test]
    fn what_a_reader_does_not_know_is_passed_over() {
        let line: ListFileLine = serde_json::from_str(r#"{"feed":{"a":1}}"#).unwrap();
        assert_eq!(line, ListFileLine::default());
        let line =
            r#"{"request":{"asked":{"url":"https://a.test/","colour":"red"},"state":"done","mood":[],"done":{"size":1,"x":2}}}"#;
        let line: ListFileLine = serde_json::from_str(line).unwrap();
        assert_eq!(line.request.map(|request| request.state), Some(ExportedState::Done));
    }
}
