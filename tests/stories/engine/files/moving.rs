//! Tests moves to another folder: the files of a download can move in any state of the download, and nothing is
//! overwritten.

use std::{
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use ashore_engine::{NewRegistration, RegistrationResult, RegistrationState, UniqueId};
use ashore_testkit::{
    home::{Home, names_in},
    origin::{Body, Origin, content},
};
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};

const LENGTH: u64 = 2_000_000;
const HALF: u64 = LENGTH / 2;

/// Creates a folder beside the download folder.
fn other_folder(home: &Home) -> PathBuf {
    let folder = home.downloads().with_file_name("elsewhere");
    std::fs::create_dir(&folder).unwrap();
    folder
}

async fn path_of(home: &Home, id: UniqueId) -> PathBuf {
    home.show(id).await.unwrap().path.unwrap()
}

async fn completed(home: &Home, origin: &Origin) -> UniqueId {
    origin.file("/a", Body::bytes("a"));
    let id = home.fetch([origin.url("/a")]).await;
    home.settled(id).await;
    home.until_names(&["a"]).await;
    id
}

async fn ledger(home: &Home) -> SqliteConnection {
    SqliteConnectOptions::new().filename(home.data().join("ledger.sqlite")).connect().await.unwrap()
}

#[tokio::test]
async fn running_download_continues_in_its_new_folder() {
    let (origin, home) = (Origin::start().await, Home::open_with("connections = 1\n").await);
    let route = origin.file("/a", Body::seeded(1, LENGTH)).gate_at(HALF);
    let id = home.fetch([origin.url("/a")]).await;
    route.held().await;
    home.until(id, |now| now.downloaded == HALF).await;
    let to = other_folder(&home);
    home.put_into(id, to.clone()).await.unwrap();
    assert_eq!((home.names(), names_in(&to).len()), (vec![], 2));
    route.release();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert!(std::fs::read(to.join("a")).unwrap() == content(1, LENGTH));
    let starts: Vec<_> = route.requests().iter().map(|request| request.range_start()).collect();
    assert!(starts.len() == 2 && starts[1] > Some(HALF / 2), "the received bytes are not fetched again: {starts:?}");
    assert_eq!(path_of(&home, id).await, to.join("a"));
}

#[tokio::test]
async fn other_path_of_the_same_folder_keeps_received_bytes_and_finished_files() {
    let (origin, home) = (Origin::start().await, Home::open_with("connections = 1\n").await);
    origin.file("/done", Body::bytes("x"));
    let route = origin.file("/half", Body::seeded(1, LENGTH)).gate_at(HALF);
    let id = home.fetch([origin.url("/done"), origin.url("/half")]).await;
    route.held().await;
    home.until(id, |now| now.downloaded == HALF + 1).await;
    let link = home.downloads().with_file_name("link");
    std::os::unix::fs::symlink(home.downloads(), &link).unwrap();
    home.put_into(id, link).await.unwrap();
    route.release();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    home.until_names(&["done", "half"]).await;
    assert!(std::fs::read(home.downloads().join("half")).unwrap() == content(1, LENGTH));
    let starts: Vec<_> = route.requests().iter().map(|request| request.range_start()).collect();
    assert!(starts.last().unwrap() > &Some(HALF / 2), "the received bytes are not fetched again: {starts:?}");
}

#[tokio::test]
async fn download_that_is_moved_and_cancelled_at_once_stays_cancelled() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let route = origin.file("/a", Body::seeded(1, LENGTH)).gate_at(HALF);
    let id = home.fetch([origin.url("/a")]).await;
    route.held().await;
    let to = other_folder(&home);
    let (moved, aborted) = tokio::join!(home.put_into(id, to), home.abort(id));
    // Either call may be the first one. The move can find that the files are gone.
    let _ = moved;
    aborted.unwrap();
    route.release();
    let settled = home.settled(id).await;
    assert_eq!(settled.result, RegistrationResult::Failure, "{settled:?}");
}

#[tokio::test]
async fn queued_and_paused_downloads_start_in_their_new_folder() {
    let (origin, home) = (Origin::start().await, Home::open_with("parallel = 1\n").await);
    let held = origin.file("/held", Body::seeded(1, LENGTH)).gate_at(HALF);
    for name in ["/queued", "/paused"] {
        origin.file(name, Body::bytes("x"));
    }
    let running = home.fetch([origin.url("/held")]).await;
    held.held().await;
    let queued = home.fetch([origin.url("/queued")]).await;
    let ask = NewRegistration { paused: true, ..Home::ask([origin.url("/paused")]) };
    let paused = home.create(ask).await.unwrap().unique_id;
    let to = other_folder(&home);
    for id in [queued, paused] {
        home.put_into(id, to.clone()).await.unwrap();
    }
    assert_eq!(home.show(paused).await.unwrap().state, RegistrationState::Paused);
    held.release();
    home.resume(Some(paused)).await.unwrap();
    for id in [running, queued, paused] {
        assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    }
    assert_eq!(names_in(&to), ["paused", "queued"]);
}

#[tokio::test]
async fn finished_file_moves_and_gets_numbered_name_if_its_name_is_taken() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let id = completed(&home, &origin).await;
    let to = other_folder(&home);
    std::fs::write(to.join("a"), "mine").unwrap();
    home.put_into(id, to.clone()).await.unwrap();
    assert_eq!((home.names(), path_of(&home, id).await), (vec![], to.join("a (1)")));
    assert_eq!((std::fs::read(to.join("a")).unwrap(), std::fs::read(to.join("a (1)")).unwrap()), (b"mine".into(), b"a".into()));
    assert_eq!(home.show(id).await.unwrap().folder, to);
    // The moved file is still known as the downloaded one.
    home.put_into(id, home.downloads()).await.unwrap();
    assert_eq!((home.names(), names_in(&to)), (vec!["a (1)".to_owned()], vec!["a".to_owned()]));
}

#[tokio::test]
async fn error_names_finished_file_that_another_program_moved_away() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    for name in ["/a", "/b"] {
        origin.file(name, Body::bytes("x"));
    }
    let id = home.fetch([origin.url("/a"), origin.url("/b")]).await;
    home.settled(id).await;
    home.until_names(&["a", "b"]).await;
    let to = other_folder(&home);
    std::fs::remove_file(home.downloads().join("a")).unwrap();
    let refused = home.put_into(id, to.clone()).await.unwrap_err();
    assert_eq!(refused.code(), "wrong-state");
    let lost = home.downloads().join("a").display().to_string();
    assert!(refused.to_string().contains(&lost) && refused.to_string().contains("another program"), "{refused}");
    assert_eq!((home.names(), names_in(&to)), (vec![], vec!["b".to_owned()]));
}

#[tokio::test]
async fn move_is_refused_if_another_program_moved_the_partial_file_away() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let route = origin.file("/a", Body::seeded(1, LENGTH)).gate_at(HALF);
    let id = home.fetch([origin.url("/a")]).await;
    route.held().await;
    home.until(id, |now| now.downloaded == HALF).await;
    home.pause(Some(id)).await.unwrap();
    home.until(id, |now| now.active == 0).await;
    let away = home.downloads().with_file_name("away");
    std::fs::create_dir(&away).unwrap();
    let bring = |from: &Path, to: &Path| {
        for name in names_in(from) {
            std::fs::copy(from.join(&name), to.join(&name)).unwrap();
            std::fs::remove_file(from.join(name)).unwrap();
        }
    };
    bring(&home.downloads(), &away);
    let to = other_folder(&home);
    let refused = home.put_into(id, to.clone()).await.unwrap_err();
    assert!(refused.to_string().contains("no longer in"), "{refused}");
    assert_eq!((home.show(id).await.unwrap().folder, names_in(&to)), (home.downloads(), vec![]));
    bring(&away, &home.downloads());
    home.put_into(id, to).await.unwrap();
}

#[tokio::test]
async fn files_move_to_another_file_system() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let Ok(to) = tempfile::tempdir_in("/dev/shm") else { return };
    if to.path().metadata().unwrap().dev() == home.downloads().metadata().unwrap().dev() {
        return;
    }
    let done = completed(&home, &origin).await;
    let route = origin.file("/half", Body::seeded(1, LENGTH)).gate_at(HALF);
    let half = home.fetch([origin.url("/half")]).await;
    route.held().await;
    home.until(half, |now| now.downloaded == HALF).await;
    std::fs::write(to.path().join("a"), "mine").unwrap();
    for id in [done, half] {
        home.put_into(id, to.path().to_owned()).await.unwrap();
    }
    route.release();
    assert_eq!(home.settled(half).await.result, RegistrationResult::Success);
    assert_eq!(home.names(), Vec::<String>::new());
    assert_eq!(std::fs::read(to.path().join("a (1)")).unwrap(), b"a");
    assert!(std::fs::read(to.path().join("half")).unwrap() == content(1, LENGTH));
}

/// Renames a file without overwriting another one.
fn give_other_name(from: &Path, to: &Path) {
    std::fs::hard_link(from, to).unwrap();
    std::fs::remove_file(from).unwrap();
}

#[tokio::test]
async fn interrupted_move_of_finished_file_continues_at_next_start() {
    // State of the new name when the engine was killed: it does not exist, it is a link, it is a link and recorded, it is
    // the only name, or it belongs to another file.
    for (state, expected) in [("missing", "a"), ("link", "a"), ("recorded", "a"), ("only", "a"), ("other", "a (1)")] {
        let (origin, mut home) = (Origin::start().await, Home::open().await);
        let id = completed(&home, &origin).await;
        home.close().await;
        let (from, to) = (home.downloads(), other_folder(&home));
        let target = to.join("a");
        match state {
            "link" | "recorded" => std::fs::hard_link(from.join("a"), &target).unwrap(),
            "other" => std::fs::write(&target, "mine").unwrap(),
            "only" => give_other_name(&from.join("a"), &target),
            _ => {}
        }
        let mut open = ledger(&home).await;
        sqlx::query(
            "INSERT INTO relocation (reg_id, folder, idx, source, target) SELECT reg_id, ?1, 0, ?2, ?3 FROM registration",
        )
        .bind(to.to_str())
        .bind(from.join("a").to_str())
        .bind(target.to_str())
        .execute(&mut open)
        .await
        .unwrap();
        if state == "recorded" {
            let recorded = sqlx::query("UPDATE response_done SET path = ?1").bind(target.to_str());
            recorded.execute(&mut open).await.unwrap();
        }
        open.close().await.unwrap();
        home.reopen().await;
        let moved = home.until(id, |now| now.path.as_ref().is_some_and(|path| path.starts_with(&to))).await;
        assert_eq!(moved.path.unwrap(), to.join(expected), "{state}");
        home.until_names(&[]).await;
        assert_eq!(std::fs::read(to.join(expected)).unwrap(), b"a", "{state}");
    }
}

#[tokio::test]
async fn interrupted_move_of_partial_file_continues_at_next_start() {
    for is_journal_moved in [false, true] {
        let (origin, mut home) = (Origin::start().await, Home::open_with("connections = 1\n").await);
        let route = origin.file("/a", Body::seeded(1, LENGTH)).gate_at(HALF);
        let id = home.fetch([origin.url("/a")]).await;
        route.held().await;
        home.until(id, |now| now.downloaded == HALF).await;
        home.pause(Some(id)).await.unwrap();
        home.until(id, |now| now.active == 0).await;
        home.resume(Some(id)).await.unwrap();
        home.pause(None).await.unwrap();
        home.until(id, |now| now.active == 0).await;
        home.close().await;
        let (from, to) = (home.downloads(), other_folder(&home));
        for name in names_in(&from).into_iter().filter(|name| is_journal_moved || name.ends_with(".part")) {
            give_other_name(&from.join(&name), &to.join(&name));
        }
        let mut open = ledger(&home).await;
        let begun = sqlx::query("INSERT INTO relocation (reg_id, folder) SELECT reg_id, ?1 FROM registration");
        begun.bind(to.to_str()).execute(&mut open).await.unwrap();
        open.close().await.unwrap();
        route.release();
        home.reopen().await;
        home.resume(None).await.unwrap();
        assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
        assert!(std::fs::read(to.join("a")).unwrap() == content(1, LENGTH));
        assert!(route.requests().last().unwrap().range_start() > Some(HALF / 2), "{:#?}", route.requests());
    }
}
