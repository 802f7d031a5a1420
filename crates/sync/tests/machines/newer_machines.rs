//! Tests that a machine that cannot read some records names the machine whose newer version wrote them.

use ashore_sync::records::{DownloadRecord, SyncRecord as _};
use serde_json::{Value, json};

use crate::{actions::PersonActions as _, machine::two_machines};

#[tokio::test(flavor = "multi_thread")]
async fn newer_machine_is_named_while_record_of_newer_format_is_held() {
    let (laptop, desktop) = two_machines().await;
    desktop.add("a.pdf").await;
    desktop.cycle().await.unwrap();
    laptop.cycle().await.unwrap();
    let id = desktop.server.stored(DownloadRecord::COLLECTION)[0].id.clone();
    let known = desktop.record(DownloadRecord::COLLECTION, &id);
    let newer_format = json!({ "v": 2, "content": "of a later version" });
    let newer_machine = async || laptop.service.status().await.unwrap().newer_machine;
    let held = async || {
        let status = laptop.service.status().await.unwrap();
        status.collections.iter().map(|one| one.held).sum::<u64>()
    };

    // Only a newer machine together with a newer record causes a notice; each of them alone does not.
    let device = desktop.server.token().unwrap().device().to_owned();
    let mut updated: Value = desktop.record("clients", &device);
    updated["version"] = json!("999.0.0");
    desktop.put_record("clients", &device, &updated).await;
    laptop.cycle().await.unwrap();
    assert_eq!((newer_machine().await, held().await), (None, 0));
    desktop.put_record(DownloadRecord::COLLECTION, &id, &newer_format).await;
    laptop.cycle().await.unwrap();
    assert_eq!((newer_machine().await.as_deref(), held().await), (Some("Desktop"), 1));
    assert_eq!(laptop.others().await, [("a.pdf".to_owned(), "Desktop".to_owned())], "the known version stays");

    updated["version"] = json!(env!("CARGO_PKG_VERSION"));
    desktop.put_record("clients", &device, &updated).await;
    laptop.cycle().await.unwrap();
    assert_eq!((newer_machine().await, held().await), (None, 1));
    updated["version"] = json!("999.0.0");
    for (collection, id, record) in [("clients", &device, &updated), (DownloadRecord::COLLECTION, &id, &known)] {
        desktop.put_record(collection, id, record).await;
    }
    laptop.cycle().await.unwrap();
    assert_eq!((newer_machine().await, held().await), (None, 0));
}
