//! The soak: random files, random servers, random power cuts, and a model that says what may come of them.
//!
//! What must hold of every run, whatever is drawn:
//!
//! - **What is called done is what the server meant**: the bytes of one version of the file, whole, and never a mixture of
//!   two. A server that states a length that is too short for the whole file means what it states. Where a digest is
//!   expected, the version has it.
//! - **What was durable is gone on with.** Bytes that the disk vouched for are vouched for after the next life, too, and
//!   an honest server is asked for nothing that lies more than the overlap before their end; unless the file changed, or
//!   the server answered ranges with something that cannot be joined.
//! - **What is begun anew is told, and loses nothing before its time.** What was set aside is there, and becomes no less, until
//!   the file is there.
//! - **Nothing is left beside the finished file**, and nothing stands under its name before it is finished.
//! - **It ends**: every life ends in time, and with an honest server the file comes after a few tries.
//!
//! Everything follows from one seed, but for the pace of the machine: `ASHORE_SEED` and `ASHORE_RUN` repeat one run,
//! `ASHORE_RUNS` asks for more or fewer of them.

mod draw;
mod life;
mod run;

use std::{
    io::Write as _,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// Runs at a time: most of a run is waiting.
const AT_ONCE: usize = 8;
/// Bytes that are to be free where the files go: beside them, a program that is short of room behaves otherwise.
const ROOM: u64 = 2 << 30;
/// The seed, where nobody gives another.
const SEED: u64 = 20_261_120;

/// What was done, to see that it was worth something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Runs that came to their end.
    pub runs: u64,
    /// Power cuts in them.
    pub kills: u64,
    /// Starts that went on from what a life before had left.
    pub resumed: u64,
    /// Those that had to: nothing that the server did or was to do allows to begin anew.
    pub bound: u64,
    /// Tries that failed.
    pub failed: u64,
    /// Changes of a file on its server.
    pub changes: u64,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.runs += other.runs;
        self.kills += other.kills;
        self.resumed += other.resumed;
        self.bound += other.bound;
        self.failed += other.failed;
        self.changes += other.changes;
    }
}

/// Does `runs` runs (or as many as `ASHORE_RUNS` says), from `ASHORE_SEED` or the usual seed, and prints it. Panics with
/// seed, number and story of the first run that went wrong.
pub fn soak(runs: u64) -> Tally {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number("ASHORE_SEED").unwrap_or(SEED);
    let only = number("ASHORE_RUN");
    let runs = number("ASHORE_RUNS").unwrap_or(runs);
    say(&format!("seed {seed}, {runs} runs (ASHORE_SEED={seed} repeats them, ASHORE_RUN=number one of them)"));
    let begun = Instant::now();
    let next = AtomicU64::new(only.unwrap_or(0));
    let end = only.map_or(runs, |only| only + 1);
    let wrong = Mutex::new(None);
    let tally = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= end || lock(&wrong).is_some() {
                        return;
                    }
                    match catch_unwind(AssertUnwindSafe(|| one(seed, index, only.is_some()))) {
                        Ok(Ok(done)) => lock(&tally).add(done),
                        Ok(Err(story)) => *lock(&wrong) = Some((index, story)),
                        Err(panic) => {
                            let text = panic.downcast_ref::<String>().map(String::as_str);
                            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                            *lock(&wrong) = Some((index, text.unwrap_or("it panicked").to_owned()));
                        }
                    }
                }
            });
        }
    });
    if let Some((index, story)) = lock(&wrong).take() {
        panic!("run {index} went wrong; ASHORE_SEED={seed} ASHORE_RUN={index} repeats it:\n{story}");
    }
    let tally = *lock(&tally);
    say(&format!("{tally:?} in {:.1?}", begun.elapsed()));
    tally
}

/// Past what a test runner keeps of runs that go well: which seed it was is said of every run.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// One run, on a thread and in a folder of its own; an error is the story of what went wrong.
fn one(seed: u64, index: u64, is_told: bool) -> Result<Tally, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    let folder = tempfile::tempdir_in(disk()).map_err(|error| error.to_string())?;
    let result = runtime.block_on(run::run(seed, index, folder.path(), is_told));
    runtime.shutdown_timeout(Duration::from_secs(1));
    result
}

/// Memory, where there is a folder in it with room: what a sync costs is not what this is about.
fn disk() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    let room = rustix::fs::statvfs(&memory).map_or(0, |found| found.f_bavail.saturating_mul(found.f_frsize));
    if room >= ROOM { memory } else { std::env::temp_dir() }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
