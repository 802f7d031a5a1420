//! Tests dragging with the mouse: finished files to another program, and rows within the list.

use std::{env, fs, path::PathBuf};

use ashore_engine::RegistrationState;
use ashore_rpc::MethodCall;
use ashore_testkit::{
    origin::{Body, Origin},
    waits::{until, within_looks},
};
use gtk::{
    DestDefaults, WindowType,
    gdk::DragAction,
    prelude::{GtkWindowExt, WidgetExt, WidgetExtManual},
};

use crate::{
    page::{WindowPage, row},
    stage::Stage,
};

const CONTROL: char = '\u{e009}';
/// Environment variable with the path of a file. Into this file, the other program writes which dragged files it has
/// received.
const TAKEN: &str = "ASHORE_STORY_TAKEN";

#[tokio::test(flavor = "multi_thread")]
async fn all_files_of_selected_rows_are_exported_by_dragging() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let page = WindowPage::open(&stage).await;
    for name in ["one.txt", "two.txt", "three.txt"] {
        origin.file(&format!("/{name}"), Body::bytes(name));
        let added = stage.add(origin.url(&format!("/{name}")), name).await;
        stage.registration(&added, "it is done", |now| now.state == RegistrationState::Settled).await;
    }
    let parts = ["first.txt", "second.txt"].map(|name| {
        origin.file(&format!("/{name}"), Body::bytes(name));
        origin.url(&format!("/{name}")).to_string()
    });
    let set = stage.add_paused(&parts, "set").await;
    stage.client().await.call::<()>(&MethodCall::Resume { unique_id: Some(set.unique_id) }).await.unwrap();
    stage.registration(&set, "it is done", |now| now.state == RegistrationState::Settled).await;
    page.rows(&["set", "three.txt", "two.txt", "one.txt"]).await;
    page.click_on(&row("three.txt")).await;
    page.click_holding(CONTROL, &row("one.txt")).await;
    page.chosen(&["three.txt", "one.txt"]).await;

    let taken = stage.home().join("taken");
    let mut other = stage.command(env::current_exe().unwrap());
    other.env(TAKEN, &taken).args(["--ignored", "--exact", "views::drag::dropped_files_are_recorded_by_helper_window"]);
    let _other = stage.start(other);
    stage.put_window("Ashore", (0, 0), (620, 380)).await;
    stage.put_window("Elsewhere", (640, 400), (400, 300)).await;
    let take = async |title: &str| {
        until("the other window receives the drop", async || {
            let _ = fs::remove_file(&taken);
            stage.drag(("Ashore", page.middle(&row(title)).await), ("Elsewhere", (200, 150))).await;
            within_looks(40, async || fs::read_to_string(&taken).ok().filter(|text| text.ends_with('\n'))).await
        })
        .await
    };
    let address = |name: &str| format!("file://{}\n", stage.downloads().join(name).display());
    assert_eq!(take("one.txt").await, address("three.txt") + &address("one.txt"));
    assert_eq!(take("two.txt").await, address("two.txt"), "the file is not part of the selection");
    let both = address("first.txt") + &address("second.txt");
    assert_eq!(take("set").await, both, "a set is all of its files");
    page.click_on(&row("set")).await;
    page.click_holding(CONTROL, &row("one.txt")).await;
    page.chosen(&["set", "one.txt"]).await;
    assert_eq!(take("one.txt").await, both + &address("one.txt"), "those of a set go along");
}

#[tokio::test(flavor = "multi_thread")]
async fn selected_paused_rows_are_moved_in_order_by_dragging() {
    let stage = Stage::new().await;
    let page = WindowPage::open(&stage).await;
    for name in ["one", "two", "three", "four"] {
        stage.add_paused(&["http://127.0.0.1:4001/".to_owned()], name).await;
    }
    page.click("filter-paused").await;
    page.rows(&["one", "two", "three", "four"]).await;
    page.click_on(&row("two")).await;
    page.click_holding(CONTROL, &row("four")).await;
    page.drag(&row("four"), &row("one")).await;
    page.text("held", "how many are held", |text| text.contains("2 downloads")).await;
    page.release_button().await;
    page.rows(&["two", "four", "one", "three"]).await;
    // Dragging a row that is not selected moves only that row.
    page.drag(&row("three"), &row("two")).await;
    page.find("mark").await;
    page.release_button().await;
    page.rows(&["three", "two", "four", "one"]).await;
}

#[test]
#[ignore = "not a test: a second program that a test starts"]
fn dropped_files_are_recorded_by_helper_window() {
    let path = PathBuf::from(env::var_os(TAKEN).unwrap());
    gtk::init().unwrap();
    let window = gtk::Window::new(WindowType::Toplevel);
    window.set_title("Elsewhere");
    window.drag_dest_set(DestDefaults::ALL, &[], DragAction::COPY);
    window.drag_dest_add_uri_targets();
    window.connect_drag_data_received(move |_, _, _, _, data, _, _| {
        let lines: String = data.uris().iter().map(|uri| format!("{uri}\n")).collect();
        fs::write(&path, lines).unwrap();
    });
    window.show_all();
    gtk::main();
}
