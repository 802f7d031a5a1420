//! What the engine tells everybody who listens: state changes always, progress merged to four a second.
//!
//! A listener takes a snapshot, then events. One that falls behind loses progress first and is then told to read the
//! snapshot again; it is never left with a stale picture.

use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;
use ts_rs::TS;

use crate::model::{ProgressTotals, Registration, UniqueId};

/// Something happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[ts(export)]
pub enum EngineEvent {
    /// A registration was created or changed; this is how it is now.
    Changed {
        /// The whole of it.
        registration: Box<Registration>,
    },
    /// Bytes arrived; at most four times a second for each registration.
    Progress {
        /// Whose.
        unique_id: UniqueId,
        /// Owner of the registration.
        owner: String,
        /// Body bytes there.
        #[ts(type = "number")]
        downloaded: u64,
        /// Body bytes sent.
        #[ts(type = "number")]
        uploaded: u64,
        /// As in [`Registration`].
        #[ts(type = "number")]
        expected_total: u64,
        /// Body bytes per second.
        #[ts(type = "number")]
        speed: u64,
    },
    /// A registration settled and the person has not been told yet. Said once; what was owed before a listener came is in `owed`,
    /// at every start, until it is claimed.
    Owed {
        /// The whole of it.
        registration: Box<Registration>,
    },
    /// A registration of the owner has ended: to clients that subscribe for that owner, and again each time that one does,
    /// until it is acknowledged by its `unique_id` and `event_number`. Of one that was removed since as well.
    Ended {
        /// The whole of it.
        registration: Box<Registration>,
    },
    /// A person clicked on a registration of the owner, on its notification or its finished entry: to clients that are subscribed
    /// for that owner then, and to nobody later.
    Clicked {
        /// The whole of it.
        registration: Box<Registration>,
    },
    /// A registration is gone from the list.
    Removed {
        /// Its key.
        unique_id: UniqueId,
        /// Owner of the registration.
        owner: String,
    },
    /// The sum of everything, when it changes; at most four times a second.
    Totals {
        /// The sum.
        totals: ProgressTotals,
    },
    /// Somebody changed a setting: read them again.
    Settings,
    /// More changed than is said one by one, or events were lost on the way to this listener: read the list again.
    Lagged,
}

/// Where events come out. Never ends while the engine lives.
#[derive(Debug)]
pub struct EventStream(broadcast::Receiver<EngineEvent>);

impl EventStream {
    /// The next event; none when the engine is closed.
    pub async fn next(&mut self) -> Option<EngineEvent> {
        match self.0.recv().await {
            Ok(event) => Some(event),
            Err(broadcast::error::RecvError::Lagged(_)) => Some(EngineEvent::Lagged),
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }
}

/// Where events go in.
#[derive(Clone, Debug)]
pub(crate) struct EventSender(broadcast::Sender<EngineEvent>);

impl EventSender {
    pub(crate) fn new() -> Self {
        Self(broadcast::Sender::new(4096))
    }

    pub(crate) fn listen(&self) -> EventStream {
        EventStream(self.0.subscribe())
    }

    pub(crate) fn emit(&self, event: EngineEvent) {
        // Nobody listening is not an error.
        let _ = self.0.send(event);
    }
}
