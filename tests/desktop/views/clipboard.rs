//! Tests links that are copied in other programs. If the setting is on, each link is offered once, when the window gets
//! the focus.

use ashore_engine::{SettingKey, SettingValue};
use ashore_rpc::MethodCall;
use ashore_testkit::{
    origin::{Body, Origin},
    waits::until,
};
use serde_json::json;

use crate::{
    page::{WindowPage, row},
    stage::{Stage, file},
};

/// Script that records every later offer in `window.offers`.
const WATCH: &str = "
    window.offers = [];
    const look = () => {
        const link = document.querySelector('[data-testid=offered-link]')?.textContent ?? null;
        if (link !== null && window.offers.at(-1) !== link) window.offers.push(link);
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
";

#[tokio::test(flavor = "multi_thread")]
async fn copied_link_is_offered_once_and_added_by_click() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    for name in ["unasked", "one.pdf", "two.pdf", "three.pdf"] {
        origin.file(&format!("/{name}"), Body::bytes(name));
    }
    let link = |name: &str| origin.url(&format!("/{name}")).to_string();
    let page = WindowPage::open(&stage).await;
    stage.windows_are(1).await;
    page.run(WATCH).await;
    // The setting that offers copied links is still off.
    page.copy(&link("unasked")).await;
    stage.look_away_and_back().await;
    let set = MethodCall::Set { key: SettingKey::OfferCopiedLinks, value: Some(SettingValue::Flag(true)) };
    stage.client().await.call::<()>(&set).await.unwrap();

    page.copy("a password, or any other words").await;
    stage.look_away_and_back().await;
    page.copy(&link("one.pdf")).await;
    stage.look_away_and_back().await;
    page.text("offered-link", "it is offered", |text| text == link("one.pdf")).await;
    assert_eq!(origin.requests(), [], "no request is sent before the user adds the link");
    page.click("offered-add").await;
    page.css(&format!("{}[data-result='success']", row("one.pdf"))).await;
    file(&stage.home().join("Downloads/Documents/one.pdf"), b"one.pdf").await;

    page.copy(&link("two.pdf")).await;
    stage.look_away_and_back().await;
    page.text("offered-link", "it is offered", |text| text == link("two.pdf")).await;
    page.click("offered-dismiss").await;
    stage.look_away_and_back().await;
    // A link that is already in the list is not offered again.
    page.copy(&link("one.pdf")).await;
    stage.look_away_and_back().await;
    page.copy(&format!("{}\n{}", link("three.pdf"), link("one.pdf"))).await;
    stage.look_away_and_back().await;
    page.text("offered", "there are two", |text| text.contains("2 links")).await;
    // With several links, the dialog shows which ones are already in the list.
    page.click("offered-add").await;
    page.text("add-known", "one is there", |text| text.contains("1 of these links is already in your list")).await;
    page.click("add-submit").await;
    until("the new link is offered", async || stage.home().join("Downloads/Documents/three.pdf").is_file().then_some(())).await;
    assert_eq!(page.run("return window.offers").await, json!([link("one.pdf"), link("two.pdf"), link("three.pdf")]));
}
