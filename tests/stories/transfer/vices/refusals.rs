//! Every refusal status, with and without `Retry-After`.

use std::time::Duration;

use ashore_testkit::origin::Origin;
use ashore_transfer::FailureKind;

use super::{
    super::desk::{TransferBench, assert_kind},
    lives::{body, killed},
};

/// Statuses after which the same request may succeed later.
const BUSY: [u16; 7] = [408, 425, 429, 500, 502, 503, 504];
/// Statuses that waiting alone cannot resolve, regardless of `Retry-After`: a sign-in is missing, or the file was
/// removed or is legally blocked.
const FINAL: [u16; 4] = [401, 407, 410, 451];

#[tokio::test]
async fn every_4xx_and_5xx_status_is_reported_and_no_page_is_stored() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    for status in 400..600 {
        let plain = format!("/plain/{status}.bin");
        let until = format!("/until/{status}.bin");
        origin.file(&plain, body()).status(status);
        origin.file(&until, body()).status_until(status, "7");
        for (path, wait) in [(&plain, None), (&until, Some(Duration::from_secs(7)))] {
            let spec = desk.spec(origin.url(path));
            let (failure, bytes) = desk.failed(&spec).await;
            assert_kind(&failure, FailureKind::BadStatus);
            assert_eq!((failure.status, failure.retry_after, bytes), (Some(status), wait, 0));
            // A refusal with `Retry-After` can mean that the server limits requests.
            let is_limit = wait.is_some() && status < 500 && !FINAL.contains(&status);
            assert_eq!(failure.is_transient(), BUSY.contains(&status) || is_limit, "{status}, {wait:?}");
        }
    }
    assert!(desk.heads.is_empty());
    assert_eq!(desk.names(), [""; 0]);
}

#[tokio::test]
async fn invalid_retry_after_header_is_ignored_and_past_date_means_no_wait() {
    let (origin, mut desk) = (Origin::start().await, TransferBench::new());
    let far = Duration::from_secs(366 * 24 * 3600);
    for (number, (text, wait)) in [
        ("soon", None),
        ("-1", None),
        ("Wed, 21 Oct 2015 07:28:00 GMT", Some(Duration::ZERO)),
        ("99999999999999999999", Some(far)),
    ]
    .into_iter()
    .enumerate()
    {
        let path = format!("/{number}.bin");
        origin.file(&path, body()).status_until(503, text);
        let spec = desk.spec(origin.url(&path));
        let (failure, _) = desk.failed(&spec).await;
        assert_eq!(failure.retry_after, wait, "{text}");
    }
}

#[tokio::test]
async fn all_bytes_are_kept_when_server_refuses_after_power_cut() {
    let mut story = killed(|file| file).await;
    for status in (400..600).filter(|status| *status != 416) {
        let kind = match status {
            400 | 401 | 403 | 404 | 410 => FailureKind::LinkExpired,
            _ => FailureKind::BadStatus,
        };
        story.file = story.file.honest().status(status);
        story.fails(kind).await;
        story.file = story.file.honest().status_until(status, "3");
        story.fails(kind).await;
    }
    story.resumes_and_completes().await;
}

#[tokio::test]
async fn retry_after_header_is_respected_after_power_cut() {
    for status in BUSY {
        let mut story = killed(|file| file).await;
        story.file = story.file.status_until(status, "3").times(1);
        let (failure, bytes) = story.lives.failed(&story.spec).await;
        assert_eq!((failure.status, failure.retry_after), (Some(status), Some(Duration::from_secs(3))));
        assert!(failure.is_transient() && bytes == story.durable);
        story.resumes_and_completes().await;
    }
}
