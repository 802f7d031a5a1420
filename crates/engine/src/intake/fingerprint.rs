//! Computes the fingerprint of a registration. The fingerprint shows whether a registration is added twice.
//!
//! The fingerprint covers the requests, their options and the folder, but not titles, pauses and places in the queue.
//! Two uploads of a file are equal if the file was not modified between them.

use std::{
    fmt::{self, Write},
    path::Path,
};

use sha2::{Digest as _, Sha256};

use crate::model::{
    accepted::{AcceptedRequest, RegistrationFingerprint},
    values::http_method::is_safe,
};

/// Returns the fingerprint of `requests` with the target `folder`, computed from their debug text.
///
/// The paths of upload bodies must still be those of the caller's files. Returns `None` if such a file cannot be read.
pub(crate) fn content(folder: &Path, requests: &[AcceptedRequest]) -> Option<RegistrationFingerprint> {
    let mut content = FingerprintContent::for_folder(folder);
    requests.iter().for_each(|request| content.add(request));
    content.finish()
}

/// Incremental fingerprint, for callers that receive the requests one by one.
#[derive(Debug)]
pub(crate) struct FingerprintContent(Option<Digesting>);

impl FingerprintContent {
    pub fn for_folder(folder: &Path) -> Self {
        let mut text = Digesting(Sha256::new());
        Self(write!(text, "{folder:?}").ok().map(|()| text))
    }

    pub fn add(&mut self, request: &AcceptedRequest) {
        self.0 = self.0.take().and_then(|text| with(text, request));
    }

    pub fn finish(self) -> Option<RegistrationFingerprint> {
        self.0.map(|text| half(text.0))
    }
}

fn with(mut text: Digesting, request: &AcceptedRequest) -> Option<Digesting> {
    let AcceptedRequest { method, url, headers, body, name, digest, expectation, optional, next, guid: _ } = request;
    let body = match body {
        Some((path, size)) => Some((path, size, path.metadata().and_then(|file| file.modified()).ok()?)),
        None => None,
    };
    write!(text, "\n{method} {url} {headers:?} {name:?} {body:?} {digest:?} {expectation:?} {optional} {next:?}").ok()?;
    Some(text)
}

/// Whether `requests` is a single request with a safe method, such as GET.
///
/// A repeated request with another method, such as POST, may be intended.
pub(crate) fn is_one_download(requests: &[AcceptedRequest]) -> bool {
    matches!(requests, [only] if is_safe(&only.method))
}

/// Writer that hashes text without storing it.
///
/// The text may be long: the piece digests of a large file alone have millions of characters.
#[derive(Debug)]
struct Digesting(Sha256);

impl Write for Digesting {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text);
        Ok(())
    }
}

fn half(digest: Sha256) -> RegistrationFingerprint {
    let mut mark = RegistrationFingerprint::default();
    mark.copy_from_slice(&digest.finalize()[..16]);
    mark
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;
    use crate::{intake::validate::accept_request, model::NewRequest};

    fn request(url: &str) -> AcceptedRequest {
        accept_request(NewRequest { url: url.to_owned(), ..NewRequest::default() }).unwrap()
    }

    fn mark(requests: &[AcceptedRequest]) -> RegistrationFingerprint {
        content(Path::new("/downloads"), requests).unwrap()
    }

    #[test]
    fn fingerprint_ignores_spelling_of_address() {
        assert_eq!(mark(&[request("HTTPS://Example.org:443/a")]), mark(&[request("https://example.org/a")]));
        assert_eq!(mark(&[request("http://a.test")]), mark(&[request("http://a.test/")]));
    }

    #[test]
    fn fingerprint_depends_on_request_properties_and_folder() {
        let one = request("https://example.org/a");
        let others = [
            request("https://example.org/b"),
            AcceptedRequest { method: "POST".to_owned(), ..one.clone() },
            AcceptedRequest { headers: vec![("Cookie".to_owned(), "a=b".to_owned())], ..one.clone() },
            AcceptedRequest { name: Some("c".to_owned()), ..one.clone() },
            AcceptedRequest { digest: Some(format!("md5={}", "0".repeat(32)).parse().unwrap()), ..one.clone() },
            AcceptedRequest { optional: true, ..one.clone() },
        ];
        for other in others {
            assert_ne!(mark(std::slice::from_ref(&one)), mark(std::slice::from_ref(&other)), "{other:?}");
        }
        let alone = std::slice::from_ref(&one);
        assert_ne!(Some(mark(alone)), content(Path::new("/elsewhere"), alone));
        let twice = [one.clone(), one.clone()];
        assert_ne!(mark(alone), mark(&twice));
        assert!(is_one_download(alone) && !is_one_download(&twice));
    }

    #[test]
    fn fingerprint_of_upload_depends_on_file_time() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let body = Some((file.path().to_owned(), 0));
        let upload = AcceptedRequest { method: "PUT".to_owned(), body, ..request("https://example.org/a") };
        let before = mark(std::slice::from_ref(&upload));
        assert_eq!(before, mark(std::slice::from_ref(&upload)));
        file.as_file().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        assert_ne!(before, mark(std::slice::from_ref(&upload)));
        assert!(!is_one_download(std::slice::from_ref(&upload)));
        drop(file);
        assert_eq!(content(Path::new("/"), &[upload]), None);
    }
}
