//! Reads the settings of the desktop program, and decides whether a notification may be shown.

use std::{
    path::PathBuf,
    sync::{PoisonError, RwLock},
};

use ashore_engine::{EngineEnv, NotificationLevel, QuietHours, SettingKey, SettingsReport, UserMessage};
use ashore_rpc::MethodCall;
use serde::de::DeserializeOwned;

use crate::engine::client::EngineClient;

/// Last read settings, for code that cannot wait for a call. `None` until the first read.
#[derive(Debug, Default)]
pub struct SettingsCache(RwLock<Option<DesktopSettings>>);

impl SettingsCache {
    /// Returns the last settings.
    pub fn now(&self) -> Option<DesktopSettings> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the settings.
    pub fn are(&self, wishes: DesktopSettings) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(wishes);
    }
}

/// Settings of the desktop program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DesktopSettings {
    /// Kinds of notifications to show.
    pub telling: NotificationLevel,
    /// Whether notifications are dropped while the window has the focus.
    pub quiet_while_focused: bool,
    /// Hours without notifications.
    pub quiet_hours: QuietHours,
    /// Whether to show a notification when the last of several downloads ends.
    pub all_done: bool,
    /// Whether Ashore stays in the tray when the window is closed.
    pub close_to_tray: bool,
    /// Whether Ashore is started with the desktop.
    pub start_at_login: bool,
    /// Whether copied links are offered when the window gets the focus.
    pub offer_copied_links: bool,
    /// Language of the user interface: `auto`, or a language tag.
    pub language: String,
    /// Default download folder, if the setting is an absolute path.
    pub folder: Option<PathBuf>,
}

/// Decision about a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardMode {
    /// Show the notification now.
    Shown,
    /// Drop the notification, because the user already sees the result in the window, or wants no notifications.
    Silent,
    /// Keep the notification until this time, in microseconds of Unix time.
    Later(i64),
}

impl DesktopSettings {
    /// Reads the settings from the engine.
    pub async fn read(door: &EngineClient) -> Result<Self, UserMessage> {
        Ok(Self::from_report(&door.ask::<SettingsReport>(MethodCall::Settings).await?))
    }

    /// Decides whether the result of a download is shown now, later or never.
    pub fn card_mode(&self, is_focused: bool, env: &EngineEnv) -> CardMode {
        if self.telling == NotificationLevel::None || (is_focused && self.quiet_while_focused) {
            return CardMode::Silent;
        }
        self.quiet_hours.until((env.now_us)(), env.local).map_or(CardMode::Shown, CardMode::Later)
    }

    /// Whether the progress of running downloads may be shown in notifications.
    pub fn shows_progress(&self, is_focused: bool, env: &EngineEnv) -> bool {
        let has_progress = matches!(self.telling, NotificationLevel::Calm | NotificationLevel::All);
        has_progress && self.card_mode(is_focused, env) == CardMode::Shown
    }

    fn from_report(report: &SettingsReport) -> Self {
        Self {
            telling: value(report, SettingKey::Notifications).unwrap_or(NotificationLevel::Calm),
            quiet_while_focused: value(report, SettingKey::QuietWhileFocused).unwrap_or(true),
            quiet_hours: value(report, SettingKey::QuietHours).unwrap_or_default(),
            all_done: value(report, SettingKey::AllDone).unwrap_or(true),
            close_to_tray: value(report, SettingKey::CloseToTray).unwrap_or(true),
            start_at_login: value(report, SettingKey::StartAtLogin).unwrap_or(false),
            offer_copied_links: value(report, SettingKey::OfferCopiedLinks).unwrap_or(false),
            language: value(report, SettingKey::Language).unwrap_or_else(|| "auto".to_owned()),
            folder: value(report, SettingKey::Folder).filter(|folder: &PathBuf| folder.is_absolute()),
        }
    }
}

fn value<T: DeserializeOwned>(report: &SettingsReport, key: SettingKey) -> Option<T> {
    let setting = report.settings.iter().find(|setting| setting.key == key)?;
    serde_json::from_value(serde_json::to_value(&setting.value).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use ashore_engine::{LocalTime, Setting, SettingGroup, SettingKind, SettingValue};

    use super::*;

    const HOUR: i64 = 3_600_000_000;

    fn wishes(values: &[(SettingKey, SettingValue)]) -> DesktopSettings {
        let setting = |(key, value): &(SettingKey, SettingValue)| Setting {
            key: *key,
            group: SettingGroup::Notifications,
            kind: SettingKind::Text,
            value: value.clone(),
            default: value.clone(),
            week: None,
        };
        let settings = values.iter().map(setting).collect();
        DesktopSettings::from_report(&SettingsReport { settings, troubles: Vec::new(), file: "".into() })
    }

    fn text(text: &str) -> SettingValue {
        SettingValue::Text(text.to_owned())
    }

    /// Returns a clock that shows 23:00 on 1 January 1970.
    fn at_night() -> EngineEnv {
        let utc = |_| LocalTime { offset_seconds: 0, until_us: i64::MAX };
        EngineEnv { now_us: || 23 * HOUR, local: utc, ..EngineEnv::default() }
    }

    #[test]
    fn default_settings_show_all_notifications_except_while_window_is_focused() {
        let wishes = wishes(&[]);
        assert_eq!(wishes.card_mode(false, &at_night()), CardMode::Shown);
        assert_eq!(wishes.card_mode(true, &at_night()), CardMode::Silent);
        assert!(wishes.shows_progress(false, &at_night()) && !wishes.shows_progress(true, &at_night()));
        assert!(wishes.all_done && wishes.close_to_tray && !wishes.start_at_login && !wishes.offer_copied_links);
    }

    #[test]
    fn notifications_appear_while_window_is_focused_if_setting_allows() {
        let wishes = wishes(&[(SettingKey::QuietWhileFocused, SettingValue::Flag(false))]);
        assert_eq!(wishes.card_mode(true, &at_night()), CardMode::Shown);
    }

    #[test]
    fn progress_is_hidden_at_notification_level_ended_and_everything_at_level_none() {
        let ended = wishes(&[(SettingKey::Notifications, text("ended"))]);
        assert!(!ended.shows_progress(false, &at_night()));
        assert_eq!(ended.card_mode(false, &at_night()), CardMode::Shown);
        let none = wishes(&[(SettingKey::Notifications, text("none")), (SettingKey::QuietHours, text("22:00-07:00"))]);
        assert_eq!(none.card_mode(false, &at_night()), CardMode::Silent, "the notification is not sent in the morning either");
    }

    #[test]
    fn notification_is_delayed_until_end_of_quiet_hours() {
        let wishes = wishes(&[(SettingKey::QuietHours, text("22:00-07:00"))]);
        assert_eq!(wishes.card_mode(false, &at_night()), CardMode::Later(31 * HOUR));
        assert!(!wishes.shows_progress(false, &at_night()));
        assert_eq!(wishes.card_mode(false, &EngineEnv { now_us: || 12 * HOUR, ..at_night() }), CardMode::Shown);
        assert_eq!(wishes.card_mode(true, &at_night()), CardMode::Silent, "the window shows it");
    }
}
