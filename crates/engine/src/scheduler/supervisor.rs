//! Keeps the loop alive: a defect in it is logged, what runs is stopped with its bytes durable, and a new loop goes on from the
//! ledger and the disk, as at a start. `startup` runs this on the loop's thread.
//!
//! - A defect that comes back is tried again after a pause that grows (`persistently`), so that it costs no processor.
//! - A defect while the engine closes ends the loop: what was durable stays so, and the next start goes on.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt as _;

use crate::{
    Error, Event,
    context::{running::Live, shared::Shared},
    platform::sync,
    scheduler::{
        event_loop::Loop,
        persistently::{pause, words_of},
    },
    store::Activated,
};

/// A loop that has run for so long has no defect that comes back at once.
const CALM: Duration = Duration::from_secs(600);
/// Between two looks whether what ran has stopped. Its end is told as well; this is for one that was told to a loop that is gone.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// Runs `work`, and after each defect another loop in its place, until the engine closes. `reconcile` compares ledger and disk
/// before the next loop, and returns the requests that continue.
pub(crate) async fn run_restarting(
    shared: Arc<Shared>,
    mut work: Loop,
    mut running: Vec<Activated>,
    reconcile: impl AsyncFn(&Arc<Shared>) -> Result<Vec<Activated>, Error>,
) {
    let mut defects = 0;
    loop {
        let began = sync::now();
        let Err(panic) = AssertUnwindSafe(work.run(running)).catch_unwind().await else { return };
        tracing::error!(why = words_of(&*panic), "the scheduler ended by a defect of Ashore; it is started again");
        if sync::now().duration_since(began) >= CALM {
            defects = 0;
        }
        running = loop {
            sync::asleep(pause(defects)).await;
            defects = defects.saturating_add(1);
            match AssertUnwindSafe(mend(&shared, &mut work, &reconcile)).catch_unwind().await {
                Ok(Ok(_)) if work.is_closing => return,
                Ok(Ok(running)) => break running,
                Ok(Err(error)) => tracing::error!(%error, "the scheduler could not be started again; trying again"),
                Err(panic) => tracing::error!(why = words_of(&*panic), "the scheduler could not be started again; trying again"),
            }
        };
        work = Loop::new(Arc::clone(&shared), work.news, work.orders);
        work.copies_at_start(false);
        // Listeners may have missed events, also those that are owed.
        shared.speaker.say(Event::Lagged);
    }
}

/// Stops what runs, and brings ledger and disk together. Returns what goes on.
async fn mend(
    shared: &Arc<Shared>,
    work: &mut Loop,
    reconcile: &impl AsyncFn(&Arc<Shared>) -> Result<Vec<Activated>, Error>,
) -> Result<Vec<Activated>, Error> {
    loop {
        let progress = shared.transfers.progress();
        if progress.is_empty() {
            break;
        }
        progress.into_iter().for_each(|(guid, _)| shared.transfers.stop(guid));
        // Their news can be dropped: the disk holds the same facts, and is read below.
        let told = tokio::time::timeout(LOOK_AGAIN, work.news.recv()).await;
        if matches!(told, Ok(None)) {
            sync::asleep(LOOK_AGAIN).await;
        }
    }
    while work.news.try_recv().is_ok() {}
    shared.transfers.rest().await;
    if work.is_closing {
        return Ok(Vec::new());
    }
    // The folders are read anew: what completed and was not written down is found by its second name.
    shared.transfers.look_anew();
    *shared.live.write().await = Live::default();
    shared.known.space().begin_anew();
    reconcile(shared).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheduler::persistently::persistently;

    #[test]
    fn pause_after_defects_grows_and_is_bounded() {
        let pauses = [0, 1, 2, 3, 6, 31, 32, u32::MAX].map(|defects| pause(defects).as_millis());
        assert_eq!(pauses, [100, 200, 400, 800, 5000, 5000, 5000, 5000]);
    }

    #[tokio::test]
    async fn work_beside_the_loop_begins_again_after_each_defect() {
        let mut times = 0;
        persistently("a test", || {
            times += 1;
            let is_last = times == 2;
            async move { assert!(is_last, "a test wants a defect") }
        })
        .await;
        assert_eq!(times, 2);
    }
}
