//! Reads the Metalink document to which a response links (RFC 6249, section 4).
//!
//! The Metalink is requested in two cases:
//!
//! - The file is complete, but no digest verifies it.
//! - The file is wrong, but the position of the wrong bytes is unknown.

use std::sync::Arc;

use url::Url;

use crate::{
    http::{client::HttpClient, exchange},
    integrity::metalink::{self, MetalinkFile},
    model::{event::ResponseSummary, spec::TransferSpec},
    rate_limit::{RateGate, ThroughputMeter},
};

/// Maximum size of a Metalink document in bytes. A larger document is ignored.
const LONGEST: usize = 4 << 20;

/// Returns the Metalink entry of this file, which has `size` bytes.
///
/// `None` if `head` links to no Metalink, or if the Metalink cannot be fetched or describes other files.
pub(crate) async fn described(
    client: &HttpClient,
    spec: &TransferSpec,
    meter: &Arc<ThroughputMeter>,
    head: &ResponseSummary,
    size: u64,
) -> Option<MetalinkFile> {
    let url = spec.promised(head).described_by?;
    let gate = meter.gate(std::slice::from_ref(&url));
    let (config, read) = (client.config(), read(client, spec, &url, &gate));
    let document = gate.within(config.connect_timeout + config.answer_timeout(), read).await??;
    match metalink::read(&document) {
        Ok(metalink) => of_file(metalink.files, &head.name, size),
        Err(error) => {
            tracing::debug!(guid = %spec.guid, ?error, "Metalink document is not valid; ignored");
            None
        }
    }
}

async fn read(client: &HttpClient, spec: &TransferSpec, url: &Url, gate: &RateGate) -> Option<Vec<u8>> {
    let mut answer = exchange::ask(client, spec, url, None, None).await.ok()?.response;
    if answer.status() != http::StatusCode::OK {
        return None;
    }
    let mut document = Vec::new();
    while let Some(piece) = answer.chunk().await.ok()? {
        if document.len() + piece.len() > LONGEST {
            return None;
        }
        gate.pass_all(piece.len()).await;
        document.extend_from_slice(&piece);
    }
    Some(document)
}

/// Returns the entry with the file name `name`. A single entry may have any name.
///
/// Returns `None` if the entry does not state the size `size`.
fn of_file(mut files: Vec<MetalinkFile>, name: &str, size: u64) -> Option<MetalinkFile> {
    let place = match files.len() {
        1 => 0,
        _ => files.iter().position(|file| file.name == name)?,
    };
    Some(files.swap_remove(place)).filter(|file| file.size == Some(size))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, size: Option<u64>) -> MetalinkFile {
        MetalinkFile { name: name.to_owned(), size, digests: Vec::new(), pieces: None, addresses: Vec::new() }
    }

    #[test]
    fn metalink_file_must_match_name_and_size() {
        let files = || vec![file("a", Some(1)), file("b", Some(2))];
        assert_eq!(of_file(files(), "b", 2), Some(file("b", Some(2))));
        assert_eq!(of_file(files(), "b", 1), None);
        assert_eq!(of_file(files(), "c", 2), None);
        assert_eq!(of_file(vec![file("a", Some(1))], "another", 1), Some(file("a", Some(1))));
        assert_eq!(of_file(vec![file("a", None)], "a", 1), None, "it may be any version of it");
    }
}
