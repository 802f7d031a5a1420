//! Disks that fail to sync bytes or names, fail to report metadata, or are slow.
//!
//! Only durable bytes are trusted. There are no leftovers. A slow disk is idle most of the time despite checkpoints.

use std::{
    fs::OpenOptions,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use ashore_testkit::{
    fault::{Fault, Shim},
    machine::{Machine, digest_of},
    origin::{Body, Origin},
};
use serde_json::json;
use sha2::{Digest, Sha256};

const NAME: &str = "syncs";
const MIB: u64 = 1 << 20;
const OVERLAP: u64 = 64 << 10;

/// Returns a machine whose disk has this fault at call number `at`, and the path of a file that is created when the
/// fault occurs.
fn machine(fault: Fault, at: u32) -> (Machine, PathBuf) {
    let mut machine = Machine::new();
    // Permit only one attempt, so that the failed download is not retried automatically.
    machine.settings("attempts = 1\n");
    let shim = Shim::make(machine.disk()).unwrap();
    let says = machine.disk().join("fault");
    machine.start_under(shim.words(fault, at, &says));
    (machine, says)
}

async fn create(machine: &mut Machine, origin: &Origin) {
    machine.serve(None).await.unwrap();
    let new = json!({
        "owner": "syncs", "developer_id": NAME, "folder": machine.target(),
        "requests": [{ "url": origin.url("/a.bin") }],
    });
    machine.call("create", new).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_since_last_successful_disk_sync_are_fetched_again() {
    let length = 12 * MIB;
    let origin = Origin::start().await;
    let file = origin.file("/a.bin", Body::seeded(1, length)).trickle(128 << 10, Duration::from_millis(20));
    let (mut machine, says) = machine(Fault::Sync("EIO"), 3);
    create(&mut machine, &origin).await;
    let settled = machine.until(NAME, "settled", |one| one["state"] == "settled").await.unwrap();
    assert_eq!(settled["failure"]["code"], "disk", "{settled}");
    assert!(says.exists());
    let found = ashore_transfer::survey(&machine.target()).unwrap().remove(0);
    let written = std::fs::metadata(&found.part).unwrap().len();
    assert!(found.bytes > 0 && found.bytes < written, "{found:?} of {written}");
    // The content of the failed write is undefined, so overwrite it with zeros.
    let part = OpenOptions::new().write(true).open(&found.part).unwrap();
    part.write_all_at(&vec![0; usize::try_from(written - found.bytes).unwrap()], found.bytes).unwrap();
    drop(part);
    machine.call("retry", json!({ "unique_id": settled["unique_id"] })).await.unwrap();
    machine.until(NAME, "settled", |one| one["result"] == "success").await.unwrap();
    let right = hex::encode(Sha256::digest(Body::seeded(1, length).slice(0, length)));
    assert_eq!(digest_of(&machine.target().join("a.bin")).unwrap(), right);
    let asked: Vec<_> = file.requests().iter().map(|request| request.range_start()).collect();
    assert_eq!(asked, [None, Some(found.bytes.saturating_sub(OVERLAP))]);
}

/// For each file, its size, and the number of the folder sync that fails, counted from 1. This sync follows after the
/// file has got its final name.
const PLACED: [(u64, u32); 2] = [(1000, 1), (4 * MIB, 2)];

#[tokio::test(flavor = "multi_thread")]
async fn only_one_file_remains_after_retry_if_disk_sync_of_folder_failed() {
    for (length, at) in PLACED {
        let origin = Origin::start().await;
        // Pause the body late enough that the large file has a journal. The small file never has one.
        let file = origin.file("/a.bin", Body::seeded(1, length)).gate_at(length / 2);
        let (mut machine, says) = machine(Fault::Name, at);
        create(&mut machine, &origin).await;
        file.held().await;
        while at > 1 && ashore_transfer::survey(&machine.target()).unwrap().iter().all(|found| found.bytes == 0) {
            machine.breath().await.unwrap();
        }
        assert!(!says.exists(), "of {length} bytes");
        file.release();
        let settled = machine.until(NAME, "settled", |one| one["state"] == "settled").await.unwrap();
        assert_eq!(settled["failure"]["code"], "disk", "{settled}");
        assert!(says.exists() && !machine.target().join("a.bin").exists(), "of {length} bytes");
        machine.call("retry", json!({ "unique_id": settled["unique_id"] })).await.unwrap();
        machine.until(NAME, "settled", |one| one["result"] == "success").await.unwrap();
        while names(&machine) != ["a.bin"] {
            machine.breath().await.unwrap();
        }
        let right = hex::encode(Sha256::digest(Body::seeded(1, length).slice(0, length)));
        assert_eq!(digest_of(&machine.target().join("a.bin")).unwrap(), right);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn partial_file_without_readable_metadata_is_removed() {
    let origin = Origin::start().await;
    origin.file("/a.bin", Body::seeded(1, 4 * MIB));
    let (mut machine, says) = machine(Fault::Look, 1);
    create(&mut machine, &origin).await;
    let settled = machine.until(NAME, "settled", |one| one["state"] == "settled").await.unwrap();
    assert!(settled["failure"]["code"] == "disk" && says.exists(), "{settled}");
    assert_eq!(names(&machine), [""; 0]);
    machine.call("retry", json!({ "unique_id": settled["unique_id"] })).await.unwrap();
    machine.until(NAME, "settled", |one| one["result"] == "success").await.unwrap();
    while names(&machine) != ["a.bin"] {
        machine.breath().await.unwrap();
    }
}

fn names(machine: &Machine) -> Vec<String> {
    let entries = std::fs::read_dir(machine.target()).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn checkpoints_use_at_most_a_tenth_of_time_on_slow_disk() {
    let (origin, length, gate) = (Origin::start().await, 4 * MIB, 3 * MIB);
    let file = origin.file("/a.bin", Body::seeded(1, length)).trickle(100 << 10, Duration::from_millis(100)).gate_at(gate);
    let (mut machine, says) = machine(Fault::Sync("slow"), 1);
    create(&mut machine, &origin).await;
    let begun = Instant::now();
    file.held().await;
    let made = checkpoints(&ashore_transfer::survey(&machine.target()).unwrap()[0].part);
    let most = 1 + begun.elapsed().as_secs();
    assert!(says.exists() && (2..=most).contains(&made), "{made} checkpoints of a tenth of a second in {:?}", begun.elapsed());
    file.release();
    machine.until(NAME, "settled", |one| one["result"] == "success").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_disk_reduces_download_to_one_connection() {
    let (origin, length) = (Origin::start().await, 128 * MIB);
    let file = origin.file("/a.bin", Body::seeded(1, length));
    let (mut machine, says) = machine(Fault::Write("slow"), 1);
    create(&mut machine, &origin).await;
    machine.until(NAME, "settled", |one| one["result"] == "success").await.unwrap();
    assert!(says.exists());
    // Connections to a slow disk close one by one, and the last one requests large segments. If all eight stayed open,
    // they would send many small requests.
    let asked = file.requests().len();
    assert!((8..=28).contains(&asked), "{asked}");
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_bytes_of_a_silent_connection_are_fetched_by_others_before_its_timeout() {
    let (origin, length, gate) = (Origin::start().await, 128 * MIB, 90 * MIB);
    let file = origin.file("/a.bin", Body::seeded(1, length)).gate_at(gate);
    let (mut machine, _) = machine(Fault::Write("slow"), 1);
    create(&mut machine, &origin).await;
    file.held().await;
    let held = Instant::now();
    let came = |one: &serde_json::Value| one["downloaded"].as_u64().is_some_and(|bytes| bytes > gate + 20 * MIB);
    machine.until(NAME, "what comes behind the gate", came).await.unwrap();
    assert!(held.elapsed() < ashore_transfer::TransferConfig::default().stall_timeout, "{:?}", held.elapsed());
    file.release();
    machine.until(NAME, "settled", |one| one["result"] == "success").await.unwrap();
}

/// Returns the number of checkpoints according to the journal's newest record.
fn checkpoints(part: &Path) -> u64 {
    let mut path = part.as_os_str().to_owned();
    path.push(".ashore");
    let journal = std::fs::File::open(path).unwrap();
    let number = |slot| {
        let mut number = [0; 8];
        journal.read_exact_at(&mut number, slot + 8).map_or(0, |()| u64::from_le_bytes(number))
    };
    number(0).max(number(MIB))
}
