//! Tests downloads that one machine sends to another.

use ashore_testkit::origin::{Body, Origin};

use crate::cli::sync::household::Household;

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
    // A repeated sync delivers nothing a second time.
    for machine in [&laptop, &desktop] {
        machine.sync().await;
    }
    assert_eq!(desktop.titles().await, ["a.pdf", "b.pdf"]);
}
