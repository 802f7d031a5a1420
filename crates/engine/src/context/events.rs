//! Events of the engine: one for every change of state, and at most four a second for progress.
//!
//! A listener reads a snapshot and then receives events. If a listener falls behind, progress events are dropped first.
//! If other events must also be dropped, the listener receives [`EngineEvent::Lagged`] and reads the snapshot again.

use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;
use ts_rs::TS;

use crate::model::{ProgressTotals, Registration, UniqueId};

/// Change that the engine reports to listeners.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[ts(export)]
pub enum EngineEvent {
    /// A registration was created or changed. The event contains the present state.
    Changed {
        /// The complete registration.
        registration: Box<Registration>,
    },
    /// Bytes were transferred; emitted at most four times a second for each registration.
    Progress {
        /// Registration to which this progress belongs.
        unique_id: UniqueId,
        /// Owner of the registration.
        owner: String,
        /// Body bytes received so far.
        #[ts(type = "number")]
        downloaded: u64,
        /// Body bytes sent so far.
        #[ts(type = "number")]
        uploaded: u64,
        /// Expected total, as [`Registration`] defines it.
        #[ts(type = "number")]
        expected_total: u64,
        /// Body bytes per second.
        #[ts(type = "number")]
        speed: u64,
    },
    /// A registration settled, and the user has not been notified yet. Emitted once.
    ///
    /// `pending_notifications` lists all notifications that no program has claimed, including those from before the
    /// subscription or a restart.
    Owed {
        /// The complete registration.
        registration: Box<Registration>,
    },
    /// A registration of the owner has ended. It may have been removed since. Emitted to clients that subscribe for
    /// that owner.
    ///
    /// Emitted again at each subscription until a client acknowledges the event by its `unique_id` and `event_number`.
    Ended {
        /// The complete registration.
        registration: Box<Registration>,
    },
    /// The user clicked on the notification of a registration, or on the list entry of an ended registration.
    ///
    /// Emitted only to clients that are subscribed for that owner at that moment.
    Clicked {
        /// The complete registration.
        registration: Box<Registration>,
    },
    /// A registration was removed from the list.
    Removed {
        /// Key of the registration.
        unique_id: UniqueId,
        /// Owner of the registration.
        owner: String,
    },
    /// The totals of all registrations changed; emitted at most four times a second.
    Totals {
        /// The new totals.
        totals: ProgressTotals,
    },
    /// A setting changed; read the settings again.
    Settings,
    /// The state of sync, a machine, a conflict, or a download on another machine changed. Read the state of sync
    /// again.
    Sync,
    /// There were too many changes to emit an event for each, or this listener lost events. Read the list again.
    Lagged,
}

/// Receiver of the engine's events. The stream ends when the engine closes.
#[derive(Debug)]
pub struct EventStream(broadcast::Receiver<EngineEvent>);

impl EventStream {
    /// Returns the next event; `None` after the engine has closed.
    pub async fn next(&mut self) -> Option<EngineEvent> {
        match self.0.recv().await {
            Ok(event) => Some(event),
            Err(broadcast::error::RecvError::Lagged(_)) => Some(EngineEvent::Lagged),
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }
}

/// Sender of the engine's events.
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
        // Ignore the error: an event needs no listeners.
        let _ = self.0.send(event);
    }
}
