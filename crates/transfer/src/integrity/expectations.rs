//! Determines the expected digests of a file.
//!
//! Sources are the caller, the server and a Metalink document.

use http::{HeaderMap, Method};

use crate::{
    http::digest_headers::{DigestHeaders, promised},
    integrity::metalink::MetalinkFile,
    model::{
        digest::{DigestAlgorithm, FileDigest},
        event::ResponseSummary,
        spec::{ExpectedContent, TransferSpec},
    },
};

impl TransferSpec {
    /// Returns the caller's expectations of the file.
    ///
    /// If the caller gives no digest of the whole file, adds one from the server.
    pub(crate) fn expected_of(&self, head: &ResponseSummary) -> ExpectedContent {
        let mut expected = self.expected.clone();
        if !expected.says_all() {
            expected.digests.extend(best(self.promised(head).digests));
        }
        expected
    }

    /// Returns the known digests of the file, at most one per algorithm.
    ///
    /// These come from the caller and from `head`, the head of the first response.
    pub(crate) fn digests(&self, head: Option<&ResponseSummary>) -> Vec<FileDigest> {
        let mut known = self.expected.digests.clone();
        for digest in head.map(|head| self.promised(head).digests).unwrap_or_default() {
            if known.iter().all(|other| other.algorithm != digest.algorithm) {
                known.push(digest);
            }
        }
        known
    }

    /// Returns the digests, mirrors and Metalink link in the head of a download's first response.
    pub(crate) fn promised(&self, head: &ResponseSummary) -> DigestHeaders {
        let headers = head.headers.iter().filter_map(|(name, value)| Some((name.parse().ok()?, value.parse().ok()?)));
        let headers: HeaderMap = headers.collect();
        match head.url_chain.last().and_then(|url| url.parse().ok()) {
            Some(url) if self.method == Method::GET => promised(&headers, &url),
            _ => DigestHeaders::default(),
        }
    }
}

impl ExpectedContent {
    /// Adds the best digest and the piece digests of the Metalink entry.
    pub(crate) fn and(mut self, described: MetalinkFile) -> Self {
        self.digests.extend(best(described.digests));
        self.pieces = self.pieces.or(described.pieces);
        self
    }
}

/// Returns the digest that is used to verify a file.
///
/// Prefers SHA-256, for which processors have hardware support.
fn best(mut digests: Vec<FileDigest>) -> Option<FileDigest> {
    let place = digests.iter().position(|digest| digest.algorithm == DigestAlgorithm::Sha256).unwrap_or_default();
    (place < digests.len()).then(|| digests.swap_remove(place))
}
