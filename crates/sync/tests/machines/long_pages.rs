//! Tests that a page longer than the limit of the client can be read.

use ashore_sync::server::{OutgoingObject, SyncServer as _};

use crate::machine::SyncedMachine;

#[tokio::test(flavor = "multi_thread")]
async fn page_over_limit_is_read_in_smaller_pages() {
    const OBJECTS: usize = 120;
    let laptop = SyncedMachine::first("Laptop").await;
    let object = |number| OutgoingObject { id: format!("{number:03}"), payload: "x".repeat(100_000), ttl_s: None };
    let objects: Vec<OutgoingObject> = (0..OBJECTS).map(object).collect();
    laptop.server.post_batch("dl-history", &objects, None).await.unwrap();
    laptop.cycle().await.unwrap();
    let rows = laptop.home.all_sync_records("dl-history", "", 500).await.unwrap();
    assert_eq!((rows.len(), rows[0].held_code.as_deref()), (OBJECTS, Some("tampered")));
}
