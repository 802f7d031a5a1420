//! `make bench`: compares Ashore with alternative programs on this machine and writes `bench/RESULTS.md`.
//!
//! - Comparisons: `contest` defines contests and targets, `tools` composes the command lines, `documents` creates the
//!   files, and `origin` and `far` are the servers. `rounds` runs a contest, `measure` performs one run, and `machine`
//!   accounts for other load.
//! - Other contests: `resume`, `alone`, `queue`, `window`, `browser` and `sync`. `alone` runs the program in `transfer`; `bare` is
//!   the minimal download loop.
//! - Shared parts: `figure` holds a result, `results` writes the page. Servers, desktops and process measurements are
//!   in `testkit`.
//! - Nothing in this crate is part of the shipped programs.

mod alone;
mod bare;
mod browser;
mod contest;
mod documents;
mod far;
mod figure;
mod float;
mod machine;
mod measure;
mod origin;
mod queue;
mod results;
mod resume;
mod rounds;
mod sync;
mod tools;
mod transfer;
mod window;

use std::{
    env, fs,
    future::poll_fn,
    path::{Path, PathBuf},
    task::Poll,
};

use anyhow::{Context, Result, bail, ensure};
use ashore_testkit::{
    free_bytes,
    readings::{self, available_memory},
};
use clap::{Parser, Subcommand};
use rustix::process::{Pid, Signal, kill_process};
use tokio::signal::unix::{SignalKind, signal};

use crate::{
    documents::BenchDocument,
    far::DelayedLink,
    origin::OriginServer,
    results::{BenchResults, KeptResult, ResultBody},
    rounds::{BenchSetup, clear},
    transfer::TransferFigure,
};

/// Same allocator as in the shipped programs.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Rounds of a full run. A run with fewer rounds is a quick preview; its results are not stored.
const ROUNDS: u32 = 7;

/// Compare Ashore with other programs; see `make bench`.
#[derive(Debug, Parser)]
#[command(name = "ashore-bench")]
struct Arguments {
    #[command(subcommand)]
    part: Option<BenchPart>,
    /// Run only these contests or groups, separated by commas
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Number of rounds; fewer than 7 write nothing to RESULTS.md
    #[arg(long, default_value_t = ROUNDS)]
    runs: u32,
}

/// Subcommands that the bench starts as separate processes.
#[derive(Debug, Subcommand)]
enum BenchPart {
    /// Run a program and report its cost
    Measure {
        report: PathBuf,
        #[arg(long)]
        sync: Option<PathBuf>,
        #[arg(last = true)]
        words: Vec<String>,
    },
    /// Forward to a port over a slow link
    Forward { port: u16 },
    /// Read a socket and write a file
    Bare { connections: u64, size: u64, url: url::Url, path: PathBuf },
    /// Run one download without a ledger
    Transfer(TransferFigure),
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    match arguments.part {
        None => bench(&arguments.only, arguments.runs),
        Some(BenchPart::Measure { report, sync, words }) => measure::measure(&report, &words, sync),
        Some(BenchPart::Forward { port }) => far::forward(port),
        Some(BenchPart::Bare { connections, size, url, path }) => bare::fetch(&url, &path, size, connections),
        Some(BenchPart::Transfer(wanted)) => wanted.run(),
    }
}

fn bench(only: &[String], runs: u32) -> Result<()> {
    ensure!(runs > 0, "RUNS must be at least 1.");
    let contests = contest::all();
    let names = || contests.iter().flat_map(|contest| [contest.group, contest.name]).chain(results::OTHERS);
    if let Some(unknown) = only.iter().find(|name| names().all(|known| known != *name)) {
        let mut known: Vec<&str> = names().collect();
        known.sort_unstable();
        known.dedup();
        bail!("{unknown} is not a contest. ONLY takes one or more of {}.", known.join(","));
    }
    let is_wanted = |name: &str| only.is_empty() || only.iter().any(|wanted| wanted == name);
    let contests: Vec<_> = contests.into_iter().filter(|contest| is_wanted(contest.group) || is_wanted(contest.name)).collect();
    let mut documents: Vec<BenchDocument> = contests.iter().map(|contest| contest.document).collect();
    documents.extend(is_wanted("resume").then_some(BenchDocument::Medium));
    documents.extend(is_wanted("alone").then_some(BenchDocument::Large));

    let mut results = BenchResults::open(runs >= ROUNDS)?;
    let place = Place::take(&documents)?;
    let ground = place.prepare(&documents)?;
    results.begin(&ground)?;
    for contest in contests {
        if contest.is_to_disk && !place.has_disk {
            continue;
        }
        eprintln!("{}: {}", contest.name, contest.title);
        machine::empty_caches();
        let entries = rounds::hold(&contest, runs, runs >= ROUNDS, &ground)?;
        let body = ResultBody::Contest { entries, targets: contest.targets };
        results.add(KeptResult::new(contest.name, contest.title, body))?;
    }
    let missed = hold_others(is_wanted, runs, &place, &ground, &results)?;
    results.finish();
    ensure!(missed.is_empty(), "These bounds were missed: {}.", missed.join("; "));
    Ok(())
}

/// Measures Ashore in the scenarios in which no other program takes part.
///
/// Returns the names of the figures that missed a mandatory bound.
fn hold_others(
    is_wanted: impl Fn(&str) -> bool,
    runs: u32,
    place: &Place,
    ground: &BenchSetup,
    results: &BenchResults,
) -> Result<Vec<String>> {
    let mut missed = Vec::new();
    if is_wanted("queue") {
        let title = "a list of 1,000,000 links: adding, choosing the next one, starting, memory, and idling";
        eprintln!("queue: {title}");
        machine::empty_caches();
        results.add(KeptResult::new("queue", title, ResultBody::Queue(queue::hold(runs, ground)?)))?;
    }
    if is_wanted("window") {
        let title = "a list of 100,000 downloads in the window: start, and closed to the tray";
        eprintln!("window: {title}");
        machine::empty_caches();
        results.add(KeptResult::new("window", title, ResultBody::Window(window::hold(runs, ground)?)))?;
    }
    if is_wanted("page") {
        let title = "a list of 100,000 downloads on the page: filtering, searching, sorting, and scrolling";
        eprintln!("page: {title}");
        machine::empty_caches();
        results.add(KeptResult::new("page", title, ResultBody::Page(window::hold_page(runs, ground)?)))?;
    }
    if is_wanted("browser") {
        let title = "a click in a browser: time until Ashore has taken the download";
        eprintln!("browser: {title}");
        let seen = browser::hold(if runs >= ROUNDS { browser::CLICKS } else { runs })?;
        missed.extend(seen.0.iter().filter(|figure| !figure.is_met()).map(|figure| figure.name().to_owned()));
        results.add(KeptResult::new("browser", title, ResultBody::Browser(seen)))?;
    }
    if is_wanted("resume") {
        let title = "1 GiB, killed at 50 % and restarted, on a memory file system";
        eprintln!("resume: {title}");
        machine::empty_caches();
        results.add(KeptResult::new("resume", title, ResultBody::Resume(resume::hold(runs, ground)?)))?;
    }
    if is_wanted("alone") {
        let title = "one file of 4 GiB, one connection, without a ledger: cost or gain of each design choice";
        eprintln!("alone: {title}");
        machine::empty_caches();
        results.add(KeptResult::new("alone", title, ResultBody::Alone(alone::hold(runs, place.has_disk, ground)?)))?;
    }
    if is_wanted("sync") {
        let title = "the sync server: without database statistics, during a long read, in a long collection, and compared with its bare statements";
        eprintln!("sync: {title}");
        machine::empty_caches();
        results.add(KeptResult::new("sync", title, ResultBody::Sync(sync::hold(runs, ground)?)))?;
    }
    if is_wanted("sync-users") {
        let title = "the sync server with 10,000 users, 64 of them at a time";
        eprintln!("sync-users: {title}");
        machine::empty_caches();
        results.add(KeptResult::new("sync-users", title, ResultBody::SyncUsers(sync::hold_users(runs, ground)?)))?;
    }
    if is_wanted("sync-client") {
        let title = "sync of a list of 100,000 downloads: collecting changes, the first sync, and a machine at rest";
        eprintln!("sync-client: {title}");
        machine::empty_caches();
        results.add(KeptResult::new("sync-client", title, ResultBody::SyncClient(sync::hold_client(runs, ground)?)))?;
    }
    Ok(missed)
}

/// Names of the working folders.
const MEMORY: &str = "ashore-bench";
const NO_MEMORY: &str = "no-memory";
const DISK: &str = "disk";

/// Working folders; the large files in them are deleted when the bench ends.
struct Place {
    memory: PathBuf,
    disk: PathBuf,
    /// Whether the disk has room for the contests that write to it.
    has_disk: bool,
    _lock: fs::File,
}

impl Place {
    /// Creates a folder in memory with space for `documents` and their copies, and a folder on disk.
    fn take(documents: &[BenchDocument]) -> Result<Self> {
        let shared = Path::new("/dev/shm");
        let largest = documents.iter().map(|document| document.size()).max().unwrap_or_default();
        let needed = unique(documents).map(|document| document.size()).sum::<u64>() + largest + (1 << 29);
        let room = |path: &Path| free_bytes(path).unwrap_or_default();
        let disk = env::current_dir()?.join(results::OUT);
        fs::create_dir_all(&disk)?;
        let lock = fs::File::create(disk.join("lock"))?;
        lock.try_lock().context("another bench is running")?;
        // A killed run leaves its working folders behind, so delete them first.
        for left in [shared.join(MEMORY), disk.join(DISK), disk.join(NO_MEMORY)] {
            clear(&left)?;
        }
        let is_in_memory = room(shared) >= needed && available_memory().unwrap_or_default() >= needed;
        let memory = if is_in_memory { shared.join(MEMORY) } else { disk.join(NO_MEMORY) };
        if !is_in_memory {
            eprintln!(
                "Less than {} MiB of memory are free, so all files are on disk. All programs are slower there.",
                needed >> 20
            );
        }
        let has_disk = room(&disk) >= largest + (1 << 30) && is_in_memory;
        if !has_disk {
            eprintln!("{} has no space for {} MiB, so the runs that write to disk are skipped.", disk.display(), largest >> 20);
        }
        Ok(Self { memory, disk: disk.join(DISK), has_disk, _lock: lock })
    }

    fn prepare(&self, documents: &[BenchDocument]) -> Result<BenchSetup> {
        for folder in [&self.memory, &self.disk] {
            clear(folder)?;
            fs::create_dir_all(folder)?;
        }
        self.clear_when_interrupted()?;
        let folder = self.memory.join("documents");
        for document in unique(documents) {
            document.make(&folder)?;
        }
        let origin = OriginServer::start(&self.memory.join("nginx"), &folder)?;
        let far = DelayedLink::start(origin.port())?;
        Ok(BenchSetup { memory: self.memory.clone(), disk: self.disk.clone(), documents: folder, origin, far })
    }

    /// Cleans up when the user interrupts the bench.
    ///
    /// Deletes the folders and kills the started programs, so that their gigabytes of memory become free.
    fn clear_when_interrupted(&self) -> Result<()> {
        let folders = [self.memory.clone(), self.disk.clone()];
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let entered = runtime.enter();
        let mut signals = [(SignalKind::interrupt(), 130), (SignalKind::terminate(), 143), (SignalKind::hangup(), 129)]
            .into_iter()
            .map(|(kind, code)| Ok((signal(kind)?, code)))
            .collect::<Result<Vec<_>>>()?;
        drop(entered);
        std::thread::spawn(move || {
            let code = runtime.block_on(poll_fn(|context| {
                let heard = signals.iter_mut().find_map(|(signal, code)| signal.poll_recv(context).is_ready().then_some(*code));
                heard.map_or(Poll::Pending, Poll::Ready)
            }));
            // Kill neither this process nor PostgreSQL. PostgreSQL cleans up by itself when this process ends.
            let is_meant = |pid: &u32| !readings::words(*pid).contains("/ashore-pg-");
            for pid in readings::tree(std::process::id())
                .into_iter()
                .skip(1)
                .filter(is_meant)
                .filter_map(|pid| Pid::from_raw(pid.cast_signed()))
            {
                let _ = kill_process(pid, Signal::KILL);
            }
            for folder in &folders {
                let _ = clear(folder);
            }
            std::process::exit(code);
        });
        Ok(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        for folder in [&self.memory, &self.disk] {
            let _ = clear(folder);
        }
    }
}

fn unique(documents: &[BenchDocument]) -> impl Iterator<Item = BenchDocument> {
    let first = |index: usize| !documents[..index].contains(&documents[index]);
    (0..documents.len()).filter(move |&index| first(index)).map(|index| documents[index])
}
