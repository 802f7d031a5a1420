//! Tests a full disk on which the ledger is stored.
//!
//! Every write fails, and every client is informed. When space is free again, work resumes without user action.

use ashore_testkit::{
    apart::Apart,
    fill_disk,
    machine::{Cut, Machine, digest_of},
    origin::{Body, Origin},
    tools::run,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const SIZE: u64 = 600_000;
const HALF: u64 = 300_000;

/// Returns the text of the disk gate, which blocks downloads while the disk is full.
///
/// The text is part of the answer to the call `asked`. Returns `None` if the gate is open.
async fn disk_gate_text(machine: &mut Machine, asked: &str) -> Option<String> {
    let said = machine.call(asked, json!({})).await.unwrap();
    let gates = said["gates"].as_array().cloned().unwrap_or_else(|| vec![said["gate"].clone()]);
    let is_it = |gate: &&Value| gate["code"] == "disk" && gate["state"] == "closed";
    gates.iter().find(is_it).map(|gate| gate["text"].as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn full_disk_of_ledger_is_reported_until_space_returns() {
    let Some(apart) = Apart::for_a_story() else { return };
    let (origin, mut machine) = (Origin::start().await, Machine::new());
    // On a slow machine, the delayed answers of the server must not count as a stall.
    machine.settings("stall-seconds = 60.0\n");
    let data = machine.data();
    let disk = apart.seen(&data);
    run(apart.command("mount").args(["-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs"]).arg(&data)).unwrap();
    std::fs::copy(data.join("ashore.toml"), disk.join("ashore.toml")).unwrap();
    machine.start_under(apart.words());
    machine.serve(None).await.unwrap_or_else(|died| panic!("{died:?}: {}", machine.log()));
    let asks = |name: &str| {
        json!({
            "owner": "list", "developer_id": name, "folder": machine.target(), "requests": [{ "url": origin.url(&format!("/{name}")), "name": name }],
        })
    };
    let (ends, goes_on, comes_later) = (asks("ends"), asks("goes-on"), asks("comes-later"));
    let [ended, slow, _] = ["ends", "goes-on", "comes-later"].map(|name| origin.file(&format!("/{name}"), Body::seeded(1, SIZE)));
    let (ended, slow) = (ended.gate_at(HALF), slow.gate_at(HALF));
    for (asked, route) in [(ends, &ended), (goes_on, &slow)] {
        machine.call("create", asked).await.unwrap();
        route.held().await;
    }

    // Use up the remaining space with another file.
    let other = disk.join("something-else");
    fill_disk(&other).unwrap();
    assert_eq!(machine.call("create", comes_later.clone()).await, Err(Cut::Refused("ledger".to_owned())));
    // Wait until the engine notices the lack of space, which it does even without a write.
    while disk_gate_text(&mut machine, "totals").await.is_none() {
        machine.breath().await.unwrap();
    }
    ended.release();
    let is_short = |one: &Value| one["state"] == "waiting" && one["waiting_for"]["code"] == "disk";
    let waiting = machine.until("ends", "waiting for room", is_short).await.unwrap();
    let text = waiting["waiting_for"]["text"].as_str().unwrap();
    let expected = format!(
        "{} is low on space; 1.1 MB more needed. Free up some space, and downloads continue automatically.",
        data.display()
    );
    assert_eq!(text, expected);
    for asked in ["totals", "doctor"] {
        assert_eq!(disk_gate_text(&mut machine, asked).await.as_deref(), Some(text), "{asked}");
    }
    // A transfer that needs no write to the ledger continues and is shown as running.
    assert_eq!(machine.find("goes-on").await.unwrap().unwrap()["state"], "running");
    slow.release();
    machine.until("goes-on", "waiting for room", is_short).await.unwrap();
    assert_eq!((ended.requests().len(), slow.requests().len()), (1, 1));

    std::fs::remove_file(other).unwrap();
    for name in ["ends", "goes-on"] {
        let settled = machine.until(name, "settled", |one| one["state"] == "settled").await.unwrap();
        assert_eq!(settled["result"], "success", "{settled}");
    }
    for asked in ["totals", "doctor"] {
        assert_eq!(disk_gate_text(&mut machine, asked).await, None, "{asked}");
    }
    machine.call("create", comes_later).await.unwrap();
    machine.until("comes-later", "settled", |one| one["result"] == "success").await.unwrap();
    let digest = hex::encode(Sha256::digest(Body::seeded(1, SIZE).slice(0, u64::MAX)));
    for name in ["ends", "goes-on", "comes-later"] {
        assert_eq!(digest_of(&machine.target().join(name)).unwrap(), digest, "{name}");
    }
    assert_eq!((ended.requests().len(), slow.requests().len()), (1, 1), "nothing came twice");
    machine.stop().await;
}
