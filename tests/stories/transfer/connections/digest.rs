//! Digest authentication: challenges are answered without sending the password.
//!
//! An answer is valid for all connections to its server, but for no other server.

use std::sync::Arc;

use ashore_testkit::{
    digest::{Gate, Gatekeeper},
    origin::{Body, Origin},
    proxy::Proxy,
    tls::{Authority, Shown, TlsOrigin},
};
use ashore_transfer::{FailureKind, HostCredentials, HttpConfig, HttpSecret, Netrc, ProxyRules, TransferConfig};

use crate::transfer::desk::{TransferBench, assert_kind, eager};

fn ann() -> Gatekeeper {
    Gatekeeper::new("ann", "canary")
}

/// Credentials for every server that asks.
fn netrc() -> Arc<HostCredentials> {
    Arc::new(HostCredentials::new(None, Netrc::parse("default login ann password canary")))
}

fn with(credentials: &Arc<HostCredentials>) -> TransferConfig {
    TransferConfig { http: HttpConfig { credentials: credentials.clone(), ..HttpConfig::default() }, ..eager() }
}

#[tokio::test]
async fn every_digest_algorithm_is_answered_with_and_without_qop() {
    let origin = Origin::start().await;
    let body = Body::seeded(1, 1000);
    origin.file("/file.bin", body.clone());
    for keeper in [
        ann(),
        ann().algorithm("MD5"),
        ann().algorithm("MD5-sess"),
        ann().algorithm("SHA-256"),
        ann().algorithm("SHA-256-sess"),
        ann().qop(None),
        ann().algorithm("SHA-256").qop(None),
        ann().qop(Some("auth-int, auth")),
        ann().others(", Basic realm=\"x\""),
        ann().others(", Digest realm=\"x\", nonce=\"y\", algorithm=SHA-512-256"),
    ] {
        let said = format!("{keeper:?}");
        let gate = Gate::before(&origin, keeper).await;
        let mut desk = TransferBench::with(with(&netrc()));
        let spec = desk.spec(gate.url("/file.bin?x=\"1\""));
        desk.completed_with(&spec, &body).await;
        let seen = gate.seen();
        assert!(seen.len() == 2 && seen[0].is_empty() && seen[1].starts_with("Digest "), "{said}: {seen:?}");
    }
}

#[tokio::test]
async fn one_digest_challenge_suffices_for_all_connections_and_retries() {
    let origin = Origin::start().await;
    let body = Body::seeded(1, 8 << 20);
    origin.file("/file.bin", body.clone()).reset_after(1 << 20).times(1);
    let gate = Gate::before(&origin, ann()).await;
    let config = TransferConfig { connections: 4, least_shared: 1 << 20, least_split: 256 << 10, ..with(&netrc()) };
    let mut desk = TransferBench::with(config);
    let spec = desk.spec(gate.url("/file.bin"));
    while let ashore_transfer::TransferOutcome::Failed { failure, .. } = desk.run(&spec).await {
        assert_kind(&failure, FailureKind::Reset);
    }
    let seen = gate.seen();
    assert!(seen.len() > 2, "the file arrived over several connections: {seen:?}");
    assert_eq!(seen.iter().filter(|answer| !answer.starts_with("Digest ")).count(), 1, "{seen:?}");
    assert!(!format!("{seen:?}").contains("canary"));
    desk.folder.close().unwrap();
}

#[tokio::test]
async fn stale_nonce_is_renewed() {
    let origin = Origin::start().await;
    let body = Body::seeded(1, 1000);
    origin.file("/file.bin", body.clone());
    let gate = Gate::before(&origin, ann().uses(2)).await;
    let mut desk = TransferBench::with(with(&netrc()));
    for _ in 0..5 {
        let spec = desk.spec(gate.url("/file.bin"));
        desk.completed_with(&spec, &body).await;
    }
    assert_eq!(gate.seen().len(), 1 + 5 + 2, "the question, five answers, and two that were too old");
}

#[tokio::test]
async fn wrong_password_is_not_retried() {
    let origin = Origin::start().await;
    origin.file("/file.bin", Body::seeded(1, 1000));
    let gate = Gate::before(&origin, Gatekeeper::new("ann", "other")).await;
    let mut desk = TransferBench::with(with(&netrc()));
    let spec = desk.spec(gate.url("/file.bin"));
    let (failure, _) = desk.failed(&spec).await;
    assert_eq!((failure.kind, failure.status, failure.is_transient()), (FailureKind::BadStatus, Some(401), false));
    assert_eq!(gate.seen().len(), 2, "the question and one answer");
}

#[tokio::test]
async fn digest_answer_is_not_sent_to_redirect_target() {
    let (origin, away) = (Origin::start().await, Origin::start().await);
    let body = Body::seeded(1, 1000);
    let there = away.file("/file.bin", body.clone());
    origin.redirects("/here", 302, away.url("/file.bin").as_str());
    let gate = Gate::before(&origin, ann()).await;
    let credentials = Arc::new(HostCredentials::default());
    credentials.sign_in(&gate.url("/"), HttpSecret::Basic { user: "ann".to_owned(), password: "canary".to_owned() });
    let mut desk = TransferBench::with(with(&credentials));
    let spec = desk.spec(gate.url("/here"));
    desk.completed_with(&spec, &body).await;
    assert_eq!(there.requests()[0].header("authorization"), None);
}

#[tokio::test]
async fn credentials_in_redirect_url_apply_only_within_that_redirect_chain() {
    let (origin, away) = (Origin::start().await, Origin::start().await);
    let body = Body::seeded(1, 1000);
    away.file("/file.bin", body.clone());
    let gate = Gate::before(&away, ann()).await;
    let mut linked = gate.url("/file.bin");
    linked.set_username("ann").unwrap();
    linked.set_password(Some("canary")).unwrap();
    origin.redirects("/here", 302, linked.as_str());
    let mut desk = TransferBench::with(with(&Arc::default()));
    let spec = desk.spec(origin.url("/here"));
    desk.completed_with(&spec, &body).await;
    assert!(!format!("{:?}", desk.heads).contains("canary"), "it is no part of the address");
    let spec = desk.spec(gate.url("/file.bin"));
    let (failure, _) = desk.failed(&spec).await;
    assert_eq!(failure.status, Some(401));
}

/// Config that sends all requests through this proxy and signs in as ann.
fn through(proxy: &Proxy) -> TransferConfig {
    let proxies = ProxyRules::new(&proxy.url_for("ann", "canary"), "", true, |_| None).unwrap();
    TransferConfig { http: HttpConfig { proxies, ..HttpConfig::default() }, ..eager() }
}

#[tokio::test]
async fn proxy_challenge_is_answered_for_plain_and_tunnelled_requests() {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    let (plain, secure) = (Origin::start().await, TlsOrigin::start(&authority, Shown::Good).await);
    let body = Body::seeded(1, 300_000);
    let route = plain.file("/a.bin", body.clone());
    secure.file("/a.bin", body.slice(0, u64::MAX));
    for keeper in [ann(), ann().algorithm("SHA-256"), ann().uses(1)] {
        let proxy = Proxy::http_asking(keeper).await;
        let mut config = through(&proxy);
        config.http.ca_certificate = Some(authority.file(folder.path()));
        let mut desk = TransferBench::with(config);
        for _ in 0..2 {
            for url in [plain.url("/a.bin"), secure.url_as("a.test", "/a.bin")] {
                let spec = desk.spec(url);
                desk.completed_with(&spec, &body).await;
            }
        }
        let allowed: Vec<_> = proxy.passed().into_iter().filter(|passed| passed.is_allowed).collect();
        assert!(allowed.iter().all(|passed| passed.head.to_lowercase().contains("proxy-authorization: digest ")), "{allowed:?}");
    }
    assert!(route.requests().iter().all(|request| request.header("proxy-authorization").is_none()));
}

#[tokio::test]
async fn failure_shows_which_proxy_refuses_credentials() {
    let authority = Authority::new();
    let (plain, secure) = (Origin::start().await, TlsOrigin::start(&authority, Shown::Good).await);
    plain.file("/a.bin", Body::seeded(1, 1000));
    let proxy = Proxy::http_asking(Gatekeeper::new("ann", "other")).await;
    for url in [plain.url("/a.bin"), secure.url_as("a.test", "/a.bin")] {
        let mut desk = TransferBench::with(through(&proxy));
        let spec = desk.spec(url);
        let (failure, _) = desk.failed(&spec).await;
        assert_kind(&failure, FailureKind::ProxySignIn);
        assert!(!format!("{failure:?}").contains("canary"));
    }
}
