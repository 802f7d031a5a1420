//! Soak test: random files, servers and power cuts, checked against a model of the permitted results.
//!
//! Invariants of every run:
//!
//! - **A completed file is a version that the server intended to send**: the bytes of one whole version, never a
//!   mixture of two. If the stated length of the whole file is too short, the stated length counts. If a digest is
//!   expected, the version matches it.
//! - **Durable bytes are resumed.** Durable bytes stay durable in the next run of the program. The next requests to a
//!   correct server ask only for the missing bytes, and for the bytes just before them, which are compared. Exceptions
//!   are a changed file, and earlier range answers that cannot be joined.
//! - **A restart from zero is emitted as an event, and keeps the old bytes.** The old partial file is kept and does not
//!   shrink until the new file is complete.
//! - **There are no leftovers beside the finished file**, and its final name does not exist before it is finished.
//! - **Every run ends in time**, and with a correct server the file completes after a few tries.
//!
//! Everything except the speed of the machine follows from one seed: `ASHORE_SEED` and `ASHORE_RUN` repeat one run,
//! `ASHORE_RUNS` sets the number of runs.

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

/// Number of parallel runs. Each run mostly waits.
const AT_ONCE: usize = 8;
/// Free bytes that a folder in memory must have for the files of the runs.
///
/// A transfer behaves differently when space is short, which is not the subject of these runs.
const ROOM: u64 = 2 << 30;
/// Default seed.
const SEED: u64 = 20_261_120;

/// Counters that show whether a soak was thorough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of completed runs.
    pub runs: u64,
    /// Number of simulated power cuts.
    pub kills: u64,
    /// Number of starts that resumed from bytes of an earlier process.
    pub resumed: u64,
    /// Number of starts that were required to keep the bytes of an earlier process, because nothing permitted a restart
    /// from zero.
    pub bound: u64,
    /// Number of failed tries.
    pub failed: u64,
    /// Number of file changes on the server.
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

/// Performs `runs` runs, or the number in `ASHORE_RUNS`. Uses `ASHORE_SEED` or the default seed. Prints the tally. If a
/// run fails, panics with its seed, number and history.
pub fn soak(runs: u64) -> Tally {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number("ASHORE_SEED").unwrap_or(SEED);
    let only = number("ASHORE_RUN");
    let runs = number("ASHORE_RUNS").unwrap_or(runs);
    print_line(&format!("seed {seed}, {runs} runs (ASHORE_SEED={seed} repeats them, ASHORE_RUN=number one of them)"));
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
    print_line(&format!("{tally:?} in {:.1?}", begun.elapsed()));
    tally
}

/// Prints a line directly to stderr, so that every run shows its seed even if the test runner hides output.
fn print_line(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Performs a run on its own thread with its own folder. Fails with the run's history.
fn one(seed: u64, index: u64, is_told: bool) -> Result<Tally, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    let folder = tempfile::tempdir_in(disk()).map_err(|error| error.to_string())?;
    let result = runtime.block_on(run::run(seed, index, folder.path(), is_told));
    runtime.shutdown_timeout(Duration::from_secs(1));
    result
}

/// Returns a folder in memory if memory has enough space. This is permitted because this test does not measure the cost
/// of a sync.
fn disk() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    let room = rustix::fs::statvfs(&memory).map_or(0, |found| found.f_bavail.saturating_mul(found.f_frsize));
    if room >= ROOM { memory } else { std::env::temp_dir() }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
