//! Tests the list: multiple selection, removal and undo, search, renaming, and the focus while rows move.

use std::{fs, os::unix::fs::MetadataExt};

use ashore_engine::{Registration, RegistrationState};
use ashore_rpc::MethodCall;
use ashore_testkit::{
    origin::{Body, Origin, content},
    waits::until,
};

use crate::{
    page::{WindowPage, row},
    stage::{Stage, kill},
};

const CONTROL: char = '\u{e009}';
const ENTER: &str = "\u{e007}";
const RENAME: &str = "\u{e032}";
const DELETE: &str = "\u{e017}";
const END: &str = "\u{e010}";
const HOME: &str = "\u{e011}";
/// Keys for Shift+Delete; the second Shift releases the key.
const DELETE_FILES: &str = "\u{e008}\u{e017}\u{e008}";
/// Keys for Ctrl+Z; the second Ctrl releases the key.
const TAKE_BACK: &str = "\u{e009}z\u{e009}";
/// Keys for Shift+Down; the second Shift releases the key.
const ONE_MORE: &str = "\u{e008}\u{e015}\u{e008}";

#[tokio::test(flavor = "multi_thread")]
async fn removal_of_several_downloads_can_be_undone_and_survives_reload() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let page = WindowPage::open(&stage).await;
    let mut made = Vec::new();
    for name in ["one", "two", "three", "four"] {
        origin.file(&format!("/{name}"), Body::bytes(name));
        let added = stage.add(origin.url(&format!("/{name}")), name).await;
        made.push(stage.registration(&added, "it is done", |now| now.state == RegistrationState::Settled).await);
    }
    page.rows(&["four", "three", "two", "one"]).await;

    page.click_on(&row("four")).await;
    page.click_holding(CONTROL, &row("two")).await;
    page.chosen(&["four", "two"]).await;
    page.keys("list", ONE_MORE).await;
    page.chosen(&["two", "one"]).await;

    page.keys("list", DELETE).await;
    page.rows(&["four", "three"]).await;
    page.text("removed", "it is said how many", |text| text.contains("2 downloads were removed")).await;
    page.text("filter-done", "what is out of sight is not counted", |text| text.contains('2')).await;
    for gone in &made[..2] {
        stage.registration(gone, "the engine has not been told", |now| now.state == RegistrationState::Settled).await;
    }
    page.keys("list", TAKE_BACK).await;
    page.rows(&["four", "three", "two", "one"]).await;
    page.chosen(&["two", "one"]).await;

    page.keys("list", DELETE).await;
    page.rows(&["four", "three"]).await;
    page.click("undo").await;
    page.rows(&["four", "three", "two", "one"]).await;

    // Reload the page within ten seconds, while undo is still possible. The reloaded page carries out the pending
    // removal.
    page.keys("list", DELETE).await;
    page.rows(&["four", "three"]).await;
    page.reload().await;
    page.rows(&["four", "three"]).await;
    are_gone(&stage, &made[..2]).await;

    // Close the window within ten seconds, while undo is still possible. The engine continues in the tray.
    page.click_on(&row("three")).await;
    page.keys("list", DELETE).await;
    page.rows(&["four"]).await;
    stage.close_window().await;
    are_gone(&stage, &made[2..3]).await;
    stage.registration(&made[3], "what was not removed stays", |now| now.state == RegistrationState::Settled).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_file_is_untouched_until_undo_expires() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let page = WindowPage::open(&stage).await;
    let mut made = Vec::new();
    for name in ["one", "two"] {
        origin.file(&format!("/{name}"), Body::bytes(name));
        let added = stage.add(origin.url(&format!("/{name}")), name).await;
        made.push(stage.registration(&added, "it is done", |now| now.state == RegistrationState::Settled).await);
    }
    page.rows(&["two", "one"]).await;
    let file = stage.downloads().join("two");
    let before = (fs::read(&file).unwrap(), fs::metadata(&file).unwrap().ino());
    let remove = async || {
        page.click_on(&row("two")).await;
        page.keys("list", DELETE_FILES).await;
        page.click("remove-submit").await;
        page.rows(&["one"]).await;
    };

    remove().await;
    page.text("removed-files", "it is said what becomes of the file", |text| text.contains("trash")).await;
    stage.registration(&made[1], "the engine has not been told", |now| now.state == RegistrationState::Settled).await;
    page.click("undo").await;
    page.rows(&["two", "one"]).await;
    assert_eq!((fs::read(&file).unwrap(), fs::metadata(&file).unwrap().ino()), before);

    // Reload the page within ten seconds, while undo is still possible. The entry is removed, and its file goes to the
    // trash.
    remove().await;
    page.reload().await;
    page.rows(&["one"]).await;
    are_gone(&stage, &made[1..]).await;
    until("the file is in the trash", async || (!file.exists()).then_some(())).await;
    let trash = stage.home().join(".local/share/Trash/files/two");
    assert_eq!(fs::read(trash).unwrap(), b"two");
    assert_eq!(fs::read(stage.downloads().join("one")).unwrap(), b"one");

    // Kill the program within ten seconds, while undo is still possible. The file stays untouched.
    page.click_on(&row("one")).await;
    page.keys("list", DELETE_FILES).await;
    page.click("remove-submit").await;
    page.text("removed-files", "it may be taken back", |text| text.contains("trash")).await;
    kill(page.pid());
    assert_eq!(fs::read(stage.downloads().join("one")).unwrap(), b"one");
}

#[tokio::test(flavor = "multi_thread")]
async fn unfinished_download_is_removed_after_confirmation_and_resumed_by_undo() {
    const SIZE: u64 = 4 << 20;
    const CAME: u64 = 3 << 20;
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let route = origin.file("/film.mkv", Body::seeded(5, SIZE)).gate_at(CAME);
    let page = WindowPage::open(&stage).await;
    let made = stage.add(origin.url("/film.mkv"), "film.mkv").await;
    route.held().await;
    stage.durable(CAME).await;
    let remove = async || {
        page.click_on(&row("film.mkv")).await;
        page.keys("list", DELETE).await;
        page.click("remove-submit").await;
        page.text("removed", "it may be taken back", |text| text.contains("film.mkv")).await;
    };
    remove().await;
    page.rows(&[]).await;
    stage.registration(&made, "it stands still", |now| now.state == RegistrationState::Paused).await;
    page.click("undo").await;
    page.rows(&["film.mkv"]).await;
    route.release();
    let done = stage.registration(&made, "it goes on", |now| now.state == RegistrationState::Settled).await;
    assert_eq!(fs::read(done.path.unwrap()).unwrap(), content(5, SIZE));
    let starts: Vec<_> = route.requests().iter().filter_map(ashore_testkit::origin::Request::range_start).collect();
    assert!(starts.last().is_some_and(|start| *start + (64 << 10) >= CAME), "nothing of it was lost: {starts:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn downloads_can_be_sorted_and_renamed_and_filtered_by_kind() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let page = WindowPage::open(&stage).await;
    let mut made = Vec::new();
    for name in ["b.mkv", "thesis.pdf", "a.mkv"] {
        origin.file(&format!("/{name}"), Body::bytes(name));
        let added = stage.add(origin.url(&format!("/{name}")), name).await;
        made.push(stage.registration(&added, "it is done", |now| now.state == RegistrationState::Settled).await);
    }
    page.rows(&["a.mkv", "thesis.pdf", "b.mkv"]).await;
    page.click("sort").await;
    // A menu item is not a button, so `click` does not find it.
    page.click_on("[data-testid='sort-name']").await;
    page.rows(&["a.mkv", "b.mkv", "thesis.pdf"]).await;
    page.click("kind-video").await;
    page.rows(&["a.mkv", "b.mkv"]).await;

    page.click_on(&row("b.mkv")).await;
    page.keys("list", RENAME).await;
    // The new text replaces only the part before the extension.
    page.keys("rename", &format!("film{ENTER}")).await;
    page.rows(&["a.mkv", "film.mkv"]).await;
    let renamed = stage.registration(&made[0], "the engine knows", |now| now.title == "film.mkv").await;
    assert_eq!(renamed.path, made[0].path, "the file keeps its name");
}

/// If a moved button kept the focus, the next Space or Enter could act on another download.
#[tokio::test(flavor = "multi_thread")]
async fn button_loses_focus_when_its_row_moves() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let page = WindowPage::open(&stage).await;
    for name in ["one", "two"] {
        origin.file(&format!("/{name}"), Body::bytes(name));
        let added = stage.add(origin.url(&format!("/{name}")), name).await;
        stage.registration(&added, "it is done", |now| now.state == RegistrationState::Settled).await;
    }
    page.rows(&["two", "one"]).await;
    page.run("document.querySelector('[data-testid=row-menu]').focus()").await;
    page.keyboard_is_in("row-menu").await;
    origin.file("/three", Body::bytes("three"));
    stage.add(origin.url("/three"), "three").await;
    page.rows(&["three", "two", "one"]).await;
    page.keyboard_is_in("list").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn button_keeps_focus_when_rows_are_added() {
    let stage = Stage::new().await;
    let page = WindowPage::open(&stage).await;
    page.run("localStorage.setItem('ashore.sort', 'name')").await;
    page.reload().await;
    let add = async |title: &str| stage.add_paused(&["http://127.0.0.1:4001/".to_owned()], title).await;
    add("one").await;
    add("two").await;
    page.rows(&["one", "two"]).await;
    page.run("document.querySelector('[data-testid=row-menu]').focus()").await;
    page.keyboard_is_in("row-menu").await;
    // The new row is added below the others, so the row with the focus does not move.
    add("zebra").await;
    page.rows(&["one", "two", "zebra"]).await;
    page.painted().await;
    let focused = page.run("return document.activeElement.dataset.testid ?? null").await;
    assert_eq!(focused, serde_json::json!("row-menu"), "the row of this button has not moved");
}

/// Waits until the engine has removed all these registrations.
async fn are_gone(stage: &Stage, all: &[Registration]) {
    let client = stage.client().await;
    for gone in all {
        let unique_id = gone.unique_id;
        until("the engine has the new state", async || client.call::<Registration>(&MethodCall::Show { unique_id }).await.err())
            .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn recycled_rows_show_the_correct_download_after_scrolling() {
    const MANY: usize = 60;
    let stage = Stage::new().await;
    let page = WindowPage::open(&stage).await;
    for number in 1..=MANY {
        stage.add_paused(&["http://127.0.0.1:4001/".to_owned()], &format!("number {number}")).await;
    }
    let rows = async || -> Vec<(usize, String)> {
        let look = "return [...document.querySelectorAll('[data-testid=row]')].map((row) => [row.ariaRowIndex, row.ariaLabel.split(',')[0]])";
        let pairs: Vec<(String, String)> = serde_json::from_value(page.run(look).await).unwrap();
        pairs.into_iter().map(|(line, title)| (line.parse().unwrap(), title)).collect()
    };
    for (key, line) in [(HOME, 1), (END, MANY), (HOME, 1)] {
        page.keys("list", key).await;
        // The newest download is in the first row.
        until("only visible rows are rendered, each with the content of its line", async || {
            let rows = rows().await;
            let is_right = rows.iter().all(|(line, title)| *title == format!("number {}", MANY + 1 - line));
            (is_right && rows.len() < MANY && rows.iter().any(|(there, _)| *there == line)).then_some(())
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_below_viewport_are_rendered_after_each_filter_change() {
    /// Script that returns the number of rows in the page, and the number of rows below the visible part of the list.
    const SEEN: &str = "const foot = document.querySelector('[data-testid=list]').getBoundingClientRect().bottom;\
        const rows = [...document.querySelectorAll('[data-testid=row]')];\
        return [rows.length, rows.filter((row) => row.getBoundingClientRect().top > foot).length]";
    let stage = Stage::new().await;
    let page = WindowPage::open(&stage).await;
    page.pretend("&rows=1000").await;
    for filter in ["filter-done", "filter-all"] {
        page.click(filter).await;
        until("a page of rows is rendered, and further rows below it", async || {
            let [rows, below]: [usize; 2] = serde_json::from_value(page.run(SEEN).await).unwrap();
            (rows > below && below >= 4).then_some(())
        })
        .await;
    }
}
