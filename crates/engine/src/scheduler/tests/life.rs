//! One life of an engine, from a start to the power going: the real façade, loop and ledger, driven step by step. Who
//! moves the bytes only remembers what he was told.

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
    Completed, Config, Event as News, Failure, FailureKind, Found, Guid, Map, Offer, Outcome, Progress, Rate, Scope, Spec,
    Verified,
};
use futures_util::future::{BoxFuture, FutureExt as _};
use tempfile::TempDir;

use crate::{
    Engine, Env, LocalTime,
    context::transport::Carrier,
    gates::decision::{Connectivity, Desktop, Network, Power},
    model::{Added, NewRegistration, NewRequest, Source, UniqueId},
    scheduler::{
        event_loop::Loop,
        tests::world::{Deed, Ending, OWNERS, PATTERNS, Weather},
    },
    settings::Overrides,
    startup::{
        opening::{self, Prepared},
        options::Options,
    },
    store::{Row, audit, ledger_file::LEDGER, rows, rows_in},
};

thread_local! {
    static NOW: Cell<i64> = const { Cell::new(0) };
    static FREE: Cell<u64> = const { Cell::new(0) };
    static DICE: Cell<f64> = const { Cell::new(0.5) };
}

/// What is free where there is room, and more than the floor.
const PLENTY: u64 = 100 << 30;
/// What nobody tells is looked at so often.
pub(super) const TICK: Duration = Duration::from_secs(60);

/// Where histories take place, one after the other; in memory, where the system has a place for that.
pub(super) struct Folder {
    data: TempDir,
    pub downloads: PathBuf,
}

impl Folder {
    /// With these lines of settings.
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

    /// Where the ledger is.
    pub(super) fn data(&self) -> &Path {
        self.data.path()
    }

    /// So many seconds later.
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

/// What the transfers were told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Told {
    Start { guid: Guid, id: UniqueId, index: usize },
    Stop(Guid),
}

/// What a deed was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Nothing,
    /// No such registration, or none that is active.
    Unknown,
    New(UniqueId),
    Moved(UniqueId),
    Running(UniqueId),
    Merged(UniqueId),
    Was(bool),
    Count(u32),
}

impl Answer {
    /// The id of a new one.
    pub(super) fn id(&self) -> Option<UniqueId> {
        match self {
            Self::New(id) => Some(*id),
            _ => None,
        }
    }
}

pub(super) struct Life {
    pub engine: Engine,
    pub work: Loop,
    downloads: PathBuf,
    told: Recorder,
}

/// Who moves no bytes.
#[derive(Clone, Debug, Default)]
struct Recorder(Arc<Mutex<Vec<Told>>>);

impl Life {
    pub(super) async fn begin(folder: &Folder, weather: Weather) -> Self {
        let options = Options {
            data_dir: folder.data.path().to_owned(),
            holder: "a history".to_owned(),
            fetch: true,
            overrides: Overrides::default(),
            env: env(),
        };
        let told = Recorder::default();
        let carrier = told.clone();
        let (shared, prepared) = opening::prepare(options, |_, _| Ok(Box::new(carrier.clone()))).await.unwrap();
        let Prepared { mut work, running, orders } = prepared.unwrap();
        shared.known.desktop.send_replace(desktop(weather));
        work.go_on(running).await;
        while work.start_some().await {}
        Self { engine: Engine::over(shared, Some(orders)), work, downloads: folder.downloads.clone(), told }
    }

    /// Does it, and all that follows from it at once.
    pub(super) async fn act(&mut self, deed: &Deed) -> Answer {
        let answer = self.ask(deed).await;
        self.follow().await;
        answer
    }

    /// What the transfers were told since somebody asked.
    pub(super) fn told(&self) -> Vec<Told> {
        std::mem::take(&mut self.told.0.lock().unwrap())
    }

    pub(super) async fn rows(&self) -> Vec<Row> {
        rows(&self.engine.shared.store).await
    }

    /// What does not add up in the ledger.
    pub(super) async fn audit(&self) -> Vec<String> {
        audit(&self.engine.shared.store).await
    }

    pub(super) async fn claim(&self, id: UniqueId) -> bool {
        self.engine.claim(id).await.unwrap()
    }

    /// Nothing of any owner is left in the ledger after this, but the anchors.
    pub(super) async fn remove_all(&mut self) {
        for owner in 0..OWNERS {
            self.engine.remove_owner(&name(owner)).await.unwrap();
            self.follow().await;
        }
        assert!(self.work.load.has_room(1) && self.engine.shared.live.read().await.is_empty(), "a place was never given back");
    }

    /// The power goes: what is not committed by now never will be. Returns what the ledger is left with.
    pub(super) async fn die(&mut self) -> Vec<Row> {
        self.engine.shared.store.close().await;
        if let Some(lock) = self.engine.shared.lock.lock().unwrap().take() {
            lock.release();
        }
        rows_in(&self.engine.shared.data_dir.join(LEDGER)).await
    }

    /// What follows from a deed of somebody else's.
    pub(super) async fn follow(&mut self) {
        loop {
            while self.work.start_some().await {}
            if !self.listen().await {
                break;
            }
        }
    }

    /// As the loop does it: one order, or what the desktop says. False when there is none.
    pub(super) async fn listen(&mut self) -> bool {
        if let Ok(order) = self.work.orders.try_recv() {
            self.work.obey(order).await;
        } else if self.work.desktop.has_changed().unwrap() {
            self.work.hear().await;
            // Who moves no bytes is no connection that died.
            self.work.network_since = None;
            // A millisecond later, what waited for a network is due.
            self.work.wake_due().await;
        } else {
            return false;
        }
        true
    }

    /// The dice fall so from now on.
    pub(super) fn load_dice(&self, random: f64) {
        DICE.set(random);
    }

    async fn ask(&mut self, deed: &Deed) -> Answer {
        let engine = self.engine.clone();
        let unless_unknown = |result: Result<(), crate::Error>| match result {
            Ok(()) => Answer::Nothing,
            Err(crate::Error::Unknown(_)) => Answer::Unknown,
            Err(error) => panic!("{error}"),
        };
        match deed {
            Deed::Add { owner, pattern, place, parallel, is_paused, is_person, is_again } => {
                let new = NewRegistration {
                    owner: name(*owner),
                    source: if *is_person { Source::CommandLine } else { Source::Program },
                    folder: Some(self.downloads.clone()),
                    paused: *is_paused,
                    place: Some(*place),
                    parallel: Some(*parallel).filter(|parallel| *parallel > 0),
                    requests: requests(*pattern),
                    ..NewRegistration::default()
                };
                let added = match is_again {
                    true => engine.create(new).await.map(|one| Added::New(Box::new(one))),
                    false => engine.add(new).await,
                };
                match added {
                    Ok(Added::New(one)) => Answer::New(one.unique_id),
                    Ok(Added::Moved(one)) => Answer::Moved(one.unique_id),
                    Ok(Added::Running(one)) => Answer::Running(one.unique_id),
                    Ok(Added::Merged(one)) => Answer::Merged(one.unique_id),
                    Ok(Added::Ignored) => Answer::Nothing,
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
                self.work.take_in(&mut news).await;
                Answer::Nothing
            }
            Deed::Fetched(guid) => {
                self.work.take_in(&mut vec![News::Fetched { guid: *guid }]).await;
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

impl Carrier for Recorder {
    fn ask(&self, _: Spec) -> BoxFuture<'_, Result<Offer, Failure>> {
        async { Err(Failure::new(FailureKind::Internal, "nobody is asked")) }.boxed()
    }

    fn let_go(&self, _: Guid) {}

    fn configure(&self, _: Config) -> Result<(), Failure> {
        Ok(())
    }

    fn start(&self, spec: Spec) {
        let index = spec.url.path_segments().unwrap().next_back().unwrap().parse().unwrap();
        self.0.lock().unwrap().push(Told::Start { guid: spec.guid, id: UniqueId(spec.group.unwrap()), index });
    }

    fn stop(&self, guid: Guid) {
        self.0.lock().unwrap().push(Told::Stop(guid));
    }

    fn limit(&self, _: Scope, _: Option<Rate>) {}

    fn look_anew(&self) {}

    fn progress(&self) -> Vec<(Guid, Progress)> {
        Vec::new()
    }

    fn map(&self, _: Guid, _: usize) -> Option<Map> {
        None
    }

    fn promised(&self, _: u64) -> u64 {
        0
    }

    fn forget(&self, _: Vec<(Guid, PathBuf)>) {}

    fn rest(&self) -> BoxFuture<'_, HashSet<Guid>> {
        async { HashSet::new() }.boxed()
    }

    fn discard<'a>(&'a self, _: Guid, _: &'a Path) -> BoxFuture<'a, ()> {
        async {}.boxed()
    }

    fn drop_name(&self, _: Found) -> BoxFuture<'_, ()> {
        async {}.boxed()
    }
}

/// The clock, the dice and the disk of these tests.
pub(super) fn env() -> Env {
    Env {
        now_us: || NOW.get(),
        // What is turned here is time that passes, or a clock that was set while nobody looked.
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

/// The work's result, unless the power goes after so many polls of it.
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

/// Of its address, the server is the first part and the index the last.
fn requests(pattern: usize) -> Vec<NewRequest> {
    let hosts = PATTERNS[pattern].iter().enumerate();
    let request = |(index, (host, optional)): (usize, &(usize, bool))| NewRequest {
        url: format!("http://host{host}.example/{pattern}/{index}"),
        optional: *optional,
        ..NewRequest::default()
    };
    hosts.map(request).collect()
}

fn done(guid: Guid, ending: Ending) -> News {
    let failed = |failure| Outcome::Failed { failure, bytes: 0 };
    let status = |status, seconds: Option<u64>| Failure {
        status: Some(status),
        retry_after: seconds.map(Duration::from_secs),
        ..Failure::new(FailureKind::BadStatus, "refused")
    };
    let outcome = match ending {
        Ending::Completed => Outcome::Completed(Completed {
            path: None,
            size: 1,
            verified: Verified::No,
            digest: None,
            computed: None,
            missing: Vec::new(),
        }),
        Ending::Stopped => Outcome::Stopped { bytes: 0, sent: 0 },
        Ending::Reset => failed(Failure::new(FailureKind::Reset, "cut")),
        Ending::Unreached => failed(Failure::new(FailureKind::Connect, "nobody there")),
        Ending::Busy(seconds) => failed(status(503, Some(seconds))),
        Ending::Gone => failed(status(404, None)),
        Ending::DiskFull => failed(Failure::new(FailureKind::DiskFull, "full")),
        Ending::TooManyOpen => failed(Failure::new(FailureKind::TooManyOpen, "opening")),
    };
    News::Done { guid, outcome }
}

fn desktop(weather: Weather) -> Desktop {
    let connectivity = if weather.is_online { Connectivity::Full } else { Connectivity::None };
    let network = Network { connectivity, is_metered: Some(false), primary: "one".to_owned() };
    let power = Power { is_on_battery: true, percentage: if weather.is_charged { 80.0 } else { 10.0 } };
    Desktop { network: Ok(network), power: Ok(power), is_falling_asleep: Ok(!weather.is_awake), is_idle: Ok(false) }
}
