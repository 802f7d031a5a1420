//! Status of the engine as a whole: totals, gates, limits, and the report of `doctor`.

use std::{collections::BTreeMap, path::PathBuf};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use ashore_messages::{MessageArgument, UserMessage};

use crate::{
    gates::SpeedMode,
    model::{BootstrapStatus, CounterMismatch, LedgerBackup, OrphanPartial, RecoveryReport, SettingTrouble, UniqueId},
};

/// Scope of a speed limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
#[ts(export)]
pub enum LimitScope {
    /// All transfers together.
    All,
    /// Transfers from or to a server, including transfers that it redirects.
    Host {
        /// Host name as in a link, without a port. Subdomains are separate hosts.
        host: String,
    },
    /// All files of one registration together.
    Registration {
        /// Key of the registration.
        unique_id: UniqueId,
    },
}

/// Limits that a program has set. They are stricter than the settings; `None` for no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LentLimits {
    /// Body bytes per second of all transfers together.
    pub bytes_per_second: Option<u64>,
    /// Maximum number of parallel files.
    pub parallel: Option<u32>,
}

/// Speed limit for all transfers, a host or a registration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SpeedLimit {
    /// Scope of the limit.
    pub scope: LimitScope,
    /// Body bytes per second, received and sent together.
    #[ts(type = "number")]
    pub bytes_per_second: u64,
}

/// Totals of running and waiting registrations, and the gate that blocks all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ProgressTotals {
    /// Number of registrations with a running transfer.
    pub running: u32,
    /// Number of registrations that will continue automatically.
    pub waiting: u32,
    /// Body bytes per second, over the last seconds.
    #[ts(type = "number")]
    pub speed: u64,
    /// Whether everything is paused.
    pub paused: bool,
    /// Speed limit of all transfers together in bytes per second; `None` for no limit.
    #[serde(default)]
    #[ts(type = "number | null")]
    pub speed_limit: Option<u64>,
    /// Speed mode according to the current hour of the week.
    pub pace: SpeedMode,
    /// Closed gate that blocks everything, if any.
    pub gate: Option<GateReport>,
}

/// Network state that decides whether sync may use the network now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkUse {
    /// Whether servers may be reachable. True if the desktop does not report the network.
    pub is_online: bool,
    /// Whether traffic is metered and the settings forbid downloads on metered networks.
    pub is_metered: bool,
}

/// Condition that may prevent downloads from starting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct GateReport {
    /// Code of the gate.
    pub code: GateCode,
    /// State of the gate.
    pub state: GateState,
    /// Variant of the message; see [`UserMessage`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub variant: Option<String>,
    /// Arguments of the message.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(as = "Option<BTreeMap<String, MessageArgument>>", optional)]
    pub args: BTreeMap<String, MessageArgument>,
    /// English sentence that names the condition for opening the gate. Empty if the gate is not closed.
    pub text: String,
    /// Cause of the state in English, such as "NetworkManager says that it is metered".
    pub cause: String,
    /// Cause as a message. An older engine sends only the text in `cause`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cause_message: Option<Box<UserMessage>>,
    /// Time at which the state ends, in milliseconds of Unix time; `None` if an event ends it.
    #[ts(type = "number | null")]
    pub until: Option<i64>,
}

impl GateReport {
    /// Returns the message of a closed gate.
    pub fn message(&self) -> UserMessage {
        let (variant, args, text) = (self.variant.clone(), self.args.clone(), self.text.clone());
        UserMessage { code: self.code.word().to_owned(), variant, args, text }
    }

    /// Returns the cause of the state as a message.
    pub fn cause(&self) -> UserMessage {
        self.cause_message.as_deref().cloned().unwrap_or_else(|| UserMessage::from_text(&self.cause))
    }
}

/// Condition that a gate checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum GateCode {
    /// Gate for the initial work of a first start or an update.
    Bootstrap,
    /// Gate for a pause of everything.
    Paused,
    /// Gate for a machine that is about to suspend.
    Asleep,
    /// Gate for the allowed hours of the week.
    Hours,
    /// Gate for the availability of a network.
    Offline,
    /// Gate for a network that requires a sign-in first.
    CaptivePortal,
    /// Gate for networks on which traffic costs money.
    Metered,
    /// Gate for the charge of the battery.
    Battery,
    /// Gate for the activity of a user at this machine.
    InUse,
    /// Gate for free space in the download folder, or on the disk of the list.
    Disk,
    /// Gate for a folder whose disk is missing or does not answer.
    Folder,
    /// Gate for quotas of owners and kinds of file.
    Quota,
}

impl GateCode {
    /// Stable identifier of the gate, for use by programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Bootstrap => "bootstrap",
            Self::Paused => "paused",
            Self::Asleep => "asleep",
            Self::Hours => "hours",
            Self::Offline => "offline",
            Self::CaptivePortal => "captive-portal",
            Self::Metered => "metered",
            Self::Battery => "battery",
            Self::InUse => "in-use",
            Self::Disk => "disk",
            Self::Folder => "folder",
            Self::Quota => "quota",
        }
    }
}

/// State of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum GateState {
    /// The condition of the gate is met, so the gate prevents no start.
    Open,
    /// The condition is not met, so downloads that the gate applies to cannot start.
    Closed,
    /// The condition cannot be determined, which counts as open.
    Unknown,
}

/// Report of `doctor`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct EngineReport {
    /// `ok`, or the message of SQLite's check.
    pub ledger: String,
    /// The ledger file.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub path: PathBuf,
    /// Schema version of the ledger.
    pub version: u32,
    /// Partial files that belong to a request.
    pub partials: Vec<KnownPartial>,
    /// Partial files with a journal but without a request. They are never deleted automatically.
    pub orphans: Vec<OrphanPartial>,
    /// Used folders that are missing or do not answer. Partial files in them are unknown.
    pub folders: Vec<FolderTrouble>,
    /// Program that holds the lock on the data folder.
    pub holder: Option<String>,
    /// Conditions that may prevent downloads from starting.
    pub gates: Vec<GateReport>,
    /// Ignored entries of the settings file.
    pub settings: Vec<SettingTrouble>,
    /// Backup copies of the list, newest first.
    pub backups: Vec<LedgerBackup>,
    /// Recovery of a damaged list, until it is acknowledged.
    pub recovery: Option<RecoveryReport>,
    /// Files of removed downloads that could not be moved to the trash.
    pub kept_files: Vec<KeptFile>,
    /// One-time steps of a first start and of an update.
    #[serde(default)]
    pub bootstrap: Vec<BootstrapStatus>,
    /// Counters that differ from the rows that they count, and records that contradict each other.
    ///
    /// Lists the first hundred of each kind. `repair` recomputes the counters.
    #[serde(default)]
    pub miscounts: Vec<CounterMismatch>,
}

/// File of a removed download that still exists. Each start and each removal tries again to move it to the trash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KeptFile {
    /// Path of the file.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub path: PathBuf,
    /// Reason as a clause. Rare system errors have only a text.
    pub why: UserMessage,
}

/// Folder that could not be searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FolderTrouble {
    /// Path of the folder.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub path: PathBuf,
    /// Reason, as the end of a sentence that begins with the path of the folder.
    #[serde(flatten)]
    pub message: UserMessage,
}

/// A partial file on disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KnownPartial {
    /// Path of the file.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub path: PathBuf,
    /// Number of durable bytes in the file.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Registration of the partial file.
    pub unique_id: Option<UniqueId>,
}

/// Converts microseconds to milliseconds, rounded up, so that the result is never before the original time.
pub(crate) fn milliseconds(us: i64) -> i64 {
    us.div_euclid(1000) + i64::from(us.rem_euclid(1000) > 0)
}

/// Returns the report of a gate whose state has no message.
pub(crate) fn report(code: GateCode, state: GateState, cause: UserMessage) -> GateReport {
    GateReport {
        code,
        state,
        variant: None,
        args: BTreeMap::new(),
        text: String::new(),
        cause: cause.text.clone(),
        cause_message: Some(Box::new(cause)),
        until: None,
    }
}

/// Returns a closed gate. The code of `message` is that of the gate.
pub(crate) fn closed_by(message: UserMessage, code: GateCode, cause: UserMessage, until_us: Option<i64>) -> GateReport {
    let UserMessage { variant, args, text, .. } = message;
    GateReport { variant, args, text, until: until_us.map(milliseconds), ..report(code, GateState::Closed, cause) }
}
