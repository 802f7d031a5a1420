//! Engine methods for settings.
//!
//! - A change is written to the file before it takes effect.
//! - The change then applies immediately to waiting requests, new transfers, and the speed of running transfers.
//!   Running transfers keep their connections.

use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::{Arc, PoisonError},
};

use ashore_transfer::{AddressPolicy, disk};

use crate::{
    Engine, EngineError, EngineEvent,
    context::{shared::EngineContext, speed},
    first_run::steps,
    model::{FileCategory, RequestSource, SettingKey, SettingValue, SettingsReport},
    scheduler::command::SchedulerCommand,
    settings::{self, Settings, SettingsFile, transfer_config},
    startup::opening,
};

impl Engine {
    /// Returns the default folder for downloads of no particular kind.
    pub fn download_folder(&self) -> PathBuf {
        self.shared.settings().download_folder()
    }

    /// Returns the default folders for the kinds of downloads.
    pub fn usual_folders(&self) -> BTreeSet<PathBuf> {
        let settings = self.shared.settings();
        FileCategory::ALL.into_iter().map(|category| settings.folder_of(category)).collect()
    }

    /// Whether downloads of this source may reach local addresses, by the settings.
    pub fn may_reach_local(&self, source: RequestSource) -> bool {
        self.shared.settings().reach_of(source) == AddressPolicy::Anywhere
    }

    /// Returns every setting with its value and its valid values, and the invalid entries of the file.
    pub fn settings(&self) -> SettingsReport {
        let file = self.shared.file.lock().unwrap_or_else(PoisonError::into_inner);
        SettingsReport { settings: file.list(), troubles: file.troubles.clone(), file: settings::path(&self.shared.data_dir) }
    }

    /// Writes the setting `key` to the settings file and applies it; `None` restores the default.
    ///
    /// Overrides of this run stay in force. Other changes in the file also take effect. Fails with `Invalid` before
    /// anything is written, or with `Io`.
    pub async fn set(&self, key: SettingKey, value: Option<SettingValue>) -> Result<(), EngineError> {
        let _one_at_a_time = self.shared.configuring.lock().await;
        let shared = Arc::clone(&self.shared);
        let changed = disk::spawn(move || {
            let file = SettingsFile::load(&shared.data_dir)?.with(key, value.as_ref()).map_err(EngineError::Invalid)?;
            let settings = file.settings.clone().with(shared.overrides.clone())?;
            // Call `configure` first. It fails on unreadable certificates and passwords before the file is written.
            if let Err(error) = configure(&shared, &settings).and_then(|()| file.save(&shared.data_dir)) {
                if let Err(error) = configure(&shared, &shared.settings()) {
                    tracing::warn!(%error, "previous transfer configuration could not be restored");
                }
                return Err(error);
            }
            *shared.file.lock().unwrap_or_else(PoisonError::into_inner) = file;
            // Apply the settings inside this task, so that the file and the memory agree even after the caller stops
            // waiting.
            Ok(shared.take_settings(settings))
        });
        let before = changed.await.unwrap_or(Err(EngineError::Closed))?;
        self.hold_to_settings(&before).await
    }

    /// Applies the settings to those parts of the engine that do not read the settings themselves.
    async fn hold_to_settings(&self, before: &Settings) -> Result<(), EngineError> {
        let now = self.shared.settings();
        self.shared.keychain.keep_in(now.keychain);
        if before.forget_finished_after != now.forget_finished_after {
            steps::keep_as_set(&self.shared).await?;
        }
        if (before.battery_below == 0) != (now.battery_below == 0) || before.keep_awake != now.keep_awake {
            self.shared.known.other_wishes.notify_one();
        }
        speed::keep_pace(&self.shared).await;
        self.order(SchedulerCommand::Settings);
        self.shared.speaker.emit(EngineEvent::Settings);
        Ok(())
    }
}

fn configure(shared: &EngineContext, settings: &Settings) -> Result<(), EngineError> {
    if !shared.fetches {
        return Ok(());
    }
    let manners = transfer_config::config(settings, &shared.data_dir, &shared.credentials, &shared.cookies)?;
    shared.transfers.configure(manners).map_err(opening::unprepared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EngineEnv, EngineOptions, settings::SettingOverrides};

    #[tokio::test]
    async fn changed_setting_reaches_ledger_immediately_and_invalid_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let options = EngineOptions {
            data_dir: folder.path().join("data"),
            holder: "a test".to_owned(),
            fetch: false,
            overrides: SettingOverrides::default(),
            env: EngineEnv {
                system_bus: || Some("unix:path=/nonexistent".to_owned()),
                session_bus: || Some("unix:path=/nonexistent".to_owned()),
                ..EngineEnv::default()
            },
        };
        let engine = Engine::open(options).await.unwrap();
        let text = |text: &str| Some(SettingValue::Text(text.to_owned()));
        let before = engine.shared.store.forgetting().await.unwrap();
        engine.set(SettingKey::ForgetFinishedAfter, text("3d")).await.unwrap();
        let kept = engine.shared.store.forgetting().await.unwrap();
        assert!(kept != before, "the ledger goes by it: {kept:?}");
        engine.set(SettingKey::BatteryBelow, text("20")).await.unwrap();
        assert_eq!(engine.shared.settings().battery_below, 20);
        let refused = engine.set(SettingKey::BatteryBelow, text("much")).await.unwrap_err();
        assert_eq!((refused.code(), engine.shared.settings().battery_below), ("invalid", 20));
        engine.close().await;
    }
}
