//! Tests quotas of owners and categories.
//!
//! A download that exceeds its quota waits and shows the reason. It keeps its received bytes and resumes automatically.
//! The wait does not count as a failed try.

use ashore_engine::{
    EngineError, FileCategory, GateCode, GateState, NewRegistration, NewRequest, OwnerQuota, QuotaScope, RecordState,
    Registration, RegistrationResult, RegistrationState, UniqueId,
};
use ashore_testkit::{
    home::{Home, get},
    origin::{Body, Origin, content},
};

/// Returns the quota scope of the owner that all these tests use.
fn own() -> QuotaScope {
    QuotaScope { owner: Some("story".to_owned()), category: None }
}

/// Sets a quota for the owner that these tests use. First adds a registration, so that the engine knows this owner.
async fn set_own_quota(home: &Home, bytes: Option<u64>, files: Option<u64>) {
    let known = Home::ask(["http://127.0.0.1:99/"]);
    let id = home.create(NewRegistration { paused: true, ..known }).await.unwrap().unique_id;
    home.remove(id, false).await.unwrap();
    home.set_quota(own(), bytes, files).await.unwrap();
}

async fn wait_until_over_quota(home: &Home, id: UniqueId) -> Registration {
    let is_over = |now: &Registration| now.waiting_for.as_ref().is_some_and(|why| why.code == "quota");
    home.until(id, |now| now.state == RegistrationState::Waiting && now.active == 0 && is_over(now)).await
}

async fn used(home: &Home, scope: &QuotaScope) -> (u64, u64) {
    let quotas = home.quotas().await.unwrap();
    let found = quotas.iter().find(|quota| quota.scope == *scope);
    found.map_or((0, 0), |OwnerQuota { used_bytes, used_files, .. }| (*used_bytes, *used_files))
}

#[tokio::test]
async fn download_over_quota_waits_and_resumes_after_another_is_removed() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/first", Body::seeded(1, 600_000));
    let second = origin.file("/second", Body::seeded(2, 600_000));
    origin.file("/third", Body::seeded(3, 600_000));
    set_own_quota(&home, Some(1_000_000), None).await;
    let first = home.fetch([origin.url("/first")]).await;
    home.settled(first).await;
    let id = home.fetch([origin.url("/second")]).await;
    let waiting = wait_until_over_quota(&home, id).await;
    let text = waiting.waiting_for.unwrap().text;
    // The missing space varies, because some bytes may have arrived before the quota was exceeded.
    let (said, needed) = text.split_once(" of 1 MB are used, and this download needs ").unwrap();
    assert!(said.starts_with("The quota of \"story\" is reached: ") && needed.contains(" kB more. Remove downloads"), "{text}");
    let record = &home.records(id, 0, 0).await.unwrap()[0];
    assert_eq!((record.state, record.attempts), (RecordState::Pending, 0));
    assert!(waiting.downloaded <= 400_000, "{}", waiting.downloaded);
    let gates = home.doctor().await.unwrap().gates;
    assert!(gates.iter().any(|gate| gate.code == GateCode::Quota && gate.state == GateState::Closed), "{gates:?}");
    // The quotas of other owners have space left.
    let other = NewRegistration { owner: "other".to_owned(), ..Home::ask([origin.url("/third")]) };
    let other = home.create(other).await.unwrap().unique_id;
    assert_eq!(home.settled(other).await.result, RegistrationResult::Success);

    home.remove(first, false).await.unwrap();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert_eq!(home.bytes("second"), content(2, 600_000));
    assert_eq!(second.requests().len(), 2, "one request for the size and one for the file");
    assert_eq!(used(&home, &own()).await, (600_000, 1));
}

#[tokio::test]
async fn file_of_unknown_size_stops_at_quota_and_resumes() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::seeded(1, 2_000_000)).chunked();
    set_own_quota(&home, Some(1_000_000), None).await;
    let id = home.fetch([origin.url("/a")]).await;
    let waiting = wait_until_over_quota(&home, id).await;
    assert!(waiting.downloaded > 0 && waiting.downloaded <= 1_000_000, "{}", waiting.downloaded);
    assert_eq!(home.records(id, 0, 0).await.unwrap()[0].attempts, 0);
    assert_eq!(used(&home, &own()).await, (waiting.downloaded, 1));
    let asked = file.requests().len();

    // After a restart, the download still waits, and no byte beyond the quota is requested.
    home.crash().await;
    home.reopen().await;
    let again = wait_until_over_quota(&home, id).await;
    assert!(again.downloaded <= 1_000_000, "{}", again.downloaded);
    assert!(file.requests().len() <= asked + 1);
    home.set_quota(own(), Some(2_000_000), None).await.unwrap();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert_eq!(home.bytes("a"), content(1, 2_000_000));
    assert!(file.requests().last().unwrap().range_start().is_some(), "the transfer resumed at its offset");
}

#[tokio::test]
async fn small_files_never_exceed_quota() {
    let (origin, home) = (Origin::start().await, Home::open_with("parallel = 16\nparallel-per-host = 16\n").await);
    let paths: Vec<String> = (0..60).map(|number| format!("/{number}")).collect();
    paths.iter().for_each(|path| drop(origin.file(path, Body::seeded(1, 1000))));
    set_own_quota(&home, Some(20_500), None).await;
    let id = home.fetch(paths.iter().map(|path| origin.url(path))).await;
    let waiting = wait_until_over_quota(&home, id).await;
    assert_eq!((waiting.succeeded, waiting.downloaded), (20, 20_000));
    home.set_quota(own(), Some(30_000), None).await.unwrap();
    home.until(id, |now| now.succeeded == 30).await;
    wait_until_over_quota(&home, id).await;
    home.set_quota(own(), None, None).await.unwrap();
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.succeeded), (RegistrationResult::Success, 60));
    assert!(home.records(id, 0, 0).await.unwrap().iter().all(|record| record.attempts == 1));
}

#[tokio::test]
async fn quota_of_two_files_blocks_third_file() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let ids: Vec<UniqueId> = {
        set_own_quota(&home, None, Some(2)).await;
        let mut ids = Vec::new();
        for path in ["/a", "/b", "/c"] {
            origin.file(path, Body::bytes(path));
            ids.push(home.fetch([origin.url(path)]).await);
        }
        ids
    };
    let last = wait_until_over_quota(&home, ids[2]).await;
    let text = last.waiting_for.unwrap().text;
    assert!(text.starts_with("The quota of \"story\" is reached: 2 of 2 files are used."), "{text}");
    home.remove(ids[0], true).await.unwrap();
    assert_eq!(home.settled(ids[2]).await.result, RegistrationResult::Success);
    assert_eq!(used(&home, &own()).await.1, 2);
}

#[tokio::test]
async fn category_quota_applies_by_content_type_of_response() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let film = origin.file("/watch", Body::seeded(1, 50_000)).header("content-type", "video/mp4");
    let named = origin.file("/b.mkv", Body::seeded(2, 50_000));
    origin.file("/book.pdf", Body::seeded(3, 50_000));
    let films = QuotaScope { owner: None, category: Some(FileCategory::Video) };
    home.set_quota(films.clone(), Some(60_000), None).await.unwrap();
    let first = home.fetch([origin.url("/b.mkv")]).await;
    home.settled(first).await;
    let id = home.fetch([origin.url("/watch")]).await;
    let text = wait_until_over_quota(&home, id).await.waiting_for.unwrap().text;
    assert!(
        text.starts_with("The quota of all owners for files of the kind video is reached: 50 kB of 60 kB are used"),
        "{text}"
    );
    let book = home.fetch([origin.url("/book.pdf")]).await;
    assert_eq!(home.settled(book).await.result, RegistrationResult::Success);
    assert_eq!(used(&home, &films).await, (50_000, 1));
    // The quota for videos is fully used, so a file with a video extension is not even requested.
    home.set_quota(films.clone(), Some(50_000), None).await.unwrap();
    let asked = named.requests().len();
    let again = home.fetch([origin.url("/b.mkv")]).await;
    wait_until_over_quota(&home, again).await;
    assert_eq!((named.requests().len(), film.requests().len()), (asked, 1));
    home.set_quota(films, None, None).await.unwrap();
    home.settled(id).await;
    assert_eq!(home.settled(again).await.result, RegistrationResult::Success);
}

#[tokio::test]
async fn running_download_stops_when_quota_is_lowered() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::seeded(1, 600_000)).gate_at(300_000);
    let id = home.fetch([origin.url("/a")]).await;
    file.held().await;
    home.until(id, |now| now.downloaded == 300_000).await;
    home.set_quota(own(), Some(500_000), None).await.unwrap();
    let aside = wait_until_over_quota(&home, id).await;
    assert_eq!((aside.downloaded, home.records(id, 0, 0).await.unwrap()[0].attempts), (300_000, 0));
    file.release();
    home.set_quota(own(), Some(600_000), None).await.unwrap();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert_eq!(home.bytes("a"), content(1, 600_000));
}

#[tokio::test]
async fn invalid_quotas_and_downloads_larger_than_quota_are_refused() {
    let (origin, home) = (Origin::start().await, Home::open_without_fetching().await);
    set_own_quota(&home, Some(1000), Some(2)).await;
    let code = |refused: Result<Registration, EngineError>| refused.unwrap_err().code();
    let of = |size: u64| NewRequest { size: Some(size), ..get(origin.url("/a")) };
    assert_eq!(code(home.create(Home::ask_for([of(1001)])).await), "quota-exceeded");
    assert_eq!(code(home.create(Home::ask_for([of(u64::MAX), of(u64::MAX)])).await), "quota-exceeded");
    let total = NewRegistration { download_total: 1001, ..Home::ask([origin.url("/a")]) };
    let refused = home.create(total).await.unwrap_err();
    assert_eq!(refused.code(), "quota-exceeded");
    assert!(refused.to_string().starts_with("The download needs 1.1 kB, and the quota of \"story\" is 1 kB."), "{refused}");
    let three = ["/a", "/b", "/c"].map(|path| origin.url(path));
    assert_eq!(code(home.create(Home::ask(three)).await), "quota-exceeded");
    assert_eq!(home.list(Default::default()).await.unwrap(), []);
    home.create(Home::ask_for([of(1000)])).await.unwrap();

    for (scope, bytes, files, code) in [
        (own(), Some(0), None, "bad-quota"),
        (own(), None, Some(0), "bad-quota"),
        (own(), Some(1 << 63), None, "bad-quota"),
        (own(), None, Some((1 << 53) + 1), "bad-quota"),
        (QuotaScope { owner: Some("nobody".to_owned()), category: None }, Some(1), None, "unknown-owner"),
    ] {
        assert_eq!(home.set_quota(scope, bytes, files).await.unwrap_err().code(), code);
    }
    home.set_quota(QuotaScope { owner: Some("window".to_owned()), category: None }, Some(1 << 53), None).await.unwrap();
}
