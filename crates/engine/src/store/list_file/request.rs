//! Content of a request in a saved list, and the fingerprint of a registration.
//!
//! An import compares fingerprints to find registrations that are already in the list. The content has no secrets, no
//! upload body, and no reference to a partial file.

use ashore_transfer::FileDigest;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{
    model::{
        self, NewPieces, NewRequest,
        accepted::{AcceptedRequest, FileExpectation},
    },
    store::list_file::format::{is_default, leaves, without_pages, without_sign_in},
};

/// SHA-256 over all requests of a registration.
pub(crate) type ImportFingerprint = [u8; 32];

/// Request as the caller made it, without secrets.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ExportedRequest {
    pub url: String,
    /// Method; `None` for `GET`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, String)>,
    /// Names of header fields that were left out, since they may be secrets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub headers_left_out: Vec<String>,
    /// Size of the upload body in bytes. The body itself is not in the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checksums: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pieces: Option<ExportedPieces>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mirrors: Vec<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub skip_existing: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub optional: bool,
    /// Requests that follow this request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Box<ExportedFollowUp>>,
}

/// Digests of the file's pieces.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExportedPieces {
    pub algorithm: String,
    pub length: u64,
    pub digests: Vec<String>,
}

/// Rule for the follow-up requests of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ExportedFollowUp {
    Series(ExportedSeries),
    List(Vec<ExportedRequest>),
    Parts {
        #[serde(default)]
        optional: bool,
    },
}

/// Pages whose addresses differ by a number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExportedSeries {
    pub url: String,
    pub number: u64,
    pub until: u64,
    #[serde(default)]
    pub width: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub skip_existing: bool,
}

impl ExportedRequest {
    /// Returns those parts of an accepted request that may be exported.
    pub fn from_accepted(request: &AcceptedRequest) -> Self {
        let AcceptedRequest { method, url, headers, body, name, digest, expectation, optional, next, guid: _ } = request;
        let asked = Self {
            url: without_sign_in(url.as_str()),
            method: (method != "GET").then(|| method.clone()),
            body_size: body.as_ref().map(|(_, size)| *size),
            name: name.clone(),
            optional: *optional,
            next: next.as_deref().map(|next| Box::new(next.into())),
            ..Self::default()
        };
        asked.with_headers(headers.clone()).knowing(digest.as_ref(), expectation.as_deref())
    }

    /// Converts this request to a new request, as the user would make it, but without the upload body.
    pub fn into_new(self) -> NewRequest {
        let pieces = self.pieces.map(|ExportedPieces { algorithm, length, digests }| NewPieces { algorithm, length, digests });
        NewRequest {
            url: self.url,
            headers: self.headers,
            name: self.name,
            checksums: self.checksums,
            size: self.size,
            pieces,
            mirrors: self.mirrors,
            skip_existing: self.skip_existing,
            optional: self.optional,
            next: self.next.map(|next| (*next).into()),
            ..NewRequest::default()
        }
    }

    fn with_headers(self, headers: Vec<(String, String)>) -> Self {
        let (headers, headers_left_out) = leaves(headers);
        Self { headers, headers_left_out, ..self }
    }

    fn knowing(self, digest: Option<&FileDigest>, expectation: Option<&FileExpectation>) -> Self {
        let mut checksums: Vec<String> = digest.map(ToString::to_string).into_iter().collect();
        let Some(FileExpectation { size, digests, pieces, mirrors, skip_existing }) = expectation else {
            return Self { checksums, ..self };
        };
        checksums.extend(digests.iter().map(ToString::to_string));
        let pieces = pieces.as_ref().map(|pieces| ExportedPieces {
            algorithm: pieces.algorithm.to_string(),
            length: pieces.length,
            digests: pieces.digests.iter().map(hex::encode).collect(),
        });
        let mirrors = mirrors.iter().map(|mirror| without_sign_in(mirror.as_str())).collect();
        Self { checksums, size: *size, pieces, mirrors, skip_existing: *skip_existing, ..self }
    }
}

impl From<&NewRequest> for ExportedRequest {
    fn from(new: &NewRequest) -> Self {
        let pieces = new.pieces.as_ref().map(|NewPieces { algorithm, length, digests }| ExportedPieces {
            algorithm: algorithm.clone(),
            length: *length,
            digests: digests.clone(),
        });
        let asked = Self {
            url: without_sign_in(&new.url),
            method: new.method.clone(),
            name: new.name.clone(),
            checksums: new.checksum.iter().chain(&new.checksums).cloned().collect(),
            size: new.size,
            pieces,
            mirrors: new.mirrors.iter().map(|mirror| without_sign_in(mirror)).collect(),
            skip_existing: new.skip_existing,
            optional: new.optional,
            next: new.next.as_ref().map(|next| Box::new(next.into())),
            ..Self::default()
        };
        asked.with_headers(new.headers.clone())
    }
}

impl From<&model::FollowUpRule> for ExportedFollowUp {
    fn from(next: &model::FollowUpRule) -> Self {
        match next {
            model::FollowUpRule::Series(series) => Self::Series(ExportedSeries {
                url: without_sign_in(&series.url),
                number: series.number,
                until: series.until,
                width: series.width,
                name: series.name.clone(),
                skip_existing: series.skip_existing,
            }),
            model::FollowUpRule::List(requests) => Self::List(requests.iter().map(ExportedRequest::from).collect()),
            model::FollowUpRule::Parts { optional } => Self::Parts { optional: *optional },
        }
    }
}

impl From<ExportedFollowUp> for model::FollowUpRule {
    fn from(next: ExportedFollowUp) -> Self {
        match next {
            ExportedFollowUp::Series(ExportedSeries { url, number, until, width, name, skip_existing }) => {
                Self::Series(model::FollowUpSeries { url, number, until, width, name, skip_existing })
            }
            ExportedFollowUp::List(asked) => Self::List(asked.into_iter().map(ExportedRequest::into_new).collect()),
            ExportedFollowUp::Parts { optional } => Self::Parts { optional },
        }
    }
}

/// Computes the fingerprint of a registration, request by request. The fingerprint ignores the paths of referrers, and
/// all fields that an export may leave out. It also ignores the folder, which may differ on another machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct ImportFingerprinter(Sha256);

impl ImportFingerprinter {
    /// Adds the next request.
    pub fn add(&mut self, asked: ExportedRequest) {
        let headers = without_pages(asked.headers);
        let plain = ExportedRequest { headers, headers_left_out: Vec::new(), pieces: None, next: None, ..asked };
        // Values that came from JSON or from the ledger can always be serialised.
        self.0.update(serde_json::to_vec(&plain).unwrap_or_default());
        self.0.update(b"\n");
    }

    pub fn finish(self) -> ImportFingerprint {
        self.0.finalize().into()
    }
}
