//! Tests removal: only the requested files are removed.
//!
//! Files are kept if the user has changed or replaced them.

use std::process::Stdio;

use ashore_engine::{EngineEvent, NewRegistration};
use ashore_testkit::{
    home::{EventListener, Home, upload},
    origin::{Body, Origin},
    waits::in_time,
};
use sqlx::{ConnectOptions as _, Connection as _, sqlite::SqliteConnectOptions};

#[tokio::test]
async fn removal_of_list_entry_keeps_files() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    origin.file("/a", Body::bytes("a"));
    let id = home.fetch([origin.url("/a")]).await;
    home.settled(id).await;
    let mut ear = EventListener::to(&home);
    home.remove(id, false).await.unwrap();
    assert_eq!(home.show(id).await.unwrap_err().code(), "unknown");
    assert!(home.list(Default::default()).await.unwrap().is_empty());
    assert!(home.pending_notifications().await.unwrap().is_empty(), "a removed download causes no notification");
    assert!(!home.claim(id).await.unwrap());
    ear.hear_until(|event| matches!(event, EngineEvent::Removed { unique_id, .. } if *unique_id == id)).await;
    home.close().await;
    home.reopen().await;
    assert!(home.list(Default::default()).await.unwrap().is_empty());
    assert_eq!(home.bytes("a"), b"a");
}

#[tokio::test]
async fn removal_of_running_download_deletes_its_partial_files() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/done", Body::bytes("done"));
    let slow = origin.file("/slow", Body::seeded(1, 1_000_000)).gate_at(600_000);
    let source = home.source("letter", b"a letter");
    let request = upload("PUT", origin.url("/never"), &source);
    let mut ask = Home::ask([origin.url("/done"), origin.url("/slow")]);
    ask.requests.push(request);
    let id = home.create(ask).await.unwrap().unique_id;
    slow.held().await;
    home.until(id, |now| now.succeeded + now.failed == 2).await;
    home.remove(id, false).await.unwrap();
    home.until_names(&["done"]).await;
    assert!(home.list(Default::default()).await.unwrap().is_empty());
    assert_eq!(slow.bytes_sent(), 600_000);
    home.until_bodies(0).await;
    // The slot of the removed download is free for another download.
    origin.file("/next", Body::bytes("next"));
    let next = home.fetch([origin.url("/next")]).await;
    home.settled(next).await;
}

#[tokio::test]
async fn file_removal_interrupted_by_crash_is_completed_at_next_start() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let slow = origin.file("/slow", Body::seeded(1, 1_000_000)).gate_at(600_000);
    let id = home.fetch([origin.url("/slow")]).await;
    slow.held().await;
    home.until(id, |now| now.downloaded == 600_000).await;
    home.remove(id, false).await.unwrap();
    home.crash().await;
    home.reopen().await;
    assert!(home.list(Default::default()).await.unwrap().is_empty());
    home.until_names(&[]).await;
    assert_eq!(slow.requests().len(), 1, "the file is not requested any more");
}

#[tokio::test]
async fn removed_download_stays_removed_after_write_ahead_log_is_lost() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let slow = origin.file("/slow", Body::seeded(1, 1_000_000)).gate_at(600_000);
    let id = home.fetch([origin.url("/slow")]).await;
    slow.held().await;
    home.until(id, |now| now.downloaded == 600_000).await;
    home.remove(id, false).await.unwrap();
    home.crash().await;
    // Simulate a lost write-ahead log: the marker file states that a log exists, but there is none.
    in_time("the WAL is checkpointed", checkpoint_log(&home)).await;
    std::fs::write(home.data().join("ledger.sqlite-open"), "").unwrap();
    home.reopen().await;
    assert!(home.recovery().is_some(), "the damage of the list is reported");
    assert!(home.list(Default::default()).await.unwrap().is_empty());
    home.until_names(&[]).await;
}

/// Checkpoints the write-ahead log of the ledger after a crash, and so deletes the log file.
///
/// The engine does not always do this. It closes its connections on separate threads. If two of them close at the same
/// time, each may leave the checkpoint to the other.
async fn checkpoint_log(home: &Home) {
    let ledger = SqliteConnectOptions::new().filename(home.data().join("ledger.sqlite"));
    while home.data().join("ledger.sqlite-wal").exists() {
        let mut last = ledger.connect().await.unwrap();
        sqlx::raw_sql("PRAGMA user_version").execute(&mut last).await.unwrap();
        last.close().await.unwrap();
    }
}

/// The completed file has both its final name and the name of its partial file.
///
/// The engine was killed after it committed the completion, and before it removed the name of the partial file.
#[tokio::test]
async fn leftover_partial_file_is_removed_together_with_completed_download() {
    if !with_own_trash("leftover_partial_file_is_removed_together_with_completed_download").await {
        return;
    }
    for fetches in [false, true] {
        let (origin, mut home) = (Origin::start().await, Home::open().await);
        let file = origin.file("/a", Body::seeded(1, 200_000)).gate_at(100_000);
        let id = home.fetch([origin.url("/a")]).await;
        file.held().await;
        home.until(id, |now| now.downloaded == 100_000).await;
        let partial = home.names().into_iter().find(|name| name.ends_with(".part")).unwrap();
        file.release();
        home.settled(id).await;
        home.close().await;
        assert_eq!(home.names(), ["a"], "nothing is left by an engine that was closed");
        std::fs::hard_link(home.downloads().join("a"), home.downloads().join(partial)).unwrap();
        if fetches {
            // Record that the removal was requested, but do not carry out any of its steps.
            let mut ledger = SqliteConnectOptions::new().filename(home.data().join("ledger.sqlite")).connect().await.unwrap();
            sqlx::raw_sql("UPDATE registration SET doomed = 1, doomed_files = 1").execute(&mut ledger).await.unwrap();
            ledger.close().await.unwrap();
            home.reopen().await;
        } else {
            home.fetching(false);
            home.reopen().await;
            home.remove(id, true).await.unwrap();
        }
        home.until_names(&[]).await;
        home.close().await;
    }
    assert_eq!(in_trash().len(), 2);
}

/// Runs the test `story` again in a separate process that has its own trash.
///
/// Returns true within that process.
async fn with_own_trash(story: &str) -> bool {
    if std::env::var_os("ASHORE_STORY_TRASH").is_some() {
        return true;
    }
    let trash = tempfile::tempdir().unwrap();
    let alone = tokio::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("engine::files::removal::{story}"), "--nocapture", "--test-threads=1"])
        .env("ASHORE_STORY_TRASH", trash.path())
        .env("XDG_DATA_HOME", trash.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .output();
    let ended = in_time("the story ends", alone).await.unwrap();
    let said = [ended.stdout, ended.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).join("\n");
    assert!(ended.status.success() && said.contains("1 passed"), "{said}");
    false
}

/// Returns the names in the trash (freedesktop.org trash specification 1.0: its files are in `Trash/files`).
fn in_trash() -> Vec<String> {
    let folder = std::path::PathBuf::from(std::env::var_os("ASHORE_STORY_TRASH").unwrap()).join("Trash/files");
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn removal_moves_files_to_trash_if_requested() {
    if !with_own_trash("removal_moves_files_to_trash_if_requested").await {
        return;
    }
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/a", Body::bytes("a"));
    origin.file("/b", Body::bytes("b"));
    std::fs::write(home.downloads().join("mine"), "mine").unwrap();
    let (gone, kept) = (home.fetch([origin.url("/a")]).await, home.fetch([origin.url("/b")]).await);
    home.settled(gone).await;
    home.settled(kept).await;
    home.remove(gone, true).await.unwrap();
    home.until_names(&["b", "mine"]).await;
    assert_eq!(in_trash(), ["a"]);
}

#[tokio::test]
async fn file_that_cannot_be_trashed_is_reported_until_a_removal_succeeds() {
    if !with_own_trash("file_that_cannot_be_trashed_is_reported_until_a_removal_succeeds").await {
        return;
    }
    let (origin, home) = (Origin::start().await, Home::open().await);
    for name in ["/a", "/b"] {
        origin.file(name, Body::bytes(name));
    }
    let (first, second) = (home.fetch([origin.url("/a")]).await, home.fetch([origin.url("/b")]).await);
    home.settled(first).await;
    home.settled(second).await;
    // Replace the trash folder by a file. Missing permissions would not be enough, because they do not stop a test that
    // runs as root.
    let trash = std::path::PathBuf::from(std::env::var_os("ASHORE_STORY_TRASH").unwrap()).join("Trash");
    std::fs::write(&trash, "no folder").unwrap();
    let mut listener = EventListener::to(&home);
    home.remove(first, true).await.unwrap();
    // The event `Lagged` makes listeners read the list of kept files again.
    listener.hear_until(|event| matches!(event, EngineEvent::Lagged)).await;
    let [kept] = &home.kept_files().await.unwrap()[..] else { panic!("one file is kept") };
    assert!(kept.path == home.downloads().join("a") && !kept.why.text.is_empty(), "{kept:?}");
    assert_eq!(home.doctor().await.unwrap().kept_files, std::slice::from_ref(kept));

    std::fs::remove_file(&trash).unwrap();
    home.remove(second, true).await.unwrap();
    listener.hear_until(|event| matches!(event, EngineEvent::Lagged)).await;
    assert_eq!(home.kept_files().await.unwrap(), []);
    assert_eq!(in_trash(), ["a", "b"]);
}

#[tokio::test]
async fn files_of_expired_download_are_removed_only_if_requested() {
    if !with_own_trash("files_of_expired_download_are_removed_only_if_requested").await {
        return;
    }
    let (origin, home) = (Origin::start().await, Home::open().await);
    for (path, takes_files) in [("/a", true), ("/b", false)] {
        origin.file(path, Body::bytes(path));
        let soon = NewRegistration { keep_for_seconds: Some(1), takes_files, ..Home::ask([origin.url(path)]) };
        let id = home.create(soon).await.unwrap().unique_id;
        home.settled(id).await;
        assert!(home.claim(id).await.unwrap());
    }
    home.until_names(&["b"]).await;
    home.until_looked("the list is empty", async |home| home.list(Default::default()).await.unwrap().is_empty()).await;
    assert_eq!((in_trash(), home.names()), (vec!["a".to_owned()], vec!["b".to_owned()]));
}

#[tokio::test]
async fn files_of_removed_download_go_to_trash_even_if_engine_closes() {
    if !with_own_trash("files_of_removed_download_go_to_trash_even_if_engine_closes").await {
        return;
    }
    for is_closed in [false, true] {
        let (origin, mut home) = (Origin::start().await, Home::open().await);
        let slow = origin.file("/slow", Body::seeded(1, 1_000_000)).gate_at(600_000);
        origin.file("/done", Body::bytes("done"));
        let id = home.fetch([origin.url("/slow"), origin.url("/done")]).await;
        slow.held().await;
        home.until(id, |now| now.succeeded == 1).await;
        home.remove(id, true).await.unwrap();
        if is_closed {
            home.close().await;
            home.reopen().await;
        }
        home.until_names(&[]).await;
    }
    assert_eq!(in_trash().len(), 2);
}

#[tokio::test]
async fn removal_keeps_file_that_user_has_changed() {
    if !with_own_trash("removal_keeps_file_that_user_has_changed").await {
        return;
    }
    let (origin, home) = (Origin::start().await, Home::open().await);
    let names = ["edited", "moved", "replaced", "touched"];
    for name in names {
        origin.file(&format!("/{name}"), Body::bytes("as it came"));
    }
    let id = home.fetch(names.map(|name| origin.url(&format!("/{name}")))).await;
    home.settled(id).await;
    home.until_names(&names).await;
    let path = |name: &str| home.downloads().join(name);
    std::fs::write(path("edited"), "as it came, and more").unwrap();
    std::os::unix::fs::symlink(path("elsewhere"), path("link")).unwrap();
    std::fs::hard_link(path("moved"), path("elsewhere")).unwrap();
    std::fs::remove_file(path("moved")).unwrap();
    std::fs::remove_file(path("replaced")).unwrap();
    std::fs::write(path("replaced"), "as it came").unwrap();
    let touched = std::fs::File::options().write(true).open(path("touched")).unwrap();
    touched.set_modified(std::time::UNIX_EPOCH).unwrap();

    home.remove(id, true).await.unwrap();
    // The removal empties the list immediately, but checks the files later. The next removal waits for this check.
    origin.file("/last", Body::bytes("last"));
    let last = home.fetch([origin.url("/last")]).await;
    home.settled(last).await;
    home.remove(last, true).await.unwrap();
    home.until_names(&["edited", "elsewhere", "link", "replaced", "touched"]).await;
    assert_eq!(home.bytes("edited"), b"as it came, and more");
    assert_eq!(in_trash(), ["last"]);
}
