//! The one-time work of a first start, as `doctor` reports it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A step of the one-time work that a first start, or the first start after an update, performs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum BootstrapStep {
    /// Makes the data folder private.
    DataFolder,
    /// Brings the ledger to the version of this program.
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
    /// The stable word for programs.
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

/// How far a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum BootstrapState {
    /// Complete and recorded.
    Done,
    /// Recorded as missing on this machine; nothing waits for it.
    NotAvailable,
    /// Failed, and retried by itself; nothing starts before it succeeds.
    Failed,
    /// Performed by the next engine that fetches.
    Due,
}

/// A step, and how far it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct BootstrapStatus {
    /// Which.
    pub step: BootstrapStep,
    /// How far.
    pub state: BootstrapState,
    /// Why it failed, or is not available, as the rest of a sentence; empty otherwise.
    pub text: String,
}
