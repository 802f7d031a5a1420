//! Tests proxies: their use, their authentication, the hosts that bypass them, and their failures.

use ashore_testkit::{
    origin::{Body, Origin},
    proxy::Proxy,
    tls::{Authority, Shown, TlsOrigin},
};
use ashore_transfer::{FailureKind, HttpConfig, ProxyRules, TransferConfig};
use url::Url;

use crate::transfer::desk::{TransferBench, assert_kind};

/// Returns a config that sends all requests through `proxy`, including those to loopback.
///
/// Only requests to the hosts in `no_proxy` bypass the proxy.
fn through(proxy: &str, no_proxy: &str) -> TransferConfig {
    let proxies = ProxyRules::new(proxy, no_proxy, true, |_| None).unwrap();
    TransferConfig { http: HttpConfig { proxies, ..HttpConfig::default() }, ..TransferConfig::default() }
}

/// Returns a link to `origin` with a host name that only the test proxies resolve.
fn named(origin: &Origin, path: &str) -> Url {
    Url::parse(&format!("http://far.test:{}{path}", origin.address().port())).unwrap()
}

#[tokio::test]
async fn http_proxy_receives_absolute_url_and_resolves_the_host_name() {
    let (origin, proxy) = (Origin::start().await, Proxy::http().await);
    let body = Body::seeded(1, 300_000);
    let route = origin.file("/a.bin", body.clone());
    let mut desk = TransferBench::with(through(&proxy.url(), ""));
    let spec = desk.spec(named(&origin, "/a.bin"));
    desk.completed_with(&spec, &body).await;
    let passed = proxy.passed();
    assert_eq!(passed.len(), 1);
    assert_eq!((passed[0].way, passed[0].target.as_str()), ("forward", format!("far.test:{}", origin.address().port()).as_str()));
    assert_eq!(route.requests().len(), 1);
}

#[tokio::test]
async fn https_request_is_tunnelled_and_proxy_sees_no_secrets() {
    let (authority, proxy) = (Authority::new(), Proxy::http().await);
    let origin = TlsOrigin::start(&authority, Shown::Good).await;
    let body = Body::seeded(2, 300_000);
    origin.file("/a.bin", body.slice(0, u64::MAX));
    let folder = tempfile::tempdir().unwrap();
    let mut config = through(&proxy.url(), "");
    config.http.ca_certificate = Some(authority.file(folder.path()));
    let mut desk = TransferBench::with(config);
    let mut spec = desk.spec(origin.url_as("a.test", "/a.bin"));
    spec.headers.push(("X-Token".to_owned(), "canary".to_owned()));
    desk.completed_with(&spec, &body).await;
    let passed = proxy.passed();
    assert_eq!((passed.len(), passed[0].way), (1, "connect"));
    assert!(!passed[0].head.contains("canary") && !passed[0].head.contains("a.bin"), "{passed:?}");
    assert_eq!(origin.asked()[0].headers["x-token"], "canary");
}

#[tokio::test]
async fn socks_proxy_resolves_host_name_remotely_or_locally() {
    let (origin, proxy) = (Origin::start().await, Proxy::socks5().await);
    let body = Body::seeded(3, 100_000);
    origin.file("/a.bin", body.clone());
    let port = origin.address().port();
    let mut desk = TransferBench::with(through(&proxy.url(), ""));
    let spec = desk.spec(named(&origin, "/a.bin"));
    desk.completed_with(&spec, &body).await;
    assert_eq!(proxy.passed()[0].target, format!("far.test:{port}"));

    let mut desk = TransferBench::with(through(&proxy.url().replace("socks5h", "socks5"), ""));
    let spec = desk.spec(Url::parse(&format!("http://localhost:{port}/a.bin")).unwrap());
    desk.completed_with(&spec, &body).await;
    let target = proxy.passed()[1].target.clone();
    assert!(target == format!("127.0.0.1:{port}") || target == format!("[::1]:{port}"), "{target}");
}

#[tokio::test]
async fn proxy_credentials_are_used_and_rejections_are_reported() {
    let authority = Authority::new();
    let (plain, secure) = (Origin::start().await, TlsOrigin::start(&authority, Shown::Good).await);
    let body = Body::seeded(4, 50_000);
    plain.file("/a.bin", body.clone());
    secure.file("/a.bin", body.slice(0, u64::MAX));
    let folder = tempfile::tempdir().unwrap();
    let (http, socks) = (Proxy::http_for("ann", "can@ry").await, Proxy::socks5_for("ann", "can@ry").await);
    for proxy in [&http, &socks] {
        for url in [named(&plain, "/a.bin"), secure.url_as("b.test", "/a.bin")] {
            let mut config = through(&proxy.url_for("ann", "can%40ry"), "");
            config.http.ca_certificate = Some(authority.file(folder.path()));
            let mut desk = TransferBench::with(config);
            let spec = desk.spec(url);
            desk.completed_with(&spec, &body).await;
        }
    }
    assert_eq!(http.passed().len() + socks.passed().len(), 4);
    for url in [named(&plain, "/a.bin"), secure.url_as("b.test", "/a.bin")] {
        let mut desk = TransferBench::with(through(&http.url_for("ann", "wrong-canary"), ""));
        let spec = desk.spec(url);
        let (failure, _) = desk.failed(&spec).await;
        assert_kind(&failure, FailureKind::ProxySignIn);
        assert!(!failure.is_transient() && !format!("{failure:?}").contains("canary"), "{failure:?}");
    }
    let mut desk = TransferBench::with(through(&socks.url_for("ann", "wrong-canary"), ""));
    let spec = desk.spec(named(&plain, "/a.bin"));
    let (failure, _) = desk.failed(&spec).await;
    assert!(matches!(failure.kind, FailureKind::Proxy | FailureKind::ProxySignIn), "{failure:?}");
    assert!(!format!("{failure:?}").contains("canary"), "{failure:?}");
}

#[tokio::test]
async fn excepted_hosts_and_loopback_addresses_bypass_proxy() {
    let (origin, proxy) = (Origin::start().await, Proxy::http().await);
    let body = Body::seeded(5, 10_000);
    origin.file("/a.bin", body.clone());
    for config in [through(&proxy.url(), "127.0.0.0/8"), through(&proxy.url(), "*")] {
        let mut desk = TransferBench::with(config);
        let spec = desk.spec(origin.url("/a.bin"));
        desk.completed_with(&spec, &body).await;
    }
    let proxies = ProxyRules::new(&proxy.url(), "", false, |_| None).unwrap();
    let mut desk = TransferBench::with(TransferConfig {
        http: HttpConfig { proxies, ..HttpConfig::default() },
        ..TransferConfig::default()
    });
    let spec = desk.spec(origin.url("/a.bin"));
    desk.completed_with(&spec, &body).await;
    assert_eq!(proxy.passed(), []);
}

#[tokio::test]
async fn failure_names_unreachable_proxy_but_not_its_password() {
    let closed = Origin::closed();
    let address = format!("127.0.0.1:{}", closed.url("/").port().unwrap());
    for scheme in ["http", "socks5h"] {
        let mut desk = TransferBench::with(through(&format!("{scheme}://ann:canary@{address}"), ""));
        let spec = desk.spec(Url::parse("http://far.test/a.bin").unwrap());
        let (failure, _) = desk.failed(&spec).await;
        assert_kind(&failure, FailureKind::Proxy);
        assert!(failure.is_transient());
        assert!(failure.detail.contains(&address) && !failure.detail.contains("canary"), "{failure:?}");
    }
}

#[tokio::test]
async fn server_unreachable_by_proxy_is_reported_as_failure() {
    let (closed, proxy) = (Origin::closed(), Proxy::http().await);
    let port = closed.url("/").port().unwrap();
    let mut desk = TransferBench::with(through(&proxy.url(), ""));
    let spec = desk.spec(Url::parse(&format!("https://far.test:{port}/a.bin")).unwrap());
    let (failure, _) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::Proxy);
    let spec = desk.spec(Url::parse(&format!("http://far.test:{port}/a.bin")).unwrap());
    let (failure, _) = desk.failed(&spec).await;
    assert_eq!(failure.status, Some(502), "{failure:?}");
}
