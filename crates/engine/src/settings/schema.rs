//! Table of all settings: name, place and kind. The settings file is checked against this table, and the settings form
//! is built from the table. [pure]

use ashore_messages::{MessageArgument, UserMessage, message};
use toml_edit::{Item, Value};

use crate::{
    gates::WeeklyHours,
    model::{
        SettingGroup as Group, SettingKey as Key, SettingKind as Kind, SettingUnit as Unit,
        values::{byte_size::ByteSize, quiet_hours::QuietHours, retention::RetentionPolicy},
    },
};

const KIB: u64 = 1 << 10;
const GIB: u64 = 1 << 30;
/// A year and a day, in seconds.
const LONG: f64 = 366.0 * 24.0 * 3600.0;

/// Valid languages: `auto` for the desktop's language, or a language of the window.
const LANGUAGES: &[&str] = &["auto", "en", "de", "es", "fr", "pt-BR", "ru", "ar", "hi", "zh-CN", "ja"];

/// Definition of a setting.
#[derive(Clone, Debug)]
pub(crate) struct SettingDefinition {
    pub key: Key,
    /// Name in the settings file.
    pub name: &'static str,
    pub group: Group,
    pub kind: Kind,
    /// Whether an invalid value stops all transfers.
    ///
    /// Such a setting protects the user, as a proxy does. Replacing its invalid value by the default could remove this
    /// protection.
    pub is_guard: bool,
    /// Whether the setting is shared by all machines that sync. Settings about one machine, its network or its secrets
    /// are not shared.
    pub is_synced: bool,
}

impl Key {
    /// All keys in the order of display.
    pub(crate) const ALL: &'static [Self] = &[
        Self::Language,
        Self::Parallel,
        Self::ParallelPerHost,
        Self::Order,
        Self::ForgetFinishedAfter,
        Self::CloseToTray,
        Self::StartAtLogin,
        Self::OfferCopiedLinks,
        Self::Folder,
        Self::FolderVideo,
        Self::FolderAudio,
        Self::FolderPictures,
        Self::FolderDocuments,
        Self::FolderArchives,
        Self::FolderPrograms,
        Self::Connections,
        Self::Offline,
        Self::Metered,
        Self::Proxy,
        Self::NoProxy,
        Self::ProxyLoopback,
        Self::LocalForPrograms,
        Self::Cookies,
        Self::BrowserHandOver,
        Self::BrowserLeastSize,
        Self::BrowserSites,
        Self::BrowserEndings,
        Self::BrowserBypassKey,
        Self::BrowserStartsAshore,
        Self::BrowserChannel,
        Self::Hours,
        Self::SlowSpeed,
        Self::Notifications,
        Self::QuietWhileFocused,
        Self::QuietHours,
        Self::AllDone,
        Self::BatteryBelow,
        Self::InUse,
        Self::KeepAwake,
        Self::FreeSpaceFloor,
        Self::Attempts,
        Self::RetryAfterSeconds,
        Self::StallSeconds,
        Self::ConnectTimeoutSeconds,
        Self::TotalTimeoutSeconds,
        Self::CheckpointSeconds,
        Self::Http2,
        Self::InsecureRedirects,
        Self::CaCertificate,
        Self::UserAgent,
        Self::Referrer,
        Self::Netrc,
        Self::Keychain,
    ];

    /// Definition of the setting.
    pub(crate) fn definition(self) -> SettingDefinition {
        let waits = || one_of(&["wait", "go"]);
        let (name, group, kind) = match self {
            Self::Language => ("language", Group::General, one_of(LANGUAGES)),
            Self::Parallel => ("parallel", Group::General, whole(1.0, 64.0)),
            Self::ParallelPerHost => ("parallel-per-host", Group::General, whole(1.0, 64.0)),
            Self::Order => ("order", Group::General, one_of(&["first-come", "newest-first"])),
            Self::ForgetFinishedAfter => ("forget-finished-after", Group::General, Kind::Period),
            Self::CloseToTray => ("close-to-tray", Group::General, Kind::Flag),
            Self::StartAtLogin => ("start-at-login", Group::General, Kind::Flag),
            Self::OfferCopiedLinks => ("offer-copied-links", Group::General, Kind::Flag),
            Self::Folder => ("folder", Group::Folders, Kind::Folder),
            Self::FolderVideo => ("folder-video", Group::Folders, Kind::Folder),
            Self::FolderAudio => ("folder-audio", Group::Folders, Kind::Folder),
            Self::FolderPictures => ("folder-pictures", Group::Folders, Kind::Folder),
            Self::FolderDocuments => ("folder-documents", Group::Folders, Kind::Folder),
            Self::FolderArchives => ("folder-archives", Group::Folders, Kind::Folder),
            Self::FolderPrograms => ("folder-programs", Group::Folders, Kind::Folder),
            Self::Connections => ("connections", Group::Network, whole(1.0, 64.0)),
            Self::Offline => ("offline", Group::Network, waits()),
            Self::Metered => ("metered", Group::Network, waits()),
            Self::Proxy => ("proxy", Group::Network, Kind::Text),
            Self::NoProxy => ("no-proxy", Group::Network, Kind::Text),
            Self::ProxyLoopback => ("proxy-loopback", Group::Network, Kind::Flag),
            Self::LocalForPrograms => ("local-for-programs", Group::Network, Kind::Flag),
            Self::Cookies => ("cookies", Group::Network, Kind::Flag),
            Self::BrowserHandOver => ("browser-hand-over", Group::Browsers, one_of(&["automatic", "menu"])),
            Self::BrowserLeastSize => ("browser-least-size", Group::Browsers, bytes()),
            Self::BrowserSites => ("browser-sites", Group::Browsers, Kind::Text),
            Self::BrowserEndings => ("browser-endings", Group::Browsers, Kind::Text),
            Self::BrowserBypassKey => ("browser-bypass-key", Group::Browsers, Kind::Flag),
            Self::BrowserStartsAshore => ("browser-starts-ashore", Group::Browsers, Kind::Flag),
            Self::BrowserChannel => ("browser-channel", Group::Browsers, Kind::Flag),
            Self::Hours => ("hours", Group::Schedule, Kind::Week),
            Self::SlowSpeed => ("slow-speed", Group::Schedule, Kind::Amount { least: KIB, most: 10 * GIB, is_speed: true }),
            Self::Notifications => ("notifications", Group::Notifications, one_of(&["calm", "all", "ended", "none"])),
            Self::QuietWhileFocused => ("quiet-while-focused", Group::Notifications, Kind::Flag),
            Self::QuietHours => ("quiet-hours", Group::Notifications, Kind::Span),
            Self::AllDone => ("all-done", Group::Notifications, Kind::Flag),
            Self::BatteryBelow => {
                let percent = Kind::Number { least: 0.0, most: 100.0, is_whole: true, unit: Some(Unit::Percent) };
                ("battery-below", Group::Power, percent)
            }
            Self::InUse => ("in-use", Group::Power, waits()),
            Self::KeepAwake => ("keep-awake", Group::Power, Kind::Flag),
            Self::FreeSpaceFloor => ("free-space-floor", Group::Space, bytes()),
            Self::Attempts => ("attempts", Group::Advanced, whole(1.0, 100.0)),
            Self::RetryAfterSeconds => ("retry-after-seconds", Group::Advanced, seconds(0.01, 3600.0)),
            Self::StallSeconds => ("stall-seconds", Group::Advanced, seconds(1.0, 3600.0)),
            Self::ConnectTimeoutSeconds => ("connect-timeout-seconds", Group::Advanced, seconds(0.1, 600.0)),
            Self::TotalTimeoutSeconds => ("total-timeout-seconds", Group::Advanced, seconds(0.0, LONG)),
            Self::CheckpointSeconds => ("checkpoint-seconds", Group::Advanced, seconds(0.05, 60.0)),
            Self::Http2 => ("http2", Group::Advanced, Kind::Flag),
            Self::InsecureRedirects => ("insecure-redirects", Group::Advanced, Kind::Flag),
            Self::CaCertificate => ("ca-certificate", Group::Advanced, Kind::File),
            Self::UserAgent => ("user-agent", Group::Advanced, Kind::Text),
            Self::Referrer => ("referrer", Group::Advanced, Kind::Text),
            Self::Netrc => ("netrc", Group::Advanced, Kind::File),
            Self::Keychain => ("keychain", Group::Advanced, one_of(&["auto", "system", "file", "none"])),
        };
        let is_guard = matches!(self, Self::Proxy | Self::NoProxy | Self::ProxyLoopback | Self::Hours | Self::Keychain);
        SettingDefinition { key: self, name, group, kind, is_guard, is_synced: self.is_synced() }
    }

    fn is_synced(self) -> bool {
        !matches!(
            self,
            Self::StartAtLogin
                | Self::Folder
                | Self::Connections
                | Self::Proxy
                | Self::NoProxy
                | Self::ProxyLoopback
                | Self::LocalForPrograms
                | Self::Cookies
                | Self::BrowserStartsAshore
                | Self::BrowserChannel
                | Self::BatteryBelow
                | Self::FreeSpaceFloor
                | Self::ConnectTimeoutSeconds
                | Self::TotalTimeoutSeconds
                | Self::CheckpointSeconds
                | Self::InsecureRedirects
                | Self::CaCertificate
                | Self::Referrer
                | Self::Netrc
                | Self::Keychain
        )
    }

    /// Whether the setting is the path of a file to read.
    pub fn is_file(self) -> bool {
        self.definition().kind == Kind::File
    }

    /// Whether the setting is the path of a folder for downloads.
    pub fn is_folder(self) -> bool {
        self.definition().kind == Kind::Folder
    }

    /// Key with this name in the settings file.
    pub(crate) fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|key| key.definition().name == name)
    }

    /// Key that is most similar to an unknown name, if any.
    pub fn meant(name: &str) -> Option<Self> {
        let alike = |key: &Self| strsim::normalized_damerau_levenshtein(key.definition().name, &name.to_lowercase());
        let best = Self::ALL.iter().copied().max_by(|one, other| alike(one).total_cmp(&alike(other)));
        best.filter(|key| alike(key) >= 0.6)
    }
}

impl SettingDefinition {
    /// Checks that `item` is valid on its own.
    pub(crate) fn check(&self, item: &Item) -> Result<(), UserMessage> {
        let name = self.name;
        let written = || item.to_string().trim().to_owned();
        let limit = |number: &f64| MessageArgument::display(number);
        match &self.kind {
            Kind::Number { is_whole: true, least, most, .. } if item.as_integer().is_none() => {
                Err(message!("invalid.whole", name = name, value = written(), least = limit(least), most = limit(most)))
            }
            Kind::Number { least, most, .. } => match number(item) {
                Some(number) => self.check_number(number),
                None => Err(message!("invalid.number", name = name, value = written(), least = limit(least), most = limit(most))),
            },
            Kind::Flag if item.as_bool().is_none() => Err(message!("invalid.flag", name = name, value = written())),
            Kind::Flag => Ok(()),
            Kind::Choice { of } if !item.as_str().is_some_and(|word| of.iter().any(|known| known == word)) => {
                Err(message!("invalid.choice", name = name, value = written(), meant = of.join(", ")))
            }
            Kind::Week => match lines(item) {
                Some(lines) => WeeklyHours::try_from(lines).map(drop).map_err(|error| error.message()),
                None => Err(message!("invalid.lines", name = name, value = written())),
            },
            _ => match item.as_str() {
                Some(text) => self.check_text(text),
                None => Err(message!("invalid.text", name = name, value = written())),
            },
        }
    }

    /// Checks that `number` is in its range.
    pub(crate) fn check_number(&self, number: f64) -> Result<(), UserMessage> {
        match self.kind {
            Kind::Number { least, most, .. } if !(least..=most).contains(&number) => {
                let written = |number: f64| MessageArgument::display(number);
                Err(message!("invalid", name = self.name, value = written(number), least = written(least), most = written(most)))
            }
            _ => Ok(()),
        }
    }

    fn check_text(&self, text: &str) -> Result<(), UserMessage> {
        match self.kind {
            Kind::Amount { least, most, is_speed } => {
                let amount: ByteSize = text.parse()?;
                if (least..=most).contains(&amount.0) {
                    return Ok(());
                }
                let (name, value) = (self.name, amount.0.to_string());
                let [least, most] = [least, most].map(|limit| ByteSize(limit).to_string());
                Err(match is_speed {
                    true => message!("invalid.speed", name = name, value = value, least = least, most = most),
                    false => message!("invalid.bytes", name = name, value = value, least = least, most = most),
                })
            }
            Kind::Period => RetentionPolicy::try_from(text.to_owned()).map(drop),
            Kind::Span => QuietHours::try_from(text.to_owned()).map(drop),
            _ => Ok(()),
        }
    }
}

/// Number in `item`, whole or with a fraction.
pub(crate) fn number(item: &Item) -> Option<f64> {
    // Whole numbers beyond 2^53 lose precision here, and are out of every range.
    item.as_float().or_else(|| item.as_integer().map(|whole| whole as f64))
}

/// Texts in a list; `None` for any other item.
pub(crate) fn lines(item: &Item) -> Option<Vec<String>> {
    item.as_array()?.iter().map(|line| Value::as_str(line).map(str::to_owned)).collect()
}

fn one_of(words: &[&str]) -> Kind {
    Kind::Choice { of: words.iter().map(|word| (*word).to_owned()).collect() }
}

const fn bytes() -> Kind {
    Kind::Amount { least: 0, most: 1 << 53, is_speed: false }
}

const fn whole(least: f64, most: f64) -> Kind {
    Kind::Number { least, most, is_whole: true, unit: None }
}

const fn seconds(least: f64, most: f64) -> Kind {
    Kind::Number { least, most, is_whole: false, unit: Some(Unit::Seconds) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reference_setting_is_defined_once_with_valid_default() {
        let reference: toml_edit::DocumentMut = crate::settings::DEFAULTS.parse().unwrap();
        let mut names: Vec<&str> = Key::ALL.iter().map(|key| key.definition().name).collect();
        for name in &names {
            let definition = Key::by_name(name).unwrap().definition();
            assert_eq!(definition.check(&reference[name]), Ok(()));
            assert_eq!(serde_json::to_value(definition.key).unwrap(), *name);
        }
        let mut known: Vec<&str> = reference.iter().map(|(name, _)| name).collect();
        names.sort_unstable();
        known.sort_unstable();
        assert_eq!(names, known);
    }

    #[test]
    fn misspelt_setting_name_is_recognised_and_unrelated_word_is_not() {
        for (written, meant) in
            [("paralel", Key::Parallel), ("Proxy", Key::Proxy), ("user_agent", Key::UserAgent), ("no_proxy", Key::NoProxy)]
        {
            assert_eq!(Key::meant(written), Some(meant), "{written}");
        }
        for foreign in ["", "theme", "x", "max-overall-download-limit"] {
            assert_eq!(Key::meant(foreign), None, "{foreign}");
        }
    }
}
