//! Tests the rules that the extension shares with Ashore, and the setting that keeps a browser from starting Ashore.

use std::fs;

use ashore_testkit::{
    LOCAL,
    origin::{Body, Origin},
};
use serde_json::{Value, json};

use super::port::{FILE, LENGTH, Port, SEED, ask, assert_nothing_left, person, seen, settings, with};
use crate::cli::program::Person;

/// Returns the message that changes rules and requests the resulting rules of Ashore.
fn rules(change: &Value) -> Value {
    json!({ "type": "rules", "version": 1, "change": change })
}

/// Returns the default rules, with these fields replaced.
fn defaults(fields: Value) -> Value {
    let rules = json!({
        "mode": "automatic",
        "least_size": 1 << 20,
        "sites": [],
        "endings": ["htm", "html", "xhtml", "php", "asp", "aspx", "jsp", "js", "mjs", "css", "xpi", "crx"],
        "has_bypass_key": true,
    });
    with(rules, fields)
}

async fn setting(person: &Person, name: &str) -> Value {
    person.object(&["settings", name, "--json"]).await["value"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_changed_in_extension_is_stored_in_settings_and_sent_back() {
    let person = person();
    let (_serving, _) = person.serve().await;
    let mut port = Port::open(&person);
    let first = port.exchange(&rules(&json!({}))).await;
    assert_eq!(first, json!({ "type": "rules", "ask": null, "rules": defaults(json!({})) }));

    let change = json!({ "mode": "menu", "sites": ["a.example", "b.example"], "endings": [], "has_bypass_key": false });
    let changed = port.exchange(&rules(&with(change.clone(), json!({ "least_size": 1536 })))).await;
    assert_eq!(changed["rules"], with(change, json!({ "least_size": 1536 })));
    assert_eq!(setting(&person, "browser-hand-over").await, "menu");
    assert_eq!(setting(&person, "browser-sites").await, "a.example b.example");
    assert_eq!(setting(&person, "browser-least-size").await, "1536");
    assert_eq!(setting(&person, "browser-bypass-key").await, false);

    let refused = port.exchange(&rules(&json!({ "sites": ["https://c.example/"], "mode": "automatic" }))).await;
    assert_eq!(refused["rules"]["sites"], json!(["a.example", "b.example"]), "an invalid value changes nothing");
    assert_eq!(refused["rules"]["mode"], "automatic", "valid values beside it are stored");
    port.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn request_for_rules_does_not_start_ashore() {
    let person = person();
    let mut port = Port::open(&person);
    let answer = port.exchange(&rules(&json!({ "mode": "menu" }))).await;
    assert_eq!(answer["type"], "failed", "{answer}");
    port.close().await;
    assert!(!fs::read_to_string(person.data().join("ashore.toml")).unwrap().contains("browser-hand-over"));
}

#[tokio::test(flavor = "multi_thread")]
async fn hand_over_with_outdated_rules_gets_current_rules_and_sends_no_request() {
    let (origin, person) = (Origin::start().await, person());
    let file = origin.file("/disk.iso", Body::seeded(SEED, LENGTH));
    let (_serving, _) = person.serve().await;
    person.object(&["settings", "browser-sites", "a.example", "--json"]).await;
    let mut port = Port::open(&person);
    let by = |number, rules: Value| with(ask(number, &seen(origin.url(&format!("/{FILE}")))), json!({ "rules": rules }));

    let asked = by(1, defaults(json!({})));
    let answer = port.exchange(&asked).await;
    let current = defaults(json!({ "sites": ["a.example"] }));
    assert_eq!(answer, json!({ "type": "rules", "ask": asked["ask"], "rules": current }));
    assert_eq!(file.requests().len(), 0);
    assert_nothing_left(&person).await;

    let answer = port.exchange(&by(2, current)).await;
    assert_eq!(answer["type"], "taken", "{answer}");
    port.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn browser_keeps_download_if_setting_forbids_starting_ashore() {
    let (origin, person) = (Origin::start().await, person());
    settings(&person, &format!("{LOCAL}browser-starts-ashore = false\n"));
    let file = origin.file("/disk.iso", Body::seeded(SEED, LENGTH));
    let mut port = Port::open(&person);
    let answer = port.ask(1, &seen(origin.url("/disk.iso"))).await;
    assert_eq!((&answer["type"], &answer["code"]), (&json!("declined"), &json!("browser-ashore-absent")), "{answer}");
    let text = answer["text"].as_str().unwrap();
    assert!(text.contains("“Let a browser start Ashore”"), "the sentence names the setting: {text}");
    port.close().await;
    assert_eq!(file.requests().len(), 0);
    assert!(!person.data().join("ashore.db").exists(), "no engine was started");
}
