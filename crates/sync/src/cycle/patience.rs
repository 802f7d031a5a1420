//! Ends a cycle that makes no progress, for example because a server answers one byte a minute.

use std::{future::Future, pin::pin, time::Duration};

use tokio::{sync::Notify, time::sleep};

use crate::{
    cycle::fault::SyncFault,
    server::{ServerFailure, ServerFault},
};

/// Longest time without an answer of the server.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Runs `work` until it ends. Fails with `TimedOut` where `progress` is not notified for [`PATIENCE`].
pub async fn with_patience<T>(progress: &Notify, work: impl Future<Output = Result<T, SyncFault>>) -> Result<T, SyncFault> {
    let mut work = pin!(work);
    loop {
        tokio::select! {
            biased;
            result = &mut work => return result,
            () = progress.notified() => {}
            () = sleep(PATIENCE) => return Err(SyncFault::Server(ServerFailure::without_answer(ServerFault::TimedOut))),
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn slow_work_with_progress_ends() {
        let progress = Notify::new();
        let work = async {
            for _ in 0..5 {
                sleep(PATIENCE - Duration::from_secs(1)).await;
                progress.notify_one();
            }
            Ok(7)
        };
        assert_eq!(with_patience(&progress, work).await.ok(), Some(7));
    }

    #[tokio::test(start_paused = true)]
    async fn work_without_progress_times_out() {
        let (progress, started) = (Notify::new(), Instant::now());
        let work = async {
            progress.notify_one();
            std::future::pending::<Result<(), SyncFault>>().await
        };
        let fault = with_patience(&progress, work).await.unwrap_err();
        assert_eq!((fault.code(), started.elapsed()), ("sync-timed-out", PATIENCE));
    }
}
