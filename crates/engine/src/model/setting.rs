//! Settings for users: names, kinds and values.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::UserMessage;

/// Setting, by its name in the settings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
#[expect(missing_docs, reason = "defaults.toml explains each setting by its name")]
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
    BrowserHandOver,
    BrowserLeastSize,
    BrowserSites,
    BrowserEndings,
    BrowserBypassKey,
    BrowserStartsAshore,
    BrowserChannel,
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

/// Group of settings in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum SettingGroup {
    /// Order, parallel transfers, language and desktop behaviour.
    General,
    /// Folders for downloaded files.
    Folders,
    /// Network and proxy.
    Network,
    /// Connection to browsers, and the downloads that browsers hand over.
    Browsers,
    /// Hours of the week.
    Schedule,
    /// Notifications and their times.
    Notifications,
    /// Battery, suspend, and use of the machine.
    Power,
    /// Disk space.
    Space,
    /// Settings that are rarely changed.
    Advanced,
}

/// Kind of value of a setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "lowercase")]
#[ts(export)]
pub enum SettingKind {
    /// A number.
    Number {
        /// Minimum value.
        least: f64,
        /// Maximum value.
        most: f64,
        /// Whether only whole numbers are accepted.
        is_whole: bool,
        /// Unit of the number.
        unit: Option<SettingUnit>,
    },
    /// True or false.
    Flag,
    /// Word from a list.
    Choice {
        /// Valid words.
        of: Vec<String>,
    },
    /// Text; may be empty.
    Text,
    /// Path of a folder; may be empty.
    Folder,
    /// Path of a file; may be empty.
    File,
    /// Bytes as text, such as "512K", "20M", "1.5G" or "5 MB".
    Amount {
        /// Minimum in bytes.
        #[ts(type = "number")]
        least: u64,
        /// Maximum in bytes.
        #[ts(type = "number")]
        most: u64,
        /// Whether the amount is per second.
        is_speed: bool,
    },
    /// Duration such as "12h", "30d" or "4w", or "never".
    Period,
    /// Part of the day, such as "22:00-07:00"; may be empty.
    Span,
    /// Hours of a week, either as lines or as a [`Week`].
    Week,
}

/// Unit of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export)]
pub enum SettingUnit {
    /// Seconds.
    Seconds,
    /// Percent.
    Percent,
}

/// Value of a setting, current or new. Every kind of setting also accepts its value as text, as the user would type it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(untagged)]
#[ts(export)]
pub enum SettingValue {
    /// True or false.
    Flag(bool),
    /// A number.
    Number(f64),
    /// Text; in the file, a value in quotes.
    Text(String),
    /// Hours of a week, as lines.
    Lines(Vec<String>),
    /// Hours of a week, as a grid.
    Week(WeekSetting),
}

/// Grid of a week in half hours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(export)]
pub struct WeekSetting {
    /// Days from Monday to Sunday, each with one letter per half hour: `f` full, `s` slow, `o` off.
    pub days: [String; 7],
    /// Whether the grid is exact: every change is at a full or half hour.
    pub is_exact: bool,
}

/// Setting with its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Setting {
    /// Key of the setting.
    pub key: SettingKey,
    /// Group in which the setting is shown.
    pub group: SettingGroup,
    /// Kind of value that the setting accepts.
    pub kind: SettingKind,
    /// Current value.
    pub value: SettingValue,
    /// Default value.
    pub default: SettingValue,
    /// Current value as a grid, if the value consists of hours of a week.
    pub week: Option<WeekSetting>,
}

/// Entry of the settings file that is ignored because it is not valid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SettingTrouble {
    /// Name in the file.
    pub name: String,
    /// Description of the problem, and how to correct it.
    #[serde(flatten)]
    pub message: UserMessage,
}

/// All settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SettingsReport {
    /// Settings in the order of display.
    pub settings: Vec<Setting>,
    /// Ignored entries of the file.
    pub troubles: Vec<SettingTrouble>,
    /// Path of the settings file, which may not exist yet.
    #[serde(with = "crate::model::values::path_text")]
    #[ts(as = "PathBuf")]
    pub file: PathBuf,
}
