//! Tests links that the user chose in a browser menu. Any address is allowed, and no responses are compared.

use ashore_testkit::origin::{Body, Origin};
use serde_json::json;

use super::port::{LENGTH, SEED, ask_id, ask_once, assert_complete, person, seen, settings, until_forgotten, with};

#[tokio::test(flavor = "multi_thread")]
async fn link_from_menu_may_have_local_address_and_is_not_compared_with_response() {
    let (origin, person) = (Origin::start().await, person());
    settings(&person, "");
    let file = origin.file("/disk.iso", Body::seeded(SEED, LENGTH)).gate_at(1000);
    let (_serving, _) = person.serve().await;
    let chosen = json!({ "was_clicked": true, "size": null, "etag": null, "cookies": "id=canary" });
    let download = with(seen(origin.url("/disk.iso")), chosen);
    let taken = ask_once(&person, 1, &download).await;
    assert_eq!((&taken["type"], &taken["ask"]), (&json!("taken"), &json!(ask_id(1))), "{taken}");
    let already = json!({ "type": "already", "ask": ask_id(1), "unique_id": taken["unique_id"] });
    assert_eq!(ask_once(&person, 1, &download).await, already);
    file.release();
    let shown = person.shows(taken["unique_id"].as_str().unwrap(), |shown| shown["state"] == "settled").await;
    let facts = ["result", "owner", "source"].map(|field| &shown[field]);
    assert_eq!(facts, [&json!("success"), &json!("browser"), &json!("window")]);
    assert_complete(&person).await;
    assert_eq!(file.requests()[0].header("cookie"), Some("id=canary"));
    until_forgotten(&person, "canary").await;
}
