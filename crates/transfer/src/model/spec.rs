//! What to fetch, in the words of whoever asks.

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

/// Names one transfer for its whole life, across pauses, retries and restarts. Minted and persisted by the caller
/// before the transfer is told, and written into the partial's name and journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Guid(pub Uuid);

impl Guid {
    /// The tag in a partial's file name: the first eight hexadecimal digits.
    pub fn tag(&self) -> String {
        hex::encode(&self.0.as_bytes()[..4])
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One file to fetch, or one body to send and its answer to keep.
#[derive(Clone, Debug)]
pub struct TransferSpec {
    /// The name both sides know this transfer by.
    pub guid: Guid,
    /// `GET` downloads. Every other method sends `body` first, where there is one, and keeps the answer; that to `HEAD` has no
    /// body, so it leaves no file.
    pub method: Method,
    /// Where from. `http` or `https`, without credentials.
    pub url: Url,
    /// Further addresses of the same file, the best first; for downloads alone.
    pub mirrors: Vec<Url>,
    /// How far it may go, redirects and mirrors included.
    pub reach: AddressPolicy,
    /// The caller's headers; dropped on a redirect to another origin.
    pub headers: Vec<(String, String)>,
    /// The file whose bytes are sent as the request's body.
    pub body: Option<PathBuf>,
    /// The folder the file is placed in; it must exist.
    pub folder: PathBuf,
    /// The name the caller wants; without one it is taken from the answer and the URL.
    pub name: Option<String>,
    /// What the file must be.
    pub expected: ExpectedContent,
    /// Size in bytes that an earlier answer stated and the caller wrote down. No demand: a file that was placed and not
    /// written down has to be so long.
    pub known_size: Option<u64>,
    /// Those it belongs together with, which may have a speed limit of their own.
    pub group: Option<Uuid>,
    /// How many body bytes may still be stored, shared by all transfers of one group.
    pub allowance: Option<Arc<ByteBudget>>,
    /// What it may store of budgets that outlive its group.
    pub hold: Option<Arc<QuotaHold>>,
}

impl TransferSpec {
    /// A download of this address into this folder, of which nothing more is asked.
    pub fn download(guid: Guid, url: Url, folder: PathBuf) -> Self {
        Self {
            guid,
            method: Method::GET,
            url,
            mirrors: Vec::new(),
            reach: AddressPolicy::Anywhere,
            headers: Vec::new(),
            body: None,
            folder,
            name: None,
            expected: ExpectedContent::default(),
            known_size: None,
            group: None,
            allowance: None,
            hold: None,
        }
    }
}

/// What is known of a file before its first byte. Everything that is given must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpectedContent {
    /// Its size in bytes.
    pub size: Option<u64>,
    /// Digests of the whole file.
    pub digests: Vec<FileDigest>,
    /// Digests of its pieces, so that a bad one is fetched again alone.
    pub pieces: Option<PieceHashes>,
    /// What to compute of the whole file although nothing is expected of it yet: something that still comes, such as a
    /// checksum file beside it, will ask.
    pub compute: Option<DigestAlgorithm>,
}

impl ExpectedContent {
    /// Every algorithm that a digest of the whole file is wanted in.
    pub fn algorithms(&self) -> Vec<DigestAlgorithm> {
        let mut algorithms: Vec<_> = self.digests.iter().map(|digest| digest.algorithm).chain(self.compute).collect();
        algorithms.sort_unstable();
        algorithms.dedup();
        algorithms
    }

    /// Whether a right file is vouched for by digests, as a whole or piece by piece.
    pub fn says_all(&self) -> bool {
        !self.digests.is_empty() || self.pieces.is_some()
    }

    /// The digest that says most.
    pub fn strongest(&self) -> Option<&FileDigest> {
        self.digests.iter().min_by_key(|digest| digest.algorithm)
    }
}

/// Digests of the pieces of one file, all of one length but for the last, which may be shorter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceHashes {
    /// How they were computed.
    pub algorithm: DigestAlgorithm,
    /// Bytes in a piece; never 0.
    pub length: u64,
    /// The digest of each piece, in order.
    pub digests: Vec<Vec<u8>>,
}
