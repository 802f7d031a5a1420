//! Plays a script with a real server and the real program.
//!
//! The power is cut at a failpoint, or never.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use ashore_testkit::{
    machine::{Cut, Died, Machine, Outcome, PATIENCE},
    origin::{Body, Origin, Route},
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::scripts::{Kind, NAME, Script, Shelf, Step};

/// Signal number of SIGKILL.
const KILL: i32 = 9;
/// Speed limit in bytes per second. It is too high to slow any transfer.
const FAST: u64 = 1 << 30;
/// Quota in bytes. It is too large to block any download.
const MOST: u64 = 1 << 40;
/// Maximum time from the engine's last answer until it reaches a failpoint.
const AFTERMATH: Duration = Duration::from_secs(10);
const OWNER: &str = "story-teller";
/// Size of an upload in bytes.
const SENT: usize = 700_000;

/// Result of a run.
#[derive(Debug)]
pub struct Run {
    /// Files and records at the end of the run.
    pub outcome: Outcome,
    /// Whether the power was cut at the intended point.
    pub was_cut: bool,
    /// Log of the engine.
    pub log: String,
}

/// Plays `script`. `cut` contains the number of a start and a failpoint. The engine is killed at this failpoint, in
/// that start or a later one.
pub async fn play(script: &Script, cut: Option<(u32, &str)>) -> Run {
    let mut play = Play::new(script, cut).await;
    play.start().await;
    for step in &script.steps {
        if matches!(step, Step::Restart) {
            if !play.dies_soon().await {
                play.machine.kill().await;
            }
            play.start().await;
            continue;
        }
        while let Err(died) = play.carry_out(*step).await {
            play.note(died);
            play.start().await;
        }
    }
    if play.dies_soon().await {
        play.start().await;
    }
    let outcome = loop {
        match play.end().await {
            Ok(outcome) => break outcome,
            Err(died) => {
                play.note(died);
                play.start().await;
            }
        }
    };
    Run { outcome, was_cut: play.was_cut, log: play.machine.log() }
}

struct Play {
    machine: Machine,
    origin: Origin,
    routes: HashMap<&'static str, Route>,
    shelf: Vec<Shelf>,
    /// Expected digest of every file.
    digests: HashMap<&'static str, String>,
    cut: Option<(u32, String)>,
    was_cut: bool,
    starts: u32,
    is_removed: bool,
    /// Number of successful claims of the end event.
    claims: u32,
    is_sent_again: bool,
    kept: usize,
}

impl Play {
    async fn new(script: &Script, cut: Option<(u32, &str)>) -> Self {
        let origin = Origin::start().await;
        let routes = script.shelf.iter().map(|file| (file.path, serve_file(&origin, file))).collect();
        let digests = script.shelf.iter().map(|file| (file.path, hex_digest(&file.content()))).collect();
        Self {
            machine: Machine::new(),
            origin,
            routes,
            shelf: script.shelf.clone(),
            digests,
            cut: cut.map(|(start, point)| (start, point.to_owned())),
            was_cut: false,
            starts: 0,
            is_removed: false,
            claims: 0,
            is_sent_again: false,
            kept: script.kept.len(),
        }
    }

    /// Starts the engine. If the engine is killed at its failpoint during the start, starts it once more.
    async fn start(&mut self) {
        self.starts += 1;
        let point = self.cut.as_ref().filter(|(start, _)| !self.was_cut && self.starts >= *start);
        if let Err(died) = self.machine.serve(point.map(|(_, point)| point.clone()).as_deref()).await {
            self.note(died);
            self.machine.serve(None).await.unwrap();
        }
    }

    /// Waits until the engine is killed at its failpoint. Returns false if the engine survives. A kill can also happen
    /// during work after the last answer.
    async fn dies_soon(&mut self) -> bool {
        let is_armed = !self.was_cut && self.cut.as_ref().is_some_and(|(start, _)| self.starts >= *start);
        if !is_armed {
            return false;
        }
        match tokio::time::timeout(AFTERMATH, self.machine.died_by_itself()).await {
            Ok(died) => {
                self.note(died);
                true
            }
            Err(_) => false,
        }
    }

    /// Records the engine's death. Its cause must be the planned power cut, and this cut may happen only once.
    fn note(&mut self, died: Died) {
        assert_eq!(died.signal, Some(KILL), "the engine died of something else:\n{}", self.machine.log());
        assert!(self.cut.is_some() && !self.was_cut, "the engine died without a power cut");
        self.was_cut = true;
    }

    async fn carry_out(&mut self, step: Step) -> Result<(), Died> {
        match step {
            Step::Restart => Ok(()),
            Step::Add => self.add(0).await,
            Step::Declare(total) => self.add(total).await,
            Step::Held(path) => {
                let route = self.routes[path].clone();
                tokio::select! {
                    () = route.held() => Ok(()),
                    died = self.machine.died_by_itself() => Err(died),
                }
            }
            Step::Durable => self.durable().await,
            Step::Release(path) => {
                self.routes[path].release();
                Ok(())
            }
            Step::Replace(path, seed) => {
                let body = Body::seeded(seed, self.shelf[0].body.1);
                self.digests.insert(path, hex_digest(&body));
                let _ = self.routes[path].clone().content(body);
                Ok(())
            }
            Step::Mend(path) => {
                let _ = self.routes[path].clone().honest();
                Ok(())
            }
            Step::Succeeded(count) => {
                self.machine.until(NAME, "so far", |one| one["succeeded"].as_u64() >= Some(count)).await.map(drop)
            }
            Step::Pause => self.verb("pause", json!({})).await.map(drop),
            Step::PauseAll => self.call("pause", json!({ "unique_id": null })).await.map(drop),
            Step::Rests => {
                let is_at_rest = |one: &Value| one["state"] == "paused" && one["active"] == 0;
                self.machine.until(NAME, "at rest", is_at_rest).await.map(drop)
            }
            Step::Resume => self.verb("resume", json!({})).await.map(drop),
            Step::ResumeAll => self.call("resume", json!({ "unique_id": null })).await.map(drop),
            Step::First => self.verb("move", json!({ "place": "top" })).await.map(drop),
            Step::Limit => self.limit().await,
            Step::Abort => self.verb("abort", json!({})).await.map(drop),
            Step::Retry => self.verb("retry", json!({})).await.map(drop),
            Step::Remove => {
                self.is_removed = true;
                self.verb("remove", json!({ "files": true })).await.map(drop)
            }
            Step::RemoveOwner => {
                self.is_removed = true;
                self.call("remove_owner", json!({ "owner": OWNER })).await.map(drop)
            }
            Step::Forget => self.forget().await,
            Step::Settled => self.machine.until(NAME, "settled", |one| one["state"] == "settled").await.map(drop),
            Step::SendAgain => self.send_again().await,
            Step::Claim => {
                let answer = self.verb("claim", json!({})).await?;
                self.claims += u32::from(answer == json!(true));
                Ok(())
            }
        }
    }

    /// Sets speed limits and a quota that do not affect the downloads, and checks that they are recorded.
    async fn limit(&mut self) -> Result<(), Died> {
        let all = json!({ "scope": { "type": "all" }, "bytes_per_second": FAST });
        self.call("limit", all).await?;
        let Some(found) = self.machine.find(NAME).await? else { panic!("it is gone from the list") };
        let own = json!({ "type": "registration", "unique_id": found["unique_id"] });
        self.call("limit", json!({ "scope": own, "bytes_per_second": FAST })).await?;
        let limits = self.call("limits", Value::Null).await?;
        assert_eq!(limits.as_array().map(Vec::len), Some(2), "both are written down: {limits}");
        let quota = json!({ "scope": { "owner": OWNER }, "bytes": MOST, "files": null });
        self.call("set_quota", quota).await?;
        let quotas = self.call("quotas", Value::Null).await?;
        let is_written = |quota: &Value| quota["scope"]["owner"] == OWNER && quota["bytes"] == MOST;
        assert!(quotas.as_array().is_some_and(|all| all.iter().any(is_written)), "it is written down: {quotas}");
        Ok(())
    }

    /// Starts the engine with a setting that removes finished registrations, and waits until the registration is
    /// removed.
    async fn forget(&mut self) -> Result<(), Died> {
        if !self.is_removed {
            self.is_removed = true;
            self.machine.settings("forget-finished-after = \"1s\"\n");
            self.machine.kill().await;
            self.start().await;
        }
        while self.machine.find(NAME).await?.is_some() {
            self.machine.breath().await?;
        }
        Ok(())
    }

    /// Adds all files of the script as one registration with the script's developer id. Repeats the call if the power
    /// is cut before the answer, as a caller would. Only one registration may result, because its id stays in use until
    /// the registration settles.
    async fn add(&mut self, declared: u64) -> Result<(), Died> {
        let before = self.machine.find(NAME).await?;
        if let Some(before) = &before {
            assert!(self.was_cut, "the registration existed before the call");
            assert_eq!(before["requests"], self.shelf.len(), "a registration is written whole or not at all");
        }
        let requests: Vec<Value> = self.shelf.clone().iter().map(|file| self.request(file)).collect();
        let new = json!({
            "owner": OWNER,
            "developer_id": NAME,
            "title": "A story",
            "downloadTotal": declared,
            "folder": self.machine.target(),
            // If the first registration has already settled, its id is free and the repeated call adds a second one.
            // Keep the second one paused, so that it does nothing.
            "paused": before.is_some(),
            "requests": requests,
        });
        match (self.machine.call("create", new).await, before) {
            (Ok(created), None) => assert_eq!(created["requests"], self.shelf.len()),
            (Ok(created), Some(before)) => {
                let id = &created["unique_id"];
                self.call("remove", json!({ "unique_id": id, "files": true })).await?;
                let first = self.machine.find(NAME).await?.unwrap_or_default();
                assert_eq!(first["unique_id"], before["unique_id"], "a second one took the place of the first");
                assert_eq!(first["state"], "settled", "the same name was given twice");
            }
            (Err(Cut::Refused(code)), before) => {
                assert_eq!(code, "id-taken");
                assert!(before.is_some(), "the name was refused although it is free");
            }
            (Err(Cut::Died(died)), _) => return Err(died),
        }
        Ok(())
    }

    fn request(&self, file: &Shelf) -> Value {
        let mut request = json!({ "url": self.origin.url(file.path) });
        if file.kind == Kind::Taker {
            let body = ashore_testkit::origin::content(77, SENT as u64);
            request["upload_file"] = json!(self.machine.own_file("mine.bin", &body));
            request["method"] = json!("PUT");
        }
        if file.path == "/one.bin" {
            request["checksum"] = json!(format!("sha-256={}", self.digests[file.path]));
        }
        request
    }

    async fn verb(&mut self, method: &str, mut params: Value) -> Result<Value, Died> {
        let Some(found) = self.machine.find(NAME).await? else {
            assert!(self.is_removed && self.was_cut, "it is gone from the list");
            return Ok(Value::Null);
        };
        params["unique_id"] = found["unique_id"].clone();
        self.call(method, params).await
    }

    async fn call(&mut self, method: &str, params: Value) -> Result<Value, Died> {
        match self.machine.call(method, params).await {
            Ok(answer) => Ok(answer),
            Err(Cut::Died(died)) => Err(died),
            Err(Cut::Refused(code)) => panic!("{method} is refused: {code}"),
        }
    }

    async fn durable(&mut self) -> Result<(), Died> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let report = self.call("doctor", json!({})).await?;
            let partials = report["partials"].as_array().cloned().unwrap_or_default();
            if partials.iter().any(|partial| partial["bytes"].as_u64() > Some(0)) {
                return Ok(());
            }
            assert!(Instant::now() < deadline, "nothing becomes durable: {report}");
            self.machine.breath().await?;
        }
    }

    async fn send_again(&mut self) -> Result<(), Died> {
        let settled = self.machine.until(NAME, "settled", |one| one["state"] == "settled").await?;
        if settled["result"] == "success" {
            return Ok(());
        }
        assert!(self.was_cut, "an upload failed without a power cut: {settled}");
        assert_eq!(settled["failure"]["code"], "upload-interrupted");
        self.is_sent_again = true;
        self.verb("retry", json!({})).await?;
        self.machine.until(NAME, "sent", |one| one["result"] == "success").await.map(drop)
    }

    /// Returns the outcome and checks the end event: it is pending, only one caller can claim it, and it is not pending
    /// again after a restart.
    async fn end(&mut self) -> Result<Outcome, Died> {
        let settled = if self.is_removed { None } else { self.machine.find(NAME).await? };
        if let Some(settled) = &settled {
            let owed = self.call("owed", json!({})).await?;
            let is_claimed_already = self.claims > 0 || self.lost_its_claim();
            let is_owed = owed.as_array().is_some_and(|list| list.len() == 1);
            if !self.lost_its_claim() {
                assert_eq!(is_owed, !is_claimed_already, "owed: {owed}");
            }
            for _ in 0..2 {
                let answer = self.call("claim", json!({ "unique_id": settled["unique_id"] })).await?;
                self.claims += u32::from(answer == json!(true));
            }
            let expected = if self.lost_its_claim() { 0..=1 } else { 1..=1 };
            assert!(expected.contains(&self.claims), "the event was given to {} callers", self.claims);
        }
        let address = self.origin.url("/").to_string();
        let outcome = self.machine.outcome(address.trim_end_matches('/'), self.kept).await?;
        assert_eq!(self.call("owed", json!({})).await?, json!([]), "no end event is pending twice");
        self.check_bytes(&outcome);
        self.check_uploads();
        Ok(outcome)
    }

    /// Whether the engine was killed after it committed the claim, and before it answered. Then no caller knows that
    /// the claim succeeded, and the notification is lost.
    fn lost_its_claim(&self) -> bool {
        self.was_cut && self.cut.as_ref().is_some_and(|(_, point)| point == "engine.claimed")
    }

    fn check_bytes(&self, outcome: &Outcome) {
        for (name, digest) in &outcome.files {
            assert!(self.digests.values().any(|right| right == digest), "{name} has wrong bytes");
            assert!(!name.contains(" ("), "{name} is a second one");
        }
    }

    /// Checks that each upload arrived completely. An upload may arrive twice only if the user explicitly retried it.
    fn check_uploads(&self) {
        let sent: Vec<_> = self.origin.requests().into_iter().filter(|request| request.method == "PUT").collect();
        let most = if self.is_sent_again { 2 } else { 1 };
        assert!(sent.len() <= most, "sent {} times", sent.len());
        if let Some(last) = sent.last() {
            assert_eq!(last.body, ashore_testkit::origin::content(77, SENT as u64));
        }
    }
}

fn serve_file(origin: &Origin, file: &Shelf) -> Route {
    let body = file.content();
    let half = body.length() / 2;
    match file.kind {
        Kind::Plain => origin.file(file.path, body),
        Kind::Gated(at) => origin.file(file.path, body).gate_at(at),
        Kind::Chunked => origin.file(file.path, body).chunked(),
        Kind::Elsewhere => {
            origin.file("/there/elsewhere.bin", body);
            origin.redirects(file.path, 302, "/there/elsewhere.bin")
        }
        Kind::Named => origin.file(file.path, body).header("Content-Disposition", "attachment; filename=\"named.bin\""),
        Kind::Unvouched => origin.file(file.path, body).no_validators().gate_at(half),
        Kind::Missing => origin.file(file.path, body).status(404),
        Kind::Sums => origin.file(file.path, body).gate_answer(),
        Kind::Reset => origin.file(file.path, body).reset_after(half).times(1),
        Kind::Taker => origin.file(file.path, body).answers_with(201),
    }
}

fn hex_digest(body: &Body) -> String {
    hex::encode(Sha256::digest(body.slice(0, body.length())))
}
