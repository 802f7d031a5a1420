//! When all is done, and what is to become of the machine then. [pure]
//!
//! All is done where nothing runs or waits any more that did so since somebody chose. What a person has paused since then holds it
//! up, for it is not done, and whoever pauses the last one has not finished. What failed does not: it was tried as often as the
//! settings say, the list keeps it and why, and a machine that stays on all night for it would help nobody.

use std::{collections::HashSet, time::Duration};

use ashore_engine::{ProgressTotals, UniqueId};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::engine::status::StatusSnapshot;

/// What is to become of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PowerAction {
    /// It stays as it is.
    #[default]
    Nothing,
    /// It sleeps.
    Sleep,
    /// It goes off.
    ShutDown,
}

/// What others know of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PowerActionStatus {
    /// What was chosen.
    pub then: PowerAction,
    /// All is done, and it happens in so many seconds.
    pub seconds: Option<u64>,
}

/// What was chosen, and how far it is.
#[derive(Debug, Default)]
pub struct PowerActionPlan {
    then: PowerAction,
    /// Paused when it was chosen, and since.
    spared: HashSet<UniqueId>,
    /// Something ran or waited since it was chosen.
    was_busy: bool,
    due: Option<Instant>,
}

impl PowerActionPlan {
    /// From now on it is this.
    pub fn choose(&mut self, then: PowerAction, known: &StatusSnapshot) {
        *self = Self { then, spared: known.paused.clone(), ..Self::default() };
    }

    /// Whether a countdown would begin with what is known.
    pub fn is_about_to_begin(&self, known: &StatusSnapshot) -> bool {
        self.due.is_none() && self.is_over(known)
    }

    /// Takes in what is known `now`: all is done, and `countdown` begins, or it is not any more, and ends.
    pub fn look(&mut self, known: &StatusSnapshot, now: Instant, countdown: Duration) {
        self.was_busy |= is_busy(&known.totals);
        self.spared.retain(|unique_id| known.paused.contains(unique_id));
        self.due = self.is_over(known).then(|| self.due.unwrap_or(now + countdown));
    }

    /// What is due by `now`, once.
    pub fn take_due(&mut self, now: Instant) -> Option<PowerAction> {
        self.due.filter(|due| *due <= now)?;
        Some(std::mem::take(self).then)
    }

    /// What others are told of it `now`.
    pub fn status(&self, now: Instant) -> PowerActionStatus {
        let seconds = self.due.map(|due| due.saturating_duration_since(now).as_millis().div_ceil(1000));
        PowerActionStatus { then: self.then, seconds: seconds.and_then(|seconds| u64::try_from(seconds).ok()) }
    }

    /// When something else is to be told, with nothing happening.
    pub fn next(&self, now: Instant) -> Option<Instant> {
        let left = self.due?.saturating_duration_since(now);
        // The whole seconds that are left after the one that is told.
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

    fn known(running: u32, waiting: u32, paused: &[char]) -> StatusSnapshot {
        let totals = ProgressTotals { running, waiting, ..ProgressTotals::default() };
        StatusSnapshot { totals, paused: paused.iter().map(|digit| id(*digit)).collect(), ..StatusSnapshot::default() }
    }

    /// Chosen while one runs, with these paused.
    fn chosen(then: PowerAction, paused: &[char]) -> (PowerActionPlan, Instant) {
        let (mut plan, now) = (PowerActionPlan::default(), Instant::now());
        plan.choose(then, &known(1, 0, paused));
        plan.look(&known(1, 0, paused), now, MINUTE);
        (plan, now)
    }

    #[test]
    fn it_counts_down_when_nothing_runs_or_waits_and_happens_once() {
        let (mut plan, now) = chosen(PowerAction::Sleep, &[]);
        plan.look(&known(0, 1, &[]), now, MINUTE);
        assert_eq!(plan.status(now), PowerActionStatus { then: PowerAction::Sleep, seconds: None });
        assert!(plan.is_about_to_begin(&known(0, 0, &[])));
        plan.look(&known(0, 0, &[]), now, MINUTE);
        assert!(!plan.is_about_to_begin(&known(0, 0, &[])), "it has begun");
        assert_eq!(plan.status(now).seconds, Some(60));
        let later = now + Duration::from_millis(500);
        plan.look(&known(0, 0, &[]), later, MINUTE);
        assert_eq!((plan.status(later).seconds, plan.next(later)), (Some(60), Some(now + Duration::from_secs(1))));
        assert_eq!(plan.take_due(now + Duration::from_millis(59_999)), None);
        assert_eq!(plan.take_due(now + MINUTE), Some(PowerAction::Sleep));
        plan.look(&known(1, 0, &[]), now, MINUTE);
        plan.look(&known(0, 0, &[]), now, MINUTE);
        assert_eq!((plan.status(now), plan.take_due(now + MINUTE)), (PowerActionStatus::default(), None), "it was for once");
    }

    #[test]
    fn what_begins_meanwhile_ends_the_countdown_and_the_next_is_a_whole_one() {
        let (mut plan, now) = chosen(PowerAction::ShutDown, &[]);
        plan.look(&known(0, 0, &[]), now, MINUTE);
        plan.look(&known(0, 1, &[]), now + MINUTE / 2, MINUTE);
        assert_eq!(plan.take_due(now + MINUTE), None);
        plan.look(&known(0, 0, &[]), now + MINUTE, MINUTE);
        assert_eq!(plan.status(now + MINUTE), PowerActionStatus { then: PowerAction::ShutDown, seconds: Some(60) });
    }

    #[test]
    fn what_was_chosen_while_nothing_ran_waits_for_something_to_run() {
        let (mut plan, now) = (PowerActionPlan::default(), Instant::now());
        plan.choose(PowerAction::ShutDown, &known(0, 0, &[]));
        plan.look(&known(0, 0, &[]), now, MINUTE);
        assert_eq!(plan.status(now).seconds, None);
        plan.look(&known(0, 1, &[]), now, MINUTE);
        plan.look(&known(0, 0, &[]), now, MINUTE);
        assert_eq!(plan.status(now).seconds, Some(60));
    }

    #[test]
    fn what_was_paused_since_holds_it_up_and_what_was_before_does_not() {
        let counts = |plan: &PowerActionPlan, now| plan.status(now).seconds.is_some();
        let (mut plan, now) = chosen(PowerAction::Sleep, &['1']);
        plan.look(&known(0, 0, &['1', '2']), now, MINUTE);
        assert!(!counts(&plan, now), "a person has paused the last one");
        plan.look(&known(1, 0, &['1']), now, MINUTE);
        plan.look(&known(0, 0, &['1']), now, MINUTE);
        assert!(counts(&plan, now));

        let (mut plan, now) = chosen(PowerAction::Sleep, &['1']);
        plan.look(&known(1, 0, &[]), now, MINUTE);
        plan.look(&known(0, 0, &['1']), now, MINUTE);
        assert!(!counts(&plan, now), "it went on, and was paused again");
    }

    #[test]
    fn nothing_is_done_where_all_is_paused_or_nobody_knows() {
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
    fn another_choice_begins_anew() {
        let (mut plan, now) = chosen(PowerAction::ShutDown, &[]);
        plan.look(&known(0, 0, &[]), now, MINUTE);
        plan.choose(PowerAction::Nothing, &known(0, 0, &[]));
        plan.look(&known(0, 0, &[]), now, MINUTE);
        assert_eq!((plan.status(now), plan.take_due(now + MINUTE), plan.next(now)), (PowerActionStatus::default(), None, None));
    }
}
