//! Tests `list`, `show` and `doctor`: their JSON fields and their text for users.

use std::collections::BTreeSet;

use ashore_testkit::origin::{Body, Origin};
use serde_json::Value;
use tokio::io::AsyncReadExt;

use crate::cli::program::Person;

fn fields(object: &Value) -> BTreeSet<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn show_command_prints_one_object_with_its_records() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/a.txt", Body::bytes("abc"));
    origin.refuses("/gone.txt", 404);
    let (there, gone) = (origin.url("/a.txt"), origin.url("/gone.txt"));
    person.run(["get", there.as_str(), gone.as_str(), "--id", "my own", "--title", "Two files"]).await;
    let list = person.list().await;
    let id = list[0]["unique_id"].as_str().unwrap();
    let shown = person.show(id).await;

    let promised = [
        "unique_id",
        "developer_id",
        "owner",
        "title",
        "state",
        "result",
        "failureReason",
        "downloaded",
        "downloadTotal",
        "uploaded",
        "uploadTotal",
        "recordsAvailable",
        "records",
    ];
    assert!(fields(&shown).is_superset(&promised.into()), "{shown}");
    assert_eq!((&shown["developer_id"], &shown["owner"]), (&"my own".into(), &"command-line".into()));
    assert_eq!((&shown["title"], &shown["state"]), (&"Two files".into(), &"settled".into()));
    assert_eq!((&shown["result"], &shown["failureReason"]), (&"failure".into(), &"bad-status".into()));
    assert_eq!(
        (&shown["downloaded"], &shown["recordsAvailable"]),
        (&3.into(), &false.into()),
        "the waiting client has handled the end event"
    );

    let records = shown["records"].as_array().unwrap();
    let promised = ["index", "url", "state", "status", "path", "size", "outcome", "code", "verified"];
    assert!(records.iter().all(|record| fields(record).is_superset(&promised.into())), "{shown}");
    let path = person.downloads().canonicalize().unwrap().join("a.txt");
    let (first, second) = (&records[0], &records[1]);
    assert_eq!((&first["index"], &first["url"], &first["status"]), (&0.into(), &there.as_str().into(), &200.into()));
    assert_eq!((&first["path"], &first["size"]), (&path.to_str().unwrap().into(), &3.into()));
    assert_eq!((&first["outcome"], &first["code"]), (&"success".into(), &Value::Null));
    assert_eq!((&second["index"], &second["url"], &second["status"]), (&1.into(), &gone.as_str().into(), &404.into()));
    assert_eq!((&second["outcome"], &second["code"]), (&"failure".into(), &"bad-status".into()));
    assert_eq!(second["path"], Value::Null);

    // `list` prints the same object without the records.
    let mut without = shown.clone();
    without.as_object_mut().unwrap().remove("records");
    assert_eq!(list, [without]);

    let ran = person.run(["show", &id[..4]]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for part in ["Two files", id, "my own", "failed", path.to_str().unwrap(), gone.as_str()] {
        assert!(ran.stdout.contains(part), "{part} in {}", ran.stdout);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn show_command_prints_every_attempt_with_attempts_option() {
    let (origin, person) = (Origin::start().await, Person::new());
    person.settings("retry-after-seconds = 0.05\n");
    origin.file("/busy", Body::bytes("abc")).status(503).times(1);
    person.run(["get", origin.url("/busy").as_str()]).await;
    let id = person.list().await[0]["unique_id"].as_str().unwrap().to_owned();
    let ran = person.run(["show", &id, "--attempts", "--json"]).await;
    let tries = &ran.objects()[0]["records"][0]["tries"];
    assert_eq!(
        (&tries[0]["number"], &tries[0]["trouble"], &tries[0]["brought"]),
        (&2.into(), &Value::Null, &3.into()),
        "{tries}"
    );
    assert_eq!((&tries[1]["number"], &tries[1]["status"]), (&1.into(), &503.into()), "{tries}");

    let words = person.run(["show", &id, "--attempts"]).await.stdout;
    let lines: Vec<_> = words.lines().filter(|line| line.trim_start().starts_with("Attempt ")).collect();
    assert!(lines.len() == 2 && lines[0].ends_with(" - done") && lines[1].contains("the server answered 503"), "{words}");
    assert!(!person.run(["show", &id]).await.stdout.contains("Attempt "));
}

#[tokio::test(flavor = "multi_thread")]
async fn list_and_registration_longer_than_one_page_are_read_completely() {
    let person = Person::new();
    let links: String = (0..2500).map(|number| format!("http://127.0.0.1/{number}\n")).collect();
    let ran = person.run_with_input(["add", "-i", "-"], &links).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let shown = person.show(ran.stdout.trim()).await;
    let records = shown["records"].as_array().unwrap();
    let indexes: Vec<_> = records.iter().map(|record| record["index"].as_u64().unwrap()).collect();
    assert_eq!(indexes, (0..2500).collect::<Vec<_>>());

    let limited = person.run(["list", "--json", "--limit", "1", "--active"]).await;
    assert_eq!(limited.objects().len(), 1);
    assert_eq!(person.run(["list", "--settled"]).await.stdout, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn list_command_prints_newest_download_first_in_aligned_columns() {
    let person = Person::new();
    for title in ["first", "second \u{1b}[31mred"] {
        person.run(["add", "http://127.0.0.1/a", "--title", title, "--again"]).await;
    }
    let ran = person.run(["list"]).await;
    let lines: Vec<_> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{ran:?}");
    let column = lines[0].find("TITLE").unwrap();
    assert!(lines[1][column..].starts_with("second") && lines[2][column..].starts_with("first"), "{ran:?}");
    assert!(!ran.stdout.contains('\u{1b}'), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn closed_stdout_causes_no_panic() {
    let person = Person::new();
    for _ in 0..3 {
        person.run(["add", "http://127.0.0.1/a"]).await;
    }
    for arguments in [&["list", "--json"][..], &["list"], &["doctor"], &["--help"]] {
        let mut child = person.command(arguments).spawn().unwrap();
        drop(child.stdout.take());
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).await.unwrap();
        assert!(!stderr.contains("panicked"), "{arguments:?}: {stderr}");
        assert_eq!(child.wait().await.unwrap().code(), Some(0), "{arguments:?}: {stderr}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_reports_ledger_and_partial_files() {
    let (origin, person) = (Origin::start().await, Person::new());
    let ran = person.run(["doctor", "--json"]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report = &ran.objects()[0];
    assert_eq!((&report["ledger"], &report["holder"]), (&"ok".into(), &Value::Null));
    assert_eq!((&report["partials"], &report["orphans"]), (&Value::Array(vec![]), &Value::Array(vec![])));

    origin.file("/disk.iso", Body::seeded(1, 200_000)).gate_at(100_000);
    let (_serving, _) = person.serve().await;
    let id = person.run(["add", origin.url("/disk.iso").as_str()]).await.stdout.trim().to_owned();
    person.shows(&id, |shown| shown["downloaded"] == 100_000).await;
    person.run(["pause", &id]).await;
    // The report lists a partial file only after a checkpoint. Here, the pause has caused this checkpoint.
    let report = person.until(&["doctor", "--json"], |report| report["partials"][0].is_object()).await;
    assert_eq!(report["partials"][0]["unique_id"], id.as_str(), "{report}");
    assert!(report["holder"].as_str().unwrap().starts_with("ashore serve"), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn list_and_show_and_doctor_commands_show_reason_for_waiting() {
    let (origin, person) = (Origin::start().await, Person::new());
    // Require more free space than any disk has.
    person.settings("free-space-floor = \"1000000G\"\n");
    let (_serving, _) = person.serve().await;
    let id = person.run(["add", origin.url("/disk.iso").as_str()]).await.stdout.trim().to_owned();
    person.shows(&id, |shown| shown["waiting_for"]["code"] == "disk").await;
    let sentence = "more needed.";
    for arguments in [&["list"][..], &["show", &id], &["doctor"]] {
        let ran = person.run(arguments).await;
        assert!(ran.stdout.contains(sentence), "{arguments:?}: {ran:?}");
    }
    let doctor = person.run(["doctor"]).await.stdout;
    for step in ["data-folder       done", "keychain          not available here (", "notifications     not available here ("] {
        assert!(doctor.contains(&format!("step      {step}")), "{step}: {doctor}");
    }
    for gate in ["bootstrap      open", "hours          open", "offline        unknown (", "disk           closed  ("] {
        assert!(doctor.contains(&format!("gate      {gate}")), "{gate}: {doctor}");
    }
    assert!(origin.requests().is_empty());

    person.run(["pause"]).await;
    let list = person.run(["list"]).await;
    assert!(list.stderr.contains("Everything is paused."), "{list:?}");
    let quiet = person.run(["list", "--json"]).await;
    assert_eq!(quiet.stderr, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn list_command_shows_only_failed_downloads_with_option_failed() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/a.txt", Body::bytes("a"));
    let gone = origin.refuses("/gone.txt", 404);
    let ran = person.run(["list", "--failed"]).await;
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.stderr.contains("No failed downloads"), "{ran:?}");
    let (there, missing) = (origin.url("/a.txt"), origin.url("/gone.txt"));
    person.run(["get", there.as_str(), "--title", "There"]).await;
    person.run(["get", missing.as_str(), "--title", "Missing"]).await;
    person.run(["get", there.as_str(), "--optional", missing.as_str(), "--title", "Half"]).await;
    let titles = async |words: &[&str]| {
        let ran = person.run(words).await;
        let lines: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        lines.iter().map(|line| line["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(titles(&["list", "--json"]).await, ["Half", "Missing", "There"]);
    assert_eq!(titles(&["list", "--failed", "--json"]).await, ["Half", "Missing"]);
    assert_eq!(titles(&["list", "--failed", "--settled", "--json", "gone.txt"]).await, ["Half", "Missing"]);
    assert_eq!(titles(&["list", "--failed", "--active", "--json"]).await, [""; 0]);
    drop(gone);
    origin.file("/gone.txt", Body::bytes("there now"));
    let id = person.list().await[1]["unique_id"].as_str().unwrap().to_owned();
    assert_eq!(person.run(["get", &id]).await.code, Some(0));
    assert_eq!(titles(&["list", "--failed", "--json"]).await, ["Half"]);
}
