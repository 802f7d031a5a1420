//! What may only go to the public internet goes nowhere else: not by its link, not by a name, not by a redirect, and not by
//! a connection that somebody else opened.

use std::{collections::HashMap, sync::Arc};

use ashore_tests::{
    origin::{Body, Origin},
    proxy::Proxy,
};
use ashore_transfer::{AddressPolicy, FailureKind, HttpConfig, ProxyRules, TransferConfig, TransferOutcome, TransferSpec};
use url::Url;

use super::desk::{Desk, assert_kind};

/// A name with an address on this machine, as a hostile server of names would say.
fn rebound(origin: &Origin) -> TransferConfig {
    let hosts = HashMap::from([("public.test".to_owned(), vec![origin.address()])]);
    TransferConfig { http: HttpConfig { hosts: Arc::new(hosts), ..HttpConfig::default() }, ..TransferConfig::default() }
}

/// Everything but this machine itself by this proxy.
fn through(proxy: &Proxy) -> TransferConfig {
    let proxies = ProxyRules::new(&proxy.url(), "", false, |_| None).unwrap();
    TransferConfig { http: HttpConfig { proxies, ..HttpConfig::default() }, ..TransferConfig::default() }
}

fn public(desk: &Desk, url: Url) -> TransferSpec {
    TransferSpec { reach: AddressPolicy::Public, ..desk.spec(url) }
}

#[tokio::test]
async fn neither_an_address_nor_a_name_of_this_machine_is_asked() {
    let origin = Origin::start().await;
    let route = origin.file("/a", Body::bytes("a"));
    let port = origin.address().port();
    let mut desk = Desk::with(rebound(&origin));
    for link in
        ["http://127.0.0.1", "http://[::1]", "http://[::ffff:127.0.0.1]", "http://localhost", "http://0", "http://public.test"]
    {
        let spec = public(&desk, Url::parse(&format!("{link}:{port}/a")).unwrap());
        assert_kind(&desk.failed(&spec).await.0, FailureKind::PrivateAddress);
    }
    assert_eq!(route.requests().len(), 0, "nobody was asked");
}

#[tokio::test]
async fn a_connection_that_is_open_for_somebody_else_is_no_way_in() {
    let origin = Origin::start().await;
    let route = origin.file("/a", Body::bytes("a"));
    let mut desk = Desk::with(rebound(&origin));
    let url = Url::parse(&format!("http://public.test:{}/a", origin.address().port())).unwrap();
    let spec = desk.spec(url.clone());
    assert!(matches!(desk.run(&spec).await, TransferOutcome::Completed(_)));
    let spec = public(&desk, url);
    assert_kind(&desk.failed(&spec).await.0, FailureKind::PrivateAddress);
    assert_eq!(route.requests().len(), 1);
}

#[tokio::test]
async fn a_redirect_into_the_house_is_not_followed() {
    let (origin, proxy) = (Origin::start().await, Proxy::http().await);
    let inside = origin.file("/inside", Body::bytes("a secret of the router"));
    let port = origin.address().port();
    // The proxy knows the name, so that somebody is there who is not on this machine as far as anybody can tell.
    let proxied = || Desk::with(through(&proxy));
    let targets = ["http://127.0.0.1", "http://localhost", "http://router.local", "http://[fe80::1]", "http://169.254.169.254"];
    for (number, target) in targets.into_iter().enumerate() {
        let path = format!("/{number}");
        origin.redirects(&path, 302, &format!("{target}:{port}/inside"));
        let mut desk = proxied();
        let spec = public(&desk, Url::parse(&format!("http://far.test:{port}{path}")).unwrap());
        assert_kind(&desk.failed(&spec).await.0, FailureKind::PrivateAddress);
    }
    assert_eq!(inside.requests().len(), 0, "the house was not asked");
    // What stays outside is fetched.
    origin.file("/outside", Body::bytes("a"));
    let mut desk = proxied();
    let spec = public(&desk, Url::parse(&format!("http://far.test:{port}/outside")).unwrap());
    assert!(matches!(desk.run(&spec).await, TransferOutcome::Completed(_)));
}

#[tokio::test]
async fn mirrors_are_held_to_it_as_well() {
    let (origin, proxy) = (Origin::start().await, Proxy::http().await);
    let body = Body::seeded(4, 3 << 20);
    origin.file("/a", body.clone());
    let mirror = origin.file("/mirror", body.clone());
    let mut desk = Desk::with(through(&proxy));
    let spec = public(&desk, Url::parse(&format!("http://far.test:{}/a", origin.address().port())).unwrap());
    let spec = TransferSpec { mirrors: vec![origin.url("/mirror")], ..spec };
    desk.completed_with(&spec, &body).await;
    assert_eq!(mirror.requests().len(), 0);
}
