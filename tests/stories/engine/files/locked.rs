//! Tests a disk that refuses writes in the middle of a file, as a file system does after an error.

use std::sync::Arc;

use ashore_engine::{NewRegistration, RegistrationResult};
use ashore_testkit::{
    apart::Apart,
    home::Home,
    origin::{Body, Origin, Request, content},
    tools::is_installed,
    volume::Volume,
};

const SIZE: u64 = 4 << 20;
const HALF: u64 = 2 << 20;

#[tokio::test]
async fn download_fails_on_read_only_disk_and_resumes_later() {
    let Some(apart) = Apart::for_a_story() else { return };
    if !is_installed("cc") {
        return eprintln!("This story is not told here. It needs a C compiler (cc) for its disk.");
    }
    let home = Home::open_with("connections = 1\n").await;
    let volume = match Volume::make_at(&home.data().with_file_name("disk"), &Arc::clone(&apart)) {
        Ok(volume) => volume,
        Err(why) => return eprintln!("This story is not told here. No disk in a file can be mounted: {why:#}."),
    };
    let origin = Origin::start().await;
    let route = origin.file("/a", Body::seeded(1, SIZE)).gate_at(HALF);
    let ask = NewRegistration { folder: Some(volume.path()), ..Home::ask([origin.url("/a")]) };
    let id = home.create(ask).await.unwrap().unique_id;
    route.held().await;
    let durable = || ashore_transfer::survey(&volume.path()).unwrap().first().map_or(0, |found| found.bytes);
    home.until_looked("half of it is durable", async |_| durable() == HALF).await;

    volume.turn_read_only().unwrap();
    route.release();
    let settled = home.settled(id).await;
    let failure = settled.failure.unwrap();
    assert_eq!((settled.result, failure.code.as_str()), (RegistrationResult::Failure, "target"), "{failure:?}");
    assert!(failure.text.contains("Files can no longer be written to the folder"), "{}", failure.text);
    assert_eq!((settled.downloaded, durable()), (HALF, HALF));

    // Retry until the volume can be restarted. At first, its files may still be open for a moment.
    home.until_looked("it is writable again", async |_| volume.restart().is_ok()).await;
    assert_eq!(home.retry(id).await.unwrap(), 1);
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert_eq!(std::fs::read(volume.path().join("a")).unwrap(), content(1, SIZE));
    let starts: Vec<_> = route.requests().iter().filter_map(Request::range_start).collect();
    assert!(starts.last().is_some_and(|start| start + (64 << 10) >= HALF), "the transfer resumed at its offset: {starts:?}");
}
