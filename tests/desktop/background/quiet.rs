//! Tests when notifications are sent.
//!
//! A setting suppresses all notifications, or all except those for ended downloads. Quiet hours postpone notifications.
//! Several ended downloads share one summary.

use std::{fs, time::Duration};

use ashore_engine::{EngineEnv, RegistrationResult, RegistrationState, SettingKey, SettingValue};
use ashore_rpc::MethodCall;
use ashore_testkit::{
    origin::{Body, Origin},
    waits::until,
};

use crate::{
    notifications::Shown,
    page::WindowPage,
    stage::{Stage, kill},
};

const MIB: u64 = 1 << 20;

fn text(text: &str) -> Option<SettingValue> {
    Some(SettingValue::Text(text.to_owned()))
}

async fn set(stage: &Stage, key: SettingKey, value: Option<SettingValue>) {
    stage.client().await.call::<()>(&MethodCall::Set { key, value }).await.unwrap();
}

/// Returns quiet hours that include the current time. Programs on the stage use UTC.
fn around_now() -> String {
    let hour = (EngineEnv::default().now_us)() / 3_600_000_000 % 24;
    format!("{:02}:00-{:02}:00", (hour + 23) % 24, (hour + 2) % 24)
}

fn summaries(shown: &[Shown]) -> Vec<&str> {
    shown.iter().map(|shown| shown.summary.as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn downloads_that_end_in_quiet_hours_are_reported_once_afterwards() {
    let stage = Stage::new().await;
    let settings = format!("quiet-hours = \"{}\"\nall-done = false\n", around_now());
    fs::write(stage.data().join("ashore.toml"), settings).unwrap();
    let origin = Origin::start().await;
    let slow = origin.file("/slow.bin", Body::seeded(5, 64 * 1024)).trickle(1024, Duration::from_millis(20));
    let ashore = stage.ashore_in_tray().await;
    let made = stage.add(origin.url("/slow.bin"), "slow").await;
    stage.registration(&made, "it is done", |now| now.state == RegistrationState::Settled).await;
    kill(ashore.pid());
    drop((ashore, slow));

    let _ashore = stage.ashore_in_tray().await;
    for name in ["a", "b"] {
        origin.file(&format!("/{name}"), Body::seeded(6, 1000));
        let made = stage.add(origin.url(&format!("/{name}")), name).await;
        stage.registration(&made, "it is done", |now| now.state == RegistrationState::Settled).await;
    }
    assert_eq!(summaries(&stage.notifications.shown()), <[&str; 0]>::default(), "not even progress");

    set(&stage, SettingKey::QuietHours, None).await;
    stage.notifications.wait("all three ends are reported", |shown| shown.summary == "3 downloads finished").await;
    origin.file("/last", Body::seeded(6, 1000));
    stage.add(origin.url("/last"), "last").await;
    stage.notifications.wait("it takes in what ends soon after", |shown| shown.summary == "4 downloads finished").await;
    // Ignore progress notifications, because the last download may show progress after the quiet hours.
    let shown: Vec<_> = stage.notifications.shown().into_iter().filter(|shown| !shown.is_progress()).collect();
    assert_eq!(summaries(&shown), ["3 downloads finished", "4 downloads finished"]);
    assert_eq!(shown[1].replaces, shown[0].id, "it is one notification");
}

#[tokio::test(flavor = "multi_thread")]
async fn setting_disables_notifications_or_restricts_them_to_ended_downloads() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let _ashore = stage.ashore_in_tray().await;
    set(&stage, SettingKey::Notifications, text("ended")).await;
    let route = origin.file("/ended.bin", Body::seeded(5, 4 * MIB)).gate_at(MIB);
    let made = stage.add(origin.url("/ended.bin"), "ended").await;
    route.held().await;
    stage.registration(&made, "a quarter is there", |now| now.downloaded == MIB).await;
    route.release();
    stage.notifications.wait("the end is reported", |shown| shown.category == "transfer.complete").await;
    assert_eq!(stage.notifications.shown().len(), 1);

    set(&stage, SettingKey::Notifications, text("none")).await;
    origin.file("/none.bin", Body::seeded(6, 1000));
    let made = stage.add(origin.url("/none.bin"), "none").await;
    stage.registration(&made, "it is done", |now| now.state == RegistrationState::Settled).await;
    until("no notification is pending", async || {
        let owed: Vec<ashore_engine::Registration> = stage.client().await.call(&MethodCall::Owed { owner: None }).await.ok()?;
        owed.is_empty().then_some(())
    })
    .await;
    set(&stage, SettingKey::Notifications, text("all")).await;
    origin.file("/all.bin", Body::seeded(6, 1000));
    stage.add(origin.url("/all.bin"), "all").await;
    stage.notifications.wait("the next end is reported", |shown| shown.summary == "all").await;
    assert!(!summaries(&stage.notifications.shown()).contains(&"none"));
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_of_several_long_downloads_is_shown_in_one_notification() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let _ashore = stage.ashore_in_tray().await;
    // The default shows progress only after some time.
    set(&stage, SettingKey::Notifications, None).await;
    set(&stage, SettingKey::ParallelPerHost, Some(SettingValue::Number(4.0))).await;
    let mut made = Vec::new();
    for name in ["one", "two", "three"] {
        origin.file(&format!("/{name}"), Body::seeded(6, 64 * MIB)).trickle(1024, Duration::from_millis(20));
        made.push(stage.add(origin.url(&format!("/{name}")), name).await);
    }
    let summary = stage.notifications.wait("one stands for all", |shown| shown.summary == "3 downloads running").await;
    for ended in &made[..2] {
        let unique_id = ended.unique_id;
        stage.client().await.call::<bool>(&MethodCall::Abort { unique_id }).await.unwrap();
    }
    stage.notifications.closed(summary.id).await;
    let own = stage.notifications.wait("the last one has its own", |shown| shown.summary == "three" && shown.is_progress()).await;
    assert_eq!(own.replaces, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn notification_is_suppressed_by_focused_window_and_selects_row_on_click() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    for (name, status) in [("seen", 200), ("gone", 404), ("told", 200)] {
        drop(origin.file(&format!("/{name}"), Body::seeded(6, 1000)).status(status));
    }
    let page = WindowPage::open(&stage).await;
    stage.windows_are(1).await;
    let made = stage.add(origin.url("/seen"), "seen").await;
    stage.registration(&made, "it is done", |now| now.state == RegistrationState::Settled).await;
    page.rows(&["seen"]).await;
    until("no notification is pending", async || {
        let owed: Vec<ashore_engine::Registration> = stage.client().await.call(&MethodCall::Owed { owner: None }).await.ok()?;
        owed.is_empty().then_some(())
    })
    .await;

    set(&stage, SettingKey::QuietWhileFocused, Some(SettingValue::Flag(false))).await;
    stage.add(origin.url("/gone"), "gone").await;
    let failed = stage.notifications.wait("the failure is reported", |shown| shown.category == "transfer.error").await;
    stage.add(origin.url("/told"), "told").await;
    let told = stage.notifications.wait("the end is reported", |shown| shown.category == "transfer.complete").await;
    assert_eq!(told.summary, "told", "no notification was sent for seen downloads");

    let chosen = "return [...document.querySelectorAll('[data-testid=row][aria-selected=true]')].map((row) => row.ariaLabel.split(',')[0])";
    stage.press(told.id, "default", async || (page.run(chosen).await == serde_json::json!(["told"])).then_some(())).await;
    stage.press(failed.id, "details", async || (page.run(chosen).await == serde_json::json!(["gone"])).then_some(())).await;
    page.find("details-close").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_done_notification_is_sent_once_after_last_download() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let _ashore = stage.ashore_in_tray().await;
    let is_all_done = |shown: &Shown| shown.category == "x-ashore.all-done";
    // After a single download, only its own notification is sent, without an "all done" notification.
    let alone = origin.file("/alone", Body::seeded(5, 2 * MIB)).gate_at(MIB);
    let made = stage.add(origin.url("/alone"), "alone").await;
    alone.held().await;
    stage.panel.line("that it runs", |label| label.starts_with("1 running")).await;
    alone.release();
    stage.registration(&made, "it is done", |now| now.state == RegistrationState::Settled).await;
    stage.notifications.wait("the end is reported", |shown| shown.category == "transfer.complete").await;
    stage.panel.line("that nothing runs", |label| label == "No downloads are running").await;

    let routes = ["/one", "/two"].map(|path| origin.file(path, Body::seeded(5, 2 * MIB)).gate_at(MIB));
    let mut made = Vec::new();
    for name in ["one", "two"] {
        made.push(stage.add(origin.url(&format!("/{name}")), name).await);
    }
    for route in &routes {
        route.held().await;
    }
    stage.panel.line("that they run", |label| label.starts_with("2 running")).await;
    routes[0].release();
    stage.registration(&made[0], "one is done", |now| now.result == RegistrationResult::Success).await;
    stage
        .notifications
        .wait("the first end is reported", |shown| shown.summary == "one" && shown.category == "transfer.complete")
        .await;
    assert!(!stage.notifications.shown().iter().any(is_all_done), "the other download still runs");
    routes[1].release();
    let all = stage.notifications.wait("all is done", is_all_done).await;
    assert_eq!((all.summary.as_str(), all.body.as_str()), ("All downloads complete", "2 finished. None is queued."));
    assert_eq!(stage.notifications.shown().into_iter().filter(is_all_done).count(), 1);
}
