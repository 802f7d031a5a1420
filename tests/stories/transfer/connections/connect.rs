//! Tests connections: the addresses of a host are raced, connections are reused, and each timeout has its own failure.

use std::{
    collections::HashMap,
    net::{Ipv6Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use ashore_testkit::origin::{Body, Origin};
use ashore_transfer::{FailureKind, HttpConfig, TransferConfig};
use tokio::net::{TcpSocket, TcpStream};
use url::Url;

use crate::transfer::desk::{TransferBench, assert_kind, eager};

/// Returns a config in which `far.test` has these addresses, in this order.
fn with_addresses(addresses: &[SocketAddr]) -> TransferConfig {
    let hosts = HashMap::from([("far.test".to_owned(), addresses.to_vec())]);
    TransferConfig { http: HttpConfig { hosts: Arc::new(hosts), ..HttpConfig::default() }, ..TransferConfig::default() }
}

fn far() -> Url {
    Url::parse("http://far.test/a.bin").unwrap()
}

/// Returns an address where connection attempts hang, because the queue of its listener is full. The caller must keep
/// the queued connections open.
async fn black_hole(address: SocketAddr) -> (SocketAddr, Vec<TcpStream>, tokio::net::TcpListener) {
    let socket = if address.is_ipv6() { TcpSocket::new_v6() } else { TcpSocket::new_v4() }.unwrap();
    socket.bind(address).unwrap();
    let listener = socket.listen(0).unwrap();
    let address = listener.local_addr().unwrap();
    let mut queue = Vec::new();
    // A backlog of 0 admits one connection, or more on some systems. Admitted connections are established immediately.
    while let Ok(Ok(stream)) = tokio::time::timeout(Duration::from_millis(300), TcpStream::connect(address)).await {
        queue.push(stream);
    }
    (address, queue, listener)
}

fn v6() -> SocketAddr {
    (Ipv6Addr::LOCALHOST, 0).into()
}

#[tokio::test]
async fn file_is_fetched_and_resumed_from_literal_ipv6_address() {
    let origin = Origin::start_on(Ipv6Addr::LOCALHOST.into()).await;
    let body = Body::seeded(1, 300_000);
    let route = origin.file("/a.bin", body.clone()).reset_after(100_000).times(1);
    let mut desk = TransferBench::new();
    let spec = desk.spec(origin.url("/a.bin"));
    assert_eq!(spec.url.host_str(), Some("[::1]"));
    let (failure, bytes) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::Reset);
    assert!(bytes > 0);
    desk.completed_with(&spec, &body).await;
    assert!(route.requests()[0].header("host").is_some_and(|host| host.starts_with("[::1]:")));
}

#[tokio::test]
async fn dead_address_of_one_ip_family_does_not_delay_other_family() {
    let origin = Origin::start().await;
    let body = Body::seeded(1, 10_000);
    origin.file("/a.bin", body.clone());
    let refusing = {
        let socket = TcpSocket::new_v6().unwrap();
        socket.bind(v6()).unwrap();
        socket
    };
    let (hole, _queue, _listener) = black_hole(v6()).await;
    for dead in [refusing.local_addr().unwrap(), hole] {
        // The addresses must be raced: trying the dead address alone would take the whole connect timeout.
        let config = TransferConfig { connect_timeout: Duration::from_secs(30), ..with_addresses(&[dead, origin.address()]) };
        let mut desk = TransferBench::with(config);
        let spec = desk.spec(far());
        let begun = tokio::time::Instant::now();
        desk.completed_with(&spec, &body).await;
        assert!(begun.elapsed() < Duration::from_secs(20), "{dead} held it up for {:?}", begun.elapsed());
    }
}

#[tokio::test]
async fn each_kind_of_timeout_is_a_distinct_failure() {
    let (hole, _queue, _listener) = black_hole(([127, 0, 0, 1], 0).into()).await;
    let mut desk = TransferBench::with(TransferConfig { connect_timeout: Duration::from_millis(200), ..with_addresses(&[hole]) });
    let spec = desk.spec(far());
    let (failure, _) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::ConnectTimeout);
    assert!(failure.is_transient());

    let origin = Origin::start().await;
    origin.file("/a.bin", Body::seeded(1, 3 << 20)).stall_after(2 << 20);
    let mut desk = TransferBench::with(TransferConfig { stall_timeout: Duration::from_secs(1), ..eager() });
    let spec = desk.spec(origin.url("/a.bin"));
    let (failure, bytes) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::Timeout);
    assert!(failure.is_transient() && bytes > 0);

    let slow = origin.file("/slow.bin", Body::seeded(2, 3 << 20)).stall_after(2 << 20);
    let mut desk = TransferBench::with(TransferConfig { total_timeout: Some(Duration::from_secs(2)), ..eager() });
    let spec = desk.spec(origin.url("/slow.bin"));
    let (failure, bytes) = desk.failed(&spec).await;
    assert_kind(&failure, FailureKind::TotalTimeout);
    assert!(!failure.is_transient() && bytes > 0, "{failure:?}, {bytes} kept");
    slow.honest();
    desk.completed_with(&spec, &Body::seeded(2, 3 << 20)).await;
}

#[tokio::test]
async fn hundred_small_files_of_one_host_use_one_connection() {
    let origin = Origin::start().await;
    let mut desk = TransferBench::new();
    let body = Body::seeded(1, 2000);
    for index in 0..100 {
        origin.file(&format!("/{index}.bin"), body.clone());
        let spec = desk.spec(origin.url(&format!("/{index}.bin")));
        desk.completed_with(&spec, &body).await;
    }
    assert_eq!(origin.connections(), 1);
}

#[tokio::test]
async fn redirect_on_same_server_reuses_the_connection() {
    let origin = Origin::start().await;
    let body = Body::seeded(1, 2000);
    origin.file("/a.bin", body.clone());
    origin.redirect_chain("/chain", 5, "/a.bin");
    let mut desk = TransferBench::new();
    let spec = desk.spec(origin.url("/chain"));
    desk.completed_with(&spec, &body).await;
    assert_eq!((origin.requests().len(), origin.connections()), (6, 1));
}
