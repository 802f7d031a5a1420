//! Tests the usage of quotas: requests that the queue skips under full quotas, the stored quotas, and usage after an
//! abort.

use crate::{
    model::FileCategory,
    store::{OwnerFilter, QuotaLimit, ReleaseOutcome, tests::*, totals::tally::UsageTally},
};

/// Returns the address of the next dispatched request. Requests of full quotas are not dispatched.
async fn next(ledger: &Ledger, full: &[(Option<i64>, Option<FileCategory>)]) -> Option<String> {
    let mut writing = ledger.store.begin().await.unwrap();
    let passed = SkipSet { full, ..SkipSet::default() };
    for turn in writing.turns().await.unwrap() {
        let picked =
            writing.next_pending_requests_and_mark_them_active(OwnerFilter::Turn(turn), &passed, |_| 1, |_| true, fresh).await;
        let PickedRequest::Some(mut taken) = picked.unwrap() else { panic!("there is room") };
        if let Some(taken) = taken.pop() {
            return Some(taken.url);
        }
    }
    None
}

#[tokio::test]
async fn dispatch_skips_requests_if_quota_of_owner_or_category_is_full() {
    let ledger = Ledger::new().await;
    ledger.create(&asked("films", &["https://one.example/a.mkv", "https://one.example/b.pdf"])).await.unwrap();
    ledger.create(&asked("books", &["https://two.example/c.pdf"])).await.unwrap();
    let urls = ["https://one.example/a.mkv", "https://two.example/c.pdf"].map(|url| Some(url.to_owned()));
    let (video, document) = (Some(FileCategory::Video), Some(FileCategory::Document));
    assert_eq!(next(&ledger, &[]).await, urls[0]);
    assert_eq!(next(&ledger, &[(None, video)]).await, urls[1]);
    assert_eq!(next(&ledger, &[(Some(1), video)]).await, urls[1]);
    assert_eq!(next(&ledger, &[(Some(2), video), (Some(2), None)]).await, urls[0]);
    assert_eq!(next(&ledger, &[(None, video), (Some(1), document)]).await, None);
    assert_eq!(next(&ledger, &[(None, None)]).await, None);
    assert_eq!(next(&ledger, &[(Some(1), None)]).await, None);
}

#[tokio::test]
async fn dispatch_stops_at_first_request_that_quota_does_not_allow() {
    let ledger = Ledger::new().await;
    ledger.create(&asked("a", &["https://one.example/0", "https://one.example/1", "https://one.example/2"])).await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    let turn = writing.turns().await.unwrap()[0];
    let mut left = 2;
    let may_start = |_: &ExpiryCandidate<'_>| {
        left -= 1;
        left >= 0
    };
    let passed = SkipSet::default();
    let picked =
        writing.next_pending_requests_and_mark_them_active(OwnerFilter::Turn(turn), &passed, |_| 9, may_start, fresh).await;
    let PickedRequest::Some(taken) = picked.unwrap() else { panic!("two have room") };
    assert_eq!(taken.iter().map(|taken| taken.index).collect::<Vec<_>>(), [0, 1]);
    let none =
        writing.next_pending_requests_and_mark_them_active(OwnerFilter::Turn(turn), &passed, |_| 9, |_| false, fresh).await;
    assert!(matches!(none.unwrap(), PickedRequest::NoRoom));
    writing.commit().await.unwrap();
    assert_eq!(ledger.audit().await, [""; 0]);
}

#[tokio::test]
async fn byte_and_file_quotas_are_set_separately_and_removed_together() {
    let ledger = Ledger::new().await;
    let set = async |limit: QuotaLimit| {
        let mut writing = ledger.store.begin().await.unwrap();
        writing.set_quota(&limit).await.unwrap();
        writing.commit().await.unwrap();
        ledger.store.books().await.unwrap().limits
    };
    let films = QuotaLimit { owner: None, category: Some(FileCategory::Video), bytes: Some(5), files: None };
    assert_eq!(set(films).await, [films]);
    let both = QuotaLimit { files: Some(7), ..films };
    assert_eq!(set(QuotaLimit { bytes: None, ..both }).await, [both]);
    assert_eq!(set(QuotaLimit { bytes: None, files: None, ..films }).await, []);
    let mut writing = ledger.store.begin().await.unwrap();
    assert_eq!(writing.owner("nobody", false).await.unwrap(), None);
    assert_eq!(writing.owner("window", true).await.unwrap(), writing.owner("window", false).await.unwrap());
}

#[tokio::test]
async fn partial_file_of_aborted_request_uses_no_quota_until_retry() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://one.example/a", "https://one.example/b"]);
    ledger.create(&new).await.unwrap();
    let taken = ledger.take().await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    writing.put_back(taken.guid, 40, &ReleaseOutcome::Pending, 1).await.unwrap();
    writing.commit().await.unwrap();
    let used = async || ledger.store.books().await.unwrap().usage.remove(0).2;
    let kept = UsageTally { files: 1, kept: 40, ..UsageTally::default() };
    let go = async || {
        let mut writing = ledger.store.begin().await.unwrap();
        writing.let_partials_go(new.unique_id).await.unwrap();
        writing.commit().await.unwrap();
        used().await
    };
    assert_eq!(go().await, kept, "it is not aborted");
    ledger.abort(new.unique_id).await.unwrap();
    assert_eq!((used().await, go().await), (kept, UsageTally::default()));
    assert_eq!(ledger.audit().await, [""; 0]);
    let mut writing = ledger.store.begin().await.unwrap();
    assert_eq!(writing.retry(new.unique_id).await.unwrap(), 2);
    writing.commit().await.unwrap();
    assert_eq!((ledger.audit().await, ledger.take().await.unwrap().guid), (vec![], taken.guid));
}

#[tokio::test]
async fn categories_are_reported_for_first_waiting_request_of_each_host() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://one.example/a.mkv", "https://one.example/b.pdf", "https://two.example/c.mp3"]);
    ledger.create(&new).await.unwrap();
    let mut found = ledger.store.pending_categories(new.unique_id).await.unwrap();
    found.sort();
    assert_eq!(found, [FileCategory::Video, FileCategory::Music]);
    let taken = ledger.take().await.unwrap();
    let books = ledger.store.books().await.unwrap();
    let running = UsageTally { running: 1, ..UsageTally::default() };
    assert_eq!(books.usage, [(1, FileCategory::Video, running)]);
    assert_eq!((taken.owner, taken.category, taken.size), (1, FileCategory::Video, None));
}
