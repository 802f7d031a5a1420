//! How long a registration of 100,000 requests takes to create, pause, resume and abort, through the socket of a
//! running `ashore serve`, and how much memory that engine takes. `make bench` runs it on a release build.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "what cannot be measured has failed; the table is the result")]

use std::time::{Duration, Instant};

use ashore_tests::{
    machine::Machine,
    origin::{Body, Origin},
};
use serde_json::{Value, json};

const ROUNDS: usize = 3;

#[tokio::main]
async fn main() {
    let [create, pause, resume, abort] = ["create", "pause", "resume", "abort"];
    println!("{:>9} {create:>10} {pause:>10} {resume:>10} {abort:>10} {:>12}", "requests", "peak memory");
    for count in [10, 1_000, 100_000] {
        let mut worst = [Duration::ZERO; 4];
        let mut memory = 0;
        for _ in 0..ROUNDS {
            let (times, peak) = round(count).await;
            for (worst, time) in worst.iter_mut().zip(times) {
                *worst = time.max(*worst);
            }
            memory = peak.max(memory);
        }
        let [create, pause, resume, abort] = worst.map(|time| format!("{:.1} ms", time.as_secs_f64() * 1000.0));
        println!("{count:>9} {create:>10} {pause:>10} {resume:>10} {abort:>10} {:>8} MiB", memory >> 20);
    }
    println!("Worst of {ROUNDS} rounds each, asked over the socket while two transfers run.");
}

/// One round: the times of create, pause, resume and abort, and the engine's peak memory in bytes.
async fn round(count: usize) -> ([Duration; 4], u64) {
    let origin = Origin::start().await;
    let _route = origin.file("/file", Body::seeded(1, 1000)).hang();
    let mut machine = Machine::new();
    machine.settings_as_shipped();
    machine.serve(None).await.unwrap();
    let link = origin.url("/file");
    let requests: Vec<Value> = (0..count).map(|number| json!({ "url": format!("{link}?{number}") })).collect();
    let new = json!({ "owner": "bench", "developer_id": "bench", "folder": machine.target(), "requests": requests });
    let begun = Instant::now();
    let created = machine.call("create", new).await.unwrap();
    let create = begun.elapsed();
    let id = json!({ "unique_id": created["unique_id"] });
    machine.until("bench", "running", |one| one["active"] == 2).await.unwrap();
    let pause = timed(&mut machine, "pause", &id).await;
    machine.until("bench", "at rest", |one| one["active"] == 0).await.unwrap();
    let resume = timed(&mut machine, "resume", &id).await;
    machine.until("bench", "running", |one| one["active"] == 2).await.unwrap();
    let abort = timed(&mut machine, "abort", &id).await;
    machine.until("bench", "aborted", |one| one["state"] == "settled" && one["active"] == 0).await.unwrap();
    let peak = machine.peak_memory();
    machine.stop().await;
    ([create, pause, resume, abort], peak)
}

async fn timed(machine: &mut Machine, method: &str, id: &Value) -> Duration {
    let begun = Instant::now();
    machine.call(method, id.clone()).await.unwrap();
    begun.elapsed()
}
