//! Tests session files of aria2: `saveSession`, `ashore export --to aria2` and `ashore import --from aria2`.

use std::{fs, os::unix::fs::PermissionsExt as _};

use serde_json::{Value, json};

use crate::cli::{
    program::Person,
    serve::{
        aria2::{call_at, secret},
        remote::{person, serve},
    },
};

/// Returns the fields that a session file keeps.
fn facts(list: &[Value]) -> Vec<Value> {
    list.iter().map(|one| json!(["owner", "developer_id", "state", "folder", "title"].map(|key| one[key].clone()))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn saved_session_is_imported_with_its_gids() {
    let (person, other) = (person(), Person::new());
    let (_serving, host) = serve(&person, &[]).await;
    let secret = secret(&person, "control").await;
    let call = async |method: &str, params: Value| call_at(&host, "/jsonrpc", &secret, method, params).await;
    for number in 0..2 {
        let options = json!({ "pause": "true", "out": format!("{number}.bin"), "header": ["Cookie: a=canary", "X-A: b"] });
        let uris = ["one", "two"].map(|host| format!("http://{host}.example/{number}"));
        assert!(call("aria2.addUri", json!([uris, options])).await.is_string());
    }
    assert_eq!(call("aria2.saveSession", json!([])).await, "OK");
    let saved = person.data().join("aria2.session");
    let text = fs::read_to_string(&saved).unwrap();
    assert!(text.starts_with("http://one.example/0\thttp://two.example/0\t\n") && !text.contains("canary"), "{text}");
    let ran = other.run(["import", "--from", "aria2", saved.to_str().unwrap()]).await;
    assert!(ran.code == Some(0) && ran.stderr.starts_with("Imported 2 downloads with 2 files."), "{ran:?}");
    assert_eq!(facts(&other.list().await), facts(&person.list().await));
    let again = other.object(&["import", "--from", "aria2", saved.to_str().unwrap(), "--json"]).await;
    assert_eq!(again, json!({ "registrations": 0, "requests": 0, "known": 2, "skipped": 0 }));
}

#[tokio::test(flavor = "multi_thread")]
async fn list_is_exported_to_a_session_file_and_unusable_entries_are_skipped() {
    let (person, other) = (Person::new(), Person::new());
    let digest = format!("sha-256={}", "ab".repeat(32));
    let add = ["add", "--checksum", &digest, "--mirror", "http://b.example/m.iso", "http://a.example/b.iso"];
    assert_eq!(person.run(add).await.code, Some(0));
    let ran = person.run(["export", "--to", "aria2", "list.session"]).await;
    assert!(ran.code == Some(0) && ran.stderr.starts_with("Exported 1 download with 1 file to "), "{ran:?}");
    let file = person.downloads().join("list.session");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&file).unwrap();
    let begin = format!("http://a.example/b.iso\thttp://b.example/m.iso\t\n checksum={digest}\n dir=");
    assert!(text.starts_with(&begin), "{text}");
    assert_eq!(person.run(["export", "--to", "aria2", "list.session"]).await.code, Some(4));
    assert_eq!(person.run(["export", "--to", "aria2"]).await.stdout, text);
    let more = format!("{text}magnet:?xt=urn:btih:1\t\nftp://a.example/x\n");
    let ran = other.run_with_input(["import", "--from", "aria2", "-"], &more).await;
    assert!(ran.code == Some(0) && ran.stderr.trim_end().ends_with("torrents and FTP links: 2."), "{ran:?}");
    let list = other.list().await;
    assert_eq!((list.len(), &list[0]["state"], &list[0]["owner"]), (1, &json!("paused"), &json!("aria2")));
}
