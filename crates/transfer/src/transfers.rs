//! Starts, stops and lists transfers by GUID.

use std::{
    collections::HashSet,
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
        found::RediscoveredFile,
        outcome::{FailureKind, TransferFailure, TransferOutcome},
        spec::{Guid, TransferSpec},
    },
    partial::{batch_publish::batch::PublishBatch, part, scan::PartialIndex, space_reservation::SpaceReservations},
    plan::{
        mirrors::MirrorHosts,
        progress::{ByteCounters, TransferProgress},
        segment_map::SegmentMap,
    },
    rate_limit::{FlowScope, RateLimit, RateLimiter},
    runtime::words_of,
};

/// Number of transfers per server with a connection of their own, as in browsers.
///
/// Further ones share a connection if possible.
const CROWD: usize = 6;

/// Time limit for a disk to carry out a request.
const SILENCE: Duration = Duration::from_secs(2);

/// All running transfers. Cheap to clone; clones share the same state.
#[derive(Clone, Debug)]
pub struct Transfers {
    shared: Arc<RunContext>,
    runtime: Handle,
}

impl Transfers {
    /// Creates transfers that emit to `events` and run on the current runtime.
    ///
    /// Fails outside a runtime, and if no HTTP client can be created.
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

    /// Applies `config` to transfers that start from now on.
    ///
    /// Running transfers keep their configuration. Fails like [`Self::new`], without a change.
    pub fn configure(&self, config: TransferConfig) -> Result<(), TransferFailure> {
        let client = HttpClient::new(config)?;
        let mut current = self.shared.client.write().unwrap_or_else(PoisonError::into_inner);
        *current = client.remembering(&current);
        Ok(())
    }

    /// Requests the file of `spec` without starting the transfer.
    ///
    /// The response body waits two minutes for the start of the transfer with this GUID, which continues it. Fails if
    /// the response shows that there will be no file; no response waits then.
    pub async fn ask(&self, spec: TransferSpec) -> Result<ProbeResult, TransferFailure> {
        let client = self.shared.client();
        let answered = exchange::ask(&client, &spec, &spec.url, None, None).await?;
        let answer = pending_responses::read(&answered, &spec)?;
        self.shared.answers.hold(spec.guid, answered);
        let shared = Arc::downgrade(&self.shared);
        self.runtime.spawn(async move {
            tokio::time::sleep(pending_responses::PATIENCE).await;
            if let Some(shared) = shared.upgrade() {
                shared.answers.take(spec.guid);
            }
        });
        Ok(answer)
    }

    /// Drops the waiting response of a transfer that will not be started.
    pub fn release(&self, guid: Guid) {
        self.shared.answers.take(guid);
    }

    /// Starts a transfer, resuming from its state on disk.
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
        // The early request did not limit the reach of redirects.
        let first = shared.answers.take(guid).filter(|_| spec.reach == AddressPolicy::Anywhere);
        let run = TransferRun::new(shared.clone(), client, (spec, first), counters.clone(), meter, stop).run();
        let run = AssertUnwindSafe(run).catch_unwind();
        // No outcome is emitted when the runtime ends; the next start reads the state on disk.
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

    /// Stops a run when its time is over; the returned flag is set then.
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
    /// Emits `Done(Stopped)` if the transfer was still running and not yet past placing.
    pub fn stop(&self, guid: Guid) {
        if let Some(running) = self.shared.running().get(&guid) {
            running.stop.cancel();
        }
    }

    /// Limits all transfers in `scope` together to `rate`, including running ones.
    ///
    /// `None` removes the limit. If several limits apply to a byte, the lowest one counts.
    pub fn limit(&self, scope: FlowScope, rate: Option<RateLimit>) {
        self.shared.throttle.limit(scope, rate);
    }

    /// Returns the bytes that running transfers still have to write to a volume.
    ///
    /// `volume` is its device number. The bytes are free until they are written.
    pub fn promised(&self, volume: u64) -> u64 {
        self.shared.promises.bytes_on(volume)
    }

    /// Discards the folder index, so that folders are read again when next needed.
    ///
    /// Needed after a run has ended whose caller did not receive the outcome. No transfer may be running.
    pub fn look_anew(&self) {
        self.shared.index.forget_folders();
    }

    /// Returns the progress of each running transfer.
    pub fn progress(&self) -> Vec<(Guid, TransferProgress)> {
        let running = self.shared.running();
        running.iter().map(|(guid, running)| (*guid, running.counters.progress())).collect()
    }

    /// Returns the present parts of a running transfer's file, in at most `parts` parts.
    ///
    /// `None` if nothing is being fetched or the size is unknown.
    pub fn map(&self, guid: Guid, parts: usize) -> Option<SegmentMap> {
        let counters = self.shared.running().get(&guid)?.counters.clone();
        counters.map(parts)
    }

    /// Removes partial files and journals of completed transfers, each with its folder.
    ///
    /// The caller must have persisted the completion. Does not wait; the next start handles files that a kill leaves.
    pub fn forget(&self, finished: Vec<(Guid, PathBuf)>) {
        self.shared.batch.forget(finished);
    }

    /// Waits until all pending removals are done and returns the transfers with leftovers.
    ///
    /// Transfers with a disk that does not answer are included. A run that was started since may be using the partial
    /// file again.
    pub async fn shut_down(&self) -> HashSet<Guid> {
        self.shared.batch.shut_down(SILENCE).await
    }

    /// Deletes the files of a transfer, stopping it first if necessary. A placed file stays.
    pub async fn discard(&self, guid: Guid, folder: &Path) {
        let ended = self.shared.running().get(&guid).map(|running| {
            running.stop.cancel();
            running.ended.clone()
        });
        if let Some(ended) = ended {
            // A run that waits for a disk ends when the disk answers, and so does the removal.
            let _ = tokio::time::timeout(SILENCE, ended.cancelled()).await;
        }
        self.shared.batch.discard(guid, folder, SILENCE).await;
    }

    /// Removes the partial file's name of a file that was placed.
    ///
    /// The caller must have recorded the placement. Does nothing for a file that is not placed.
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
