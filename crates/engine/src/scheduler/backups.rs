//! Reads and copies the whole ledger in the background, without blocking the loop.
//!
//! - The ledger is copied once a day.
//! - The parts that were not checked when the ledger was opened are read once after each start.

use std::time::{Duration, Instant};

use crate::{scheduler::event_loop::Scheduler, store::database::backup_rotation};

/// Minimum interval between two copies. A failed copy, usually for lack of space, is not retried on every tick.
const AT_LEAST_APART: Duration = Duration::from_secs(3600);
/// Maximum wait for a copy that is still in progress when the engine closes.
const LAST_WAIT: Duration = Duration::from_secs(2);

impl Scheduler {
    pub(crate) fn copies_at_start(&mut self, is_so: bool) {
        self.copies_at_start = is_so;
    }

    /// Reads the unchecked parts of the ledger, to find damage before a query reads a damaged part.
    ///
    /// The ledger is not copied during this check.
    pub(super) fn read_ledger(&mut self) {
        if self.is_reading() || !self.shared.store.is_unread() {
            return;
        }
        let shared = self.shared.clone();
        self.reading.spawn(async move {
            match shared.store.read_the_rest().await {
                Ok(()) => tracing::debug!("ledger read completely; no damage found"),
                Err(error) => {
                    shared.look_for_damage(&error);
                    tracing::warn!(%error, "ledger could not be read completely");
                }
            }
        });
    }

    /// Starts a copy if the ledger has changed and the last copy is a day old.
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
                Ok(()) => tracing::info!("backup of the ledger created"),
                Err(error) => tracing::warn!(error, "backup of the ledger failed; will retry"),
            }
        });
    }

    fn is_reading(&mut self) -> bool {
        while self.reading.try_join_next().is_some() {}
        !self.reading.is_empty()
    }

    /// Waits for the copy in progress, but only for a short time: a user is waiting for the engine to close.
    pub(super) async fn finish_copy(&mut self) {
        let finished = async { while self.reading.join_next().await.is_some() {} };
        // An unfinished copy is abandoned. A later run makes a new copy.
        let _ = tokio::time::timeout(LAST_WAIT, finished).await;
    }
}
