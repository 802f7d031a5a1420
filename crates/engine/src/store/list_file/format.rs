//! Lines of a saved list, as `docs/export.md` describes them. [pure]
//!
//! - The format has no field for a secret that must not leave this machine.
//! - `request` holds the content of requests, `redact` decides which values may be exported, `reader` reads a file line
//!   by line.
//! - This module has no access to the ledger and no rules for import.
//! - Readers skip unknown fields, so fields may be added. The meaning of a field never changes.

use std::collections::BTreeMap;

use ashore_messages::{MessageArgument, UserMessage};
use serde::{Deserialize, Serialize};

pub(crate) use crate::intake::userinfo::without_sign_in;
use crate::model::{FailureReason, FileCategory, RecordedVerification, RegistrationResult, RequestSource, UniqueId};
pub(crate) use crate::store::list_file::reader::{ListFileFault, ListFileReader};
pub(crate) use crate::store::list_file::redact::{leaves, without_pages};
pub(crate) use crate::store::list_file::request::{ExportedRequest, ImportFingerprint, ImportFingerprinter};

/// Version of the format. A reader refuses newer versions.
pub(crate) const VERSION: u32 = 1;
/// Maximum length of a line in bytes, including its end.
pub(crate) const LONGEST: usize = 1 << 20;
/// Value of the `ashore` field in the first line.
pub(crate) const KIND: &str = "export";

/// First line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ListFileHeader {
    /// The value is always `export`.
    pub ashore: String,
    pub version: u32,
    /// Time in milliseconds of Unix time, like all times in this format.
    #[serde(default)]
    pub made_at: i64,
    /// Program that wrote the file.
    #[serde(default)]
    pub by: String,
}

impl ListFileHeader {
    pub fn new(now_us: i64) -> Self {
        let by = concat!("Ashore ", env!("CARGO_PKG_VERSION")).to_owned();
        Self { ashore: KIND.to_owned(), version: VERSION, made_at: now_us.div_euclid(1000), by }
    }
}

/// Any line except the first; exactly one field is set. A line without a known field comes from a newer version.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ListFileLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<ExportedLimit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quota: Option<ExportedQuota>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registration: Option<Box<ExportedRegistration>>,
    /// Request of the preceding registration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<Box<ExportedCaller>>,
    /// Last line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<ListFileTrailer>,
}

/// Speed limit of one host, or of all transfers together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ExportedLimit {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    pub bytes_per_second: u64,
}

/// Quota of an owner and a category.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ExportedQuota {
    /// `None`: all owners together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// `None`: all categories together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<FileCategory>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<u64>,
}

/// A registration; its requests are the lines after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExportedRegistration {
    pub id: UniqueId,
    #[serde(default)]
    pub owner: String,
    #[serde(default)]
    pub source: Option<RequestSource>,
    /// Id given by the owner; `None` if it equals `id`.
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
    /// Result of the registration; `""` if the registration is unfinished.
    #[serde(default)]
    pub result: RegistrationResult,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<i64>,
    /// Reason of the registration's earliest failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<ExportedFailure>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub paused: bool,
    /// Place in the queue among unfinished registrations. The lowest place is first.
    #[serde(default)]
    pub rank: i64,
    /// Maximum number of requests of the registration that are fetched in parallel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parallel: Option<u32>,
    /// Total size in bytes, as the creator declared it; 0 if unknown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub download_total: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_for_seconds: Option<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub takes_files: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_per_second: Option<u64>,
    /// Names of fields that were left out because the line would be too long.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// Reason why a registration failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExportedFailure {
    pub reason: FailureReason,
    #[serde(default)]
    pub code: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub args: BTreeMap<String, MessageArgument>,
    #[serde(default)]
    pub text: String,
}

/// State of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ExportedState {
    /// The file is not complete, and the request has not failed for good. The request waits, runs, or was cancelled
    /// with its registration.
    #[default]
    Unfinished,
    /// The file is complete.
    Done,
    /// The request failed, and a retry cannot fix the failure.
    Failed,
}

/// A request in an exported list, with its outcome.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ExportedCaller {
    pub asked: ExportedRequest,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<FileCategory>,
    pub state: ExportedState,
    /// Number of attempts that have ended, with any result.
    #[serde(skip_serializing_if = "is_default")]
    pub tries: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done: Option<ExportedCompletion>,
    /// Response of the server; `None` for an unfinished request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<ExportedResponse>,
    /// Failed attempts that are still recorded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<ExportedAttempt>,
    /// Checksum files that may cover this request. Filled only while the request is unfinished.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vouchers: Vec<ExportedChecksumLink>,
    /// Names of fields that were left out because the line would be too long.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// A complete file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExportedCompletion {
    /// Path of the file; `None` if the response was not stored as a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    pub size: u64,
    /// Number of bytes that were sent for the request.
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

/// Head of a response, without fields that may be secret.
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

/// A failed attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExportedAttempt {
    pub number: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<i64>,
    #[serde(default)]
    pub ended: i64,
    /// Reason of the failure; `""` if the request was retried.
    #[serde(default)]
    pub reason: FailureReason,
    #[serde(flatten)]
    pub trouble: UserMessage,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Number of body bytes that had been received when the attempt failed.
    #[serde(default)]
    pub bytes: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brought: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub url_chain: Vec<String>,
}

/// A checksum file that may cover a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ExportedChecksumLink {
    /// Index of the checksum file's request in the registration, from 0.
    pub index: u32,
    pub algorithm: String,
    /// Checksum of this request's file as read from the checksum file. `None` if the checksum file was not read yet or
    /// does not list the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
}

/// Last line of the file. Only a reader that verifies the file requires the values in this line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ListFileTrailer {
    pub registrations: Option<u64>,
    pub requests: Option<u64>,
    /// SHA-256 of all bytes before this line, in hexadecimal digits.
    pub sha256: Option<String>,
}

impl ListFileLine {
    /// Returns the line with its line end. If the line is too long, optional fields are left out and their names are
    /// recorded. Returns `None` if the line is still too long.
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

    /// Leaves out the next optional field. Returns false if none is left.
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
    fn overlong_list_line_omits_field_values_but_names_the_omitted_fields() {
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

    /// Each of these fields makes the line too long even without the others.
    #[test]
    fn overlong_list_line_omits_least_important_fields_first() {
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
    fn list_file_reader_skips_unknown_fields() {
        let line: ListFileLine = serde_json::from_str(r#"{"feed":{"a":1}}"#).unwrap();
        assert_eq!(line, ListFileLine::default());
        let line =
            r#"{"request":{"asked":{"url":"https://a.test/","colour":"red"},"state":"done","mood":[],"done":{"size":1,"x":2}}}"#;
        let line: ListFileLine = serde_json::from_str(line).unwrap();
        assert_eq!(line.request.map(|request| request.state), Some(ExportedState::Done));
    }
}
