//! Handle with which the window, the tray and notifications choose the power action. `tasks/power_action` receives the
//! choices.

use ashore_engine::UserMessage;
use tokio::sync::mpsc;

use crate::system::power_action::{logind, state::PowerAction};

/// Handle for the choice of the power action.
#[derive(Debug)]
pub struct PowerActionWatch(mpsc::UnboundedSender<PowerAction>);

impl PowerActionWatch {
    /// Returns a handle and the receiver of the choices. Initially, no action is chosen.
    pub fn new() -> (Self, mpsc::UnboundedReceiver<PowerAction>) {
        let (choose, chosen) = mpsc::unbounded_channel();
        (Self(choose), chosen)
    }

    /// Chooses the power action. Fails if the system does not permit the action.
    pub async fn choose(&self, then: PowerAction) -> Result<(), UserMessage> {
        logind::can(then).await?;
        // Ignore the error: sending fails only while Ashore is shutting down.
        let _ = self.0.send(then);
        Ok(())
    }
}
