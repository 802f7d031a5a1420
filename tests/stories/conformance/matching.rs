//! Tests that records are found by the requested URL.

use ashore_engine::{MatchOptions, RecordOutcome};
use ashore_testkit::{
    home::{Home, get, upload},
    origin::{Body, Origin},
};

/// Item MAT-1 of the conformance list.
#[tokio::test]
async fn match_call_returns_the_record_of_the_url() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/text", Body::bytes("Background Fetch"));
    origin.file("/other", Body::bytes("other"));
    let id = home.fetch([origin.url("/other"), origin.url("/text")]).await;
    home.settled(id).await;
    let found = home.match_all(id, origin.url("/text").as_str(), MatchOptions::default()).await.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].index, found[0].url.as_str(), found[0].status), (1, origin.url("/text").as_str(), Some(200)));
    assert_eq!(std::fs::read(found[0].path.as_ref().unwrap()).unwrap(), b"Background Fetch");
}

/// Item MAT-2 of the conformance list.
#[tokio::test]
async fn unknown_url_matches_no_record() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/text", Body::bytes("Background Fetch"));
    let id = home.fetch([origin.url("/text")]).await;
    home.settled(id).await;
    let found = home.match_all(id, origin.url("/missing").as_str(), MatchOptions::default()).await.unwrap();
    assert!(found.is_empty());
}

/// Item MAT-3 of the conformance list.
#[tokio::test]
async fn duplicate_url_matches_both_records() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/text", Body::bytes("Background Fetch"));
    let id = home.fetch([origin.url("/text"), origin.url("/text")]).await;
    home.settled(id).await;
    for _ in 0..2 {
        let found = home.match_all(id, origin.url("/text").as_str(), MatchOptions::default()).await.unwrap();
        assert_eq!(found.iter().map(|record| record.index).collect::<Vec<_>>(), [0, 1]);
        for record in found {
            assert_eq!(record.status, Some(200));
            assert_eq!(std::fs::read(record.path.unwrap()).unwrap(), b"Background Fetch");
        }
    }
}

/// Item MAT-4 of the conformance list.
#[tokio::test]
async fn complete_record_is_readable_before_registration_settles() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/text", Body::bytes("Background Fetch"));
    let slow = origin.file("/slow", Body::seeded(1, 1000)).gate_at(500);
    let id = home.fetch([origin.url("/text"), origin.url("/slow")]).await;
    slow.held().await;
    let (text, options) = (origin.url("/text"), MatchOptions::default());
    let found = home
        .until_seen("the finished one is readable", async |engine| {
            let found = engine.match_all(id, text.as_str(), options.clone()).await.unwrap();
            found.into_iter().find(|record| record.outcome.is_some())
        })
        .await;
    assert_eq!((found.outcome, found.status), (Some(RecordOutcome::Success), Some(200)));
    assert_eq!(std::fs::read(found.path.unwrap()).unwrap(), b"Background Fetch");
    assert_eq!(home.show(id).await.unwrap().active, 1, "the other request is still running");
    // While a request runs, its record contains the values known so far.
    let way = home.until_record(id, 1, |record| record.status.is_some() && record.downloaded == 500).await;
    assert_eq!((way.status, way.size, way.path, way.outcome), (Some(200), Some(1000), None, None));
    slow.release();
    home.settled(id).await;
}

/// Item MAT-5 of the conformance list.
#[tokio::test]
async fn query_and_method_are_matched_unless_options_ignore_them() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/text", Body::bytes("Background Fetch"));
    let slow = origin.file("/slow", Body::seeded(1, 1000)).gate_at(500);
    let source = home.source("body", b"body");
    let text = origin.url("/text");
    let ask = Home::ask_for([
        get(&text),
        get(&text),
        get(origin.url("/text?id=3")),
        upload("PUT", &text, &source),
        get(origin.url("/slow")),
    ]);
    let id = home.create(ask).await.unwrap().unique_id;
    for is_settled in [false, true] {
        if is_settled {
            slow.release();
            home.settled(id).await;
        }
        for (ignore_search, ignore_method, expected) in
            [(false, false, &[0, 1][..]), (true, false, &[0, 1, 2]), (false, true, &[0, 1, 3]), (true, true, &[0, 1, 2, 3])]
        {
            let options = MatchOptions { ignore_search, ignore_method, method: None };
            let found = home.match_all(id, text.as_str(), options).await.unwrap();
            let indices: Vec<u32> = found.iter().map(|record| record.index).collect();
            assert_eq!(indices, expected, "search {ignore_search}, method {ignore_method}");
        }
        let put = MatchOptions { method: Some("PUT".to_owned()), ..MatchOptions::default() };
        let found = home.match_all(id, text.as_str(), put).await.unwrap();
        assert_eq!(found.iter().map(|record| record.index).collect::<Vec<_>>(), [3]);
    }
}
