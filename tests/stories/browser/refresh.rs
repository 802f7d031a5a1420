//! Tests that a click in the browser can give an unfinished download in Ashore its new link.

use ashore_testkit::origin::{Body, Origin, Route};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::UnixStream,
};

use super::port::{FILE, LENGTH, Port, SEED, ask_id, ask_once, assert_complete, person, seen, settings, with};
use crate::cli::program::Person;

/// Number of bytes after which the old link expires: 60 percent of the file.
const EXPIRES_AFTER: u64 = LENGTH / 5 * 3;

fn id(answer: &Value) -> &str {
    answer["unique_id"].as_str().unwrap()
}

async fn settled(person: &Person, id: &str) -> Value {
    person.shows(id, |shown| shown["state"] == "settled").await
}

/// Does the same as the button "Open the page in the browser", but without a window. Returns the address of the page.
async fn press_refresh(ready: &Value, id: &str) -> String {
    let mut socket = BufReader::new(UnixStream::connect(ready["socket"].as_str().unwrap()).await.unwrap());
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "await_link", "params": { "unique_id": id } });
    socket.write_all(format!("{call}\n").as_bytes()).await.unwrap();
    let mut answer = String::new();
    socket.read_line(&mut answer).await.unwrap();
    let answer: Value = serde_json::from_str(&answer).unwrap();
    answer["result"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

/// Hands over a download whose link expires. Returns the answer of Ashore, and the route of the server.
async fn expired(origin: &Origin, person: &Person) -> (Value, Route) {
    let route = origin.file("/old.iso", Body::seeded(SEED, LENGTH)).reset_after(EXPIRES_AFTER).times(1).runs_out_after(1, 403);
    let taken = ask_once(person, 1, &seen(origin.url("/old.iso?signature=1"))).await;
    assert_eq!(taken["type"], "taken", "{taken}");
    let failed = settled(person, id(&taken)).await;
    assert_eq!((&failed["failure"]["code"], &failed["page"]), (&json!("link-expired"), &json!("http://page.example/files")));
    (taken, route)
}

#[tokio::test(flavor = "multi_thread")]
async fn click_continues_awaited_download_at_its_first_missing_byte() {
    let (origin, person) = (Origin::start().await, person());
    settings(&person, "local-for-programs = true\nconnections = 1\n");
    let (_serving, ready) = person.serve().await;
    let (first, old) = expired(&origin, &person).await;
    assert_eq!(press_refresh(&ready, id(&first)).await, "http://page.example/files");

    let new = origin.file("/new", Body::seeded(SEED, LENGTH));
    let click = with(seen(origin.url("/new?signature=2")), json!({ "cookies": "session=2" }));
    let taken = ask_once(&person, 2, &click).await;
    let expected = json!({ "type": "taken", "ask": ask_id(2), "unique_id": first["unique_id"] });
    assert_eq!(taken, expected);
    assert_eq!(settled(&person, id(&first)).await["result"], "success");
    assert_complete(&person).await;
    assert_eq!(person.list().await.len(), 1);
    // The probe compares the files, and then only the rest is transferred.
    let kept = old.requests().iter().filter_map(|asked| asked.range_start()).max().unwrap();
    assert!(kept > 0 && kept <= EXPIRES_AFTER, "{kept}");
    let rests: Vec<u64> =
        new.requests().iter().filter(|asked| asked.range_end().is_none()).filter_map(|asked| asked.range_start()).collect();
    assert!(rests.len() == 1 && rests[0] > 0, "{:#?}", new.requests());

    // Simulate a lost answer: the extension asks again.
    let already = json!({ "type": "already", "ask": ask_id(2), "unique_id": first["unique_id"] });
    assert_eq!(ask_once(&person, 2, &click).await, already);
}

#[tokio::test(flavor = "multi_thread")]
async fn click_on_other_file_creates_separate_download() {
    let (origin, person) = (Origin::start().await, person());
    let (_serving, ready) = person.serve().await;
    let (first, _) = expired(&origin, &person).await;
    press_refresh(&ready, id(&first)).await;
    origin.file("/other", Body::seeded(SEED + 1, LENGTH + 1));
    let etag = format!("\"{}-{}\"", SEED + 1, LENGTH + 1);
    let other = json!({ "name": "other.iso", "size": LENGTH + 1, "etag": etag });
    let taken = ask_once(&person, 2, &with(seen(origin.url("/other")), other)).await;
    assert!(taken["type"] == "taken" && taken["unique_id"] != first["unique_id"], "{taken}");
    let waits = person.show(id(&first)).await;
    assert_eq!(waits["awaited_link"]["other"], "other.iso");
    assert_eq!(settled(&person, id(&taken)).await["result"], "success");
}

#[tokio::test(flavor = "multi_thread")]
async fn click_after_sign_in_continues_refused_download_with_new_cookies() {
    let (origin, person) = (Origin::start().await, person());
    let (_serving, _) = person.serve().await;
    // The probe succeeds. Then the transfer breaks off, and the sign-in session of the link has ended by that time.
    let route = origin.file("/disk.iso", Body::seeded(SEED, LENGTH)).reset_after(EXPIRES_AFTER).times(1).runs_out_after(1, 401);
    let signed_in = |session: &str| with(seen(origin.url("/disk.iso")), json!({ "cookies": session }));
    let first = ask_once(&person, 1, &signed_in("session=1")).await;
    assert_eq!(settled(&person, id(&first)).await["failure"]["code"], "link-expired");
    let before = route.requests().len();

    drop(route.clone().honest());
    let taken = ask_once(&person, 2, &signed_in("session=2")).await;
    assert_eq!((&taken["type"], &taken["unique_id"]), (&json!("taken"), &first["unique_id"]));
    assert_eq!(settled(&person, id(&first)).await["result"], "success");
    assert_complete(&person).await;
    let later = &route.requests()[before..];
    assert!(!later.is_empty() && later.iter().all(|asked| asked.header("cookie") == Some("session=2")), "{later:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn continued_download_is_paused_and_loses_no_bytes_if_browser_keeps_the_file() {
    let (origin, person) = (Origin::start().await, person());
    let (_serving, ready) = person.serve().await;
    let (first, _) = expired(&origin, &person).await;
    let kept = person.show(id(&first)).await["downloaded"].as_u64().unwrap();
    press_refresh(&ready, id(&first)).await;
    let new = origin.file("/new", Body::seeded(SEED, LENGTH)).gate_at(LENGTH - 1000);
    let mut port = Port::open(&person);
    assert_eq!(port.ask(2, &seen(origin.url("/new"))).await["type"], "taken");
    new.held().await;
    let let_go = json!({ "type": "let_go", "version": 1, "ask": ask_id(2) });
    assert_eq!(port.exchange(&let_go).await, json!({ "type": "released", "ask": ask_id(2) }));
    // The transfer reports its bytes again shortly after it stopped.
    let has_kept = |shown: &Value| shown["state"] == "paused" && shown["downloaded"].as_u64() >= Some(kept);
    person.shows(id(&first), has_kept).await;
    new.release();
    person.run(["resume", id(&first)]).await;
    assert_eq!(settled(&person, id(&first)).await["result"], "success");
    assert_complete(&person).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn address_of_page_appears_in_no_log() {
    let (origin, person) = (Origin::start().await, person());
    let (serving, ready) = person.serve().await;
    origin.refuses("/disk.iso", 404);
    let page = json!({ "page": "http://ann:canary@page.example/canary-page", "was_clicked": true });
    let taken = ask_once(&person, 1, &with(seen(origin.url("/disk.iso")), page)).await;
    let shown = settled(&person, id(&taken)).await;
    assert_eq!(shown["page"], "http://page.example/canary-page");
    press_refresh(&ready, id(&taken)).await;
    let words = person.run(["show", id(&taken)]).await.stdout;
    assert!(words.contains("page       http://page.example/canary-page\n"), "{words}");
    serving.signal(rustix::process::Signal::TERM);
    let ran = serving.end().await;
    assert!(!ran.stderr.contains("canary") && !ran.stdout.contains("ann:canary"), "{ran:?}");
    assert!(person.files().iter().all(|name| name != FILE));
}
