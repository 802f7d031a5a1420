//! Tests use without a mouse: the Tab order, the focus in dialogs, and the Escape key.

use std::collections::BTreeSet;

use ashore_testkit::waits::until;
use serde_json::json;

use crate::{page::WindowPage, stage::Stage};

const TAB: char = '\u{e004}';
const SHIFT: char = '\u{e008}';
const ESCAPE: char = '\u{e00c}';
const HOME: &str = "\u{e011}";

/// Script that returns a short name of the focused element.
const FOCUSED: &str = "const { activeElement: it } = document;
    return it === null || it === document.body ? '' : it.dataset.testid ?? it.getAttribute('aria-label') ?? it.id";
/// Script that returns whether the focus is inside a dialog.
const IS_INSIDE: &str = "return document.activeElement.closest('[role=dialog]') !== null";

/// Dialogs and menus. Each entry contains the button that opens the dialog or menu, the selector of the dialog or menu,
/// and the element that has the focus after closing.
const OPENED: &[(&str, &str, &str)] = &[
    ("add-button", "[data-testid='add-dialog']", "list"),
    ("keys", "[data-testid='keys-dialog']", "list"),
    ("sort", "[role='menu']", "list"),
    ("limit", "[role='menu']", "limit"),
    ("row-menu", "[role='menu']", "list"),
];

#[tokio::test(flavor = "multi_thread")]
async fn tab_key_moves_through_window_and_stays_inside_dialogs() {
    let stage = Stage::new().await;
    let page = WindowPage::open(&stage).await;
    stage.windows_are(1).await;
    page.pretend("").await;
    // Select a row: Tab reaches the buttons of selected rows only.
    page.keys("list", HOME).await;
    page.css("[data-testid='row'][data-lead]").await;
    page.keyboard_is_in("list").await;
    let forward = round(&page, &[]).await;
    let wanted = ["add-button", "search", "limit", "pause-all", "filter-all", "settings-button", "sort", "list"];
    let places: Vec<_> = wanted.iter().map(|name| forward.iter().position(|found| found == name)).collect();
    assert!(places.iter().all(Option::is_some), "the Tab key reaches {wanted:?}: {forward:?}");
    // The Tab order starts and ends at the list, so compare only the order of the other elements.
    let from_the_top = places[..7].iter().flatten().collect::<Vec<_>>();
    assert!(from_the_top.is_sorted(), "in the order in which they are read: {forward:?}");
    let mut back = round(&page, &[SHIFT]).await;
    back.reverse();
    let (there, again): (BTreeSet<_>, BTreeSet<_>) = (forward.iter().collect(), back.iter().collect());
    assert_eq!(there, again, "Shift+Tab follows the same order back");

    for (opener, dialog, _) in &OPENED[..2] {
        page.click(opener).await;
        page.css(dialog).await;
        until("the keyboard is inside", async || (page.run(IS_INSIDE).await == json!(true)).then_some(())).await;
        for holding in [&[][..], &[SHIFT]] {
            let mut seen = BTreeSet::new();
            for _ in 0..30 {
                page.press(holding, TAB).await;
                assert_eq!(page.run(IS_INSIDE).await, json!(true), "{opener}: the keyboard has left, after {seen:?}");
                seen.insert(page.run(FOCUSED).await.to_string());
            }
            assert!(seen.len() > 1, "{opener}: the focus moves inside the dialog: {seen:?}");
        }
        page.press(&[], ESCAPE).await;
        until("it is closed", async || {
            (page.run("return document.querySelector('[role=dialog]') === null").await == json!(true)).then_some(())
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn escape_key_closes_overlays_and_restores_focus() {
    let stage = Stage::new().await;
    let page = WindowPage::open(&stage).await;
    stage.windows_are(1).await;
    page.pretend("").await;
    for (opener, opened, afterwards) in OPENED {
        page.click(opener).await;
        page.css(opened).await;
        page.painted().await;
        page.press(&[], ESCAPE).await;
        let script = format!("return document.querySelector(\"{opened}\") === null");
        until(&format!("{opener}: it is closed"), async || (page.run(&script).await == json!(true)).then_some(())).await;
        page.keyboard_is_in(afterwards).await;
    }
    // Views that replace the list.
    for (button, view) in [("settings-button", "setting-parallel"), ("statistics-button", "statistics-days")] {
        page.click(button).await;
        page.find(view).await;
        page.press(&[], ESCAPE).await;
        page.find("list").await;
    }
}

/// Presses Tab until the focus is back at the start. Returns the names of all elements that received the focus.
async fn round(page: &WindowPage, holding: &[char]) -> Vec<String> {
    const MOST: usize = 60;
    let first = page.run(FOCUSED).await;
    let mut seen = Vec::new();
    for _ in 0..MOST {
        page.press(holding, TAB).await;
        let now = page.run(FOCUSED).await;
        seen.push(now.as_str().unwrap_or_default().to_owned());
        if now == first {
            return seen;
        }
    }
    panic!("Tab does not come back to {first} within {MOST}: {seen:?}");
}
