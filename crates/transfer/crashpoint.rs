//! Named points at which a test may kill the process; in a release build, nothing.
//!
//! `ASHORE_CRASH_AT=name` kills at the first visit of that point, `name:3` at the third. The kill is SIGKILL: no
//! destructor, no flush, nothing is given the chance to tidy up.

/// Dies here if a test named this point.
#[cfg(debug_assertions)]
pub fn hit(name: &str) {
    use std::sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    };
    static WANTED: OnceLock<Option<(String, u32)>> = OnceLock::new();
    static VISITS: AtomicU32 = AtomicU32::new(0);
    let wanted = WANTED.get_or_init(|| {
        let text = std::env::var("ASHORE_CRASH_AT").ok()?;
        let (name, visit) = text.split_once(':').unwrap_or((&text, "1"));
        Some((name.to_owned(), visit.parse().ok()?))
    });
    if let Some((at, visit)) = wanted
        && at == name
        && VISITS.fetch_add(1, Ordering::SeqCst) + 1 == *visit
    {
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
        // The signal is asynchronous to this thread; nothing may happen after it.
        loop {
            std::thread::park();
        }
    }
}

/// Dies here if a test named this point.
#[cfg(not(debug_assertions))]
pub fn hit(_name: &str) {}
