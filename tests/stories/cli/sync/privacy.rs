//! Tests that the sync server cannot read the list.

use std::fs;

use ashore_testkit::origin::{Body, Origin};
use serde_json::Value;

use crate::cli::sync::household::Household;

#[tokio::test(flavor = "multi_thread")]
async fn sync_server_stores_titles_and_links_and_names_only_encrypted() {
    let origin = Origin::start().await;
    origin.file("/canary-file.pdf", Body::bytes("x"));
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let id = laptop.add(&format!("{}?key=canary-query", origin.url("/canary-file.pdf"))).await;
    laptop.object(&["change", &id, "--title", "canary-title"]).await;
    laptop.has("canary-title", "settled").await;
    laptop.sync().await;
    let secrets = fs::read_to_string(laptop.person.data().join("sign-ins.json")).unwrap();
    assert!(secrets.contains("sync root key"), "{secrets}");
    let root: Value = serde_json::from_str(&secrets).unwrap();
    let root = root["sync root key"]["here"].as_str().unwrap().to_owned();
    for path in household.database() {
        let content = fs::read(&path).unwrap();
        for canary in ["canary-file", "canary-query", "canary-title", &root] {
            let is_there = content.windows(canary.len()).any(|window| window == canary.as_bytes());
            assert!(!is_there, "{canary} is in {}", path.display());
        }
    }
}
