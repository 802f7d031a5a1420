//! Authentication: credentials are sent per origin, once per challenge, and are never stored.

use std::sync::Arc;

use ashore_testkit::origin::{Body, Origin, Route};
use ashore_transfer::{FailureKind, HostCredentials, HttpConfig, HttpSecret, Netrc, TransferConfig};

use crate::transfer::desk::{TransferBench, assert_kind, eager};

/// Value of the `Authorization` field for `ann:canary`.
const ANN: &str = "Basic YW5uOmNhbmFyeQ==";

fn ann() -> HttpSecret {
    HttpSecret::Basic { user: "ann".to_owned(), password: "canary".to_owned() }
}

fn with(credentials: &Arc<HostCredentials>) -> TransferConfig {
    TransferConfig { http: HttpConfig { credentials: credentials.clone(), ..HttpConfig::default() }, ..eager() }
}

/// Makes the route answer 401 to the next request, with a Basic challenge.
fn asks_once(route: Route) -> Route {
    route.header("WWW-Authenticate", "Digest realm=\"a, b\", Basic realm=\"here\"").status(401).times(1)
}

fn sent(route: &Route) -> Vec<Option<String>> {
    route.requests().iter().map(|request| request.header("authorization").map(str::to_owned)).collect()
}

#[tokio::test]
async fn password_is_sent_without_waiting_for_a_challenge_and_only_to_its_origin() {
    let (home, away) = (Origin::start().await, Origin::start().await);
    let body = Body::seeded(1, 1000);
    let there = away.file("/file.bin", body.clone());
    let here = home.redirects("/here", 302, away.url("/file.bin").as_str());
    let credentials = Arc::new(HostCredentials::default());
    credentials.sign_in(&home.url("/"), ann());
    let mut desk = TransferBench::with(with(&credentials));
    let spec = desk.spec(home.url("/here"));
    desk.completed_with(&spec, &body).await;
    assert_eq!(sent(&here), [Some(ANN.to_owned())]);
    assert_eq!(sent(&there), [None]);
}

#[tokio::test]
async fn redirect_sends_each_origin_its_own_credentials() {
    let (home, away) = (Origin::start().await, Origin::start().await);
    let body = Body::seeded(1, 1000);
    let there = away.file("/file.bin", body.clone());
    let here = home.redirects("/here", 302, away.url("/file.bin").as_str());
    let credentials = Arc::new(HostCredentials::default());
    credentials.sign_in(&home.url("/"), ann());
    credentials.sign_in(&away.url("/"), HttpSecret::Bearer("token-canary".to_owned()));
    let mut desk = TransferBench::with(with(&credentials));
    let spec = desk.spec(home.url("/here"));
    desk.completed_with(&spec, &body).await;
    assert_eq!(sent(&here), [Some(ANN.to_owned())]);
    assert_eq!(sent(&there), [Some("Bearer token-canary".to_owned())]);
}

#[tokio::test]
async fn netrc_credentials_are_sent_after_the_first_challenge_and_then_with_every_request() {
    let origin = Origin::start().await;
    let body = Body::seeded(1, 1000);
    let route = asks_once(origin.file("/file.bin", body.clone()));
    let credentials = Arc::new(HostCredentials::new(None, Netrc::parse("machine 127.0.0.1 login ann password canary")));
    let mut desk = TransferBench::with(with(&credentials));
    let spec = desk.spec(origin.url("/file.bin"));
    desk.completed_with(&spec, &body).await;
    assert_eq!(sent(&route), [None, Some(ANN.to_owned())]);
    assert_eq!(origin.connections(), 1, "the refusal was read to its end");
    let spec = desk.spec(origin.url("/file.bin"));
    desk.completed_with(&spec, &body).await;
    assert_eq!(sent(&route)[2..], [Some(ANN.to_owned())]);
}

#[tokio::test]
async fn refused_password_is_not_retried() {
    let origin = Origin::start().await;
    let route = origin.refuses("/file.bin", 401).header("WWW-Authenticate", "Basic realm=\"here\"");
    let credentials = Arc::new(HostCredentials::new(None, Netrc::parse("default login ann password canary")));
    let mut desk = TransferBench::with(with(&credentials));
    let spec = desk.spec(origin.url("/file.bin"));
    let (failure, _) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::BadStatus);
    assert_eq!(failure.status, Some(401));
    assert!(!failure.is_transient());
    assert_eq!(sent(&route), [None, Some(ANN.to_owned())]);
}

#[tokio::test]
async fn unsupported_challenge_gets_no_password() {
    let origin = Origin::start().await;
    let route = origin.refuses("/file.bin", 401).header("WWW-Authenticate", "Digest realm=\"Basic\", Negotiate");
    let credentials = Arc::new(HostCredentials::new(None, Netrc::parse("default login ann password canary")));
    let mut desk = TransferBench::with(with(&credentials));
    let spec = desk.spec(origin.url("/file.bin"));
    let (failure, _) = desk.failed(&spec).await;
    assert_eq!(failure.status, Some(401));
    assert_eq!(sent(&route), [None]);
}

#[tokio::test]
async fn caller_authorization_header_takes_precedence() {
    let origin = Origin::start().await;
    let body = Body::seeded(1, 1000);
    let route = origin.file("/file.bin", body.clone());
    let credentials = Arc::new(HostCredentials::default());
    credentials.sign_in(&origin.url("/"), ann());
    let mut desk = TransferBench::with(with(&credentials));
    let mut spec = desk.spec(origin.url("/file.bin"));
    spec.headers.push(("authorization".to_owned(), "Bearer own".to_owned()));
    desk.completed_with(&spec, &body).await;
    assert_eq!(sent(&route), [Some("Bearer own".to_owned())]);
}

#[tokio::test]
async fn credentials_appear_in_neither_journal_nor_failure_message() {
    let origin = Origin::start().await;
    let body = Body::seeded(1, 3 << 20);
    let route = origin.file("/file.bin", body.clone()).gate_at(2 << 20);
    let credentials = Arc::new(HostCredentials::default());
    credentials.sign_in(&origin.url("/"), ann());
    let mut desk = TransferBench::with(with(&credentials));
    let spec = desk.spec(origin.url("/file.bin"));
    desk.stopped_at(&spec, 2 << 20).await;
    let (plain, encoded) = (b"canary".as_slice(), &ANN.as_bytes()[6..]);
    let mut files = 0;
    for name in desk.names() {
        let bytes = std::fs::read(desk.path(&name)).unwrap();
        for secret in [plain, encoded] {
            assert!(!bytes.windows(secret.len()).any(|window| window == secret), "{name}");
        }
        files += 1;
    }
    assert_eq!(files, 2, "a partial and its journal: {:?}", desk.names());
    route.release();
    desk.completed_with(&spec, &body).await;
    assert!(sent(&route).iter().all(Option::is_some), "a resume signs in as well");
    assert!(!format!("{:?} {:?}", desk.heads, desk.transfers).contains("canary"));
}

#[tokio::test]
async fn user_agent_is_kept_and_referrer_follows_referrer_policy() {
    let (home, away) = (Origin::start().await, Origin::start().await);
    let body = Body::seeded(1, 1000);
    let there = away.file("/file.bin", body.clone());
    let here = home.redirects("/here", 302, away.url("/file.bin").as_str());
    let page = home.url("/page?secret=1#part");
    let config = TransferConfig {
        http: HttpConfig { referrer: Some(page.to_string()), ..HttpConfig::default() },
        ..TransferConfig::default()
    };
    let mut desk = TransferBench::with(config);
    let mut spec = desk.spec(home.url("/here"));
    spec.headers.push(("User-Agent".to_owned(), "Mine/1".to_owned()));
    desk.completed_with(&spec, &body).await;
    let said = |route: &Route, name: &str| route.requests()[0].header(name).map(str::to_owned);
    assert_eq!(said(&here, "referer"), Some(home.url("/page?secret=1").to_string()));
    assert_eq!(said(&there, "referer"), Some(home.url("/").to_string()));
    assert_eq!(said(&here, "user-agent").as_deref(), Some("Mine/1"));
    assert_eq!(said(&there, "user-agent").as_deref(), Some("Mine/1"));
    spec = desk.spec(home.url("/here"));
    spec.headers.push(("Referer".to_owned(), away.url("/own").to_string()));
    desk.completed_with(&spec, &body).await;
    assert_eq!(here.requests()[1].header("referer"), Some(away.url("/").as_str()));
    assert_eq!(there.requests()[1].header("referer"), Some(away.url("/own").as_str()));
}
