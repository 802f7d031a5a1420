//! Tests the total size that a registration declares.
//!
//! No byte is counted twice, and no byte beyond the total is stored.

use ashore_engine::{FailureReason, NewRegistration, NewRequest, Registration, RegistrationResult};
use ashore_testkit::{
    home::Home,
    origin::{Body, Origin, content},
};

fn within(total: u64, origin: &Origin, paths: &[&str]) -> NewRegistration {
    NewRegistration { download_total: total, ..Home::ask(paths.iter().map(|path| origin.url(path))) }
}

#[tokio::test]
async fn bytes_received_before_pause_are_counted_only_once() {
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
async fn bytes_received_before_crash_are_counted_only_once() {
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
async fn bytes_of_retried_file_are_counted_once() {
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
async fn bytes_are_counted_once_if_file_starts_over() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::seeded(1, 500_000)).reset_after(400_000).times(1).ignore_ranges();
    let id = home.create(within(500_000, &origin, &["/a"])).await.unwrap().unique_id;
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.downloaded), (RegistrationResult::Success, 500_000), "{:?}", settled.failure);
    assert_eq!(file.requests().len(), 2);
}

fn assert_exceeded(settled: &Registration) {
    assert_eq!(settled.failure_reason, FailureReason::DownloadTotalExceeded, "{:?}", settled.failure);
    assert_eq!(settled.failure.as_ref().unwrap().code, "download-total-exceeded");
}

#[tokio::test]
async fn file_larger_than_declared_total_is_refused_before_its_body() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    // The first file is small enough to be kept in memory, the second is not. The server holds back both bodies.
    for (number, length) in [(1, 1_000), (2, 4_000_000)] {
        let path = format!("/{number}");
        origin.file(&path, Body::seeded(number, length)).gate_at(0);
        let id = home.create(within(length - 1, &origin, &[&path])).await.unwrap().unique_id;
        let settled = home.settled(id).await;
        assert_exceeded(&settled);
        assert_eq!(settled.downloaded, 0);
    }
    origin.file("/fits", Body::seeded(3, 4_000_000));
    let id = home.create(within(4_000_000, &origin, &["/fits"])).await.unwrap().unique_id;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    // The partial file of the last download may exist for a moment after the end is recorded.
    let names = home.names();
    assert!(names.iter().all(|name| name.starts_with("fits")), "{names:?}");
}

#[tokio::test]
async fn files_that_together_exceed_total_are_refused_before_last_body() {
    for length in [400_000, 2_000_000] {
        let (origin, home) = (Origin::start().await, Home::open().await);
        let slow = origin.file("/slow", Body::seeded(1, 2_000_000)).gate_at(100_000);
        let other = origin.file("/other", Body::seeded(2, length)).gate_at(0);
        let ask = NewRegistration { parallel: Some(1), ..within(2_000_000 + length - 1, &origin, &["/slow", "/other"]) };
        let id = home.create(ask).await.unwrap().unique_id;
        slow.held().await;
        assert!(other.requests().is_empty());
        slow.release();
        let settled = home.settled(id).await;
        assert_exceeded(&settled);
        assert_eq!((settled.downloaded, settled.succeeded), (2_000_000, 1), "the complete file stays");
        // The files are fetched in parallel. The second file exceeds the total before the first byte of the first file
        // arrives.
        origin.file("/first", Body::seeded(1, 2_000_000)).gate_at(0);
        let id = home.create(within(2_000_000 + length - 1, &origin, &["/first", "/other"])).await.unwrap().unique_id;
        let settled = home.settled(id).await;
        assert_exceeded(&settled);
        assert_eq!((settled.downloaded, settled.succeeded), (0, 0));
    }
}

#[tokio::test]
async fn files_fail_without_a_request_if_known_sizes_exceed_total() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let route = origin.file("/a", Body::seeded(1, 600));
    let request = || NewRequest { size: Some(600), ..NewRequest::default() };
    let ask = |total| NewRegistration {
        download_total: total,
        ..Home::ask_for([
            NewRequest { url: origin.url("/a").into(), ..request() },
            NewRequest { url: origin.url("/a").into(), ..request() },
        ])
    };
    let made = home.create(ask(1_199)).await.unwrap();
    assert_exceeded(&made);
    assert_exceeded(&home.settled(made.unique_id).await);
    assert!(route.requests().is_empty());
    let made = home.create(ask(1_200)).await.unwrap();
    assert_eq!(home.settled(made.unique_id).await.result, RegistrationResult::Success);
}

#[tokio::test]
async fn file_of_unstated_length_is_stopped_at_declared_total() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    for (number, total) in [(1, 299_999), (2, 300_000)] {
        let path = format!("/{number}");
        origin.file(&path, Body::seeded(number, 300_000)).chunked();
        let id = home.create(within(total, &origin, &[&path])).await.unwrap().unique_id;
        let settled = home.settled(id).await;
        assert!(settled.downloaded <= total);
        match total {
            300_000 => assert_eq!(settled.result, RegistrationResult::Success),
            _ => assert_exceeded(&settled),
        }
    }
}

#[tokio::test]
async fn resumed_file_that_exceeds_total_is_refused_before_remaining_bytes() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    // The first response states no length. The response to the later request for the remaining bytes states the length.
    let file = origin.file("/a", Body::seeded(1, 3_000_000)).chunked().gate_at(2_000_000);
    let id = home.create(within(2_500_000, &origin, &["/a"])).await.unwrap().unique_id;
    file.held().await;
    home.until(id, |now| now.downloaded == 2_000_000).await;
    home.pause(Some(id)).await.unwrap();
    home.until(id, |now| now.active == 0).await;
    home.close().await;
    home.reopen().await;
    home.resume(Some(id)).await.unwrap();
    let settled = home.settled(id).await;
    assert_exceeded(&settled);
    assert!(settled.downloaded <= 2_500_000, "{}", settled.downloaded);
}
