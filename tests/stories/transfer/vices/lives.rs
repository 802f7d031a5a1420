//! Test bench whose program can be killed.
//!
//! The transfers run on their own async runtime. Shutting down this runtime cancels all their pending work.

use std::{
    ops::{Deref, DerefMut},
    time::Duration,
};

use ashore_testkit::origin::{Body, Origin, Route};
use ashore_transfer::{FailureKind, TransferConfig, TransferOutcome, TransferSpec};
use tokio::runtime::Runtime;

use super::super::desk::{TransferBench, assert_kind, eager};

pub const LENGTH: u64 = 2 << 20;
/// File offset at which the power is cut.
pub const STOP: u64 = 1_000_000;
pub const OVERLAP: u64 = 64 << 10;
/// Number of bytes that each comparison with the server covers.
const COMPARED: u64 = 16 << 10;
const DEADLINE: Duration = Duration::from_secs(30);

/// Config with long timeouts, for busy machines.
pub fn patient() -> TransferConfig {
    eager()
}

/// Config with short timeouts, for silent servers.
pub fn hasty() -> TransferConfig {
    TransferConfig {
        connect_timeout: Duration::from_millis(400),
        stall_timeout: Duration::from_millis(400),
        slow_window: Duration::from_millis(600),
        ..eager()
    }
}

/// Config with few checkpoints, so that a resume starts in the middle of the file.
fn steady() -> TransferConfig {
    TransferConfig { checkpoint_interval: Duration::from_secs(20), checkpoint_bytes: 300_000, ..TransferConfig::default() }
}

/// Test bench, and the async runtime that runs its transfers.
pub struct Lives {
    desk: TransferBench,
    runtime: Option<Runtime>,
}

impl Deref for Lives {
    type Target = TransferBench;

    fn deref(&self) -> &TransferBench {
        &self.desk
    }
}

impl DerefMut for Lives {
    fn deref_mut(&mut self) -> &mut TransferBench {
        &mut self.desk
    }
}

impl Drop for Lives {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Lives {
    pub fn new(config: TransferConfig) -> Self {
        let runtime = runtime();
        let desk = {
            let _inside = runtime.enter();
            TransferBench::with(config)
        };
        Self { desk, runtime: Some(runtime) }
    }

    /// Shuts down the runtime and restarts the transfers in the same folder.
    pub async fn kill(&mut self, config: TransferConfig) {
        if let Some(runtime) = self.runtime.take() {
            // Write operations that the system has already received are completed, as after a real kill.
            tokio::task::spawn_blocking(move || runtime.shutdown_timeout(DEADLINE)).await.unwrap();
        }
        let runtime = runtime();
        {
            let _inside = runtime.enter();
            self.desk.restart(config);
        }
        self.runtime = Some(runtime);
    }

    /// Number of durable bytes of the partial file.
    pub fn durable(&self) -> u64 {
        self.desk.survey().first().map_or(0, |found| found.bytes)
    }

    /// Content of the old partial file that was kept for `spec`; empty if there is none.
    pub fn kept_aside(&self, spec: &TransferSpec) -> Vec<u8> {
        std::fs::read(self.path(&format!("a.bin.{}.part.old", spec.guid.tag()))).unwrap_or_default()
    }

    /// Starts the transfer. Waits until the server has paused after `bytes` bytes and some of these are durable.
    pub async fn begin(&mut self, spec: &TransferSpec, bytes: u64) {
        self.transfers.start(spec.clone());
        let (_, stored) = self.head().await;
        stored.send(()).unwrap();
        self.reach(spec, bytes).await;
        let durable = async {
            while self.durable() == 0 {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        tokio::time::timeout(DEADLINE, durable).await.expect("some of it is durable in time");
    }
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

/// Transfer that was killed in the middle. The server behaved correctly until then.
pub struct Killed {
    pub origin: Origin,
    pub file: Route,
    pub lives: Lives,
    pub spec: TransferSpec,
    /// Number of durable bytes at the kill.
    pub durable: u64,
}

pub async fn killed(shape: impl FnOnce(Route) -> Route) -> Killed {
    let (origin, mut lives) = (Origin::start().await, Lives::new(steady()));
    let file = shape(origin.file("/a.bin", body())).gate_at(STOP);
    let spec = lives.spec(origin.url("/a.bin"));
    lives.begin(&spec, STOP).await;
    lives.kill(patient()).await;
    file.release();
    let durable = lives.durable();
    assert!(durable > 2 * OVERLAP && durable <= STOP, "{durable}");
    Killed { origin, file, lives, spec, durable }
}

pub fn body() -> Body {
    Body::seeded(1, LENGTH)
}

impl Killed {
    /// Checks that the next try fails with this kind of failure and keeps all bytes.
    pub async fn fails(&mut self, kind: FailureKind) {
        if kind == FailureKind::Timeout {
            self.lives.kill(hasty()).await;
        }
        let (failure, bytes) = self.lives.failed(&self.spec).await;
        assert_kind(&failure, kind);
        assert!(bytes >= self.durable, "{bytes} of {} are kept: {failure:?}", self.durable);
        assert_eq!(bytes, self.lives.durable(), "the reported bytes are on disk");
        assert!(!self.lives.path("a.bin").exists(), "never under its final name");
        self.durable = bytes;
    }

    /// Kills the transfer again, and checks that it resumes when the server behaves correctly.
    pub async fn resumes_and_completes(mut self) {
        self.lives.kill(eager()).await;
        self.file = self.file.honest();
        let asked = self.file.requests().len();
        self.lives.completed_with(&self.spec, &body()).await;
        for request in self.file.requests()[asked..].iter().filter(|request| request.method == "GET") {
            let from = request.range_start().expect("only the missing bytes are requested");
            if request.range_end().is_some_and(|last| last - from < COMPARED) {
                // Without a strong validator, the client compares parts of the partial file with the file on the
                // server.
                continue;
            }
            assert!(from + OVERLAP >= self.durable, "from {from}, with {} here", self.durable);
        }
        self.leaves_nothing().await;
    }

    /// Kills the transfer during a restart from zero, while the server pauses the body. Checks that the old bytes are
    /// kept.
    pub async fn kill_during_restart(&mut self) {
        self.lives.transfers.start(self.spec.clone());
        self.file.held().await;
        let set_aside = async {
            while self.lives.kept_aside(&self.spec).is_empty() {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        tokio::time::timeout(DEADLINE, set_aside).await.expect("the old bytes are set aside in time");
        self.lives.kill(patient()).await;
        self.file.left().await;
        self.keeps_the_first_version();
    }

    /// Checks that all durable bytes of the first version are kept.
    pub fn keeps_the_first_version(&self) {
        let kept = self.lives.kept_aside(&self.spec);
        assert!(kept.get(..self.durable as usize) == Some(&body().slice(0, self.durable)[..]), "{} bytes are kept", kept.len());
    }

    /// Checks that the transfer completes with the right bytes and leaves no other files. It may restart from zero.
    pub async fn completes_with(mut self, content: &Body) {
        self.lives.completed_with(&self.spec, content).await;
        self.leaves_nothing().await;
    }

    async fn leaves_nothing(self) {
        ashore_testkit::forget(&self.lives.transfers, self.spec.guid, self.lives.folder.path()).await;
        assert_eq!(self.lives.names(), ["a.bin"]);
    }
}

/// Tests one server fault with a fresh download. Then kills the program and tests the next run without the fault.
pub async fn alone(vice: impl FnOnce(Route) -> Route, fails: Option<FailureKind>) {
    let config = if fails == Some(FailureKind::Timeout) { hasty() } else { patient() };
    let (origin, mut lives) = (Origin::start().await, Lives::new(config));
    let file = vice(origin.file("/a.bin", body()));
    let spec = lives.spec(origin.url("/a.bin"));
    match (lives.run(&spec).await, fails) {
        (TransferOutcome::Completed(_), None) => {}
        (TransferOutcome::Failed { failure, bytes }, Some(kind)) => {
            assert_kind(&failure, kind);
            assert_eq!(bytes, lives.durable());
            assert!(!lives.path("a.bin").exists(), "never under its final name");
        }
        (outcome, _) => panic!("{outcome:?}, and not {fails:?}"),
    }
    lives.kill(eager()).await;
    let _honest = file.honest();
    lives.completed_with(&spec, &body()).await;
    ashore_testkit::forget(&lives.transfers, spec.guid, lives.folder.path()).await;
    assert_eq!(lives.names(), ["a.bin"]);
}
