//! Tests cookies: they are off by default. If they are on, the rules of the standard apply, even to redirects.

use std::{collections::HashMap, sync::Arc};

use ashore_testkit::origin::{Body, Origin, Route};
use ashore_transfer::{CookieJar, FailureKind, HttpConfig, TransferConfig, TransferOutcome, TransferSpec, parse_cookie_file};
use url::Url;

use crate::transfer::desk::{TransferBench, assert_kind, eager};

/// Returns a test bench in which these names resolve to the origin.
fn desk(cookies: &CookieJar, origin: &Origin) -> TransferBench {
    let names = ["shop.test", "cdn.shop.test", "evil.test", "a.co.uk", "b.co.uk"];
    let hosts: HashMap<_, _> = names.iter().map(|&name| (name.to_owned(), vec![origin.address()])).collect();
    let http = HttpConfig { cookies: cookies.clone(), hosts: Arc::new(hosts), ..HttpConfig::default() };
    TransferBench::with(TransferConfig { http, ..TransferConfig::default() })
}

fn at(origin: &Origin, host: &str, path: &str) -> Url {
    Url::parse(&format!("http://{host}:{}{path}", origin.address().port())).unwrap()
}

fn sent(route: &Route) -> Option<String> {
    route.requests().last()?.header("cookie").map(str::to_owned)
}

#[tokio::test]
async fn redirect_cookie_is_sent_within_its_domain_only() {
    let origin = Origin::start().await;
    let body = Body::seeded(1, 1000);
    let file = origin.file("/file.bin", body.clone());
    let elsewhere = origin.file("/elsewhere.bin", body.clone());
    origin
        .redirects("/gate", 302, at(&origin, "cdn.shop.test", "/file.bin").as_str())
        .header("Set-Cookie", "pass=canary; Domain=shop.test; Path=/; HttpOnly")
        .header("Set-Cookie", "mine=1; Path=/");
    let cookies = CookieJar::on();
    let mut desk = desk(&cookies, &origin);
    let spec = desk.spec(at(&origin, "shop.test", "/gate"));
    desk.completed_with(&spec, &body).await;
    assert_eq!(sent(&file).as_deref(), Some("pass=canary"), "the other cookie was set by the gate");
    let spec = desk.spec(at(&origin, "evil.test", "/elsewhere.bin"));
    desk.completed_with(&spec, &body).await;
    assert_eq!(sent(&elsewhere), None);
    assert!(!format!("{:?}", desk.heads).contains("canary"), "cookies are credentials and are not kept");
}

#[tokio::test]
async fn disabled_cookie_jar_sends_no_cookies() {
    let origin = Origin::start().await;
    let body = Body::seeded(1, 1000);
    let file = origin.file("/file.bin", body.clone()).header("Set-Cookie", "who=1; Path=/");
    let mut desk = desk(&CookieJar::off(), &origin);
    for _ in 0..2 {
        let spec = desk.spec(at(&origin, "shop.test", "/file.bin"));
        desk.completed_with(&spec, &body).await;
    }
    assert_eq!(sent(&file), None);
}

#[tokio::test]
async fn registration_cookie_is_sent_without_jar_and_not_shared() {
    let origin = Origin::start().await;
    let body = Body::seeded(1, 8 << 20);
    let file = origin.file("/file.bin", body.clone()).reset_after(1 << 20).times(1);
    let gate = origin
        .redirects("/gate", 302, at(&origin, "cdn.shop.test", "/file.bin").as_str())
        .header("Set-Cookie", "pass=canary; Domain=shop.test; Path=/; HttpOnly");
    let hosts = ["shop.test", "cdn.shop.test"].map(|name| (name.to_owned(), vec![origin.address()]));
    let http = HttpConfig { hosts: Arc::new(HashMap::from(hosts)), ..HttpConfig::default() };
    let mut desk =
        TransferBench::with(TransferConfig { http, connections: 4, least_shared: 1 << 20, least_split: 256 << 10, ..eager() });
    let together = Some(uuid::Uuid::from_u128(5));
    let spec = TransferSpec { group: together, ..desk.spec(at(&origin, "shop.test", "/gate")) };
    while let TransferOutcome::Failed { failure, .. } = desk.run(&spec).await {
        assert_kind(&failure, FailureKind::Reset);
    }
    assert!(file.requests().len() > 1, "the file arrived over several connections");
    assert!(file.requests().iter().all(|request| request.header("cookie") == Some("pass=canary")));
    let other = origin.file("/other.bin", Body::bytes("other"));
    let fetches = async |desk: &mut TransferBench, group| {
        let spec = TransferSpec { group, ..desk.spec(at(&origin, "shop.test", "/other.bin")) };
        desk.completed(&spec).await;
        sent(&other)
    };
    assert_eq!(fetches(&mut desk, together).await.as_deref(), Some("pass=canary"), "it is of the same registration");
    assert_eq!(fetches(&mut desk, Some(uuid::Uuid::from_u128(6))).await, None);
    assert_eq!(fetches(&mut desk, None).await, None);
    assert!(gate.requests().iter().any(|request| request.header("cookie") == Some("pass=canary")));
    assert!(!format!("{:?}", desk.heads).contains("canary"), "cookies are credentials and are not kept");
}

#[tokio::test]
async fn self_redirect_that_sets_cookie_succeeds_but_endless_loop_fails() {
    let origin = Origin::start().await;
    let body = Body::seeded(1, 1000);
    let gate = origin.file("/gate", body.clone()).redirect(302, "/gate").times(1).header("Set-Cookie", "seen=1");
    let mut desk = desk(&CookieJar::off(), &origin);
    let spec = desk.spec(at(&origin, "shop.test", "/gate"));
    desk.completed_with(&spec, &body).await;
    assert_eq!((gate.requests().len(), sent(&gate).as_deref()), (2, Some("seen=1")));
    let endless = origin.redirects("/endless", 302, "/endless");
    let spec = desk.spec(at(&origin, "shop.test", "/endless"));
    let (failure, _) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::TooManyRedirects);
    assert_eq!(endless.requests().len(), 11);
}

#[tokio::test]
async fn imported_browser_cookies_are_sent_only_to_their_domains() {
    let origin = Origin::start().await;
    let body = Body::seeded(1, 1000);
    let file = origin.file("/file.bin", body.clone());
    let text = "# Netscape HTTP Cookie File\n#HttpOnly_.shop.test\tTRUE\t/\tFALSE\t0\tsession\tcanary\n\
                .co.uk\tTRUE\t/\tFALSE\t0\twide\t1\nshop.test\tFALSE\t/\tTRUE\t0\tsecure\t1\n";
    let cookies = CookieJar::on();
    cookies.add(&parse_cookie_file(text).unwrap());
    let mut desk = desk(&cookies, &origin);
    for (host, expected) in [("cdn.shop.test", Some("session=canary")), ("evil.test", None), ("a.co.uk", None)] {
        let spec = desk.spec(at(&origin, host, "/file.bin"));
        desk.completed_with(&spec, &body).await;
        assert_eq!(sent(&file).as_deref(), expected, "{host}");
    }
}

#[tokio::test]
async fn cookie_header_of_caller_replaces_jar_cookies_and_is_not_sent_to_other_origins() {
    let origin = Origin::start().await;
    let body = Body::seeded(1, 1000);
    let file = origin.file("/file.bin", body.clone());
    let gate = origin.redirects("/gate", 302, at(&origin, "evil.test", "/file.bin").as_str());
    let cookies = CookieJar::on();
    cookies.add(&parse_cookie_file("shop.test\tFALSE\t/\tFALSE\t0\tjar\t1\n").unwrap());
    let mut desk = desk(&cookies, &origin);
    let mut spec = desk.spec(at(&origin, "shop.test", "/gate"));
    spec.headers.push(("Cookie".to_owned(), "own=1".to_owned()));
    desk.completed_with(&spec, &body).await;
    assert_eq!((sent(&gate).as_deref(), sent(&file)), (Some("own=1"), None));
}
