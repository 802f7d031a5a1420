//! Tests the export of the list to a file.
//!
//! Checks where the file may be written, and that it contains the quotas and limits.

use std::{fs, path::PathBuf};

use ashore_engine::{FileCategory, LimitScope, QuotaScope};
use ashore_testkit::home::Home;
use serde_json::{Value, json};

#[tokio::test]
async fn export_replaces_existing_file_only_if_allowed() {
    let home = Home::open().await;
    for place in ["list.ndjson", "/"] {
        assert_eq!(home.export(PathBuf::from(place), true).await.unwrap_err().code(), "invalid", "{place}");
    }
    let file = home.downloads().join("list.ndjson");
    fs::write(&file, "mine").unwrap();
    assert_eq!(home.export(file.clone(), false).await.unwrap_err().code(), "file-there");
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    assert_eq!(home.export(home.downloads().join("nowhere/list"), false).await.unwrap_err().code(), "disk");
    assert_eq!(home.export(home.downloads(), true).await.unwrap_err().code(), "disk", "a folder is not replaced");
    home.export(file.clone(), true).await.unwrap();
    assert!(fs::read_to_string(&file).unwrap().starts_with(r#"{"ashore":"export""#));
    assert_eq!(home.names(), ["list.ndjson"], "nothing else is left");
}

#[tokio::test]
async fn quotas_and_limits_are_exported() {
    let home = Home::open().await;
    let scope = |owner: Option<&str>, category| QuotaScope { owner: owner.map(str::to_owned), category };
    home.set_quota(scope(None, None), Some(1 << 30), None).await.unwrap();
    home.set_quota(scope(Some("window"), Some(FileCategory::Video)), None, Some(9)).await.unwrap();
    home.limit(LimitScope::All, Some(1 << 20)).await.unwrap();
    let file = home.downloads().join("list");
    home.export(file.clone(), false).await.unwrap();
    let lines = fs::read_to_string(&file).unwrap();
    let mut bounds: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    bounds.retain(|line: &Value| line.get("limit").is_some() || line.get("quota").is_some());
    assert_eq!(bounds.len(), 3, "{lines}");
    for bound in [
        json!({ "limit": { "bytes_per_second": 1 << 20 } }),
        json!({ "quota": { "bytes": 1 << 30 } }),
        json!({ "quota": { "owner": "window", "kind": "video", "files": 9 } }),
    ] {
        assert!(bounds.contains(&bound), "{bound} is not in {lines}");
    }
}
