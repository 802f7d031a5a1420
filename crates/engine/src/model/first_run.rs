//! The one-time work of a first start, as `doctor` reports it.

use ashore_messages::UserMessage;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Step of the one-time work at a first start or at the first start after an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum BootstrapStep {
    /// Makes the data folder private.
    DataFolder,
    /// Migrates the ledger to the version of this program.
    Ledger,
    /// Writes defaults into the ledger.
    Defaults,
    /// Makes the download folder usable.
    DownloadFolder,
    /// Looks for the system's keychain.
    Keychain,
    /// Looks for a service that shows notifications.
    Notifications,
}

impl BootstrapStep {
    /// Stable identifier of the step, for use by programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::DataFolder => "data-folder",
            Self::Ledger => "ledger",
            Self::Defaults => "defaults",
            Self::DownloadFolder => "download-folder",
            Self::Keychain => "keychain",
            Self::Notifications => "notifications",
        }
    }
}

/// State of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum BootstrapState {
    /// The step is complete and recorded.
    Done,
    /// The step is not possible on this machine and is recorded as missing. It blocks nothing.
    NotAvailable,
    /// The step failed. It is retried automatically, and nothing starts until it succeeds.
    Failed,
    /// The step is due. The next engine that fetches files performs it.
    Due,
}

/// Step of the one-time work, with its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct BootstrapStatus {
    /// The step.
    pub step: BootstrapStep,
    /// Current state.
    pub state: BootstrapState,
    /// Reason in English why the step failed or is not available, as the end of a sentence; otherwise empty.
    pub text: String,
    /// Reason as a message. An older engine or ledger provides only `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub message: Option<UserMessage>,
}

impl BootstrapStatus {
    /// Returns the reason why the step failed or is not available, as a message.
    pub fn reason(&self) -> UserMessage {
        self.message.clone().unwrap_or_else(|| UserMessage::from_text(&self.text))
    }
}
