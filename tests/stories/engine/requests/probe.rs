//! Tests the probe before a download is added.
//!
//! The probe is the first request of the download, and its answer is used as the file.

use ashore_engine::{NewRequest, ProbeReport, RegistrationResult};
use ashore_testkit::{
    home::{Home, get},
    origin::{Body, Origin, content},
    waits::in_time,
};

const MIB: u64 = 1 << 20;

#[tokio::test]
async fn probe_answer_becomes_the_file_without_second_request() {
    let (origin, home) = (Origin::start().await, Home::open_with("connections = 1").await);
    // Large and small files are handled by different code.
    for (name, length) in [("large.iso", 20 * MIB), ("small.txt", 700)] {
        let path = format!("/{name}");
        let once = origin.file(&path, Body::seeded(1, length)).header("Accept-Ranges", "bytes").one_shot(403);
        let probed = home.probe(get(origin.url(&path))).await.unwrap();
        assert_eq!((probed.name.as_deref(), probed.size, probed.may_resume), (Some(name), Some(length), Some(true)));
        assert_eq!(probed.trouble, None);
        assert!(home.names().iter().all(|other| !other.starts_with(name)), "nothing is written before the download is added");

        let request = NewRequest { probe: probed.probe, ..get(origin.url(&path)) };
        let id = home.create(Home::ask_for([request])).await.unwrap().unique_id;
        assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
        assert!(home.bytes(name) == content(1, length));
        assert_eq!(once.requests().len(), 1, "{name} was requested once");
    }
}

#[tokio::test]
async fn unused_probe_closes_its_connection() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let held = origin.file("/a.iso", Body::seeded(1, 8 * MIB)).gate_at(1000);
    let probed = home.probe(get(origin.url("/a.iso"))).await.unwrap();
    held.held().await;
    home.release_probe(probed.probe.unwrap());
    in_time("the connection is closed", held.left()).await;
}

#[tokio::test]
async fn probe_answer_is_used_only_once_and_only_by_matching_request() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    for name in ["a", "b"] {
        origin.file(&format!("/{name}"), Body::bytes(name));
    }
    let probe = home.probe(get(origin.url("/a"))).await.unwrap().probe;
    let other = NewRequest { probe, ..get(origin.url("/b")) };
    let id = home.create(Home::ask_for([other])).await.unwrap().unique_id;
    home.settled(id).await;
    assert_eq!(home.bytes("b"), b"b");

    let probe = home.probe(get(origin.url("/a"))).await.unwrap().probe;
    let twice = [NewRequest { probe, ..get(origin.url("/a")) }, NewRequest { probe, ..get(origin.url("/a")) }];
    let id = home.create(Home::ask_for(twice)).await.unwrap().unique_id;
    assert_eq!(home.settled(id).await.succeeded, 2);
    assert_eq!(home.bytes("a"), b"a");
}

#[tokio::test]
async fn file_is_fetched_again_if_crash_loses_its_probe() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a.iso", Body::seeded(1, 2 * MIB));
    let probe = home.probe(get(origin.url("/a.iso"))).await.unwrap().probe;
    home.pause(None).await.unwrap();
    let request = NewRequest { probe, ..get(origin.url("/a.iso")) };
    let id = home.create(Home::ask_for([request])).await.unwrap().unique_id;
    home.crash().await;
    home.reopen().await;
    home.resume(None).await.unwrap();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert!(home.bytes("a.iso") == content(1, 2 * MIB));
    assert_eq!(file.requests().len(), 2);
}

#[tokio::test]
async fn probe_reports_failure_before_download_is_added() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.refuses("/gone", 404);
    origin.file("/page.zip", Body::bytes("")).login_page();
    origin.file("/live", Body::bytes("unknown")).chunked();
    let code = async |path| {
        let probed = home.probe(get(origin.url(path))).await.unwrap();
        (probed.trouble.map(|trouble| trouble.code), probed.probe.is_some())
    };
    assert_eq!(home.probe(get(origin.url("/gone"))).await.unwrap().status, Some(404));
    assert_eq!(code("/gone").await, (Some("bad-status".to_owned()), false));
    assert_eq!(code("/page.zip").await, (Some("web-page".to_owned()), true));
    let live = home.probe(get(origin.url("/live"))).await.unwrap();
    assert_eq!((live.size, live.trouble), (None, None));
    home.pause(None).await.unwrap();
    let before = origin.requests().len();
    let (gate, waits) = code("/live").await;
    assert!(gate.is_some() && !waits, "a closed gate is not gone around");
    assert_eq!(origin.requests().len(), before);
    assert_eq!(home.probe(get("ftp://a.example/")).await.unwrap_err().code(), "bad-scheme");
    let upload = NewRequest { upload_file: Some(home.source("up", b"x")), ..get(origin.url("/up")) };
    assert_eq!(home.probe(upload).await.unwrap_err().code(), "invalid");
}

#[tokio::test]
async fn probe_reports_media_type_and_content_coding_and_validators() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let fields = |report: ProbeReport| [report.content_type, report.content_encoding, report.etag, report.last_modified];
    origin.file("/plain", Body::bytes("a")).no_validators();
    assert_eq!(fields(home.probe(get(origin.url("/plain"))).await.unwrap()), [None, None, None, None]);
    let stated = origin.file("/stated", Body::bytes("a")).etag("W/\"1\"").last_modified("Thu, 22 Oct 2015 07:28:00 GMT");
    stated.header("Content-Type", "text/csv; charset=utf-8").header("Content-Encoding", "x-a").header("Content-Encoding", "x-b");
    let report = home.probe(get(origin.url("/stated"))).await.unwrap();
    let expected = ["text/csv; charset=utf-8", "x-a, x-b", "W/\"1\"", "Thu, 22 Oct 2015 07:28:00 GMT"];
    assert_eq!(fields(report), expected.map(|value| Some(value.to_owned())));
    origin.refuses("/gone", 404);
    assert_eq!(fields(home.probe(get(origin.url("/gone"))).await.unwrap()), [None, None, None, None], "an error is no file");
}

#[tokio::test]
async fn number_of_open_probes_is_limited() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let first = origin.file("/first", Body::seeded(1, 8 * MIB)).gate_at(1000);
    home.probe(get(origin.url("/first"))).await.unwrap();
    first.held().await;
    for number in 0..40 {
        let path = format!("/{number}");
        origin.file(&path, Body::seeded(1, 8 * MIB));
        home.probe(get(origin.url(&path))).await.unwrap();
    }
    in_time("the oldest probe is dropped", first.left()).await;
}
