//! Performs the one-time work of a first start and of the first start after an update.
//!
//! The work is complete and recorded before anything starts. Called by `startup`, and again by the loop as long as a
//! step fails. No step needs a network.
//!
//! - `plan` decides which steps are due, which failed steps keep the gate closed (which stops all downloads), and when
//!   a failure is retried. `steps` performs the steps.
//! - Every step can be repeated safely. After a failure, nothing is recorded, so the retry begins again with the first
//!   due step.
//! - A missing keychain or notification service is recorded and blocks nothing: see `plan`.

mod plan;
mod services;
pub(crate) mod steps;

use ashore_messages::{UserMessage, message};

use crate::{
    EngineError,
    context::shared::EngineContext,
    gates::UnfinishedWork,
    model::{BootstrapState, BootstrapStatus, BootstrapStep},
    store::BootstrapRow,
};

use plan::{FirstRunObstacle, PreviousInstall, VERSION, due, is_due, retry_after};

/// Performs the due steps. A failure closes the gate, which stops all downloads, until a retry succeeds.
///
/// If `is_wanted` is true, a retry runs even before its time.
pub(crate) async fn finish(shared: &EngineContext, is_wanted: bool) -> Result<(), EngineError> {
    let recorded = shared.store.bootstrap_version().await?;
    if recorded >= VERSION {
        return Ok(());
    }
    let now = shared.env.now();
    let before = shared.known.unfinished().clone();
    if before.as_ref().is_some_and(|before| !is_wanted && !is_due(before, now)) {
        return Ok(());
    }
    let performed = perform(recorded, |step| steps::perform(shared, step)).await;
    let failed = match performed {
        Ok(found) => {
            let unwritten = record(shared, &found).await.err();
            unwritten.map(|error| (BootstrapStep::Ledger, message!("fault-start.unrecorded", why = error.message())))
        }
        Err(failed) => Some(failed),
    };
    *shared.known.unfinished() = failed.map(|(step, why)| {
        tracing::warn!(?step, why = why.text, "first-run setup did not finish; will retry");
        let failures = before.map_or(0, |before| before.failures) + 1;
        let after = i64::try_from(retry_after(failures).as_micros()).unwrap_or(i64::MAX);
        UnfinishedWork { step, why, failures, next_us: now.saturating_add(after) }
    });
    Ok(())
}

/// Returns every step with its state, without changing anything.
///
/// Checks again whether services that were recorded as missing exist now, because the first start may have been without
/// a desktop. Reports the mode of the data folder as it was recorded.
pub(crate) async fn statuses(shared: &EngineContext) -> Result<Vec<BootstrapStatus>, EngineError> {
    let rows = shared.store.bootstrap_steps().await?;
    let unfinished = shared.known.unfinished().clone();
    let mut statuses = Vec::new();
    for (step, since) in plan::STEPS {
        let status = plan::status(step, since, &rows, unfinished.as_ref());
        statuses.push(match status.state {
            BootstrapState::NotAvailable if step != BootstrapStep::DataFolder && steps::perform(shared, step).await.is_ok() => {
                BootstrapStatus { state: BootstrapState::Done, text: String::new(), message: None, ..status }
            }
            _ => status,
        });
    }
    Ok(statuses)
}

/// Performs every due step after the version `recorded`, in order.
///
/// Fails at the first failed step that keeps the gate closed. The error is this step and the reason. The reason
/// completes the sentence "The first start is not finished: ...".
async fn perform<Performed: Future<Output = Result<(), FirstRunObstacle>>>(
    recorded: i64,
    mut step: impl FnMut(BootstrapStep) -> Performed,
) -> Result<Vec<(BootstrapStep, PreviousInstall)>, (BootstrapStep, UserMessage)> {
    let mut found = Vec::new();
    for due in due(recorded) {
        match step(due).await {
            Ok(()) => found.push((due, PreviousInstall::Done)),
            Err(FirstRunObstacle::HoldsGate(why)) => return Err((due, why)),
            Err(FirstRunObstacle::Missing(why)) => found.push((due, PreviousInstall::Missing(why))),
        }
    }
    Ok(found)
}

async fn record(shared: &EngineContext, found: &[(BootstrapStep, PreviousInstall)]) -> Result<(), EngineError> {
    let mut ledger = shared.store.begin().await?;
    for (step, found) in found {
        let missing = match found {
            PreviousInstall::Done => String::new(),
            PreviousInstall::Missing(why) => {
                tracing::info!(?step, why = why.text, "not available here");
                serde_json::to_string(why).unwrap_or_else(|_| why.text.clone())
            }
        };
        let row = BootstrapRow { step: step.word().to_owned(), version: VERSION, missing };
        ledger.record_bootstrap_step(&row, shared.env.now()).await?;
    }
    ledger.record_bootstrap_version(VERSION).await?;
    ledger.commit().await
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use super::*;

    #[tokio::test]
    async fn first_run_stops_at_failure_that_blocks_downloads() {
        let mut performed = Vec::new();
        let failed = perform(0, |step| {
            performed.push(step);
            ready(if step == BootstrapStep::DownloadFolder {
                Err(FirstRunObstacle::HoldsGate(message!("fault-start.bus-silent")))
            } else {
                Ok(())
            })
        })
        .await
        .unwrap_err();
        assert_eq!(failed, (BootstrapStep::DownloadFolder, message!("fault-start.bus-silent")));
        assert_eq!(performed.last(), Some(&BootstrapStep::DownloadFolder), "nothing after it");
    }

    #[tokio::test]
    async fn first_run_continues_after_recording_missing_service() {
        let found = perform(0, |step| {
            ready(if step == BootstrapStep::Keychain {
                Err(FirstRunObstacle::Missing(message!("fault-start.bus-silent")))
            } else {
                Ok(())
            })
        })
        .await
        .unwrap();
        assert_eq!(found.len(), plan::STEPS.len());
        assert!(found.contains(&(BootstrapStep::Keychain, PreviousInstall::Missing(message!("fault-start.bus-silent")))));
        assert!(found.contains(&(BootstrapStep::Notifications, PreviousInstall::Done)));
    }

    #[tokio::test]
    async fn first_start_after_update_performs_only_new_steps() {
        let mut performed = Vec::new();
        perform(1, |step| {
            performed.push(step);
            ready(Ok(()))
        })
        .await
        .unwrap();
        use BootstrapStep::{Defaults, Keychain, Ledger, Notifications};
        assert_eq!(performed, [Ledger, Defaults, Keychain, Notifications]);
        assert_eq!(
            perform(VERSION, |_| ready(Err(FirstRunObstacle::Missing(message!("fault-start.bus-silent"))))).await.unwrap(),
            []
        );
    }
}
