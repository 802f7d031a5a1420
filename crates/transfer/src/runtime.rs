//! The runtime that transfers run best on.

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

/// Threads that wait for a disk stay. Where the system has no other one to give, what is to be done waits for one of them; where
/// there is none at all, asking for it panics.
const FOREVER: Duration = Duration::from_secs(u32::MAX as u64);

/// A runtime whose only worker does everything that waits for the network; disks and digests have threads of their own.
/// Fails when the system has no thread to give.
///
/// With two workers, a piece that arrives may wake the other one, and a connection and its reader are torn apart. Over
/// plain HTTP a second one neither gains nor costs anything that stands out (4 GiB in 2.6 s with two and 2.8 s with one, each
/// within 2.4 to 3.2: `make bench ONLY=alone`), and one carries more than a line does: 4 GiB over 16 connections in 2.4 s,
/// beside the server on the same two processors (`ONLY=split`).
pub fn runtime() -> io::Result<Runtime> {
    let build = || {
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(1).thread_name("ashore").thread_keep_alive(FOREVER).enable_all();
        let runtime = builder.build()?;
        // The first of them.
        drop(runtime.spawn_blocking(|| ()));
        survive_file_size_limit(&runtime)?;
        Ok(runtime)
    };
    quietly(build).unwrap_or_else(|| Err(io::Error::new(io::ErrorKind::WouldBlock, "there is no thread left to run on")))
}

/// Keeps a write beyond the limit on file sizes (`ulimit -f`) from ending the process: with a handler for its signal, which
/// stays for the process's life, that write fails with EFBIG, and one file with it.
fn survive_file_size_limit(runtime: &Runtime) -> io::Result<()> {
    let _context = runtime.enter();
    signal(SignalKind::from_raw(Signal::XFSZ.as_raw())).map(drop)
}

/// What `work` gives; none where it panics, as a worker does that cannot be started, in words that are for nobody who runs a
/// program. What other threads panic with meanwhile is said as ever.
fn quietly<Made>(work: impl FnOnce() -> Made + panic::UnwindSafe) -> Option<Made> {
    /// A hook is the whole process's: two that change it at once might leave the silent one behind.
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
    // Nobody holds the other one once it is taken back.
    drop(panic::take_hook());
    if let Some(said) = Arc::into_inner(said) {
        panic::set_hook(said);
    }
    made
}

/// Message of a panic.
pub(crate) fn words_of(panic: &(dyn Any + Send)) -> &str {
    let words = panic.downcast_ref::<&str>().copied();
    words.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_panics_in_it_is_for_nobody_and_what_panics_beside_it_is_heard() {
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
