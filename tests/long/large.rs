//! Files larger than 4 GiB: no offset is truncated to 32 bits.
//!
//! Covers offsets in every connection, in the journal, and in the repair of corrupt blocks.

use std::{fs::File, os::unix::fs::FileExt, path::Path, time::Duration};

use ashore_testkit::{
    free_bytes,
    origin::{Body, Origin},
};
use ashore_transfer::{Guid, TransferConfig, TransferEvent, TransferOutcome, TransferSpec, Transfers, survey};
use tokio::sync::mpsc::{self, UnboundedReceiver};
use uuid::Uuid;

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
/// 2^32, the first offset that needs more than 32 bits.
const EDGE: u64 = 1 << 32;
const LENGTH: u64 = 5 * GIB + 77;
/// Offset at which the server pauses, a few blocks beyond `EDGE`.
const GATE: u64 = EDGE + 3 * MIB + 500;
const PATIENCE: Duration = Duration::from_secs(1200);

#[tokio::test(flavor = "multi_thread")]
async fn five_gib_file_resumes_past_4_gib_over_several_connections() {
    let folder = tempfile::tempdir().unwrap();
    if free_bytes(folder.path()).is_none_or(|free| free < LENGTH + 2 * GIB) {
        return ashore_testkit::left_out(format!("There is no room for 5 GiB in {}.", folder.path().display()));
    }
    let origin = Origin::start().await;
    let body = Body::seeded(1, LENGTH);
    let file = origin.file("/a.bin", body.clone()).gate_at(GATE);
    let spec = TransferSpec::download(Guid(Uuid::from_u128(7 << 96)), origin.url("/a.bin"), folder.path().to_owned());

    let (transfers, mut events) = start_transfer(&spec);
    // The server pauses in one segment. Wait until all bytes have arrived except the rest of that segment.
    until(folder.path(), EDGE + GIB / 2).await;
    transfers.stop(spec.guid);
    assert!(matches!(outcome(&mut events).await, TransferOutcome::Stopped { bytes, .. } if bytes > EDGE));
    file.left().await;
    file.release();

    let part = survey(folder.path()).unwrap().remove(0).part;
    let at = EDGE + MIB + 77;
    let rotten = File::options().read(true).write(true).open(part).unwrap();
    let mut byte = [0];
    rotten.read_exact_at(&mut byte, at).unwrap();
    rotten.write_all_at(&[!byte[0]], at).unwrap();
    drop(rotten);

    let asked = file.requests().len();
    let (_transfers, mut events) = start_transfer(&spec);
    match outcome(&mut events).await {
        TransferOutcome::Completed(completed) => assert_eq!(completed.size, LENGTH),
        other => panic!("{other:?}"),
    }
    let again: Vec<_> = file.requests()[asked..].iter().map(|request| request.range_start().unwrap()).collect();
    assert!(again.iter().all(|from| *from >= EDGE), "{again:?}");
    assert!(again.iter().any(|from| (EDGE..=at).contains(from)), "the corrupted bytes are fetched again: {again:?}");
    same(&folder.path().join("a.bin"), &body);
}

fn start_transfer(spec: &TransferSpec) -> (Transfers, UnboundedReceiver<TransferEvent>) {
    let (sender, events) = mpsc::unbounded_channel();
    let transfers = Transfers::new(TransferConfig { connections: 4, ..TransferConfig::default() }, sender).unwrap();
    transfers.start(spec.clone());
    (transfers, events)
}

/// Waits until at least `bytes` bytes are durable.
async fn until(folder: &Path, bytes: u64) {
    let there = async {
        while survey(folder).unwrap().first().is_none_or(|found| found.bytes < bytes) {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(PATIENCE, there).await.unwrap();
}

async fn outcome(events: &mut UnboundedReceiver<TransferEvent>) -> TransferOutcome {
    let told = async {
        loop {
            match events.recv().await.unwrap() {
                TransferEvent::Head { stored, .. } => drop(stored.send(())),
                TransferEvent::Fetched { .. } => {}
                TransferEvent::Done { outcome, .. } => break outcome,
            }
        }
    };
    tokio::time::timeout(PATIENCE, told).await.unwrap()
}

fn same(path: &Path, body: &Body) {
    let file = File::open(path).unwrap();
    assert_eq!(file.metadata().unwrap().len(), body.length());
    let mut bytes = vec![0; 16 << 20];
    for at in (0..body.length()).step_by(bytes.len()) {
        let expected = body.slice(at, bytes.len() as u64);
        let there = &mut bytes[..expected.len()];
        file.read_exact_at(there, at).unwrap();
        assert!(*there == expected[..], "the bytes from {at} on");
    }
}
