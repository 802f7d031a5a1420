//! Tests the statistics in the real window.
//!
//! Covers the empty state, live updates, descriptions in words, and the return to the list.

use ashore_testkit::origin::{Body, Origin};

use crate::{
    page::{WindowPage, as_read},
    stage::Stage,
};

const ESCAPE: &str = "\u{e00c}";
const LEFT: &str = "\u{e012}";
const END: &str = "\u{e010}";

#[tokio::test(flavor = "multi_thread")]
async fn statistics_are_updated_live_and_describe_days_in_words() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    origin.file("/one.bin", Body::seeded(1, 3_000_000));
    let page = WindowPage::open(&stage).await;
    page.click("statistics-button").await;
    page.find("statistics-empty").await;

    stage.add(origin.url("/one.bin"), "one.bin").await;
    page.text("statistics-figures", "what came is counted", |text| {
        text.contains("3 MB") && text.contains("of 1 added") && text.contains("100 %")
    })
    .await;
    page.text("statistics-sources", "where it came from", |text| text.contains("This window") && text.contains("3 MB · 1 file"))
        .await;
    page.text("statistics-day", "all days together", |text| text.contains("3 MB · 1 file")).await;
    stage.add(origin.url("/nothing-there"), "nothing-there").await;
    page.text("statistics-figures", "what failed is counted", |text| text.contains("50 %") && text.contains("1 failed")).await;

    page.keys("statistics-days", LEFT).await;
    page.text("statistics-day", "the day before", |text| text.contains("No downloads added") && !text.contains("Today")).await;
    page.keys("statistics-days", END).await;
    page.text("statistics-day", "today", |text| text.contains("Today") && text.contains("3 MB · 1 file · 1 failed")).await;
    let told = as_read(&page.attr("[data-testid='statistics-days']", "aria-valuetext").await.unwrap());
    assert!(told.starts_with("Today") && told.ends_with("3 MB · 1 file · 1 failed"), "{told}");

    page.keys("statistics-days", ESCAPE).await;
    page.keyboard_is_in("list").await;
}
