//! Decides when all downloads have ended and the power action is due. [pure]
//!
//! - All downloads have ended if none runs or waits, and at least one has run or waited since the choice.
//! - A download that the user paused after the choice delays the action, because the download is not complete.
//! - A failed download does not delay the action. It has no retries left, and the list shows the reason.

use std::{collections::HashSet, time::Duration};

use ashore_engine::{ProgressTotals, UniqueId};
use tokio::time::Instant;

use crate::{
    engine::status::StatusSnapshot,
    system::power_action::state::{PowerAction, PowerActionStatus},
};

/// Chosen action and its progress.
#[derive(Debug, Default)]
pub struct PowerActionPlan {
    then: PowerAction,
    /// Registrations that were already paused when the action was chosen.
    spared: HashSet<UniqueId>,
    /// Whether a registration has run or waited since the choice.
    was_busy: bool,
    due: Option<Instant>,
}

impl PowerActionPlan {
    /// Chooses the action, and cancels a running countdown.
    pub fn choose(&mut self, then: PowerAction, known: &StatusSnapshot) {
        *self = Self { then, spared: known.paused.clone(), ..Self::default() };
    }

    /// Whether a countdown is running.
    pub fn is_counting_down(&self) -> bool {
        self.due.is_some()
    }

    /// Whether the status `known` would begin or cancel a countdown.
    pub fn would_change(&self, known: &StatusSnapshot) -> bool {
        self.is_counting_down() != self.is_over(known)
    }

    /// Applies the status `known`. Begins the countdown if all downloads have ended, or else cancels it.
    pub fn look(&mut self, known: &StatusSnapshot, now: Instant, countdown: Duration) {
        self.was_busy |= is_busy(&known.totals);
        self.spared.retain(|unique_id| known.paused.contains(unique_id));
        self.due = self.is_over(known).then(|| self.due.unwrap_or(now + countdown));
    }

    /// Returns the action if it is due at `now`. Returns each action only once.
    pub fn take_due(&mut self, now: Instant) -> Option<PowerAction> {
        self.due.filter(|due| *due <= now)?;
        Some(std::mem::take(self).then)
    }

    /// Returns the state to report at `now`.
    pub fn status(&self, now: Instant) -> PowerActionStatus {
        let seconds = self.due.map(|due| due.saturating_duration_since(now).as_millis().div_ceil(1000));
        PowerActionStatus { then: self.then, seconds: seconds.and_then(|seconds| u64::try_from(seconds).ok()) }
    }

    /// Returns the time at which the reported seconds next change, if no event arrives.
    pub fn next(&self, now: Instant) -> Option<Instant> {
        let left = self.due?.saturating_duration_since(now);
        // Next value of the reported seconds.
        let after = u64::try_from(left.as_millis().div_ceil(1000).saturating_sub(1)).ok()?;
        Some(now + left.saturating_sub(Duration::from_secs(after)))
    }

    fn is_over(&self, known: &StatusSnapshot) -> bool {
        let is_quiet = !is_busy(&known.totals) && !known.totals.paused && !known.is_shut;
        self.then != PowerAction::Nothing && self.was_busy && is_quiet && known.paused.is_subset(&self.spared)
    }
}

fn is_busy(totals: &ProgressTotals) -> bool {
    totals.running > 0 || totals.waiting > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn id(digit: char) -> UniqueId {
        format!("6a2ab1c0-1111-4222-8333-44445555666{digit}").parse().unwrap()
    }

    fn status_with(running: u32, waiting: u32, paused: &[char]) -> StatusSnapshot {
        let totals = ProgressTotals { running, waiting, ..ProgressTotals::default() };
        StatusSnapshot { totals, paused: paused.iter().map(|digit| id(*digit)).collect(), ..StatusSnapshot::default() }
    }

    /// Returns a plan with a chosen action. When the action was chosen, one registration was running, and the
    /// registrations in `paused` were paused.
    fn chosen(then: PowerAction, paused: &[char]) -> (PowerActionPlan, Instant) {
        let (mut plan, now) = (PowerActionPlan::default(), Instant::now());
        plan.choose(then, &status_with(1, 0, paused));
        plan.look(&status_with(1, 0, paused), now, MINUTE);
        (plan, now)
    }

    #[test]
    fn power_action_countdown_starts_when_idle_and_runs_action_once() {
        let (mut plan, now) = chosen(PowerAction::Sleep, &[]);
        plan.look(&status_with(0, 1, &[]), now, MINUTE);
        assert_eq!(plan.status(now), PowerActionStatus { then: PowerAction::Sleep, seconds: None });
        assert!(plan.would_change(&status_with(0, 0, &[])));
        plan.look(&status_with(0, 0, &[]), now, MINUTE);
        assert!(!plan.would_change(&status_with(0, 0, &[])) && plan.would_change(&status_with(1, 0, &[])), "it has begun");
        assert_eq!(plan.status(now).seconds, Some(60));
        let later = now + Duration::from_millis(500);
        plan.look(&status_with(0, 0, &[]), later, MINUTE);
        assert_eq!((plan.status(later).seconds, plan.next(later)), (Some(60), Some(now + Duration::from_secs(1))));
        assert_eq!(plan.take_due(now + Duration::from_millis(59_999)), None);
        assert_eq!(plan.take_due(now + MINUTE), Some(PowerAction::Sleep));
        plan.look(&status_with(1, 0, &[]), now, MINUTE);
        plan.look(&status_with(0, 0, &[]), now, MINUTE);
        assert_eq!((plan.status(now), plan.take_due(now + MINUTE)), (PowerActionStatus::default(), None), "it was for once");
    }

    #[test]
    fn countdown_is_cancelled_by_new_download_and_later_starts_over() {
        let (mut plan, now) = chosen(PowerAction::ShutDown, &[]);
        plan.look(&status_with(0, 0, &[]), now, MINUTE);
        plan.look(&status_with(0, 1, &[]), now + MINUTE / 2, MINUTE);
        assert_eq!(plan.take_due(now + MINUTE), None);
        plan.look(&status_with(0, 0, &[]), now + MINUTE, MINUTE);
        assert_eq!(plan.status(now + MINUTE), PowerActionStatus { then: PowerAction::ShutDown, seconds: Some(60) });
    }

    #[test]
    fn power_action_waits_for_end_of_next_download_if_chosen_while_idle() {
        let (mut plan, now) = (PowerActionPlan::default(), Instant::now());
        plan.choose(PowerAction::ShutDown, &status_with(0, 0, &[]));
        plan.look(&status_with(0, 0, &[]), now, MINUTE);
        assert_eq!(plan.status(now).seconds, None);
        plan.look(&status_with(0, 1, &[]), now, MINUTE);
        plan.look(&status_with(0, 0, &[]), now, MINUTE);
        assert_eq!(plan.status(now).seconds, Some(60));
    }

    #[test]
    fn countdown_does_not_start_if_user_pauses_download_after_choosing_power_action() {
        let counts = |plan: &PowerActionPlan, now| plan.status(now).seconds.is_some();
        let (mut plan, now) = chosen(PowerAction::Sleep, &['1']);
        plan.look(&status_with(0, 0, &['1', '2']), now, MINUTE);
        assert!(!counts(&plan, now), "a person has paused the last one");
        plan.look(&status_with(1, 0, &['1']), now, MINUTE);
        plan.look(&status_with(0, 0, &['1']), now, MINUTE);
        assert!(counts(&plan, now));

        let (mut plan, now) = chosen(PowerAction::Sleep, &['1']);
        plan.look(&status_with(1, 0, &[]), now, MINUTE);
        plan.look(&status_with(0, 0, &['1']), now, MINUTE);
        assert!(!counts(&plan, now), "the download was resumed and paused again");
    }

    #[test]
    fn power_action_countdown_does_not_start_while_list_is_paused_or_unavailable() {
        for unknown in [
            StatusSnapshot { is_shut: true, ..StatusSnapshot::default() },
            StatusSnapshot { totals: ProgressTotals { paused: true, ..ProgressTotals::default() }, ..StatusSnapshot::default() },
        ] {
            let (mut plan, now) = chosen(PowerAction::ShutDown, &[]);
            plan.look(&unknown, now, MINUTE);
            assert_eq!(plan.status(now).seconds, None);
        }
    }

    #[test]
    fn new_choice_of_power_action_resets_countdown() {
        let (mut plan, now) = chosen(PowerAction::ShutDown, &[]);
        plan.look(&status_with(0, 0, &[]), now, MINUTE);
        plan.choose(PowerAction::Nothing, &status_with(0, 0, &[]));
        plan.look(&status_with(0, 0, &[]), now, MINUTE);
        assert_eq!((plan.status(now), plan.take_due(now + MINUTE), plan.next(now)), (PowerActionStatus::default(), None, None));
    }
}
