//! Tests speed limits: they are never exceeded, with any server and any number of connections.
//!
//! A limit never slows other transfers. Unit tests of the transfer crate check the accuracy with a simulated clock.
//! These tests use the real clock, so they assert only bounds that hold on the busiest machine: the maximum number of
//! bytes and the minimum time.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use ashore_testkit::{
    origin::{Body, Origin, content},
    tls::{Authority, Shown, TlsOrigin},
};
use ashore_transfer::{FailureKind, FlowScope, HttpConfig, RateLimit, TransferConfig, TransferOutcome, TransferSpec, Transfers};
use http::{Method, Version};
use uuid::Uuid;

use super::desk::{TransferBench, assert_kind};

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

fn rate(bytes: u64) -> Option<RateLimit> {
    Some(RateLimit::new(bytes).unwrap())
}

fn host(name: &str) -> FlowScope {
    FlowScope::Host(name.to_owned())
}

/// Config in which `slow.test` and `fast.test` both resolve to `address`.
fn two_names(address: SocketAddr) -> HttpConfig {
    let hosts = ["slow.test", "fast.test"].map(|name| (name.to_owned(), vec![address]));
    HttpConfig { hosts: Arc::new(hosts.into()), ..HttpConfig::default() }
}

fn named(origin: &Origin, host: &str, path: &str) -> url::Url {
    let mut url = origin.url(path);
    url.set_host(Some(host)).unwrap();
    url
}

/// Returns the minimum time for `bytes` bytes at this rate, minus the time that the initial burst saves.
fn least(bytes: u64, rate: u64) -> Duration {
    Duration::from_millis((bytes * 1000 / rate).saturating_sub(150))
}

/// Samples of the number of received bytes. Each sample has this number, and the times just before and after the
/// reading.
///
/// At the first time, at most this many bytes had been received. At the second time, at least this many had been
/// received.
#[derive(Default)]
struct Watched(Vec<(Instant, Instant, u64)>);

impl Watched {
    /// Samples the received bytes until `is_over` returns true.
    async fn until(transfers: &Transfers, mut is_over: impl FnMut() -> bool) -> Self {
        let mut watched = Self::default();
        while !is_over() {
            let before = Instant::now();
            let bytes = transfers.progress().iter().map(|(_, progress)| progress.downloaded + progress.uploaded).sum();
            watched.0.push((before, Instant::now(), bytes));
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        watched
    }

    /// Checks that no second had more than 125 % of the rate.
    fn assert_no_burst(&self, rate: u64) {
        for (index, (began, _, had)) in self.0.iter().enumerate() {
            for (_, ended, has) in &self.0[index..] {
                if *ended - *began <= Duration::from_secs(1) {
                    let came = has.saturating_sub(*had);
                    assert!(came * 100 <= rate * 125, "{came} within {:?}", *ended - *began);
                }
            }
        }
    }
}

#[tokio::test]
async fn transfer_keeps_to_speed_limit_and_makes_the_server_send_slowly() {
    let origin = Origin::start().await;
    let body = Body::seeded(1, 64 * MIB);
    let file = origin.file("/a.bin", body);
    let desk = TransferBench::new();
    desk.transfers.limit(FlowScope::All, rate(MIB));
    let spec = desk.spec(origin.url("/a.bin"));
    let begun = Instant::now();
    desk.transfers.start(spec.clone());
    let transfers = desk.transfers.clone();
    let watched = Watched::until(&transfers, || desk.progress(&spec).is_some_and(|now| now.downloaded >= 2 * MIB)).await;
    assert!(begun.elapsed() >= least(2 * MIB, MIB));
    watched.assert_no_burst(MIB);
    assert!(file.bytes_sent() < 32 * MIB, "what is not taken is not sent: {}", file.bytes_sent());
    assert_eq!(file.requests().len(), 1, "more connections would bring nothing");
}

#[tokio::test]
async fn speed_limit_of_host_or_group_does_not_affect_other_transfers() {
    let origin = Origin::start().await;
    let (small, large) = (Body::seeded(1, 8 * MIB), Body::seeded(2, 32 * MIB));
    origin.file("/slow", small);
    origin.file("/fast", large.clone());
    let mut desk = TransferBench::with(TransferConfig { http: two_names(origin.address()), ..TransferConfig::default() });
    let group = Some(Uuid::from_u128(1));
    desk.transfers.limit(host("slow.test"), rate(64 * KIB));
    desk.transfers.limit(FlowScope::Group(Uuid::from_u128(1)), rate(64 * KIB));
    let slow = desk.spec(named(&origin, "slow.test", "/slow"));
    let grouped = TransferSpec { group, ..desk.spec(named(&origin, "fast.test", "/slow")) };
    desk.transfers.start(slow.clone());
    desk.transfers.start(grouped.clone());
    desk.reach(&slow, 1).await;
    desk.reach(&grouped, 1).await;
    let fast = desk.spec(named(&origin, "fast.test", "/fast"));
    desk.completed_with(&fast, &large).await;
    assert!([slow, grouped].iter().all(|spec| desk.progress(spec).unwrap().downloaded < 8 * MIB));
}

#[tokio::test]
async fn removal_of_speed_limit_affects_running_transfer_immediately() {
    let origin = Origin::start().await;
    let body = Body::seeded(1, 8 * MIB);
    origin.file("/a.bin", body.clone());
    let mut desk = TransferBench::new();
    // With this limit, the transfer would take two hours.
    desk.transfers.limit(FlowScope::All, rate(KIB));
    let spec = desk.spec(origin.url("/a.bin"));
    desk.transfers.start(spec.clone());
    desk.reach(&spec, 1).await;
    desk.transfers.limit(FlowScope::All, None);
    assert!(matches!(desk.outcome().await, TransferOutcome::Completed(_)));
    assert!(std::fs::read(desk.path("a.bin")).unwrap() == body.slice(0, u64::MAX));
}

#[tokio::test]
async fn new_speed_limit_affects_running_transfer_immediately() {
    let origin = Origin::start().await;
    let file = origin.file("/a.bin", Body::seeded(1, 64 * MIB)).gate_at(2 * MIB);
    // Use one connection. A second connection would start after the offset at which the server pauses, and could
    // receive all bytes before the limit is set.
    let desk = TransferBench::with(TransferConfig { connections: 1, ..TransferConfig::default() });
    let spec = desk.spec(origin.url("/a.bin"));
    desk.transfers.start(spec.clone());
    desk.reach(&spec, 2 * MIB).await;
    let begun = Instant::now();
    desk.transfers.limit(FlowScope::All, rate(MIB));
    file.release();
    desk.reach(&spec, 4 * MIB).await;
    // One batch may have been in flight already.
    assert!(begun.elapsed() >= least(2 * MIB - 512 * KIB, MIB));
}

#[tokio::test(flavor = "multi_thread")]
async fn several_connections_share_one_speed_limit() {
    let origin = Origin::start().await;
    let body = Body::seeded(1, 12 * MIB);
    let file = origin.file("/a.bin", body.clone());
    let config = TransferConfig { connections: 4, least_shared: 256 * KIB, least_split: 64 * KIB, ..TransferConfig::default() };
    let mut desk = TransferBench::with(config);
    desk.transfers.limit(FlowScope::All, rate(6 * MIB));
    let spec = desk.spec(origin.url("/a.bin"));
    let begun = Instant::now();
    let transfers = desk.transfers.clone();
    let (_, watched) = tokio::join!(desk.completed_with(&spec, &body), async {
        Watched::until(&transfers, || begun.elapsed() > Duration::from_millis(1500)).await
    });
    assert!(begun.elapsed() >= least(12 * MIB, 6 * MIB));
    watched.assert_no_burst(6 * MIB);
    assert!(file.requests().len() > 1, "this limit is worth more than one");
}

#[tokio::test]
async fn silence_counts_as_stall_but_throttling_does_not() {
    let origin = Origin::start().await;
    let config = TransferConfig {
        stall_timeout: Duration::from_millis(400),
        slow_window: Duration::from_millis(400),
        ..TransferConfig::default()
    };
    let mut desk = TransferBench::with(config);
    desk.transfers.limit(FlowScope::All, rate(KIB));
    // Each of the six transfers receives almost no bytes, at intervals longer than the stall timeout.
    for name in ["a", "b", "c", "d", "e", "f"] {
        origin.file(&format!("/{name}"), Body::seeded(1, 700));
        desk.transfers.start(desk.spec(origin.url(&format!("/{name}"))));
    }
    let begun = Instant::now();
    for _ in 0..6 {
        let outcome = desk.outcome().await;
        assert!(matches!(outcome, TransferOutcome::Completed(_)), "{outcome:?}");
    }
    assert!(begun.elapsed() >= least(6 * 700, KIB));
    origin.file("/silent", Body::seeded(1, 2 * MIB)).stall_after(700);
    let spec = desk.spec(origin.url("/silent"));
    let (failure, _) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::Timeout);
}

#[tokio::test]
async fn total_timeout_is_not_extended_by_speed_limit() {
    let origin = Origin::start().await;
    origin.file("/a.bin", Body::seeded(1, MIB));
    let mut desk =
        TransferBench::with(TransferConfig { total_timeout: Some(Duration::from_millis(500)), ..TransferConfig::default() });
    desk.transfers.limit(FlowScope::All, rate(4 * KIB));
    let spec = desk.spec(origin.url("/a.bin"));
    let (failure, _) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::TotalTimeout);
}

#[tokio::test]
async fn small_files_share_one_speed_limit() {
    let origin = Origin::start().await;
    let mut desk = TransferBench::new();
    desk.transfers.limit(FlowScope::All, rate(600 * KIB));
    let begun = Instant::now();
    for index in 0..60 {
        origin.file(&format!("/{index}"), Body::seeded(index, 20 * KIB));
        desk.transfers.start(desk.spec(origin.url(&format!("/{index}"))));
    }
    for _ in 0..60 {
        assert!(matches!(desk.outcome().await, TransferOutcome::Completed(_)));
    }
    assert!(begun.elapsed() >= least(1200 * KIB, 600 * KIB), "{:?}", begun.elapsed());
    for index in 0..60 {
        assert_eq!(std::fs::read(desk.path(&index.to_string())).unwrap(), content(index, 20 * KIB));
    }
}

#[tokio::test]
async fn upload_obeys_speed_limit() {
    let origin = Origin::start().await;
    let route = origin.file("/answer", Body::bytes("thanks"));
    let mut desk = TransferBench::with(TransferConfig { stall_timeout: Duration::from_secs(1), ..TransferConfig::default() });
    desk.transfers.limit(FlowScope::All, rate(256 * KIB));
    let source = desk.path("source");
    std::fs::write(&source, content(1, 512 * KIB)).unwrap();
    let spec = TransferSpec { method: Method::PUT, body: Some(source), ..desk.spec(origin.url("/answer")) };
    let begun = Instant::now();
    desk.completed(&spec).await;
    assert!(begun.elapsed() >= least(512 * KIB, 256 * KIB));
    assert_eq!(route.requests()[0].body, content(1, 512 * KIB));
}

#[tokio::test]
async fn throttled_upload_does_not_time_out() {
    let origin = Origin::start().await;
    let short = Duration::from_millis(200);
    let mut desk =
        TransferBench::with(TransferConfig { stall_timeout: short, connect_timeout: short, ..TransferConfig::default() });
    desk.transfers.limit(FlowScope::All, rate(KIB));
    let source = desk.path("source");
    std::fs::write(&source, content(1, 700)).unwrap();
    // Each of the six uploads sends its share at intervals longer than the stall timeout.
    for index in 0..6 {
        origin.file(&format!("/{index}"), Body::bytes([])).answers_with(204);
        let url = origin.url(&format!("/{index}"));
        desk.transfers.start(TransferSpec { method: Method::PUT, body: Some(source.clone()), ..desk.spec(url) });
    }
    for _ in 0..6 {
        let outcome = desk.outcome().await;
        assert!(matches!(outcome, TransferOutcome::Completed(_)), "{outcome:?}");
    }
}

#[tokio::test]
async fn speed_limit_applies_over_http2() {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    let origin = TlsOrigin::start_with_http2_alone(&authority, Shown::Good).await;
    let body = Body::seeded(1, 3 * MIB);
    origin.file("/a.bin", body.slice(0, u64::MAX));
    let http = HttpConfig { ca_certificate: Some(authority.file(folder.path())), ..HttpConfig::default() };
    let mut desk = TransferBench::with(TransferConfig { http, ..TransferConfig::default() });
    desk.transfers.limit(host("localhost"), rate(2 * MIB));
    let spec = desk.spec(origin.url("/a.bin"));
    let begun = Instant::now();
    let transfers = desk.transfers.clone();
    let (_, watched) = tokio::join!(desk.completed_with(&spec, &body), async {
        Watched::until(&transfers, || begun.elapsed() > Duration::from_millis(1300)).await
    });
    assert!(begun.elapsed() >= least(3 * MIB, 2 * MIB));
    watched.assert_no_burst(2 * MIB);
    assert!(origin.asked().iter().all(|asked| asked.version == Version::HTTP_2));
}

#[tokio::test]
async fn throttled_http2_transfer_does_not_slow_other_transfers() {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    let origin = TlsOrigin::start_with_http2_alone(&authority, Shown::Good).await;
    let (large, other) = (Body::seeded(1, 16 * MIB), Body::seeded(2, 4 * MIB));
    let http = HttpConfig { ca_certificate: Some(authority.file(folder.path())), ..HttpConfig::default() };
    let stall_timeout = Duration::from_secs(3);
    let mut desk = TransferBench::with(TransferConfig { http, stall_timeout, ..TransferConfig::default() });
    let group = Uuid::from_u128(1);
    desk.transfers.limit(FlowScope::Group(group), rate(64 * KIB));
    // On a shared connection, unread bytes of throttled transfers would fill the flow-control window.
    for index in 0..4 {
        origin.file(&format!("/{index}"), large.slice(0, u64::MAX));
        let spec = TransferSpec { group: Some(group), ..desk.spec(origin.url(&format!("/{index}"))) };
        desk.transfers.start(spec.clone());
        desk.reach(&spec, 1).await;
    }
    origin.file("/other", other.slice(0, u64::MAX));
    let spec = desk.spec(origin.url("/other"));
    desk.completed_with(&spec, &other).await;
    assert!(origin.asked().iter().all(|asked| asked.version == Version::HTTP_2));
}

#[tokio::test]
async fn throttled_transfers_do_not_share_an_http2_connection() {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    let origin = TlsOrigin::start(&authority, Shown::Good).await;
    let http = HttpConfig { ca_certificate: Some(authority.file(folder.path())), ..HttpConfig::default() };
    let mut desk = TransferBench::with(TransferConfig { http, ..TransferConfig::default() });
    desk.transfers.limit(FlowScope::All, rate(100 * MIB));
    for index in 0..12 {
        origin.file(&format!("/{index}"), "small");
        desk.transfers.start(desk.spec(origin.url(&format!("/{index}"))));
    }
    for _ in 0..12 {
        assert!(matches!(desk.outcome().await, TransferOutcome::Completed(_)));
    }
    assert!(origin.asked().iter().all(|asked| asked.version == Version::HTTP_11));
}
