//! Tests which ports are allowed in a registered URL, and which ports are refused.

use ashore_engine::NewRegistration;
use ashore_testkit::{
    home::Home,
    origin::{Body, Origin},
};

use super::assert_refused;

/// Bad ports according to the Fetch standard, listed here independently of the engine.
const BAD: &str = "0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 \
    117 119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 \
    990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080";

/// Creates a paused registration, so that local services on these ports are not contacted.
async fn assert_registers(address: &str) {
    let home = Home::open_without_fetching().await;
    let made = home.create(NewRegistration { paused: true, ..Home::ask([address]) }).await.unwrap();
    assert_eq!(home.records(made.unique_id, 0, 0).await.unwrap().len(), 1);
}

/// Item PORT-1 of the conformance list.
#[tokio::test]
async fn address_with_port_80_is_accepted() {
    assert_registers("http://127.0.0.1:80/a").await;
    assert_registers("https://127.0.0.1:80/a").await;
}

/// Item PORT-2 of the conformance list.
#[tokio::test]
async fn address_with_port_443_is_accepted() {
    assert_registers("https://127.0.0.1:443/a").await;
    assert_registers("http://127.0.0.1:443/a").await;
}

/// Item PORT-3 of the conformance list.
#[tokio::test]
async fn address_with_port_8080_is_accepted() {
    assert_registers("http://127.0.0.1:8080/a").await;
    assert_registers("https://127.0.0.1:8080/a").await;
}

/// Item PORT-4 of the conformance list.
#[tokio::test]
async fn refusal_of_address_with_port_587_names_the_port() {
    let home = Home::open().await;
    let error = assert_refused(&home, home.create(Home::ask(["https://127.0.0.1:587/a"])).await, "bad-port").await;
    assert!(error.to_string().contains("587"), "{error}");
}

/// Item PORT-5 of the conformance list.
#[tokio::test]
async fn every_bad_port_of_fetch_standard_is_refused() {
    let home = Home::open_without_fetching().await;
    for port in BAD.split_whitespace() {
        for scheme in ["http", "https"] {
            let answer = home.create(Home::ask([format!("{scheme}://127.0.0.1:{port}/a")])).await;
            assert_eq!(answer.unwrap_err().code(), "bad-port", "{port}");
        }
    }
    assert_refused(&home, home.create(Home::ask(["http://127.0.0.1:25/a"])).await, "bad-port").await;
}

/// A redirect to a bad port is refused too.
/// Item PORT-6 of the conformance list.
#[tokio::test]
async fn request_fails_on_redirect_to_bad_port() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.redirects("/a", 302, "http://127.0.0.1:25/a");
    origin.file("/b", Body::bytes("b"));
    let id = home.fetch([origin.url("/a"), origin.url("/b")]).await;
    let settled = home.settled(id).await;
    assert_eq!((settled.succeeded, settled.failed), (1, 1));
    assert_eq!(home.records(id, 0, 1).await.unwrap()[0].code.as_deref(), Some("refused-redirect"));
}
