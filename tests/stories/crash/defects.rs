//! Tests panics that are injected at failpoints: only the affected task fails.
//!
//! The engine and all other tasks continue.

use std::fs;

use ashore_testkit::{
    machine::{BUSY_DISK, Machine, PATIENCE},
    origin::{Body, Origin, content},
};
use serde_json::{Value, json};
use tokio::time::timeout;

/// Failpoints that are reached during the download of a large file.
const LARGE: &[&str] =
    &["transfer.head-received", "transfer.checkpointed", "transfer.digest-checked", "transfer.before-place", "transfer.placed"];
/// Failpoints that are reached during the download of a batch of small files.
const SMALL: &[&str] = &[
    "transfer.batch-written",
    "transfer.batch-synced",
    "transfer.batch-linked",
    "transfer.batch-placed",
    "transfer.batch-forgets",
];

const SIZE: u64 = 3 << 20;
const SMALL_ONES: u64 = 12;

async fn add(machine: &mut Machine, name: &str, urls: &[String]) -> String {
    let folder = machine.target();
    let requests: Vec<_> = urls.iter().map(|url| json!({ "url": url })).collect();
    let new = json!({ "owner": "story", "developer_id": name, "folder": folder, "requests": requests });
    machine.call("create", new).await.unwrap()["unique_id"].as_str().unwrap().to_owned()
}

/// Returns the text that the log contains after a panic at this point.
fn said_at(point: &str) -> String {
    format!("a test requested a panic at {point}")
}

async fn settled(machine: &mut Machine, name: &str, result: &str) -> Value {
    let registration = machine.until(name, "settled", |one| one["state"] == "settled").await.unwrap();
    assert_eq!(registration["result"], result, "{registration}\n{}", machine.log());
    registration
}

fn assert_published(machine: &Machine, name: &str, bytes: &[u8]) {
    assert!(fs::read(machine.target().join(name)).unwrap() == bytes, "{name} is wrong");
}

async fn assert_no_leftovers(machine: &mut Machine, files: usize) {
    assert_eq!(machine.outcome("http://127.0.0.1", 0).await.unwrap().leftovers, Vec::<String>::new());
    assert_eq!(fs::read_dir(machine.target()).unwrap().count(), files, "no file exists twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn large_file_fails_after_panic_until_it_is_retried_and_other_files_continue() {
    let _disk = BUSY_DISK.lock().await;
    for point in LARGE {
        let (origin, mut machine) = (Origin::start().await, Machine::new());
        let route = origin.file("/1", Body::seeded(1, SIZE));
        // Pause the body, so that a checkpoint happens during the download.
        let route = if *point == "transfer.checkpointed" { Some(route.gate_at(SIZE / 2)) } else { None };
        origin.file("/2", Body::seeded(2, SIZE));
        origin.file("/small", Body::bytes("small"));
        machine.serve_with_defect(point).await.unwrap();
        let unlucky = add(&mut machine, "1", &[origin.url("/1").to_string()]).await;
        if let Some(route) = route {
            let is_said = async {
                while !machine.log().contains(&said_at(point)) {
                    machine.breath().await.unwrap();
                }
            };
            timeout(PATIENCE, is_said).await.expect("a checkpoint is made during the download");
            route.release();
        }
        let failed = settled(&mut machine, "1", "failure").await;
        assert_eq!(failed["failure"]["code"], "internal", "{point}: {failed}");
        assert!(machine.log().contains(&said_at(point)), "{point}");
        for name in ["2", "small"] {
            add(&mut machine, name, &[origin.url(&format!("/{name}")).to_string()]).await;
        }
        for name in ["2", "small"] {
            settled(&mut machine, name, "success").await;
        }
        machine.call("retry", json!({ "unique_id": unlucky })).await.unwrap();
        machine.until("1", "there", |one| one["result"] == "success").await.unwrap();
        for seed in 1..=2 {
            assert_published(&machine, &seed.to_string(), &content(seed, SIZE));
        }
        assert_published(&machine, "small", b"small");
        assert_no_leftovers(&mut machine, 3).await;
        machine.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn small_files_and_later_files_complete_despite_panic() {
    let _disk = BUSY_DISK.lock().await;
    for point in SMALL {
        let (origin, mut machine) = (Origin::start().await, Machine::new());
        for seed in 1..=SMALL_ONES + 1 {
            origin.file(&format!("/{seed}"), Body::seeded(seed, 100 * seed));
        }
        machine.serve_with_defect(point).await.unwrap();
        let urls: Vec<String> = (1..=SMALL_ONES).map(|seed| origin.url(&format!("/{seed}")).to_string()).collect();
        add(&mut machine, "set", &urls).await;
        settled(&mut machine, "set", "success").await;
        add(&mut machine, "next", &[origin.url(&format!("/{}", SMALL_ONES + 1)).to_string()]).await;
        settled(&mut machine, "next", "success").await;
        assert!(machine.log().contains(&said_at(point)), "{point}");
        for seed in 1..=SMALL_ONES + 1 {
            assert_published(&machine, &seed.to_string(), &content(seed, 100 * seed));
        }
        machine.stop().await;
        // The next start removes the files that the panic left behind.
        machine.serve(None).await.unwrap();
        assert_no_leftovers(&mut machine, 13).await;
        machine.stop().await;
    }
}

/// Failpoints that the scheduler reaches when files are added, fail, are retried, complete and settle.
const SCHEDULER: &[&str] = &[
    "engine.activated-before-commit",
    "engine.activated",
    "engine.started",
    "engine.head-before-write",
    "engine.completed-before-write",
    "engine.failed-before-write",
    "engine.back-before-write",
    "engine.news-before-commit",
    "engine.news-written",
    "engine.settled",
    "engine.owed-told",
    "engine.woken-before-commit",
];

#[tokio::test(flavor = "multi_thread")]
async fn scheduler_restarts_after_panic_and_loses_nothing() {
    let _disk = BUSY_DISK.lock().await;
    for point in SCHEDULER {
        let (origin, mut machine) = (Origin::start().await, Machine::new());
        machine.settings("attempts = 6\n");
        origin.file("/small", Body::bytes("small"));
        origin.file("/large", Body::seeded(2, SIZE));
        origin.file("/cut", Body::seeded(3, SIZE)).reset_after(SIZE / 2).times(1);
        origin.refuses("/gone", 404);
        machine.serve_with_defect(point).await.unwrap();
        for (name, result) in [("small", "success"), ("large", "success"), ("cut", "success"), ("gone", "failure")] {
            add(&mut machine, name, &[origin.url(&format!("/{name}")).to_string()]).await;
            settled(&mut machine, name, result).await;
        }
        assert!(machine.log().contains(&said_at(point)), "{point} was not reached");
        assert!(machine.log().contains("started again"), "{point}: the defect is reported");
        assert_published(&machine, "small", b"small");
        assert_published(&machine, "large", &content(2, SIZE));
        assert_published(&machine, "cut", &content(3, SIZE));
        machine.stop().await;
        // The next start removes the files that the panic left behind.
        machine.serve(None).await.unwrap();
        assert_no_leftovers(&mut machine, 3).await;
        machine.stop().await;
    }
}
