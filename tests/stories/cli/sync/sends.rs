//! Tests downloads that one machine sends to another.

use std::time::Duration;

use ashore_testkit::origin::{Body, Origin};
use serde_json::json;
use tokio::time::{Instant, sleep};

use crate::cli::{
    program::SOON,
    sync::household::{Household, Machine},
};

/// Maximum time from the acknowledgement of a sent download until the other machine lists it.
const ARRIVAL: Duration = Duration::from_secs(2);

#[tokio::test(flavor = "multi_thread")]
async fn sent_download_waits_for_user_unless_sender_is_trusted() {
    let origin = Origin::start().await;
    for name in ["a", "b", "c"] {
        origin.file(&format!("/{name}.pdf"), Body::bytes(name));
    }
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let desktop = household.next(&laptop, "Desktop").await;

    let id = laptop.add(origin.url("/a.pdf").as_str()).await;
    laptop.has("a.pdf", "settled").await;
    laptop.object(&["sync", "send", &id, "desktop"]).await;
    desktop.has("a.pdf", "paused").await;
    desktop.object(&["sync", "trust", "Laptop"]).await;
    laptop.object(&["add", origin.url("/b.pdf").as_str(), "--to", "Desktop"]).await;
    desktop.has("b.pdf", "settled").await;
    assert_eq!((laptop.titles().await.len(), desktop.titles().await.len()), (1, 2));
    let sends = async || {
        laptop.sync().await;
        laptop.person.run(["sync", "sends", "--json"]).await.objects()
    };
    for title in ["a.pdf", "b.pdf"] {
        let send = laptop.wait_for("sends", &sends, |send| send["title"] == title && send["state"] == "delivered").await;
        assert_eq!(send["to"], "Desktop");
    }
    assert_eq!(laptop.refusal(&["add", origin.url("/c.pdf").as_str(), "--to", "Phone"]).await, "sync-unknown");
    // Sync again, and check that no download is delivered twice.
    for machine in [&laptop, &desktop] {
        machine.sync().await;
    }
    assert_eq!(desktop.titles().await, ["a.pdf", "b.pdf"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn sent_download_arrives_on_other_machine_within_two_seconds() {
    const SENDS: usize = 5;
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let desktop = household.next(&laptop, "Desktop").await;
    let mut times = Vec::new();
    for number in 0..SENDS {
        // Wait until both machines have nothing left to sync. Otherwise, a further cycle for other data could deliver
        // the download.
        Machine::sync_until_idle(&[&laptop, &desktop]).await;
        let (title, url) = (format!("{number}.pdf"), format!("https://files.test/{number}.pdf"));
        let mut adding = laptop.person.start(["add", &url, "--to", "Desktop", "--json"]);
        adding.line().await;
        let acknowledged = Instant::now();
        while !desktop.listed_titles().await.contains(&title) {
            assert!(acknowledged.elapsed() < SOON, "{title} does not arrive");
            sleep(Duration::from_millis(10)).await;
        }
        times.push(acknowledged.elapsed());
        assert_eq!(adding.end().await.code, Some(0));
    }
    // Use the median. A busy machine may delay one download, and a scheduled cycle may deliver one early. Neither shows
    // the usual time.
    times.sort();
    assert!(times[SENDS / 2] < ARRIVAL, "{times:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn state_of_each_sent_download_is_printed_as_sentence() {
    let origin = Origin::start().await;
    origin.file("/a.pdf", Body::bytes("a"));
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let mut desktop = household.next(&laptop, "Desktop").await;
    assert_eq!(laptop.text(&["sync", "sends"]).await, "This machine has not sent any downloads.\n");
    desktop.stop().await;
    let sent = laptop.text(&["add", origin.url("/a.pdf").as_str(), "--to", "Desktop"]).await;
    assert_eq!(sent, "Sent to Desktop.\n");
    assert_eq!(laptop.text(&["sync", "sends"]).await, "a.pdf: Desktop has not fetched it yet.\n");

    // The engine of the other machine is stopped, so the command itself reads the record of the download.
    assert_eq!(desktop.person.list().await.len(), 0);
    laptop.sync().await;
    let read = desktop.text(&["sync", "now"]).await;
    assert!(read.starts_with("Another machine sent: a.pdf\nReceived: "), "{read}");
    desktop.has("a.pdf", "paused").await;
    laptop.sync().await;
    assert_eq!(laptop.text(&["sync", "sends"]).await, "a.pdf: delivered to Desktop.\n");
    assert_eq!(laptop.objects(&["sync", "sends"]).await[0]["state"], "delivered");

    assert_eq!(desktop.text(&["sync", "trust", "Laptop"]).await, "From now on, downloads from Laptop start without asking.\n");
    let trusted = desktop.objects(&["sync", "devices"]).await;
    let is_trusted = |name: &str| trusted.iter().find(|device| device["name"] == name).unwrap()["is_trusted"].clone();
    assert_eq!((is_trusted("Laptop"), is_trusted("Desktop")), (json!(true), json!(false)));
    assert_eq!(
        desktop.text(&["sync", "trust", "Laptop", "--not"]).await,
        "From now on, downloads from Laptop wait until you start them.\n"
    );
    let trusted = desktop.objects(&["sync", "devices"]).await;
    assert!(trusted.iter().all(|device| device["is_trusted"] == false), "{trusted:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn expired_sent_download_is_shown_on_sender_and_on_recipient_that_was_off() {
    let mut household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let mut desktop = household.next(&laptop, "Desktop").await;
    desktop.stop().await;
    laptop.object(&["add", "https://files.test/a.pdf", "--to", "Desktop"]).await;
    laptop.sync().await;
    household.stop().await;
    household.start_again_with_clock("+31d").await;

    // The first cycle detects that the sent download has expired, and sends a notice about this.
    laptop.sync().await;
    let expired = laptop.text(&["sync", "sends"]).await;
    assert_eq!(expired, "a.pdf: not delivered, because Desktop was off for 30 days.\n");
    desktop.restart().await;
    desktop.sync().await;
    let missed = desktop.text(&["sync", "sends"]).await;
    let sentence = "Laptop sent it, but this machine was off for 30 days. You can send it again from Laptop.";
    assert_eq!(missed, format!("a.pdf: {sentence}\n"));
    let missed = desktop.objects(&["sync", "sends"]).await;
    assert_eq!((missed.len(), &missed[0]["state"], &missed[0]["from"]), (1, &json!("missed"), &json!("Laptop")));
    assert_eq!(desktop.titles().await, Vec::<String>::new());

    // The same download can be sent again.
    laptop.object(&["add", "https://files.test/a.pdf", "--to", "Desktop"]).await;
    desktop.has("a.pdf", "paused").await;
}
