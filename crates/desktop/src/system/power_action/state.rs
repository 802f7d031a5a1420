//! Power action and its state, as the user interface shows them. Set by `tasks/power_action`.

use serde::{Deserialize, Serialize};

/// Power action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PowerAction {
    /// No action.
    #[default]
    Nothing,
    /// Suspend the machine.
    Sleep,
    /// Shut the machine down.
    ShutDown,
}

/// State of the power action, as reported to the user interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PowerActionStatus {
    /// Chosen action.
    pub then: PowerAction,
    /// Seconds until the action; `None` without a countdown.
    pub seconds: Option<u64>,
}
