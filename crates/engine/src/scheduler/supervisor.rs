//! Replaces the loop after a defect. `startup` runs this module on the loop's thread.
//!
//! - A defect is logged, all transfers stop with their bytes durable, and a new loop continues from ledger and disk, as
//!   at a start.
//! - A recurring defect is retried after a growing pause (`persistently`), so that the retries do not occupy the
//!   processor.
//! - A defect while the engine closes ends the loop: durable bytes are kept, and the next start resumes from them.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt as _;

use crate::{
    EngineError, EngineEvent,
    context::{running::RunningTransfers, shared::EngineContext},
    platform::sync,
    scheduler::{
        event_loop::Scheduler,
        persistently::{pause, words_of},
    },
    store::StartableRequest,
};

/// After this run time, a new defect no longer counts as recurring.
const CALM: Duration = Duration::from_secs(600);
/// Interval between checks for running transfers, while all transfers are being stopped.
///
/// The end of a transfer also sends an event. The check finds transfers whose event went to the previous loop.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// Runs `work`, and after each defect starts another loop in its place, until the engine closes.
///
/// `reconcile` compares ledger and disk before the next loop, and returns the requests that continue.
pub(crate) async fn run_restarting(
    shared: Arc<EngineContext>,
    mut work: Scheduler,
    mut running: Vec<StartableRequest>,
    reconcile: impl AsyncFn(&Arc<EngineContext>) -> Result<Vec<StartableRequest>, EngineError>,
) {
    let mut defects = 0;
    loop {
        let began = sync::now();
        let Err(panic) = AssertUnwindSafe(work.run(running)).catch_unwind().await else { return };
        tracing::error!(why = words_of(&*panic), "scheduler ended by a panic; will be started again");
        if sync::now().duration_since(began) >= CALM {
            defects = 0;
        }
        running = loop {
            sync::asleep(pause(defects)).await;
            defects = defects.saturating_add(1);
            match AssertUnwindSafe(repair_after_panic(&shared, &mut work, &reconcile)).catch_unwind().await {
                Ok(Ok(_)) if work.is_closing => return,
                Ok(Ok(running)) => break running,
                Ok(Err(error)) => tracing::error!(%error, "scheduler restart failed; will retry"),
                Err(panic) => tracing::error!(why = words_of(&*panic), "scheduler restart failed; will retry"),
            }
        };
        work = Scheduler::new(Arc::clone(&shared), work.news, work.orders);
        work.copies_at_start(false);
        // Listeners may have missed events, including ends that must still be reported.
        shared.speaker.emit(EngineEvent::Lagged);
    }
}

/// Stops all transfers and reconciles ledger and disk. Returns the requests that continue.
async fn repair_after_panic(
    shared: &Arc<EngineContext>,
    work: &mut Scheduler,
    reconcile: &impl AsyncFn(&Arc<EngineContext>) -> Result<Vec<StartableRequest>, EngineError>,
) -> Result<Vec<StartableRequest>, EngineError> {
    loop {
        let progress = shared.transfers.progress();
        if progress.is_empty() {
            break;
        }
        progress.into_iter().for_each(|(guid, _)| shared.transfers.stop(guid));
        // The event can be dropped: the disk contains the same facts and is read below.
        let told = tokio::time::timeout(LOOK_AGAIN, work.news.recv()).await;
        if matches!(told, Ok(None)) {
            sync::asleep(LOOK_AGAIN).await;
        }
    }
    while work.news.try_recv().is_ok() {}
    shared.transfers.shut_down().await;
    if work.is_closing {
        return Ok(Vec::new());
    }
    // Read the folders again: a completed file that was not recorded is found by its additional hard link.
    shared.transfers.look_anew();
    *shared.live.write().await = RunningTransfers::default();
    shared.known.space().begin_anew();
    reconcile(shared).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheduler::persistently::persistently;

    #[test]
    fn pause_before_restart_grows_with_each_panic_up_to_maximum() {
        let pauses = [0, 1, 2, 3, 6, 31, 32, u32::MAX].map(|defects| pause(defects).as_millis());
        assert_eq!(pauses, [100, 200, 400, 800, 5000, 5000, 5000, 5000]);
    }

    #[tokio::test]
    async fn background_work_is_restarted_after_panic() {
        let mut times = 0;
        persistently("a test", || {
            times += 1;
            let is_last = times == 2;
            async move { assert!(is_last, "a test requested a panic") }
        })
        .await;
        assert_eq!(times, 2);
    }
}
