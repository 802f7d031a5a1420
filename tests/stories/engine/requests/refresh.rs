//! Tests downloads from the browser whose links expire. A later click in the browser continues the download.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use ashore_engine::{
    BROWSER, EngineEnv, NewRegistration, NewRequest, Registration, RegistrationResult, RegistrationState, RequestSource, UniqueId,
};
use ashore_testkit::{
    home::{Home, env, get},
    origin::{Body, Origin, content},
};

const MIB: u64 = 1 << 20;
const PAGE: &str = "https://page.example/files";

/// Returns the registration that the browser sends to Ashore after a click.
fn click(id: &str, url: impl ToString, name: &str, size: u64) -> NewRegistration {
    let request = NewRequest { name: Some(name.to_owned()), size: Some(size), ..get(url) };
    NewRegistration {
        owner: BROWSER.to_owned(),
        source: RequestSource::Browser,
        developer_id: Some(id.to_owned()),
        page: Some(PAGE.to_owned()),
        ..Home::ask_for([request])
    }
}

fn with_cookie(mut new: NewRegistration, cookie: &str) -> NewRegistration {
    new.requests[0].headers.push(("Cookie".to_owned(), cookie.to_owned()));
    new
}

async fn open() -> Home {
    Home::open_with("connections = 1\nlocal-for-programs = true").await
}

async fn open_with_one_slot() -> Home {
    Home::open_with("connections = 1\nlocal-for-programs = true\nparallel = 1\nparallel-per-host = 1\nstall-seconds = 600.0")
        .await
}

/// Makes a download of `/a.iso` whose link expires after a part of the file has arrived.
async fn expired(origin: &Origin, home: &Home) -> Registration {
    // End the response early instead of resetting the connection. A reset can lose bytes that the server has sent.
    origin.file("/a.iso", Body::seeded(1, 4 * MIB)).end_after(3 * MIB).times(1).runs_out_after(1, 403);
    let new = with_cookie(click("run/1", origin.url("/a.iso?signature=1"), "a.iso", 4 * MIB), "session=1");
    let id = home.create(new).await.unwrap().unique_id;
    let failed = home.settled(id).await;
    assert_eq!(failed.failure.as_ref().unwrap().code, "link-expired");
    assert!(failed.downloaded > MIB, "{failed:?}");
    failed
}

async fn assert_complete(home: &Home, id: UniqueId) {
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert!(home.bytes("a.iso") == content(1, 4 * MIB));
}

#[tokio::test]
async fn awaited_download_continues_at_first_missing_byte_with_clicked_link() {
    let (origin, mirror, home) = (Origin::start().await, Origin::start().await, open().await);
    let failed = expired(&origin, &home).await;
    let id = failed.unique_id;
    assert_eq!((failed.page.as_deref(), failed.awaited_link), (Some(PAGE), None));
    assert_eq!(home.await_link(id).await.unwrap(), PAGE);
    assert!(home.show(id).await.unwrap().awaited_link.is_some());

    let new = mirror.file("/b", Body::seeded(1, 4 * MIB));
    let clicked = with_cookie(click("run/2", mirror.url("/b?signature=2"), "a.iso", 4 * MIB), "session=2");
    let taken = home.take_link(clicked.clone()).await.unwrap().unwrap();
    assert_eq!((taken.unique_id, taken.awaited_link), (id, None));
    assert_complete(&home, id).await;
    let requests = new.requests();
    assert!(requests.iter().all(|asked| asked.header("cookie") == Some("session=2")), "{requests:#?}");
    let resumes: Vec<_> = requests.iter().filter(|asked| asked.range_end().is_none()).collect();
    assert!(resumes.len() == 1 && resumes[0].range_start().unwrap() > MIB, "{requests:#?}");

    // A call that is repeated because its answer was lost finds the same download. A search by the id of the click
    // finds the same download too.
    assert_eq!(home.take_link(clicked).await.unwrap().unwrap().unique_id, id);
    assert_eq!(home.find(BROWSER, "run/2").await.unwrap().unwrap().unique_id, id);
    assert_eq!(home.list(Default::default()).await.unwrap().len(), 1);
}

#[tokio::test]
async fn click_is_refused_if_rest_of_download_does_not_fit() {
    static FREE: AtomicU64 = AtomicU64::new(100 * MIB);
    let settings = "connections = 1\nlocal-for-programs = true\nfree-space-floor = \"0\"\n";
    let mut home = Home::closed(settings).env(EngineEnv { free: |_| Some(FREE.load(SeqCst)), ..env() });
    home.reopen().await;
    let origin = Origin::start().await;
    let failed = expired(&origin, &home).await;
    home.await_link(failed.unique_id).await.unwrap();
    origin.file("/b", Body::seeded(1, 4 * MIB));
    let clicked = click("run/2", origin.url("/b"), "a.iso", 4 * MIB);
    FREE.store(4 * MIB - failed.downloaded - 1, SeqCst);
    let refused = home.take_link(clicked.clone()).await.unwrap_err();
    assert_eq!(refused.message().id(), "message-quota-exceeded.floor");
    let shown = home.show(failed.unique_id).await.unwrap();
    assert!(shown.state == RegistrationState::Settled && shown.awaited_link.is_some(), "{shown:?}");
    // Leave only enough free space for the rest of the file.
    FREE.store(4 * MIB - failed.downloaded, SeqCst);
    assert_eq!(home.take_link(clicked).await.unwrap().unwrap().unique_id, failed.unique_id);
    assert_complete(&home, failed.unique_id).await;
}

#[tokio::test]
async fn click_on_other_file_creates_separate_download_that_the_awaited_download_mentions() {
    let (origin, home) = (Origin::start().await, open().await);
    let id = expired(&origin, &home).await.unique_id;
    home.await_link(id).await.unwrap();
    origin.file("/b.iso", Body::seeded(2, 3 * MIB));
    let other = click("run/2", origin.url("/b.iso"), "b.iso", 3 * MIB);
    assert!(home.take_link(other.clone()).await.unwrap().is_none());
    assert_eq!(home.show(id).await.unwrap().awaited_link.unwrap().other, None);
    let created = home.create(other).await.unwrap().unique_id;
    assert_eq!(home.settled(created).await.result, RegistrationResult::Success);
    let waits = home.show(id).await.unwrap().awaited_link.unwrap();
    assert_eq!(waits.other.as_deref(), Some("b.iso"));
    // The first download still waits for a new link to its own file, `/a.iso`.
    origin.file("/a.iso", Body::seeded(1, 4 * MIB));
    let clicked = click("run/3", origin.url("/a.iso?signature=3"), "a.iso", 4 * MIB);
    assert_eq!(home.take_link(clicked).await.unwrap().unwrap().unique_id, id);
    assert_complete(&home, id).await;
}

#[tokio::test]
async fn click_on_same_address_continues_refused_download_with_new_cookies() {
    for status in [401, 403] {
        let (origin, home) = (Origin::start().await, open().await);
        let refusing = origin.file("/a.iso", Body::seeded(1, 4 * MIB)).status(status);
        let first = with_cookie(click("run/1", origin.url("/a.iso"), "a.iso", 4 * MIB), "session=1");
        let id = home.create(first).await.unwrap().unique_id;
        assert_eq!(home.settled(id).await.result, RegistrationResult::Failure);
        assert_eq!(refusing.requests().last().unwrap().header("cookie"), Some("session=1"));

        let route = origin.file("/a.iso", Body::seeded(1, 4 * MIB));
        let other = click("run/2", origin.url("/other.iso"), "a.iso", 4 * MIB);
        assert!(home.take_link(other).await.unwrap().is_none(), "only the same address, because nothing waits");
        let again = with_cookie(click("run/3", origin.url("/a.iso"), "a.iso", 4 * MIB), "session=2");
        assert_eq!(home.take_link(again).await.unwrap().unwrap().unique_id, id);
        assert_complete(&home, id).await;
        let cookies: Vec<_> = route.requests().iter().map(|asked| asked.header("cookie").map(str::to_owned)).collect();
        assert_eq!(cookies.last().unwrap().as_deref(), Some("session=2"), "{cookies:?}");
    }
}

#[tokio::test]
async fn link_continues_expired_download_if_both_were_redirected_from_the_same_address() {
    let (origin, home) = (Origin::start().await, open().await);
    origin.file("/a.iso", Body::seeded(1, 4 * MIB)).reset_after(3 * MIB).times(1).runs_out_after(1, 403);
    let redirected = |id, path: &str| NewRegistration {
        first_url: Some(origin.url("/get/7").to_string()),
        ..click(id, origin.url(path), "a.iso", 4 * MIB)
    };
    let id = home.create(redirected("run/1", "/a.iso?signature=1")).await.unwrap().unique_id;
    home.settled(id).await;
    origin.file("/a.iso", Body::seeded(1, 4 * MIB));
    assert_eq!(home.take_link(redirected("run/2", "/a.iso?signature=2")).await.unwrap().unwrap().unique_id, id);
    assert_complete(&home, id).await;
}

#[tokio::test]
async fn paused_download_resumes_with_clicked_link() {
    let (origin, home) = (Origin::start().await, open().await);
    origin.file("/a.iso", Body::seeded(1, 4 * MIB));
    let new = NewRegistration { paused: true, ..click("run/1", origin.url("/old"), "a.iso", 4 * MIB) };
    let id = home.create(new).await.unwrap().unique_id;
    home.await_link(id).await.unwrap();
    let clicked = click("run/2", origin.url("/a.iso"), "a.iso", 4 * MIB);
    assert_eq!(home.take_link(clicked).await.unwrap().unwrap().unique_id, id);
    assert_complete(&home, id).await;
}

#[tokio::test]
async fn link_from_page_of_other_host_is_not_used_and_its_page_is_never_opened() {
    let (origin, home) = (Origin::start().await, open().await);
    let id = expired(&origin, &home).await.unique_id;
    home.await_link(id).await.unwrap();
    origin.file("/a.iso", Body::seeded(1, 4 * MIB)).gate_at(3 * MIB);
    let elsewhere = |id, path| NewRegistration {
        page: Some("https://other.example/".to_owned()),
        ..click(id, origin.url(path), "a.iso", 4 * MIB)
    };
    assert!(home.take_link(elsewhere("run/2", "/other")).await.unwrap().is_none(), "same name and size");
    let same_address = home.take_link(elsewhere("run/3", "/a.iso?signature=1")).await.unwrap().unwrap();
    assert_eq!((same_address.unique_id, same_address.page.as_deref()), (id, Some(PAGE)));
}

/// Starts a download of `/a.iso` whose server sets a cookie, and pauses it after a part of the file has arrived.
async fn paused(origin: &Origin, home: &Home) -> UniqueId {
    let old = origin.file("/a.iso", Body::seeded(1, 4 * MIB)).header("Set-Cookie", "turn=server; Path=/").gate_at(MIB);
    let new = with_cookie(click("run/1", origin.url("/a.iso?signature=1"), "a.iso", 4 * MIB), "session=1");
    let id = home.create(new).await.unwrap().unique_id;
    old.held().await;
    home.pause(Some(id)).await.unwrap();
    home.until(id, |now| now.active == 0).await;
    old.release();
    home.await_link(id).await.unwrap();
    id
}

#[tokio::test]
async fn cookie_that_server_set_for_old_link_is_not_sent_with_new_one() {
    for cookie in [Some("session=2"), None] {
        let (origin, home) = (Origin::start().await, open().await);
        let id = paused(&origin, &home).await;
        let route = origin.file("/a.iso", Body::seeded(1, 4 * MIB));
        let clicked = click("run/2", origin.url("/a.iso?signature=2"), "a.iso", 4 * MIB);
        let clicked = cookie.map_or(clicked.clone(), |cookie| with_cookie(clicked, cookie));
        assert_eq!(home.take_link(clicked).await.unwrap().unwrap().unique_id, id);
        assert_complete(&home, id).await;
        let requests = route.requests();
        let mut of_new_link = requests.iter().filter(|asked| asked.query.as_deref() == Some("signature=2")).peekable();
        assert!(of_new_link.peek().is_some() && of_new_link.all(|asked| asked.header("cookie") == cookie), "{requests:#?}");
    }
}

#[tokio::test]
async fn link_of_withdrawn_click_is_not_used_and_old_credentials_are_kept() {
    let (origin, home) = (Origin::start().await, open().await);
    let id = paused(&origin, &home).await;
    home.withdraw(BROWSER, "run/2", true).await.unwrap();
    let clicked = with_cookie(click("run/2", origin.url("/a.iso?signature=2"), "a.iso", 4 * MIB), "session=2");
    assert_eq!(home.take_link(clicked).await.unwrap_err().code(), "withdrawn");
    let route = origin.file("/a.iso", Body::seeded(1, 4 * MIB));
    home.resume(Some(id)).await.unwrap();
    assert_complete(&home, id).await;
    let last = route.requests().pop().unwrap();
    assert_eq!(last.header("cookie"), Some("turn=server; session=1"), "{last:#?}");
}

#[tokio::test]
async fn withdrawn_click_is_not_found_although_it_continued_a_download() {
    let (origin, home) = (Origin::start().await, open().await);
    let id = expired(&origin, &home).await.unique_id;
    home.await_link(id).await.unwrap();
    origin.file("/a.iso", Body::seeded(1, 4 * MIB)).gate_at(3 * MIB);
    let clicked = click("run/2", origin.url("/a.iso?signature=2"), "a.iso", 4 * MIB);
    assert_eq!(home.take_link(clicked.clone()).await.unwrap().unwrap().unique_id, id);
    assert_eq!(home.find(BROWSER, "run/2").await.unwrap().unwrap().unique_id, id);
    home.withdraw(BROWSER, "run/2", true).await.unwrap();
    assert_eq!(home.find(BROWSER, "run/2").await.unwrap(), None);
    assert_eq!(home.take_link(clicked).await.unwrap_err().code(), "withdrawn");
    assert_eq!(home.show(id).await.unwrap().state, RegistrationState::Paused);
}

#[tokio::test]
async fn continued_download_starts_although_slots_are_full() {
    let (origin, home) = (Origin::start().await, open_with_one_slot().await);
    let id = expired(&origin, &home).await.unique_id;
    let slow = origin.file("/slow", Body::seeded(2, MIB)).gate_at(1000);
    home.fetch([origin.url("/slow")]).await;
    slow.held().await;
    home.await_link(id).await.unwrap();
    origin.file("/a.iso", Body::seeded(1, 4 * MIB));
    let clicked = click("run/2", origin.url("/a.iso?signature=2"), "a.iso", 4 * MIB);
    assert_eq!(home.take_link(clicked).await.unwrap().unwrap().unique_id, id);
    assert_complete(&home, id).await;
    slow.release();
}

#[tokio::test]
async fn only_an_unfinished_download_whose_page_is_known_can_wait_for_a_new_link() {
    let (origin, home) = (Origin::start().await, open().await);
    origin.file("/a.iso", Body::seeded(1, 4 * MIB));
    let done = home.create(click("run/1", origin.url("/a.iso"), "a.iso", 4 * MIB)).await.unwrap().unique_id;
    home.settled(done).await;
    assert_eq!(home.await_link(done).await.unwrap_err().code(), "wrong-state");
    for page in [None, Some("file:///etc/passwd"), Some("javascript:alert(1)"), Some("no address")] {
        let page = page.map(str::to_owned);
        let new = NewRegistration { paused: true, page, developer_id: None, ..click("", origin.url("/b"), "b", 1) };
        let id = home.create(new).await.unwrap().unique_id;
        assert_eq!(home.await_link(id).await.unwrap_err().code(), "wrong-state");
    }
    let new = NewRegistration { paused: true, ..click("run/3", origin.url("/b"), "b", 1) };
    let cancelled = home.create(new).await.unwrap().unique_id;
    home.abort(cancelled).await.unwrap();
    assert_eq!(home.await_link(cancelled).await.unwrap_err().code(), "wrong-state");
    let page = Some("https://ann:canary@page.example/files?of=7#list".to_owned());
    let new = NewRegistration { paused: true, page, ..click("run/2", origin.url("/b"), "b", 1) };
    let id = home.create(new).await.unwrap().unique_id;
    assert_eq!(home.await_link(id).await.unwrap(), "https://page.example/files?of=7#list");
}

#[tokio::test]
async fn wait_for_new_link_ends_when_engine_closes_but_page_stays_known() {
    let (origin, mut home) = (Origin::start().await, open().await);
    let id = expired(&origin, &home).await.unique_id;
    home.await_link(id).await.unwrap();
    home.close().await;
    home.reopen().await;
    let shown = home.show(id).await.unwrap();
    assert_eq!((shown.page.as_deref(), shown.awaited_link), (Some(PAGE), None));
    assert_eq!(home.await_link(id).await.unwrap(), PAGE);
}

#[tokio::test]
async fn only_origin_of_page_is_exported_with_list() {
    let (origin, home) = (Origin::start().await, open().await);
    origin.file("/a.iso", Body::seeded(1, MIB));
    let mut new = NewRegistration { paused: true, ..click("run/1", origin.url("/a.iso"), "a.iso", MIB) };
    new.requests[0].headers.push(("Referer".to_owned(), PAGE.to_owned()));
    home.create(new).await.unwrap();
    let file = home.downloads().join("list.ndjson");
    home.export(file.clone(), false).await.unwrap();
    let exported = std::fs::read_to_string(file).unwrap();
    assert!(exported.contains(r#"["Referer","https://page.example/"]"#), "{exported}");
    assert!(!exported.contains("page.example/files"), "{exported}");
}
