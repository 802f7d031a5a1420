//! Names the points at which a test may kill the process or cause a panic. A release build has no such points.
//!
//! - `ASHORE_CRASH_AT=name` kills the process at the first visit of the point `name`. `ASHORE_CRASH_AT=name:3` kills it
//!   at the third visit. The signal is SIGKILL, so that no destructor and no flush runs.
//! - `ASHORE_PANIC_AT` causes one panic there instead.

/// All failpoints of this crate, in the order of a transfer's life. Other crates have their own lists.
pub const POINTS: &[&str] = &[
    "transfer.started",
    "transfer.request-sent",
    "transfer.head-received",
    "transfer.part-created",
    "transfer.head-told",
    "transfer.first-bytes",
    "transfer.before-data-sync",
    "transfer.after-data-sync",
    "transfer.journal-created",
    "transfer.journal-slot-written",
    "transfer.journal-synced",
    "transfer.journal-in-folder",
    "transfer.checkpointed",
    "transfer.resume-asked",
    "transfer.resume-judged",
    "transfer.overlap-checked",
    "transfer.set-aside",
    "transfer.claim-dropped",
    "transfer.upload-begun",
    "transfer.upload-answered",
    "transfer.all-bytes",
    "transfer.digest-checked",
    "transfer.head-stored",
    "transfer.final-sync",
    "transfer.before-place",
    "transfer.linked",
    "transfer.placed",
    "transfer.aside-removed",
    "transfer.batch-written",
    "transfer.batch-synced",
    "transfer.batch-linked",
    "transfer.batch-placed",
    "transfer.before-done",
    "transfer.before-remove",
    "transfer.journal-removed",
    "transfer.part-removed",
    "transfer.batch-forgets",
    "transfer.removed",
];

/// Kills the process or panics, if a test has chosen this failpoint.
#[cfg(debug_assertions)]
pub fn hit(name: &str) {
    debug_assert!(!name.starts_with("transfer.") || POINTS.contains(&name), "{name} is not in the list of points");
    wanted::kill_at(name);
    wanted::panic_at(name);
}

#[cfg(debug_assertions)]
mod wanted {
    use std::sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    };

    /// Failpoint from the environment variable, and the number of the visit that triggers it.
    struct WantedCrash {
        variable: &'static str,
        named: OnceLock<Option<(String, u32)>>,
        visits: AtomicU32,
    }

    static KILL: WantedCrash = WantedCrash::by("ASHORE_CRASH_AT");
    static PANIC: WantedCrash = WantedCrash::by("ASHORE_PANIC_AT");

    pub fn kill_at(name: &str) {
        if KILL.is_here(name) {
            let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
            // The signal does not stop this thread immediately. Wait, so that no further code runs.
            loop {
                std::thread::park();
            }
        }
    }

    pub fn panic_at(name: &str) {
        assert!(!PANIC.is_here(name), "a test requested a panic at {name}");
    }

    impl WantedCrash {
        const fn by(variable: &'static str) -> Self {
            Self { variable, named: OnceLock::new(), visits: AtomicU32::new(0) }
        }

        fn is_here(&self, name: &str) -> bool {
            let named = self.named.get_or_init(|| {
                let text = std::env::var(self.variable).ok()?;
                let (name, visit) = text.split_once(':').unwrap_or((&text, "1"));
                Some((name.to_owned(), visit.parse().ok()?))
            });
            let Some((at, visit)) = named else { return false };
            at == name && self.visits.fetch_add(1, Ordering::SeqCst) + 1 == *visit
        }
    }
}

/// Does nothing, because a release build has no failpoints.
#[cfg(not(debug_assertions))]
pub fn hit(_name: &str) {}
