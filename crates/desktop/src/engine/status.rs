//! What can be seen without the window: the sum of everything, what runs, and whether something failed that nobody has
//! looked at. Tray and taskbar follow it, each at its own pace.

use std::collections::HashSet;

use ashore_engine::{Event, Registration, State, Totals, UniqueId};
use tokio::sync::watch;

use crate::{notifications::service::needs_attention, system::power_action::Told};

/// What is known. Cheap to change; whoever shows it follows.
pub struct Glance(watch::Sender<Known>);

/// What there is to be seen.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The sum.
    pub totals: Totals,
    /// What runs, in the order in which it was asked for.
    pub running: Vec<Running>,
    /// There is no list.
    pub is_shut: bool,
    /// How often something was chosen that looks different already where it was chosen.
    pub touches: u32,
    /// What somebody has set aside.
    pub paused: HashSet<UniqueId>,
    /// What becomes of the machine when all is done.
    pub afterwards: Told,
    /// What failed since the window was last looked at.
    pub unseen: HashSet<UniqueId>,
    /// How often something was heard that a list which is being read may not know of yet.
    pub heard: u64,
}

/// One that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
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

impl Glance {
    /// Nothing is known yet.
    pub fn new() -> Self {
        Self(watch::Sender::new(Known::default()))
    }

    /// What is known, and word of every change.
    pub fn follow(&self) -> watch::Receiver<Known> {
        self.0.subscribe()
    }

    /// Whether everything is paused, as far as is known.
    pub fn is_paused(&self) -> bool {
        self.0.borrow().totals.paused
    }

    /// The sum of everything, as it is now.
    fn totals(&self, totals: Totals) {
        self.0.send_modify(|known| (known.totals, known.is_shut) = (totals, false));
    }

    /// How far it has heard, for who begins to read.
    pub fn mark(&self) -> u64 {
        self.0.borrow().heard
    }

    /// The sum of everything and what is not settled, read since `mark`; `is_all`: nothing else is. False where something was heard
    /// meanwhile, which what was read may be older than.
    pub fn caught_up(&self, mark: u64, active: &[Registration], is_all: bool, totals: Totals) -> bool {
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
    pub fn heard(&self, event: &Event, is_seen: bool) {
        if matches!(event, Event::Totals { .. } | Event::Changed { .. } | Event::Removed { .. }) {
            self.0.send_modify(|known| known.heard = known.heard.wrapping_add(1));
        }
        match event {
            Event::Totals { totals } => self.totals(totals.clone()),
            Event::Changed { registration } => self.0.send_modify(|known| {
                known.changed(registration);
                if registration.state != State::Settled {
                    known.unseen.remove(&registration.unique_id);
                } else if needs_attention(registration) && !is_seen {
                    known.unseen.insert(registration.unique_id);
                }
            }),
            Event::Progress { unique_id, downloaded, uploaded, expected_total, .. } => {
                self.0.send_if_modified(|known| known.progress(*unique_id, *downloaded, *uploaded, *expected_total));
            }
            Event::Removed { unique_id, .. } => self.0.send_modify(|known| {
                known.running.retain(|one| one.unique_id != *unique_id);
                known.paused.remove(unique_id);
                known.unseen.remove(unique_id);
            }),
            Event::Owed { .. } | Event::Ended { .. } | Event::Clicked { .. } | Event::Settings | Event::Lagged => {}
        }
    }

    /// The person looks at the window.
    pub fn seen(&self) {
        self.0.send_if_modified(|known| !std::mem::take(&mut known.unseen).is_empty());
    }

    /// What becomes of the machine when all is done, and when.
    pub fn afterwards(&self, told: Told) {
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
            (known.totals, known.is_shut) = (Totals::default(), true);
        });
    }
}

impl Running {
    fn of(registration: &Registration) -> Self {
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

impl Known {
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
        if registration.state == State::Paused {
            self.paused.insert(registration.unique_id);
        } else {
            self.paused.remove(&registration.unique_id);
        }
        let place = self.running.iter().position(|one| one.unique_id == registration.unique_id);
        match (registration.state, place.and_then(|place| self.running.get_mut(place))) {
            (State::Running, Some(known)) => *known = Running::of(registration),
            (State::Running, None) => {
                let one = Running::of(registration);
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
impl Glance {
    /// Has read these, and nothing else.
    pub fn has(&self, active: &[Registration], totals: Totals) {
        assert!(self.caught_up(self.mark(), active, true, totals));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notifications::content::tests::registration;

    #[test]
    fn what_is_paused_is_known_until_it_goes_on_or_is_gone() {
        let glance = Glance::new();
        let paused = || glance.follow().borrow().paused.len();
        let is = |state| Event::Changed { registration: Box::new(Registration { state, ..registration() }) };
        glance.heard(&is(State::Paused), false);
        assert_eq!(paused(), 1);
        for end in [
            is(State::Running),
            is(State::Settled),
            Event::Removed { unique_id: registration().unique_id, owner: "window".to_owned() },
        ] {
            glance.heard(&is(State::Paused), false);
            glance.heard(&end, false);
            assert_eq!(paused(), 0);
        }
        glance.heard(&is(State::Paused), false);
        glance.has(&[], Totals::default());
        assert_eq!(paused(), 0, "it was read that it is not there");
    }

    #[test]
    fn what_was_read_before_something_was_heard_does_not_undo_it() {
        let glance = Glance::new();
        let running = |running| Totals { running, ..Totals::default() };
        let mark = glance.mark();
        glance.heard(&Event::Totals { totals: running(0) }, false);
        assert!(!glance.caught_up(mark, &[registration()], true, running(1)));
        assert_eq!((glance.follow().borrow().totals.running, glance.follow().borrow().running.len()), (0, 0));
        assert!(glance.caught_up(glance.mark(), &[registration()], true, running(1)));
        assert_eq!((glance.follow().borrow().totals.running, glance.follow().borrow().running.len()), (1, 1));
    }
}
