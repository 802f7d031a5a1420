//! Tests the section about other devices in the settings of the real window: its server, the link, and the sign-out.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpStream,
};

use ashore_testkit::waits::until;
use serde_json::{Value, json};

use crate::{
    page::WindowPage,
    stage::{Stage, kill},
};

const ALLOW: &str = "Let other devices connect?";
const LINK: &str = "Sign another device in?";

/// Returns a stage whose server for other devices listens only on loopback.
async fn home() -> Stage {
    let mut stage = Stage::new().await;
    stage.set("ASHORE_REMOTE_LISTEN", "127.0.0.1:0");
    stage
}

/// Opens the settings, and lets other devices connect. Returns the link that is then shown.
async fn allow(stage: &Stage, page: &WindowPage) -> String {
    page.click("settings-button").await;
    page.click("allow-devices").await;
    stage.agree(ALLOW).await;
    shown_link(page, "").await
}

/// Waits until a link is shown that differs from `earlier`.
async fn shown_link(page: &WindowPage, earlier: &str) -> String {
    page.css("[data-testid='device-code'] path").await;
    until("the link is shown", async || {
        Some(page.value("device-link").await).filter(|link| link.contains("#pair=") && link != earlier)
    })
    .await
}

/// Returns the host and port of the link, and its code.
fn parts(link: &str) -> (&str, &str) {
    link.strip_prefix("http://").unwrap().split_once("/#pair=").unwrap()
}

/// Signs in as the device `name` with a link. Returns the status line of the response.
fn sign_in(link: &str, name: &str) -> String {
    let (host, code) = parts(link);
    let body = json!({ "pairing": code, "name": name }).to_string();
    let length = body.len();
    let head =
        format!("POST /api/session HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}");
    let mut connection = TcpStream::connect(host).unwrap();
    connection.write_all(format!("{head}\r\nConnection: close\r\n\r\n{body}").as_bytes()).unwrap();
    let mut response = String::new();
    connection.read_to_string(&mut response).unwrap();
    response.lines().next().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn device_signs_in_with_shown_link_and_user_signs_it_out() {
    let stage = home().await;
    let page = WindowPage::open(&stage).await;
    let link = allow(&stage, &page).await;
    page.text("devices-address", "the address is shown", |text| text.trim() == format!("http://{}/", parts(&link).0)).await;
    assert!(sign_in(&link, "Phone").contains(" 200 "));
    page.text("device-added", "the device is named", |text| text.contains("Phone")).await;
    page.text("device-Phone", "its permission is shown", |text| text.contains("It may do everything.")).await;
    assert!(sign_in(&link, "Another").contains(" 401 "));

    // A second link needs consent of its own.
    page.click("link-device").await;
    stage.refuse(LINK).await;
    page.css("[data-testid='link-device']:not([aria-disabled='true'])").await;
    assert_eq!(page.run("return document.querySelectorAll(\"[data-testid='device-code']\").length").await, 0);
    page.click("link-device").await;
    stage.agree(LINK).await;
    shown_link(&page, &link).await;

    page.click("device-Phone-sign-out").await;
    page.find("devices-none").await;
    let sessions: Value = serde_json::from_slice(&fs::read(stage.data().join("remote-sessions.json")).unwrap()).unwrap();
    assert!(!sessions.to_string().contains("Phone"));
}

#[tokio::test(flavor = "multi_thread")]
async fn server_for_devices_opens_only_after_consent_and_reopens_when_ashore_restarts() {
    let stage = home().await;
    let page = WindowPage::open(&stage).await;
    page.click("settings-button").await;
    page.click("allow-devices").await;
    stage.refuse(ALLOW).await;
    page.css("[data-testid='allow-devices'][aria-checked='false']").await;
    assert!(!stage.data().join("remote-page.json").exists(), "nothing has listened");

    page.click("allow-devices").await;
    stage.agree(ALLOW).await;
    let link = shown_link(&page, "").await;
    let host = parts(&link).0;
    kill(page.pid());
    until("the server ends as well", async || TcpStream::connect(host).is_err().then_some(())).await;
    drop(page);

    let ashore = stage.ashore_in_tray().await;
    until("the server answers again", async || TcpStream::connect(host).is_ok().then_some(())).await;
    drop(ashore);
    let page = WindowPage::open(&stage).await;
    page.click("settings-button").await;
    page.css("[data-testid='allow-devices'][aria-checked='true']").await;
    page.click("allow-devices").await;
    page.css("[data-testid='allow-devices'][aria-checked='false']").await;
    until("the server is closed", async || TcpStream::connect(host).is_err().then_some(())).await;
}
