//! Tests which addresses a request may reach, depending on its source.
//!
//! Requests of the user may reach any address. Requests from other sources may reach only the public internet.

use ashore_engine::{Engine, NewRegistration, NewRequest, RegistrationResult, RequestSource};
use ashore_testkit::{
    home::{Home, get},
    origin::{Body, Origin},
};

/// Requests a file from a server on this machine, with `source` as the source of the request. Returns the result and
/// the failure code.
async fn asked(home: &Home, origin: &Origin, source: RequestSource) -> (RegistrationResult, Option<String>) {
    let ask = NewRegistration { source, ..Home::ask_for([get(origin.url("/a"))]) };
    let id = home.create(ask).await.unwrap().unique_id;
    let settled = home.settled(id).await;
    (settled.result, settled.failure.map(|trouble| trouble.code))
}

#[tokio::test]
async fn programs_cannot_fetch_local_addresses_unless_settings_allow_it() {
    let (origin, mut home) = (Origin::start().await, Home::open_with("local-for-programs = false\nattempts = 3").await);
    let route = origin.file("/a", Body::bytes("a"));
    for source in [RequestSource::Program, RequestSource::Feed, RequestSource::Device, RequestSource::Browser] {
        let refused = (RegistrationResult::Failure, Some("private-address".to_owned()));
        assert_eq!(asked(&home, &origin, source).await, refused, "{source:?}");
    }
    assert_eq!(route.requests().len(), 0, "no server got a request, and there was no retry");
    for (count, source) in [RequestSource::Window, RequestSource::CommandLine, RequestSource::Clipboard].into_iter().enumerate() {
        assert_eq!(asked(&home, &origin, source).await, (RegistrationResult::Success, None), "{source:?}");
        assert_eq!(route.requests().len(), count + 1);
    }
    home.close().await;
    std::fs::write(home.data().join("ashore.toml"), format!("folder = {:?}\nlocal-for-programs = true\n", home.downloads()))
        .unwrap();
    home.reopen().await;
    assert_eq!(asked(&home, &origin, RequestSource::Feed).await, (RegistrationResult::Success, None));
}

#[tokio::test]
async fn probe_does_not_bypass_local_address_check() {
    let (origin, home) = (Origin::start().await, Home::open_with("local-for-programs = false").await);
    let route = origin.file("/a", Body::bytes("a"));
    let probed = home.probe(get(origin.url("/a"))).await.unwrap();
    let request = NewRequest { probe: probed.probe, ..get(origin.url("/a")) };
    let ask = NewRegistration { source: RequestSource::Feed, ..Home::ask_for([request]) };
    let id = home.create(ask).await.unwrap().unique_id;
    let settled = home.settled(id).await;
    assert_eq!(settled.failure.map(|trouble| trouble.code).as_deref(), Some("private-address"));
    assert_eq!(route.requests().len(), 1, "the look itself");
}

#[tokio::test]
async fn probe_requested_by_program_cannot_reach_local_addresses() {
    let (origin, home) = (Origin::start().await, Home::open_with("local-for-programs = false").await);
    let route = origin.file("/a", Body::bytes("a"));
    for source in [RequestSource::Program, RequestSource::Feed, RequestSource::Device, RequestSource::Browser] {
        let probed = Engine::probe(&home, source, get(origin.url("/a"))).await.unwrap();
        assert_eq!(probed.trouble.map(|trouble| trouble.code).as_deref(), Some("private-address"), "{source:?}");
        assert_eq!((probed.probe, probed.size), (None, None));
    }
    assert_eq!(origin.connections(), 0, "no request was sent");
    assert_eq!(Engine::probe(&home, RequestSource::CommandLine, get(origin.url("/a"))).await.unwrap().trouble, None);
    assert_eq!(route.requests().len(), 1);
}
