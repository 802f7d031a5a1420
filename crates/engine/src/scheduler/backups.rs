//! What goes through the whole of the ledger beside everything else, on a thread that nobody waits for: a copy a day, and once
//! the reading of what its opening left out.

use std::time::{Duration, Instant};

use crate::{scheduler::event_loop::Scheduler, store::database::backup_rotation};

/// A copy that failed, for want of space as a rule, is not tried again with every tick.
const AT_LEAST_APART: Duration = Duration::from_secs(3600);
/// What is nearly done when everything closes is waited for.
const LAST_WAIT: Duration = Duration::from_secs(2);

impl Scheduler {
    pub(crate) fn copies_at_start(&mut self, is_so: bool) {
        self.copies_at_start = is_so;
    }

    /// Damage that nobody has met yet is to be known before anybody does. The copy waits for it.
    pub(super) fn read_ledger(&mut self) {
        if self.is_reading() || !self.shared.store.is_unread() {
            return;
        }
        let shared = self.shared.clone();
        self.reading.spawn(async move {
            match shared.store.read_the_rest().await {
                Ok(()) => tracing::debug!("all of the list has been read, and it is whole"),
                Err(error) => {
                    shared.look_for_damage(&error);
                    tracing::warn!(%error, "the list could not be read as a whole");
                }
            }
        });
    }

    /// Begins one where something has changed and the last is a day old.
    pub(super) fn copy_ledger(&mut self) {
        let was_just_now = self.copied.is_some_and(|copied| copied.elapsed() < AT_LEAST_APART);
        if was_just_now || self.is_reading() || !self.shared.store.has_changed() {
            return;
        }
        let (shared, now) = (self.shared.clone(), self.shared.env.now());
        if !backup_rotation::is_due(&backup_rotation::list(&shared.data_dir), now) {
            return;
        }
        self.copied = Some(Instant::now());
        self.reading.spawn(async move {
            let copied = match shared.store.copy_to(&backup_rotation::next(&shared.data_dir, now)).await {
                Ok(()) => backup_rotation::remove_superseded(&shared.data_dir).map_err(|error| error.to_string()),
                Err(error) => {
                    shared.look_for_damage(&error);
                    Err(error.to_string())
                }
            };
            match copied {
                Ok(()) => tracing::info!("the list has been copied"),
                Err(error) => tracing::warn!(error, "the list could not be copied; that is tried again"),
            }
        });
    }

    fn is_reading(&mut self) -> bool {
        while self.reading.try_join_next().is_some() {}
        !self.reading.is_empty()
    }

    /// The copy that is being made is let finish, where that takes no longer than anybody would wait.
    pub(super) async fn finish_copy(&mut self) {
        let finished = async { while self.reading.join_next().await.is_some() {} };
        // What there is of it by then is begun anew another time.
        let _ = tokio::time::timeout(LAST_WAIT, finished).await;
    }
}
