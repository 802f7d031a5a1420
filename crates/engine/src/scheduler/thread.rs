//! Where the loop works: on a thread of its own, and no longer than its runtime lives.
//!
//! A transaction is a dozen questions to SQLite, one after the other. A task among the transfers' would wait behind
//! whatever they have to do after each answer, and they would then wait for the ledger: thousands of small files take longer
//! so, and cost the same. The thread keeps its own time and hears the desktop itself, so that at rest it wakes nobody else.

use std::{io, sync::mpsc, thread, time::Duration};

use tokio::{runtime::Builder, sync::oneshot};

/// How long calls to a disk may go on after the loop has ended.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Does `work` on a thread of its own, with what it spawns, until it is done or the runtime that this is called from ends.
/// Fails when the system has no thread to give, or nothing to wait with.
pub(crate) fn start(work: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
    let (end, ended) = oneshot::channel::<()>();
    let (working, done) = mpsc::channel::<()>();
    let (say, built) = mpsc::sync_channel(1);
    thread::Builder::new().name("ashore-loop".to_owned()).spawn(move || {
        // The one that tells is dropped last.
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

/// A runtime that ends drops its tasks, and this with one of them: nothing may be done after its end.
struct Tie {
    /// First: without it, whoever works stops...
    end: oneshot::Sender<()>,
    /// ...and that is waited for.
    _done: Done,
}

impl Tie {
    /// Until whoever works has done, or the runtime ends.
    async fn hold(mut self) {
        self.end.closed().await;
    }
}

struct Done(mpsc::Receiver<()>);

impl Drop for Done {
    fn drop(&mut self) {
        // Nothing is ever sent: whoever works has stopped.
        let _ = self.0.recv();
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    const DEADLINE: Duration = Duration::from_secs(20);

    #[test]
    fn it_works_beside_a_runtime_that_is_busy() {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let (said, heard) = mpsc::channel();
        runtime.block_on(async {
            start(async move { said.send(thread::current().id()).unwrap() }).unwrap();
            // Nothing else of this runtime has a turn meanwhile.
            let thread_id = heard.recv_timeout(DEADLINE).expect("it needs no turn of the runtime");
            assert_ne!(thread_id, thread::current().id());
        });
    }

    #[test]
    fn it_ends_with_its_runtime_wherever_it_stands() {
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
