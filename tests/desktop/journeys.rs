//! Tests whole user journeys, from intention to result.
//!
//! - Here: a first download, a registration with many links, another folder, a speed limit, finding an old download.
//! - Elsewhere: paste and go (`window`), a duplicate and a dead link (`add`), retry and failure (`notify`), pausing and
//!   limiting (`tray`), quitting and returning (`window`, `tray`).

use std::{
    fs,
    time::{Duration, Instant},
};

use ashore_engine::{
    LimitScope, ListQuery, Registration, RegistrationResult, SettingKey, SettingValue, SettingsReport, SpeedLimit,
};
use ashore_rpc::MethodCall;
use ashore_testkit::{
    origin::{Body, Origin, content},
    waits::until,
};
use serde_json::json;

use crate::{
    file_manager::FileManager,
    page::{WindowPage, row},
    stage::{Stage, file},
};

const HOME: &str = "\u{e011}";
const END: &str = "\u{e010}";
const RIGHT: &str = "\u{e014}";
const ENTER: &str = "Return";
const PASTE: &str = "ctrl+v";

async fn all(stage: &Stage) -> Vec<Registration> {
    stage.client().await.call(&MethodCall::List(ListQuery::default())).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn first_download_takes_three_actions_and_under_twenty_seconds() {
    /// Maximum duration of the first download.
    ///
    /// The limit is long enough for a user with a slow machine who reads every text before each step. This test reads
    /// no texts, so it needs only the time of the machine and of the WebDriver.
    const LONGEST: Duration = Duration::from_secs(20);
    let stage = Stage::new().await;
    fs::remove_dir_all(stage.data()).unwrap();
    let origin = Origin::start().await;
    origin.file("/debian.iso", Body::seeded(4, 3 << 20));

    let begun = Instant::now();
    let mut actions = 1;
    let page = WindowPage::open(&stage).await;
    stage.windows_are(1).await;
    page.text_of("h1", "the list is empty", |text| text.contains("Paste a link")).await;
    page.copy(origin.url("/debian.iso").as_str()).await;
    let mut press = |keys| {
        actions += 1;
        stage.press_keys(keys);
    };
    press(PASTE);
    page.text("add-understood", "it is understood", |text| text.contains("1 link found")).await;
    press(ENTER);
    page.css("[data-testid='row'][data-result='success']").await;
    assert_eq!(actions, 3, "start, paste, Enter");

    let [done] = all(&stage).await.try_into().unwrap();
    let path = done.path.unwrap();
    assert!(path.starts_with(stage.home()), "{}", path.display());
    file(&path, &content(4, 3 << 20)).await;
    assert!(begun.elapsed() < LONGEST, "it took {:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn forty_pasted_links_become_one_registration() {
    const MANY: usize = 40;
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let name = |number: usize| format!("photo-{number:02}.jpg");
    let routes: Vec<_> = (0..MANY).map(|number| origin.file(&format!("/{}", name(number)), Body::bytes(name(number)))).collect();
    let last = routes[MANY - 1].clone().gate_at(1);
    let page = WindowPage::open(&stage).await;
    stage.windows_are(1).await;
    let links: Vec<_> = (0..MANY).map(|number| origin.url(&format!("/{}", name(number))).to_string()).collect();
    page.copy(&links.join("\n")).await;
    stage.press_keys(PASTE);
    page.text("add-understood", "all are understood", |text| text.contains("40 links found")).await;
    page.write("add-title", "Summer").await;
    page.write("add-folder", &stage.downloads().to_string_lossy()).await;
    page.click("add-submit").await;

    page.rows(&["Summer"]).await;
    last.held().await;
    page.text("row-words", "one line for all", |text| text.contains("39 of 40 files")).await;
    page.click_on(&row("Summer")).await;
    page.keys("list", RIGHT).await;
    page.css("[data-testid='file-row'][data-index='0'][data-state='completed']").await;
    page.keys("list", END).await;
    page.css("[data-testid='file-row'][data-index='39'][data-state='active']").await;
    last.release();
    page.keys("list", HOME).await;
    page.css("[data-testid='row'][data-result='success']").await;
    for number in 0..MANY {
        file(&stage.downloads().join(name(number)), name(number).as_bytes()).await;
    }
    let [done] = all(&stage).await.try_into().unwrap();
    assert_eq!((done.requests, done.succeeded, done.result), (40, 40, RegistrationResult::Success));
}

#[tokio::test(flavor = "multi_thread")]
async fn chosen_folder_becomes_default_and_is_refused_when_missing() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let [disk, home] = ["disk/films", "talks"].map(|name| stage.home().join(name));
    for folder in [&disk, &home] {
        fs::create_dir_all(folder).unwrap();
    }
    for name in ["one.mp4", "two.mp4"] {
        origin.file(&format!("/{name}"), Body::bytes(name));
    }
    let page = WindowPage::open(&stage).await;
    page.add(origin.url("/one.mp4").as_str(), &disk.to_string_lossy()).await;
    page.css("[data-testid='row'][data-result='success']").await;
    file(&disk.join("one.mp4"), b"one.mp4").await;

    // The folder that was chosen for the first video is now the default for the next video.
    page.click("add-button").await;
    page.write("add-links", origin.url("/two.mp4").as_str()).await;
    let usual = async || page.run("return document.querySelector('[data-testid=add-folder]').placeholder").await;
    until("the folder is known", async || (usual().await == json!(disk)).then_some(())).await;
    let SettingsReport { settings, .. } = stage.client().await.call(&MethodCall::Settings).await.unwrap();
    let kept = settings.into_iter().find(|setting| setting.key == SettingKey::FolderVideo).unwrap();
    assert_eq!(
        kept.value,
        SettingValue::Text(disk.to_string_lossy().into_owned()),
        "the setting has the same value for every client"
    );
    fs::remove_dir_all(stage.home().join("disk")).unwrap();
    page.click("add-submit").await;
    let said = format!("The folder {} cannot be used", disk.display());
    page.text("add-failure", "it says so, with the cure", |text| text.contains(&said) && text.contains("Choose another folder"))
        .await;
    page.write("add-folder", &home.to_string_lossy()).await;
    page.click("add-submit").await;
    file(&home.join("two.mp4"), b"two.mp4").await;
    page.rows(&["two.mp4", "one.mp4"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn download_with_missing_folder_gets_new_folder_in_one_step() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    origin.file("/talk.mp4", Body::bytes("a talk"));
    let page = WindowPage::open(&stage).await;
    let one = stage.add_paused(&[origin.url("/talk.mp4").to_string()], "talk.mp4").await;
    fs::remove_dir(stage.downloads()).unwrap();
    page.css(&row("talk.mp4")).await;
    page.click("row-action").await;
    page.text("row-words", "why it failed", |text| text.contains("Choose another folder")).await;
    page.css("[data-testid='row-action'][data-step='folder']").await;
    let elsewhere = stage.home().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    page.click("row-action").await;
    stage.choose_path("Choose a folder", &elsewhere.to_string_lossy()).await;
    page.css("[data-testid='row'][data-result='success']").await;
    file(&elsewhere.join("talk.mp4"), b"a talk").await;
    let now = stage.registration(&one, "it is known where it is", |now| now.path.is_some()).await;
    assert_eq!(now.path, Some(elsewhere.join("talk.mp4")));
}

#[tokio::test(flavor = "multi_thread")]
async fn speed_limit_is_set_and_removed_in_window_during_download() {
    const SIZE: u64 = 48 << 20;
    const CAME: u64 = 1 << 20;
    const LIMIT: u64 = 250_000;
    /// Number of bytes that arrive while the speed limit applies.
    const MORE: u64 = 3 * LIMIT;
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    // Use one connection, so that only the bytes up to the server's pause arrive before the limit is set.
    let route = origin.file("/film.mkv", Body::seeded(9, SIZE)).chunked().gate_at(CAME);
    let page = WindowPage::open(&stage).await;
    page.add(origin.url("/film.mkv").as_str(), &stage.downloads().to_string_lossy()).await;
    route.held().await;
    page.click("limit").await;
    page.click_on("[data-testid='limit-250000']").await;
    page.text("limit", "what holds", |text| text.contains("250 kB/s")).await;
    let [one] = all(&stage).await.try_into().unwrap();
    let begun = Instant::now();
    route.release();
    stage.registration(&one, "it goes on", |now| now.downloaded >= CAME + MORE).await;
    // Subtract one second, because the limit permits an initial burst, which is less than the bytes of one second.
    let least = Duration::from_secs(MORE / LIMIT - 1);
    assert!(begun.elapsed() >= least, "{MORE} bytes came in {:?}", begun.elapsed());

    page.click("limit").await;
    page.click_on("[data-testid='limit-none']").await;
    page.css("[data-testid='row'][data-result='success']").await;
    file(&stage.downloads().join("film.mkv"), &content(9, SIZE)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn speed_limit_field_applies_to_one_download_or_all() {
    let stage = Stage::new().await;
    let page = WindowPage::open(&stage).await;
    let one = stage.add_paused(&["http://127.0.0.1:4001/".to_owned()], "one").await;
    let holds = async |wanted: &[(LimitScope, u64)]| {
        until(&format!("{wanted:?} holds"), async || {
            let limits: Vec<SpeedLimit> = stage.client().await.call(&MethodCall::Limits).await.ok()?;
            let now: Vec<_> = limits.into_iter().map(|limit| (limit.scope, limit.bytes_per_second)).collect();
            (now.len() == wanted.len() && wanted.iter().all(|limit| now.contains(limit))).then_some(())
        })
        .await;
    };
    let [of_one, of_all] = [(LimitScope::Registration { unique_id: one.unique_id }, 750_000), (LimitScope::All, 3_000_000)];
    let ask = async || {
        page.click_on(&row("one")).await;
        page.click("row-menu").await;
        page.click_on("[data-testid='menu-limit']").await;
        page.keyboard_is_in("limit-field").await;
    };
    ask().await;
    page.write("limit-field", "fast").await;
    page.click("limit-submit").await;
    page.text("limit-failure", "what is wrong with it", |text| text.contains("Enter a number")).await;
    page.write("limit-field", "750").await;
    page.click("limit-submit").await;
    holds(std::slice::from_ref(&of_one)).await;

    page.click("limit").await;
    page.click_on("[data-testid='limit-other']").await;
    page.write("limit-field", "3000").await;
    page.click("limit-submit").await;
    page.text("limit", "what holds", |text| text.contains("3 MB/s")).await;
    holds(&[of_one, of_all.clone()]).await;

    ask().await;
    assert_eq!(page.value("limit-field").await, "750", "the field shows the current limit");
    page.keys("limit-field", "\u{e009}a\u{e009}\u{e003}").await;
    page.click("limit-submit").await;
    holds(&[of_all]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn window_state_and_download_are_restored_after_quit() {
    const SIZE: u64 = 4 << 20;
    const CAME: u64 = 3 << 20;
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let route = origin.file("/film.mkv", Body::seeded(2, SIZE)).gate_at(CAME);
    origin.file("/letter.pdf", Body::bytes("a letter"));
    let page = WindowPage::open(&stage).await;
    for name in ["letter.pdf", "film.mkv"] {
        page.add(origin.url(&format!("/{name}")).as_str(), &stage.downloads().to_string_lossy()).await;
        page.css(&row(name)).await;
    }
    route.held().await;
    stage.durable(CAME).await;
    page.click("filter-running").await;
    page.write("search", "film").await;
    page.click_on(&row("film.mkv")).await;
    page.chosen(&["film.mkv"]).await;
    stage.panel.click("Quit").await;
    stage.windows_are(0).await;
    drop(page);

    let page = WindowPage::open(&stage).await;
    page.chosen(&["film.mkv"]).await;
    assert_eq!(page.value("search").await, "film");
    page.css("[data-testid='filter-running'][aria-current='true']").await;
    route.release();
    page.click("filter-all").await;
    page.css(&format!("{}[data-result='success']", row("film.mkv"))).await;
    file(&stage.downloads().join("film.mkv"), &content(2, SIZE)).await;
    let starts: Vec<_> = route.requests().iter().filter_map(ashore_testkit::origin::Request::range_start).collect();
    assert!(starts.last().is_some_and(|start| *start + (64 << 10) >= CAME), "the transfer resumed at its offset: {starts:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn old_download_is_found_and_shown_in_its_folder() {
    let stage = Stage::new().await;
    let files = FileManager::serve(stage.address()).await;
    let origin = Origin::start().await;
    let page = WindowPage::open(&stage).await;
    for name in ["thesis-final.pdf", "holiday.mkv", "backup.tar"] {
        origin.file(&format!("/{name}"), Body::bytes(name));
        page.add(origin.url(&format!("/{name}")).as_str(), &stage.downloads().to_string_lossy()).await;
        page.css(&format!("{}[data-result='success']", row(name))).await;
    }
    // The search must query the engine, because only the engine knows the source address.
    page.write("search", "127.0.0.1").await;
    page.rows(&["backup.tar", "holiday.mkv", "thesis-final.pdf"]).await;
    page.write("search", "thes").await;
    page.rows(&["thesis-final.pdf"]).await;
    page.click("row-folder").await;
    let thesis = stage.downloads().join("thesis-final.pdf");
    assert_eq!(files.asked(1).await, std::slice::from_ref(&thesis));
    // The list still shows a file that the user has edited.
    fs::write(&thesis, "the thesis with its corrections").unwrap();
    page.click("row-folder").await;
    assert_eq!(files.asked(2).await, [thesis.clone(), thesis]);
    let notices = page.run("return document.querySelectorAll('[role=alert]').length").await;
    assert_eq!(notices, json!(0));
}
