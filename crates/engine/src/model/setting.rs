//! The settings as people see and change them: which there are, of what kind, and what they are now.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A setting, by its name in the settings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
#[expect(missing_docs, reason = "what each is for is said once, in defaults.toml")]
pub enum SettingKey {
    Language,
    Parallel,
    ParallelPerHost,
    Order,
    Folder,
    FolderVideo,
    FolderAudio,
    FolderPictures,
    FolderDocuments,
    FolderArchives,
    FolderPrograms,
    ForgetFinishedAfter,
    CloseToTray,
    StartAtLogin,
    OfferCopiedLinks,
    Connections,
    Offline,
    Metered,
    Proxy,
    NoProxy,
    ProxyLoopback,
    LocalForPrograms,
    Cookies,
    Hours,
    SlowSpeed,
    Notifications,
    QuietWhileFocused,
    QuietHours,
    AllDone,
    BatteryBelow,
    InUse,
    KeepAwake,
    FreeSpaceFloor,
    Attempts,
    RetryAfterSeconds,
    StallSeconds,
    ConnectTimeoutSeconds,
    TotalTimeoutSeconds,
    CheckpointSeconds,
    Http2,
    InsecureRedirects,
    CaCertificate,
    UserAgent,
    Referrer,
    Netrc,
    Keychain,
}

/// Settings that people look for together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum SettingGroup {
    /// What is fetched next, how much at once, and how Ashore lives on the desktop.
    General,
    /// Where files go.
    Folders,
    /// The ways out.
    Network,
    /// When.
    Schedule,
    /// What a person is told, and when.
    Notifications,
    /// On battery, and beside somebody who works.
    Power,
    /// On disks.
    Space,
    /// What few ever change.
    Advanced,
}

/// What a setting takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "lowercase")]
#[ts(export)]
pub enum SettingKind {
    /// A number.
    Number {
        /// The least.
        least: f64,
        /// The most.
        most: f64,
        /// Without a fraction.
        is_whole: bool,
        /// Of what.
        unit: Option<SettingUnit>,
    },
    /// True or false.
    Flag,
    /// One of these words.
    Choice {
        /// The words.
        of: Vec<String>,
    },
    /// Text; nothing is fine.
    Text,
    /// A path of a folder; nothing is fine.
    Folder,
    /// A path of a file; nothing is fine.
    File,
    /// Bytes as text: "512K", "20M", "1.5G", binary.
    Amount {
        /// The least, in bytes.
        #[ts(type = "number")]
        least: u64,
        /// The most, in bytes.
        #[ts(type = "number")]
        most: u64,
        /// A second.
        is_speed: bool,
    },
    /// A time such as "12h", "30d" or "4w", or "never".
    Period,
    /// A part of the day, such as "22:00-07:00"; nothing is fine.
    Span,
    /// The hours of a week, as lines or as a [`Week`].
    Week,
}

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum SettingUnit {
    /// Seconds.
    Seconds,
    /// Percent.
    Percent,
}

/// What a setting is, or is to be. Text is taken for every kind, as it would be typed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(untagged)]
#[ts(export)]
pub enum SettingValue {
    /// True or false.
    Flag(bool),
    /// A number.
    Number(f64),
    /// Everything that is written in quotes.
    Text(String),
    /// The hours of a week, as they are written.
    Lines(Vec<String>),
    /// The hours of a week, as they are painted.
    Week(WeekSetting),
}

/// The hours of a week in half hours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(export)]
pub struct WeekSetting {
    /// From Monday to Sunday; for each half hour of a day a letter: `f` full, `s` slow, `o` off.
    pub days: [String; 7],
    /// Nothing changes within a half hour.
    pub is_exact: bool,
}

/// One setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Setting {
    /// Which.
    pub key: SettingKey,
    /// Where people look for it.
    pub group: SettingGroup,
    /// What it takes.
    pub kind: SettingKind,
    /// What it is.
    pub value: SettingValue,
    /// What it is when nobody says.
    pub default: SettingValue,
    /// The same as a week, where it is one.
    pub week: Option<WeekSetting>,
}

/// Something in the settings file that is not followed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SettingTrouble {
    /// The name in the file.
    pub name: String,
    /// What is wrong with it, and the cure.
    pub text: String,
}

/// All settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SettingsReport {
    /// Each, in the order in which people read them.
    pub settings: Vec<Setting>,
    /// What the file says and nobody follows.
    pub troubles: Vec<SettingTrouble>,
    /// Where they are kept; there may be no such file yet.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub file: PathBuf,
}
