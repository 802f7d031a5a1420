//! The events that one subscriber gets. Called by `endpoint` and by `connection`.
//!
//! - The person gets everything but the end events of owners, and clicks.
//! - An owner gets what is about its registrations or about everything, and first the end events that it is owed: again with
//!   each subscription, and again after events were lost, until they are acknowledged.

use std::collections::VecDeque;

use ashore_engine::{Engine, EngineError, EngineEvent, EventStream};
use tracing::warn;

/// Events of one subscription.
#[derive(Debug)]
pub struct EventFeed {
    events: EventStream,
    /// Where what it is owed is read, and the owner. None: the person.
    owner: Option<(Engine, String)>,
    /// Events that come before the next one of the engine.
    first: VecDeque<EngineEvent>,
    /// Events may be lost: the owed ones are read before the next event.
    has_lost: bool,
}

impl EventFeed {
    /// Listens from now on; for an owner, which has a client from now on, or for the person.
    pub(crate) async fn open(engine: &Engine, owner: Option<String>) -> Result<Self, EngineError> {
        if let Some(owner) = &owner {
            engine.register(owner).await?;
        }
        // Listening begins before what is owed is read: no end falls between the two. One that is in both comes twice.
        let events = engine.events();
        let owner = owner.map(|owner| (engine.clone(), owner));
        let mut feed = Self { events, owner, first: VecDeque::new(), has_lost: false };
        feed.read_owed().await?;
        Ok(feed)
    }

    /// The next event; none when the engine is closed. May be given up and called again: nothing is lost by it.
    pub async fn next(&mut self) -> Option<EngineEvent> {
        loop {
            if self.has_lost {
                if let Err(error) = self.read_owed().await {
                    warn!(%error, "what an owner is owed could not be read; it comes with the next subscription");
                }
                self.has_lost = false;
            }
            if let Some(event) = self.first.pop_front() {
                return Some(event);
            }
            let event = self.events.next().await?;
            // One of the lost events may have been an end.
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

/// Whether a subscriber for this owner, or for the person, gets it. [pure]
fn is_for(event: &EngineEvent, owner: Option<&str>) -> bool {
    let Some(owner) = owner else { return !matches!(event, EngineEvent::Ended { .. } | EngineEvent::Clicked { .. }) };
    match event {
        EngineEvent::Changed { registration } | EngineEvent::Ended { registration } | EngineEvent::Clicked { registration } => {
            registration.owner == owner
        }
        EngineEvent::Progress { owner: whose, .. } | EngineEvent::Removed { owner: whose, .. } => whose == owner,
        // The person's notification.
        EngineEvent::Owed { .. } => false,
        EngineEvent::Totals { .. } | EngineEvent::Settings | EngineEvent::Lagged => true,
    }
}
