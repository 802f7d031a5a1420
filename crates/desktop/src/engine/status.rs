//! What can be seen without the window: the sum of everything, what runs, and whether something failed that nobody has
//! looked at. Tray and taskbar follow it, each at its own pace.

use std::collections::HashSet;

use ashore_engine::{EngineEvent, ProgressTotals, Registration, RegistrationState, UniqueId};
use tokio::sync::watch;

use crate::{notifications::service::needs_attention, system::power_action::PowerActionStatus};

/// What is known. Cheap to change; whoever shows it follows.
pub struct EngineStatus(watch::Sender<StatusSnapshot>);

/// What there is to be seen.
#[derive(Clone, Debug, Default)]
pub struct StatusSnapshot {
    /// The sum.
    pub totals: ProgressTotals,
    /// What runs, in the order in which it was asked for.
    pub running: Vec<RunningStatus>,
    /// There is no list.
    pub is_shut: bool,
    /// How often something was chosen that looks different already where it was chosen.
    pub touches: u32,
    /// What somebody has set aside.
    pub paused: HashSet<UniqueId>,
    /// What becomes of the machine when all is done.
    pub afterwards: PowerActionStatus,
    /// What failed since the window was last looked at.
    pub unseen: HashSet<UniqueId>,
    /// How often something was heard that a list which is being read may not know of yet.
    pub heard: u64,
}

/// One that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningStatus {
    /// Which.
    pub unique_id: UniqueId,
    /// As its creator, or a server, calls it.
    pub title: String,
    /// Bytes that have come, or been sent.
    pub there: u64,
    /// All of them; none where nobody knows.
    pub whole: Option<u64>,
    /// They are sent at the moment.
    pub is_upload: bool,
    /// When it was asked for, and where it stands among others of that moment.
    pub added: (i64, i64),
}

impl EngineStatus {
    /// Nothing is known yet.
    pub fn new() -> Self {
        Self(watch::Sender::new(StatusSnapshot::default()))
    }

    /// What is known, and word of every change.
    pub fn follow(&self) -> watch::Receiver<StatusSnapshot> {
        self.0.subscribe()
    }

    /// Whether everything is paused, as far as is known.
    pub fn is_paused(&self) -> bool {
        self.0.borrow().totals.paused
    }

    /// The sum of everything, as it is now.
    fn totals(&self, totals: ProgressTotals) {
        self.0.send_modify(|known| (known.totals, known.is_shut) = (totals, false));
    }

    /// How far it has heard, for who begins to read.
    pub fn mark(&self) -> u64 {
        self.0.borrow().heard
    }

    /// The sum of everything and what is not settled, read since `mark`; `is_all`: nothing else is. False where something was heard
    /// meanwhile, which what was read may be older than.
    pub fn caught_up(&self, mark: u64, active: &[Registration], is_all: bool, totals: ProgressTotals) -> bool {
        if self.mark() != mark {
            return false;
        }
        self.totals(totals);
        self.read(active, is_all);
        true
    }

    /// What is not settled, read anew; `is_all`: nothing else is.
    fn read(&self, active: &[Registration], is_all: bool) {
        self.0.send_modify(|known| {
            known.running.retain(|one| !is_all || active.iter().any(|now| now.unique_id == one.unique_id));
            known.paused.retain(|one| !is_all || active.iter().any(|now| now.unique_id == *one));
            active.iter().for_each(|registration| known.changed(registration));
        });
    }

    /// Something happened; `is_seen`: before a person's eyes.
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
            | EngineEvent::Lagged => {}
        }
    }

    /// The person looks at the window.
    pub fn seen(&self) {
        self.0.send_if_modified(|known| !std::mem::take(&mut known.unseen).is_empty());
    }

    /// What becomes of the machine when all is done, and when.
    pub fn afterwards(&self, told: PowerActionStatus) {
        self.0.send_modify(|known| known.afterwards = told);
    }

    /// Something was chosen, and may look as if it held already.
    pub fn touched(&self) {
        self.0.send_modify(|known| known.touches = known.touches.wrapping_add(1));
    }

    /// The list cannot be opened.
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
        // An upload is sent first, and then its answer comes.
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
    /// A person should look at the window.
    pub fn wants_attention(&self) -> bool {
        self.is_shut || !self.unseen.is_empty()
    }

    /// Bytes that are there and bytes in all, of everything that runs; none where that is not known of all of it.
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

    /// Whether that is news.
    fn progress(&mut self, unique_id: UniqueId, downloaded: u64, uploaded: u64, expected_total: u64) -> bool {
        let Some(one) = self.running.iter_mut().find(|one| one.unique_id == unique_id) else { return false };
        let there = if one.is_upload { uploaded } else { downloaded };
        let whole = if one.is_upload { one.whole } else { Some(expected_total).filter(|total| *total > 0).or(one.whole) };
        (one.there, one.whole) = (there, whole);
        true
    }
}

#[cfg(test)]
impl EngineStatus {
    /// Has read these, and nothing else.
    pub fn has(&self, active: &[Registration], totals: ProgressTotals) {
        assert!(self.caught_up(self.mark(), active, true, totals));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notifications::content::tests::registration;

    #[test]
    fn what_is_paused_is_known_until_it_goes_on_or_is_gone() {
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
    fn what_was_read_before_something_was_heard_does_not_undo_it() {
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
