//! Tests of machines that cannot read some records. They name the machine with the newer version, and request the
//! records again.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering::Relaxed},
};

use ashore_sync::{
    cycle::SyncEnv,
    records::{DownloadRecord, SyncRecord as _},
    server::{OutgoingObject, SyncServer as _},
    service::SyncService,
};
use serde_json::{Value, json};

use crate::{
    actions::PersonActions as _,
    household::Household,
    machine::{DAY_MS, two_machines},
};

#[tokio::test(flavor = "multi_thread")]
async fn newer_machine_is_named_while_its_record_of_newer_format_is_set_aside() {
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

    // A notice appears only if there are both a newer machine and a newer record.
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

#[tokio::test(flavor = "multi_thread")]
async fn record_that_was_set_aside_is_requested_again_after_a_day() {
    let household = Household::new().await;
    let mut laptop = household.first("Laptop").await;
    let ahead_ms = Arc::new(AtomicI64::new(0));
    let (ahead, env) = (Arc::clone(&ahead_ms), SyncEnv::default());
    let now_ms = Arc::clone(&env.now_ms);
    let env = SyncEnv { now_ms: Arc::new(move || now_ms() + ahead.load(Relaxed)), ..env };
    laptop.service = SyncService::new((*laptop.home).clone(), env);
    let spoiled = OutgoingObject { id: "spoiled".to_owned(), payload: "x".to_owned(), ttl_s: None };
    laptop.server().await.put_object(DownloadRecord::COLLECTION, &spoiled, None).await.unwrap();
    let asked = || {
        let requests = household.relay.requests();
        let lines = requests.iter().map(|request| String::from_utf8_lossy(request).lines().next().unwrap_or_default().to_owned());
        lines.filter(|line| line.starts_with("GET ") && line.contains("/storage/dl-items/spoiled")).count()
    };
    // The first cycle receives the record in a page.
    for (ahead, expected) in [(0, 0), (0, 0), (DAY_MS / 2, 0), (DAY_MS, 1), (DAY_MS, 1)] {
        ahead_ms.store(ahead, Relaxed);
        laptop.cycle().await;
        assert_eq!(asked(), expected, "{ahead} ms later");
    }
}
