//! TLS servers: certificate checks, their failures, and HTTP/2.

use std::time::Duration;

use ashore_testkit::{
    origin::{Body, Origin},
    tls::{Authority, Http2Fault, Shown, TlsOrigin},
};
use ashore_transfer::{FailureKind, HttpConfig, TransferConfig, TransferOutcome};
use http::Version;

use crate::transfer::desk::{TransferBench, assert_kind, eager};

/// Returns a config that trusts `authority`. Writes the authority's certificate into `folder`.
fn trusting(authority: &Authority, folder: &tempfile::TempDir) -> TransferConfig {
    let http = HttpConfig { ca_certificate: Some(authority.file(folder.path())), ..HttpConfig::default() };
    TransferConfig { http, ..TransferConfig::default() }
}

#[tokio::test]
async fn private_certificate_authority_is_trusted_only_when_configured() {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    let origin = TlsOrigin::start(&authority, Shown::Good).await;
    let body = Body::seeded(1, 500_000);
    origin.file("/a.bin", body.slice(0, u64::MAX));
    let mut desk = TransferBench::with(trusting(&authority, &folder));
    for host in ["localhost", "127.0.0.1"] {
        let spec = desk.spec(origin.url_as(host, "/a.bin"));
        desk.completed_with(&spec, &body).await;
    }
    let mut desk = TransferBench::new();
    let spec = desk.spec(origin.url("/a.bin"));
    let (failure, _) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::CertificateUntrusted);
}

#[tokio::test]
async fn each_kind_of_bad_certificate_is_a_distinct_failure_and_nothing_is_fetched() {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    for (shown, kind) in [
        (Shown::Expired, FailureKind::CertificateExpired),
        (Shown::SelfSigned, FailureKind::CertificateUntrusted),
        (Shown::Anothers, FailureKind::CertificateName),
    ] {
        let origin = TlsOrigin::start(&authority, shown).await;
        origin.file("/a.bin", "secret");
        let mut desk = TransferBench::with(trusting(&authority, &folder));
        let spec = desk.spec(origin.url("/a.bin"));
        let (failure, _) = desk.failed(&spec).await;
        assert_kind(&failure, kind);
        assert!(!failure.is_transient(), "{failure:?}");
        assert_eq!((origin.asked().len(), desk.names()), (0, Vec::new()), "{shown:?}");
    }
}

#[tokio::test]
async fn transfers_after_the_sixth_share_one_http2_connection() {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    let origin = TlsOrigin::start(&authority, Shown::Good).await;
    let mut desk = TransferBench::with(trusting(&authority, &folder));
    for index in 0..40 {
        origin.file(&format!("/{index}"), "small");
        desk.transfers.start(desk.spec(origin.url(&format!("/{index}"))));
    }
    for _ in 0..40 {
        assert!(matches!(desk.outcome().await, TransferOutcome::Completed(_)));
    }
    let shared = origin.asked().iter().filter(|asked| asked.version == Version::HTTP_2).count();
    assert_eq!(shared, 40 - 6);
}

#[tokio::test]
async fn single_file_uses_http1_segments_despite_http2_support() {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    let origin = TlsOrigin::start(&authority, Shown::Good).await;
    let body = Body::seeded(1, 4 << 20);
    origin.file("/a.bin", body.slice(0, u64::MAX));
    let config = TransferConfig { least_shared: 1 << 20, least_split: 256 << 10, ..trusting(&authority, &folder) };
    let mut desk = TransferBench::with(config);
    let spec = desk.spec(origin.url("/a.bin"));
    desk.completed_with(&spec, &body).await;
    assert!(origin.connections() > 1);
    assert!(origin.asked().iter().all(|asked| asked.version == Version::HTTP_11));
}

/// Returns a test bench with six running transfers from `origin`.
///
/// A seventh transfer would share an HTTP/2 connection with some of them.
async fn crowded(origin: &TlsOrigin, config: TransferConfig) -> TransferBench {
    let desk = TransferBench::with(config);
    for index in 0..6 {
        origin.drips(&format!("/{index}"), 1 << 20);
        desk.transfers.start(desk.spec(origin.url(&format!("/{index}"))));
    }
    while origin.asked().len() < 6 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    desk
}

const FAULTS: [(Http2Fault, FailureKind); 3] = [
    (Http2Fault::GoesAway, FailureKind::Reset),
    (Http2Fault::Resets, FailureKind::Reset),
    (Http2Fault::Stalls, FailureKind::Timeout),
];

/// Config with a short stall timeout if `fault` is a stall.
///
/// The timeout for other faults is long, so that a short pause of a busy machine does not count as a stall.
fn stall_sensitive_config(fault: Http2Fault) -> TransferConfig {
    match fault {
        Http2Fault::Stalls => TransferConfig { stall_timeout: Duration::from_secs(2), ..eager() },
        Http2Fault::GoesAway | Http2Fault::Resets => eager(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn third_connection_uses_http1_when_broken_http2_transfer_resumes() {
    for (fault, kind) in FAULTS {
        let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
        let origin = TlsOrigin::start(&authority, Shown::Good).await;
        origin.breaks_http2(fault);
        let config = stall_sensitive_config(fault);
        let mut desk = crowded(&origin, TransferConfig { http: trusting(&authority, &folder).http, ..config }).await;
        let body = Body::seeded(1, 4 << 20);
        origin.file("/a.bin", body.slice(0, u64::MAX));
        let spec = desk.spec(origin.url("/a.bin"));
        let mut kept = vec![None];
        for _ in 0..2 {
            let (failure, bytes) = desk.failed(&spec).await;
            assert_kind(&failure, kind);
            assert!(bytes >= 1 << 20, "{fault:?}: {bytes}");
            kept.push(Some(format!("bytes={}-", bytes - (64 << 10))));
        }
        desk.completed_with(&spec, &body).await;
        let asked = origin.asked().into_iter().filter(|asked| asked.path == "/a.bin").collect::<Vec<_>>();
        let versions = asked.iter().map(|asked| asked.version).collect::<Vec<_>>();
        assert_eq!(versions, [Version::HTTP_2, Version::HTTP_2, Version::HTTP_11], "{fault:?}");
        let ranges = asked.iter().map(|asked| Some(asked.headers.get("range")?.to_str().unwrap().to_owned()));
        assert_eq!(ranges.collect::<Vec<_>>(), kept, "{fault:?}");
        assert_eq!(origin.connections(), 6 + 3, "{fault:?}: each try uses a new connection");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn server_that_supports_only_broken_http2_is_retried_over_http2() {
    for (fault, kind) in FAULTS {
        let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
        let origin = TlsOrigin::start_with_http2_alone(&authority, Shown::Good).await;
        origin.breaks_http2(fault);
        let config = stall_sensitive_config(fault);
        let mut desk = TransferBench::with(TransferConfig { http: trusting(&authority, &folder).http, ..config });
        origin.file("/a.bin", Body::seeded(1, 4 << 20).slice(0, u64::MAX));
        let spec = desk.spec(origin.url("/a.bin"));
        let mut before = 0;
        for _ in 0..4 {
            let (failure, bytes) = desk.failed(&spec).await;
            assert_kind(&failure, kind);
            assert!(bytes > before, "{fault:?}: {bytes} after {before}");
            before = bytes;
        }
        assert_eq!(origin.connections(), 4, "{fault:?}");
    }
}

#[tokio::test]
async fn http2_only_server_is_supported() {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    let origin = TlsOrigin::start_with_http2_alone(&authority, Shown::Good).await;
    let body = Body::seeded(1, 100_000);
    origin.file("/a.bin", body.slice(0, u64::MAX));
    let mut desk = TransferBench::with(trusting(&authority, &folder));
    let spec = desk.spec(origin.url("/a.bin"));
    desk.completed_with(&spec, &body).await;
    assert_eq!(origin.asked()[0].version, Version::HTTP_2);
    let mut config = trusting(&authority, &folder);
    config.http.http2 = false;
    let mut desk = TransferBench::with(config);
    let spec = desk.spec(origin.url("/a.bin"));
    let (failure, _) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::TlsHandshake);
}

#[tokio::test]
async fn http1_connection_is_reused_when_either_side_lacks_http2() {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    let old = TlsOrigin::start_without_http2(&authority, Shown::Good).await;
    let new = TlsOrigin::start(&authority, Shown::Good).await;
    let body = Body::seeded(1, 5000);
    for (origin, http2) in [(&old, true), (&new, false)] {
        origin.file("/a.bin", body.slice(0, u64::MAX));
        let mut config = trusting(&authority, &folder);
        config.http.http2 = http2;
        let mut desk = TransferBench::with(config);
        for _ in 0..10 {
            let spec = desk.spec(origin.url("/a.bin"));
            desk.completed_with(&spec, &body).await;
        }
        assert_eq!(origin.connections(), 1);
        assert!(origin.asked().iter().all(|asked| asked.version == Version::HTTP_11));
    }
}

#[tokio::test]
async fn redirect_from_https_to_http_needs_permission() {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    let (secure, plain) = (TlsOrigin::start(&authority, Shown::Good).await, Origin::start().await);
    let body = Body::seeded(1, 1000);
    let route = plain.file("/a.bin", body.clone());
    secure.redirects("/down", plain.url("/a.bin").as_str());
    let mut config = trusting(&authority, &folder);
    let mut desk = TransferBench::with(config.clone());
    let spec = desk.spec(secure.url("/down"));
    let (failure, _) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::RefusedRedirect);
    assert_eq!(route.requests().len(), 0);
    config.http.insecure_redirects = true;
    let mut desk = TransferBench::with(config);
    let mut spec = desk.spec(secure.url("/down"));
    spec.headers = [("Authorization", "Bearer canary"), ("Referer", secure.url("/page").as_str())]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec();
    desk.completed_with(&spec, &body).await;
    assert_eq!(desk.heads[0].url_chain, [secure.url("/down").to_string(), plain.url("/a.bin").to_string()]);
    let request = &route.requests()[0];
    assert_eq!((request.header("authorization"), request.header("referer")), (None, None));
}
