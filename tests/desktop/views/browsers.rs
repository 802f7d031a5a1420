//! Tests the browsers in the settings of the real window: they are connected, tested and disconnected, and their rules
//! are changed.

use std::fs;

use ashore_testkit::waits::until;

use crate::{page::WindowPage, stage::Stage};

#[tokio::test(flavor = "multi_thread")]
async fn one_click_connects_browser_and_fault_of_another_browser_is_shown() {
    let stage = Stage::new().await;
    let manifest = |folder: &str| stage.home().join(folder).join("com.ashore.browser.json");
    let own = manifest(".mozilla/native-messaging-hosts");
    let foreign = manifest(".config/chromium/NativeMessagingHosts");
    fs::create_dir_all(stage.home().join(".mozilla")).unwrap();
    fs::create_dir_all(foreign.parent().unwrap()).unwrap();
    fs::write(&foreign, "{}").unwrap();
    let page = WindowPage::open(&stage).await;
    page.click("settings-button").await;
    page.text("browser-firefox", "it is not connected", |text| text.contains("Not connected")).await;
    page.text("browser-chromium", "the foreign file is named", |text| text.contains(foreign.to_str().unwrap())).await;
    let browsers = "return [...document.querySelectorAll('[data-testid=browsers] li')].map((row) => row.dataset.testid)";
    assert_eq!(page.run(browsers).await, serde_json::json!(["browser-chromium", "browser-firefox"]));

    page.click("browser-firefox-connect").await;
    page.find("browser-firefox-disconnect").await;
    page.text("browser-firefox", "it works", |text| text.contains("Connected") && !text.contains("Ashore")).await;
    let written: serde_json::Value = serde_json::from_slice(&fs::read(&own).unwrap()).unwrap();
    assert!(written["path"].as_str().unwrap().ends_with("/ashore-browser"), "{written}");
    assert_eq!(fs::read_to_string(&foreign).unwrap(), "{}");

    // The program that the manifest names disappears. A new test reports this, and connecting again writes a correct
    // manifest.
    let broken = written.to_string().replace("/ashore-browser", "/moved-browser");
    fs::write(&own, broken).unwrap();
    page.click("browsers-check").await;
    page.text("browser-firefox", "the fault is named", |text| text.contains("/moved-browser is missing")).await;
    page.click("browser-firefox-connect").await;
    page.click("browser-firefox-disconnect").await;
    page.text("browser-firefox", "it is gone", |text| text.contains("Not connected")).await;
    assert!(!own.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_for_browsers_are_checked_and_saved() {
    let stage = Stage::new().await;
    let page = WindowPage::open(&stage).await;
    page.click("settings-button").await;
    page.find("browsers-empty").await;
    page.keys("setting-browser-sites", "https://a.example\u{e007}").await;
    page.text("setting-browser-sites-failure", "the value is refused", |text| text.contains("not the name of a site")).await;
    page.clear("setting-browser-sites").await;
    page.keys("setting-browser-sites", "a.example b.example\u{e007}").await;
    until("the sites are saved", async || {
        let text = fs::read_to_string(stage.data().join("ashore.toml")).ok()?;
        text.contains("browser-sites = \"a.example b.example\"").then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pairing_code_is_shown_if_channel_is_on() {
    let stage = Stage::new().await;
    let page = WindowPage::open(&stage).await;
    page.click("settings-button").await;
    page.click("pair-browser").await;
    page.text("pairing-failure", "the setting is named", |text| text.contains("Let paired browsers connect")).await;
    page.click("setting-browser-channel").await;
    until("the setting is saved", async || {
        let text = fs::read_to_string(stage.data().join("ashore.toml")).ok()?;
        text.contains("browser-channel = true").then_some(())
    })
    .await;
    page.click("pair-browser").await;
    // The code has four characters, a hyphen, and four more characters.
    page.text("pairing-code", "the code is shown", |text| text.len() == 9 && text.as_bytes()[4] == b'-').await;
}
