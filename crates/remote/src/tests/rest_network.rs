//! Programs cannot reach the local network by REST, unless a person permits it.

use serde_json::{Value, json};

use super::{
    page_place::{Halves, HttpAnswer, PagePlace},
    rest::{TokenClient, paused},
};
use crate::token_scope::TokenScope;

/// Address in a local network.
const LOCAL: &str = "http://192.168.0.1/a";

/// Sends a request of a device.
async fn ask_as_device(place: &PagePlace, device: &Halves, method: &str, path: &str, body: &Value) -> HttpAnswer {
    let headers = [("Cookie", device.cookie.as_str()), ("Ashore-Key", device.key.as_str())];
    place.ask(method, path, &headers, body.to_string().as_bytes()).await
}

#[tokio::test]
async fn program_cannot_change_settings_that_open_the_local_network() {
    let place = PagePlace::new().await;
    let (program, device) = (TokenClient::new(&place, TokenScope::Control), place.sign_in().await);
    for (key, value) in [
        ("local-for-programs", json!(true)),
        ("proxy", json!("http://192.168.0.1:3128")),
        ("no-proxy", json!("a.example")),
        ("proxy-loopback", json!(true)),
    ] {
        let (path, body) = (format!("api/v1/settings/{key}"), json!({ "value": value }));
        let refused = program.ask("PUT", &path, &body).await;
        assert_eq!((refused.status, refused.code().as_str()), (403, "remote-sign-in.network"), "{key}");
        assert_eq!(ask_as_device(&place, &device, "PUT", &path, &body).await.status, 204, "{key}");
    }
}

#[tokio::test]
async fn program_cannot_replace_link_of_download_that_reaches_the_local_network() {
    let place = PagePlace::new().await;
    let (program, device) = (TokenClient::new(&place, TokenScope::Control), place.sign_in().await);
    let added = place.post("api/v1/downloads", &device, &paused("http://a.example/a")).await.json();
    let path = |id: &str| format!("api/v1/downloads/{id}/relink");
    let (of_person, of_program) = (path(added["unique_id"].as_str().unwrap()), path(&program.add("http://a.example/b").await));
    let link = json!({ "index": 0, "url": LOCAL });
    let refused = program.ask("POST", &of_person, &link).await;
    assert_eq!((refused.status, refused.code().as_str()), (403, "remote-sign-in.network"));
    assert_eq!(program.ask("POST", &of_program, &link).await.status, 204);
    assert_eq!(ask_as_device(&place, &device, "POST", &of_person, &link).await.status, 204);
    place
        .own
        .engine
        .set(ashore_engine::SettingKey::LocalForPrograms, Some(ashore_engine::SettingValue::Flag(true)))
        .await
        .unwrap();
    assert_eq!(program.ask("POST", &of_person, &link).await.status, 204, "a person permits it");
}

#[tokio::test]
async fn imported_downloads_have_the_program_as_their_source() {
    let place = PagePlace::new().await;
    let (program, device) = (TokenClient::new(&place, TokenScope::Control), place.sign_in().await);
    let added = place.post("api/v1/downloads", &device, &paused(LOCAL)).await.json();
    assert_eq!(added["source"], "window");
    let exported = String::from_utf8(program.ask("GET", "api/v1/export", &Value::Null).await.body).unwrap();
    let bearer = format!("Bearer {}", program.token);
    let of_program = [("Authorization", bearer.as_str())];
    let of_device = [("Cookie", device.cookie.as_str()), ("Ashore-Key", device.key.as_str())];
    for (route, headers, source) in [
        ("api/v1/import", &of_program[..], "program"),
        ("api/import", &of_program[..], "program"),
        ("api/v1/import", &of_device[..], "window"),
        ("api/import", &of_device[..], "window"),
    ] {
        let before = program.get("api/v1/downloads").await;
        let id = before["downloads"][0]["unique_id"].as_str().unwrap();
        assert_eq!(program.ask("DELETE", &format!("api/v1/downloads/{id}"), &Value::Null).await.status, 204);
        let imported = place.ask("POST", route, headers, exported.as_bytes()).await;
        assert_eq!((imported.status, &imported.json()["registrations"]), (200, &json!(1)), "{route}");
        // The imported download may have another id, because the row of the removed one may still exist.
        assert_eq!(program.get("api/v1/downloads").await["downloads"][0]["source"], source, "{route}");
    }
}
