//! Tests a limit on file sizes (`ulimit -f`, or `LimitFSIZE=` of systemd): only the file that is too large fails.

use ashore_testkit::{
    machine::Machine,
    origin::{Body, Origin},
};
use serde_json::json;

const LARGE: u64 = 16 << 20;
const SMALL: u64 = 300_000;

#[tokio::test(flavor = "multi_thread")]
async fn only_file_above_file_size_limit_of_system_fails() {
    let (origin, mut machine) = (Origin::start().await, Machine::new());
    origin.file("/known", Body::seeded(1, LARGE));
    origin.file("/unknown", Body::seeded(2, LARGE)).chunked();
    origin.file("/until-close", Body::seeded(3, LARGE)).until_close();
    // The unit of `ulimit -f` is 512 or 1024 bytes, so the limit is 4 or 8 MiB.
    machine.start_under(["sh".to_owned(), "-c".to_owned(), "ulimit -f 8192; exec \"$0\" \"$@\"".to_owned()]);
    for start in 0..2 {
        machine.serve(None).await.unwrap();
        let small = format!("small-{start}");
        origin.file(&format!("/{small}"), Body::seeded(4, SMALL));
        for name in ["known", "unknown", "until-close", &small] {
            let requests = [json!({ "url": origin.url(&format!("/{name}")) })];
            let id = format!("{name}-{start}");
            let new = json!({ "owner": "size", "developer_id": id, "folder": machine.target(), "requests": requests });
            machine.call("create", new).await.unwrap();
            let settled = machine.until(&id, "settled", |one| one["state"] == "settled").await.unwrap();
            match name {
                name if name == small => assert_eq!(settled["result"], "success", "{settled}\n{}", machine.log()),
                _ => assert_eq!(settled["failure"]["code"], "file-too-large", "{settled}\n{}", machine.log()),
            }
        }
        machine.stop().await;
    }
    let files: Vec<_> = std::fs::read_dir(machine.target()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!files.iter().any(|name| name.to_string_lossy().starts_with("known")), "refused before its first byte: {files:?}");
}
