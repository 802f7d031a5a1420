//! Runs an engine from a start to a power failure, step by step.
//!
//! The public methods, the loop and the ledger are the real ones. The transport only records its commands.

use std::{
    cell::Cell,
    collections::HashSet,
    future::poll_fn,
    path::{Path, PathBuf},
    pin::pin,
    sync::{Arc, Mutex},
    task::Poll,
    time::Duration,
};

use ashore_transfer::{
    CompletedTransfer, FailureKind, FlowScope, Guid, ProbeResult, RateLimit, RediscoveredFile, SegmentMap, TransferConfig,
    TransferEvent as News, TransferFailure, TransferOutcome, TransferProgress, TransferSpec, Verification,
};
use futures_util::future::{BoxFuture, FutureExt as _};
use tempfile::TempDir;

use crate::{
    Engine, EngineEnv, LocalTime,
    context::transport::Transport,
    gates::decision::{NetworkConnectivity, NetworkState, PowerState, SystemState},
    model::{AddOutcome, NewRegistration, NewRequest, RequestSource, UniqueId},
    scheduler::{
        event_loop::Scheduler,
        tests::world::{Deed, EndedRequest, OWNERS, PATTERNS, Weather},
    },
    settings::SettingOverrides,
    startup::{
        opening::{self, PreparedLedger},
        options::EngineOptions,
    },
    store::{Row, audit, ledger_file::LEDGER, rows, rows_in},
};

thread_local! {
    static NOW: Cell<i64> = const { Cell::new(0) };
    static FREE: Cell<u64> = const { Cell::new(0) };
    static DICE: Cell<f64> = const { Cell::new(0.5) };
}

/// Free bytes of a disk with enough space: more than the required minimum.
const PLENTY: u64 = 100 << 30;
/// Interval of the loop's tick.
pub(super) const TICK: Duration = Duration::from_secs(60);

/// Folder in which histories run, one after the other.
///
/// The folder is kept in memory if the system supports that.
pub(super) struct Folder {
    data: TempDir,
    pub downloads: PathBuf,
}

impl Folder {
    /// Creates the folder. `settings` contains the lines of the settings file.
    pub(super) fn new(settings: &str) -> Self {
        let memory = Path::new("/dev/shm");
        let data = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() }.unwrap();
        let downloads = data.path().join("downloads");
        std::fs::create_dir(&downloads).unwrap();
        let settings = format!("{settings}\nkeychain = \"none\"\nfolder = {downloads:?}\n");
        std::fs::write(data.path().join("ashore.toml"), settings).unwrap();
        NOW.set(1_790_000_000_000_000);
        FREE.set(PLENTY);
        Self { data, downloads }
    }

    pub(super) fn now(&self) -> i64 {
        NOW.get()
    }

    /// Returns the folder of the ledger.
    pub(super) fn data(&self) -> &Path {
        self.data.path()
    }

    /// Advances the clock by `seconds`.
    pub(super) fn pass(&self, seconds: i64) {
        NOW.set(NOW.get() + seconds * 1_000_000);
    }

    pub(super) fn pass_for(&self, span: Duration) {
        NOW.set(NOW.get() + i64::try_from(span.as_micros()).unwrap());
    }

    pub(super) fn has_room(&self) -> bool {
        FREE.get() > 0
    }
}

/// Command to the transfers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TransferCommand {
    Start { guid: Guid, id: UniqueId, index: usize },
    Stop(Guid),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Nothing,
    /// The registration does not exist, or is not active.
    Unknown,
    New(UniqueId),
    Moved(UniqueId),
    Running(UniqueId),
    Merged(UniqueId),
    Was(bool),
    Count(u32),
}

impl Answer {
    /// Returns the id of a new registration.
    pub(super) fn id(&self) -> Option<UniqueId> {
        match self {
            Self::New(id) => Some(*id),
            _ => None,
        }
    }
}

pub(super) struct Life {
    pub engine: Engine,
    pub work: Scheduler,
    downloads: PathBuf,
    told: Recorder,
}

/// Transport that moves no bytes and records its commands.
#[derive(Clone, Debug, Default)]
struct Recorder(Arc<Mutex<Vec<TransferCommand>>>);

impl Life {
    pub(super) async fn begin(folder: &Folder, weather: Weather) -> Self {
        let options = EngineOptions {
            data_dir: folder.data.path().to_owned(),
            holder: "a history".to_owned(),
            fetch: true,
            overrides: SettingOverrides::default(),
            env: env(),
        };
        let told = Recorder::default();
        let carrier = told.clone();
        let (shared, prepared) = opening::prepare(options, |_, _| Ok(Box::new(carrier.clone()))).await.unwrap();
        let PreparedLedger { mut work, running, orders } = prepared.unwrap();
        shared.known.desktop.send_replace(desktop(weather));
        work.resume_running(running).await;
        while work.start_some().await {}
        Self { engine: Engine::over(shared, Some(orders)), work, downloads: folder.downloads.clone(), told }
    }

    /// Performs an action and everything that immediately follows from it.
    pub(super) async fn act(&mut self, deed: &Deed) -> Answer {
        let answer = self.ask(deed).await;
        self.follow().await;
        answer
    }

    /// Returns the commands that were sent to the transfers since the last call.
    pub(super) fn take_commands(&self) -> Vec<TransferCommand> {
        std::mem::take(&mut self.told.0.lock().unwrap())
    }

    pub(super) async fn rows(&self) -> Vec<Row> {
        rows(&self.engine.shared.store).await
    }

    /// Returns the inconsistencies in the ledger.
    pub(super) async fn audit(&self) -> Vec<String> {
        audit(&self.engine.shared.store).await
    }

    pub(super) async fn claim(&self, id: UniqueId) -> bool {
        self.engine.claim(id).await.unwrap()
    }

    /// Removes every registration of every owner from the ledger, except the permanent registration of each host.
    pub(super) async fn remove_all(&mut self) {
        for owner in 0..OWNERS {
            self.engine.remove_owner(&name(owner)).await.unwrap();
            self.follow().await;
        }
        assert!(self.work.load.has_room(1) && self.engine.shared.live.read().await.is_empty(), "a place was never given back");
    }

    /// Simulates a power failure: uncommitted changes are lost. Returns the rows that remain in the ledger.
    pub(super) async fn die(&mut self) -> Vec<Row> {
        self.engine.shared.store.close().await;
        if let Some(lock) = self.engine.shared.lock.lock().unwrap().take() {
            lock.release();
        }
        rows_in(&self.engine.shared.data_dir.join(LEDGER)).await
    }

    /// Runs the loop until it has no more work.
    pub(super) async fn follow(&mut self) {
        loop {
            while self.work.start_some().await {}
            if !self.listen().await {
                break;
            }
        }
    }

    /// Handles one command or one change of the desktop, as the loop does.
    ///
    /// Returns false if there is neither.
    pub(super) async fn listen(&mut self) -> bool {
        if let Ok(order) = self.work.orders.try_recv() {
            self.work.handle_command(order).await;
        } else if self.work.desktop.has_changed().unwrap() {
            self.work.receive().await;
            // No connection is broken by a network change here, because no bytes are moved.
            self.work.network_since = None;
            // Requests that waited for a network become due a millisecond later.
            self.work.wake_due().await;
        } else {
            return false;
        }
        true
    }

    /// Makes the random source return `random` from now on.
    pub(super) fn set_random(&self, random: f64) {
        DICE.set(random);
    }

    async fn ask(&mut self, deed: &Deed) -> Answer {
        let engine = self.engine.clone();
        let unless_unknown = |result: Result<(), crate::EngineError>| match result {
            Ok(()) => Answer::Nothing,
            Err(crate::EngineError::Unknown(_)) => Answer::Unknown,
            Err(error) => panic!("{error}"),
        };
        match deed {
            Deed::Add { owner, pattern, place, parallel, is_paused, is_person, is_again } => {
                let new = NewRegistration {
                    owner: name(*owner),
                    source: if *is_person { RequestSource::CommandLine } else { RequestSource::Program },
                    folder: Some(self.downloads.clone()),
                    paused: *is_paused,
                    place: Some(*place),
                    parallel: Some(*parallel).filter(|parallel| *parallel > 0),
                    requests: requests(*pattern),
                    ..NewRegistration::default()
                };
                let added = match is_again {
                    true => engine.create(new).await.map(|one| AddOutcome::New(Box::new(one))),
                    false => engine.add(new).await,
                };
                match added {
                    Ok(AddOutcome::New(one)) => Answer::New(one.unique_id),
                    Ok(AddOutcome::Moved(one)) => Answer::Moved(one.unique_id),
                    Ok(AddOutcome::Running(one)) => Answer::Running(one.unique_id),
                    Ok(AddOutcome::Merged(one)) => Answer::Merged(one.unique_id),
                    Ok(AddOutcome::Ignored) => Answer::Nothing,
                    Err(error) => unless_unknown(Err(error)),
                }
            }
            Deed::Move(id, place) => unless_unknown(engine.move_to(*id, *place).await),
            Deed::Pause(id) => unless_unknown(engine.pause(*id).await),
            Deed::Resume(id) => unless_unknown(engine.resume(*id).await),
            Deed::Abort(id) => Answer::Was(engine.abort(*id).await.unwrap()),
            Deed::Remove(id) => unless_unknown(engine.remove(*id, false).await),
            Deed::Retry(id) => Answer::Count(engine.retry(*id).await.unwrap()),
            Deed::News(endings) => {
                let mut news = endings.iter().map(|(guid, ending)| done(*guid, *ending)).collect();
                self.work.apply_events(&mut news).await;
                Answer::Nothing
            }
            Deed::Fetched(guid) => {
                self.work.apply_events(&mut vec![News::Fetched { guid: *guid }]).await;
                Answer::Nothing
            }
            Deed::Desktop(weather) => {
                engine.shared.known.desktop.send_replace(desktop(*weather));
                Answer::Nothing
            }
            Deed::Room(is) => {
                FREE.set(if *is { PLENTY } else { 0 });
                self.work.wake_due().await;
                Answer::Nothing
            }
            Deed::Clock(seconds) => {
                NOW.set(NOW.get() + seconds * 1_000_000);
                self.work.wake_due().await;
                Answer::Nothing
            }
        }
    }
}

impl Transport for Recorder {
    fn ask(&self, _: TransferSpec) -> BoxFuture<'_, Result<ProbeResult, TransferFailure>> {
        async { Err(TransferFailure::new(FailureKind::Internal, "the request is not sent")) }.boxed()
    }

    fn release(&self, _: Guid) {}

    fn configure(&self, _: TransferConfig) -> Result<(), TransferFailure> {
        Ok(())
    }

    fn start(&self, spec: TransferSpec) {
        let index = spec.url.path_segments().unwrap().next_back().unwrap().parse().unwrap();
        self.0.lock().unwrap().push(TransferCommand::Start { guid: spec.guid, id: UniqueId(spec.group.unwrap()), index });
    }

    fn stop(&self, guid: Guid) {
        self.0.lock().unwrap().push(TransferCommand::Stop(guid));
    }

    fn limit(&self, _: FlowScope, _: Option<RateLimit>) {}

    fn look_anew(&self) {}

    fn progress(&self) -> Vec<(Guid, TransferProgress)> {
        Vec::new()
    }

    fn map(&self, _: Guid, _: usize) -> Option<SegmentMap> {
        None
    }

    fn promised(&self, _: u64) -> u64 {
        0
    }

    fn forget(&self, _: Vec<(Guid, PathBuf)>) {}

    fn shut_down(&self) -> BoxFuture<'_, HashSet<Guid>> {
        async { HashSet::new() }.boxed()
    }

    fn discard<'a>(&'a self, _: Guid, _: &'a Path) -> BoxFuture<'a, ()> {
        async {}.boxed()
    }

    fn drop_name(&self, _: RediscoveredFile) -> BoxFuture<'_, ()> {
        async {}.boxed()
    }

    fn relocate<'a>(&'a self, _: Guid, _: &'a Path, _: &'a Path) -> BoxFuture<'a, std::io::Result<bool>> {
        async { Ok(false) }.boxed()
    }
}

/// Returns the clock, the random source and the disk of these tests.
pub(super) fn env() -> EngineEnv {
    EngineEnv {
        now_us: || NOW.get(),
        // Both clocks return the same value, so a clock change is never detected. Outside tests, a change while no
        // engine runs is not detected either.
        uptime_us: || NOW.get(),
        tick: TICK,
        random: || DICE.get(),
        local: |_| LocalTime { offset_seconds: 0, until_us: i64::MAX },
        free: |_| Some(FREE.get()),
        capacity: |_| Some(u64::MAX),
        system_bus: || None,
        session_bus: || Some("unix:path=/nonexistent".to_owned()),
        boot: || None,
    }
}

/// Returns the result of `work`; `None` if the power fails after `polls` polls of `work`.
pub(super) async fn within<T>(polls: Option<u8>, work: impl Future<Output = T>) -> Option<T> {
    let mut work = pin!(work);
    let mut left = polls;
    poll_fn(|context| {
        if left == Some(0) {
            return Poll::Ready(None);
        }
        left = left.map(|left| left - 1);
        work.as_mut().poll(context).map(Some)
    })
    .await
}

fn name(owner: usize) -> String {
    format!("owner-{owner}")
}

/// Returns the requests of a pattern. In each address, the server is the first part and the index of the request is the
/// last.
fn requests(pattern: usize) -> Vec<NewRequest> {
    let hosts = PATTERNS[pattern].iter().enumerate();
    let request = |(index, (host, optional)): (usize, &(usize, bool))| NewRequest {
        url: format!("http://host{host}.example/{pattern}/{index}"),
        optional: *optional,
        ..NewRequest::default()
    };
    hosts.map(request).collect()
}

fn done(guid: Guid, ending: EndedRequest) -> News {
    let failed = |failure| TransferOutcome::Failed { failure, bytes: 0 };
    let status = |status, seconds: Option<u64>| TransferFailure {
        status: Some(status),
        retry_after: seconds.map(Duration::from_secs),
        ..TransferFailure::new(FailureKind::BadStatus, "refused")
    };
    let outcome = match ending {
        EndedRequest::Completed => TransferOutcome::Completed(CompletedTransfer {
            path: None,
            size: 1,
            verified: Verification::No,
            digest: None,
            computed: None,
            missing: Vec::new(),
        }),
        EndedRequest::Stopped => TransferOutcome::Stopped { bytes: 0, sent: 0 },
        EndedRequest::Reset => failed(TransferFailure::new(FailureKind::Reset, "cut")),
        EndedRequest::Unreached => failed(TransferFailure::new(FailureKind::Connect, "no server at this address")),
        EndedRequest::Busy(seconds) => failed(status(503, Some(seconds))),
        EndedRequest::Gone => failed(status(404, None)),
        EndedRequest::DiskFull => failed(TransferFailure::new(FailureKind::DiskFull, "full")),
        EndedRequest::TooManyOpen => failed(TransferFailure::new(FailureKind::TooManyOpen, "opening")),
    };
    News::Done { guid, outcome }
}

fn desktop(weather: Weather) -> SystemState {
    let connectivity = if weather.is_online { NetworkConnectivity::Full } else { NetworkConnectivity::None };
    let network = NetworkState { connectivity, is_metered: Some(false), primary: "one".to_owned() };
    let power = PowerState { is_on_battery: true, percentage: if weather.is_charged { 80.0 } else { 10.0 } };
    SystemState { network: Ok(network), power: Ok(power), is_falling_asleep: Ok(!weather.is_awake), is_idle: Ok(false) }
}
