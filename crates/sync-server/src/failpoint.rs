//! Names the points at which a test may kill the server. Release builds ignore them.
//!
//! `ASHORE_CRASH_AT=name` kills the process at the first visit of that point, `name:3` at the third visit. The signal is
//! SIGKILL, so no destructor and no flush runs.

/// All failpoints of the server: first those of writes, then those of the purge.
pub const POINTS: &[&str] = &[
    "server.objects-written",
    "server.objects-deleted",
    "server.batch-moved",
    "server.write-before-commit",
    "server.write-committed",
    "server.batch-open",
    "server.purge-amid",
    "server.purge-before-commit",
    "server.purge-committed",
];

/// Kills the process if `ASHORE_CRASH_AT` selects this visit of the point `name`.
#[cfg(debug_assertions)]
pub fn hit(name: &str) {
    use std::sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    };

    /// Selected point, and the number of the visit at which the process is killed.
    static WANTED: OnceLock<Option<(String, u32)>> = OnceLock::new();
    static VISITS: AtomicU32 = AtomicU32::new(0);

    debug_assert!(POINTS.contains(&name), "{name} is not in the list of points");
    let wanted = WANTED.get_or_init(|| {
        let text = std::env::var("ASHORE_CRASH_AT").ok()?;
        let (name, visit) = text.split_once(':').unwrap_or((&text, "1"));
        Some((name.to_owned(), visit.parse().ok()?))
    });
    let Some((at, visit)) = wanted else { return };
    if at == name && VISITS.fetch_add(1, Ordering::SeqCst) + 1 == *visit {
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
        // The signal does not stop this thread immediately, so wait: no further code may run.
        loop {
            std::thread::park();
        }
    }
}

/// Does nothing in a release build.
#[cfg(not(debug_assertions))]
pub fn hit(_name: &str) {}
