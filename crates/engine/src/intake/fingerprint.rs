//! Whether two registrations ask for the same: what they fetch, from where, how, and where to.
//!
//! Titles, pauses and places in the queue do not make another one. What sends a body is the same while that file has not
//! been touched; its time is all that is looked at here.

use std::{
    fmt::{self, Write},
    path::Path,
};

use sha2::{Digest as _, Sha256};

use crate::model::{
    accepted::{AcceptedRequest, RegistrationFingerprint},
    values::http_method::is_safe,
};

/// What is asked for, all of it, by how it is written down. Bodies still name the caller's files. None where one of them
/// cannot be looked at.
pub(crate) fn content(folder: &Path, requests: &[AcceptedRequest]) -> Option<RegistrationFingerprint> {
    let mut content = FingerprintContent::for_folder(folder);
    requests.iter().for_each(|request| content.add(request));
    content.finish()
}

/// The same, for whoever has the requests one by one.
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

/// Whether there is only one request, which only reads: another POST without a body may be meant as well.
pub(crate) fn is_one_download(requests: &[AcceptedRequest]) -> bool {
    matches!(requests, [only] if is_safe(&only.method))
}

/// A text that is hashed and kept nowhere: the digests of a large file's pieces alone are millions of letters.
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
    fn the_same_is_the_same_however_its_address_is_spelt() {
        assert_eq!(mark(&[request("HTTPS://Example.org:443/a")]), mark(&[request("https://example.org/a")]));
        assert_eq!(mark(&[request("http://a.test")]), mark(&[request("http://a.test/")]));
    }

    #[test]
    fn anything_that_makes_another_file_makes_another_one() {
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
    fn what_sends_a_body_is_the_same_until_the_file_is_touched() {
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
