//! A declared total through everything that can happen on the way: no byte is counted twice, and none too many is stored.

use ashore_engine::{FailureReason, NewRegistration, RegistrationResult};
use ashore_tests::{
    home::Home,
    origin::{Body, Origin, content},
};

fn within(total: u64, origin: &Origin, paths: &[&str]) -> NewRegistration {
    NewRegistration { download_total: total, ..Home::ask(paths.iter().map(|path| origin.url(path))) }
}

#[tokio::test]
async fn what_is_kept_through_a_pause_is_counted_once() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::seeded(1, 500_000)).gate_at(400_000);
    let id = home.create(within(500_000, &origin, &["/a"])).await.unwrap().unique_id;
    file.held().await;
    home.until(id, |now| now.downloaded == 400_000).await;
    home.pause(Some(id)).await.unwrap();
    home.until(id, |now| now.active == 0).await;
    file.release();
    home.resume(Some(id)).await.unwrap();
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.downloaded), (RegistrationResult::Success, 500_000));
}

#[tokio::test]
async fn what_is_kept_through_a_crash_is_counted_once_and_the_byte_too_many_is_still_seen() {
    for (total, reason) in [(700_000, FailureReason::None), (699_999, FailureReason::DownloadTotalExceeded)] {
        let (origin, mut home) = (Origin::start().await, Home::open().await);
        let file = origin.file("/a", Body::seeded(1, 500_000)).chunked().gate_at(400_000);
        origin.file("/b", Body::seeded(2, 200_000));
        let id = home.create(within(total, &origin, &["/b", "/a"])).await.unwrap().unique_id;
        file.held().await;
        home.until(id, |now| now.downloaded == 600_000 && now.succeeded == 1).await;
        home.crash().await;
        file.release();
        home.reopen().await;
        let settled = home.settled(id).await;
        assert_eq!(settled.failure_reason, reason, "{:?}", settled.failure);
        assert!(settled.downloaded <= total, "{} of {total}", settled.downloaded);
    }
}

#[tokio::test]
async fn what_is_tried_again_beside_others_is_counted_once() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let slow = origin.file("/slow", Body::seeded(1, 300_000)).gate_at(200_000);
    origin.file("/cut", Body::seeded(2, 300_000)).chunked().reset_after(250_000).times(1);
    let id = home.create(within(600_000, &origin, &["/slow", "/cut"])).await.unwrap().unique_id;
    slow.held().await;
    home.until(id, |now| now.succeeded == 1).await;
    slow.release();
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.downloaded), (RegistrationResult::Success, 600_000));
    assert!(home.bytes("cut") == content(2, 300_000));
}

#[tokio::test]
async fn what_starts_over_is_counted_once() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::seeded(1, 500_000)).reset_after(400_000).times(1).ignore_ranges();
    let id = home.create(within(500_000, &origin, &["/a"])).await.unwrap().unique_id;
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.downloaded), (RegistrationResult::Success, 500_000), "{:?}", settled.failure);
    assert_eq!(file.requests().len(), 2);
}
