//! Transfers that are restricted to the public internet never reach private addresses.
//!
//! A private address is not reached by a link, a name or a redirect, nor through an existing connection of another
//! transfer.

use std::{collections::HashMap, sync::Arc};

use ashore_testkit::{
    origin::{Body, Origin},
    proxy::Proxy,
};
use ashore_transfer::{AddressPolicy, FailureKind, HttpConfig, ProxyRules, TransferConfig, TransferOutcome, TransferSpec};
use url::Url;

use crate::transfer::desk::{TransferBench, assert_kind};

/// Config in which a host name resolves to this machine, as in a DNS rebinding attack.
fn rebound(origin: &Origin) -> TransferConfig {
    let hosts = HashMap::from([("public.test".to_owned(), vec![origin.address()])]);
    TransferConfig { http: HttpConfig { hosts: Arc::new(hosts), ..HttpConfig::default() }, ..TransferConfig::default() }
}

/// Config that sends all requests except those to loopback through this proxy.
fn through(proxy: &Proxy) -> TransferConfig {
    let proxies = ProxyRules::new(&proxy.url(), "", false, |_| None).unwrap();
    TransferConfig { http: HttpConfig { proxies, ..HttpConfig::default() }, ..TransferConfig::default() }
}

fn public(desk: &TransferBench, url: Url) -> TransferSpec {
    TransferSpec { reach: AddressPolicy::Public, ..desk.spec(url) }
}

#[tokio::test]
async fn private_addresses_and_names_are_never_contacted() {
    let origin = Origin::start().await;
    let route = origin.file("/a", Body::bytes("a"));
    let port = origin.address().port();
    let mut desk = TransferBench::with(rebound(&origin));
    for link in
        ["http://127.0.0.1", "http://[::1]", "http://[::ffff:127.0.0.1]", "http://localhost", "http://0", "http://public.test"]
    {
        let spec = public(&desk, Url::parse(&format!("{link}:{port}/a")).unwrap());
        assert_kind(&desk.failed(&spec).await.0, FailureKind::PrivateAddress);
    }
    assert_eq!(route.requests().len(), 0, "no server got a request");
}

#[tokio::test]
async fn existing_connection_does_not_bypass_private_address_restriction() {
    let origin = Origin::start().await;
    let route = origin.file("/a", Body::bytes("a"));
    let mut desk = TransferBench::with(rebound(&origin));
    let url = Url::parse(&format!("http://public.test:{}/a", origin.address().port())).unwrap();
    let spec = desk.spec(url.clone());
    assert!(matches!(desk.run(&spec).await, TransferOutcome::Completed(_)));
    let spec = public(&desk, url);
    assert_kind(&desk.failed(&spec).await.0, FailureKind::PrivateAddress);
    assert_eq!(route.requests().len(), 1);
}

#[tokio::test]
async fn redirect_to_private_address_is_not_followed() {
    let (origin, proxy) = (Origin::start().await, Proxy::http().await);
    let inside = origin.file("/inside", Body::bytes("a secret of the router"));
    let port = origin.address().port();
    // The proxy resolves the name, so the client cannot tell that the server is on this machine.
    let proxied = || TransferBench::with(through(&proxy));
    let targets = ["http://127.0.0.1", "http://localhost", "http://router.local", "http://[fe80::1]", "http://169.254.169.254"];
    for (number, target) in targets.into_iter().enumerate() {
        let path = format!("/{number}");
        origin.redirects(&path, 302, &format!("{target}:{port}/inside"));
        let mut desk = proxied();
        let spec = public(&desk, Url::parse(&format!("http://far.test:{port}{path}")).unwrap());
        assert_kind(&desk.failed(&spec).await.0, FailureKind::PrivateAddress);
    }
    assert_eq!(inside.requests().len(), 0, "the local server got no request");
    // Targets that are not known to be private are fetched.
    origin.file("/outside", Body::bytes("a"));
    let mut desk = proxied();
    let spec = public(&desk, Url::parse(&format!("http://far.test:{port}/outside")).unwrap());
    assert!(matches!(desk.run(&spec).await, TransferOutcome::Completed(_)));
}

#[tokio::test]
async fn private_address_restriction_applies_to_mirrors() {
    let (origin, proxy) = (Origin::start().await, Proxy::http().await);
    let body = Body::seeded(4, 3 << 20);
    origin.file("/a", body.clone());
    let mirror = origin.file("/mirror", body.clone());
    let mut desk = TransferBench::with(through(&proxy));
    let spec = public(&desk, Url::parse(&format!("http://far.test:{}/a", origin.address().port())).unwrap());
    let spec = TransferSpec { mirrors: vec![origin.url("/mirror")], ..spec };
    desk.completed_with(&spec, &body).await;
    assert_eq!(mirror.requests().len(), 0);
}
