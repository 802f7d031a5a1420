//! Tickets, downloads, the export document and folders.

use serde_json::{Value, json};

use super::page_place::{Halves, PagePlace, call};

impl PagePlace {
    async fn ticket(&self, halves: &Halves, wanted: Value) -> String {
        let answered = self.post("api/tickets", halves, &wanted).await;
        assert_eq!(answered.status, 200, "{answered:?}");
        answered.json()["path"].as_str().unwrap().to_owned()
    }
}

/// Returns a server with one paused download, and a signed-in device.
async fn with_one_download() -> (PagePlace, Halves) {
    let place = PagePlace::new().await;
    let key = place.sign_in().await;
    let mut socket = place.socket(&key).await;
    let added =
        call(&mut socket, "add", json!({ "owner": "window", "paused": true, "requests": [{ "url": "http://a.example/file" }] }))
            .await;
    assert!(added["result"].is_object(), "{added}");
    (place, key)
}

#[tokio::test]
async fn ticket_permits_one_download_of_exported_list() {
    let (place, key) = with_one_download().await;
    let path = place.ticket(&key, json!({ "export": true })).await;
    let exported = place.ask("GET", &path, &[], b"").await;
    assert_eq!(exported.status, 200, "{exported:?}");
    for (name, value) in [
        ("content-type", "application/octet-stream"),
        ("content-disposition", "attachment; filename*=UTF-8''ashore-list.jsonl"),
        ("content-security-policy", "sandbox; default-src 'none'"),
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(exported.headers[name], value);
    }
    let text = String::from_utf8(exported.body).unwrap();
    assert!(text.starts_with('{') && text.contains("http://a.example/file"), "{text}");
    let again = place.ask("GET", &path, &[], b"").await;
    assert_eq!((again.status, again.code().as_str()), (404, "remote-file"));
    let left: Vec<_> = std::fs::read_dir(place.data_dir()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_str().unwrap().starts_with(".remote-")), "{left:?}");
}

#[tokio::test]
async fn head_request_does_not_use_up_ticket() {
    let (place, key) = with_one_download().await;
    let path = place.ticket(&key, json!({ "export": true })).await;
    let head = place.ask("HEAD", &path, &[], b"").await;
    assert_eq!((head.status, head.body.len()), (405, 0));
    assert_eq!(place.ask("GET", &path, &[], b"").await.status, 200);
}

#[tokio::test]
async fn range_of_document_is_sent() {
    let (place, key) = with_one_download().await;
    let get = async |range: &str| {
        let path = place.ticket(&key, json!({ "export": true })).await;
        place.ask("GET", &path, &[("Range", range)], b"").await
    };
    let part = get("bytes=2-7").await;
    assert_eq!((part.status, part.body.as_slice()), (206, &b"ashore"[..]), "{:?}", part.headers);
    assert!(part.headers["content-range"].starts_with("bytes 2-7/"), "{:?}", part.headers);
    let beyond = get("bytes=999999999-").await;
    assert_eq!((beyond.status, beyond.body.len()), (416, 0));
}

#[tokio::test]
async fn ticket_is_valid_for_one_file_and_until_its_device_is_signed_out() {
    let (place, key) = with_one_download().await;
    let path = place.ticket(&key, json!({ "export": true })).await;
    let id = "018f3a54-7b5e-7c1d-9a39-1d2f0c9be001";
    let file = place.ticket(&key, json!({ "unique_id": id, "index": 0 })).await;
    let (_, ticket) = file.split_once('?').unwrap();
    for path in
        [format!("files/{id}/1?{ticket}"), format!("files/{id}/0?{ticket}"), "files/x/0".to_owned(), format!("files/{id}/0")]
    {
        assert_eq!(place.ask("GET", &path, &[], b"").await.status, 404, "{path}");
    }
    for wanted in [json!({}), json!({ "unique_id": id }), json!({ "unique_id": id, "index": 0, "export": true })] {
        assert_eq!(place.post("api/tickets", &key, &wanted).await.status, 400, "{wanted}");
    }
    // The engine does not know this file.
    let unknown = place.ticket(&key, json!({ "unique_id": id, "index": 0 })).await;
    assert_eq!(place.ask("GET", &unknown, &[], b"").await.code(), "unknown");
    place.ask("DELETE", "api/session", &[("Cookie", &key.cookie), ("Ashore-Key", &key.key)], b"").await;
    assert_eq!(place.ask("GET", &path, &[], b"").await.status, 404);
}

#[tokio::test]
async fn exported_document_is_imported_elsewhere() {
    let (place, key) = with_one_download().await;
    let path = place.ticket(&key, json!({ "export": true })).await;
    let document = place.ask("GET", &path, &[], b"").await.body;
    let import = async |place: &PagePlace, key: &Halves, document: &[u8]| {
        let headers = [("Cookie", key.cookie.as_str()), ("Ashore-Key", key.key.as_str())];
        place.ask("POST", "api/import", &headers, document).await
    };
    let known = import(&place, &key, &document).await;
    assert_eq!((known.status, &known.json()["known"]), (200, &json!(1)), "{known:?}");
    // On another machine, the folder in the document is not open to devices.
    let elsewhere = PagePlace::new().await;
    let other = elsewhere.sign_in().await;
    let refused = import(&elsewhere, &other, &document).await;
    assert_eq!(refused.code(), "remote-folder");
    let garbage = import(&elsewhere, &other, b"garbage").await;
    assert_eq!(garbage.status, 409, "{garbage:?}");
    let unknown = elsewhere.ask("POST", "api/import", &[], &document).await;
    assert_eq!(unknown.status, 401);
}

#[tokio::test]
async fn folders_of_roots_are_listed() {
    let place = PagePlace::new().await;
    let key = place.sign_in().await;
    let root = place.root();
    std::fs::create_dir_all(root.join("Films & Co/new")).unwrap();
    std::fs::create_dir_all(root.join(".hidden")).unwrap();
    std::os::unix::fs::symlink("/etc", root.join("etc")).unwrap();
    let roots = place.get("api/folders", &key).await.json();
    assert_eq!((&roots["path"], &roots["parent"]), (&json!(""), &Value::Null));
    assert!(roots["folders"].as_array().unwrap().contains(&json!(root)), "{roots}");
    let list = async |path: &str| place.get(&format!("api/folders?path={path}"), &key).await;
    let inside = list(root.to_str().unwrap()).await.json();
    assert_eq!(inside["folders"], json!(["Films & Co"]));
    let deeper = list(&format!("{}/Films+%26%20Co", root.display())).await.json();
    assert_eq!((&deeper["folders"], &deeper["parent"]), (&json!(["new"]), &json!(root)));
    for outside in ["/etc", "/", "..", "", &format!("{}/etc", root.display()), &format!("{}/.hidden", root.display())] {
        let refused = list(outside).await;
        assert_eq!((refused.status, refused.code().as_str()), (409, "remote-folder"), "{outside}");
    }
}
