//! Stops the transfers of a registration while its link or its folder changes.

use std::time::Duration;

use ashore_messages::message;
use ashore_transfer::Guid;

use crate::{Engine, EngineError, model::UniqueId, platform::sync, scheduler::command::SchedulerCommand};

/// Maximum time for the transfers to end. They first make their received bytes durable, and a disk may be slow.
const PATIENCE: Duration = Duration::from_secs(30);

/// While this value exists, the registration starts no transfers.
#[derive(Debug)]
pub(crate) struct Halt {
    engine: Engine,
    id: UniqueId,
}

impl Drop for Halt {
    fn drop(&mut self) {
        self.engine.shared.halted.end(self.id);
        self.engine.order(SchedulerCommand::Nudge(Some(self.id)));
    }
}

impl Engine {
    /// Lets the registration start no transfers until the result is dropped. Running transfers continue.
    ///
    /// Every transfer that starts later than this call has returned is one that the ledger shows as running now.
    pub(crate) async fn hold_back(&self, id: UniqueId) -> Result<Halt, EngineError> {
        self.shared.halted.begin(id);
        let halt = Halt { engine: self.clone(), id };
        // A transaction that has selected requests before this call must end before the ledger is read.
        drop(self.shared.store.begin().await?);
        Ok(halt)
    }

    /// Stops the transfers `guids` and waits for their end. Received bytes are kept.
    ///
    /// Fails with `WrongState` if a transfer is an upload, or does not end in time.
    pub(crate) async fn stop_and_wait(&self, halt: &Halt, guids: &[Guid]) -> Result<(), EngineError> {
        let is_active = async || {
            let active = self.shared.store.active_guids(Some(halt.id)).await?;
            Ok::<_, EngineError>(active.iter().any(|guid| guids.contains(guid)))
        };
        let mut events = self.shared.speaker.listen();
        if !is_active().await? {
            return Ok(());
        }
        let still_active = || Err(EngineError::WrongState(message!("wrong-state.fetching")));
        let has_upload = {
            let live = self.shared.live.read().await;
            guids.iter().any(|guid| live.transfer(*guid).is_some_and(|transfer| transfer.body_size.is_some()))
        };
        if has_upload || self.orders.is_none() {
            return still_active();
        }
        self.order(SchedulerCommand::Stop { guids: guids.to_owned(), uploads: false });
        let until = sync::now() + PATIENCE;
        while is_active().await? {
            let left = until.saturating_duration_since(sync::now());
            if left.is_zero() {
                return still_active();
            }
            tokio::select! {
                biased;
                event = sync::done(events.next()) => {
                    event.ok_or(EngineError::Closed)?;
                }
                () = sync::asleep(left) => {}
            }
        }
        Ok(())
    }
}
