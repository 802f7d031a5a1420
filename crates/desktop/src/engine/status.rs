//! Status of all downloads, for the tray and the taskbar.
//!
//! The status has totals, running downloads, and failures that the user has not seen. The tray and the taskbar have
//! different update rates.

use std::collections::HashSet;

use ashore_engine::{EngineEvent, FailureReason, ProgressTotals, Registration, RegistrationResult, RegistrationState, UniqueId};
use tokio::sync::watch;

use crate::system::power_action::state::PowerActionStatus;

/// Status that other parts can subscribe to.
pub struct EngineStatus(watch::Sender<StatusSnapshot>);

/// Status at one moment.
#[derive(Clone, Debug, Default)]
pub struct StatusSnapshot {
    /// Totals of all registrations.
    pub totals: ProgressTotals,
    /// Running registrations, in the order of their creation.
    pub running: Vec<RunningStatus>,
    /// Whether the list could not be opened.
    pub is_shut: bool,
    /// Counter that forces a redraw of the menu.
    ///
    /// Incremented after a change of the language. Also incremented after a choice in the menu, because a panel may
    /// have ticked the chosen item already.
    pub touches: u32,
    /// Registrations that the user paused.
    pub paused: HashSet<UniqueId>,
    /// Power action that follows when the last download ends.
    pub afterwards: PowerActionStatus,
    /// Registrations that failed since the user last looked at the window.
    pub unseen: HashSet<UniqueId>,
    /// Number of events so far. If it changes while the status is read from the engine, the result may be outdated.
    pub heard: u64,
}

/// Running registration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningStatus {
    /// Id of the registration.
    pub unique_id: UniqueId,
    /// Title from the creator or the server.
    pub title: String,
    /// Bytes received, or bytes sent during an upload.
    pub there: u64,
    /// Total number of bytes; `None` if it is not known.
    pub whole: Option<u64>,
    /// Whether the registration is uploading.
    pub is_upload: bool,
    /// Creation time, and the order of registrations with the same creation time.
    pub added: (i64, i64),
}

impl EngineStatus {
    /// Returns an empty status.
    pub fn new() -> Self {
        Self(watch::Sender::new(StatusSnapshot::default()))
    }

    /// Subscribes to the status.
    pub fn follow(&self) -> watch::Receiver<StatusSnapshot> {
        self.0.subscribe()
    }

    /// Whether all registrations are paused, according to the latest totals.
    pub fn is_paused(&self) -> bool {
        self.0.borrow().totals.paused
    }

    /// Sets the totals of all registrations.
    fn totals(&self, totals: ProgressTotals) {
        self.0.send_modify(|known| (known.totals, known.is_shut) = (totals, false));
    }

    /// Returns the number of events so far, which [`EngineStatus::caught_up`] needs.
    ///
    /// Call this before reading the status from the engine.
    pub fn mark(&self) -> u64 {
        self.0.borrow().heard
    }

    /// Applies totals and active registrations that were read after the call of [`EngineStatus::mark`].
    ///
    /// If `is_all`, `active` contains all active registrations. Returns false and changes nothing if an event arrived
    /// after that call, because the event may be newer than the data.
    pub fn caught_up(&self, mark: u64, active: &[Registration], is_all: bool, totals: ProgressTotals) -> bool {
        if self.mark() != mark {
            return false;
        }
        self.totals(totals);
        self.read(active, is_all);
        true
    }

    /// Applies active registrations that were read from the engine. If `is_all`, `active` contains all active
    /// registrations.
    fn read(&self, active: &[Registration], is_all: bool) {
        self.0.send_modify(|known| {
            known.running.retain(|one| !is_all || active.iter().any(|now| now.unique_id == one.unique_id));
            known.paused.retain(|one| !is_all || active.iter().any(|now| now.unique_id == *one));
            active.iter().for_each(|registration| known.changed(registration));
        });
    }

    /// Applies an event. If `is_seen`, the user is looking at the window.
    pub fn on_event(&self, event: &EngineEvent, is_seen: bool) {
        if matches!(event, EngineEvent::Totals { .. } | EngineEvent::Changed { .. } | EngineEvent::Removed { .. }) {
            self.0.send_modify(|known| known.heard = known.heard.wrapping_add(1));
        }
        match event {
            EngineEvent::Totals { totals } => self.totals(totals.clone()),
            EngineEvent::Changed { registration } => self.0.send_modify(|known| {
                known.changed(registration);
                if registration.state != RegistrationState::Settled {
                    known.unseen.remove(&registration.unique_id);
                } else if needs_attention(registration) && !is_seen {
                    known.unseen.insert(registration.unique_id);
                }
            }),
            EngineEvent::Progress { unique_id, downloaded, uploaded, expected_total, .. } => {
                self.0.send_if_modified(|known| known.progress(*unique_id, *downloaded, *uploaded, *expected_total));
            }
            EngineEvent::Removed { unique_id, .. } => self.0.send_modify(|known| {
                known.running.retain(|one| one.unique_id != *unique_id);
                known.paused.remove(unique_id);
                known.unseen.remove(unique_id);
            }),
            EngineEvent::Owed { .. }
            | EngineEvent::Ended { .. }
            | EngineEvent::Clicked { .. }
            | EngineEvent::Settings
            | EngineEvent::Sync
            | EngineEvent::Lagged => {}
        }
    }

    /// Marks all failures as seen, because the user looks at the window.
    pub fn seen(&self) {
        self.0.send_if_modified(|known| !std::mem::take(&mut known.unseen).is_empty());
    }

    /// Sets the power action that follows when the last download ends, and the countdown of the action.
    pub fn afterwards(&self, told: PowerActionStatus) {
        self.0.send_modify(|known| known.afterwards = told);
    }

    /// Requests a redraw of the menu, because a panel may show a tick that does not match the state.
    pub fn touched(&self) {
        self.0.send_modify(|known| known.touches = known.touches.wrapping_add(1));
    }

    /// Marks the list as unavailable.
    pub fn shut(&self) {
        self.0.send_modify(|known| {
            known.running.clear();
            known.paused.clear();
            (known.totals, known.is_shut) = (ProgressTotals::default(), true);
        });
    }
}

impl RunningStatus {
    fn from_registration(registration: &Registration) -> Self {
        let Registration { unique_id, title, downloaded, uploaded, upload_total, expected_total, download_total, .. } =
            registration;
        let Registration { created, rank, .. } = registration;
        // An upload comes first; the download of the response follows.
        let is_upload = uploaded < upload_total;
        let (there, whole) =
            if is_upload { (*uploaded, *upload_total) } else { (*downloaded, *expected_total.max(download_total)) };
        Self {
            unique_id: *unique_id,
            title: title.clone(),
            there,
            whole: Some(whole).filter(|whole| *whole > 0),
            is_upload,
            added: (*created, *rank),
        }
    }
}

impl StatusSnapshot {
    /// Whether the window needs the attention of the user.
    pub fn wants_attention(&self) -> bool {
        self.is_shut || !self.unseen.is_empty()
    }

    /// Returns the received bytes and the total bytes of all running registrations; `None` if a total is unknown.
    pub fn sum(&self) -> Option<(u64, u64)> {
        let sums = self.running.iter().try_fold((0_u64, 0_u64), |(there, whole), one| {
            Some((there.saturating_add(one.there), whole.saturating_add(one.whole?)))
        });
        sums.filter(|(_, whole)| *whole > 0)
    }

    fn changed(&mut self, registration: &Registration) {
        if registration.state == RegistrationState::Paused {
            self.paused.insert(registration.unique_id);
        } else {
            self.paused.remove(&registration.unique_id);
        }
        let place = self.running.iter().position(|one| one.unique_id == registration.unique_id);
        match (registration.state, place.and_then(|place| self.running.get_mut(place))) {
            (RegistrationState::Running, Some(known)) => *known = RunningStatus::from_registration(registration),
            (RegistrationState::Running, None) => {
                let one = RunningStatus::from_registration(registration);
                let place = self.running.partition_point(|known| known.added <= one.added);
                self.running.insert(place, one);
            }
            (_, Some(_)) => self.running.retain(|one| one.unique_id != registration.unique_id),
            (_, None) => {}
        }
    }

    /// Applies the progress of a registration. Returns false if the registration is not known to be running.
    fn progress(&mut self, unique_id: UniqueId, downloaded: u64, uploaded: u64, expected_total: u64) -> bool {
        let Some(one) = self.running.iter_mut().find(|one| one.unique_id == unique_id) else { return false };
        let there = if one.is_upload { uploaded } else { downloaded };
        let whole = if one.is_upload { one.whole } else { Some(expected_total).filter(|total| *total > 0).or(one.whole) };
        (one.there, one.whole) = (there, whole);
        true
    }
}

/// Whether the registration failed for a reason other than an abort.
fn needs_attention(registration: &Registration) -> bool {
    registration.result == RegistrationResult::Failure && registration.failure_reason != FailureReason::Aborted
}

#[cfg(test)]
impl EngineStatus {
    /// Replaces the active registrations and the totals.
    pub fn has(&self, active: &[Registration], totals: ProgressTotals) {
        assert!(self.caught_up(self.mark(), active, true, totals));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notifications::content::tests::registration;

    #[test]
    fn resumed_or_settled_or_removed_registration_no_longer_counts_as_paused() {
        let glance = EngineStatus::new();
        let paused = || glance.follow().borrow().paused.len();
        let is = |state| EngineEvent::Changed { registration: Box::new(Registration { state, ..registration() }) };
        glance.on_event(&is(RegistrationState::Paused), false);
        assert_eq!(paused(), 1);
        for end in [
            is(RegistrationState::Running),
            is(RegistrationState::Settled),
            EngineEvent::Removed { unique_id: registration().unique_id, owner: "window".to_owned() },
        ] {
            glance.on_event(&is(RegistrationState::Paused), false);
            glance.on_event(&end, false);
            assert_eq!(paused(), 0);
        }
        glance.on_event(&is(RegistrationState::Paused), false);
        glance.has(&[], ProgressTotals::default());
        assert_eq!(paused(), 0, "it was read that it is not there");
    }

    #[test]
    fn engine_status_is_rejected_if_an_event_arrives_while_it_is_read() {
        let glance = EngineStatus::new();
        let running = |running| ProgressTotals { running, ..ProgressTotals::default() };
        let mark = glance.mark();
        glance.on_event(&EngineEvent::Totals { totals: running(0) }, false);
        assert!(!glance.caught_up(mark, &[registration()], true, running(1)));
        assert_eq!((glance.follow().borrow().totals.running, glance.follow().borrow().running.len()), (0, 0));
        assert!(glance.caught_up(glance.mark(), &[registration()], true, running(1)));
        assert_eq!((glance.follow().borrow().totals.running, glance.follow().borrow().running.len()), (1, 1));
    }
}
