//! Tests the guarantees to the caller about starts, stops, events and the placement of files.

use ashore_testkit::origin::{Body, Origin};
use ashore_transfer::{TransferConfig, TransferEvent, TransferOutcome};

use super::desk::{TransferBench, eager};

const LENGTH: u64 = 1 << 20;

#[tokio::test]
async fn repeated_starts_and_stops_emit_exactly_one_outcome() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let file = origin.file("/a", Body::seeded(1, LENGTH)).gate_at(1000);
    let spec = desk.spec(origin.url("/a"));
    for _ in 0..3 {
        desk.transfers.start(spec.clone());
    }
    file.held().await;
    for _ in 0..3 {
        desk.transfers.stop(spec.guid);
    }
    assert!(matches!(desk.outcome().await, TransferOutcome::Stopped { .. }));
    desk.transfers.stop(spec.guid);
    file.release();
    assert_eq!(file.requests().len(), 1);
    desk.completed_with(&spec, &Body::seeded(1, LENGTH)).await;
    desk.transfers.stop(spec.guid);
    // Start another transfer. An extra event of the first transfer would arrive before the head of the other transfer.
    let other = desk.spec(origin.url("/a"));
    desk.transfers.start(other.clone());
    assert!(matches!(desk.event().await, TransferEvent::Head { guid, .. } if guid == other.guid));
}

#[tokio::test]
async fn file_gets_no_final_name_before_its_response_head_is_stored() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(eager()));
    let file = origin.file("/a", Body::seeded(1, LENGTH));
    let spec = desk.spec(origin.url("/a"));
    desk.transfers.start(spec.clone());
    let (head, stored) = desk.head().await;
    desk.reach(&spec, LENGTH).await;
    assert!(!desk.path("a").exists());
    desk.transfers.stop(spec.guid);
    assert_eq!(desk.outcome().await, TransferOutcome::Stopped { bytes: LENGTH, sent: 0 });
    drop(stored);
    assert!(!desk.path("a").exists());

    desk.restart(TransferConfig::default());
    desk.transfers.start(spec.clone());
    let (again, stored) = desk.head().await;
    assert_eq!(head, again);
    assert!(matches!(desk.event().await, TransferEvent::Fetched { .. }), "the network may go to others by now");
    stored.send(()).unwrap();
    assert!(matches!(desk.event().await, TransferEvent::Done { outcome: TransferOutcome::Completed(_), .. }));
    assert!(desk.path("a").exists());
    assert_eq!(file.requests().len(), 1, "everything was there");
}

#[tokio::test]
async fn transfer_stops_if_its_response_head_is_never_acknowledged() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(eager()));
    origin.file("/a", Body::seeded(1, LENGTH)).gate_at(1000);
    let spec = desk.spec(origin.url("/a"));
    desk.transfers.start(spec);
    drop(desk.head().await);
    assert!(matches!(desk.outcome().await, TransferOutcome::Stopped { .. }));
}

#[tokio::test]
async fn transfer_completes_with_same_path_if_finished_file_was_not_recorded() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let file = origin.file("/a.bin", Body::seeded(1, LENGTH));
    std::fs::write(desk.path("a.bin"), "mine").unwrap();
    let spec = desk.spec(origin.url("/a.bin"));
    let first = desk.completed(&spec).await;
    assert_eq!(first.path, Some(desk.path("a (1).bin")));
    for _ in 0..2 {
        desk.restart(TransferConfig::default());
        assert_eq!(desk.survey()[0].placed, first.path);
        let again = desk.completed(&spec).await;
        assert_eq!(again, first);
    }
    assert_eq!(file.requests().len(), 1);
    ashore_testkit::forget(&desk.transfers, spec.guid, desk.folder.path()).await;
    assert_eq!(desk.names(), ["a (1).bin", "a.bin"]);
    assert_eq!(desk.survey(), []);
}

#[tokio::test]
async fn discarded_transfer_stops_and_keeps_only_its_finished_file() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(eager()));
    origin.file("/a", Body::seeded(1, LENGTH)).gate_at(500_000);
    let spec = desk.spec(origin.url("/a"));
    desk.transfers.start(spec.clone());
    desk.reach(&spec, 500_000).await;
    desk.transfers.discard(spec.guid, desk.folder.path()).await;
    assert!(matches!(desk.outcome().await, TransferOutcome::Stopped { .. }));
    assert_eq!(desk.names(), [""; 0]);

    origin.file("/b", Body::seeded(1, 1000));
    let spec = desk.spec(origin.url("/b"));
    desk.completed(&spec).await;
    desk.transfers.discard(spec.guid, desk.folder.path()).await;
    assert_eq!(desk.names(), ["b"]);
}

#[tokio::test]
async fn journal_is_written_for_large_files_only() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    origin.file("/small", Body::seeded(1, 1000));
    let spec = desk.spec(origin.url("/small"));
    desk.completed(&spec).await;
    assert!(!desk.names().iter().any(|name| name.ends_with(".ashore")), "{:?}", desk.names());

    let mut desk = TransferBench::with(TransferConfig { checkpoint_bytes: 100_000, ..TransferConfig::default() });
    let file = origin.file("/large", Body::seeded(1, LENGTH)).gate_at(500_000);
    let spec = desk.spec(origin.url("/large"));
    desk.transfers.start(spec.clone());
    let _stored = desk.head().await;
    let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(30);
    while desk.survey().first().is_none_or(|found| found.bytes < 100_000) {
        assert!(tokio::time::Instant::now() < deadline, "a checkpoint is made in time");
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    file.release();
}

#[tokio::test]
async fn partial_file_is_fetched_again_if_deleted_during_write() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::with(eager()));
    let file = origin.file("/a", Body::seeded(1, LENGTH)).gate_at(500_000);
    let spec = desk.spec(origin.url("/a"));
    desk.transfers.start(spec.clone());
    desk.reach(&spec, 500_000).await;
    std::fs::remove_file(&desk.survey()[0].part).unwrap();
    file.release();
    assert!(matches!(desk.outcome().await, TransferOutcome::Completed(_)));
    assert_eq!(std::fs::read(desk.path("a")).unwrap(), ashore_testkit::origin::content(1, LENGTH));
    assert_eq!(file.requests().len(), 2);
}
