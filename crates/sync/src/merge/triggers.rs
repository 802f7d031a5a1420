//! Decides when the next sync cycle is due, and how much it syncs. [pure]

use crate::merge::SyncBackoff;

/// Delay after a change, so that one cycle sends all changes of one action.
const CHANGE_DELAY_MS: i64 = 10_000;
/// Time between two cycles if there is no trigger.
const INTERVAL_MS: i64 = 5 * 60 * 1000;

/// Triggers that make a cycle due. All times are in milliseconds. `None` means that there is no such trigger.
///
/// The caller clears a trigger after a successful cycle that began after the trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyncTriggers {
    /// End of the last cycle, successful or not.
    pub last_cycle_ms: Option<i64>,
    /// Time of the first change that waits for upload. Later changes do not move this time. Otherwise, a list that
    /// changes all the time would never be uploaded.
    pub change_ms: Option<i64>,
    /// Time at which a sent download began to wait for upload, or at which the server reported a change of `dl-sends`.
    pub send_ms: Option<i64>,
    /// Time at which the server reported a change of a collection other than `dl-sends`.
    pub event_ms: Option<i64>,
    /// Time at which the network changed, or at which the machine woke up from suspend.
    pub network_ms: Option<i64>,
    /// Time at which a user requested a sync.
    pub person_ms: Option<i64>,
    /// Whether the machine is online.
    pub is_online: bool,
    /// Whether the connection is metered.
    pub is_metered: bool,
}

impl SyncTriggers {
    /// Returns the triggers that remain after the cycle `done`.
    ///
    /// A successful cycle clears the triggers of its scope. With the scope `SendsOnly`, the triggers of other changes
    /// remain.
    ///
    /// After a failed cycle, all triggers remain. However, the sync request of a user becomes an ordinary event.
    /// Otherwise, it would make the next cycle due at once, again and again.
    pub fn after(self, done: &DueCycle, ended_ms: i64, is_success: bool) -> Self {
        if !is_success {
            let event_ms = self.event_ms.or(self.person_ms);
            return Self { event_ms, person_ms: None, last_cycle_ms: Some(ended_ms), ..self };
        }
        let rest = Self { send_ms: None, person_ms: None, last_cycle_ms: Some(ended_ms), ..self };
        match done.scope {
            CycleScope::Everything => Self { change_ms: None, event_ms: None, network_ms: None, ..rest },
            CycleScope::SendsOnly => rest,
        }
    }
}

/// Collections that a cycle syncs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CycleScope {
    /// All collections.
    #[default]
    Everything,
    /// Only the collections of devices and sends. For metered connections.
    SendsOnly,
}

/// Next cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueCycle {
    /// Due time of the cycle. Never before `now_ms`.
    pub at_ms: i64,
    /// Collections that the cycle syncs.
    pub scope: CycleScope,
}

/// Returns the next cycle, or `None` if no cycle is due until a trigger changes.
pub fn next_cycle(now_ms: i64, triggers: &SyncTriggers, backoff: &SyncBackoff) -> Option<DueCycle> {
    if !triggers.is_online {
        return None;
    }
    // A trigger in the future means that the clock was set back. Treat it as due now.
    let after = |ms: i64, delay_ms: i64| if ms > now_ms { now_ms } else { ms.saturating_add(delay_ms).max(now_ms) };
    let due = |at_ms: i64, scope: CycleScope, is_person: bool| {
        let at_ms = at_ms.max(backoff.next_attempt(now_ms, is_person));
        DueCycle { at_ms, scope }
    };
    let person = triggers.person_ms.map(|ms| due(after(ms, 0), CycleScope::Everything, true));
    let send_scope = if triggers.is_metered { CycleScope::SendsOnly } else { CycleScope::Everything };
    let send = triggers.send_ms.map(|ms| due(after(ms, 0), send_scope, false));
    let others = [
        triggers.change_ms.map(|ms| after(ms, CHANGE_DELAY_MS)),
        triggers.event_ms.map(|ms| after(ms, 0)),
        triggers.network_ms.map(|ms| after(ms, 0)),
        Some(triggers.last_cycle_ms.map_or(now_ms, |ms| after(ms, INTERVAL_MS))),
    ];
    let other = others.into_iter().flatten().min().filter(|_| !triggers.is_metered);
    let other = other.map(|ms| due(ms, CycleScope::Everything, false));
    // Sort the cycles by scope, widest scope first: if several cycles are due at the same time, the first one does the
    // work of the others.
    [person, other, send].into_iter().flatten().min_by_key(|cycle| cycle.at_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_000_000;

    fn idle() -> SyncTriggers {
        SyncTriggers {
            last_cycle_ms: Some(NOW),
            change_ms: None,
            send_ms: None,
            event_ms: None,
            network_ms: None,
            person_ms: None,
            is_online: true,
            is_metered: false,
        }
    }

    fn next(triggers: SyncTriggers) -> Option<(i64, CycleScope)> {
        let cycle = next_cycle(NOW, &triggers, &SyncBackoff::default());
        cycle.map(|cycle| (cycle.at_ms - NOW, cycle.scope))
    }

    #[test]
    fn cycle_is_due_after_each_trigger() {
        let all = CycleScope::Everything;
        assert_eq!(next(idle()), Some((300_000, all)));
        assert_eq!(next(SyncTriggers { last_cycle_ms: None, ..idle() }), Some((0, all)));
        assert_eq!(next(SyncTriggers { change_ms: Some(NOW - 4000), ..idle() }), Some((6000, all)));
        assert_eq!(next(SyncTriggers { event_ms: Some(NOW), ..idle() }), Some((0, all)));
        assert_eq!(next(SyncTriggers { network_ms: Some(NOW - 1), ..idle() }), Some((0, all)));
        assert_eq!(next(SyncTriggers { send_ms: Some(NOW), ..idle() }), Some((0, all)));
        let both = SyncTriggers { person_ms: Some(NOW), event_ms: Some(NOW), ..idle() };
        assert_eq!(next(both), Some((0, all)));
    }

    #[test]
    fn offline_machine_runs_no_sync_cycle() {
        let all = SyncTriggers { person_ms: Some(NOW), send_ms: Some(NOW), is_online: false, ..idle() };
        assert_eq!(next(all), None);
    }

    #[test]
    fn metered_connection_allows_only_sent_downloads_and_user_commands() {
        let quiet = SyncTriggers { change_ms: Some(0), event_ms: Some(0), network_ms: Some(0), is_metered: true, ..idle() };
        assert_eq!(next(quiet), None);
        assert_eq!(next(SyncTriggers { send_ms: Some(NOW), ..quiet }), Some((0, CycleScope::SendsOnly)));
        let person = SyncTriggers { send_ms: Some(NOW), person_ms: Some(NOW), ..quiet };
        assert_eq!(next(person), Some((0, CycleScope::Everything)));
    }

    #[test]
    fn cycle_for_sent_downloads_clears_only_their_trigger() {
        let all = SyncTriggers { change_ms: Some(1), event_ms: Some(2), send_ms: Some(3), network_ms: Some(4), ..idle() };
        let of = |scope: CycleScope| DueCycle { at_ms: NOW, scope };
        assert_eq!(all.after(&of(CycleScope::Everything), NOW, true), idle());
        let left = SyncTriggers { send_ms: None, ..all };
        assert_eq!(all.after(&of(CycleScope::SendsOnly), NOW, true), left);
    }

    #[test]
    fn failed_cycle_is_repeated_after_backoff_without_waiting_for_interval() {
        let cycle = DueCycle { at_ms: NOW, scope: CycleScope::Everything };
        let sends = SyncTriggers { send_ms: Some(NOW - 1), ..idle() };
        let mut backoff = SyncBackoff::default();
        backoff.on_failure(NOW, u64::MAX);
        assert_eq!(next_cycle(NOW, &sends.after(&cycle, NOW, false), &backoff).unwrap().at_ms, NOW + 5000);
        let person = SyncTriggers { person_ms: Some(NOW - 1), ..idle() };
        assert_eq!(next_cycle(NOW, &person.after(&cycle, NOW, false), &backoff).unwrap().at_ms, NOW + 5000);
    }

    #[test]
    fn backoff_delays_only_automatic_cycles_but_retry_after_delays_every_cycle() {
        let mut backoff = SyncBackoff::default();
        backoff.on_response(NOW, None, Some(60));
        let event = SyncTriggers { event_ms: Some(NOW), ..idle() };
        assert_eq!(next_cycle(NOW, &event, &backoff).unwrap().at_ms, NOW + 60_000);
        let person = SyncTriggers { person_ms: Some(NOW), ..event };
        assert_eq!(next_cycle(NOW, &person, &backoff).unwrap().at_ms, NOW);
        backoff.on_response(NOW, Some(30), None);
        assert_eq!(next_cycle(NOW, &person, &backoff).unwrap().at_ms, NOW + 30_000);
    }

    #[test]
    fn cycle_is_due_if_clock_is_set_back() {
        let late = SyncTriggers { last_cycle_ms: Some(NOW + 3_600_000), ..idle() };
        assert_eq!(next(late), Some((0, CycleScope::Everything)));
    }
}
