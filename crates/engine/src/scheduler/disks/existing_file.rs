//! Decides whether a file that is already in its folder may be used instead of a download (`skip_existing`).
//!
//! The loop calls this module before a request starts, and again with the head of the response. The name of a file
//! alone proves nothing:
//!
//! - Before a request is sent, the ledger decides. The ledger must contain a downloaded file for the same URL, and the
//!   length and modification time of this file must be unchanged.
//! - If the ledger has no such file, the head of the response decides. A file with the offered name and length is used
//!   if it is no older than the offered file.
//! - A file with an expected checksum is used only if the ledger recorded that checksum. A file that is covered by a
//!   checksum file is always fetched.

use std::{
    collections::{BTreeMap, HashMap},
    fs::Metadata,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use ashore_transfer::{FileDigest, ResponseSummary, disk};

use crate::{
    gates::running_transfer::WantedTransfer,
    store::{FileIdentity, PlacedRequest, StartableRequest, ledger::LedgerStore},
};

/// Maximum wait for a folder.
///
/// If the folder does not answer in this time, the file is fetched.
const PATIENCE: Duration = Duration::from_secs(2);

/// Returns whether a file on disk may be used instead of fetching `request`.
pub(crate) fn is_wanted(request: &StartableRequest) -> bool {
    let is_asked_for = request.expectation.as_ref().is_some_and(|known| known.skip_existing);
    is_asked_for && request.kept == 0 && !request.is_placed && request.body.is_none() && request.compute.is_none()
}

/// Returns the unchanged file that the ledger knows for `request`, if any.
pub(crate) async fn known(store: &LedgerStore, request: &StartableRequest) -> Option<PlacedRequest> {
    let placed = store
        .placed(&request.url)
        .await
        .inspect_err(|error| tracing::debug!(%error, "ledger lookup of existing files failed; will download"))
        .ok()?;
    let digests: Vec<FileDigest> = digests(request);
    let (folder, name) = (request.folder.clone(), request.name.clone());
    let size = request.size;
    let mut fitting = placed.into_iter().filter(move |one| {
        let is_size = size.is_none_or(|size| one.size == size);
        is_size && digests.iter().all(|digest| one.digest.as_ref() == Some(digest)) && is_in(&folder, name.as_deref(), &one.path)
    });
    patiently(move || fitting.find(|one| std::fs::symlink_metadata(&one.path).is_ok_and(|there| is_unchanged(one, &there))))
        .await?
}

/// Returns the file on disk that matches the head of the response, if any.
///
/// Returns `None` if `request` has digests, because the head cannot confirm them.
pub(crate) async fn offered(request: &WantedTransfer, head: &ResponseSummary) -> Option<PathBuf> {
    let size = head.total_size.filter(|_| head.status == 200 && !request.has_digests)?;
    let changed = httpdate::parse_http_date(field(head, "last-modified")?).ok()?;
    let path = request.folder.join(request.name.as_deref().unwrap_or(&head.name));
    patiently(move || {
        let there = std::fs::symlink_metadata(&path).ok()?;
        is_offered(&there, size, changed).then_some(path)
    })
    .await?
}

/// Returns the current identities of the files at `paths`.
///
/// Each folder is read by a separate thread. Files that do not exist, and files of a folder that does not answer in
/// time, are left out.
pub(crate) async fn identities(paths: impl Iterator<Item = PathBuf>) -> HashMap<PathBuf, FileIdentity> {
    let mut by_folder: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for path in paths {
        by_folder.entry(path.parent().unwrap_or(Path::new("/")).to_owned()).or_default().push(path);
    }
    let looking = by_folder.into_values().map(|paths| {
        patiently(move || paths.into_iter().filter_map(|path| Some((FileIdentity::from_path(&path)?, path))).collect::<Vec<_>>())
    });
    let found = futures_util::future::join_all(looking).await.into_iter().flatten().flatten();
    found.map(|(identity, path)| (path, identity)).collect()
}

impl WantedTransfer {
    /// Returns the conditions under which a file on disk replaces the download of `request`. Returns `None` if no file
    /// may replace the download.
    pub fn for_request(request: &StartableRequest) -> Option<Self> {
        let (folder, name) = (request.folder.clone(), request.name.clone());
        is_wanted(request).then(|| Self { folder, name, has_digests: !digests(request).is_empty() })
    }
}

/// Returns all digests that the file must match.
///
/// Texts that are not digests are left out: `create` has already refused requests with such texts.
fn digests(request: &StartableRequest) -> Vec<FileDigest> {
    let known = request.expectation.iter().flat_map(|known| known.digests.iter().cloned());
    let own = request.digest.iter().filter_map(|text| text.parse().ok());
    own.chain(known).chain(request.said.iter().cloned()).collect()
}

/// Returns whether `path` is directly in `folder`, and has the requested `name` if one is given.
fn is_in(folder: &Path, name: Option<&str>, path: &Path) -> bool {
    let is_called = name.is_none_or(|name| path.file_name().is_some_and(|there| there == name));
    is_called && path.parent() == Some(folder)
}

/// Returns whether the file still has the length and modification time that it had when it was published.
fn is_unchanged(placed: &PlacedRequest, there: &Metadata) -> bool {
    let now = FileIdentity::from(there);
    there.is_file() && now.size == placed.identity.size && now.modified_ns == placed.identity.modified_ns
}

fn is_offered(there: &Metadata, size: u64, changed: SystemTime) -> bool {
    there.is_file() && there.len() == size && there.modified().is_ok_and(|modified| modified >= changed)
}

fn field<'a>(head: &'a ResponseSummary, name: &str) -> Option<&'a str> {
    head.headers.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

/// Runs `look`, which accesses the disk. Returns `None` if the disk does not answer in time.
async fn patiently<T: Send + 'static>(look: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    if cfg!(test) {
        // In a test the disk always answers, and the scheduling model allows only one thread.
        return Some(look());
    }
    disk::within(PATIENCE, look).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> (tempfile::NamedTempFile, Metadata) {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let there = file.path().symlink_metadata().unwrap();
        (file, there)
    }

    #[test]
    fn downloaded_file_is_reused_while_its_length_and_mtime_are_unchanged() {
        let (file, there) = file("page");
        let identity = FileIdentity::from(&there);
        let of = |identity| PlacedRequest { path: file.path().to_owned(), size: 4, digest: None, identity };
        assert!(is_unchanged(&of(identity), &there));
        assert!(is_unchanged(&of(FileIdentity { device: 9, ..identity }), &there), "its disk was mounted again");
        assert!(!is_unchanged(&of(FileIdentity { size: 5, ..identity }), &there), "cut short");
        assert!(!is_unchanged(&of(FileIdentity { modified_ns: 1, ..identity }), &there), "edited");
        assert!(!is_unchanged(&of(identity), &file.path().parent().unwrap().symlink_metadata().unwrap()), "a folder");
    }

    #[test]
    fn existing_file_of_same_length_is_reused_unless_outdated() {
        let (_file, there) = file("page");
        let modified = there.modified().unwrap();
        let day = Duration::from_secs(86_400);
        assert!(is_offered(&there, 4, modified) && is_offered(&there, 4, modified - day));
        assert!(!is_offered(&there, 5, modified - day), "another length");
        assert!(!is_offered(&there, 4, modified + day), "the server has a newer one");
    }

    #[test]
    fn existing_file_is_reused_only_in_requested_folder_with_requested_name() {
        let folder = Path::new("/books");
        assert!(is_in(folder, None, Path::new("/books/1.jpg")) && is_in(folder, Some("1.jpg"), Path::new("/books/1.jpg")));
        assert!(!is_in(folder, None, Path::new("/other/1.jpg")) && !is_in(folder, None, Path::new("/books/deep/1.jpg")));
        assert!(!is_in(folder, Some("1.jpg"), Path::new("/books/1 (1).jpg")));
    }
}
