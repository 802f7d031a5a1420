//! Tests servers that misbehave when several connections fetch one file.
//!
//! The first connection continues, regardless of the answers to the others. No byte of another file is accepted.

use std::time::Duration;

use ashore_testkit::origin::{Body, Origin, Route};
use ashore_transfer::{FailureKind, TransferConfig, TransferOutcome};

use super::{
    super::desk::eager,
    lives::{LENGTH, Lives, body, patient},
};

/// Offset at which the server pauses the first connection until other connections are open.
pub const GATE: u64 = 300_000;

type Vice = fn(Route) -> Route;

/// Faults that affect only later connections. They do not affect the first request, because it asks for no range and
/// gets the whole file.
const VICES: [Vice; 15] = [
    |file| file,
    |file| file.fickle_etag(),
    |file| file.one_shot(403),
    |file| file.one_shot(503),
    |file| file.shift_ranges(1),
    |file| file.shift_ranges(-100_000),
    |file| file.misplace_ranges(1),
    |file| file.misplace_ranges(-1),
    |file| file.misplace_ranges(100_000),
    |file| file.unstated_ranges(),
    |file| file.claim_total("2097153"),
    |file| file.encode_ranges("gzip"),
    |file| file.refuse_ranges(None),
    |file| file.ignore_ranges(),
    |file| file.shorten_ranges(10_000),
];

pub fn several(config: TransferConfig) -> TransferConfig {
    TransferConfig { connections: 4, least_shared: 1, least_split: 100_000, ..config }
}

/// Starts the transfer and waits until another connection has sent a request.
pub async fn begun(lives: &mut Lives, spec: &ashore_transfer::TransferSpec, file: &Route) {
    lives.transfers.start(spec.clone());
    lives.head().await.1.send(()).unwrap();
    let others = async {
        while file.requests().len() < 2 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), others).await.expect("others join in time");
    file.held().await;
}

#[tokio::test]
async fn file_completes_correctly_despite_bad_answers_to_other_connections() {
    for vice in VICES {
        let (origin, mut lives) = (Origin::start().await, Lives::new(several(eager())));
        let file = vice(origin.file("/a.bin", body())).gate_at(GATE);
        let spec = lives.spec(origin.url("/a.bin"));
        begun(&mut lives, &spec, &file).await;
        file.release();
        let outcome = lives.outcome().await;
        assert!(matches!(outcome, TransferOutcome::Completed(_)), "{outcome:?}, after {:?}", file.requests());
        lives.completed_with(&spec, &body()).await;
        ashore_testkit::forget(&lives.transfers, spec.guid, lives.folder.path()).await;
        assert_eq!(lives.names(), ["a.bin"]);
    }
}

/// The second request proves that ranges work. All later requests fail, because the link has expired.
#[tokio::test]
async fn bytes_of_several_connections_are_kept_when_link_expires() {
    let (origin, mut lives) = (Origin::start().await, Lives::new(several(eager())));
    let file = origin.file("/a.bin", body()).runs_out_after(2, 410).gate_at(GATE);
    let spec = lives.spec(origin.url("/a.bin"));
    begun(&mut lives, &spec, &file).await;
    file.release();
    match lives.outcome().await {
        TransferOutcome::Completed(_) => {}
        TransferOutcome::Failed { failure, bytes } => {
            assert_eq!(failure.kind, FailureKind::LinkExpired);
            assert!(bytes >= GATE, "{bytes}");
        }
        other @ TransferOutcome::Stopped { .. } => panic!("{other:?}"),
    }
    let _honest = file.honest();
    lives.completed_with(&spec, &body()).await;
    ashore_testkit::forget(&lives.transfers, spec.guid, lives.folder.path()).await;
    assert_eq!(lives.names(), ["a.bin"]);
}

#[tokio::test]
async fn file_is_correct_after_kill_with_several_connections() {
    for vice in VICES {
        let (origin, mut lives) = (Origin::start().await, Lives::new(several(eager())));
        let file = vice(origin.file("/a.bin", body())).gate_at(GATE);
        let spec = lives.spec(origin.url("/a.bin"));
        begun(&mut lives, &spec, &file).await;
        lives.kill(several(patient())).await;
        file.release();
        // The server misbehaves in the next run too, and behaves correctly in the run after that.
        let outcome = lives.run(&spec).await;
        assert!(!matches!(outcome, TransferOutcome::Stopped { .. }), "{outcome:?}");
        lives.kill(several(eager())).await;
        let _honest = file.honest();
        lives.completed_with(&spec, &body()).await;
        ashore_testkit::forget(&lives.transfers, spec.guid, lives.folder.path()).await;
        assert_eq!(lives.names(), ["a.bin"]);
    }
}

/// The server changes only the content while segments are in flight. The response heads of both versions pass every
/// check. Only the overlapping bytes of neighbouring segments show that the segments belong to different versions.
#[tokio::test]
async fn versions_of_file_are_never_mixed_if_file_changes_between_connections() {
    let (origin, mut lives) = (Origin::start().await, Lives::new(several(eager())));
    let file = origin.file("/a.bin", body()).gate_at(GATE);
    let spec = lives.spec(origin.url("/a.bin"));
    begun(&mut lives, &spec, &file).await;
    // Later requests get the new bytes. The request at the gate continues with the old bytes.
    let new = Body::seeded(2, LENGTH);
    let file = file.content_with_same_validators(new.clone());
    let asked = file.requests().len();
    file.release();
    let completed = lives.completed(&spec).await;
    assert!(file.requests().len() > asked, "further bytes were requested");
    let bytes = std::fs::read(completed.path.unwrap()).unwrap();
    assert!(bytes == body().slice(0, LENGTH) || bytes == new.slice(0, LENGTH), "one version, whole");
    ashore_testkit::forget(&lives.transfers, spec.guid, lives.folder.path()).await;
    assert_eq!(lives.names(), ["a.bin"]);
}
