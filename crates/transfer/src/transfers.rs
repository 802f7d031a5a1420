//! The transfers: started, stopped and listed by GUID.

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

/// So many transfers of one server have a connection each, as in browsers; what comes beside them shares one where it can.
const CROWD: usize = 6;

/// A disk that does not do what is asked for within this time is not waited for.
const SILENCE: Duration = Duration::from_secs(2);

/// All running transfers. Cheap to clone; every clone is the same.
#[derive(Clone, Debug)]
pub struct Transfers {
    shared: Arc<RunContext>,
    runtime: Handle,
}

impl Transfers {
    /// Transfers that tell `events`, run by the runtime this is called in. Fails outside of one, and when no HTTP
    /// client can be made.
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

    /// What starts from now on behaves like this; what runs goes on as it began. Fails as [`Self::new`] does, and then
    /// nothing has changed.
    pub fn configure(&self, config: TransferConfig) -> Result<(), TransferFailure> {
        let client = HttpClient::new(config)?;
        let mut current = self.shared.client.write().unwrap_or_else(PoisonError::into_inner);
        *current = client.remembering(&current);
        Ok(())
    }

    /// Asks for what `spec` says without starting it. Its body waits, for two minutes, for the start of the transfer with
    /// this GUID, which goes on with it. Fails where the answer says that there will be no file; then nothing waits.
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

    /// Nobody will start this one: the answer that waits for it is let go.
    pub fn release(&self, guid: Guid) {
        self.shared.answers.take(guid);
    }

    /// Starts it, going on from what is on disk. While a transfer of this GUID runs, nothing happens.
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
        // It was asked for without looking how far.
        let first = shared.answers.take(guid).filter(|_| spec.reach == AddressPolicy::Anywhere);
        let run = TransferRun::new(shared.clone(), client, (spec, first), counters.clone(), meter, stop).run();
        let run = AssertUnwindSafe(run).catch_unwind();
        // When the runtime ends, nothing is told: what is on disk speaks for itself at the next start.
        self.runtime.spawn(async move {
            let outcome = match run.await {
                Ok(TransferOutcome::Stopped { bytes, sent }) if is_late.load(Ordering::Acquire) => {
                    let failure = TransferFailure::new(FailureKind::TotalTimeout, "the whole took longer than it may");
                    TransferOutcome::Failed { failure: TransferFailure { sent, ..failure }, bytes }
                }
                Ok(outcome) => outcome,
                Err(panic) => {
                    tracing::error!(%guid, why = words_of(&*panic), "a transfer ended by a defect");
                    let failure = TransferFailure::new(FailureKind::Internal, "a defect of Ashore ended this transfer");
                    let failure = TransferFailure { sent: counters.uploaded.load(Ordering::Acquire), ..failure };
                    TransferOutcome::Failed { failure, bytes: counters.durable.load(Ordering::Acquire) }
                }
            };
            shared.done(guid, outcome);
            ended.cancel();
        });
    }

    /// Stops a run whose time is over, and says so in what it returns.
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

    /// Tells it to stop with its bytes kept; `Done(Stopped)` follows if it was still running and not yet past placing.
    pub fn stop(&self, guid: Guid) {
        if let Some(running) = self.shared.running().get(&guid) {
            running.stop.cancel();
        }
    }

    /// Holds everything in `scope` together to `rate`, what runs already as well; none takes the limit away. Where
    /// several are on the way of a byte, the tightest holds.
    pub fn limit(&self, scope: FlowScope, rate: Option<RateLimit>) {
        self.shared.throttle.limit(scope, rate);
    }

    /// Bytes that running transfers have still to write to the volume with this device number, and that are free as long.
    pub fn promised(&self, volume: u64) -> u64 {
        self.shared.promises.bytes_on(volume)
    }

    /// Reads the folders anew when they are next asked for: something ended here whose caller never heard of it. Nothing may run.
    pub fn look_anew(&self) {
        self.shared.index.forget_folders();
    }

    /// Where each running transfer is.
    pub fn progress(&self) -> Vec<(Guid, TransferProgress)> {
        let running = self.shared.running();
        running.iter().map(|(guid, running)| (*guid, running.counters.progress())).collect()
    }

    /// Which parts of a running transfer's file are there, in so many parts; none while nothing of it is being fetched, or
    /// its size is not known.
    pub fn map(&self, guid: Guid, parts: usize) -> Option<SegmentMap> {
        let counters = self.shared.running().get(&guid)?.counters.clone();
        counters.map(parts)
    }

    /// After the caller has written down that these completed, each in its folder: removes the partials' names and
    /// journals. Does not wait for it: what a kill leaves of it is seen at the next start.
    pub fn forget(&self, finished: Vec<(Guid, PathBuf)>) {
        self.shared.batch.forget(finished);
    }

    /// Returns when everything that was to be forgotten by now is, with those of whom something could not be removed, also where
    /// their disk does not answer. A run that was started since may be using it again.
    pub async fn shut_down(&self) -> HashSet<Guid> {
        self.shared.batch.shut_down(SILENCE).await
    }

    /// Throws away what a stopped transfer has on disk, stopping it first if need be. A file already placed stays.
    pub async fn discard(&self, guid: Guid, folder: &Path) {
        let ended = self.shared.running().get(&guid).map(|running| {
            running.stop.cancel();
            running.ended.clone()
        });
        if let Some(ended) = ended {
            // One that waits for a disk ends when that answers, and so does the removal then.
            let _ = tokio::time::timeout(SILENCE, ended.cancelled()).await;
        }
        self.shared.batch.discard(guid, folder, SILENCE).await;
    }

    /// Removes a partial's own name where it is only a second one: the file was placed and its caller knows.
    pub async fn drop_name(&self, found: RediscoveredFile) {
        if found.placed.is_none() {
            return;
        }
        let removed = tokio::time::timeout(SILENCE, disk::spawn_on(&self.runtime, move || part::remove(&found.part))).await;
        if let Ok(Ok(Err(error))) = removed {
            tracing::warn!(%error, "a partial's name could not be removed");
        }
    }
}
