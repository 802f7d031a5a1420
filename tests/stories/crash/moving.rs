//! Tests kills during the move of a download to another folder.
//!
//! The next start continues the move. No file is lost, doubled or overwritten.

use std::fs;

use ashore_testkit::{
    home::names_in,
    machine::{BUSY_DISK, Cut, Machine},
    origin::{Body, Origin, content},
};
use serde_json::json;

/// Failpoints during the move of a registration's files.
pub const POINTS: &[&str] = &[
    "engine.move-begun",
    "engine.move-partials-moved",
    "engine.move-folder-written",
    "engine.move-announced",
    "engine.move-named",
    "engine.move-written",
];

const SIZE: u64 = 2 << 20;
const HALF: u64 = SIZE / 2;

#[tokio::test(flavor = "multi_thread")]
async fn move_that_was_killed_continues_at_next_start() {
    let _disk = BUSY_DISK.lock().await;
    for point in POINTS {
        let (origin, mut machine) = (Origin::start().await, Machine::new());
        let half = origin.file("/half", Body::seeded(1, SIZE)).gate_at(HALF);
        origin.file("/done", Body::seeded(2, SIZE));
        let to = machine.target().with_file_name("elsewhere");
        fs::create_dir(&to).unwrap();
        fs::write(to.join("done"), "mine").unwrap();
        machine.serve(Some(point)).await.unwrap();
        let requests = json!([{ "url": origin.url("/done").to_string() }, { "url": origin.url("/half").to_string() }]);
        let new = json!({ "owner": "story", "developer_id": "a", "folder": machine.target(), "requests": requests });
        let id = machine.call("create", new).await.unwrap()["unique_id"].as_str().unwrap().to_owned();
        half.held().await;
        while machine.list().await.unwrap()[0]["downloaded"] != json!(SIZE + HALF) {
            machine.breath().await.unwrap();
        }
        let killed = machine.call("put_into", json!({ "unique_id": id, "folder": to })).await;
        assert!(matches!(killed, Err(Cut::Died(_))), "{point}: {killed:?}");
        half.release();
        machine.serve(None).await.unwrap();
        // The partial file's name is removed slightly after the download has ended.
        let is_tidy = |machine: &Machine| names_in(&machine.target()).is_empty() && names_in(&to).len() == 3;
        while machine.list().await.unwrap()[0]["state"] != "settled" || !is_tidy(&machine) {
            machine.breath().await.unwrap();
        }
        assert_eq!(machine.list().await.unwrap()[0]["result"], "success", "{point}");
        assert_eq!(names_in(&to), ["done", "done (1)", "half"], "{point}");
        assert!(fs::read(to.join("half")).unwrap() == content(1, SIZE), "{point}");
        assert!(fs::read(to.join("done (1)")).unwrap() == content(2, SIZE), "{point}");
        assert_eq!(fs::read(to.join("done")).unwrap(), b"mine", "{point}");
        assert!(half.requests().last().unwrap().range_start() > Some(0), "{point}: {:#?}", half.requests());
    }
}
