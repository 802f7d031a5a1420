//! Tests an engine that may open only very few files.
//!
//! Transfers wait for free file descriptors, and nothing is lost. If the limit is too low to start, the engine prints a
//! sentence with this reason.

use ashore_testkit::{
    machine::{Machine, digest_of},
    origin::{Body, Origin, Request, Route},
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Number of open files of an idle engine, plus a small reserve.
const LEAST: u64 = 24;
/// Limit on open files that is high enough for all transfers to complete, even if a client polls.
///
/// With a lower limit, transfers wait and nothing is lost.
const ENOUGH: u64 = 32;
const BEGUN: u64 = 4 << 20;

/// Starts the engine with a limit of `allowed` open files. The test may raise this limit later.
fn start_with_limit(machine: &mut Machine, allowed: u64) {
    machine.start_under(["sh".to_owned(), "-c".to_owned(), format!("ulimit -S -n {allowed}; exec \"$0\" \"$@\"")]);
}

async fn asks(machine: &mut Machine, name: &str, url: url::Url) {
    let new = wanted(machine, name, url);
    machine.call("create", new).await.unwrap();
}

fn wanted(machine: &Machine, name: &str, url: url::Url) -> Value {
    json!({
        "owner": "room", "developer_id": name, "folder": machine.target(), "requests": [{ "url": url, "name": name }],
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn transfers_complete_after_waiting_until_open_file_limit_is_raised() {
    // Test two cases. In the first case, the transfers keep their descriptors until the limit is raised. In the second
    // case, each transfer releases its descriptors when it ends.
    for more in [Some(1024), None] {
        let (origin, mut machine) = (Origin::start().await, Machine::new());
        machine.settings("parallel = 16\nparallel-per-host = 16\nattempts = 1\n");
        let begun = origin.file("/begun", Body::seeded(0, BEGUN)).gate_at(BEGUN / 2);
        machine.serve(None).await.unwrap();
        asks(&mut machine, "begun", origin.url("/begun")).await;
        begun.held().await;
        let target = machine.target();
        let durable = || ashore_transfer::survey(&target).unwrap().first().map_or(0, |found| found.bytes);
        while durable() == 0 {
            machine.breath().await.unwrap();
        }
        machine.kill().await;
        let durable = durable();
        begun.release();

        start_with_limit(&mut machine, ENOUGH);
        machine.serve(None).await.unwrap_or_else(|died| panic!("{died:?}: {}", machine.log()));
        let mut gates = Vec::new();
        let mut files = vec![("begun".to_owned(), Body::seeded(0, BEGUN))];
        for number in 1..=16 {
            // Files with even numbers are small and kept in memory. Files with odd numbers are larger and get a partial
            // file.
            let (name, body) = (format!("file-{number}"), Body::seeded(number, if number % 2 == 0 { 10_000 } else { 2 << 20 }));
            let file = origin.file(&format!("/{name}"), body.clone());
            gates.push(if more.is_some() { file.gate_at(5_000) } else { file });
            asks(&mut machine, &name, origin.url(&format!("/{name}"))).await;
            files.push((name, body));
        }
        if let Some(more) = more {
            // With few descriptors, fewer files are fetched in parallel, so that some of them make progress. If even
            // these files need too many descriptors, a request waits.
            let is_at_it = |one: &Value| one["state"] == "running" || one["waiting_for"]["code"] == "too-many-open";
            while !machine.list().await.unwrap().iter().any(is_at_it) {
                machine.breath().await.unwrap();
            }
            let failed = |one: &Value| one["state"] == "settled" && one["result"] != "success";
            let list = machine.list().await.unwrap();
            assert!(!list.iter().any(failed), "{:#?}\n{}", list.iter().find(|one| failed(one)), machine.log());
            machine.allow_open(more);
            gates.iter().for_each(Route::release);
        }
        for (name, body) in files {
            let settled = machine.until(&name, "settled", |one| one["state"] == "settled").await.unwrap();
            assert_eq!(settled["result"], "success", "{settled}");
            let expected = hex::encode(Sha256::digest(body.slice(0, u64::MAX)));
            assert_eq!(digest_of(&target.join(&name)).unwrap(), expected, "{name}");
        }
        let again = begun.requests().iter().filter_map(Request::range_start).max();
        assert!(again.is_some_and(|start| start + (64 << 10) >= durable), "{again:?}, and {durable} were there");
        assert!(!machine.log().contains("panicked"), "{}", machine.log());
        machine.stop().await;
    }
}

/// Clients that are already connected still get answers, but new downloads wait.
#[tokio::test(flavor = "multi_thread")]
async fn transfers_complete_after_waiting_while_open_file_limit_is_lowered() {
    const LEFT: u64 = 24;
    let (origin, mut machine) = (Origin::start().await, Machine::new());
    machine.settings("parallel = 16\nparallel-per-host = 16\nattempts = 1\n");
    machine.serve(None).await.unwrap();
    let mut line = machine.line().await.unwrap();
    let files: Vec<_> = (1..=8)
        .map(|number| (format!("file-{number}"), Body::seeded(number, if number % 2 == 0 { 10_000 } else { 2 << 20 })))
        .collect();
    let begun = origin.file("/file-1", files[0].1.clone()).gate_at(1 << 20);
    line.ask("create", wanted(&machine, "file-1", origin.url("/file-1"))).await.unwrap().unwrap();
    begun.held().await;

    machine.allow_open(LEFT);
    for (name, body) in &files[1..] {
        origin.file(&format!("/{name}"), body.clone());
        line.ask("create", wanted(&machine, name, origin.url(&format!("/{name}")))).await.unwrap().unwrap();
    }
    begun.release();
    loop {
        let list = line.ask("list", json!({})).await.unwrap().unwrap();
        let list = list.as_array().unwrap();
        let failed: Vec<_> = list.iter().filter(|one| one["result"] == "failure").collect();
        assert!(failed.is_empty(), "{failed:?}\n{}", machine.log());
        if list.iter().filter(|one| one["waiting_for"]["code"] == "too-many-open").count() > 1 {
            break;
        }
        machine.breath().await.unwrap();
    }
    machine.allow_open(1024);
    for (name, body) in files {
        let settled = machine.until(&name, "settled", |one| one["state"] == "settled").await.unwrap();
        assert_eq!(settled["result"], "success", "{settled}");
        assert_eq!(
            digest_of(&machine.target().join(&name)).unwrap(),
            hex::encode(Sha256::digest(body.slice(0, u64::MAX))),
            "{name}"
        );
    }
    assert!(!machine.log().contains("panicked"), "{}", machine.log());
    machine.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn explanation_is_shown_if_open_file_limit_is_too_low_for_start() {
    let (origin, mut machine) = (Origin::start().await, Machine::new());
    origin.file("/a", Body::seeded(1, 1000));
    machine.serve(None).await.unwrap();
    asks(&mut machine, "a", origin.url("/a")).await;
    machine.until("a", "settled", |one| one["state"] == "settled").await.unwrap();
    machine.stop().await;
    let names = |machine: &Machine| {
        let entries = std::fs::read_dir(machine.data()).unwrap();
        entries.map(|entry| entry.unwrap().file_name()).collect::<std::collections::BTreeSet<_>>()
    };
    let before = names(&machine);
    for allowed in 6..LEAST {
        start_with_limit(&mut machine, allowed);
        let log = machine.log();
        let died = machine.serve(None).await.unwrap_err();
        assert_eq!(died.signal, None, "{allowed}: {}", machine.log());
        let said = machine.log().split_off(log.len());
        assert!(said.starts_with("ashore: ") && said.ends_with(".\n") && said.lines().count() == 1, "{allowed}: {said}");
    }
    for allowed in LEAST - 4..LEAST {
        start_with_limit(&mut machine, allowed);
        let log = machine.log();
        machine.serve(None).await.unwrap_err();
        assert!(machine.log()[log.len()..].contains("Allow more with `ulimit -n 1024`"), "{allowed}: {}", machine.log());
    }
    machine.start_under::<String>([]);
    machine.serve(None).await.unwrap();
    assert_eq!(machine.find("a").await.unwrap().unwrap()["result"], "success");
    machine.stop().await;
    let beside: Vec<_> = names(&machine).difference(&before).cloned().collect();
    assert!(beside.iter().all(|name| name == "backups"), "no ledger was moved aside: {beside:?}");
}
