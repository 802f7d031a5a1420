//! Even with many downloads, Ashore sends only the necessary messages on the session bus.

use std::{fs, time::Duration};

use ashore_engine::RegistrationState;
use ashore_testkit::{
    origin::{Body, Origin, Route},
    waits::until,
};

use crate::{notifications::Shown, stage::Stage, taskbar::Taskbar};

const MIB: u64 = 1 << 20;
/// Minimum interval between two updates. Ashore sends one update per second, but a busy machine may deliver an update
/// late.
const NEARLY_A_SECOND: Duration = Duration::from_millis(700);

#[tokio::test(flavor = "multi_thread")]
async fn thirty_downloads_have_separate_progress_but_one_common_summary() {
    const MANY: usize = 30;
    let stage = Stage::new().await;
    fs::write(
        stage.data().join("ashore.toml"),
        "parallel = 64\nparallel-per-host = 64\nconnections = 1\nnotifications = \"all\"\n",
    )
    .unwrap();
    let origin = Origin::start().await;
    let _ashore = stage.ashore_in_tray().await;
    let mut routes = Vec::new();
    for number in 0..MANY {
        let path = format!("/{number}.bin");
        // Send slowly enough for several progress notifications before the server pauses at the gate.
        let route = origin.file(&path, Body::seeded(5, 2 * MIB)).trickle(16 << 10, Duration::from_millis(50));
        routes.push(route.gate_at(7 * MIB / 4));
        stage.add(origin.url(&path), &format!("file {number}")).await;
    }
    for (number, route) in routes.iter().enumerate() {
        route.held().await;
        let title = format!("file {number}");
        until("every download has progress notifications", async || {
            let told =
                stage.notifications.shown().into_iter().filter(|shown| shown.summary == title && shown.is_progress()).count();
            (told >= 3).then_some(())
        })
        .await;
    }
    routes.iter().for_each(Route::release);
    stage.notifications.wait("all is done", |shown| shown.category == "x-ashore.all-done").await;
    let digest = format!("{MANY} downloads finished");
    let digest = stage.notifications.wait("one stands for all of them", |shown| shown.summary == digest).await;

    let all = stage.notifications.shown();
    let (of_files, others): (Vec<&Shown>, Vec<&Shown>) = all.iter().partition(|shown| shown.summary.starts_with("file "));
    for number in 0..MANY {
        let title = format!("file {number}");
        let calls: Vec<_> = of_files.iter().filter(|shown| shown.summary == title).collect();
        assert!(calls[1..].iter().all(|call| call.replaces == calls[0].id), "one notification: {calls:#?}");
        let progress: Vec<_> = calls.iter().filter(|call| call.is_progress()).collect();
        assert!(progress.len() >= 3, "the first, and two updates: {progress:#?}");
        for pair in progress.windows(2) {
            assert!(pair[1].at - pair[0].at > NEARLY_A_SECOND, "{pair:#?}");
        }
        stage.notifications.closed(calls[0].id).await;
        let afterwards = stage.notifications.shown_after_end_of(calls[0].id);
        assert!(afterwards.is_empty(), "no closed notification is shown again: {afterwards:#?}");
    }
    // A summary is shown only if several downloads have ended. The first downloads to end may have separate
    // notifications.
    let single_ends = of_files.iter().filter(|shown| shown.category == "transfer.complete").count();
    assert!(single_ends <= 4, "{single_ends} ends were reported separately");
    assert_eq!(others.iter().filter(|shown| shown.replaces == 0).count(), 2, "a digest and the end of all: {others:#?}");
    let begun = others.iter().filter(|shown| shown.replaces == 0 && shown.summary.ends_with("downloads finished")).count();
    assert_eq!(begun, 1, "one digest, which grows where it is: {others:#?}");
    let digests: Vec<_> = others.iter().filter(|shown| shown.id == digest.id).collect();
    for pair in digests.windows(2) {
        assert!(pair[1].at - pair[0].at > NEARLY_A_SECOND, "{pair:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn dock_receives_progress_and_completion_and_failure() {
    let stage = Stage::new().await;
    let taskbar = Taskbar::listen(stage.address()).await;
    let origin = Origin::start().await;
    let route = origin.file("/slow.bin", Body::seeded(5, 64 * 1024)).trickle(1024, Duration::from_millis(50));
    let _ashore = stage.ashore_in_tray().await;
    let made = stage.add(origin.url("/slow.bin"), "slow").await;
    taskbar
        .wait("it is under way", |told| told.count == Some(1) && told.progress.is_some_and(|far| far > 0.0 && far < 1.0))
        .await;
    stage.registration(&made, "it is done", |now| now.state == RegistrationState::Settled).await;
    until("nothing is left to be seen", async || {
        taskbar.signals().last().filter(|told| told.count.is_none() && told.progress.is_none() && !told.is_urgent).map(drop)
    })
    .await;
    let told = taskbar.signals();
    assert!(told.len() >= 3, "progress was reported during the download: {told:#?}");
    for pair in told.windows(2) {
        assert!(pair[1].at - pair[0].at > NEARLY_A_SECOND, "{pair:#?}");
        assert_ne!((pair[0].progress, pair[0].count), (pair[1].progress, pair[1].count), "only changes are sent: {pair:#?}");
    }
    assert!(told.iter().all(|told| told.entry == "application://Ashore.desktop"), "{told:#?}");

    origin.file("/gone", Body::seeded(5, 1000)).status(404);
    stage.add(origin.url("/gone"), "gone").await;
    taskbar.wait("the icon asks for attention", |told| told.is_urgent).await;
    drop(route);
}
