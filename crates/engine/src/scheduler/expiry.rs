//! Removes settled registrations from the list after their retention time, a few at a time.
//!
//! The next expiry is looked up once, and again after each relevant change, so no polling is needed.

use crate::{EngineError, EngineEvent, model::UniqueId, platform::failpoint, scheduler::event_loop::Scheduler};

/// Maximum number of registrations removed in one transaction.
///
/// The rest follow a moment later.
const AT_ONCE: u32 = 100;

/// Maximum backward step of the clock, in µs, that counts as an adjustment.
///
/// After a larger step, the clock counts as set back.
const A_STEP_US: i64 = 1_000_000;

impl Scheduler {
    /// Records the current time, so that a clock that is set back later is detected. Called when a registration may
    /// have settled.
    pub(super) fn see_clock(&mut self) {
        self.last_seen = self.last_seen.max(self.shared.env.now());
    }

    /// Returns the time at which `forget` next has work, in microseconds.
    ///
    /// The result is the next expiry, or `now` if the clock was set back.
    pub(super) async fn next_expiry(&mut self, now: i64) -> Option<i64> {
        if self.was_set_back(now) {
            return Some(now);
        }
        match self.expires {
            Some(expires) => expires,
            None => {
                self.expires = self.shared.store.next_expiry().await.ok();
                self.expires.flatten()
            }
        }
    }

    /// Removes from the list the registrations whose retention time is over.
    pub(super) async fn forget(&mut self) {
        let now = self.shared.env.now();
        let was_set_back = self.was_set_back(now);
        self.last_seen = now;
        if was_set_back {
            tracing::warn!("clock was set back; retention periods restart now");
            if let Err(error) = self.count_from(now).await {
                self.last_seen = i64::MAX;
                return self.refused(&error, "correct the expiry times");
            }
            self.expires = None;
            // The expiry time of every settled registration has changed.
            self.shared.speaker.emit(EngineEvent::Lagged);
        }
        if self.next_expiry(now).await.is_none_or(|expires| expires > now) {
            return;
        }
        self.expires = None;
        match self.take_from_list(now).await {
            Ok(gone) => {
                for id in gone {
                    tracing::info!(%id, "retention period expired; registration removed");
                    let owner = self.shared.store.owner_of(id).await.ok().flatten().unwrap_or_default();
                    self.shared.speaker.emit(EngineEvent::Removed { unique_id: id, owner });
                    self.deleting.add(id);
                }
                self.delete_what_rests().await;
            }
            Err(error) => self.refused(&error, "remove expired registrations"),
        }
    }

    fn was_set_back(&self, now: i64) -> bool {
        self.last_seen.saturating_sub(now) > A_STEP_US
    }

    async fn count_from(&self, now: i64) -> Result<(), EngineError> {
        let mut ledger = self.shared.store.begin().await?;
        ledger.count_from(now).await?;
        ledger.commit().await
    }

    /// Marks the expired registrations for deletion and returns them.
    ///
    /// Registrations that were retried, or whose end must still be reported to a client, are excluded in the same
    /// transaction.
    async fn take_from_list(&self, now: i64) -> Result<Vec<UniqueId>, EngineError> {
        let mut ledger = self.shared.store.begin().await?;
        let expired = ledger.expired(now, AT_ONCE).await?;
        for (id, files) in &expired {
            ledger.mark_for_removal(*id, *files).await?;
        }
        failpoint::hit("engine.forget-before-commit");
        ledger.commit().await?;
        failpoint::hit("engine.forgotten");
        Ok(expired.into_iter().map(|(id, _)| id).collect())
    }
}
