//! What may be pasted into the window: links among words, counted ones, commands for cURL.

use ashore_tests::origin::{Body, Origin};

use super::{
    page::Page,
    stage::{Stage, file, until},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_command_and_a_counted_link_are_understood_and_what_is_not_is_named() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    for name in ["page-08", "page-09", "page-10", "report"] {
        origin.file(&format!("/{name}"), Body::bytes(name));
    }
    let page = Page::open(&stage).await;
    let text = format!(
        "{counted}\nsome words\ncurl '{report}' --cert\ncurl '{report}' \\\n  -H 'X-Taste: plain' -o renamed.txt --compressed",
        counted = origin.url("/page-[08:10]").as_str().replace("%5B", "[").replace("%5D", "]"),
        report = origin.url("/report"),
    );
    page.click("add-button").await;
    // As the Enter key would.
    page.find("add-links").await.send_keys(&text.replace('\n', "\u{e007}")).await.unwrap();
    assert_eq!(page.value("add-links").await, text);
    page.text("add-understood", "it says what it understood", |text| text.contains("4 links understood, 2 lines are not")).await;
    page.text("add-understood", "the option is named", |text| text.contains("Ashore does not know --cert")).await;
    page.write("add-folder", &stage.downloads().to_string_lossy()).await;
    page.click("add-submit").await;
    for name in ["page-08", "page-09", "page-10"] {
        file(&stage.downloads().join(name), name.as_bytes()).await;
    }
    file(&stage.downloads().join("renamed.txt"), b"report").await;
    let seen = origin.requests().into_iter().find(|request| request.path == "/report").unwrap();
    assert_eq!(seen.header("x-taste"), Some("plain"));
    until("the dialog is empty", async || page.run("return !document.querySelector('[data-testid=add-dialog]')").await.as_bool().filter(|gone| *gone)).await;
    page.click("add-button").await;
    assert_eq!(page.value("add-links").await, "");
}
