//! X7: a kill at any boundary of any operation does not change the result, and every effect occurs exactly once.
//!
//! The engine runs in a separate process: this test binary, running only `child_performs_every_operation`. This
//! function performs every operation of an engine, but skips operations that a killed run has already completed.

use std::{
    panic::AssertUnwindSafe,
    path::{Path, PathBuf},
    process::Stdio,
};

use ashore_engine::{
    Engine, EngineOptions, FailureReason, LimitScope, ListQuery, NewRegistration, QuotaScope, Registration, RegistrationResult,
    RegistrationState, SettingOverrides, UniqueId, failpoint,
};
use ashore_testkit::{
    home::{Home, env},
    origin::{Body, Origin, content},
    waits::in_time,
};
use futures_util::FutureExt;

use crate::crash::{
    moving,
    recovery::{COPYING, RESTORING},
    saving,
};

/// Speed limit in bytes per second. It is too high to slow any transfer.
const FAST: u64 = 1 << 30;
/// Quota in bytes. It is too large to block any download.
const MOST: u64 = 1 << 40;

/// Performs all operations with a kill at `point`, and then again without a kill.
async fn assert_survives(point: &str) {
    let origin = Origin::start().await;
    origin.file("/one", Body::bytes("one"));
    origin.file("/two", Body::seeded(2, 400_000)).reset_after(300_000).times(1);
    origin.file("/again", Body::bytes("again")).status(404).times(1);
    origin.file("/again-and-gone", Body::bytes("not for long"));
    origin.file("/form", Body::bytes("thank you"));
    origin.file("/never", Body::seeded(3, 1000)).gate_at(500);
    origin.file("/belied", Body::bytes("something else"));
    origin.file("/belied.md5", Body::bytes(format!("{}\n", "0".repeat(32))));
    let home = Home::closed("");
    home.source("letter", b"a letter");

    let killed = walk(&origin, &home, Some(point)).await;
    assert!(killed, "the operations never reached {point}");
    assert!(!walk(&origin, &home, None).await);
    assert_end_state(home).await;
}

/// Item X7 of the conformance list.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_at_any_failpoint_leads_to_same_result() {
    // `walk` performs all operations. It reaches the failpoints before and after each commit, and the failpoints before
    // and after each step on the disk. The failpoints for restoring, backing up, exporting and importing the list, and for
    // moving files, are tested elsewhere.
    let elsewhere = [RESTORING, COPYING, saving::POINTS, moving::POINTS].concat();
    let mut left = failpoint::POINTS.iter().filter(|point| !elsewhere.contains(point));
    let mut running = tokio::task::JoinSet::new();
    loop {
        while running.len() < 4 {
            let Some(point) = left.next() else { break };
            running.spawn(async move {
                let survived = AssertUnwindSafe(assert_survives(point)).catch_unwind().await;
                survived.unwrap_or_else(|_| panic!("it does not survive {point}"));
            });
        }
        let Some(done) = running.join_next().await else { break };
        done.unwrap();
    }
}

/// Performs all operations in a separate process. Returns whether the process was killed. Panics if the process fails
/// in any other way.
async fn walk(origin: &Origin, home: &Home, kill_at: Option<&str>) -> bool {
    let mut walk = tokio::process::Command::new(std::env::current_exe().unwrap());
    walk.args(["--exact", "conformance::kill::child_performs_every_operation", "--ignored", "--nocapture", "--test-threads=1"])
        .env("ASHORE_STORY_HOME", home.data().parent().unwrap())
        .env("ASHORE_STORY_ORIGIN", origin.url("/").as_str())
        // Removed files go to the test's own trash folder.
        .env("XDG_DATA_HOME", home.data().parent().unwrap().join("share"))
        .env_remove("ASHORE_CRASH_AT")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    if let Some(point) = kill_at {
        walk.env("ASHORE_CRASH_AT", point);
    }
    let ended = in_time("the walk ends", walk.output()).await.unwrap();
    if std::os::unix::process::ExitStatusExt::signal(&ended.status) == Some(9) {
        return true;
    }
    let said = [ended.stdout, ended.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).join("\n");
    assert!(ended.status.success(), "the walk {kill_at:?} ended with {}:\n{said}", ended.status);
    assert!(said.contains("1 passed"), "{said}");
    false
}

/// Checks the end state, which does not depend on the number of kills.
async fn assert_end_state(mut home: Home) {
    home.reopen().await;
    let mut list = home.list(ListQuery::default()).await.unwrap();
    list.sort_by(|one, other| one.title.cmp(&other.title));
    let titles: Vec<&str> = list.iter().map(|now| now.title.as_str()).collect();
    assert_eq!(titles, ["abort", "again", "belied", "files", "upload"]);
    for now in &list {
        let reason = match now.title.as_str() {
            "abort" => FailureReason::Aborted,
            "belied" => FailureReason::FetchError,
            _ => FailureReason::None,
        };
        assert_eq!((now.state, now.failure_reason), (RegistrationState::Settled, reason), "{}: {:?}", now.title, now.failure);
        let told = std::fs::read_to_string(notified_path(&home.data(), now.unique_id)).unwrap_or_default();
        // The user gets one notification, or none if the kill happens between the claim and the notification.
        assert!(told.len() <= 1, "{} was told {} times", now.title, told.len());
        assert!(!home.claim(now.unique_id).await.unwrap(), "{} is still owed", now.title);
    }
    assert_eq!(home.totals().await.unwrap().speed_limit, Some(FAST));
    let quota = home.quotas().await.unwrap().remove(0);
    assert_eq!((quota.scope, quota.bytes), (QuotaScope::default(), Some(MOST)));
    home.until_names(&["again", "belied.md5", "form", "one", "two"]).await;
    for (name, expected) in [("one", "one"), ("again", "again"), ("form", "thank you")] {
        assert_eq!(home.bytes(name), expected.as_bytes());
    }
    assert!(home.bytes("two") == content(2, 400_000));
    assert_eq!(std::fs::read_dir(home.data().join("bodies")).unwrap().count(), 0, "no copy of a body is left");
    let report = home.doctor().await.unwrap();
    assert_eq!((report.ledger.as_str(), report.partials.len(), report.orphans.len()), ("ok", 0, 0));
    home.close().await;
}

fn notified_path(data: &Path, id: UniqueId) -> PathBuf {
    data.join(format!("told-{id}"))
}

/// Performs every operation of an engine. Runs in the process that is killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "not a test: the process that kill_at_any_failpoint_leads_to_same_result starts"]
async fn child_performs_every_operation() {
    let (Some(home), Ok(origin)) = (std::env::var_os("ASHORE_STORY_HOME"), std::env::var("ASHORE_STORY_ORIGIN")) else {
        return;
    };
    let (home, data) = (PathBuf::from(&home), PathBuf::from(home).join("data"));
    let (holder, overrides) = ("the walk".to_owned(), SettingOverrides::default());
    let options = EngineOptions { data_dir: data.clone(), holder, fetch: true, overrides, env: env() };
    let engine = Engine::open(options).await.unwrap();
    let walk = Walk { engine, data, origin };

    walk.engine.limit(LimitScope::All, Some(FAST)).await.unwrap();
    walk.engine.set_quota(QuotaScope::default(), Some(MOST), None).await.unwrap();
    // Create this registration first: the engine removes it while the other operations run or shortly after them.
    let forget = match walk.is_done("forget") {
        true => None,
        false => Some(walk.made(walk.soon_forgotten()).await),
    };
    let files = walk.once("files", &["one", "two"]).await;
    walk.record_notification(walk.until(files, |now| now.state == RegistrationState::Settled).await.unique_id).await;

    // Create the registration paused, so that no request is sent before `resume`. The server answers 404 only once, and
    // a later pause would discard this answer.
    let again = walk.made(NewRegistration { paused: true, ..walk.ask("again", &["again"]) }).await;
    walk.engine.pause(Some(again)).await.unwrap();
    walk.engine.resume(Some(again)).await.unwrap();
    if walk.until(again, |now| now.state == RegistrationState::Settled).await.result == RegistrationResult::Failure {
        assert_eq!(walk.engine.retry(again).await.unwrap(), 1);
    }
    walk.record_notification(walk.until(again, |now| now.result == RegistrationResult::Success).await.unique_id).await;

    let belied = walk.once("belied", &["belied", "belied.md5"]).await;
    walk.record_notification(walk.until(belied, |now| now.state == RegistrationState::Settled).await.unique_id).await;

    let upload = walk.upload(&home.join("letter")).await;
    if walk.until(upload, |now| now.state == RegistrationState::Settled).await.result == RegistrationResult::Failure {
        // The kill may have happened after some bytes were sent. So Ashore must leave it to the user to send the file
        // again.
        assert_eq!(walk.engine.show(upload).await.unwrap().failure.unwrap().code, "upload-interrupted");
        assert_eq!(walk.engine.retry(upload).await.unwrap(), 1);
    }
    walk.record_notification(walk.until(upload, |now| now.result == RegistrationResult::Success).await.unique_id).await;

    let abort = walk.once("abort", &["never"]).await;
    walk.until(abort, |now| now.active == 1 || now.state == RegistrationState::Settled).await;
    walk.engine.abort(abort).await.unwrap();
    walk.record_notification(walk.until(abort, |now| now.state == RegistrationState::Settled).await.unique_id).await;

    walk.unless_done("remove", async {
        let remove = walk.once("remove", &["one"]).await;
        walk.until(remove, |now| now.state == RegistrationState::Settled).await;
        walk.record_notification(remove).await;
        walk.engine.remove(remove, true).await.unwrap();
    })
    .await;
    walk.unless_done("owner", async {
        let gone = walk.made(walk.ask("owner", &["never"])).await;
        walk.until(gone, |now| now.active == 1).await;
        walk.engine.remove_owner("owner").await.unwrap();
    })
    .await;
    if let Some(forget) = forget {
        walk.unless_done("forget", walk.until_forgotten(forget)).await;
    }
    walk.engine.close().await;
}

struct Walk {
    engine: Engine,
    data: PathBuf,
    origin: String,
}

impl Walk {
    fn ask(&self, title: &str, paths: &[&str]) -> NewRegistration {
        NewRegistration {
            owner: title.to_owned(),
            title: Some(title.to_owned()),
            ..Home::ask(paths.iter().map(|path| format!("{}{path}", self.origin)))
        }
    }

    /// Returns the registration with this title. Creates it unless an earlier walk has done so.
    async fn made(&self, ask: NewRegistration) -> UniqueId {
        let all = self.engine.list(ListQuery::default()).await.unwrap();
        match all.iter().find(|now| Some(&now.title) == ask.title.as_ref()) {
            Some(found) => found.unique_id,
            None => self.engine.create(ask).await.unwrap().unique_id,
        }
    }

    fn soon_forgotten(&self) -> NewRegistration {
        let keep_for_seconds = Some(1);
        NewRegistration { keep_for_seconds, takes_files: true, ..self.ask("forget", &["again-and-gone"]) }
    }

    /// Waits until the registration settles, claims its event, and waits until the registration is no longer in the
    /// list.
    async fn until_forgotten(&self, id: UniqueId) {
        let mut events = self.engine.events();
        in_time("it is forgotten", async {
            while let Ok(now) = self.engine.show(id).await {
                if now.state == RegistrationState::Settled {
                    self.record_notification(id).await;
                }
                events.next().await.unwrap();
            }
        })
        .await;
    }

    async fn once(&self, title: &str, paths: &[&str]) -> UniqueId {
        self.made(self.ask(title, paths)).await
    }

    async fn upload(&self, letter: &Path) -> UniqueId {
        let request = ashore_testkit::home::upload("POST", format!("{}form", self.origin), letter);
        self.made(NewRegistration { title: Some("upload".to_owned()), ..Home::ask_for([request]) }).await
    }

    async fn until(&self, id: UniqueId, is_so: impl Fn(&Registration) -> bool) -> Registration {
        let mut events = self.engine.events();
        in_time("a step of the walk", async {
            loop {
                let now = self.engine.show(id).await.unwrap();
                if is_so(&now) {
                    return now;
                }
                events.next().await.unwrap();
            }
        })
        .await
    }

    /// Claims the end event of a registration. If this succeeds, records that the user was notified.
    async fn record_notification(&self, id: UniqueId) {
        if self.engine.claim(id).await.unwrap() {
            let mut file = std::fs::File::options().append(true).create(true).open(notified_path(&self.data, id)).unwrap();
            std::io::Write::write_all(&mut file, b"!").unwrap();
        }
    }

    fn note(&self, name: &str) -> PathBuf {
        self.data.join(format!("done-{name}"))
    }

    fn is_done(&self, name: &str) -> bool {
        self.note(name).exists()
    }

    /// Runs `work` only once, and records that it is done. Used for work that leaves no trace in the list.
    async fn unless_done(&self, name: &str, work: impl Future<Output = ()>) {
        if !self.is_done(name) {
            work.await;
            std::fs::write(self.note(name), "").unwrap();
        }
    }
}
