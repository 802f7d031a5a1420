//! Tests the separate window process: downloads continue if the window crashes, hangs or closes.

use std::{fs, os::unix::fs::PermissionsExt, process::Command};

use ashore_engine::RegistrationState;
use ashore_testkit::{
    origin::{Body, Origin, content},
    readings::{child, children},
    waits::until,
};
use rustix::process::{Pid, Signal, kill_process};

use crate::stage::{Stage, file, kill};

const MIB: u64 = 1 << 20;

/// Waits for the window's process and returns its id.
async fn window_of(ashore: Pid) -> Pid {
    until("the window has a process", async || child(ashore, "ashore-window")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn window_crash_does_not_interrupt_downloads() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let route = origin.file("/a.bin", Body::seeded(1, 4 * MIB)).gate_at(MIB);
    let mut ashore = stage.ashore(&[]);
    stage.windows_are(1).await;
    let made = stage.add(origin.url("/a.bin"), "a").await;
    route.held().await;
    kill(window_of(ashore.pid()).await);
    stage.windows_are(0).await;
    route.release();
    stage.registration(&made, "it is done", |now| now.state == RegistrationState::Settled).await;
    file(&stage.downloads().join("a.bin"), &content(1, 4 * MIB)).await;
    assert_eq!(route.requests().len(), 1, "the connection was kept");

    stage.panel.activate().await;
    stage.windows_are(1).await;
    assert!(ashore.is_running());
}

#[tokio::test(flavor = "multi_thread")]
async fn crashed_window_reopens_only_once_if_there_is_no_tray() {
    let stage = Stage::new().await;
    stage.panel.leave().await;
    let mut ashore = stage.ashore(&[]);
    stage.windows_are(1).await;
    let first = window_of(ashore.pid()).await;
    kill(first);
    let second =
        until("a new window process runs", async || child(ashore.pid(), "ashore-window").filter(|pid| *pid != first)).await;
    stage.windows_are(1).await;
    assert!(ashore.is_running());
    kill(second);
    assert!(!ashore.ended().await, "Ashore exits with an error if no window and no tray remain");
}

#[tokio::test(flavor = "multi_thread")]
async fn hanging_window_blocks_neither_downloads_nor_quit() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let mut ashore = stage.ashore(&[]);
    stage.windows_are(1).await;
    kill_process(window_of(ashore.pid()).await, Signal::STOP).unwrap();
    for name in ["a", "b", "c"] {
        origin.file(&format!("/{name}"), Body::seeded(1, MIB));
        let made = stage.add(origin.url(&format!("/{name}")), name).await;
        stage.registration(&made, "it is done", |now| now.state == RegistrationState::Settled).await;
    }
    stage.panel.click("Quit").await;
    assert!(ashore.ended().await, "it ends well");
    stage.windows_are(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_to_tray_unloads_the_web_view() {
    let stage = Stage::new().await;
    let ashore = stage.ashore(&[]);
    stage.windows_are(1).await;
    let libraries = |pid: Pid| fs::read_to_string(format!("/proc/{}/maps", pid.as_raw_nonzero())).unwrap();
    assert!(libraries(window_of(ashore.pid()).await).contains("libwebkit2gtk"), "that is the window's");
    stage.close_window().await;
    until("no process is left beside it", async || children(ashore.pid()).is_empty().then_some(())).await;
    for library in ["libwebkit2gtk", "libgtk-3", "libjavascriptcore"] {
        assert!(!libraries(ashore.pid()).contains(library), "{library} is in the program that stays");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn running_program_is_replaced_by_its_updated_version_when_window_opens() {
    let mut stage = Stage::new().await;
    let (programs, started) = (stage.home().join("bin"), stage.home().join("started"));
    fs::create_dir(&programs).unwrap();
    let install = |name: &str, script: &str| {
        let new = programs.join(format!("{name}.new"));
        fs::write(&new, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&new, PermissionsExt::from_mode(0o755)).unwrap();
        // Move the file into place, as package managers do, so that the running process keeps its old file.
        let moved = Command::new("mv").arg(new).arg(programs.join(name)).status().unwrap();
        assert!(moved.success());
    };
    fs::copy(stage.program(), programs.join("ashore-desktop")).unwrap();
    stage.with_program(programs.join("ashore-desktop"));
    let mut ashore = stage.ashore_in_tray().await;
    install("ashore-window", r#"echo '{"Version":"99.0.0"}'; exec cat >/dev/null"#);
    install("ashore-desktop", &format!(r#"echo "$@" > "{}""#, started.display()));
    stage.panel.click("Open Ashore").await;
    assert!(ashore.ended().await, "the old one is the new one now, which ends well");
    assert_eq!(fs::read_to_string(started).unwrap().trim(), format!("--data-dir {}", stage.data().display()));
}

#[tokio::test(flavor = "multi_thread")]
async fn window_exits_when_ashore_is_killed() {
    let stage = Stage::new().await;
    let ashore = stage.ashore(&[]);
    stage.windows_are(1).await;
    kill(ashore.pid());
    stage.windows_are(0).await;
}
