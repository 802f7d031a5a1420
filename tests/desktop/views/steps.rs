//! Tests the row button for the suggested next step.
//!
//! Cases: a server that requires a sign-in, a dead link, a metered network, and a registration with failed files. The
//! full disk is tested in `mishaps`.

use std::{fs, path::PathBuf};

use ashore_engine::{BROWSER, NewRegistration, NewRequest, Registration};
use ashore_rpc::MethodCall;
use ashore_testkit::{
    origin::{Body, Origin},
    peers::{Bus, Network},
    waits::until,
};
use serde_json::json;

use crate::{
    page::{WindowPage, row},
    stage::{Stage, file},
    views::opening::Opener,
};

const ESCAPE: &str = "\u{e00c}";

/// Returns the selector of the row's button for the next step `step`.
fn step(title: &str, step: &str) -> String {
    format!("{} [data-testid='row-action'][data-step='{step}']", row(title))
}

fn done(title: &str) -> String {
    format!("{}[data-result='success']", row(title))
}

async fn dialogs(page: &WindowPage) -> serde_json::Value {
    page.run("return document.querySelectorAll('[role=dialog]').length").await
}

fn is_over(now: &Registration) -> bool {
    now.settled.is_some()
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_in_step_sends_credentials_and_completes_the_download() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let route = origin.file("/report.pdf", Body::bytes("a report")).status(401);
    let page = WindowPage::open(&stage).await;
    let made = stage.add(origin.url("/report.pdf"), "report.pdf").await;
    stage.registration(&made, "it is refused", is_over).await;
    page.text("row-words", "it says who asks", |text| text.contains("requires a sign-in") && !text.contains('`')).await;

    page.click_on(&step("report.pdf", "sign-in")).await;
    page.keyboard_is_in("sign-in-user").await;
    page.text("sign-in-about", "whose server it is", |text| text.contains("127.0.0.1")).await;
    page.write("sign-in-user", "robin").await;
    page.write("sign-in-password", "thrown away").await;
    page.keys("sign-in-password", ESCAPE).await;
    until("the dialog is gone", async || (dialogs(&page).await == json!(0)).then_some(())).await;
    page.keyboard_is_in("list").await;

    page.click_on(&step("report.pdf", "sign-in")).await;
    page.keyboard_is_in("sign-in-user").await;
    assert_eq!(page.value("sign-in-password").await, "", "the unused password is not kept");
    drop(route.clone().honest());
    page.write("sign-in-user", "robin").await;
    page.write("sign-in-password", "swordfish").await;
    page.click("sign-in-submit").await;
    page.css(&done("report.pdf")).await;
    file(&stage.downloads().join("report.pdf"), b"a report").await;
    let requests = route.requests();
    assert_eq!(requests.last().unwrap().header("authorization"), Some("Basic cm9iaW46c3dvcmRmaXNo"));
    assert!(requests[0].header("authorization").is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn relink_step_replaces_a_dead_link() {
    for status in [403, 404] {
        let stage = Stage::new().await;
        let origin = Origin::start().await;
        origin.file("/old/thesis.pdf", Body::bytes("")).status(status);
        origin.file("/new/thesis.pdf", Body::bytes("the thesis"));
        let page = WindowPage::open(&stage).await;
        let made = stage.add(origin.url("/old/thesis.pdf"), "thesis.pdf").await;
        stage.registration(&made, "it is refused", is_over).await;
        page.click_on(&step("thesis.pdf", "relink")).await;
        page.keyboard_is_in("relink-link").await;
        // A link that is not supported is refused with a message beside the field.
        page.write("relink-link", "ftp://127.0.0.1/thesis.pdf").await;
        page.click("relink-submit").await;
        page.text("relink-failure", "what is wrong with it", |text| text.contains("http and https links")).await;
        page.write("relink-link", origin.url("/new/thesis.pdf").as_str()).await;
        page.click("relink-submit").await;
        page.css(&done("thesis.pdf")).await;
        assert_eq!(dialogs(&page).await, json!(0));
        file(&stage.downloads().join("thesis.pdf"), b"the thesis").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn button_opens_page_of_download_and_a_click_on_that_page_continues_the_download() {
    let mut stage = Stage::new().await;
    let opener = Opener::put_before(&mut stage);
    fs::write(stage.data().join("ashore.toml"), "retry-after-seconds = 0.1\nlocal-for-programs = true\n").unwrap();
    let origin = Origin::start().await;
    origin.file("/old/disk.iso", Body::bytes("")).status(403);
    origin.file("/new/disk.iso", Body::bytes("the disk"));
    let page = WindowPage::open(&stage).await;
    // Hand a download over in the same way as `ashore-browser` does for a browser.
    let click = |id: &str, path: &str| NewRegistration {
        owner: BROWSER.to_owned(),
        developer_id: Some(id.to_owned()),
        folder: Some(stage.downloads()),
        page: Some("https://ann:secret@page.example/files?of=7".to_owned()),
        requests: vec![NewRequest {
            url: origin.url(path).to_string(),
            size: Some(8),
            name: Some("disk.iso".to_owned()),
            ..NewRequest::default()
        }],
        ..NewRegistration::default()
    };
    let browser = stage.client().await.acting_for(BROWSER).unwrap();
    let made: Registration = browser.call(&MethodCall::Create(click("run/1", "/old/disk.iso"))).await.unwrap();
    stage.registration(&made, "it is refused", is_over).await;
    page.text("row-words", "the cure", |text| text.contains("Sign in again in the browser, and click the link there.")).await;

    page.click_on(&step("disk.iso", "relink")).await;
    page.click("relink-open").await;
    until("the browser opens the page", async || (!opener.all().is_empty()).then_some(())).await;
    assert_eq!(opener.all(), [PathBuf::from("https://page.example/files?of=7")]);
    page.text("row-words", "that a click continues it", |text| text.contains("The click continues this download.")).await;
    until("the dialog closes", async || (dialogs(&page).await == json!(0)).then_some(())).await;

    let other = NewRegistration { title: Some("b.iso".to_owned()), paused: true, ..click("run/2", "/b.iso") };
    let _: Registration = browser.call(&MethodCall::Create(other)).await.unwrap();
    let words = format!("{} [data-testid='row-words']", row("disk.iso"));
    page.text_of(&words, "that another file was clicked", |text| text.contains("clicked another file") && text.contains("b.iso"))
        .await;

    let taken: Option<Registration> = browser.call(&MethodCall::TakeLink(click("run/3", "/new/disk.iso"))).await.unwrap();
    assert_eq!(taken.unwrap().unique_id, made.unique_id);
    page.css(&done("disk.iso")).await;
    file(&stage.downloads().join("disk.iso"), b"the disk").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn download_anyway_step_fetches_one_file_on_metered_network() {
    let bus = Bus::start();
    let network = Network::join(&bus, Network::FULL).await;
    network.metered(Network::METERED).await;
    let mut stage = Stage::new().await;
    stage.on_system(&bus);
    let origin = Origin::start().await;
    let [waits, comes] = ["waits.pdf", "comes.pdf"].map(|name| origin.file(&format!("/{name}"), Body::bytes(name)));
    let page = WindowPage::open(&stage).await;
    for name in ["waits.pdf", "comes.pdf"] {
        stage.add(origin.url(&format!("/{name}")), name).await;
        let words = format!("{} [data-testid='row-words']", row(name));
        page.text_of(&words, "what it waits for", |text| text.contains("the network is metered") && !text.contains('"')).await;
    }
    page.click_on(&step("comes.pdf", "anyway")).await;
    page.css(&done("comes.pdf")).await;
    file(&stage.downloads().join("comes.pdf"), b"comes.pdf").await;
    page.css(&step("waits.pdf", "anyway")).await;
    assert_eq!((waits.requests().len(), comes.requests().len()), (0, 1));

    network.metered(Network::NOT_METERED).await;
    page.css(&done("waits.pdf")).await;
    file(&stage.downloads().join("waits.pdf"), b"waits.pdf").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn retry_step_of_several_files_fetches_only_failed_files() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let routes = ["one.jpg", "two.jpg", "three.jpg"].map(|name| origin.file(&format!("/{name}"), Body::bytes(name)));
    let [one, two, three] = routes;
    let (two, three) = (two.status(404), three.status(404));
    let page = WindowPage::open(&stage).await;
    let links = ["one.jpg", "two.jpg", "three.jpg"].map(|name| origin.url(&format!("/{name}")).to_string());
    stage.add_paused(&links, "Summer").await;
    page.click_on(&step("Summer", "resume")).await;
    page.text("row-words", "how many failed", |text| text.contains("2 of 3 files failed")).await;
    drop((two.clone().honest(), three.clone().honest()));
    let before = one.requests().len();
    page.click_on(&step("Summer", "retry")).await;
    page.css(&done("Summer")).await;
    for name in ["one.jpg", "two.jpg", "three.jpg"] {
        file(&stage.downloads().join(name), name.as_bytes()).await;
    }
    assert_eq!(one.requests().len(), before, "the existing file is not requested again");
}
