//! Describes a transfer, as the caller requests it.

use std::{fmt, path::PathBuf, sync::Arc};

use http::Method;
use serde::{Deserialize, Serialize};
use url::Url;
use uuid::Uuid;

use crate::{
    http::AddressPolicy,
    model::{
        byte_budget::{ByteBudget, QuotaHold},
        digest::{DigestAlgorithm, FileDigest},
    },
};

/// Id of one transfer for its whole life, across pauses, retries and restarts.
///
/// The caller creates and persists the GUID before the transfer starts. The name of the partial file contains the first
/// digits of the GUID. The journal contains all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Guid(pub Uuid);

impl Guid {
    /// Returns the tag in the name of a partial file: the first eight hexadecimal digits.
    pub fn tag(&self) -> String {
        hex::encode(&self.0.as_bytes()[..4])
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Description of a download, or of another request whose response is kept.
#[derive(Clone, Debug)]
pub struct TransferSpec {
    /// Identity of the transfer, chosen by the caller.
    pub guid: Guid,
    /// HTTP method. `GET` downloads a file.
    ///
    /// All other methods send `body`, if set, and keep the response. `HEAD` leaves no file, because the response has no
    /// body.
    pub method: Method,
    /// URL to request: `http` or `https`, without credentials.
    pub url: Url,
    /// Further URLs of the same file, best first. Only for downloads.
    pub mirrors: Vec<Url>,
    /// Addresses that the transfer may connect to, including redirects and mirrors.
    pub reach: AddressPolicy,
    /// Whether the cookies of the transfer belong to its group alone.
    ///
    /// If so, the transfer sends no cookies of the shared jar, and cookies that servers set are not stored in that jar.
    pub keeps_cookies_apart: bool,
    /// Headers of the caller.
    ///
    /// A redirect to another origin drops these headers. `User-Agent` and `Referer` follow their own rules.
    pub headers: Vec<(String, String)>,
    /// File with the body of the request.
    pub body: Option<PathBuf>,
    /// Folder in which the file is published. It must exist.
    pub folder: PathBuf,
    /// Name that the caller wants. If `None`, the response and the URL determine the name.
    pub name: Option<String>,
    /// Maximum number of connections. At least one connection is used.
    ///
    /// Has an effect only if it is lower than the configured maximum.
    pub connections: Option<usize>,
    /// Expected facts about the file.
    pub expected: ExpectedContent,
    /// Size in bytes that an earlier response stated and the caller persisted.
    ///
    /// The file may have a different size by now. The value is compared only with a file that was published without a
    /// record.
    pub known_size: Option<u64>,
    /// Group of the transfer, which may have its own speed limit.
    pub group: Option<Uuid>,
    /// Number of further body bytes that all transfers of one group may store together.
    pub allowance: Option<Arc<ByteBudget>>,
    /// Reservation of bytes for this transfer, in budgets that outlive the group of the transfer.
    pub hold: Option<Arc<QuotaHold>>,
}

impl TransferSpec {
    /// Creates a download of `url` into `folder`, without further requirements.
    pub fn download(guid: Guid, url: Url, folder: PathBuf) -> Self {
        Self {
            guid,
            method: Method::GET,
            url,
            mirrors: Vec::new(),
            reach: AddressPolicy::Anywhere,
            keeps_cookies_apart: false,
            headers: Vec::new(),
            body: None,
            folder,
            name: None,
            connections: None,
            expected: ExpectedContent::default(),
            known_size: None,
            group: None,
            allowance: None,
            hold: None,
        }
    }
}

/// Facts that the caller knows about a file before its first byte arrives.
///
/// The file must match every value that is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpectedContent {
    /// Size of the file in bytes.
    pub size: Option<u64>,
    /// Digests of the whole file.
    pub digests: Vec<FileDigest>,
    /// Digests of the pieces. Only wrong pieces are fetched again.
    pub pieces: Option<PieceHashes>,
    /// Algorithm of a digest to compute over the whole file, although no digest is expected yet.
    ///
    /// The result is used in a later comparison, for example with a checksum file.
    pub compute: Option<DigestAlgorithm>,
}

impl ExpectedContent {
    /// Returns every algorithm for which the digest of the whole file is needed.
    pub fn algorithms(&self) -> Vec<DigestAlgorithm> {
        let mut algorithms: Vec<_> = self.digests.iter().map(|digest| digest.algorithm).chain(self.compute).collect();
        algorithms.sort_unstable();
        algorithms.dedup();
        algorithms
    }

    /// Returns whether digests verify all bytes of the file, either as a whole or in pieces.
    pub fn says_all(&self) -> bool {
        !self.digests.is_empty() || self.pieces.is_some()
    }

    /// Returns the digest with the strongest algorithm.
    pub fn strongest(&self) -> Option<&FileDigest> {
        self.digests.iter().min_by_key(|digest| digest.algorithm)
    }
}

/// Digests of the pieces of one file. All pieces have the same length, except that the last may be shorter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceHashes {
    /// Algorithm of the digests.
    pub algorithm: DigestAlgorithm,
    /// Bytes per piece. Never 0.
    pub length: u64,
    /// Digest of each piece, in order.
    pub digests: Vec<Vec<u8>>,
}
