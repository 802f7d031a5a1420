//! Tests `--keep-for`: how long a settled download stays in the list, and how this time is shown.

use ashore_testkit::origin::{Body, Origin};
use rustix::process::Signal;

use crate::cli::program::Person;

#[tokio::test(flavor = "multi_thread")]
async fn keep_for_option_sets_expiry_and_refuses_invalid_times() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/a.txt", Body::bytes("a"));
    let url = origin.url("/a.txt");
    let ran = person.run(["get", url.as_str(), "--keep-for", "7d"]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let listed = &person.list().await[0];
    let (settled, expires) = (listed["settled"].as_i64().unwrap(), listed["expires"].as_i64().unwrap());
    // The retention time starts after `get` has reported the end of the download.
    assert!((0..60_000).contains(&(expires - settled - 7 * 86_400_000)), "{listed}");
    let ran = person.run(["show", &listed["unique_id"].as_str().unwrap()[..8]]).await;
    assert!(ran.stdout.lines().any(|line| line.trim_start().starts_with("kept until ")), "{ran:?}");
    for time in ["0d", "1000y", "101w101", "36526d", "-1d"] {
        let ran = person.run(["add", url.as_str(), "--keep-for", time]).await;
        assert_eq!(ran.code, Some(2), "{ran:?}");
    }
    assert_eq!(person.list().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn download_expires_only_after_its_end_was_shown_to_user() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/a.txt", Body::bytes("a"));
    let (_serving, _) = person.serve().await;
    let downloads = person.downloads();
    let folder = downloads.to_str().unwrap();
    let ran = person.run(["add", "-d", folder, origin.url("/a.txt").as_str(), "--keep-for", "1s"]).await;
    let id = ran.stdout.trim().to_owned();
    // JSON output is for programs, so it does not count as shown to the user.
    person.shows(&id, |shown| shown["result"] == "success").await;
    let ran = person.run(["show", &id]).await;
    assert!(ran.stdout.contains("kept until"), "{ran:?}");
    let mut left = 1;
    let deadline = std::time::Instant::now() + crate::cli::program::SOON;
    while left > 0 && std::time::Instant::now() < deadline {
        left = person.list().await.len();
    }
    assert_eq!((left, person.files()), (0, vec!["a.txt".to_owned()]));
}

#[tokio::test(flavor = "multi_thread")]
async fn serve_command_removes_expired_downloads_without_user_action() {
    let (origin, person) = (Origin::start().await, Person::new());
    origin.file("/a.txt", Body::bytes("a"));
    origin.refuses("/gone.txt", 404);
    let folder = person.downloads();
    for path in ["/a.txt", "/gone.txt"] {
        person.run(["add", "-d", folder.to_str().unwrap(), origin.url(path).as_str(), "--keep-for", "1s"]).await;
    }
    let (_serving, _) = person.serve().await;
    let mut left = 2;
    let deadline = std::time::Instant::now() + crate::cli::program::SOON;
    while left > 0 && std::time::Instant::now() < deadline {
        left = person.list().await.len();
    }
    assert_eq!((left, person.files()), (0, vec!["a.txt".to_owned()]));
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_retention_setting_is_reported_with_a_correction() {
    let person = Person::new();
    person.settings("forget-finished-after = \"1000000d\"\n");
    let (serving, _) = person.serve().await;
    let ran = person.run(["settings", "forget-finished-after"]).await;
    assert!(ran.stdout.ends_with("forget-finished-after = \"never\"\n"), "{ran:?}");
    serving.signal(Signal::INT);
    let ran = serving.end().await;
    assert!(ran.stderr.contains("one second to a hundred years"), "{ran:?}");
}
