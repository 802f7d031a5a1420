//! How the engine as a whole is doing: totals, gates, limits, and what its doctor found.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    gates::SpeedMode,
    model::{BootstrapStatus, CounterMismatch, LedgerBackup, OrphanPartial, RecoveryReport, SettingTrouble, UniqueId},
};

/// What a speed limit is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
#[ts(export)]
pub enum LimitScope {
    /// Everything together.
    All,
    /// What comes from a server, or by way of it, and what is sent there.
    Host {
        /// Its name as in a link, without a port. Servers under it are others.
        host: String,
    },
    /// All files of one registration together.
    Registration {
        /// Which.
        unique_id: UniqueId,
    },
}

/// How fast something may come and go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SpeedLimit {
    /// For what.
    pub scope: LimitScope,
    /// Body bytes a second, sent ones as well.
    #[ts(type = "number")]
    pub bytes_per_second: u64,
}

/// Everything running, in a few numbers, and what holds the rest back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ProgressTotals {
    /// Registrations with a transfer under way.
    pub running: u32,
    /// Registrations that will go on by themselves.
    pub waiting: u32,
    /// Body bytes per second, over the last seconds.
    #[ts(type = "number")]
    pub speed: u64,
    /// Everything is paused.
    pub paused: bool,
    /// How fast everything together may be, in bytes a second. None: as fast as it goes.
    #[serde(default)]
    #[ts(type = "number | null")]
    pub speed_limit: Option<u64>,
    /// How fast things may go by now.
    pub pace: SpeedMode,
    /// The gate that keeps everything from starting, if one is closed.
    pub gate: Option<GateReport>,
}

/// Something that decides whether anything may start now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct GateReport {
    /// Which.
    pub code: GateCode,
    /// How it is.
    pub state: GateState,
    /// A sentence for people with what opens it; empty where it is not closed.
    pub text: String,
    /// What makes it so, such as "NetworkManager says that it is metered".
    pub cause: String,
    /// Until when it is so, in milliseconds of Unix time; none where an event decides.
    #[ts(type = "number | null")]
    pub until: Option<i64>,
}

/// What a gate looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum GateCode {
    /// The one-time work of a first start or an update.
    Bootstrap,
    /// The wish to pause everything.
    Paused,
    /// A machine that goes to sleep.
    Asleep,
    /// The allowed hours of the week.
    Hours,
    /// Whether there is a network.
    Offline,
    /// A network that wants a sign-in first.
    CaptivePortal,
    /// What traffic costs.
    Metered,
    /// The battery's charge.
    Battery,
    /// Whether somebody works at this machine.
    InUse,
    /// Free space where the files go, or where the list is.
    Disk,
    /// Whether the disk of the folder is there, and answers.
    Folder,
    /// How much of the list may be an owner's, or of a kind.
    Quota,
}

impl GateCode {
    /// The stable word for programs.
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

/// How a gate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum GateState {
    /// It lets everything through.
    Open,
    /// It lets nothing through.
    Closed,
    /// Nobody can say; it lets everything through.
    Unknown,
}

/// What `doctor` found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct EngineReport {
    /// `ok`, or what SQLite's check says.
    pub ledger: String,
    /// The ledger file.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub path: PathBuf,
    /// Its schema version.
    pub version: u32,
    /// Partials that belong to a request.
    pub partials: Vec<KnownPartial>,
    /// Partials with a journal that no request knows: kept, never deleted unasked.
    pub orphans: Vec<OrphanPartial>,
    /// Folders that were used and are not there, or do not answer: nobody knows which partials are in them.
    pub folders: Vec<FolderTrouble>,
    /// Who works on this folder.
    pub holder: Option<String>,
    /// What decides whether anything may start now.
    pub gates: Vec<GateReport>,
    /// What the settings file says and nobody follows.
    pub settings: Vec<SettingTrouble>,
    /// The copies of the list, the newest first.
    pub backups: Vec<LedgerBackup>,
    /// What became of a list that was damaged, until somebody has seen it.
    pub recovery: Option<RecoveryReport>,
    /// Files of removed downloads that could not be moved to the trash.
    pub kept_files: Vec<KeptFile>,
    /// The one-time work of a first start and of an update, step by step.
    #[serde(default)]
    pub bootstrap: Vec<BootstrapStatus>,
    /// Counters that do not agree with the rows they count, and records that contradict others; the first hundred of each
    /// kind. `repair` recomputes the counters.
    #[serde(default)]
    pub miscounts: Vec<CounterMismatch>,
}

/// A file of a removed download that is there still. Each start, and each removal, tries to move it to the trash again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KeptFile {
    /// Where.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub path: PathBuf,
    /// The system's own error text.
    pub why: String,
}

/// A folder in which nobody could look.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FolderTrouble {
    /// Which.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub path: PathBuf,
    /// Why not, as the rest of a sentence that begins with its path.
    pub text: String,
}

/// A partial file on disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KnownPartial {
    /// Where.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub path: PathBuf,
    /// Durable bytes in it.
    #[ts(type = "number")]
    pub bytes: u64,
    /// The registration it belongs to.
    pub unique_id: Option<UniqueId>,
}

/// Rounded up: at that millisecond it is so.
pub(crate) fn milliseconds(us: i64) -> i64 {
    us.div_euclid(1000) + i64::from(us.rem_euclid(1000) > 0)
}

pub(crate) fn closed_by(code: GateCode, text: String, cause: String, until_us: Option<i64>) -> GateReport {
    GateReport { code, state: GateState::Closed, text, cause, until: until_us.map(milliseconds) }
}
