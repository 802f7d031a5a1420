//! Tests that Ctrl-C and a later resume lose no received byte.

use ashore_testkit::origin::{Body, Origin, content};
use rustix::process::Signal;

use crate::cli::program::{Person, Running};

const SIZE: u64 = 600_000;
const HALF: u64 = 300_000;

/// Starts a `get` and waits until half of the file has been received.
///
/// The server sends the other half only after the test releases the route.
async fn halfway(origin: &Origin, person: &Person) -> (Running, ashore_testkit::origin::Route) {
    let route = origin.file("/disk.iso", Body::seeded(1, SIZE)).gate_at(HALF);
    let mut getting = person.start(["get", "--json", origin.url("/disk.iso").as_str()]);
    route.held().await;
    getting.event(|event| event["downloaded"] == HALF || event["registration"]["downloaded"] == HALF).await;
    (getting, route)
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_keeps_bytes_and_shows_how_to_resume() {
    for signal in [Signal::INT, Signal::TERM] {
        let (origin, person) = (Origin::start().await, Person::new());
        let (getting, route) = halfway(&origin, &person).await;
        getting.signal(signal);
        let ran = getting.end().await;
        assert_eq!(ran.code, Some(130), "{ran:?}");
        let id = person.list().await[0]["unique_id"].as_str().unwrap().to_owned();
        let hint = format!("`ashore get {}`", &id[..8]);
        assert!(ran.stderr.contains(&hint) && ran.stderr.contains("`ashore serve`"), "{ran:?}");
        let shown = person.show(&id).await;
        assert_eq!((&shown["state"], &shown["downloaded"]), (&"waiting".into(), &HALF.into()), "{shown}");

        route.release();
        let ran = person.run(["get", &id[..8]]).await;
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(person.files(), ["disk.iso"]);
        assert_eq!(person.file("disk.iso"), content(1, SIZE));
        let starts: Vec<_> = route.requests().iter().map(|request| request.range_start().unwrap_or(0)).collect();
        assert_eq!((starts.len(), starts[0]), (2, 0), "{starts:?}");
        assert!(starts[1] > 0, "the transfer resumed at its offset: {starts:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_command_resumes_existing_download() {
    let (origin, person) = (Origin::start().await, Person::new());
    let (getting, route) = halfway(&origin, &person).await;
    getting.signal(Signal::INT);
    assert_eq!(getting.end().await.code, Some(130));
    route.release();
    let ran = person.run(["get", origin.url("/disk.iso").as_str()]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("already in the list"), "{ran:?}");
    assert_eq!((person.list().await.len(), person.files()), (1, vec!["disk.iso".to_owned()]));
    // The download is complete now, so the same command creates a new download.
    let ran = person.run(["get", origin.url("/disk.iso").as_str()]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(person.files(), ["disk (1).iso", "disk.iso"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn serve_command_resumes_download_of_killed_get_command() {
    let (origin, person) = (Origin::start().await, Person::new());
    let (getting, route) = halfway(&origin, &person).await;
    getting.signal(Signal::KILL);
    assert_eq!(getting.end().await.code, None);
    route.release();
    let (serving, _) = person.serve().await;
    let id = person.list().await[0]["unique_id"].as_str().unwrap().to_owned();
    person.shows(&id, |shown| shown["result"] == "success").await;
    assert_eq!(person.file("disk.iso"), content(1, SIZE));
    serving.signal(Signal::TERM);
    assert_eq!(serving.end().await.code, Some(0));
}
