//! Tests machines whose sync server later presents another certificate.

use std::fs;

use ashore_testkit::sync_server::relay::ServerRelay;
use serde_json::{Value, json};

use crate::cli::sync::household::{Household, Machine};

/// Maximum size of an encrypted alert, in bytes. A client ends a handshake with such an alert. Requests are longer,
/// because they contain a token.
const ALERT: usize = 40;

#[tokio::test(flavor = "multi_thread")]
async fn known_sync_server_with_changed_certificate_receives_no_data() {
    let mut household = Household::with_new_certificate().await;
    let relay = ServerRelay::start(&household.server.address).await;
    // The machines know only the address of the relay.
    let through_relay = |link: &str| link.replace(&household.server.address, &relay.address());
    let laptop = Machine::new().await;
    let link = through_relay(household.server.set_up_link().unwrap());
    laptop.object(&["sync", "setup", &link, "--name", "Laptop"]).await;
    let desktop = Machine::new().await;
    desktop.joins(&laptop, "Desktop").await;
    Machine::sync_until_idle(&[&laptop, &desktop]).await;
    assert!(relay.encrypted_bytes().iter().any(|count| *count > ALERT), "requests pass the relay");

    let own = household.place.own_certificate();
    let kept = own.each_ref().map(|path| fs::read(path).unwrap());
    household.stop().await;
    household.server = household.place.start_with_new_certificate("127.0.0.1:0").await.unwrap();
    relay.point_at(&household.server.address);
    laptop.object(&["add", "https://files.test/a.pdf", "--paused"]).await;
    let error = laptop.refusal_in_words(&["sync", "now"], "").await;
    let sentence = "The server shows a different certificate, so nothing was sent. \
                    If the server is a new one, turn sync off and join again.";
    assert_eq!((&error["code"], &error["text"]), (&json!("sync-certificate"), &json!(sentence)));
    let status = laptop.object(&["sync", "status"]).await;
    assert_eq!(status["fault"]["code"], "sync-certificate");
    assert!(laptop.text(&["sync"]).await.contains(sentence));
    let sent = relay.encrypted_bytes();
    assert!(!sent.is_empty() && sent.iter().all(|count| *count <= ALERT), "{sent:?}");

    // The server presents the known certificate again. Now the waiting change is sent.
    household.stop().await;
    for (path, content) in own.iter().zip(kept) {
        fs::write(path, content).unwrap();
    }
    household.server = household.place.start_with_own_certificate("127.0.0.1:0").await.unwrap();
    relay.point_at(&household.server.address);
    laptop.sync().await;
    desktop.sees("a.pdf", "paused").await;
    assert_eq!(laptop.object(&["sync", "status"]).await["fault"], Value::Null);
}
