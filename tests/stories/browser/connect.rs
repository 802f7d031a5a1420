//! Tests `ashore browsers`: the manifests in a user's folders, and the connection that they establish.

use std::fs;

use serde_json::{Value, json};

use super::port::{host, person};
use crate::cli::program::Person;

const NAMES: [&str; 7] = ["chromium", "chrome", "edge", "brave", "vivaldi", "firefox", "librewolf"];

/// Creates the profile folders of some browsers.
fn with_browsers(person: &Person) {
    for folder in [".config/chromium", ".mozilla"] {
        fs::create_dir_all(person.home().join(folder)).unwrap();
    }
}

/// Returns the state of each browser.
async fn states(person: &Person) -> Vec<(String, String)> {
    let listed = person.run(["browsers", "--json"]).await.objects();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    listed.iter().map(|one| (text(&one["name"]), text(&one["state"]))).collect()
}

fn expected(connected: &[&str], state: &str) -> Vec<(String, String)> {
    let state_of = |name: &str| if connected.contains(&name) { state } else { "no-browser" };
    NAMES.iter().map(|name| ((*name).to_owned(), state_of(name).to_owned())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn browsers_are_connected_tested_and_disconnected() {
    let person = person();
    let none = person.run(["browsers", "connect"]).await;
    assert_eq!((none.code, none.stderr.contains("No browser")), (Some(0), true), "{none:?}");
    with_browsers(&person);
    assert_eq!(states(&person).await, expected(&["chromium", "firefox"], "not-connected"));
    let ran = person.run(["browsers", "connect"]).await;
    assert_eq!((ran.code, ran.stderr.lines().count()), (Some(0), 2), "{ran:?}");
    assert_eq!(states(&person).await, expected(&["chromium", "firefox"], "connected"));
    let manifest = fs::read(person.home().join(".mozilla/native-messaging-hosts/com.ashore.browser.json")).unwrap();
    let manifest: Value = serde_json::from_slice(&manifest).unwrap();
    assert_eq!((&manifest["name"], &manifest["path"]), (&json!("com.ashore.browser"), &json!(host())));

    let examined = person.run(["browsers", "doctor", "--json"]).await;
    let works = |name: &str| json!({ "name": name, "works": true, "error": null });
    assert_eq!((examined.code, examined.objects()), (Some(0), vec![works("chromium"), works("firefox")]), "{examined:?}");
    assert!(person.run(["browsers", "doctor"]).await.stdout.contains("Chromium: the connection works."));

    let ran = person.run(["browsers", "disconnect", "chromium", "firefox"]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(states(&person).await, expected(&["chromium", "firefox"], "not-connected"));
    assert_eq!(person.run(["browsers", "doctor", "--json"]).await.objects(), [] as [Value; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn broken_connection_is_found_by_doctor() {
    let person = person();
    with_browsers(&person);
    let path = person.home().join(".config/chromium/NativeMessagingHosts/com.ashore.browser.json");
    let manifest = async |from: &str, to: &str| {
        person.run(["browsers", "disconnect", "chromium"]).await;
        let _ = fs::remove_file(&path);
        person.run(["browsers", "connect", "chromium"]).await;
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(&path, text.replace(from, to)).unwrap();
        let ran = person.run(["browsers", "doctor", "--json"]).await;
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let [examined] = &ran.objects()[..] else { panic!("{ran:?}") };
        (examined["error"]["code"].clone(), examined["error"]["variant"].clone())
    };
    let fault = |variant: &str| (json!("browser-manifest"), json!(variant));
    let program = host().display().to_string();
    assert_eq!(manifest(&program, "/nonexistent/ashore-browser").await, fault("program"));
    assert_eq!(manifest(&program, "/etc/passwd").await, fault("program"));
    assert_eq!(manifest(&program, "/bin/true").await, fault("silent"));
    assert_eq!(manifest("chrome-extension://", "chrome-extension://x").await, fault("foreign"));
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_or_missing_browser_and_foreign_file_are_refused() {
    let person = person();
    with_browsers(&person);
    let unknown = person.run(["browsers", "connect", "netscape", "--json"]).await;
    assert_eq!((unknown.code, unknown.error_code().as_str()), (Some(4), "browser-manifest"), "{unknown:?}");
    let missing = person.run(["browsers", "connect", "vivaldi"]).await;
    assert_eq!(missing.code, Some(1), "{missing:?}");
    assert!(!person.home().join(".config/vivaldi").exists());
    let path = person.home().join(".mozilla/native-messaging-hosts/com.ashore.browser.json");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "{}").unwrap();
    for verb in ["connect", "disconnect"] {
        let ran = person.run(["browsers", verb, "firefox"]).await;
        assert_eq!((ran.code, ran.stderr.contains(path.to_str().unwrap())), (Some(1), true), "{ran:?}");
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "{}");
}
