//! Creates the runtime for transfers.

use std::{
    any::Any,
    io, panic,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use rustix::process::Signal;
use tokio::{
    runtime::{Builder, Runtime},
    signal::unix::{SignalKind, signal},
};

/// Time for which idle disk threads are kept: practically forever.
///
/// If the system cannot start further threads, work waits for an existing thread. If there were no thread at all, the
/// request for one would panic.
const FOREVER: Duration = Duration::from_secs(u32::MAX as u64);

/// Creates a runtime with a single worker thread for the network.
///
/// Disks and digests have their own threads. Fails if the system cannot start another thread.
///
/// With two workers, received data may wake a worker other than the one that reads the connection. Over plain HTTP, a
/// second worker makes no significant difference: 4 GiB take 2.6 s with two workers and 2.8 s with one (`make bench
/// ONLY=alone`). Both vary between 2.4 and 3.2 s. A single worker handles more data than a network line delivers. With
/// the server on the same two processors, 4 GiB over 16 connections take 2.4 s (`ONLY=split`).
pub fn runtime() -> io::Result<Runtime> {
    let build = || {
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(1).thread_name("ashore").thread_keep_alive(FOREVER).enable_all();
        let runtime = builder.build()?;
        // Start the first disk thread now, so that at least one always exists.
        drop(runtime.spawn_blocking(|| ()));
        survive_file_size_limit(&runtime)?;
        Ok(runtime)
    };
    quietly(build).unwrap_or_else(|| Err(io::Error::new(io::ErrorKind::WouldBlock, "there is no thread left to run on")))
}

/// Prevents a write beyond the file size limit (`ulimit -f`) from ending the process.
///
/// Installs a signal handler for the life of the process. Such a write then fails with EFBIG, and only its own file
/// fails.
fn survive_file_size_limit(runtime: &Runtime) -> io::Result<()> {
    let _context = runtime.enter();
    signal(SignalKind::from_raw(Signal::XFSZ.as_raw())).map(drop)
}

/// Returns the result of `work`, or `None` if `work` panics.
///
/// Does not print the message of the panic: if a worker cannot be started, this message does not help users. Panics of
/// other threads are reported as usual.
fn quietly<Made>(work: impl FnOnce() -> Made + panic::UnwindSafe) -> Option<Made> {
    /// Serialises changes of the global panic hook.
    ///
    /// Two concurrent changes could leave the silent hook in place.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let (said, silent) = (Arc::new(panic::take_hook()), thread::current().id());
    let others = Arc::clone(&said);
    panic::set_hook(Box::new(move |news| {
        if thread::current().id() != silent {
            others(news);
        }
    }));
    let made = panic::catch_unwind(work).ok();
    // This removes the silent hook, and with it the second reference to the original hook.
    drop(panic::take_hook());
    if let Some(said) = Arc::into_inner(said) {
        panic::set_hook(said);
    }
    made
}

/// Returns the message of a panic.
pub(crate) fn words_of(panic: &(dyn Any + Send)) -> &str {
    let words = panic.downcast_ref::<&str>().copied();
    words.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn call_that_hides_its_own_panic_does_not_hide_panics_of_other_threads() {
        static HEARD: Mutex<Vec<String>> = Mutex::new(Vec::new());
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |news| {
            HEARD.lock().unwrap().extend(news.payload_as_str().map(str::to_owned));
            before(news);
        }));
        let made: Option<()> = quietly(|| {
            let beside = thread::spawn(|| panic!("beside it"));
            assert!(beside.join().is_err());
            panic!("in it")
        });
        assert!(made.is_none());
        assert!(panic::catch_unwind(|| panic!("after it")).is_err());
        let heard = HEARD.lock().unwrap().clone();
        let heard: Vec<&str> = heard.iter().map(String::as_str).filter(|said| said.ends_with(" it")).collect();
        assert_eq!(heard, ["beside it", "after it"]);
        assert_eq!(quietly(|| 7), Some(7));
    }
}
