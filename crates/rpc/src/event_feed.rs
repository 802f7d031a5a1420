//! Events of one subscriber. Called by `endpoint` and `connection`.
//!
//! - The user gets all events except `Clicked` and `Ended`, which only owners get.
//! - An owner gets the events about its registrations, and events that concern all registrations.
//! - After each subscription, and after events were lost, the pending end events of an owner come first. This is
//!   repeated until the end events are acknowledged.

use std::collections::VecDeque;

use ashore_engine::{Engine, EngineError, EngineEvent, EventStream};
use tracing::warn;

/// Events of one subscription.
#[derive(Debug)]
pub struct EventFeed {
    events: EventStream,
    /// Owner, and the engine that stores the pending end events of this owner; `None` for the user.
    owner: Option<(Engine, String)>,
    /// Events to return before the next event of the engine.
    first: VecDeque<EngineEvent>,
    /// Whether events may have been lost; the pending end events are then read before the next event.
    has_lost: bool,
}

impl EventFeed {
    /// Subscribes to events for the user, or for `owner`. Also registers `owner` as a client of the engine.
    pub(crate) async fn open(engine: &Engine, owner: Option<String>) -> Result<Self, EngineError> {
        if let Some(owner) = &owner {
            engine.register(owner).await?;
        }
        // Subscribe before the pending events are read, so that no end event in between is missed. The same end event
        // may therefore be delivered twice.
        let events = engine.events();
        let owner = owner.map(|owner| (engine.clone(), owner));
        let mut feed = Self { events, owner, first: VecDeque::new(), has_lost: false };
        feed.read_owed().await?;
        Ok(feed)
    }

    /// Returns the next event; `None` when the engine is closed. Cancel safe.
    pub async fn next(&mut self) -> Option<EngineEvent> {
        loop {
            if self.has_lost {
                if let Err(error) = self.read_owed().await {
                    warn!(%error, "pending results could not be read; will be sent at the next subscription");
                }
                self.has_lost = false;
            }
            if let Some(event) = self.first.pop_front() {
                return Some(event);
            }
            let event = self.events.next().await?;
            // An end event may be among the lost events.
            self.has_lost = event == EngineEvent::Lagged;
            if is_for(&event, self.owner.as_ref().map(|(_, owner)| owner.as_str())) {
                return Some(event);
            }
        }
    }

    async fn read_owed(&mut self) -> Result<(), EngineError> {
        if let Some((engine, owner)) = &self.owner {
            let owed = engine.owed_to(owner).await?;
            self.first.extend(owed.into_iter().map(|one| EngineEvent::Ended { registration: Box::new(one) }));
        }
        Ok(())
    }
}

/// Whether a subscriber for this owner, or for the user, gets the event. [pure]
fn is_for(event: &EngineEvent, owner: Option<&str>) -> bool {
    let Some(owner) = owner else { return !matches!(event, EngineEvent::Ended { .. } | EngineEvent::Clicked { .. }) };
    match event {
        EngineEvent::Changed { registration } | EngineEvent::Ended { registration } | EngineEvent::Clicked { registration } => {
            registration.owner == owner
        }
        EngineEvent::Progress { owner: whose, .. } | EngineEvent::Removed { owner: whose, .. } => whose == owner,
        // `Owed` announces a notification for the user, so the event concerns no owner.
        EngineEvent::Owed { .. } => false,
        EngineEvent::Totals { .. } | EngineEvent::Settings | EngineEvent::Sync | EngineEvent::Lagged => true,
    }
}
