//! Tests downloads that stay with the browser: a different file, a refusal, or a reason to wait.

use std::fs;

use ashore_testkit::{
    LOCAL, ONE_FOLDER,
    apart::Apart,
    origin::{Body, Origin, Route},
    tools::run,
};
use serde_json::{Value, json};

use crate::cli::program::Person;

use super::port::{FILE, LENGTH, Port, SEED, ask, ask_once, assert_nothing_left, person, seen, settings, with};

/// Function that changes a route that behaves correctly.
type Change = fn(Route) -> Route;

#[tokio::test(flavor = "multi_thread")]
async fn download_is_declined_without_leftovers_if_ashore_receives_another_file_or_a_refusal() {
    let (origin, person) = (Origin::start().await, person());
    let (_serving, _) = person.serve().await;
    let unknown = json!({ "size": null, "etag": null, "last_modified": null });
    let cases: [(&str, Change, Value, &str); 9] = [
        ("status", |route| route.status(403), json!({}), "browser-refused"),
        ("busy", |route| route.status(503), json!({}), "browser-refused"),
        ("page", Route::login_page, json!({}), "browser-not-same-file"),
        ("size", |route| route, json!({ "size": LENGTH + 1 }), "browser-not-same-file"),
        ("tag", |route| route, json!({ "etag": "\"other\"" }), "browser-not-same-file"),
        ("time", |route| route.no_etag(), json!({ "last_modified": "Thu, 22 Oct 2015 07:28:00 GMT" }), "browser-not-same-file"),
        ("length", |route| route.chunked(), json!({}), "browser-not-same-file"),
        ("unknown", |route| route.chunked().no_validators(), unknown, "browser-not-same-file"),
        ("coding", |route| route.header("Content-Encoding", "gzip"), json!({}), "browser-not-same-file"),
    ];
    for (number, (name, change, fields, code)) in (1..).zip(cases) {
        let path = format!("/{name}/{FILE}");
        change(origin.file(&path, Body::seeded(SEED, LENGTH)));
        let answer = ask_once(&person, number, &with(seen(origin.url(&path)), fields)).await;
        assert_eq!((&answer["type"], &answer["code"]), (&json!("declined"), &json!(code)), "{name}: {answer}");
        assert!(answer["text"].as_str().unwrap().ends_with('.'), "{answer}");
        assert_nothing_left(&person).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn browser_download_of_unknown_length_is_accepted_if_validators_match() {
    let (origin, person) = (Origin::start().await, person());
    origin.file("/disk.iso", Body::seeded(SEED, LENGTH)).chunked();
    let (_serving, _) = person.serve().await;
    let answer = ask_once(&person, 1, &with(seen(origin.url("/disk.iso")), json!({ "size": -1 }))).await;
    assert_eq!(answer["type"], "taken", "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn local_address_is_never_requested_for_a_page() {
    let (origin, person) = (Origin::start().await, person());
    settings(&person, "");
    let file = origin.file("/disk.iso", Body::seeded(SEED, LENGTH));
    let (_serving, _) = person.serve().await;
    let answer = ask_once(&person, 1, &seen(origin.url("/disk.iso"))).await;
    assert_eq!((&answer["type"], &answer["code"]), (&json!("declined"), &json!("browser-local-address")), "{answer}");
    assert_eq!((file.requests().len(), origin.connections()), (0, 0));
    assert_nothing_left(&person).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn paused_engine_declines_download_and_sends_no_request() {
    let (origin, person) = (Origin::start().await, person());
    let file = origin.file("/disk.iso", Body::seeded(SEED, LENGTH));
    let (_serving, _) = person.serve().await;
    person.run(["pause"]).await;
    let download = seen(origin.url("/disk.iso"));
    let answer = ask_once(&person, 1, &download).await;
    assert_eq!((&answer["type"], &answer["code"]), (&json!("declined"), &json!("browser-waiting")), "{answer}");
    assert_eq!(answer["args"]["why"]["code"], "paused", "{answer}");
    assert_nothing_left(&person).await;
    let chosen = ask_once(&person, 2, &with(download, json!({ "was_clicked": true }))).await;
    assert_eq!((&chosen["type"], person.list().await.len()), (&json!("taken"), 1), "a chosen link waits in the list: {chosen}");
    assert_eq!(file.requests().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn download_is_declined_without_leftovers_if_quota_is_used_up() {
    let (origin, person) = (Origin::start().await, person());
    for path in ["/disk.iso", "/second/disk.iso"] {
        origin.file(path, Body::seeded(SEED, LENGTH));
    }
    let (_serving, _) = person.serve().await;
    let first = ask_once(&person, 1, &seen(origin.url("/disk.iso"))).await;
    person.shows(first["unique_id"].as_str().unwrap(), |shown| shown["state"] == "settled").await;
    let set = person.run(["quota", "browser", "400K"]).await;
    assert_eq!(set.code, Some(0), "{set:?}");
    let answer = ask_once(&person, 2, &seen(origin.url("/second/disk.iso"))).await;
    assert_eq!((&answer["type"], &answer["code"]), (&json!("declined"), &json!("browser-waiting")), "{answer}");
    assert_eq!((person.list().await.len(), person.files()), (1, vec![FILE.to_owned()]));
}

#[tokio::test(flavor = "multi_thread")]
async fn download_is_declined_with_reason_if_folder_is_unusable() {
    let (origin, person) = (Origin::start().await, person());
    let folder = person.home().join("elsewhere");
    fs::create_dir(&folder).unwrap();
    person.settings(&format!("folder = {folder:?}\n{ONE_FOLDER}{LOCAL}"));
    origin.file("/disk.iso", Body::seeded(SEED, LENGTH));
    let (_serving, _) = person.serve().await;
    fs::remove_dir(&folder).unwrap();
    fs::write(&folder, "").unwrap();
    let answer = ask_once(&person, 1, &seen(origin.url("/disk.iso"))).await;
    assert_eq!((&answer["type"], &answer["code"]), (&json!("declined"), &json!("browser-disk")), "{answer}");
    assert_nothing_left(&person).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn file_that_does_not_fit_on_the_disk_stays_with_browser() {
    let Some(apart) = Apart::for_a_story() else { return };
    let person = Person::under(apart.words().to_vec());
    let floor = "free-space-floor = \"0\"\n";
    settings(&person, &format!("{floor}{LOCAL}"));
    let downloads = person.downloads();
    run(apart.command("mount").args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"]).arg(&downloads)).unwrap();
    let disk = apart.seen(&downloads);
    let origin = Origin::start().await;
    let size = 2_000_000;
    origin.file("/large.iso", Body::seeded(SEED, size));
    origin.file("/disk.iso", Body::seeded(SEED, LENGTH));
    let (_serving, _) = person.serve().await;
    let large = json!({ "size": size, "etag": format!("\"{SEED}-{size}\"") });
    let answer = ask_once(&person, 1, &with(seen(origin.url("/large.iso")), large.clone())).await;
    assert_eq!((&answer["type"], &answer["code"]), (&json!("declined"), &json!("browser-disk")), "{answer}");
    assert_eq!(answer["args"]["why"]["code"], "quota-exceeded", "{answer}");
    assert_eq!((person.list().await.len(), fs::read_dir(&disk).unwrap().count()), (0, 0));
    // Ashore accepts a file that fits on the disk. It accepts a file that does not fit only if a person chose its link.
    // That file then waits in the list.
    let fits = ask_once(&person, 2, &seen(origin.url("/disk.iso"))).await;
    let shown = person.shows(fits["unique_id"].as_str().unwrap(), |shown| shown["state"] == "settled").await;
    assert_eq!(shown["result"], "success", "{shown}");
    let chosen = with(with(seen(origin.url("/large.iso")), large), json!({ "was_clicked": true }));
    assert_eq!(ask_once(&person, 3, &chosen).await["type"], "taken");
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_and_fields_that_are_not_valid_are_declined() {
    let (origin, person) = (Origin::start().await, person());
    let file = origin.file("/disk.iso", Body::seeded(SEED, LENGTH));
    let (_serving, _) = person.serve().await;
    let mut port = Port::open(&person);
    let long = format!("{}?{}", origin.url("/disk.iso"), "x".repeat(70_000));
    let cases = [
        json!({ "url": "javascript:alert(1)" }),
        json!({ "url": "file:///etc/passwd" }),
        json!({ "url": "blob:https://a.example/1" }),
        json!({ "url": "" }),
        json!({ "url": "http://[" }),
        json!({ "cookies": "a=b\r\nX-Injected: 1" }),
        json!({ "user_agent": "a\r\nX-Injected: 1" }),
        json!({ "referrer": "https://a.example/\nX-Injected: 1" }),
    ];
    for (number, fields) in (1..).zip(cases) {
        for clicked in [false, true] {
            let download = with(with(seen(origin.url("/disk.iso")), fields.clone()), json!({ "was_clicked": clicked }));
            let answer = port.ask(number, &download).await;
            assert_eq!(answer["type"], "declined", "{fields}: {answer}");
        }
    }
    let (address, before) = (origin.url("/disk.iso").to_string(), file.requests().len());
    let sign_ins = ["ann:canary@", "ann@", ":canary@"].map(|part| address.replacen("://", &format!("://{part}"), 1));
    for url in sign_ins {
        let answer = port.ask(1, &seen(&url)).await;
        let why = &answer["args"]["why"]["code"];
        assert_eq!((&answer["code"], why), (&json!("browser-refused"), &json!("credentials")), "{answer}");
        assert!(!answer.to_string().contains("canary"), "{answer}");
    }
    assert_eq!(file.requests().len(), before, "nothing is requested with the sign-in of a page");
    let answer = port.ask(1, &with(seen(&long), json!({ "was_clicked": true }))).await;
    assert_eq!(answer["code"], "browser-message", "{}", answer["text"]);
    for ask_id in [String::new(), "x".repeat(201)] {
        let message = json!({ "type": "ask", "version": 1, "ask": ask_id, "download": seen(origin.url("/disk.iso")) });
        assert_eq!(port.exchange(&message).await["code"], "browser-message");
    }
    for (version, code) in [(0, "browser-extension-too-old"), (2, "browser-ashore-too-old")] {
        let message = with(ask(1, &seen(origin.url("/disk.iso"))), json!({ "version": version }));
        assert_eq!(port.exchange(&message).await["code"], code);
    }
    assert!(file.requests().iter().all(|request| request.header("x-injected").is_none()));
    assert_nothing_left(&person).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn look_alike_host_is_shown_in_ascii() {
    let person = person();
    let (_serving, _) = person.serve().await;
    // The first letter is Cyrillic. Names below `invalid` are never resolved (RFC 6761, section 6.4).
    let url = "http://\u{430}pple.invalid/";
    let download = with(seen(url), json!({ "name": null, "page": url, "first_url": url, "referrer": url }));
    let declined = ask_once(&person, 1, &download).await;
    assert_eq!(declined["type"], "declined", "{declined}");
    let taken = ask_once(&person, 2, &with(download, json!({ "was_clicked": true }))).await;
    let id = taken["unique_id"].as_str().unwrap();
    let shown = person.show(id).await;
    assert_eq!((&shown["title"], &shown["page"]), (&json!("xn--pple-43d.invalid"), &json!("http://xn--pple-43d.invalid/")));
    let words = person.run(["show", id]).await.stdout;
    assert!(words.contains("xn--pple-43d.invalid"), "{words}");
    let texts = [declined.to_string(), taken.to_string(), json!(person.list().await).to_string(), shown.to_string(), words];
    assert!(texts.iter().all(|text| !text.contains('\u{430}')), "{texts:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn file_name_from_browser_is_only_a_suggestion() {
    let (origin, person) = (Origin::start().await, person());
    let (_serving, _) = person.serve().await;
    let mut port = Port::open(&person);
    let names = ["../../outside.iso", "/etc/cron.d/x", "a\u{202e}osi.exe", "con.txt", "\u{0}", &"x".repeat(300)];
    for (number, name) in (1..).zip(names) {
        let path = format!("/{number}.iso");
        origin.file(&path, Body::seeded(SEED, LENGTH));
        let answer = port.ask(number, &with(seen(origin.url(&path)), json!({ "name": name }))).await;
        assert_eq!(answer["type"], "taken", "{name:?}: {answer}");
        let id = answer["unique_id"].as_str().unwrap();
        let shown = person.shows(id, |shown| shown["state"] == "settled").await;
        assert_eq!(shown["result"], "success", "{name:?}: {shown}");
        let placed = std::path::Path::new(shown["path"].as_str().unwrap());
        assert_eq!(placed.parent(), Some(person.downloads().canonicalize().unwrap().as_path()), "{name:?}");
        let is_plain = |letter: char| !letter.is_control() && letter != '\u{202e}';
        assert!(placed.file_name().unwrap().to_str().unwrap().chars().all(is_plain), "{name:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn hand_over_request_is_declined_while_thirty_two_others_are_open() {
    let (origin, person) = (Origin::start().await, person());
    origin.file("/disk.iso", Body::seeded(SEED, LENGTH)).gate_answer();
    let (_serving, _) = person.serve().await;
    let mut port = Port::open(&person);
    for number in 1..=33 {
        port.send(&ask(number, &seen(origin.url("/disk.iso")))).await;
    }
    let first = port.receive().await;
    assert_eq!((&first["type"], &first["code"]), (&json!("declined"), &json!("browser-busy")), "{first}");
}
