//! Tests the start at login, and the effect of closing the window.

use std::{fs, path::PathBuf};

use ashore_engine::{RegistrationState, SettingKey, SettingValue, SettingsReport};
use ashore_rpc::MethodCall;
use ashore_testkit::{
    origin::{Body, Origin},
    waits::until,
};

use crate::{page::WindowPage, stage::Stage};

const MIB: u64 = 1 << 20;

async fn set(stage: &Stage, key: SettingKey, value: bool) {
    let value = Some(SettingValue::Flag(value));
    stage.client().await.call::<()>(&MethodCall::Set { key, value }).await.unwrap();
}

fn is_for_login(stage: &Stage) -> Option<PathBuf> {
    let folder = stage.home().join(".config/autostart");
    let mut files = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    files.find(|path| path.extension().is_some_and(|extension| extension == "desktop"))
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_window_quits_if_close_to_tray_is_off() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let route = origin.file("/a.bin", Body::seeded(3, 4 * MIB)).gate_at(MIB);
    let mut ashore = stage.ashore(&[]);
    stage.windows_are(1).await;
    set(&stage, SettingKey::CloseToTray, false).await;
    let made = stage.add(origin.url("/a.bin"), "a").await;
    route.held().await;
    stage.close_window().await;
    assert!(ashore.ended().await, "it ends well");

    route.release();
    let _ashore = stage.ashore_in_tray().await;
    stage.registration(&made, "it went on", |now| now.state == RegistrationState::Settled).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn autostart_follows_the_setting_and_the_desktop_entry() {
    let stage = Stage::new().await;
    let mut ashore = stage.ashore_in_tray().await;
    assert_eq!(is_for_login(&stage), None);
    set(&stage, SettingKey::StartAtLogin, true).await;
    let path = until("the desktop starts it", async || is_for_login(&stage)).await;
    let written = fs::read_to_string(&path).unwrap();
    let command = written.lines().find_map(|line| line.strip_prefix("Exec=")).unwrap().to_owned();
    stage.panel.click("Quit").await;
    assert!(ashore.ended().await);

    // Start the program as the desktop does: through a shell, which removes the quotes.
    let mut login = stage.command("sh");
    login.env_remove("ASHORE_DATA_DIR").args(["-c", &format!("exec {command}")]);
    let mut ashore = stage.start(login);
    stage.client().await;
    stage.panel.line("that it is there", |label| label == "No downloads are running").await;
    assert_eq!(stage.windows(), 0, "it starts in the tray");
    assert_eq!(fs::read_to_string(&path).unwrap(), written);
    stage.panel.click("Quit").await;
    assert!(ashore.ended().await);

    fs::write(&path, format!("{written}Hidden=true\n")).unwrap();
    let _ashore = stage.ashore_in_tray().await;
    until("the setting shows the change", async || {
        let report: SettingsReport = stage.client().await.call(&MethodCall::Settings).await.ok()?;
        let found = report.settings.into_iter().find(|setting| setting.key == SettingKey::StartAtLogin)?;
        (found.value == SettingValue::Flag(false)).then_some(())
    })
    .await;
    assert!(fs::read_to_string(&path).unwrap().contains("Hidden=true"), "the entry of the desktop is unchanged");
    set(&stage, SettingKey::StartAtLogin, true).await;
    until("it is on again", async || fs::read_to_string(&path).ok().filter(|text| *text == written)).await;
    set(&stage, SettingKey::StartAtLogin, false).await;
    until("it is gone", async || is_for_login(&stage).is_none().then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn program_waits_for_late_tray_if_started_at_login() {
    let stage = Stage::new().await;
    stage.panel.leave().await;
    let mut ashore = stage.ashore(&["--hidden"]);
    stage.client().await;
    stage.panel.come_back().await;
    stage.panel.line("that it is there", |label| label == "No downloads are running").await;
    assert!(ashore.is_running());
    assert_eq!(stage.all_windows(), 0, "it stays in the tray");
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_page_reports_missing_tray_and_notifications() {
    let stage = Stage::new().await;
    let page = WindowPage::open(&stage).await;
    page.click("settings-button").await;
    page.find("setting-quiet-hours").await;
    page.click("settings-button").await;
    stage.notifications.leave().await;
    stage.panel.leave().await;
    page.click("settings-button").await;
    page.text("lacking-notifications", "it says so", |text| text.contains("no notifications at the moment")).await;
    page.text("lacking-tray", "it says so", |text| text.contains("no tray at the moment")).await;

    stage.notifications.come_back().await;
    stage.panel.come_back().await;
    page.click("settings-button").await;
    page.click("settings-button").await;
    until("nothing is missing any more", async || {
        let found = page.run("return document.querySelectorAll('[data-testid^=lacking]').length").await;
        (found == 0).then_some(())
    })
    .await;
}
