//! Sets the clock forward and back: by an hour, by a day, and past 2038. No wait may end early or late, and running
//! transfers must not be affected.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use ashore_testkit::{
    LOCAL, ONE_FOLDER,
    machine::{Cut, Machine},
    origin::{Body, Origin, content},
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::{
    goal::{GoalVerdict, RunRequest},
    needs::clock_library,
    tally::{RunTally, run_turns},
};

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;
const YEAR: i64 = 365 * DAY;
/// Settings with quick retries and a long stall timeout.
const SETTINGS: &str = "retry-after-seconds = 2\nattempts = 100\nstall-seconds = 600\n";
/// `Retry-After` value of the server, in seconds.
const ASKED: &str = "600";
/// Number of bytes that are uploaded during the clock changes.
const SENT: u64 = 200_000;
/// Maximum error of displayed times, in milliseconds.
const NEAR: i64 = 60_000;
const PATIENCE: Duration = Duration::from_secs(60);

/// Makes the requested number of clock changes.
pub fn prove(ask: &RunRequest) -> Result<GoalVerdict> {
    run_turns(&RunTally::new(ask), 1, turn)
}

async fn turn(turn: u64, tally: Arc<RunTally>) -> Result<()> {
    let mut random = StdRng::seed_from_u64(tally.seed(turn));
    // Clock offsets in seconds: ahead and back by a little and a lot, past 2038, and finally correct again.
    let clocks = [
        HOUR + random.random_range(0..HOUR),
        -DAY - random.random_range(0..DAY),
        12 * YEAR + random.random_range(0..YEAR),
        random.random_range(-YEAR..YEAR),
        0,
    ];
    let (origin, patient, taker) = (Origin::start().await, Origin::start().await, Origin::start().await);
    let runs = origin.file("/runs", Body::seeded(1, 3 << 20)).gate_at(2 << 20);
    let sends = taker.file("/sends", Body::bytes("the upload was accepted")).gate_answer();
    // Add two downloads. One waits as long as the settings say, the other as long as the server requests.
    let short = origin.file("/short", Body::bytes("short")).status(500);
    let long = patient.file("/long", Body::bytes("long")).status(503).header("Retry-After", ASKED);
    let mut person = Person::new()?;
    person.set(0)?;
    ensure!(person.machine.serve(None).await.is_ok(), "the engine did not start: {}", person.machine.log());

    let running = person.add(origin.url("/runs").as_str()).await?;
    let sent = content(turn, SENT);
    let sending = person.send(taker.url("/sends").as_str(), &sent).await?;
    runs.held().await;
    sends.held().await;
    let waiting = person.add(patient.url("/long").as_str()).await?;
    let mut due = next_try(&person.until(&waiting, "waits", |record| next_try(record).is_some()).await?);
    let mut was = 0;
    for seconds in clocks {
        person.set(seconds)?;
        let moved = due.unwrap_or_default() + (seconds - was) * 1000;
        was = seconds;
        // Change the queue, so that the scheduler checks the clock at once.
        person.call("move", json!({ "unique_id": waiting, "place": "top" })).await?;
        let is_moved = |record: &Value| next_try(record).is_some_and(|next| (next - moved).abs() < NEAR);
        due = next_try(&person.until(&waiting, "shows the remaining wait of before", is_moved).await?);
        let asked = long.requests().len();
        ensure!(asked == 1, "a wait ended early with a clock that is {seconds} s off: the server got {asked} requests");
        tally.done(1);
    }
    // A download continues when its wait is over, even if the clock shows that the wait has hardly begun.
    let id = person.add(origin.url("/short").as_str()).await?;
    person.until(&id, "waits", |record| next_try(record).is_some()).await?;
    person.set(-HOUR / 2)?;
    let tried = short.requests().len() as u64;
    person.until(&id, "is tried again", |record| record["attempts"].as_u64() > Some(tried)).await?;
    drop(short.honest());
    runs.release();
    sends.release();
    for id in [&running, &sending, &id] {
        person.until(id, "completes", |record| record["outcome"] == "success").await?;
    }
    ensure!(runs.requests().len() == 1, "the clock affected a running download: {:?}", runs.requests());
    let arrived = sends.requests();
    ensure!(
        arrived.len() == 1 && arrived[0].body == sent,
        "the clock affected an upload: the server got it {} times",
        arrived.len()
    );
    person.machine.stop().await;
    Ok(())
}

/// User with an engine whose clock can be set.
struct Person {
    machine: Machine,
    clock: PathBuf,
}

impl Person {
    fn new() -> Result<Self> {
        let mut machine = Machine::new();
        fs::write(machine.data().join("ashore.toml"), format!("{LOCAL}{ONE_FOLDER}{SETTINGS}"))?;
        let clock = machine.disk().join("clock");
        let library = clock_library().unwrap_or_default();
        machine.start_under([
            "env".to_owned(),
            format!("LD_PRELOAD={}", library.display()),
            format!("FAKETIME_TIMESTAMP_FILE={}", clock.display()),
            "FAKETIME_NO_CACHE=1".to_owned(),
            "DONT_FAKE_MONOTONIC=1".to_owned(),
        ]);
        Ok(Self { machine, clock })
    }

    /// Sets the clock ahead by this many seconds; negative values set it back.
    ///
    /// The file is replaced atomically, because the engine may read it at any moment.
    fn set(&self, seconds: i64) -> Result<()> {
        let folder = self.clock.parent().unwrap_or(Path::new("/"));
        let mut file = NamedTempFile::new_in(folder)?;
        writeln!(file, "{seconds:+}")?;
        file.persist(&self.clock)?;
        Ok(())
    }

    async fn add(&mut self, url: &str) -> Result<Value> {
        self.ask(url, json!({ "url": url })).await
    }

    async fn send(&mut self, url: &str, bytes: &[u8]) -> Result<Value> {
        let file = self.machine.own_file("sent", bytes);
        self.ask(url, json!({ "url": url, "method": "POST", "upload_file": file })).await
    }

    async fn ask(&mut self, name: &str, request: Value) -> Result<Value> {
        let folder = self.machine.target();
        let new = json!({ "owner": "torture", "developer_id": name, "folder": folder, "requests": [request] });
        Ok(self.call("create", new).await?["unique_id"].clone())
    }

    /// Polls the first file of a download until it meets the condition.
    async fn until(&mut self, id: &Value, what: &str, is_so: impl Fn(&Value) -> bool) -> Result<Value> {
        let begun = Instant::now();
        loop {
            let record = self.call("records", json!({ "unique_id": id, "from": 0, "limit": 1 })).await?[0].clone();
            if is_so(&record) {
                return Ok(record);
            }
            ensure!(begun.elapsed() < PATIENCE, "the download never {what}: {record}\n{}", self.machine.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn call(&mut self, method: &str, params: Value) -> Result<Value> {
        self.machine.call(method, params).await.map_err(|cut: Cut| anyhow::anyhow!("{method} was refused: {cut:?}"))
    }
}

/// Returns the time of the next attempt in milliseconds, according to the engine's changed clock.
fn next_try(record: &Value) -> Option<i64> {
    record["next_try"].as_i64()
}
