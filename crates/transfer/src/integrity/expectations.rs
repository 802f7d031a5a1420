//! The digests that a file must have: those of the caller, and those that a server or a description promises.

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
    /// Expectations of the file: those of the caller. Where the caller gives no digest, one that the server promises is added.
    pub(crate) fn expected_of(&self, head: &ResponseSummary) -> ExpectedContent {
        let mut expected = self.expected.clone();
        if !expected.says_all() {
            expected.digests.extend(best(self.promised(head).digests));
        }
        expected
    }

    /// The digests that the file is known to have, one of a kind: what the caller says, and what `head`, that of its first
    /// answer, promises.
    pub(crate) fn digests(&self, head: Option<&ResponseSummary>) -> Vec<FileDigest> {
        let mut known = self.expected.digests.clone();
        for digest in head.map(|head| self.promised(head).digests).unwrap_or_default() {
            if known.iter().all(|other| other.algorithm != digest.algorithm) {
                known.push(digest);
            }
        }
        known
    }

    /// Digests that the head of a download's first response promises.
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
    /// The same, and what a description says of the file.
    pub(crate) fn and(mut self, described: MetalinkFile) -> Self {
        self.digests.extend(best(described.digests));
        self.pieces = self.pieces.or(described.pieces);
        self
    }
}

/// One digest to hold a file against: SHA-256 where it may be chosen, since processors know it.
fn best(mut digests: Vec<FileDigest>) -> Option<FileDigest> {
    let place = digests.iter().position(|digest| digest.algorithm == DigestAlgorithm::Sha256).unwrap_or_default();
    (place < digests.len()).then(|| digests.swap_remove(place))
}
