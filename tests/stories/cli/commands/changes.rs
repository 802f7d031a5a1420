//! Tests commands that change a download.

use crate::cli::program::Person;

#[tokio::test(flavor = "multi_thread")]
async fn resume_command_says_that_everything_is_paused() {
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
