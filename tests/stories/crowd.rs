//! Tests a registration of 100,000 requests, and one of ten requests for comparison.
//!
//! Both work in the same way, and the engine's memory stays bounded.

use std::time::{Duration, Instant};

use ashore_testkit::{
    machine::Machine,
    origin::{Body, Origin},
};
use serde_json::{Value, json};

const MANY: usize = 100_000;
/// Upper bound for the engine's memory, in bytes.
const MEMORY: u64 = 150 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn hundred_thousand_requests_are_handled_in_bounded_memory() {
    let origin = Origin::start().await;
    let _route = origin.file("/file", Body::seeded(1, 1000)).hang();
    let mut machine = Machine::new();
    machine.serve(None).await.unwrap();
    for count in [10, MANY] {
        let name = format!("of-{count}");
        let mut times = Vec::new();
        let links: String = (0..count).map(|number| format!("{}?{number}\n", origin.url("/file"))).collect();
        let links = machine.own_file("links", links.as_bytes());
        let begun = Instant::now();
        let links = links.to_str().unwrap();
        let added = machine.run(["add", "--paused", "--id", &name, "-i", links]).await;
        times.push(("add (the program, too)", begun.elapsed()));
        assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
        let id = json!({ "unique_id": String::from_utf8(added.stdout).unwrap().trim() });
        let created = machine.until(&name, "paused", |one| one["state"] == "paused").await.unwrap();
        assert_eq!((&created["requests"], &created["active"]), (&json!(count), &json!(0)));

        times.push(("resume", timed(&mut machine, "resume", &id, Value::Null).await));
        machine.until(&name, "running", |one| one["state"] == "running" && one["active"] == 2).await.unwrap();
        times.push(("pause", timed(&mut machine, "pause", &id, Value::Null).await));
        let paused = |one: &Value| one["state"] == "paused" && one["active"] == 0;
        machine.until(&name, "paused again", paused).await.unwrap();
        times.push(("resume", timed(&mut machine, "resume", &id, Value::Null).await));
        machine.until(&name, "running again", |one| one["state"] == "running" && one["active"] == 2).await.unwrap();
        times.push(("abort", timed(&mut machine, "abort", &id, json!(true)).await));
        let over = |one: &Value| one["state"] == "settled" && one["active"] == 0;
        let aborted = machine.until(&name, "aborted", over).await.unwrap();
        assert_eq!((&aborted["result"], &aborted["failureReason"]), (&json!("failure"), &json!("aborted")));
        assert!(timed(&mut machine, "abort", &id, json!(false)).await < Duration::from_secs(10));
        check_records(&mut machine, &id, count).await;
        println!("{count} requests: {times:.1?}");
    }
    let peak = machine.peak_memory();
    println!("peak memory of the engine: {} MiB", peak >> 20);
    assert!(peak < MEMORY, "the engine took {} MiB", peak >> 20);
    machine.stop().await;
}

/// Calls `method`, checks the answer, and returns the duration of the call.
async fn timed(machine: &mut Machine, method: &str, id: &Value, expected: Value) -> Duration {
    let begun = Instant::now();
    assert_eq!(machine.call(method, id.clone()).await, Ok(expected), "{method}");
    begun.elapsed()
}

/// Checks that every request is aborted, that the records are in order, and that no file is left on disk.
async fn check_records(machine: &mut Machine, id: &Value, count: usize) {
    let mut seen = 0;
    while seen < count {
        let page = json!({ "unique_id": id["unique_id"], "from": seen, "limit": 10_000 });
        let records = machine.call("records", page).await.unwrap();
        let records = records.as_array().unwrap();
        assert!(!records.is_empty(), "records end at {seen}");
        for record in records {
            assert_eq!((&record["index"], &record["state"]), (&json!(seen), &json!("aborted")));
            seen += 1;
        }
    }
    assert_eq!(std::fs::read_dir(machine.target()).unwrap().count(), 0);
}
