//! Tests cookies and sign-ins from a browser: they belong to one registration, and are deleted when it ends.

use ashore_engine::{Engine, NewRegistration, NewRequest, RegistrationResult, RequestSource, UniqueId};
use ashore_testkit::{
    home::{Home, get},
    origin::{Body, Origin, Route},
};

const MIB: u64 = 1 << 20;

fn with(url: impl ToString, headers: &[(&str, &str)]) -> NewRequest {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    NewRequest { headers, ..get(url) }
}

async fn from_browser(home: &Home, request: NewRequest) -> UniqueId {
    let ask = NewRegistration { owner: "browser".to_owned(), source: RequestSource::Browser, ..Home::ask_for([request]) };
    home.create(ask).await.unwrap().unique_id
}

fn cookies(route: &Route) -> Vec<Option<String>> {
    route.requests().iter().map(|request| request.header("cookie").map(str::to_owned)).collect()
}

/// Returns whether a file of the data folder contains this text.
fn is_stored(home: &Home, text: &str) -> bool {
    let contains = |bytes: &Vec<u8>| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    home.ledger_files().values().any(contains)
}

#[tokio::test]
async fn credentials_from_browser_belong_to_one_registration_until_it_ends() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let first = origin.file("/a", Body::bytes("a")).gate_at(0);
    let other = origin.file("/b", Body::bytes("b"));
    let id =
        from_browser(&home, with(origin.url("/a"), &[("Cookie", "id=canary"), ("Authorization", "Bearer nightingale")])).await;
    first.held().await;
    assert!(is_stored(&home, "canary") && is_stored(&home, "nightingale"), "a start after a power cut needs them");
    assert!(!home.sign_ins().iter().any(|kept| kept.origin.starts_with("http")), "they are not the origin's");
    let second = from_browser(&home, get(origin.url("/b"))).await;
    assert_eq!(home.settled(second).await.result, RegistrationResult::Success);
    assert_eq!(cookies(&other), [None]);
    first.release();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    let sent = first.requests().pop().unwrap();
    assert_eq!((sent.header("cookie"), sent.header("authorization")), (Some("id=canary"), Some("Bearer nightingale")));
    home.until_looked("the credentials are forgotten", async |_| !is_stored(&home, "canary")).await;
    assert!(!is_stored(&home, "nightingale"));
    home.fetch([origin.url("/a")]).await;
    home.until_looked("the file is requested again", async |_| first.requests().len() == 2).await;
    assert_eq!(cookies(&first)[1], None);
}

#[tokio::test]
async fn cookies_from_browser_menu_are_used_by_only_one_registration() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::bytes("a")).gate_at(0);
    let request = with(origin.url("/a"), &[("Cookie", "id=canary")]);
    let ask = NewRegistration { owner: "browser".to_owned(), source: RequestSource::Window, ..Home::ask_for([request]) };
    let id = home.create(ask).await.unwrap().unique_id;
    file.held().await;
    assert!(!home.sign_ins().iter().any(|kept| kept.origin.starts_with("http")), "they are not the origin's");
    file.release();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert_eq!(cookies(&file), [Some("id=canary".to_owned())]);
    home.until_looked("the cookies are forgotten", async |_| !is_stored(&home, "canary")).await;
}

#[tokio::test]
async fn credentials_from_browser_survive_crash_until_their_registration_ends() {
    let (origin, mut home) = (Origin::start().await, Home::open_with("connections = 1").await);
    let file = origin.file("/a", Body::seeded(1, 4 * MIB)).gate_at(2 * MIB);
    let id = from_browser(&home, with(origin.url("/a"), &[("Cookie", "id=canary")])).await;
    let removed = from_browser(&home, with(origin.url("/b"), &[("Cookie", "id=magpie")])).await;
    file.held().await;
    home.crash().await;
    file.release();
    home.reopen().await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    let sent = cookies(&file);
    assert!(sent.len() > 1 && sent.iter().all(|cookie| cookie.as_deref() == Some("id=canary")), "{sent:?}");
    home.remove(removed, false).await.unwrap();
    home.until_looked("the credentials are forgotten", async |_| !is_stored(&home, "canary") && !is_stored(&home, "magpie"))
        .await;
}

#[tokio::test]
async fn cookies_from_browser_are_renewed_by_their_server_and_not_sent_elsewhere() {
    let (origin, other, home) = (Origin::start().await, Origin::start().await, Home::open().await);
    let back = origin.file("/back", Body::bytes("there"));
    let passed = other.redirects("/passed", 302, origin.url("/back").as_str());
    let renewing = origin.redirects("/renewing", 302, origin.url("/leaving").as_str()).header("Set-Cookie", "id=new; Path=/");
    let leaving = origin.redirects("/leaving", 302, other.url("/passed").as_str());
    let id = from_browser(&home, with(origin.url("/renewing"), &[("Cookie", "id=old; taste=plain")])).await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert_eq!(cookies(&renewing), [Some("id=old; taste=plain".to_owned())]);
    assert_eq!(cookies(&leaving), [Some("id=new; taste=plain".to_owned())]);
    assert!(!format!("{:?}{:?}", cookies(&passed), cookies(&back)).contains("taste"), "a redirect left the origin");
}

#[tokio::test]
async fn cookies_given_to_a_probe_by_browser_are_neither_stored_nor_sent_with_other_requests() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::bytes("a"));
    let probed = Engine::probe(&home, RequestSource::Browser, with(origin.url("/a"), &[("Cookie", "id=canary")])).await.unwrap();
    assert_eq!(cookies(&file), [Some("id=canary".to_owned())]);
    assert!(!is_stored(&home, "canary"));
    home.release_probe(probed.probe.unwrap());
    let plain = Engine::probe(&home, RequestSource::Browser, get(origin.url("/a"))).await.unwrap();
    assert_eq!((plain.trouble, cookies(&file).pop()), (None, Some(None)));
}

#[tokio::test]
async fn shared_cookie_jar_and_registrations_of_browser_exchange_no_cookies() {
    let (origin, home) = (Origin::start().await, Home::open_with("cookies = true").await);
    let imported = home.downloads().join("cookies.txt");
    std::fs::write(&imported, "127.0.0.1\tFALSE\t/\tFALSE\t0\tid\told\n127.0.0.1\tFALSE\t/\tFALSE\t0\ttaste\tplain\n").unwrap();
    assert_eq!(home.add_cookies(&imported).await.unwrap(), 2);
    let leading = origin.redirects("/leading", 302, "/a").header("Set-Cookie", "turn=1; Path=/");
    let file = origin.file("/a", Body::bytes("a"));
    for (given, sent) in [(Some("id=new"), ["id=new", "turn=1; id=new"]), (None, ["", "turn=1"])] {
        let headers: Vec<_> = given.map(|cookies| ("Cookie", cookies)).into_iter().collect();
        let id = from_browser(&home, with(origin.url("/leading"), &headers)).await;
        assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
        let latest = [&leading, &file].map(|route| cookies(route).pop().flatten().unwrap_or_default());
        assert_eq!(latest, sent, "{given:?}");
    }
    let id = home.fetch([origin.url("/a")]).await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    let sent = cookies(&file).pop().flatten().unwrap_or_default();
    assert!(sent.contains("id=old") && sent.contains("taste=plain") && !sent.contains("turn"), "{sent}");
}

#[tokio::test]
async fn cookies_that_servers_set_for_probe_are_sent_by_its_download() {
    let (origin, home) = (Origin::start().await, Home::open_with("connections = 1").await);
    let file = origin.file("/a", Body::seeded(1, 4 * MIB)).header("Set-Cookie", "turn=1; Path=/").reset_after(2 * MIB).times(1);
    let request = with(origin.url("/a"), &[("Cookie", "turn=0; id=canary")]);
    let probe = Engine::probe(&home, RequestSource::Browser, request.clone()).await.unwrap().probe;
    let id = from_browser(&home, NewRequest { probe, ..request }).await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    let sent: Vec<String> = cookies(&file).into_iter().flatten().collect();
    assert_eq!(sent, ["turn=0; id=canary", "turn=1; id=canary"]);
}
