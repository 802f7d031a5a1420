//! Kills a transfer at every possible point and restarts it. The result must be one file with the correct bytes.
//!
//! The child process is this test binary itself, controlled by environment variables. The ledger of the child process
//! is a single file with the path of the completed download. The ledger is made durable before the partial file is
//! forgotten.

use std::{
    collections::BTreeSet,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    time::Duration,
};

use ashore_testkit::origin::{Body, Origin, content};
use ashore_transfer::{
    DigestAlgorithm, FileDigest, Guid, TransferEvent, TransferOutcome, TransferSpec, Transfers, failpoint::POINTS, survey,
};
use sha2::{Digest as _, Sha256};
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::transfer::desk::eager;

const LENGTH: u64 = 1 << 20;
const SMALL: u64 = 9000;
const SIGKILL: i32 = 9;

/// Kind of transfer to kill: its earlier state, and the behaviour of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scene {
    Fresh,
    Small,
    Resumed,
    Changed,
    Upload,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_correct_file_exists_after_kill_at_any_point() {
    let mut died_at = BTreeSet::new();
    for scene in [Scene::Fresh, Scene::Small, Scene::Resumed, Scene::Changed, Scene::Upload] {
        for point in POINTS {
            if run_scene(scene, point).await {
                died_at.insert(*point);
            }
        }
    }
    // A transfer reaches these points several times, so also kill it when it reaches a point for the second time.
    for point in ["transfer.before-data-sync", "transfer.after-data-sync", "transfer.journal-slot-written"] {
        run_scene(Scene::Fresh, &format!("{point}:2")).await;
    }
    let missed: Vec<_> = POINTS.iter().filter(|point| !died_at.contains(*point)).collect();
    assert!(missed.is_empty(), "the transfer never reached {missed:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_partial_file_is_kept_until_new_file_is_complete() {
    let points = [
        "transfer.set-aside",
        "transfer.part-created",
        "transfer.claim-dropped",
        "transfer.head-told",
        "transfer.first-bytes",
        "transfer.after-data-sync",
        "transfer.checkpointed",
    ];
    for point in points {
        let (folder, origin) = (tempfile::tempdir().unwrap(), Origin::start().await);
        let file = origin.file("/a.bin", Body::seeded(1, LENGTH)).end_after(LENGTH / 4 * 3).times(1);
        assert!(!run_child(&origin, folder.path(), Scene::Changed, None).await.success(), "it is cut short");
        let durable = usize::try_from(survey(folder.path()).unwrap()[0].bytes).unwrap();
        assert_eq!(durable as u64, LENGTH / 4 * 3);
        let kept = folder.path().join(format!("a.bin.{}.part.old", Guid(Uuid::from_u128(7 << 96)).tag()));
        let is_kept = || std::fs::read(&kept).is_ok_and(|bytes| bytes.get(..durable) == content(1, LENGTH).get(..durable));
        let file = file.content(Body::seeded(2, LENGTH)).gate_at(LENGTH / 2);
        // Kill the process during the restart from zero. Then kill the next run, after it has checked the partial file
        // and sent a request.
        for death in [point, "transfer.head-received"] {
            let status = run_child(&origin, folder.path(), Scene::Changed, Some(death)).await;
            assert!(status.signal() == Some(SIGKILL) && is_kept(), "{point}, {death}");
        }
        file.release();
        // Change the file again. The first version's partial file must be kept, because the second version's partial
        // file is shorter.
        let _changed = file.content(Body::seeded(3, LENGTH));
        for death in ["transfer.first-bytes", "transfer.before-place"] {
            let status = run_child(&origin, folder.path(), Scene::Changed, Some(death)).await;
            assert!(status.signal() == Some(SIGKILL) && is_kept(), "{point}, changed again, {death}");
        }
        assert!(run_child(&origin, folder.path(), Scene::Changed, None).await.success(), "{point}");
        assert!(std::fs::read(folder.path().join("a.bin")).unwrap() == content(3, LENGTH), "{point}");
        assert_eq!(survey(folder.path()).unwrap(), [], "{point}");
    }
}

/// Runs one scene with a kill at `point`. Returns whether the point was reached.
async fn run_scene(scene: Scene, point: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let origin = Origin::start().await;
    let length = if scene == Scene::Small { SMALL } else { LENGTH };
    let mut body = Body::seeded(1, length);
    let mut file = origin.file("/a.bin", body.clone());
    if scene != Scene::Small {
        // Send the file in two halves, with a checkpoint between them.
        file = file.trickle(LENGTH as usize / 2, Duration::from_millis(60));
    }
    if matches!(scene, Scene::Resumed | Scene::Changed) {
        let status = run_child(&origin, folder.path(), scene, Some("transfer.checkpointed")).await;
        assert_eq!(status.signal(), Some(SIGKILL), "{scene:?}");
        assert!(survey(folder.path()).unwrap()[0].bytes > 0);
    }
    if scene == Scene::Changed {
        body = Body::seeded(2, LENGTH);
        let _changed = file.content(body.clone());
    }
    let first = run_child(&origin, folder.path(), scene, Some(point)).await;
    let died = first.signal() == Some(SIGKILL);
    assert!(died || first.success(), "{scene:?} {point} {first:?}");
    for _ in 0..2 {
        let status = run_child(&origin, folder.path(), scene, None).await;
        assert!(status.success(), "{scene:?} {point} {status:?}");
    }
    let mut names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["a.bin", "ledger"], "{scene:?} {point}");
    let bytes = std::fs::read(folder.path().join("a.bin")).unwrap();
    assert!(bytes == body.slice(0, length), "{scene:?} {point}");
    let told = std::fs::read_to_string(folder.path().join("ledger")).unwrap();
    assert_eq!(Path::new(&told), folder.path().join("a.bin"));
    died
}

async fn run_child(origin: &Origin, folder: &Path, scene: Scene, point: Option<&str>) -> ExitStatus {
    let mut child = tokio::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "transfer::disk::crash::child_process_runs_one_transfer", "--ignored", "--nocapture"]);
    child.env("ASHORE_CHILD_FOLDER", folder).env("ASHORE_CHILD_URL", origin.url("/a.bin").as_str());
    child.env("ASHORE_CHILD_SCENE", format!("{scene:?}")).env_remove("ASHORE_CRASH_AT");
    if let Some(point) = point {
        child.env("ASHORE_CRASH_AT", point);
    }
    child.stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    tokio::time::timeout(Duration::from_secs(60), child.status()).await.expect("a life ends in time").unwrap()
}

#[tokio::test]
#[ignore = "not a test: a process that a test starts"]
async fn child_process_runs_one_transfer() {
    let Some(folder) = std::env::var_os("ASHORE_CHILD_FOLDER").map(PathBuf::from) else { return };
    let scene = std::env::var("ASHORE_CHILD_SCENE").unwrap();
    let (sender, mut events) = mpsc::unbounded_channel();
    let transfers = Transfers::new(eager(), sender).unwrap();
    let guid = Guid(Uuid::from_u128(7 << 96));
    let ledger = folder.join("ledger");
    if !ledger.exists() {
        let url = std::env::var("ASHORE_CHILD_URL").unwrap().parse().unwrap();
        let mut spec = TransferSpec::download(guid, url, folder.clone());
        if scene == "Upload" {
            spec.method = http::Method::POST;
        } else if scene != "Changed" && scene != "Small" {
            spec.expected
                .digests
                .push(FileDigest { algorithm: DigestAlgorithm::Sha256, bytes: Sha256::digest(content(1, LENGTH)).to_vec() });
        }
        transfers.start(spec);
        let path = loop {
            match events.recv().await.unwrap() {
                TransferEvent::Head { stored, .. } => drop(stored.send(())),
                TransferEvent::Fetched { .. } => {}
                TransferEvent::Done { outcome: TransferOutcome::Completed(completed), .. } => break completed.path.unwrap(),
                TransferEvent::Done { outcome, .. } => panic!("{outcome:?}"),
            }
        };
        let draft = folder.join("ledger-draft");
        std::fs::write(&draft, path.to_str().unwrap()).unwrap();
        std::fs::hard_link(&draft, &ledger).unwrap();
        std::fs::remove_file(&draft).unwrap();
    }
    ashore_testkit::forget(&transfers, guid, &folder).await;
}
