//! Runs the loop on a separate thread, which ends no later than the runtime that started the loop.
//!
//! A transaction is a dozen queries to SQLite, one after the other. In the runtime of the transfers, the loop would
//! wait for the transfers after each query, and the transfers would wait for the ledger. Thousands of small files would
//! then take longer, although they would use the same processor time. The thread has its own timers and listens to the
//! desktop itself, so that an idle loop wakes no other thread.

use std::{io, sync::mpsc, thread, time::Duration};

use tokio::{runtime::Builder, sync::oneshot};

/// Maximum time that calls to a disk may take after the loop has ended.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Runs `work` on a separate thread, until `work` is done or the calling runtime ends.
///
/// Tasks that `work` spawns run on the same thread. Fails if the system cannot create a thread or a runtime.
pub(crate) fn start(work: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
    let (end, ended) = oneshot::channel::<()>();
    let (working, done) = mpsc::channel::<()>();
    let (say, built) = mpsc::sync_channel(1);
    thread::Builder::new().name("ashore-loop".to_owned()).spawn(move || {
        // This value is dropped last. Its drop signals the end of the thread.
        let _working = working;
        match Builder::new_current_thread().enable_all().build() {
            Err(error) => drop(say.send(Err(error))),
            Ok(runtime) => {
                let _ = say.send(Ok(()));
                runtime.block_on(async {
                    tokio::select! {
                        biased;
                        _ = ended => {}
                        () = work => {}
                    }
                });
                // Abandon calls to a disk that does not answer: their results no longer matter.
                runtime.shutdown_timeout(LAST_WORDS);
            }
        }
    })?;
    built.recv().unwrap_or_else(|_| Err(io::ErrorKind::BrokenPipe.into()))?;
    tokio::spawn(Tie { end, _done: Done(done) }.hold());
    Ok(())
}

/// Guard that ends the thread when it is dropped.
///
/// A task of the calling runtime owns this guard. When the runtime ends, it drops the task and the guard, so that the
/// thread does not outlive the runtime.
struct Tie {
    /// This field is dropped first. Its drop stops the thread.
    end: oneshot::Sender<()>,
    /// This field is dropped second. Its drop waits for the end of the thread.
    _done: Done,
}

impl Tie {
    /// Waits until the thread is done. If the runtime ends first, it drops this guard.
    async fn hold(mut self) {
        self.end.closed().await;
    }
}

struct Done(mpsc::Receiver<()>);

impl Drop for Done {
    fn drop(&mut self) {
        // The thread sends no message: `recv` returns when the thread has ended.
        let _ = self.0.recv();
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    const DEADLINE: Duration = Duration::from_secs(20);

    #[test]
    fn scheduler_loop_runs_while_runtime_of_caller_is_busy() {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let (said, heard) = mpsc::channel();
        runtime.block_on(async {
            start(async move { said.send(thread::current().id()).unwrap() }).unwrap();
            // This call blocks the runtime, so that none of its other tasks can run.
            let thread_id = heard.recv_timeout(DEADLINE).expect("it needs no turn of the runtime");
            assert_ne!(thread_id, thread::current().id());
        });
    }

    #[test]
    fn scheduler_loop_ends_when_runtime_of_caller_ends() {
        for builder in [&mut Builder::new_current_thread(), Builder::new_multi_thread().worker_threads(1)] {
            let runtime = builder.enable_all().build().unwrap();
            let (said, heard) = mpsc::channel::<()>();
            runtime.block_on(async {
                let (begun, began) = oneshot::channel();
                start(async move {
                    let _held = said;
                    begun.send(()).unwrap();
                    pending::<()>().await;
                })
                .unwrap();
                began.await.unwrap();
            });
            assert!(matches!(heard.try_recv(), Err(mpsc::TryRecvError::Empty)));
            drop(runtime);
            assert_eq!(heard.try_recv(), Err(mpsc::TryRecvError::Disconnected));
        }
    }
}
