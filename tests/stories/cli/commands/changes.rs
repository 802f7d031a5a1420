//! Tests commands that change a download: aliases of commands, a new link, another folder, and messages about the result.

use ashore_testkit::origin::{Body, Origin};

use crate::cli::program::Person;

#[tokio::test(flavor = "multi_thread")]
async fn commands_have_familiar_aliases() {
    let person = Person::new();
    let id = person.run(["add", "http://127.0.0.1/a", "--title", "one", "--paused"]).await.stdout.trim().to_owned();
    assert!(person.run(["ls"]).await.stdout.contains("one"));
    let ran = person.run(["cancel", &id]).await;
    assert!(ran.code == Some(0) && ran.stderr.starts_with("Cancelled."), "{ran:?}");
    assert!(person.run(["ls"]).await.stdout.contains("cancelled"));
    assert_eq!(person.run(["rm", &id]).await.code, Some(0));
    assert!(person.list().await.is_empty());
    let help = person.run(["help"]).await.stdout;
    assert!(help.contains("[also: ls]") && help.contains("[also: abort]"), "{help}");
}

#[tokio::test(flavor = "multi_thread")]
async fn relink_command_continues_failed_download_but_not_complete_one() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.refuses("/old.txt", 404);
    origin.file("/new.txt", Body::bytes("there"));
    let got = person.run(["get", origin.url("/old.txt").as_str()]).await;
    assert_eq!(got.code, Some(1), "{got:?}");
    let id = person.list().await[0]["unique_id"].as_str().unwrap().to_owned();
    let ran = person.run(["relink", &id[..8], "no link", "--json"]).await;
    assert_eq!((ran.code, ran.error_code().as_str()), (Some(4), "bad-url"), "{ran:?}");
    let ran = person.run(["relink", &id[..8], origin.url("/new.txt").as_str()]).await;
    assert!(ran.code == Some(0) && ran.stderr.contains("`ashore serve`"), "{ran:?}");
    let got = person.run(["get", &id]).await;
    assert_eq!(got.code, Some(0), "{got:?}");
    let ran = person.run(["relink", &id, origin.url("/new.txt").as_str(), "--json"]).await;
    assert_eq!(ran.error_code(), "wrong-state", "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn relink_command_with_several_unfinished_files_needs_file_number() {
    let person = Person::new();
    let added = person.run(["add", "http://127.0.0.1/a", "http://127.0.0.1/b", "--paused"]).await;
    let id = added.stdout.trim();
    let ran = person.run(["relink", id, "http://127.0.0.1/c", "--json"]).await;
    assert_eq!((ran.code, ran.error_code().as_str()), (Some(2), "relink"), "{ran:?}");
    let ran = person.run(["relink", id, "http://127.0.0.1/c", "--file", "1", "--json"]).await;
    assert_eq!((ran.code, &ran.objects()[0]["index"]), (Some(0), &1.into()), "{ran:?}");
    assert_eq!(person.show(id).await["records"][1]["url"], "http://127.0.0.1/c");
}

#[tokio::test(flavor = "multi_thread")]
async fn folder_changes_before_and_after_the_first_byte() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/disk.iso", Body::seeded(1, 200_000)).gate_at(100_000);
    let elsewhere = person.downloads().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let elsewhere = elsewhere.to_str().unwrap();
    let (_serving, _) = person.serve().await;
    let id = person.run(["add", origin.url("/disk.iso").as_str(), "--paused"]).await.stdout.trim().to_owned();
    let ran = person.run(["move-to", &id, elsewhere, "--json"]).await;
    assert_eq!((ran.code, &ran.objects()[0]["folder"]), (Some(0), &elsewhere.into()), "{ran:?}");
    person.run(["resume", &id]).await;
    person.shows(&id, |shown| shown["downloaded"] == 100_000).await;
    person.run(["pause", &id]).await;
    person.shows(&id, |shown| shown["state"] == "paused" && shown["downloaded"] == 100_000).await;
    let ran = person.run(["move-to", &id, "."]).await;
    assert!(ran.code == Some(0) && ran.stderr.contains("The files are now in"), "{ran:?}");
    assert_eq!(std::fs::read_dir(elsewhere).unwrap().count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_report_that_everything_is_paused() {
    let person = Person::new();
    let id = person.run(["add", "http://127.0.0.1/a", "--paused"]).await.stdout.trim().to_owned();
    person.run(["pause"]).await;
    let ran = person.run(["resume", &id]).await;
    assert!(ran.code == Some(0) && ran.stderr.contains("Resumed.\nEverything is paused"), "{ran:?}");
    let added = person.run(["add", "http://127.0.0.1/b"]).await;
    assert!(added.stderr.contains("Everything is paused"), "{added:?}");
    let ran = person.run(["resume"]).await;
    assert!(!ran.stderr.contains("Everything is paused"), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn file_that_is_not_complete_cannot_be_opened() {
    let person = Person::new();
    let id = person.run(["add", "http://127.0.0.1/a", "--paused"]).await.stdout.trim().to_owned();
    let ran = person.run(["open", &id, "--json"]).await;
    assert_eq!((ran.code, ran.error_code().as_str()), (Some(4), "not-there"), "{ran:?}");
}
