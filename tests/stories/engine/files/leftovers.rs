//! Tests files that a killed engine leaves behind.
//!
//! The next start removes the files of settled downloads. It keeps the files of downloads that may be resumed.

use std::{collections::BTreeMap, fs, path::PathBuf};

use ashore_engine::{NewRequest, RegistrationResult, UniqueId};
use ashore_testkit::{
    home::{Home, get},
    origin::{Body, Origin, Route, content},
};
use ashore_transfer::{DigestAlgorithm, FileDigest};
use sha2::{Digest as _, Sha256};

const SIZE: u64 = 1_000_000;
const HERE: u64 = 600_000;

/// Creates a home with a paused download. `HERE` bytes of the download are on disk.
///
/// Also returns the files in the download folder.
async fn home_with_paused_download(origin: &Origin) -> (Home, Route, UniqueId, BTreeMap<PathBuf, Vec<u8>>) {
    let home = Home::open().await;
    let file = origin.file("/a", Body::seeded(1, SIZE)).gate_at(HERE);
    let id = home.fetch([origin.url("/a")]).await;
    file.held().await;
    home.until(id, |now| now.downloaded == HERE).await;
    home.pause(Some(id)).await.unwrap();
    home.until(id, |now| now.active == 0).await;
    let left = fs::read_dir(home.downloads()).unwrap().map(|entry| entry.unwrap().path());
    let left = left.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    file.release();
    (home, file, id, left)
}

fn put_back(left: &BTreeMap<PathBuf, Vec<u8>>, is_meant: impl Fn(&str) -> bool) {
    for (path, bytes) in left.iter().filter(|(path, _)| is_meant(&path.to_string_lossy())) {
        fs::write(path, bytes).unwrap();
    }
}

#[tokio::test]
async fn leftover_partial_file_of_settled_download_is_removed_at_start() {
    for is_given_up in [false, true] {
        let origin = Origin::start().await;
        let (mut home, _file, id, left) = home_with_paused_download(&origin).await;
        assert_eq!(left.len(), 2, "a partial and its journal: {left:?}");
        if is_given_up {
            home.abort(id).await.unwrap();
        } else {
            home.resume(Some(id)).await.unwrap();
        }
        home.settled(id).await;
        let stays: &[&str] = if is_given_up { &[] } else { &["a"] };
        home.until_names(stays).await;
        for has_journal in [true, false] {
            home.close().await;
            put_back(&left, |name| has_journal || name.ends_with(".part"));
            assert!(home.names().len() > stays.len());
            home.reopen().await;
            home.until_names(stays).await;
        }
        home.close().await;
    }
}

#[tokio::test]
async fn partial_file_without_journal_is_kept_while_its_download_may_resume() {
    let origin = Origin::start().await;
    let (mut home, _file, id, left) = home_with_paused_download(&origin).await;
    home.close().await;
    for path in left.keys().filter(|path| !path.to_string_lossy().ends_with(".part")) {
        fs::remove_file(path).unwrap();
    }
    home.reopen().await;
    assert_eq!(home.names().len(), 1, "{:?}", home.names());
    home.resume(Some(id)).await.unwrap();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert!(home.bytes("a") == content(1, SIZE));
    home.until_names(&["a"]).await;
}

#[tokio::test]
async fn bytes_not_recorded_in_journal_are_truncated_before_resume_request() {
    let origin = Origin::start().await;
    let (mut home, _file, id, left) = home_with_paused_download(&origin).await;
    home.close().await;
    let partial = left.keys().find(|path| path.extension().is_some_and(|ending| ending == "part")).unwrap();
    let mut grown = fs::read(partial).unwrap();
    assert!(grown.len() as u64 == HERE);
    grown.resize(3 * grown.len(), 7);
    fs::write(partial, grown).unwrap();
    home.reopen().await;
    let file = origin.file("/a", Body::seeded(1, SIZE)).gate_answer();
    home.resume(Some(id)).await.unwrap();
    file.held().await;
    assert_eq!(fs::metadata(partial).unwrap().len(), HERE);
    file.release();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert!(home.bytes("a") == content(1, SIZE));
}

#[tokio::test]
async fn partial_file_that_could_not_be_deleted_is_removed_at_later_start() {
    let origin = Origin::start().await;
    let (mut home, _file, id, left) = home_with_paused_download(&origin).await;
    let part = left.keys().find(|path| path.extension().is_some_and(|ending| ending == "part")).unwrap();
    // The removal first renames the partial file. Here, this fails because a folder already has the new name.
    let mut in_the_way = part.as_os_str().to_owned();
    in_the_way.push(".old");
    fs::create_dir(&in_the_way).unwrap();
    home.remove(id, false).await.unwrap();
    for _ in 0..2 {
        home.close().await;
        assert!(part.exists(), "it could not be removed");
        assert_eq!(home.names().len(), 2, "its journal could: {:?}", home.names());
        home.reopen().await;
        assert!(home.list(Default::default()).await.unwrap().is_empty(), "the download is not in the list any more");
    }
    home.close().await;
    fs::remove_dir(&in_the_way).unwrap();
    home.reopen().await;
    home.until_names(&[]).await;
}

/// A kill has left the finished file with both its final name and the name of its partial file.
///
/// The engine was killed between the two steps that replace one name by the other.
#[tokio::test]
async fn finished_file_loses_the_leftover_name_of_its_partial_file_at_start() {
    let origin = Origin::start().await;
    let (mut home, _file, id, left) = home_with_paused_download(&origin).await;
    home.resume(Some(id)).await.unwrap();
    home.settled(id).await;
    home.until_names(&["a"]).await;
    home.close().await;
    let partial = left.keys().find(|path| path.to_string_lossy().ends_with(".part")).unwrap();
    fs::hard_link(home.downloads().join("a"), partial).unwrap();
    home.reopen().await;
    home.until_names(&["a"]).await;
    assert!(home.bytes("a") == content(1, SIZE));
}

#[tokio::test]
async fn partial_file_stays_after_digest_mismatch_until_download_is_removed() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::seeded(1, SIZE)).gate_at(HERE);
    let sum = FileDigest { algorithm: DigestAlgorithm::Sha256, bytes: Sha256::digest(content(1, SIZE)).to_vec() };
    let asked = NewRequest { checksum: Some(sum.to_string()), ..get(origin.url("/a")) };
    let id = home.create(Home::ask_for([asked])).await.unwrap().unique_id;
    file.held().await;
    home.until(id, |now| now.downloaded == HERE).await;
    home.close().await;
    file.left().await;
    file.content(Body::seeded(2, SIZE)).release();
    home.reopen().await;
    assert_eq!(home.settled(id).await.failure.unwrap().code, "digest-mismatch");
    for _ in 0..2 {
        let names = home.names();
        assert!(names.len() == 1 && names[0].ends_with(".part.old"), "{names:?}");
        assert!(home.bytes(&names[0]) == content(1, HERE));
        home.close().await;
        home.reopen().await;
    }
    home.remove(id, false).await.unwrap();
    home.until_names(&[]).await;
}
