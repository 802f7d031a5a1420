//! Simulates the transfers: each is a task that writes real files and emits the events of a real transfer in the
//! correct order.
//!
//! The answer of a server is random. A file gets its final name only after its head was acknowledged. The simulation
//! reports a fault if two transfers write the same file, or if a file gets its final name twice.

use std::{
    collections::{HashMap, HashSet},
    fmt, fs,
    io::Write as _,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard},
};

use ashore_transfer::{
    CompletedTransfer, FailureKind, FlowScope, Guid, ProbeResult, RateLimit, RediscoveredFile, ResponseSummary, SegmentMap,
    TransferConfig, TransferEvent as News, TransferFailure, TransferOutcome, TransferProgress, TransferSpec, Verification,
};
use futures_util::future::{BoxFuture, FutureExt as _};
use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use tokio::sync::{mpsc, oneshot, watch};

use crate::{context::transport::Transport, platform::sync};

/// Size of every file, in bytes.
pub(super) const SIZE: u64 = 8;

/// Answer of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    All,
    /// The connection breaks halfway.
    Reset,
    /// The file does not exist.
    Gone,
}

/// Simulated transport for one lifetime of the engine.
#[derive(Clone)]
pub(super) struct Mover(Arc<MoverState>);

struct MoverState {
    news: mpsc::UnboundedSender<News>,
    /// Number of partial-file removals that are still in progress.
    going: watch::Sender<usize>,
    state: Mutex<State>,
}

struct State {
    dice: StdRng,
    /// True if servers send a complete response to every further request.
    is_kind: bool,
    running: HashMap<Guid, (PathBuf, watch::Sender<Stage>)>,
    born: Vec<(String, BoxFuture<'static, ()>)>,
    wrong: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Running,
    Stopping,
    Ended,
}

impl Mover {
    pub(super) fn new(seed: u64, news: mpsc::UnboundedSender<News>) -> Self {
        let dice = StdRng::seed_from_u64(seed);
        let state = State { dice, is_kind: false, running: HashMap::new(), born: Vec::new(), wrong: Vec::new() };
        Self(Arc::new(MoverState { news, going: watch::Sender::new(0), state: Mutex::new(state) }))
    }

    /// Returns the tasks that were created since the last call.
    pub(super) fn born(&self) -> Vec<(String, BoxFuture<'static, ()>)> {
        std::mem::take(&mut self.state().born)
    }

    /// Returns the faults that were found since the last call.
    pub(super) fn wrong(&self) -> Vec<String> {
        std::mem::take(&mut self.state().wrong)
    }

    pub(super) fn always_deliver(&self) {
        self.state().is_kind = true;
    }

    pub(super) fn is_at_rest(&self) -> bool {
        self.state().running.is_empty() && *self.0.going.borrow() == 0
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap()
    }

    fn answer(&self) -> Answer {
        let mut state = self.state();
        if state.is_kind {
            return Answer::All;
        }
        match state.dice.random_range(0..10) {
            0..=6 => Answer::All,
            7..=8 => Answer::Reset,
            _ => Answer::Gone,
        }
    }

    async fn carry(&self, spec: &TransferSpec, stage: &mut watch::Receiver<Stage>) -> TransferOutcome {
        let (part, target) = paths(spec);
        let failed = |failure, bytes| TransferOutcome::Failed { failure, bytes };
        sync::point().await;
        if fs::metadata(&part).is_ok_and(|found| found.nlink() > 1) {
            // The previous engine ended after the file had got its final name, but before that engine received the
            // event.
            return completed(target);
        }
        let answer = self.answer();
        if answer == Answer::Gone {
            return failed(
                TransferFailure { status: Some(404), ..TransferFailure::new(FailureKind::BadStatus, "gone") },
                length(&part),
            );
        }
        let had = length(&part);
        let mut file = fs::OpenOptions::new().create(true).append(true).open(&part).unwrap();
        let (stored, mut ack) = oneshot::channel();
        let _ = self.0.news.send(News::Head { guid: spec.guid, head: head(spec, had > 0), restart: None, stored });
        let content = content(&spec.url);
        for at in had..SIZE {
            sync::point().await;
            if *stage.borrow() == Stage::Stopping {
                return TransferOutcome::Stopped { bytes: at, sent: 0 };
            }
            if answer == Answer::Reset && at >= SIZE / 2 {
                return failed(TransferFailure::new(FailureKind::Reset, "cut"), at);
            }
            if length(&part) != at {
                self.state().wrong.push(format!("another transfer writes to {}", part.display()));
            }
            file.write_all(&content[at as usize..=at as usize]).unwrap();
        }
        let _ = self.0.news.send(News::Fetched { guid: spec.guid });
        let stopped = async {
            tokio::select! {
                biased;
                _ = stage.wait_for(|stage| *stage == Stage::Stopping) => true,
                answered = &mut ack => answered.is_err(),
            }
        };
        if sync::done(stopped).await {
            return TransferOutcome::Stopped { bytes: SIZE, sent: 0 };
        }
        if let Err(error) = fs::hard_link(&part, &target) {
            self.state().wrong.push(format!("{} is placed twice: {error}", target.display()));
        }
        sync::point().await;
        completed(target)
    }

    async fn remove(&self, guid: Guid, folder: &Path) {
        sync::point().await;
        for (tag, path) in partials(folder) {
            if tag == guid.tag() {
                fs::remove_file(path).unwrap();
            }
        }
        self.0.going.send_modify(|going| *going -= 1);
    }
}

impl Transport for Mover {
    fn configure(&self, _: TransferConfig) -> Result<(), TransferFailure> {
        Ok(())
    }

    fn ask(&self, _: TransferSpec) -> BoxFuture<'_, Result<ProbeResult, TransferFailure>> {
        async { Err(TransferFailure::new(FailureKind::Internal, "the request is not sent")) }.boxed()
    }

    fn release(&self, _: Guid) {}

    fn start(&self, spec: TransferSpec) {
        let mut state = self.state();
        if state.running.contains_key(&spec.guid) {
            state.wrong.push(format!("{} is started while it runs", spec.url));
            return;
        }
        let stage = watch::Sender::new(Stage::Running);
        let mut told = stage.subscribe();
        state.running.insert(spec.guid, (paths(&spec).0, stage));
        let mover = self.clone();
        let name = format!("transfer{}", spec.url.path());
        let work = async move {
            let outcome = mover.carry(&spec, &mut told).await;
            let ended = mover.state().running.remove(&spec.guid);
            let _ = mover.0.news.send(News::Done { guid: spec.guid, outcome });
            sync::point().await;
            if let Some((_, stage)) = ended {
                stage.send_replace(Stage::Ended);
            }
        };
        state.born.push((name, work.boxed()));
    }

    fn stop(&self, guid: Guid) {
        if let Some((_, stage)) = self.state().running.get(&guid) {
            stage.send_replace(Stage::Stopping);
        }
    }

    fn limit(&self, _: FlowScope, _: Option<RateLimit>) {}

    fn look_anew(&self) {}

    fn progress(&self) -> Vec<(Guid, TransferProgress)> {
        let progress = |part: &PathBuf| {
            let downloaded = length(part);
            TransferProgress { downloaded, received: downloaded, uploaded: 0, total: Some(SIZE) }
        };
        self.state().running.iter().map(|(guid, (part, _))| (*guid, progress(part))).collect()
    }

    fn map(&self, _: Guid, _: usize) -> Option<SegmentMap> {
        None
    }

    fn promised(&self, _: u64) -> u64 {
        0
    }

    fn forget(&self, finished: Vec<(Guid, PathBuf)>) {
        for (guid, folder) in finished {
            self.0.going.send_modify(|going| *going += 1);
            let mover = self.clone();
            self.state().born.push(("forget".to_owned(), async move { mover.remove(guid, &folder).await }.boxed()));
        }
    }

    fn shut_down(&self) -> BoxFuture<'_, HashSet<Guid>> {
        let mut going = self.0.going.subscribe();
        async move {
            sync::done(async { drop(going.wait_for(|going| *going == 0).await) }).await;
            HashSet::new()
        }
        .boxed()
    }

    fn discard<'a>(&'a self, guid: Guid, folder: &'a Path) -> BoxFuture<'a, ()> {
        async move {
            sync::point().await;
            let running = self.state().running.get(&guid).map(|(_, stage)| {
                stage.send_replace(Stage::Stopping);
                stage.subscribe()
            });
            if let Some(mut stage) = running {
                sync::done(async { drop(stage.wait_for(|stage| *stage == Stage::Ended).await) }).await;
            }
            self.forget(vec![(guid, folder.to_owned())]);
            self.shut_down().await;
        }
        .boxed()
    }

    fn drop_name(&self, found: RediscoveredFile) -> BoxFuture<'_, ()> {
        async move {
            sync::point().await;
            if found.placed.is_some() {
                fs::remove_file(found.part).unwrap();
            }
        }
        .boxed()
    }

    fn relocate<'a>(&'a self, _: Guid, _: &'a Path, _: &'a Path) -> BoxFuture<'a, std::io::Result<bool>> {
        async { Ok(false) }.boxed()
    }
}

impl fmt::Debug for Mover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mover")
    }
}

/// Returns every partial file in `folder`, with the tag that its name contains.
pub(super) fn partials(folder: &Path) -> Vec<(String, PathBuf)> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let tag = |path: PathBuf| {
        let stem = path.file_name()?.to_str()?.strip_suffix(".part")?;
        Some((stem.rsplit_once('.')?.1.to_owned(), path))
    };
    paths.filter_map(tag).collect()
}

/// Returns the content that `url` delivers.
pub(super) fn content(url: &url::Url) -> Vec<u8> {
    let mut content = url.path().replace('/', "-").into_bytes();
    content.resize(SIZE as usize, b'.');
    content
}

fn completed(path: PathBuf) -> TransferOutcome {
    let path = Some(path);
    TransferOutcome::Completed(CompletedTransfer {
        path,
        size: SIZE,
        verified: Verification::No,
        digest: None,
        computed: None,
        missing: Vec::new(),
    })
}

fn paths(spec: &TransferSpec) -> (PathBuf, PathBuf) {
    let name = spec.url.path().trim_matches('/').replace('/', "-");
    (spec.folder.join(format!("{name}.{}.part", spec.guid.tag())), spec.folder.join(name))
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |found| found.len())
}

fn head(spec: &TransferSpec, is_resumed: bool) -> ResponseSummary {
    ResponseSummary {
        status: if is_resumed { 206 } else { 200 },
        status_text: String::new(),
        headers: Vec::new(),
        url_chain: vec![spec.url.to_string()],
        total_size: Some(SIZE),
        name: spec.url.path().trim_matches('/').replace('/', "-"),
    }
}
