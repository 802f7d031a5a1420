//! The verbs about settings. A change is in the file before it holds, and then holds at once: for what waits, for what
//! starts from now on, and for the pace of what runs. What runs keeps the connections that it has.

use std::sync::{Arc, PoisonError};

use ashore_transfer::disk;

use crate::{
    Engine, EngineError, EngineEvent,
    context::{shared::EngineContext, speed},
    first_run::steps,
    model::{SettingKey, SettingValue, SettingsReport},
    scheduler::command::SchedulerCommand,
    settings::{self, Settings, SettingsFile, transfer_config},
    startup::opening,
};

impl Engine {
    /// Every setting, what it is and what it takes, and what the file says that nobody follows.
    pub fn settings(&self) -> SettingsReport {
        let file = self.shared.file.lock().unwrap_or_else(PoisonError::into_inner);
        SettingsReport { settings: file.list(), troubles: file.troubles.clone(), file: settings::path(&self.shared.data_dir) }
    }

    /// Makes `key` what is given, in the file and from now on; none is what it is when nobody says. What was wanted
    /// otherwise for this run of the engine stays so. What somebody else wrote into the file meanwhile is followed as well.
    ///
    /// Refused before anything is written with `Invalid`; fails with `Io`.
    pub async fn set(&self, key: SettingKey, value: Option<SettingValue>) -> Result<(), EngineError> {
        let _one_at_a_time = self.shared.configuring.lock().await;
        let shared = Arc::clone(&self.shared);
        let changed = disk::spawn(move || {
            let file = SettingsFile::load(&shared.data_dir)?.with(key, value.as_ref()).map_err(EngineError::Invalid)?;
            let settings = file.settings.clone().with(shared.overrides.clone())?;
            // Reads certificates and passwords: what cannot be read is refused before it is written.
            if let Err(error) = configure(&shared, &settings).and_then(|()| file.save(&shared.data_dir)) {
                if let Err(error) = configure(&shared, &shared.settings()) {
                    tracing::warn!(%error, "how servers are asked could not be put back");
                }
                return Err(error);
            }
            *shared.file.lock().unwrap_or_else(PoisonError::into_inner) = file;
            // Here, so that file and memory say the same also where nobody waits for the answer any more.
            Ok(shared.take_settings(settings))
        });
        let before = changed.await.unwrap_or(Err(EngineError::Closed))?;
        self.hold_to_settings(&before).await
    }

    /// What does not look at the settings by itself is told.
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
    async fn a_setting_that_is_kept_elsewhere_as_well_holds_there_at_once_and_a_bad_one_nowhere() {
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
