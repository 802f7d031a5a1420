//! Tests the language of the real window and the tray, and changes of this language at run time.

use std::fs;

use ashore_testkit::waits::until;
use serde_json::json;

use crate::{page::WindowPage, stage::Stage};

#[tokio::test(flavor = "multi_thread")]
async fn window_and_tray_follow_the_language_setting_immediately() {
    let stage = Stage::new().await;
    fs::write(stage.data().join("ashore.toml"), "language = \"de\"\n").unwrap();
    let page = WindowPage::open(&stage).await;
    page.text("add-button", "it is German", |text| text.contains("Hinzufügen")).await;
    stage.panel.line("nothing runs, in German", |label| label == "Nichts läuft").await;
    assert_eq!(page.run("return document.documentElement.lang").await, json!("de"));

    page.click("settings-button").await;
    page.find("setting-language").await;
    let choose = "const choice = document.querySelector('[data-testid=setting-language]'); choice.value = 'ar'; \
                  choice.dispatchEvent(new Event('change', {bubbles: true}))";
    page.run(choose).await;
    page.text("add-button", "it is Arabic", |text| text.contains("إضافة")).await;
    until("the page runs from right to left", async || {
        (page.run("return document.documentElement.dir").await == json!("rtl")).then_some(())
    })
    .await;
    stage.panel.line("nothing runs, in Arabic", |label| label == "لا شيء قيد التنزيل").await;
    stage.panel.line("how to quit, in Arabic", |label| label == "إنهاء").await;
    assert_eq!(fs::read_to_string(stage.data().join("ashore.toml")).unwrap(), "language = \"ar\"\n");
}
