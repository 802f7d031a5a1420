//! Tests small files. They are kept in memory until their response head is persisted, and then placed in batches.

use ashore_testkit::origin::{Body, Origin};
use ashore_transfer::{FailureKind, TransferEvent, TransferOutcome, Verification};

use crate::transfer::desk::{TransferBench, assert_kind};

#[tokio::test]
async fn small_file_is_written_only_after_its_response_head_is_stored() {
    let origin = Origin::start().await;
    let body = Body::seeded(1, 10_240);
    origin.file("/a.bin", body.clone());
    let mut desk = TransferBench::new();
    let spec = desk.spec(origin.url("/a.bin"));
    desk.transfers.start(spec.clone());
    let TransferEvent::Head { guid, head, restart: None, stored } = desk.event().await else { panic!("no head") };
    assert_eq!((guid, head.status, head.total_size, head.name.as_str()), (spec.guid, 200, Some(10_240), "a.bin"));
    assert!(matches!(desk.event().await, TransferEvent::Fetched { .. }), "the transfer no longer uses the network");
    assert_eq!(desk.progress(&spec).unwrap().downloaded, 10_240);
    assert_eq!(desk.names(), [""; 0]);
    stored.send(()).unwrap();
    match desk.event().await {
        TransferEvent::Done { outcome: TransferOutcome::Completed(completed), .. } => {
            assert_eq!((completed.size, completed.verified), (10_240, Verification::No));
            assert_eq!(completed.path, Some(desk.path("a.bin")));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(std::fs::read(desk.path("a.bin")).unwrap(), body.slice(0, u64::MAX));
    assert_eq!(desk.names().len(), 2, "until `forget`, the partial file shows that the file was placed");
    ashore_testkit::forget(&desk.transfers, spec.guid, desk.folder.path()).await;
    assert_eq!(desk.names(), ["a.bin"]);
}

#[tokio::test]
async fn no_file_is_left_if_small_download_stops_before_response_head_is_stored() {
    let origin = Origin::start().await;
    origin.file("/a.bin", Body::seeded(1, 10_240));
    let mut desk = TransferBench::new();
    let spec = desk.spec(origin.url("/a.bin"));
    for is_stopped in [true, false] {
        desk.transfers.start(spec.clone());
        let (_, stored) = desk.head().await;
        if is_stopped {
            desk.transfers.stop(spec.guid);
        } else {
            drop(stored);
        }
        assert_eq!(desk.outcome().await, TransferOutcome::Stopped { bytes: 0, sent: 0 });
        assert_eq!(desk.names(), [""; 0]);
    }
    desk.completed_with(&spec, &Body::seeded(1, 10_240)).await;
}

#[tokio::test]
async fn slow_small_file_moves_from_memory_to_disk_without_another_request() {
    let origin = Origin::start().await;
    let body = Body::seeded(1, 10_240);
    let file = origin.file("/a.bin", body.clone()).gate_at(4000);
    let mut desk = TransferBench::new();
    let spec = desk.spec(origin.url("/a.bin"));
    desk.transfers.start(spec.clone());
    let (_, stored) = desk.head().await;
    assert_eq!(desk.names(), [format!("a.bin.{}.part", spec.guid.tag())]);
    stored.send(()).unwrap();
    desk.reach(&spec, 4000).await;
    file.release();
    match desk.outcome().await {
        TransferOutcome::Completed(completed) => assert_eq!(completed.size, 10_240),
        other => panic!("{other:?}"),
    }
    assert_eq!(std::fs::read(desk.path("a.bin")).unwrap(), body.slice(0, u64::MAX));
    assert_eq!(file.requests().len(), 1);
}

#[tokio::test]
async fn small_file_does_not_wait_if_earlier_files_leave_no_room_in_memory() {
    // Number of files: one more than fits in memory.
    //
    // Each file stays in memory until its response head is acknowledged.
    const FILES: u64 = 17;
    let origin = Origin::start().await;
    let mut desk = TransferBench::new();
    let (mut files, mut unanswered) = (Vec::new(), Vec::new());
    for number in 0..FILES {
        let path = format!("/{number}.bin");
        files.push(origin.file(&path, Body::seeded(number, 1 << 20)));
        desk.transfers.start(desk.spec(origin.url(&path)));
        unanswered.push(loop {
            match desk.event().await {
                TransferEvent::Head { stored, .. } => break stored,
                TransferEvent::Fetched { .. } => {}
                other => panic!("{other:?}"),
            }
        });
    }
    unanswered.into_iter().for_each(|stored| stored.send(()).unwrap());
    for _ in 0..FILES {
        assert!(matches!(desk.outcome().await, TransferOutcome::Completed(_)));
    }
    for (number, file) in (0..).zip(&files) {
        let bytes = std::fs::read(desk.path(&format!("{number}.bin"))).unwrap();
        assert!(bytes == Body::seeded(number, 1 << 20).slice(0, u64::MAX), "{number}");
        assert_eq!(file.requests().len(), 1, "{number}");
    }
}

#[tokio::test]
async fn truncated_small_file_fails_but_retry_completes() {
    let origin = Origin::start().await;
    let body = Body::seeded(1, 10_240);
    let _file = origin.file("/a.bin", body.clone()).end_after(4000).times(1);
    let mut desk = TransferBench::new();
    let spec = desk.spec(origin.url("/a.bin"));
    let (failure, _) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::Truncated);
    desk.completed_with(&spec, &body).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_small_files_get_distinct_names() {
    let origin = Origin::start().await;
    let mut desk = TransferBench::new();
    let mut specs = Vec::new();
    for number in 0..200 {
        // Every fourth file has the same path.
        let path = format!("/{}/{}.bin", number % 4, if number % 4 == 0 { 0 } else { number });
        origin.file(&path, Body::seeded(number % 4, 1000 + number % 4));
        specs.push(desk.spec(origin.url(&path)));
    }
    specs.iter().for_each(|spec| desk.transfers.start(spec.clone()));
    let mut placed = Vec::new();
    while placed.len() < specs.len() {
        match desk.event().await {
            TransferEvent::Head { stored, .. } => stored.send(()).unwrap(),
            TransferEvent::Fetched { .. } => {}
            TransferEvent::Done { guid, outcome: TransferOutcome::Completed(completed) } => {
                placed.push((guid, completed.path.unwrap()));
            }
            other => panic!("{other:?}"),
        }
    }
    let finished = placed.iter().map(|(guid, _)| (*guid, desk.folder.path().to_owned())).collect();
    desk.transfers.forget(finished);
    desk.transfers.shut_down().await;
    let mut names: Vec<_> = placed.iter().map(|(_, path)| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    assert_eq!(desk.names(), names);
    names.dedup();
    assert_eq!(names.len(), specs.len());
    for (number, spec) in (0..).zip(&specs) {
        let (_, path) = placed.iter().find(|(guid, _)| *guid == spec.guid).unwrap();
        assert_eq!(std::fs::read(path).unwrap(), Body::seeded(number % 4, 1000 + number % 4).slice(0, u64::MAX));
    }
}

#[tokio::test]
async fn small_file_with_digest_or_metalink_uses_partial_file() {
    let origin = Origin::start().await;
    origin.file("/described", Body::bytes("bytes")).header("Link", "</described.meta4>; rel=describedby");
    origin.file("/promised", Body::bytes("bytes")).header("Content-MD5", "SzpiGLs+OnMD6KFxpg/Pkg==");
    let mut desk = TransferBench::new();
    for path in ["/described", "/promised"] {
        let spec = desk.spec(origin.url(path));
        desk.transfers.start(spec.clone());
        let (_, stored) = desk.head().await;
        assert!(desk.names().contains(&format!("{}.{}.part", &path[1..], spec.guid.tag())), "{path}");
        stored.send(()).unwrap();
        assert!(matches!(desk.outcome().await, TransferOutcome::Completed(_)));
    }
}
