//! What the settings say about the desktop's own features, and what follows from that for a notification. Until they are
//! read, nothing is known of them.

use std::{
    path::PathBuf,
    sync::{PoisonError, RwLock},
};

use ashore_engine::{EngineEnv, NotificationLevel, QuietHours, SettingKey, SettingsReport, UserMessage};
use ashore_rpc::MethodCall;
use serde::de::DeserializeOwned;

use crate::engine::client::EngineClient;

/// The wishes as they were last read, for whoever cannot wait. None before that.
#[derive(Debug, Default)]
pub struct SettingsCache(RwLock<Option<DesktopSettings>>);

impl SettingsCache {
    /// Those that are known.
    pub fn now(&self) -> Option<DesktopSettings> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// There are others.
    pub fn are(&self, wishes: DesktopSettings) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(wishes);
    }
}

/// What a person wants of the desktop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DesktopSettings {
    /// Which notifications there are.
    pub telling: NotificationLevel,
    /// None while the window has the focus.
    pub quiet_while_focused: bool,
    /// None in these hours.
    pub quiet_hours: QuietHours,
    /// One of its own when the last of several is over.
    pub all_done: bool,
    /// A window that is closed leaves Ashore in the tray.
    pub close_to_tray: bool,
    /// Ashore starts with the desktop.
    pub start_at_login: bool,
    /// Links that were copied are offered when the window gets the focus.
    pub offer_copied_links: bool,
    /// What is spoken: `auto`, or a tag.
    pub language: String,
    /// Where files go; none where nobody says so.
    pub folder: Option<PathBuf>,
}

/// What becomes of a notification that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardMode {
    /// It is shown.
    Shown,
    /// It is not: the person sees it in the window, or wants none.
    Silent,
    /// It is owed until this moment, in microseconds of Unix time.
    Later(i64),
}

impl DesktopSettings {
    /// Those of the engine behind `door`.
    pub async fn read(door: &EngineClient) -> Result<Self, UserMessage> {
        Ok(Self::from_report(&door.ask::<SettingsReport>(MethodCall::Settings).await?))
    }

    /// What becomes of what there is to be told now.
    pub fn card_mode(&self, is_focused: bool, env: &EngineEnv) -> CardMode {
        if self.telling == NotificationLevel::None || (is_focused && self.quiet_while_focused) {
            return CardMode::Silent;
        }
        self.quiet_hours.until((env.now_us)(), env.local).map_or(CardMode::Shown, CardMode::Later)
    }

    /// Whether what goes on has a notification now.
    pub fn shows_progress(&self, is_focused: bool, env: &EngineEnv) -> bool {
        self.telling == NotificationLevel::All && self.card_mode(is_focused, env) == CardMode::Shown
    }

    fn from_report(report: &SettingsReport) -> Self {
        Self {
            telling: value(report, SettingKey::Notifications).unwrap_or(NotificationLevel::All),
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

    /// Eleven in the evening of the first day.
    fn at_night() -> EngineEnv {
        let utc = |_| LocalTime { offset_seconds: 0, until_us: i64::MAX };
        EngineEnv { now_us: || 23 * HOUR, local: utc, ..EngineEnv::default() }
    }

    #[test]
    fn without_a_word_everything_is_shown_but_to_who_looks() {
        let wishes = wishes(&[]);
        assert_eq!(wishes.card_mode(false, &at_night()), CardMode::Shown);
        assert_eq!(wishes.card_mode(true, &at_night()), CardMode::Silent);
        assert!(wishes.shows_progress(false, &at_night()) && !wishes.shows_progress(true, &at_night()));
        assert!(wishes.all_done && wishes.close_to_tray && !wishes.start_at_login && !wishes.offer_copied_links);
    }

    #[test]
    fn who_wants_it_is_told_beside_the_window_too() {
        let wishes = wishes(&[(SettingKey::QuietWhileFocused, SettingValue::Flag(false))]);
        assert_eq!(wishes.card_mode(true, &at_night()), CardMode::Shown);
    }

    #[test]
    fn how_it_ended_is_told_without_progress_and_nothing_is_nothing() {
        let ended = wishes(&[(SettingKey::Notifications, text("ended"))]);
        assert!(!ended.shows_progress(false, &at_night()));
        assert_eq!(ended.card_mode(false, &at_night()), CardMode::Shown);
        let none = wishes(&[(SettingKey::Notifications, text("none")), (SettingKey::QuietHours, text("22:00-07:00"))]);
        assert_eq!(none.card_mode(false, &at_night()), CardMode::Silent, "and is not owed for the morning");
    }

    #[test]
    fn in_quiet_hours_it_is_owed_until_they_end() {
        let wishes = wishes(&[(SettingKey::QuietHours, text("22:00-07:00"))]);
        assert_eq!(wishes.card_mode(false, &at_night()), CardMode::Later(31 * HOUR));
        assert!(!wishes.shows_progress(false, &at_night()));
        assert_eq!(wishes.card_mode(false, &EngineEnv { now_us: || 12 * HOUR, ..at_night() }), CardMode::Shown);
        assert_eq!(wishes.card_mode(true, &at_night()), CardMode::Silent, "the window shows it");
    }
}
