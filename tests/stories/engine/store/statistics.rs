//! Tests the totals by source and by the day on which a download was added.
//!
//! The totals are checked after a failure, a retry, a crash and a removal.

use std::sync::atomic::{AtomicI64, Ordering::SeqCst};

use ashore_engine::{DailyCount, EngineEnv, LocalTime, NewRegistration, RegistrationResult, RequestSource};
use ashore_testkit::{
    home::{Home, env},
    origin::{Body, Origin},
};

const DAY: i64 = 86_400_000_000;

fn from<Address: ToString>(source: RequestSource, addresses: impl IntoIterator<Item = Address>) -> NewRegistration {
    NewRegistration { source, ..Home::ask(addresses) }
}

#[tokio::test]
async fn successful_retry_is_counted_for_day_on_which_download_was_added() {
    static AHEAD: AtomicI64 = AtomicI64::new(0);
    let now_us = || (EngineEnv::default().now_us)() + AHEAD.load(SeqCst);
    let local = |_| LocalTime { offset_seconds: 0, until_us: i64::MAX };
    let mut home = Home::closed("").env(EngineEnv { now_us, local, ..env() });
    let origin = Origin::start().await;
    origin.file("/a", Body::seeded(1, 2000));
    origin.file("/b", Body::seeded(2, 500)).status(404).times(1);
    origin.file("/c", Body::seeded(3, 70));
    home.reopen().await;
    let id = home.create(from(RequestSource::Feed, [origin.url("/a"), origin.url("/b")])).await.unwrap().unique_id;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Failure);
    let before = home.statistics(0).await.unwrap();
    let counted = DailyCount { added: 2, succeeded: 1, failed: 1, downloaded: 2000, ..DailyCount::default() };
    assert_eq!((before.total, before.days.len()), (counted, 1));

    AHEAD.store(DAY, SeqCst);
    home.retry(id).await.unwrap();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    let other = home.create(from(RequestSource::Window, [origin.url("/c")])).await.unwrap().unique_id;
    home.settled(other).await;
    home.crash().await;
    home.reopen().await;
    home.remove(id, false).await.unwrap();
    home.until_looked("the removal is done", async |home| home.show(id).await.is_err()).await;

    let after = home.statistics(0).await.unwrap();
    let feed = DailyCount { added: 2, succeeded: 2, retried: 1, downloaded: 2500, ..DailyCount::default() };
    let window = DailyCount { added: 1, succeeded: 1, downloaded: 70, ..DailyCount::default() };
    let sources: Vec<_> = after.sources.iter().map(|of| (of.source, of.counted)).collect();
    assert_eq!(sources, [(RequestSource::Window, window), (RequestSource::Feed, feed)]);
    let days: Vec<_> = after.days.iter().map(|of| of.counted).collect();
    assert_eq!(days, [window, feed]);
    assert!(after.days[0].day > before.days[0].day && after.days[1].day == before.days[0].day);
    let both = DailyCount { added: 3, succeeded: 3, retried: 1, downloaded: 2570, ..DailyCount::default() };
    assert_eq!(after.total, both);
    // The statistics contain only the requested number of days, so the earlier day is missing.
    assert_eq!(home.statistics(1).await.unwrap().days.len(), 1);
}
