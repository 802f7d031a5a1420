//! What to fetch, in the words of whoever asks.

use std::{
    fmt,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use http::{HeaderMap, Method};
use serde::{Deserialize, Serialize};
use url::Url;
use uuid::Uuid;

use crate::{
    digest::{Algorithm, Digest},
    follow::Follower,
    metalink::File,
    promised::{Promised, promised},
    service::Head,
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
pub struct Spec {
    /// The name both sides know this transfer by.
    pub guid: Guid,
    /// `GET` downloads; `POST` and `PUT` send `body` first and keep the answer.
    pub method: Method,
    /// Where from. `http` or `https`, without credentials.
    pub url: Url,
    /// Further addresses of the same file, the best first; for downloads alone.
    pub mirrors: Vec<Url>,
    /// The caller's headers; dropped on a redirect to another origin.
    pub headers: Vec<(String, String)>,
    /// The file whose bytes are sent as the request's body.
    pub body: Option<PathBuf>,
    /// The folder the file is placed in; it must exist.
    pub folder: PathBuf,
    /// The name the caller wants; without one it is taken from the answer and the URL.
    pub name: Option<String>,
    /// What the file must be.
    pub expected: Expected,
    /// Those it belongs together with, which may have a speed limit of their own.
    pub group: Option<Uuid>,
    /// How many body bytes may still be stored, shared by all transfers of one group.
    pub allowance: Option<Arc<Allowance>>,
}

impl Spec {
    /// What makes the digests of this file, whose first answer had this head.
    pub(crate) fn follower(&self, head: &Head) -> Follower {
        let expected = self.expected_of(head);
        Follower::new(&expected.algorithms(), expected.pieces)
    }

    /// What the file must be: by what the caller says, or where the caller says nothing, by one digest that the server
    /// promises.
    pub(crate) fn expected_of(&self, head: &Head) -> Expected {
        let mut expected = self.expected.clone();
        if !expected.says_all() {
            expected.digests.extend(best(self.promised(head).digests));
        }
        expected
    }

    /// What this head of a download's first answer promises.
    pub(crate) fn promised(&self, head: &Head) -> Promised {
        let headers = head.headers.iter().filter_map(|(name, value)| Some((name.parse().ok()?, value.parse().ok()?)));
        let headers: HeaderMap = headers.collect();
        match head.url_chain.last().and_then(|url| url.parse().ok()) {
            Some(url) if self.method == Method::GET => promised(&headers, &url),
            _ => Promised::default(),
        }
    }
}

/// One digest to hold a file against: SHA-256 where it may be chosen, since processors know it.
fn best(mut digests: Vec<Digest>) -> Option<Digest> {
    let place = digests.iter().position(|digest| digest.algorithm == Algorithm::Sha256).unwrap_or_default();
    (place < digests.len()).then(|| digests.swap_remove(place))
}

/// What is known of a file before its first byte. Everything that is given must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// Its size in bytes.
    pub size: Option<u64>,
    /// Digests of the whole file.
    pub digests: Vec<Digest>,
    /// Digests of its pieces, so that a bad one is fetched again alone.
    pub pieces: Option<Pieces>,
    /// What to compute of the whole file although nothing is expected of it yet: something that still comes, such as a
    /// checksum file beside it, will ask.
    pub compute: Option<Algorithm>,
}

impl Expected {
    /// The same, and what a description says of the file.
    pub(crate) fn and(mut self, described: File) -> Self {
        self.digests.extend(best(described.digests));
        self.pieces = self.pieces.or(described.pieces);
        self
    }

    /// Every algorithm that a digest of the whole file is wanted in.
    pub fn algorithms(&self) -> Vec<Algorithm> {
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
    pub fn strongest(&self) -> Option<&Digest> {
        self.digests.iter().min_by_key(|digest| digest.algorithm)
    }
}

/// Digests of the pieces of one file, all of one length but for the last, which may be shorter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// How they were computed.
    pub algorithm: Algorithm,
    /// Bytes in a piece; never 0.
    pub length: u64,
    /// The digest of each piece, in order.
    pub digests: Vec<Vec<u8>>,
}

/// A budget of body bytes shared by several transfers. A byte is taken before it is stored, so that the byte too many
/// never is.
#[derive(Debug)]
pub struct Allowance(AtomicI64);

impl Allowance {
    /// A budget of `bytes`.
    pub fn new(bytes: u64) -> Self {
        Self(AtomicI64::new(i64::try_from(bytes).unwrap_or(i64::MAX)))
    }

    /// Takes `bytes`, all or nothing; false when fewer are left.
    pub fn take(&self, bytes: u64) -> bool {
        let Ok(bytes) = i64::try_from(bytes) else { return false };
        self.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| (left >= bytes).then(|| left - bytes)).is_ok()
    }

    /// Gives back what was taken for bytes that were thrown away.
    pub fn give_back(&self, bytes: u64) {
        self.0.fetch_add(i64::try_from(bytes).unwrap_or(0), Ordering::AcqRel);
    }
}

/// What one run has taken from its group's budget. Given back when the run ends without finishing: what is durable then
/// is taken again when it goes on.
#[derive(Debug, Default)]
pub(crate) struct Claim {
    allowance: Option<Arc<Allowance>>,
    taken: u64,
}

impl Claim {
    /// A claim on `allowance`; without one, everything may be taken.
    pub fn on(allowance: Option<Arc<Allowance>>) -> Self {
        Self { allowance, taken: 0 }
    }

    /// Takes `bytes` more, all or nothing.
    pub fn take(&mut self, bytes: u64) -> bool {
        let may = self.allowance.as_ref().is_none_or(|allowance| allowance.take(bytes));
        if may {
            self.taken += bytes;
        }
        may
    }

    /// Gives `bytes` of it back: they were wrong and come again.
    pub fn give_back_part(&mut self, bytes: u64) {
        let bytes = bytes.min(self.taken);
        if let Some(allowance) = &self.allowance {
            allowance.give_back(bytes);
        }
        self.taken -= bytes;
    }

    /// Gives everything back: the bytes were thrown away.
    pub fn give_back(&mut self) {
        if let Some(allowance) = &self.allowance {
            allowance.give_back(self.taken);
        }
        self.taken = 0;
    }

    /// Leaves everything taken: the file is finished.
    pub fn keep(&mut self) {
        self.taken = 0;
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.give_back();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allowance_gives_the_last_byte_and_no_more() {
        let allowance = Allowance::new(10);
        assert!(allowance.take(10));
        assert!(!allowance.take(1));
        allowance.give_back(4);
        assert!(!allowance.take(5));
        assert!(allowance.take(4));
    }

    #[test]
    fn a_claim_comes_back_unless_the_file_was_finished() {
        let allowance = Arc::new(Allowance::new(10));
        let mut claim = Claim::on(Some(allowance.clone()));
        assert!(claim.take(8) && !claim.take(3));
        drop(claim);
        let mut claim = Claim::on(Some(allowance.clone()));
        assert!(claim.take(10));
        claim.keep();
        drop(claim);
        assert!(!allowance.take(1));
    }
}
