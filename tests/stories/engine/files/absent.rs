//! Tests folders whose disk is absent or does not answer.
//!
//! A download in such a folder waits, and shows the folder as the reason. All other work continues. No second partial
//! file is created on a bare mount point.

#![expect(clippy::disallowed_methods, reason = "disks disappear and come back, and nothing is at the target of the rename")]

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use ashore_engine::{ListQuery, NewRegistration, Registration, RegistrationResult, RegistrationState, UniqueId};
use ashore_testkit::{
    apart::Apart,
    home::Home,
    origin::{Body, Origin, Request, Route, content},
    silent::Silent,
};

const SIZE: u64 = 4 << 20;
const HALF: u64 = 2 << 20;
const SETTINGS: &str = "connections = 1\n";

/// File system entry that takes the place of an absent disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instead {
    Nothing,
    EmptyFolder,
    FileOfItsName,
    LinkToNowhere,
}

use Instead::{EmptyFolder, FileOfItsName, LinkToNowhere, Nothing};

/// Folder that simulates a disk. It can be removed with its content and restored later.
struct Disk {
    at: PathBuf,
    away: PathBuf,
}

impl Disk {
    fn from_home(home: &Home) -> Self {
        let [at, away] = ["disk", "away"].map(|name| home.data().with_file_name(name));
        fs::create_dir(&at).unwrap();
        Self { at, away }
    }

    fn ask(&self, origin: &Origin, path: &str) -> NewRegistration {
        NewRegistration { folder: Some(self.at.clone()), ..Home::ask([origin.url(path)]) }
    }

    fn take_away(&self, instead: Instead) {
        fs::rename(&self.at, &self.away).unwrap();
        match instead {
            Nothing => {}
            EmptyFolder => fs::create_dir(&self.at).unwrap(),
            FileOfItsName => fs::write(&self.at, "").unwrap(),
            LinkToNowhere => symlink("nowhere", &self.at).unwrap(),
        }
    }

    fn bring_back(&self, instead: Instead) {
        match instead {
            Nothing => {}
            EmptyFolder => fs::remove_dir(&self.at).expect("nothing was begun on the bare mount point"),
            FileOfItsName | LinkToNowhere => fs::remove_file(&self.at).unwrap(),
        }
        fs::rename(&self.away, &self.at).unwrap();
    }

    fn durable(&self) -> u64 {
        ashore_transfer::survey(&self.at).unwrap().first().map_or(0, |found| found.bytes)
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(&self.at).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// Starts a download of `/a` to the disk, and waits until half of the file is durable. The server delays the rest.
async fn begin_download(home: &Home, disk: &Disk, origin: &Origin) -> (UniqueId, Route) {
    let route = origin.file("/a", Body::seeded(1, SIZE)).gate_at(HALF);
    let id = home.create(disk.ask(origin, "/a")).await.unwrap().unique_id;
    route.held().await;
    home.until_looked("half of it is durable", async |_| disk.durable() == HALF).await;
    (id, route)
}

/// Waits until the engine names the folder as the reason why download `id` waits.
async fn assert_waits_for_folder(home: &Home, id: UniqueId, folder: &Path) -> Registration {
    let is_told = |now: &Registration| now.waiting_for.as_ref().is_some_and(|why| why.code == "folder");
    let waiting = home.until(id, is_told).await;
    let text = &waiting.waiting_for.as_ref().unwrap().text;
    assert!(text.contains(&format!(" {} ", folder.display())) && text.contains("continues automatically when"), "{text}");
    assert_eq!(waiting.state, RegistrationState::Waiting);
    waiting
}

/// Checks that the download resumes from its received bytes, and that its folder contains no other file.
async fn assert_resumes(home: &Home, id: UniqueId, disk: &Disk, route: &Route) {
    let settled = home.settled(id).await;
    assert_eq!(settled.result, RegistrationResult::Success, "{:?}", settled.failure);
    assert!(fs::read(disk.at.join("a")).unwrap() == content(1, SIZE));
    home.until_looked("nothing is left beside it", async |_| disk.names() == ["a"]).await;
    let starts: Vec<_> = route.requests().iter().skip(1).map(Request::range_start).collect();
    assert!(!starts.is_empty() && starts.iter().all(|start| start.is_some_and(|start| start + (64 << 10) >= HALF)), "{starts:?}");
}

#[tokio::test]
async fn download_waits_for_disk_that_is_absent_at_start_and_then_resumes() {
    for (instead, is_killed) in [
        (Nothing, false),
        (EmptyFolder, false),
        (FileOfItsName, false),
        (LinkToNowhere, false),
        (Nothing, true),
        (EmptyFolder, true),
    ] {
        let (origin, mut home) = (Origin::start().await, Home::open_with(SETTINGS).await);
        let disk = Disk::from_home(&home);
        let (id, route) = begin_download(&home, &disk, &origin).await;
        if is_killed {
            home.crash().await
        } else {
            home.close().await
        }
        disk.take_away(instead);
        route.release();
        home.reopen().await;
        assert_waits_for_folder(&home, id, &disk.at).await;
        let report = home.doctor().await.unwrap();
        let gate =
            report.gates.iter().find(|gate| gate.code.word() == "folder").unwrap_or_else(|| panic!("{instead:?}: {report:?}"));
        assert!(gate.text.contains("/disk"), "{}", gate.text);
        assert_eq!(report.folders.iter().any(|one| one.path == disk.at), instead != EmptyFolder, "{instead:?}: {report:?}");
        assert_eq!(route.requests().len(), 1, "{instead:?}: no request is sent in the meantime");
        disk.bring_back(instead);
        assert_resumes(&home, id, &disk, &route).await;
    }
}

#[tokio::test]
async fn download_waits_for_disk_that_disappears_during_transfer() {
    for instead in [Nothing, EmptyFolder, FileOfItsName] {
        let (origin, home) = (Origin::start().await, Home::open_with(SETTINGS).await);
        let disk = Disk::from_home(&home);
        let (id, route) = begin_download(&home, &disk, &origin).await;
        disk.take_away(instead);
        route.release();
        assert_waits_for_folder(&home, id, &disk.at).await;
        disk.bring_back(instead);
        let settled = home.settled(id).await;
        assert_eq!(settled.result, RegistrationResult::Success, "{instead:?}: {:?}", settled.failure);
        assert!(fs::read(disk.at.join("a")).unwrap() == content(1, SIZE), "{instead:?}");
    }
}

#[tokio::test]
async fn paused_download_resumes_only_after_disk_returns() {
    let (origin, mut home) = (Origin::start().await, Home::open_with(SETTINGS).await);
    let disk = Disk::from_home(&home);
    let (id, route) = begin_download(&home, &disk, &origin).await;
    home.pause(Some(id)).await.unwrap();
    home.until(id, |now| now.active == 0).await;
    home.close().await;
    disk.take_away(Nothing);
    route.release();
    home.reopen().await;
    home.resume(Some(id)).await.unwrap();
    let waiting = assert_waits_for_folder(&home, id, &disk.at).await;
    assert_eq!(waiting.downloaded, HALF, "the list shows the bytes on the disk");
    origin.file("/other", Body::bytes("other"));
    let other = home.fetch([origin.url("/other")]).await;
    assert_eq!(home.settled(other).await.result, RegistrationResult::Success, "a download to another folder continues");
    disk.bring_back(Nothing);
    assert_resumes(&home, id, &disk, &route).await;
}

#[tokio::test]
async fn retry_refetches_file_if_disk_is_replaced_by_empty_folder() {
    let (origin, mut home) = (Origin::start().await, Home::open_with(SETTINGS).await);
    let disk = Disk::from_home(&home);
    let (id, route) = begin_download(&home, &disk, &origin).await;
    home.close().await;
    disk.take_away(EmptyFolder);
    route.release();
    home.reopen().await;
    assert_waits_for_folder(&home, id, &disk.at).await;
    assert_eq!(home.retry(id).await.unwrap(), 1);
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert!(fs::read(disk.at.join("a")).unwrap() == content(1, SIZE));
    assert_eq!(route.requests().last().and_then(Request::range_start), None, "from its beginning");
}

#[tokio::test]
async fn retry_fails_with_target_error_if_folder_is_missing() {
    let (origin, mut home) = (Origin::start().await, Home::open_with(SETTINGS).await);
    let disk = Disk::from_home(&home);
    let (id, route) = begin_download(&home, &disk, &origin).await;
    home.close().await;
    disk.take_away(Nothing);
    route.release();
    home.reopen().await;
    assert_waits_for_folder(&home, id, &disk.at).await;
    assert_eq!(home.retry(id).await.unwrap(), 1);
    assert_eq!(home.settled(id).await.failure.unwrap().code, "target");
    disk.bring_back(Nothing);
    assert_eq!(home.retry(id).await.unwrap(), 1);
    assert_resumes(&home, id, &disk, &route).await;
}

#[tokio::test]
async fn partial_file_of_removed_download_is_deleted_when_disk_returns() {
    for (instead, is_restarted) in [(Nothing, false), (EmptyFolder, false), (Nothing, true), (EmptyFolder, true)] {
        let (origin, mut home) = (Origin::start().await, Home::open_with(SETTINGS).await);
        let disk = Disk::from_home(&home);
        let (id, route) = begin_download(&home, &disk, &origin).await;
        home.pause(Some(id)).await.unwrap();
        home.until(id, |now| now.active == 0).await;
        disk.take_away(instead);
        home.remove(id, false).await.unwrap();
        assert!(home.list(ListQuery::default()).await.unwrap().is_empty(), "it is gone from the list at once");
        origin.file("/other", Body::bytes("other"));
        let other = home.fetch([origin.url("/other")]).await;
        assert_eq!(home.settled(other).await.result, RegistrationResult::Success, "others go on");
        if is_restarted {
            home.crash().await;
            home.reopen().await;
        }
        disk.bring_back(instead);
        home.until_looked("the partial is gone", async |_| disk.names().is_empty()).await;
        assert!(home.doctor().await.unwrap().orphans.is_empty());
        drop(route);
    }
}

#[tokio::test]
async fn partial_file_is_fetched_again_if_user_deletes_it() {
    let (origin, mut home) = (Origin::start().await, Home::open_with(SETTINGS).await);
    let disk = Disk::from_home(&home);
    let (id, route) = begin_download(&home, &disk, &origin).await;
    home.close().await;
    for name in disk.names() {
        fs::remove_file(disk.at.join(name)).unwrap();
    }
    route.release();
    home.reopen().await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    home.until_looked("nothing is left beside it", async |_| disk.names() == ["a"]).await;
}

#[tokio::test]
async fn doctor_reports_absent_folder_even_after_ledger_was_lost() {
    let (origin, mut home) = (Origin::start().await, Home::open_with(SETTINGS).await);
    let disk = Disk::from_home(&home);
    let (_, route) = begin_download(&home, &disk, &origin).await;
    home.close().await;
    route.release();
    for name in ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm"] {
        let _ = fs::remove_file(home.data().join(name));
    }
    disk.take_away(Nothing);
    home.reopen().await;
    let report = home.doctor().await.unwrap();
    let absent = report.folders.iter().find(|one| one.path == disk.at).unwrap_or_else(|| panic!("{report:?}"));
    assert_eq!(absent.message.id(), "message-folder-fault.missing");
    assert!(report.orphans.is_empty() && home.adopt(Vec::new()).await.unwrap().is_empty());
    disk.bring_back(Nothing);
    let report = home.doctor().await.unwrap();
    assert_eq!((report.folders.iter().filter(|one| one.path == disk.at).count(), report.orphans.len()), (0, 1), "{report:?}");
    let adopted = home.adopt(Vec::new()).await.unwrap();
    assert_resumes(&home, adopted[0].unique_id, &disk, &route).await;
}

/// Creates a folder whose file system does not answer, next to the folders of the home.
///
/// Returns the path of this folder as seen by the engine.
fn silent(home: &Home, apart: &Arc<Apart>) -> Option<(Silent, PathBuf)> {
    let at = home.data().with_file_name("share");
    fs::create_dir(&at).unwrap();
    match Silent::over(&at, apart) {
        Ok(silent) => Some((silent, apart.seen(&at))),
        Err(why) => {
            ashore_testkit::left_out(format!("no silent folder can be made: {why:#}"));
            None
        }
    }
}

#[tokio::test]
async fn unresponsive_folder_does_not_block_other_downloads() {
    let (origin, home) = (Origin::start().await, Home::open_with(SETTINGS).await);
    origin.file("/small", Body::bytes("small"));
    origin.file("/large", Body::seeded(2, SIZE));
    let Some(apart) = Apart::for_a_story() else { return };
    let Some((disk, at)) = silent(&home, &apart) else { return };
    let mut stuck = Vec::new();
    for number in 0..3 {
        origin.file(&format!("/stuck{number}"), Body::seeded(3, SIZE));
        let ask = NewRegistration { folder: Some(at.clone()), ..Home::ask([origin.url(&format!("/stuck{number}"))]) };
        stuck.push(home.create(ask).await.unwrap().unique_id);
    }
    for id in &stuck {
        let waiting = assert_waits_for_folder(&home, *id, &at).await;
        assert!(waiting.waiting_for.unwrap().text.contains("does not answer"));
    }
    for path in ["/small", "/large"] {
        let id = home.fetch([origin.url(path)]).await;
        assert_eq!(home.settled(id).await.result, RegistrationResult::Success, "{path}");
    }
    home.remove(stuck[2], false).await.unwrap();
    let id = home.fetch([origin.url("/small")]).await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success, "after a removal there");
    drop(disk);
    for id in &stuck[..2] {
        assert_eq!(home.settled(*id).await.result, RegistrationResult::Success, "the download continues without user action");
    }
}

#[tokio::test]
async fn folder_that_stops_answering_does_not_block_other_downloads() {
    let (origin, home) = (Origin::start().await, Home::open_with(SETTINGS).await);
    origin.file("/other", Body::seeded(2, SIZE));
    let Some(apart) = Apart::for_a_story() else { return };
    let inside = home.data().with_file_name("share");
    fs::create_dir(&inside).unwrap();
    let at = apart.seen(&inside);
    let mut stuck = Vec::new();
    for path in ["/whole", "/cut"] {
        let body = Body::seeded(1, SIZE);
        let route = origin.file(path, body).gate_at(HALF);
        let ask = NewRegistration { folder: Some(at.clone()), ..Home::ask([origin.url(path)]) };
        stuck.push((home.create(ask).await.unwrap().unique_id, route));
    }
    for (_, route) in &stuck {
        route.held().await;
    }
    let Ok(silent) = Silent::over(&inside, &apart) else { return ashore_testkit::left_out("no silent folder can be made") };
    stuck[0].1.release();
    // Pause only one of the two transfers. The other one runs until its body is complete.
    home.pause(Some(stuck[1].0)).await.unwrap();
    for _ in 0..3 {
        let other = home.fetch([origin.url("/other")]).await;
        assert_eq!(home.settled(other).await.result, RegistrationResult::Success);
        tokio::time::timeout(Duration::from_secs(20), home.resume(Some(other))).await.expect("calls are answered").unwrap();
    }
    drop(silent);
    stuck[1].1.release();
    home.resume(Some(stuck[1].0)).await.unwrap();
    for (id, _) in stuck {
        assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    }
}

#[tokio::test]
async fn engine_starts_and_closes_despite_folder_that_does_not_answer() {
    let (origin, mut home) = (Origin::start().await, Home::open_with(SETTINGS).await);
    let Some(apart) = Apart::for_a_story() else { return };
    let inside = home.data().with_file_name("share");
    fs::create_dir(&inside).unwrap();
    let at = apart.seen(&inside);
    let route = origin.file("/a", Body::seeded(1, SIZE)).gate_at(HALF);
    let ask = NewRegistration { folder: Some(at.clone()), ..Home::ask([origin.url("/a")]) };
    let id = home.create(ask).await.unwrap().unique_id;
    route.held().await;
    home.until_looked("half of it is durable", async |_| {
        ashore_transfer::survey(&inside).unwrap().first().is_some_and(|found| found.bytes == HALF)
    })
    .await;
    home.crash().await;
    route.release();
    let Ok(silent) = Silent::over(&inside, &apart) else { return ashore_testkit::left_out("no silent folder can be made") };
    tokio::time::timeout(Duration::from_secs(20), home.reopen()).await.expect("it starts without the disk");
    assert_waits_for_folder(&home, id, &at).await;
    tokio::time::timeout(Duration::from_secs(20), home.close()).await.expect("it closes without the disk");
    drop(silent);
    home.reopen().await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert!(fs::read(inside.join("a")).unwrap() == content(1, SIZE));
    assert_eq!(route.requests().len(), 2, "the second one for the rest alone");
}
