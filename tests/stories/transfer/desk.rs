//! Test fixture: a folder, its transfers and their events.

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use ashore_testkit::origin::Body;
use ashore_transfer::{
    CompletedTransfer, FailureKind, Guid, RediscoveredFile, ResponseSummary, TransferConfig, TransferEvent, TransferFailure,
    TransferOutcome, TransferProgress, TransferSpec, Transfers, survey,
};
use tokio::sync::{mpsc, oneshot};
use url::Url;
use uuid::Uuid;

/// Time limit of every wait in a test.
const DEADLINE: Duration = Duration::from_secs(60);

pub struct TransferBench {
    pub folder: tempfile::TempDir,
    pub transfers: Transfers,
    pub heads: Vec<ResponseSummary>,
    events: mpsc::UnboundedReceiver<TransferEvent>,
}

/// Config with a checkpoint per batch, a small memory limit, and short stall timeouts.
pub fn eager() -> TransferConfig {
    TransferConfig {
        checkpoint_interval: Duration::from_millis(1),
        checkpoint_bytes: 1,
        stall_timeout: Duration::from_secs(20),
        held_in_memory: 64 << 10,
        ..TransferConfig::default()
    }
}

impl TransferBench {
    pub fn new() -> Self {
        Self::with(TransferConfig::default())
    }

    pub fn with(config: TransferConfig) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (sender, events) = mpsc::unbounded_channel();
        let transfers = Transfers::new(config, sender).unwrap();
        Self { folder, transfers, heads: Vec::new(), events }
    }

    /// Restarts the transfers in the same folder, as a new process would.
    pub fn restart(&mut self, config: TransferConfig) {
        let (sender, events) = mpsc::unbounded_channel();
        self.transfers = Transfers::new(config, sender).unwrap();
        self.events = events;
        self.heads.clear();
    }

    pub fn spec(&self, url: Url) -> TransferSpec {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = u128::from(NEXT.fetch_add(1, Ordering::Relaxed));
        TransferSpec::download(Guid(Uuid::from_u128((number << 96) | 7)), url, self.folder.path().to_owned())
    }

    /// Waits for the next event.
    pub async fn event(&mut self) -> TransferEvent {
        tokio::time::timeout(DEADLINE, self.events.recv()).await.expect("something happens in time").expect("it lives")
    }

    /// Waits for the next response head and returns it without acknowledging it.
    pub async fn head(&mut self) -> (ResponseSummary, oneshot::Sender<()>) {
        match self.event().await {
            TransferEvent::Head { head, stored, .. } => (head, stored),
            other => panic!("before a head: {other:?}"),
        }
    }

    /// Acknowledges response heads until the transfer is done.
    pub async fn outcome(&mut self) -> TransferOutcome {
        loop {
            match self.event().await {
                TransferEvent::Head { head, stored, .. } => {
                    self.heads.push(head);
                    // Ignore an error, because the transfer may have already ended.
                    let _ = stored.send(());
                }
                TransferEvent::Fetched { .. } => {}
                TransferEvent::Done { outcome, .. } => return outcome,
            }
        }
    }

    pub async fn run(&mut self, spec: &TransferSpec) -> TransferOutcome {
        self.transfers.start(spec.clone());
        self.outcome().await
    }

    pub async fn completed(&mut self, spec: &TransferSpec) -> CompletedTransfer {
        match self.run(spec).await {
            TransferOutcome::Completed(completed) => completed,
            other => panic!("not completed: {other:?}"),
        }
    }

    pub async fn failed(&mut self, spec: &TransferSpec) -> (TransferFailure, u64) {
        match self.run(spec).await {
            TransferOutcome::Failed { failure, bytes } => (failure, bytes),
            other => panic!("not failed: {other:?}"),
        }
    }

    /// Runs the transfer and checks that it completes with exactly `content`.
    pub async fn completed_with(&mut self, spec: &TransferSpec, content: &Body) -> CompletedTransfer {
        let completed = self.completed(spec).await;
        let bytes = std::fs::read(completed.path.as_ref().expect("a file")).unwrap();
        assert!(bytes == content.slice(0, u64::MAX), "the bytes are right");
        assert_eq!(completed.size, bytes.len() as u64);
        completed
    }

    /// Starts the transfer and stops it after `bytes` bytes. The server must pause the body at this point.
    ///
    /// Returns the number of durable bytes.
    pub async fn stopped_at(&mut self, spec: &TransferSpec, bytes: u64) -> u64 {
        self.transfers.start(spec.clone());
        self.reach(spec, bytes).await;
        self.transfers.stop(spec.guid);
        match self.outcome().await {
            TransferOutcome::Stopped { bytes, .. } => bytes,
            other => panic!("not stopped: {other:?}"),
        }
    }

    /// Waits until `bytes` bytes have been received.
    pub async fn reach(&self, spec: &TransferSpec, bytes: u64) {
        let came = async {
            while self.progress(spec).is_none_or(|progress| progress.downloaded < bytes) {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        tokio::time::timeout(DEADLINE, came).await.expect("the bytes come in time");
    }

    pub fn progress(&self, spec: &TransferSpec) -> Option<TransferProgress> {
        self.transfers.progress().into_iter().find(|(guid, _)| *guid == spec.guid).map(|(_, progress)| progress)
    }

    pub fn survey(&self) -> Vec<RediscoveredFile> {
        survey(self.folder.path()).unwrap()
    }

    /// Returns the sorted names of the files in the folder.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    pub fn path(&self, name: &str) -> PathBuf {
        Path::new(self.folder.path()).join(name)
    }
}

/// Checks that the failure is of this kind.
pub fn assert_kind(failure: &TransferFailure, kind: FailureKind) {
    assert_eq!(failure.kind, kind, "{failure:?}");
}
