//! Tests `export` and `import`.
//!
//! A list is exported from one home and imported into another. A list with any fault is refused as a whole.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use ashore_testkit::origin::{Body, Origin};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::cli::program::Person;

/// Creates a home with a finished download, a failed download, and a waiting download that has a secret.
async fn busy(origin: &Origin) -> Person {
    let person = Person::new();
    origin.file("/a.txt", Body::bytes("abc"));
    origin.refuses("/gone.txt", 404);
    let url = |path: &str| origin.url(path).to_string();
    person.run(["get", "--title", "Two files", &url("/a.txt"), &url("/gone.txt")]).await;
    let secret = ["add", "-H", "X-Api-Key: canary", "-H", "Accept: text/plain", "--checksum"];
    let digest = format!("sha-256={}", "ab".repeat(32));
    let more = [digest, "--mirror".to_owned(), url("/m.iso"), url("/b.iso")];
    let ran = person.run(secret.map(str::to_owned).into_iter().chain(more)).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    person
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns those fields of each download that are the same in every home.
fn facts(list: &[Value]) -> Vec<Value> {
    let fact = |one: &Value| {
        let known = [
            "unique_id",
            "title",
            "owner",
            "source",
            "result",
            "failureReason",
            "requests",
            "succeeded",
            "failed",
            "folder",
            "created",
            "settled",
            "path",
        ];
        json!(known.map(|key| one[key].clone()))
    };
    list.iter().map(fact).collect()
}

fn refused(ran: &crate::cli::program::Ran, code: &str) {
    assert_eq!((ran.code, ran.error_code().as_str()), (Some(4), code), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn imported_list_equals_exported_list_and_stays_paused() {
    let origin = Origin::start().await;
    let (person, other) = (busy(&origin).await, Person::new());
    let ran = person.run(["export", "list.ndjson"]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("Exported 2 downloads with 3 files to") && ran.stderr.contains("may be secret"), "{ran:?}");
    let file = person.downloads().join("list.ndjson");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&file).unwrap();
    assert!(!text.contains("canary"), "{text}");
    let asked = lines(&text).into_iter().find(|line| line["request"]["asked"]["mirrors"].is_array()).unwrap();
    let asked = &asked["request"]["asked"];
    assert_eq!((&asked["headers"], &asked["headers_left_out"]), (&json!([["Accept", "text/plain"]]), &json!(["X-Api-Key"])));

    // Import once with a running engine, which could start the downloads, and once without an engine.
    let (serving, _) = other.serve().await;
    let imported = other.object(&["import", file.to_str().unwrap(), "--json"]).await;
    assert_eq!(
        (&imported["registrations"], &imported["requests"], &imported["without_headers"]),
        (&json!(2), &json!(3), &json!(1))
    );
    let list = other.list().await;
    assert_eq!(facts(&list), facts(&person.list().await));
    assert_eq!(list[0]["state"], "paused");
    let id = list[0]["unique_id"].as_str().unwrap();
    assert_eq!(other.show(id).await["records"][0]["attempts"], 0);
    let again = other.run(["import", file.to_str().unwrap()]).await;
    assert!(again.stderr.starts_with("The file contains no new downloads. ") && again.stderr.ends_with(": 2.\n"), "{again:?}");
    serving.signal(Signal::TERM);
    assert_eq!(serving.end().await.code, Some(0));

    let piped = other.run(["export"]).await;
    assert_eq!(piped.code, Some(0), "{piped:?}");
    let third = Person::new();
    let ran = third.run_with_input(["import", "-"], &piped.stdout).await;
    assert!(ran.code == Some(0) && ran.stderr.starts_with("Imported 2 downloads with 3 files."), "{ran:?}");
    assert_eq!(facts(&third.list().await), facts(&list));
    assert_eq!(
        fs::read_dir(third.data())
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("piped-"))
            .count(),
        0
    );

    // Imported downloads are fetched only when the user resumes them.
    assert!(origin.file("/b.iso", Body::bytes("b")).requests().is_empty());
    let ran = third.run(["get", id]).await;
    assert_eq!(ran.code, Some(1), "the fetched file differs from the expected one: {ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn export_overwrites_file_only_with_force() {
    let person = Person::new();
    let file = person.downloads().join("mine.txt");
    fs::write(&file, "mine").unwrap();
    refused(&person.run(["export", "mine.txt", "--json"]).await, "file-there");
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    assert_eq!(person.files(), ["mine.txt"]);
    assert_eq!(person.run(["export", "mine.txt", "--force"]).await.code, Some(0));
    assert_eq!(lines(&fs::read_to_string(&file).unwrap()).len(), 2);
    refused(&person.run(["export", "nowhere/list", "--json"]).await, "disk");
}

#[tokio::test(flavor = "multi_thread")]
async fn altered_or_truncated_exported_list_is_refused_completely() {
    let (origin, other) = (Origin::start().await, Person::new());
    let person = busy(&origin).await;
    let whole = person.run(["export"]).await.stdout;
    let import = async |text: &str| other.run_with_input(["import", "-", "--json"], text).await;
    let edited = whole.replace("Two files", "Two filmes");
    refused(&import(&edited).await, "saved-changed");
    refused(&import(&whole[..whole.len() - 1]).await, "saved-cut");
    refused(&import(&whole[..whole.len() / 2]).await, "saved-cut");
    refused(&import("hello\n").await, "not-saved");
    refused(&import(&whole.replacen("\"version\":1", "\"version\":7", 1)).await, "saved-newer");
    refused(&import(&whole.replace("http://", "ftp://")).await, "saved-line");
    let bad = import(&whole.replace("\"asked\"", "\"begged\"")).await;
    refused(&bad, "saved-line");
    assert!(bad.stderr.contains("Line 3 of"), "{bad:?}");
    refused(&import(&format!("{}{}\n", whole, " ".repeat(1 << 20))).await, "saved-changed");
    let long = whole.replacen('\n', &format!("\n{}\n", " ".repeat(1 << 20)), 1);
    let ran = import(&long).await;
    refused(&ran, "saved-line");
    assert!(ran.stderr.contains("Line 2 of") && ran.stderr.contains("longer than 1 MiB"), "{ran:?}");
    let missing = other.run(["import", "/nowhere/list", "--json"]).await;
    assert_eq!(missing.code, Some(2), "{missing:?}");
    assert_eq!(other.list().await, Vec::<Value>::new(), "no entry of a refused file was imported");

    let ran = other.run_with_input(["import", "-", "--unchecked"], &edited).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(other.list().await[1]["title"], "Two filmes");
}

/// Returns a handwritten export file with a single download.
fn by_hand(registration: &Value, request: &Value) -> String {
    let lines = [
        json!({ "ashore": "export", "version": 1 }),
        json!({ "registration": registration }),
        json!({ "request": request }),
        json!({ "end": {} }),
    ];
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn imported_list_can_do_nothing_that_an_added_link_could_not_do() {
    let person = Person::new();
    let id = "00000000-0000-4000-8000-000000000001";
    let mine = person.home().join("mine.txt");
    fs::write(&mine, "mine").unwrap();
    let folder = |folder: &Path| json!({ "id": id, "folder": folder });
    let take = async |registration: &Value, request: &Value| {
        person.run_with_input(["import", "-", "--unchecked", "--json"], &by_hand(registration, request)).await
    };
    let here = folder(&person.downloads());
    let asked = |asked: Value| json!({ "asked": asked });
    for (registration, request) in [
        (folder(Path::new("downloads")), asked(json!({ "url": "https://a.test/" }))),
        (folder(Path::new("")), asked(json!({ "url": "https://a.test/" }))),
        (here.clone(), asked(json!({ "url": "file:///etc/passwd" }))),
        (here.clone(), asked(json!({ "url": "https://me:secret@a.test/" }))),
        (here.clone(), asked(json!({ "url": "https://a.test/", "mirrors": ["ftp://a.test/"] }))),
        (here.clone(), asked(json!({ "url": "https://a.test/", "headers": [["Host", "b.test"]] }))),
        (here.clone(), asked(json!({ "url": "https://a.test/", "method": "TRACE" }))),
        (here.clone(), json!({ "asked": { "url": "https://a.test/" }, "state": "done" })),
        (
            here.clone(),
            json!({ "asked": { "url": "https://a.test/" }, "state": "done", "done": { "size": 4, "path": "/a/../b" } }),
        ),
        (here.clone(), json!({ "asked": { "url": "https://a.test/" }, "state": "done", "done": { "size": 4, "path": "b" } })),
        (here.clone(), json!({ "asked": { "url": "https://a.test/" }, "state": "done", "done": { "size": 1_u64 << 60 } })),
    ] {
        let ran = take(&registration, &request).await;
        assert_eq!((ran.code, ran.error_code().as_str()), (Some(4), "saved-line"), "{request}: {ran:?}");
    }
    assert_eq!(person.list().await, Vec::<Value>::new());

    // The imported list claims that Ashore downloaded a file that in fact belongs to the user. Removing the download
    // must not delete this file.
    let done = json!({ "asked": { "url": "https://a.test/" }, "state": "done", "tries": 1, "done": { "size": 4, "path": mine } });
    let ran = take(&json!({ "id": id, "folder": person.home(), "takes_files": true, "keep_for_seconds": 1 }), &done).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = person.run(["remove", "--files", id]).await;
    assert_eq!((ran.code, fs::read(&mine).unwrap()), (Some(0), b"mine".to_vec()), "{ran:?}");

    // An imported list cannot make Ashore upload a user's file. Ashore only sends its own copy of a file that the user
    // chose.
    let upload =
        json!({ "url": "http://127.0.0.1:10123/up", "method": "PUT", "upload_file": mine, "body_size": 4, "body_path": mine });
    assert_eq!(take(&here, &asked(upload)).await.code, Some(0));
    let ran = person.run(["get", id]).await;
    assert!(ran.code == Some(1) && ran.stderr.contains("The file to upload is gone"), "{ran:?}");

    // A missing folder is not created. The default folder is used instead.
    let elsewhere = json!({ "id": "00000000-0000-4000-8000-000000000002", "folder": person.home().join("not/there") });
    let ran = take(&elsewhere, &asked(json!({ "url": "https://a.test/x" }))).await;
    assert_eq!((ran.code, &ran.objects()[0]["elsewhere"]), (Some(0), &json!(1)), "{ran:?}");
    assert!(!person.home().join("not").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn import_replaces_developer_id_in_use_and_repeated_import_adds_nothing() {
    let person = Person::new();
    let id = "00000000-0000-4000-8000-000000000001";
    let registration = json!({ "id": id, "folder": person.downloads(), "title": "one", "developer_id": "own" });
    let one = by_hand(&registration, &json!({ "asked": { "url": "https://a.test/1" } }));
    let two = by_hand(&registration, &json!({ "asked": { "url": "https://a.test/2" } }));
    let take = async |text: &str| {
        let ran = person.run_with_input(["import", "-", "--unchecked", "--json"], text).await;
        let imported = ran.objects().remove(0);
        (imported["registrations"].as_u64(), imported["known"].as_u64())
    };
    assert_eq!(take(&one).await, (Some(1), Some(0)));
    assert_eq!(take(&two).await, (Some(1), Some(0)));
    assert_eq!((take(&one).await, take(&two).await), ((Some(0), Some(1)), (Some(0), Some(1))));
    let list = person.list().await;
    assert_eq!(list.len(), 2);
    assert_eq!((&list[1]["unique_id"], &list[1]["developer_id"]), (&json!(id), &json!("own")));
    assert_eq!(list[0]["developer_id"], list[0]["unique_id"], "its developer id is taken by the other download");
}
