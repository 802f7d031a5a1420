//! Decides which steps of a first start are due, which of them keep the gate closed, and when a failed step is retried.
//! Called by `first_run`. [pure]
//!
//! - A closed gate stops all downloads. A failed step keeps the gate closed if nothing can be fetched without the step.
//!   These steps concern a ledger of this version, its defaults, a download folder, and a data folder of this user.
//! - After any other failure, the feature that the step checks is recorded as missing and nothing waits for it. Ashore
//!   therefore works on a machine without a desktop. Without a keychain, sign-ins are stored in a file. Without a
//!   notification service, the list shows the results. On a file system without modes, the data folder cannot be made
//!   private.

use std::time::Duration;

use ashore_messages::UserMessage;

use crate::{
    gates::UnfinishedWork,
    model::{BootstrapState, BootstrapStatus, BootstrapStep},
    store::BootstrapRow,
};

/// Steps in the order of execution. The number is the version that added or last changed the step.
pub(super) const STEPS: [(BootstrapStep, i64); 6] = [
    (BootstrapStep::DataFolder, 1),
    (BootstrapStep::Ledger, 2),
    (BootstrapStep::Defaults, 2),
    (BootstrapStep::DownloadFolder, 1),
    (BootstrapStep::Keychain, 2),
    (BootstrapStep::Notifications, 2),
];

/// Version recorded after all steps: the newest version in [`STEPS`].
pub(super) const VERSION: i64 = 2;

/// Delay between the first failure and its retry. Each further failure doubles the delay.
const FIRST_RETRY: Duration = Duration::from_secs(1);
/// Maximum delay between two attempts. The message of the gate states this delay.
const LAST_RETRY: Duration = Duration::from_secs(60);

/// Reason why a step failed, as the end of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FirstRunObstacle {
    /// Nothing may start until the step succeeds.
    HoldsGate(UserMessage),
    /// The feature that the step checks is recorded as missing on this machine. Nothing waits for it.
    Missing(UserMessage),
}

/// Outcome of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PreviousInstall {
    Done,
    /// The feature that the step checks is not available. The message states the reason.
    Missing(UserMessage),
}

/// Returns the steps that were added or changed after the version `recorded`.
///
/// All earlier steps are done.
pub(super) fn due(recorded: i64) -> impl Iterator<Item = BootstrapStep> {
    STEPS.into_iter().filter(move |(_, since)| *since > recorded).map(|(step, _)| step)
}

/// Returns the delay between the latest failure and the next try. `failures` is the number of failures.
pub(super) fn retry_after(failures: u32) -> Duration {
    FIRST_RETRY.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1))).min(LAST_RETRY)
}

/// Whether the retry of `unfinished` is due. A clock that was set back does not delay the retry.
pub(super) fn is_due(unfinished: &UnfinishedWork, now_us: i64) -> bool {
    let left = unfinished.next_us.saturating_sub(now_us);
    left <= 0 || Duration::from_micros(left.unsigned_abs()) > LAST_RETRY
}

/// Returns the status of a step for display. `since` is the version that added or last changed the step.
pub(super) fn status(
    step: BootstrapStep,
    since: i64,
    rows: &[BootstrapRow],
    unfinished: Option<&UnfinishedWork>,
) -> BootstrapStatus {
    let status = |state| BootstrapStatus { step, state, text: String::new(), message: None };
    let because = |state, why: UserMessage| BootstrapStatus { text: why.text.clone(), message: Some(why), ..status(state) };
    if let Some(failed) = unfinished.filter(|failed| failed.step == step) {
        return because(BootstrapState::Failed, failed.why.clone());
    }
    match rows.iter().find(|row| row.step == step.word() && row.version >= since) {
        None => status(BootstrapState::Due),
        Some(row) if row.missing.is_empty() => status(BootstrapState::Done),
        Some(row) => match serde_json::from_str(&row.missing) {
            Ok(why) => because(BootstrapState::NotAvailable, why),
            // Rows of an earlier version contain only the text of the message.
            Err(_) => BootstrapStatus { text: row.missing.clone(), ..status(BootstrapState::NotAvailable) },
        },
    }
}

#[cfg(test)]
mod tests {
    use ashore_messages::message;

    use super::*;

    #[test]
    fn recorded_first_run_version_equals_version_of_newest_step() {
        assert_eq!(STEPS.iter().map(|(_, since)| *since).max(), Some(VERSION));
        assert_eq!(due(0).count(), STEPS.len());
        assert_eq!(due(VERSION).count(), 0);
        assert!(!due(1).any(|step| step == BootstrapStep::DataFolder));
    }

    #[test]
    fn retry_delay_doubles_up_to_one_minute() {
        let seconds: Vec<u64> = (1..=9).map(|failures| retry_after(failures).as_secs()).collect();
        assert_eq!(seconds, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
        assert_eq!(retry_after(u32::MAX), LAST_RETRY);
    }

    #[test]
    fn first_run_retry_is_due_after_delay_or_clock_change() {
        let failed = UnfinishedWork {
            step: BootstrapStep::Ledger,
            why: message!("fault-start.bus-silent"),
            failures: 3,
            next_us: 100_000_000,
        };
        assert!(!is_due(&failed, 99_999_999));
        assert!(is_due(&failed, 100_000_000));
        assert!(is_due(&failed, -1_000_000_000));
    }

    #[test]
    fn current_failure_of_first_run_step_overrides_its_recorded_state() {
        let (step, missing) = (BootstrapStep::Keychain, "there is no session bus".to_owned());
        let row =
            |version, missing: &str| vec![BootstrapRow { step: step.word().to_owned(), version, missing: missing.to_owned() }];
        let state = |rows: &[BootstrapRow], failed: Option<&UnfinishedWork>| status(step, 2, rows, failed).state;
        assert_eq!(state(&[], None), BootstrapState::Due);
        assert_eq!(state(&row(1, ""), None), BootstrapState::Due, "of an older version");
        assert_eq!(state(&row(2, ""), None), BootstrapState::Done);
        let found = status(step, 2, &row(3, &missing), None);
        assert_eq!(found, BootstrapStatus { step, state: BootstrapState::NotAvailable, text: missing, message: None });
        assert_eq!(found.reason().text, found.text);
        let why = message!("fault-start.bus-silent");
        let found = status(step, 2, &row(3, &serde_json::to_string(&why).unwrap()), None);
        assert_eq!((found.text.as_str(), found.reason()), (why.text.as_str(), why.clone()));
        let failed = UnfinishedWork { step, why, failures: 1, next_us: 0 };
        assert_eq!(state(&row(2, ""), Some(&failed)), BootstrapState::Failed);
    }
}
