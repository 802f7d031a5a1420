//! Starts, stops and lists transfers by GUID.

use std::{
    collections::HashSet,
    io,
    panic::AssertUnwindSafe,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::FutureExt;
use tokio::{runtime::Handle, sync::mpsc};
use tokio_util::sync::CancellationToken;

use crate::{
    disk,
    download::{
        context::{RunContext, RunningTasks},
        pending_responses::{self, PendingResponses, ProbeResult},
        run::TransferRun,
        small_file,
    },
    http::{AddressPolicy, client::HttpClient, config::TransferConfig, exchange},
    model::{
        event::TransferEvent,
        failure::TransferFailure,
        failure_kind::FailureKind,
        found::RediscoveredFile,
        outcome::TransferOutcome,
        spec::{Guid, TransferSpec},
    },
    partial::{batch_publish::batch::PublishBatch, part, relocate, scan::PartialIndex, space_reservation::SpaceReservations},
    plan::{
        mirrors::MirrorHosts,
        progress::{ByteCounters, TransferProgress},
        segment_map::SegmentMap,
    },
    rate_limit::{FlowScope, RateLimit, RateLimiter},
    runtime::words_of,
};

/// Maximum number of transfers from one server that each use their own connection, as in browsers.
///
/// Further transfers from the same server share connections if possible.
const CROWD: usize = 6;

/// Maximum time that a request waits for its disk.
const SILENCE: Duration = Duration::from_secs(2);

/// All running transfers. Cheap to clone; clones share the same transfers.
#[derive(Clone, Debug)]
pub struct Transfers {
    shared: Arc<RunContext>,
    runtime: Handle,
}

impl Transfers {
    /// Creates transfers that emit to `events` and run on the current runtime.
    ///
    /// Fails outside a runtime, or if no HTTP client can be created.
    pub fn new(config: TransferConfig, events: mpsc::UnboundedSender<TransferEvent>) -> Result<Self, TransferFailure> {
        let runtime = Handle::try_current().map_err(|error| TransferFailure::new(FailureKind::Internal, error.to_string()))?;
        let client = RwLock::new(HttpClient::new(config)?);
        let index = Arc::new(PartialIndex::default());
        let batch = PublishBatch::new(index.clone());
        let (memory, hosts, running) = (small_file::memory(), MirrorHosts::default(), Mutex::default());
        let throttle = RateLimiter::start(&runtime);
        let (promises, answers) = (SpaceReservations::default(), PendingResponses::default());
        let shared = RunContext { client, events, index, batch, memory, hosts, throttle, promises, answers, running };
        Ok(Self { shared: Arc::new(shared), runtime })
    }

    /// Applies `config` to all transfers that start later.
    ///
    /// Running transfers keep their configuration. Fails like [`Self::new`]; nothing changes in that case.
    pub fn configure(&self, config: TransferConfig) -> Result<(), TransferFailure> {
        let client = HttpClient::new(config)?;
        let mut current = self.shared.client.write().unwrap_or_else(PoisonError::into_inner);
        *current = client.remembering(&current);
        Ok(())
    }

    /// Requests the file of `spec` without starting the transfer.
    ///
    /// Keeps the server's response for two minutes. If the transfer with this GUID starts within that time, the
    /// transfer uses this response. Fails and keeps no response if the response shows that there will be no file.
    pub async fn ask(&self, spec: TransferSpec) -> Result<ProbeResult, TransferFailure> {
        let client = self.shared.client();
        let answered = exchange::ask(&client, &spec, &spec.url, None, None).await?;
        let answer = pending_responses::read(&answered, &spec)?;
        let number = self.shared.answers.hold(spec.guid, spec.reach, answered);
        let shared = Arc::downgrade(&self.shared);
        self.runtime.spawn(async move {
            tokio::time::sleep(pending_responses::PATIENCE).await;
            if let Some(shared) = shared.upgrade() {
                shared.answers.expire(number);
            }
        });
        Ok(answer)
    }

    /// Drops the response that was kept for a transfer that will not start.
    pub fn release(&self, guid: Guid) {
        self.shared.answers.take(guid, AddressPolicy::Anywhere);
    }

    /// Starts a transfer. Continues from its state on disk.
    ///
    /// Does nothing while a transfer of this GUID is running.
    pub fn start(&self, spec: TransferSpec) {
        let guid = spec.guid;
        let counters = Arc::new(ByteCounters::default());
        let (stop, ended) = (CancellationToken::new(), CancellationToken::new());
        let mut client = self.shared.client();
        let most = client.config().total_timeout;
        let meter = Arc::new(self.shared.throttle.meter(&spec.url, spec.group));
        {
            let mut running = self.shared.running();
            if running.contains_key(&guid) {
                return;
            }
            let origin = spec.url.origin();
            if meter.is_limited() {
                client = client.of_a_limited_one();
            } else if spec.url.scheme() == "https" && running.values().filter(|other| other.origin == origin).count() >= CROWD {
                client = client.of_a_crowd();
            }
            let (counters, stop, ended) = (counters.clone(), stop.clone(), ended.clone());
            running.insert(guid, RunningTasks { origin, counters, stop, ended });
        }
        let is_late = self.watch_time(most, &stop, &ended);
        let shared = self.shared.clone();
        let first = shared.answers.take(guid, spec.reach);
        let run = TransferRun::new(shared.clone(), client, (spec, first), counters.clone(), meter, stop).run();
        let run = AssertUnwindSafe(run).catch_unwind();
        // If the runtime ends, no outcome is emitted. The next start reads the state on disk.
        self.runtime.spawn(async move {
            let outcome = match run.await {
                Ok(TransferOutcome::Stopped { bytes, sent }) if is_late.load(Ordering::Acquire) => {
                    let failure = TransferFailure::new(FailureKind::TotalTimeout, "the whole took longer than it may");
                    TransferOutcome::Failed { failure: TransferFailure { sent, ..failure }, bytes }
                }
                Ok(outcome) => outcome,
                Err(panic) => {
                    tracing::error!(%guid, why = words_of(&*panic), "transfer ended by a panic");
                    let failure = TransferFailure::new(FailureKind::Internal, "a defect of Ashore ended this transfer");
                    let failure = TransferFailure { sent: counters.uploaded.load(Ordering::Acquire), ..failure };
                    TransferOutcome::Failed { failure, bytes: counters.durable.load(Ordering::Acquire) }
                }
            };
            shared.done(guid, outcome);
            ended.cancel();
        });
    }

    /// Stops the run at its time limit, and sets the returned flag when that happens.
    fn watch_time(&self, most: Option<Duration>, stop: &CancellationToken, ended: &CancellationToken) -> Arc<AtomicBool> {
        let is_late = Arc::new(AtomicBool::new(false));
        let Some(most) = most else { return is_late };
        let (stop, ended, late) = (stop.clone(), ended.clone(), is_late.clone());
        self.runtime.spawn(async move {
            tokio::select! {
                () = ended.cancelled() => {}
                () = stop.cancelled() => {}
                () = tokio::time::sleep(most) => {
                    late.store(true, Ordering::Release);
                    stop.cancel();
                }
            }
        });
        is_late
    }

    /// Stops a transfer and keeps its bytes.
    ///
    /// Emits `Done(Stopped)` if the transfer is running and its file has not been placed yet.
    pub fn stop(&self, guid: Guid) {
        if let Some(running) = self.shared.running().get(&guid) {
            running.stop.cancel();
        }
    }

    /// Limits the total speed of all transfers in `scope` to `rate`, including running transfers.
    ///
    /// `None` removes the limit. If several limits apply to a byte, the lowest limit is used.
    pub fn limit(&self, scope: FlowScope, rate: Option<RateLimit>) {
        self.shared.throttle.limit(scope, rate);
    }

    /// Returns how many bytes running transfers still have to write to a volume.
    ///
    /// `volume` is the device number of the volume. The file system reports this space as free until the bytes are
    /// written.
    pub fn promised(&self, volume: u64) -> u64 {
        self.shared.promises.bytes_on(volume)
    }

    /// Discards the folder index, so that each folder is read again when needed.
    ///
    /// Call this if a run has ended but its caller has not received the outcome. No transfer may be running.
    pub fn look_anew(&self) {
        self.shared.index.forget_folders();
    }

    /// Returns the progress of each running transfer.
    pub fn progress(&self) -> Vec<(Guid, TransferProgress)> {
        let running = self.shared.running();
        running.iter().map(|(guid, running)| (*guid, running.counters.progress())).collect()
    }

    /// Returns which parts of a running transfer's file are present, in at most `parts` parts.
    ///
    /// `None` if no bytes are being fetched or the size is unknown.
    pub fn map(&self, guid: Guid, parts: usize) -> Option<SegmentMap> {
        let counters = self.shared.running().get(&guid)?.counters.clone();
        counters.map(parts)
    }

    /// Requests removal of the partial files and journals of completed transfers.
    ///
    /// `finished` contains each transfer with its folder. The caller must have persisted the completion. Does not wait
    /// for the removal. If the process is killed first, the next start removes the remaining files.
    pub fn forget(&self, finished: Vec<(Guid, PathBuf)>) {
        self.shared.batch.forget(finished);
    }

    /// Waits for all pending removals. Returns the transfers whose files are still on disk.
    ///
    /// The result includes transfers whose disk does not answer. A later run with the same GUID may already use the
    /// partial file again.
    pub async fn shut_down(&self) -> HashSet<Guid> {
        self.shared.batch.shut_down(SILENCE).await
    }

    /// Stops a transfer if necessary, and deletes its files.
    ///
    /// A placed file stays.
    pub async fn discard(&self, guid: Guid, folder: &Path) {
        let ended = self.shared.running().get(&guid).map(|running| {
            running.stop.cancel();
            running.ended.clone()
        });
        if let Some(ended) = ended {
            // If the run is waiting for a disk, the run ends when the disk answers. The files are then removed.
            let _ = tokio::time::timeout(SILENCE, ended.cancelled()).await;
        }
        self.shared.batch.discard(guid, folder, SILENCE).await;
    }

    /// Moves the partial files of a transfer that is not running to the folder `to`.
    ///
    /// Returns whether `from` had any. Overwrites no file. The call can be repeated after an interruption.
    pub async fn relocate(&self, guid: Guid, from: &Path, to: &Path) -> io::Result<bool> {
        let (from, to) = (from.to_owned(), to.to_owned());
        let moving = disk::spawn_on(&self.runtime, move || relocate::move_partial(guid, &from, &to));
        let moved = moving.await.map_err(io::Error::other)??;
        for (old, new) in &moved {
            self.shared.index.disown(guid, old);
            self.shared.index.add(guid, new);
        }
        Ok(!moved.is_empty())
    }

    /// Removes the partial file's name after the file was placed.
    ///
    /// The caller must have recorded the placement. Does nothing if the file is not placed.
    pub async fn drop_name(&self, found: RediscoveredFile) {
        if found.placed.is_none() {
            return;
        }
        let removed = tokio::time::timeout(SILENCE, disk::spawn_on(&self.runtime, move || part::remove(&found.part))).await;
        if let Ok(Ok(Err(error))) = removed {
            tracing::warn!(%error, "partial name of a placed file could not be removed");
        }
    }
}
