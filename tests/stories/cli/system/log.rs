//! Tests that the engine works as usual if its log cannot be written.

use ashore_testkit::{
    machine::Machine,
    origin::{Body, Origin, content},
};
use serde_json::json;

const SIZE: u64 = 3 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn downloads_complete_although_log_cannot_be_written() {
    let logs = [
        ("on a full disk", "RUST_LOG=trace exec \"$0\" \"$@\" 2>/dev/full"),
        ("closed", "RUST_LOG=trace exec \"$0\" \"$@\" 2>&-"),
        ("without a reader", "mkfifo gone; exec 3<>gone 4>gone 3<&-; RUST_LOG=trace exec \"$0\" \"$@\" 2>&4 4>&-"),
        ("that nobody reads", "mkfifo held; exec 3<>held; RUST_LOG=trace exec \"$0\" \"$@\" 2>&3"),
    ];
    for (log, shell) in logs {
        let (origin, mut machine) = (Origin::start().await, Machine::new());
        origin.file("/file", Body::seeded(1, SIZE));
        let folder = machine.data();
        machine.start_under(["sh".to_owned(), "-c".to_owned(), format!("cd '{}'; {shell}", folder.display())]);
        machine.serve(None).await.unwrap_or_else(|died| panic!("{log}: {died:?}"));
        for name in ["first", "second"] {
            let requests = [json!({ "url": origin.url("/file"), "name": name })];
            let new = json!({ "owner": "log", "developer_id": name, "folder": machine.target(), "requests": requests });
            machine.call("create", new).await.unwrap();
            let settled = machine.until(name, "settled", |one| one["state"] == "settled").await.unwrap();
            assert_eq!(settled["result"], "success", "{log}: {settled}");
            assert!(std::fs::read(machine.target().join(name)).unwrap() == content(1, SIZE), "{log}");
        }
        machine.stop().await;
    }
}
