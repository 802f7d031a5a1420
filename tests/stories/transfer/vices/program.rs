//! Tests bad servers with the real program, which is killed during a transfer.
//!
//! After the restart, the server misbehaves. The program explains the problem in a sentence, keeps the received bytes,
//! and completes the download when the user retries.

use ashore_testkit::{
    machine::{Machine, digest_of},
    origin::{Body, Origin, Route},
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const NAME: &str = "vice";
const LENGTH: u64 = 4 << 20;
/// File offset at which the power is cut.
const STOP: u64 = 2 << 20;
const OVERLAP: u64 = 64 << 10;

struct Story {
    origin: Origin,
    file: Route,
    machine: Machine,
    /// Minimum number of durable bytes at the power cut.
    durable: u64,
}

/// Returns a transfer whose program was killed in the middle.
async fn killed() -> Story {
    let (origin, mut machine) = (Origin::start().await, Machine::new());
    let file = origin.file("/a.bin", Body::seeded(1, LENGTH)).gate_at(STOP);
    machine.serve(None).await.unwrap();
    let new = json!({
        "owner": "vices", "developer_id": NAME, "folder": machine.target(),
        "requests": [{ "url": origin.url("/a.bin") }],
    });
    machine.call("create", new).await.unwrap();
    file.held().await;
    let target = machine.target();
    let durable = || ashore_transfer::survey(&target).unwrap().first().map_or(0, |found| found.bytes);
    while durable() == 0 {
        machine.breath().await.unwrap();
    }
    machine.kill().await;
    let durable = durable();
    file.release();
    Story { origin, file, machine, durable }
}

impl Story {
    /// Restarts the program and checks that the download fails with this code and keeps all bytes.
    async fn fails_with(&mut self, code: &str) -> Value {
        self.machine.serve(None).await.unwrap();
        let settled = self.machine.until(NAME, "settled", |one| one["state"] == "settled").await.unwrap();
        assert_eq!((&settled["result"], &settled["failure"]["code"]), (&json!("failure"), &json!(code)), "{settled}");
        let found = ashore_transfer::survey(&self.machine.target()).unwrap();
        assert!(found.len() == 1 && found[0].bytes >= self.durable, "{found:?}, and {} before", self.durable);
        self.durable = found[0].bytes;
        settled
    }

    /// Kills the idle program once more and checks that a retry resumes the download.
    async fn resumes_on_retry(mut self) {
        self.machine.kill().await;
        self.file = self.file.honest();
        let asked = self.file.requests().len();
        self.machine.serve(None).await.unwrap();
        let one = self.machine.find(NAME).await.unwrap().unwrap();
        self.machine.call("retry", json!({ "unique_id": one["unique_id"] })).await.unwrap();
        self.succeeds(1).await;
        let from = self.file.requests()[asked].range_start().expect("only the missing bytes are requested");
        assert!(from + OVERLAP >= self.durable, "from {from}, with {} here", self.durable);
    }

    async fn succeeds(&mut self, seed: u64) {
        let settled = self.machine.until(NAME, "settled", |one| one["result"] == "success").await.unwrap();
        assert_eq!(settled["downloaded"], LENGTH, "{settled}");
        let right = hex::encode(Sha256::digest(Body::seeded(seed, LENGTH).slice(0, LENGTH)));
        assert_eq!(digest_of(&self.machine.target().join("a.bin")).unwrap(), right);
        let outcome = self.machine.outcome(self.origin.url("/").as_str(), 0).await.unwrap();
        assert_eq!((outcome.leftovers, outcome.files.len()), (Vec::new(), 1));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn web_page_is_reported_as_such_after_kill() {
    let mut story = killed().await;
    story.file = story.file.login_page();
    let settled = story.fails_with("web-page").await;
    assert!(settled["failure"]["text"].as_str().unwrap().contains("a web page"), "{settled}");
    story.resumes_on_retry().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn failure_text_asks_for_new_link_if_link_expires_after_kill() {
    for status in [403, 404, 410] {
        let mut story = killed().await;
        story.file = story.file.runs_out(status);
        let settled = story.fails_with("link-expired").await;
        let text = settled["failure"]["text"].as_str().unwrap();
        assert!(text.contains("expired") && text.contains("new link"), "{text}");
        story.resumes_on_retry().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_bytes_survive_kill_and_bad_redirect() {
    for (location, code) in [("/a.bin", "too-many-redirects"), ("ftp://127.0.0.1/a.bin", "refused-redirect")] {
        let mut story = killed().await;
        story.file = story.file.redirect(302, location);
        story.fails_with(code).await;
        story.resumes_on_retry().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn transient_failures_after_kill_are_retried_automatically() {
    let mut story = killed().await;
    let file = story.file.reset_after(500_000).times(1).status_until(503, "0").times(1).close_before_head().times(1);
    story.file = file.end_after(400_000).times(1);
    story.machine.serve(None).await.unwrap();
    story.succeeds(1).await;
    let requests = story.file.requests();
    // After a connection that closed without an answer, one plain request checks whether the server serves the file.
    assert!(requests[1..].iter().filter(|request| request.range_start().is_none()).count() <= 1);
    for request in &requests[1..] {
        assert!(request.range_start().is_none_or(|from| from + OVERLAP >= story.durable), "{request:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn versions_of_file_are_never_mixed_if_file_changes_after_kill() {
    let vices: [fn(Route) -> Route; 4] = [
        |file| file.content_with_same_validators(Body::seeded(2, LENGTH)),
        |file| file.content(Body::seeded(2, LENGTH)),
        |file| file.content_with_same_validators(Body::seeded(2, LENGTH)).misplace_ranges(1),
        |file| file.content_with_same_validators(Body::seeded(2, LENGTH)).ignore_ranges(),
    ];
    for vice in vices {
        let mut story = killed().await;
        story.file = vice(story.file);
        story.machine.serve(None).await.unwrap();
        story.succeeds(2).await;
    }
}
