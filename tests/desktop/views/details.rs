//! Tests the details panel of the selected download.

use ashore_testkit::{
    origin::{Body, Origin},
    waits::until,
};
use serde_json::json;

use crate::{page::WindowPage, stage::Stage};

const MIB: u64 = 1 << 20;
const ESCAPE: &str = "\u{e00c}";
const UP: &str = "\u{e013}";
const RIGHT: &str = "\u{e014}";

#[tokio::test(flavor = "multi_thread")]
async fn details_show_segments_and_attempts_and_speed_and_properties_of_file() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let large = origin.file("/large.iso", Body::seeded(7, 24 * MIB)).gate_at(MIB);
    origin.file("/start", Body::bytes("")).redirect(302, origin.url("/large.iso").as_str());
    let page = WindowPage::open(&stage).await;
    page.add(origin.url("/start").as_str(), &stage.downloads().to_string_lossy()).await;
    page.click_on("[data-testid='row'][data-state='running']").await;
    large.held().await;

    page.keys("list", "i").await;
    page.find("segment-map").await;
    until("the bytes beyond the held part are shown", async || {
        let percent: u32 = page.attr("[data-testid='segment-map']", "aria-valuenow").await?.parse().ok()?;
        (percent > 50).then_some(())
    })
    .await;

    // Use only the keyboard: go two pages forward, then back to the list.
    page.keys("list", "\u{e00a}\u{e007}\u{e00a}").await;
    page.keyboard_is_in("details-files-tab").await;
    page.keys("details-files-tab", RIGHT).await;
    page.text("details-attempt", "the try under way", |text| text.contains("In progress") && text.contains("Attempt 1")).await;
    page.text("details-redirects", "the way it took", |text| text.contains("/start") && text.contains("/large.iso")).await;
    page.click("details-raw").await;
    page.text("details-head", "the head as it came", |text| text.starts_with("200") && text.contains("25165824")).await;
    page.keys("details-activity-tab", RIGHT).await;
    page.text("details-speed-words", "the speed in words", |text| text.contains("Now") && text.contains("B/s")).await;
    page.find("details-speed").await;
    page.keys("details-speed-tab", ESCAPE).await;
    page.keyboard_is_in("list").await;
    // The key `i` shows and hides the panel; the focus stays in the list.
    page.keys("list", "i").await;
    gone(&page).await;
    page.keys("list", "i").await;
    page.find("details-speed-words").await;
    page.keyboard_is_in("list").await;

    large.release();
    page.css("[data-testid='row'][data-result='success']").await;
    page.click("details-activity-tab").await;
    page.text("details-attempt", "how it ended", |text| text.contains("Completed")).await;
    page.click("details-about-tab").await;
    let folder = stage.downloads().to_string_lossy().into_owned();
    page.text("details-about", "what is known of it", |text| text.contains(&folder) && text.contains("25,165,824 bytes")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn details_panel_restores_its_page_and_height() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let page = WindowPage::open(&stage).await;
    let links: Vec<_> = (0..3000).map(|number| origin.url(&format!("/part-{number}")).to_string()).collect();
    let made = stage.add_paused(&links, "A large set").await;
    page.click_on("[data-testid='row']").await;
    page.click("details-toggle").await;
    let height = async || page.run("return document.querySelector('[data-testid=details]').offsetHeight").await.as_u64();
    page.find("details-file-row").await;
    let before = height().await.unwrap();
    page.keys("details-handle", UP).await;
    until("it is higher by a step", async || (height().await == Some(before + 24)).then_some(())).await;
    // The page contains only the visible rows of the thousands of files.
    page.keys("details-files", "\u{e010}").await;
    page.css("[data-testid='details-file-row'][data-index='2999'][aria-selected='true']").await;
    let rows = page.run("return document.querySelectorAll('[data-testid=details-file-row]').length").await;
    assert!(rows.as_u64().unwrap() < 40, "{rows}");
    let strangers = "return [...document.querySelectorAll('[data-testid=details-file-row]')].filter((row) => !row.textContent.includes('part-' + row.dataset.index)).length";
    until("each rendered row shows the text of its file", async || (page.run(strangers).await == json!(0)).then_some(())).await;
    page.click("details-about-tab").await;
    page.text("details-about", "the chosen file", |text| {
        text.contains("part-2999") && text.contains(&made.unique_id.to_string())
    })
    .await;

    page.reload().await;
    page.click_on("[data-testid='row']").await;
    page.text("details-about", "the page that was open", |text| text.contains("A large set")).await;
    assert_eq!(height().await, Some(before + 24));
    page.click("details-close").await;
    gone(&page).await;
}

async fn gone(page: &WindowPage) {
    until("the panel is gone", async || {
        let left = page.run("return document.querySelectorAll('[data-testid=details]').length").await;
        (left == json!(0)).then_some(())
    })
    .await;
}
