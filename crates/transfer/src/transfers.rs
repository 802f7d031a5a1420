//! The transfers: started, stopped and listed by GUID.

use std::{
    any::Any,
    collections::{HashMap, HashSet},
    panic::AssertUnwindSafe,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use tokio::{
    runtime::Handle,
    sync::{Semaphore, mpsc, oneshot},
};
use tokio_util::sync::CancellationToken;
use url::Origin;

use crate::{
    disk,
    download::{
        Run,
        pending_responses::{self, Answers, Offer},
        small_file,
    },
    http::{Http, HttpConfig, Reach, exchange},
    model::{
        outcome::{Failure, FailureKind, Outcome, Restart},
        spec::{Guid, Spec},
    },
    partial::{batch_publish::Batch, scan::Index, space_reservation::Promises},
    plan::{mirrors::Hosts, segment_map::Map, segment_plan::Plan},
    rate_limit::{Rate, Scope, Throttle},
};

/// So many transfers of one server have a connection each, as in browsers; what comes beside them shares one where it can.
const CROWD: usize = 6;

/// So much longer may be waited for the first byte of an answer as between two of them: before it a server may look for the
/// file, wake a disk, or pack what was asked for.
const THINKING: u32 = 3;

/// A disk that does not do what is asked for within this time is not waited for.
const SILENCE: Duration = Duration::from_secs(2);

/// How transfers behave; the same for all of them.
#[derive(Clone, Debug)]
pub struct Config {
    /// Sent as `User-Agent`.
    pub user_agent: String,
    /// To connect, TLS included.
    pub connect_timeout: Duration,
    /// Between two pieces of a body; before the first of them a server may think for longer.
    pub stall_timeout: Duration,
    /// A server that sends less than 1 KiB a second over this long counts as silent.
    pub slow_window: Duration,
    /// Connections that one file may have where more than one helps; at least 1.
    pub connections: usize,
    /// Progress is made durable at least this often...
    pub checkpoint_interval: Duration,
    /// ...or before more new bytes than these are at stake, whichever comes first.
    pub checkpoint_bytes: u64,
    /// What is written gets checksums, by which a later run tells bytes that went bad on the disk meanwhile.
    pub checksums: bool,
    /// The largest file, in bytes, that is held in memory until it lands, where it comes at once.
    pub held_in_memory: u32,
    /// What has come is written in batches of so many bytes, or after 50 ms.
    pub batch_bytes: usize,
    /// Body bytes that must have come before space is reserved for the rest: a head alone reserves nothing.
    pub reserve_after: u64,
    /// How long one run of a transfer may take.
    pub total_timeout: Option<Duration>,
    /// Proxies, sign-ins, cookies, certificates.
    pub http: HttpConfig,
    /// With fewer bytes missing, one connection is enough.
    pub least_shared: u64,
    /// Bytes that are worth a request of their own, at least; files are cut at multiples of it.
    pub least_split: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            user_agent: concat!("Ashore/", env!("CARGO_PKG_VERSION")).to_owned(),
            connect_timeout: Duration::from_secs(15),
            stall_timeout: Duration::from_secs(10),
            slow_window: Duration::from_secs(30),
            connections: 8,
            checkpoint_interval: Duration::from_secs(1),
            checkpoint_bytes: 32 << 20,
            checksums: true,
            held_in_memory: 1 << 20,
            batch_bytes: 512 << 10,
            reserve_after: 64 << 10,
            total_timeout: None,
            http: HttpConfig::default(),
            least_shared: 16 << 20,
            least_split: 1 << 20,
        }
    }
}

impl Config {
    /// For the first byte of an answer, of its head and of its body.
    pub(crate) fn answer_timeout(&self) -> Duration {
        self.stall_timeout.saturating_mul(THINKING)
    }
}

/// What a transfer tells. For one GUID: any number of heads, `Fetched` where it gets so far, then exactly one `Done` per
/// start.
#[derive(Debug)]
pub enum Event {
    /// The first answer, or the 200 that replaced it. The file is not placed before `stored` is answered: what is on
    /// disk under its final name always has its head in the caller's ledger.
    Head {
        /// Whose.
        guid: Guid,
        /// What the server said.
        head: Head,
        /// The file begins anew with it, though some of it had come.
        restart: Option<Restart>,
        /// Answered by the caller once the head is durable; dropped to stop the transfer.
        stored: oneshot::Sender<()>,
    },
    /// All bytes have come and are the right ones: this run has no more to do with the network.
    Fetched {
        /// Whose.
        guid: Guid,
    },
    /// This run is over.
    Done {
        /// Whose.
        guid: Guid,
        /// How.
        outcome: Outcome,
    },
}

/// The head of an answer, as kept for people and for the next resume.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The HTTP status code.
    pub status: u16,
    /// Its reason phrase, possibly empty.
    pub status_text: String,
    /// All headers in order, values as text (lossy where they are not UTF-8).
    pub headers: Vec<(String, String)>,
    /// Every address on the way, the last one answered.
    pub url_chain: Vec<String>,
    /// The complete size of the file in bytes, where it is known.
    pub total_size: Option<u64>,
    /// The name the file will have if nothing else has it.
    pub name: String,
}

/// Where one running transfer is, for people to see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Body bytes of the file that are there, durable or not.
    pub downloaded: u64,
    /// Body bytes sent.
    pub uploaded: u64,
    /// The complete size, once known.
    pub total: Option<u64>,
}

/// What the disk knows of a transfer: a partial in some folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The first eight hexadecimal digits of its GUID, from the partial's name.
    pub tag: String,
    /// Its whole GUID, where a journal says it.
    pub guid: Option<Guid>,
    /// The partial file.
    pub part: PathBuf,
    /// Durable body bytes, by the journal.
    pub bytes: u64,
    /// The final name it already has, when it was placed and nobody wrote that down.
    pub placed: Option<PathBuf>,
    /// What was asked for, where a journal says it.
    pub asked: Option<Asked>,
}

/// What a journal says of what was asked for. Headers are not in it: they may sign somebody in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// How.
    pub method: String,
    /// Where.
    pub url: String,
    /// The name the file was to have.
    pub name: String,
    /// The complete size of the file in bytes, where it is known.
    pub size: Option<u64>,
    /// Whether a later answer may be joined to the bytes that are there.
    pub may_resume: bool,
}

/// All running transfers. Cheap to clone; every clone is the same.
#[derive(Clone, Debug)]
pub struct Transfers {
    shared: Arc<Shared>,
    runtime: Handle,
}

/// What every run needs.
#[derive(Debug)]
pub(crate) struct Shared {
    /// How what starts from now on asks servers; what runs keeps what it began with.
    client: RwLock<Http>,
    pub events: mpsc::UnboundedSender<Event>,
    pub index: Arc<Index>,
    pub batch: Batch,
    pub memory: Semaphore,
    pub hosts: Hosts,
    throttle: Throttle,
    pub promises: Promises,
    answers: Answers,
    running: Mutex<HashMap<Guid, Running>>,
}

#[derive(Debug)]
struct Running {
    origin: Origin,
    counters: Arc<Counters>,
    stop: CancellationToken,
    ended: CancellationToken,
}

/// The numbers of one run, read by whoever wants to know, without asking the run.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub downloaded: AtomicU64,
    pub uploaded: AtomicU64,
    /// Bytes that another run can go on from.
    pub durable: AtomicU64,
    /// Bytes in one piece at the start of the file that are written, durable or not.
    pub prefix: AtomicU64,
    /// One more than the complete size; zero while it is not known.
    total: AtomicU64,
    /// What is being fetched of it, while that lasts.
    plan: Mutex<Weak<Mutex<Plan>>>,
}

impl Counters {
    /// So much is there now, of so much.
    pub fn hold(&self, downloaded: u64, total: Option<u64>) {
        self.downloaded.store(downloaded, Ordering::Release);
        self.set_total(total);
    }

    /// The complete size is known now.
    pub fn set_total(&self, total: Option<u64>) {
        self.total.store(total.map_or(0, |total| total.saturating_add(1)), Ordering::Release);
    }

    /// This is how it is being fetched now.
    pub fn show(&self, plan: &Arc<Mutex<Plan>>) {
        *self.plan.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(plan);
    }

    /// None while nothing is being fetched, or nobody knows how much that will be.
    fn map(&self, parts: usize) -> Option<Map> {
        let total = self.progress().total?;
        let plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner).upgrade()?;
        let plan = plan.lock().unwrap_or_else(PoisonError::into_inner);
        Some(plan.map(total, parts))
    }

    fn progress(&self) -> Progress {
        Progress {
            downloaded: self.downloaded.load(Ordering::Acquire),
            uploaded: self.uploaded.load(Ordering::Acquire),
            total: self.total.load(Ordering::Acquire).checked_sub(1),
        }
    }
}

impl Transfers {
    /// Transfers that tell `events`, run by the runtime this is called in. Fails outside of one, and when no HTTP
    /// client can be made.
    pub fn new(config: Config, events: mpsc::UnboundedSender<Event>) -> Result<Self, Failure> {
        let runtime = Handle::try_current().map_err(|error| Failure::new(FailureKind::Internal, error.to_string()))?;
        let client = RwLock::new(Http::new(config)?);
        let index = Arc::new(Index::default());
        let batch = Batch::new(index.clone());
        let (memory, hosts, running) = (small_file::memory(), Hosts::default(), Mutex::default());
        let throttle = Throttle::start(&runtime);
        let (promises, answers) = (Promises::default(), Answers::default());
        let shared = Shared { client, events, index, batch, memory, hosts, throttle, promises, answers, running };
        Ok(Self { shared: Arc::new(shared), runtime })
    }

    /// What starts from now on behaves like this; what runs goes on as it began. Fails as [`Self::new`] does, and then
    /// nothing has changed.
    pub fn configure(&self, config: Config) -> Result<(), Failure> {
        let client = Http::new(config)?;
        let mut current = self.shared.client.write().unwrap_or_else(PoisonError::into_inner);
        *current = client.remembering(&current);
        Ok(())
    }

    /// Asks for what `spec` says without starting it. Its body waits, for two minutes, for the start of the transfer with
    /// this GUID, which goes on with it. Fails where the answer says that there will be no file; then nothing waits.
    pub async fn ask(&self, spec: Spec) -> Result<Offer, Failure> {
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
    pub fn let_go(&self, guid: Guid) {
        self.shared.answers.take(guid);
    }

    /// Starts it, going on from what is on disk. While a transfer of this GUID runs, nothing happens.
    pub fn start(&self, spec: Spec) {
        let guid = spec.guid;
        let counters = Arc::new(Counters::default());
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
            running.insert(guid, Running { origin, counters, stop, ended });
        }
        let is_late = self.watch_time(most, &stop, &ended);
        let shared = self.shared.clone();
        // It was asked for without looking how far.
        let first = shared.answers.take(guid).filter(|_| spec.reach == Reach::Anywhere);
        let run = Run::new(shared.clone(), client, (spec, first), counters.clone(), meter, stop).run();
        let run = AssertUnwindSafe(run).catch_unwind();
        // When the runtime ends, nothing is told: what is on disk speaks for itself at the next start.
        self.runtime.spawn(async move {
            let outcome = match run.await {
                Ok(Outcome::Stopped { bytes, sent }) if is_late.load(Ordering::Acquire) => {
                    let failure = Failure::new(FailureKind::TotalTimeout, "the whole took longer than it may");
                    Outcome::Failed { failure: Failure { sent, ..failure }, bytes }
                }
                Ok(outcome) => outcome,
                Err(panic) => {
                    tracing::error!(%guid, why = words_of(&*panic), "a transfer ended by a defect");
                    let failure = Failure::new(FailureKind::Internal, "a defect of Ashore ended this transfer");
                    let failure = Failure { sent: counters.uploaded.load(Ordering::Acquire), ..failure };
                    Outcome::Failed { failure, bytes: counters.durable.load(Ordering::Acquire) }
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
    pub fn limit(&self, scope: Scope, rate: Option<Rate>) {
        self.shared.throttle.limit(scope, rate);
    }

    /// Bytes that running transfers have still to write to the volume with this device number, and that are free as long.
    pub fn promised(&self, volume: u64) -> u64 {
        self.shared.promises.of(volume)
    }

    /// Reads the folders anew when they are next asked for: something ended here whose caller never heard of it. Nothing may run.
    pub fn look_anew(&self) {
        self.shared.index.forget_folders();
    }

    /// Where each running transfer is.
    pub fn progress(&self) -> Vec<(Guid, Progress)> {
        let running = self.shared.running();
        running.iter().map(|(guid, running)| (*guid, running.counters.progress())).collect()
    }

    /// Which parts of a running transfer's file are there, in so many parts; none while nothing of it is being fetched, or
    /// its size is not known.
    pub fn map(&self, guid: Guid, parts: usize) -> Option<Map> {
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
    pub async fn rest(&self) -> HashSet<Guid> {
        self.shared.batch.rest(SILENCE).await
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
    pub async fn drop_name(&self, found: Found) {
        if found.placed.is_none() {
            return;
        }
        let removed =
            tokio::time::timeout(SILENCE, disk::spawn_on(&self.runtime, move || crate::partial::remove(&found.part))).await;
        if let Ok(Ok(Err(error))) = removed {
            tracing::warn!(%error, "a partial's name could not be removed");
        }
    }
}

/// What a defect said of itself.
pub(crate) fn words_of(panic: &(dyn Any + Send)) -> &str {
    let words = panic.downcast_ref::<&str>().copied();
    words.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or_default()
}

impl Shared {
    fn client(&self) -> Http {
        self.client.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn running(&self) -> MutexGuard<'_, HashMap<Guid, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves the list and tells, in one step: who hears that it is done may start it again.
    fn done(&self, guid: Guid, outcome: Outcome) {
        let mut running = self.running();
        running.remove(&guid);
        let _ = self.events.send(Event::Done { guid, outcome });
    }
}
