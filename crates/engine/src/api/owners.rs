//! Engine methods for an owner: delivery of its end events, and operations on its names and on all of its registrations.
//! Called by `rpc`.
//!
//! - An end event stays pending until a client of the owner acknowledges its number, even across a restart and the
//!   removal of the registration.
//! - The notification of the person (`claim`) is independent of this delivery.
//! - Deleting the owner drops its pending events. The row of the owner is deleted together with the owner's last
//!   registration.

use crate::{
    Engine, EngineError, EngineEvent,
    model::{ListQuery, QueueStats, Registration, RegistrationState, UniqueId, messages, owner::check_name},
    platform::failpoint,
    scheduler::command::SchedulerCommand,
    store::{AckOutcome, EndedRegistration},
};

/// Maximum number of ended registrations per owner in which `latest` searches for a name.
const MOST_ENDED: u32 = 100;

impl Engine {
    /// Registers a client for the owner's end events.
    ///
    /// From then on, each end event is kept until it is acknowledged. Fails with `Invalid` if the name is not valid for
    /// an owner.
    pub async fn register(&self, owner: &str) -> Result<(), EngineError> {
        check_name(owner)?;
        if self.shared.store.has_client(owner).await? {
            return Ok(());
        }
        let mut ledger = self.shared.store.begin().await?;
        ledger.register_client(owner).await?;
        ledger.commit().await
    }

    /// Returns the owner's registrations with an unacknowledged end event, including removed ones.
    ///
    /// Sorted by the time of their end, earliest first.
    pub async fn owed_to(&self, owner: &str) -> Result<Vec<Registration>, EngineError> {
        let mut owed = Vec::new();
        for id in self.shared.store.owed_to(owner).await? {
            owed.extend(self.shared.seen(id, true).await?);
        }
        Ok(owed)
    }

    /// Acknowledges the end event with this number. Returns true if the event was pending.
    ///
    /// If the number belongs to an earlier end of the registration, such as the end before a retry, this has no effect.
    pub async fn acknowledge(&self, id: UniqueId, event_number: u32) -> Result<bool, EngineError> {
        let mut ledger = self.shared.store.begin().await?;
        let acknowledged = ledger.acknowledge(id, event_number, self.shared.env.now()).await?;
        ledger.commit().await?;
        match acknowledged {
            AckOutcome::No => {}
            AckOutcome::Now => self.changed(id).await,
            AckOutcome::AndRemoved => self.finish_deletion(id).await?,
        }
        Ok(acknowledged != AckOutcome::No)
    }

    /// Withdraws the name `developer_id` of `owner`. Removes the latest registration with this name as `remove` does.
    /// Also refuses every call of `create` and `take_link` with this name that has not committed, or that begins within
    /// ten minutes.
    ///
    /// If `take_link` gave the link of this name to an earlier registration, that registration is only paused, because
    /// it had bytes before. Returns whether a registration was removed.
    pub async fn withdraw(&self, owner: &str, developer_id: &str, files: bool) -> Result<bool, EngineError> {
        self.shared.withdrawn.add(owner, developer_id, (self.shared.env.uptime_us)());
        // After this transaction, every `create` call with this name has either committed or is refused.
        drop(self.shared.store.begin().await?);
        let Some(found) = self.latest(owner, developer_id).await? else {
            if let Some(continued) = self.of_click(owner, developer_id).await?
                && continued.state != RegistrationState::Settled
            {
                self.pause(Some(continued.unique_id)).await?;
            }
            return Ok(false);
        };
        match self.remove(found.unique_id, files).await {
            Err(EngineError::Unknown(_)) => Ok(false),
            removed => removed.map(|()| true),
        }
    }

    /// Returns the owner's latest registration with this `developer_id`, active or settled. Among ended registrations,
    /// only the latest 100 of the owner are searched.
    pub async fn latest(&self, owner: &str, developer_id: &str) -> Result<Option<Registration>, EngineError> {
        if let Some(active) = self.shared.store.find(owner, developer_id).await? {
            return self.shared.view(active.unique_id).await;
        }
        let owner = Some(owner.to_owned());
        let query = ListQuery { owner, active: Some(false), limit: MOST_ENDED, ..ListQuery::default() };
        Ok(self.list(query).await?.into_iter().find(|ended| ended.developer_id == developer_id))
    }

    /// Returns the owner of a registration, even of a removed one. Returns `None` after its row is deleted.
    pub async fn owner_of(&self, id: UniqueId) -> Result<Option<String>, EngineError> {
        self.shared.store.owner_of(id).await
    }

    /// Deletes an owner with all of its registrations.
    ///
    /// Stops their transfers, deletes their rows and partial files, and emits no end events.
    pub async fn remove_owner(&self, owner: &str) -> Result<(), EngineError> {
        let mut ledger = self.shared.store.begin().await?;
        let (ids, guids) = ledger.doom_owner(owner).await?;
        failpoint::hit("engine.remove-owner-before-commit");
        ledger.commit().await?;
        self.order(SchedulerCommand::Stop { guids, uploads: true });
        for id in ids {
            self.shared.speaker.emit(EngineEvent::Removed { unique_id: id, owner: owner.to_owned() });
            self.finish_deletion(id).await?;
        }
        // Refresh the quotas, which may still count the usage of this owner.
        self.shared.refresh_quota_usage().await;
        Ok(())
    }

    /// Removes all registrations of the owner from the list, and returns their number. Aborts active ones first.
    ///
    /// If `files` is true, downloaded files go to the trash. Pending end events stay pending.
    pub async fn clear(&self, owner: &str, files: bool) -> Result<u32, EngineError> {
        let mut ledger = self.shared.store.begin().await?;
        let cleared = ledger.clear_owner(owner, files, &messages::aborted(), self.shared.env.now()).await?;
        ledger.commit().await?;
        let EndedRegistration { ids, settled, guids } = cleared;
        self.order(SchedulerCommand::Stop { guids, uploads: true });
        for id in settled {
            self.shared.on_ended(id).await;
        }
        for id in &ids {
            self.shared.speaker.emit(EngineEvent::Removed { unique_id: *id, owner: owner.to_owned() });
            self.finish_deletion(*id).await?;
        }
        Ok(u32::try_from(ids.len()).unwrap_or(u32::MAX))
    }

    /// Aborts all active registrations of the owner, and returns their number.
    ///
    /// The registrations and their complete files stay in the list.
    pub async fn reset(&self, owner: &str) -> Result<u32, EngineError> {
        let mut ledger = self.shared.store.begin().await?;
        let ended = ledger.reset_owner(owner, &messages::aborted(), self.shared.env.now()).await?;
        ledger.commit().await?;
        self.order(SchedulerCommand::Stop { guids: ended.guids, uploads: true });
        for id in &ended.settled {
            self.shared.tell_changed(*id).await;
            self.shared.tell_owed(*id).await;
            self.discard_aborted(*id).await?;
        }
        Ok(u32::try_from(ended.ids.len()).unwrap_or(u32::MAX))
    }

    /// Returns the totals of all requests that `owner` ever added; `None` stands for all owners.
    pub async fn queue_stats(&self, owner: Option<&str>) -> Result<QueueStats, EngineError> {
        if let Some(owner) = owner {
            return self.shared.store.queue_stats(owner).await;
        }
        let (all, _) = self.shared.store.statistics().await?;
        Ok(QueueStats { total: all.added, successes: all.succeeded, failures: all.failed })
    }
}

#[cfg(test)]
mod tests {

    use crate::model::owner::delivers;

    #[test]
    fn end_events_are_delivered_by_default_only_to_programs() {
        assert_eq!([delivers("window", None), delivers("command-line", None), delivers("feeds", None)], [0, 0, 1]);
        assert_eq!([delivers("window", Some(true)), delivers("feeds", Some(true)), delivers("feeds", Some(false))], [2, 2, 0]);
    }
}
