//! Tests partial files that are missing in the list. They are reported, and the user may adopt them (add them to the
//! list).

use std::fs;

use ashore_testkit::{
    home::Home,
    origin::{Body, Origin, Route, content},
};

/// Creates a home that has lost its list, but has a partial file of `/a` in its download folder.
async fn orphaned(origin: &Origin) -> (Home, Route) {
    let mut home = Home::open().await;
    let file = origin.file("/a", Body::seeded(1, 1_000_000)).gate_at(600_000);
    let id = home.fetch([origin.url("/a?token=1")]).await;
    file.held().await;
    home.until(id, |now| now.downloaded == 600_000).await;
    home.pause(Some(id)).await.unwrap();
    home.until(id, |now| now.active == 0).await;
    home.close().await;
    file.release();
    for name in ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm"] {
        let _ = fs::remove_file(home.data().join(name));
    }
    home.reopen().await;
    (home, file)
}

#[tokio::test]
async fn adopted_partial_file_resumes_from_bytes_on_disk() {
    let origin = Origin::start().await;
    let (home, file) = orphaned(&origin).await;
    let orphans = home.orphans().await.unwrap();
    let [orphan] = &orphans[..] else { panic!("{orphans:?}") };
    assert_eq!((orphan.name.as_str(), orphan.bytes, orphan.size, orphan.may_resume), ("a", 600_000, Some(1_000_000), true));
    assert_eq!(orphan.url, origin.url("/a?token=1").to_string());
    let adopted = home.adopt(vec![orphan.path.clone()]).await.unwrap();
    let [one] = &adopted[..] else { panic!("{adopted:?}") };
    assert_eq!(one.title, "a");
    home.settled(one.unique_id).await;
    home.until_names(&["a"]).await;
    assert_eq!(home.bytes("a"), content(1, 1_000_000));
    assert!(file.requests().last().unwrap().range_start().is_some(), "the transfer resumed and did not restart");
    assert_eq!(home.orphans().await.unwrap(), []);
    assert_eq!(home.adopt(Vec::new()).await.unwrap().len(), 0, "no partial file is left");
}

#[tokio::test]
async fn adoption_of_unknown_or_locked_files_is_refused() {
    let origin = Origin::start().await;
    let (home, _file) = orphaned(&origin).await;
    let orphan = home.orphans().await.unwrap().remove(0);
    let own = home.downloads().join("mine.part");
    fs::write(&own, "mine").unwrap();
    for paths in [vec![own], vec![orphan.path.clone(), "/nowhere/a.00000000.part".into()]] {
        assert_eq!(home.adopt(paths).await.unwrap_err().code(), "invalid");
    }
    // Lock the file, as another program does during a write.
    let held = fs::File::open(&orphan.path).unwrap();
    held.lock().unwrap();
    assert_eq!(home.adopt(vec![orphan.path.clone()]).await.unwrap_err().code(), "wrong-state");
    assert!(!home.orphans().await.unwrap()[0].may_resume);
    assert_eq!(home.adopt(Vec::new()).await.unwrap().len(), 0);
    // Unlock explicitly: a child process of another test may have inherited the open file, and would keep the lock.
    held.unlock().unwrap();
    assert_eq!(home.list(Default::default()).await.unwrap().len(), 0, "nothing of it is in the list");
    assert_eq!(home.adopt(Vec::new()).await.unwrap().len(), 1);
}
