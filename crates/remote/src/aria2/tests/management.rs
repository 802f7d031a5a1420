//! Calls that change the queue, addresses and the program.

use std::{os::unix::fs::PermissionsExt as _, process::Stdio, sync::Arc};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use tokio::{sync::Notify, time::timeout};

use crate::aria2::tests::peer::{Aria2Peer as _, AshorePeer, LENGTH, PATIENCE, web_server};

fn message(text: &str) -> Value {
    json!({ "code": 1, "message": text })
}

#[tokio::test]
async fn changed_position_changes_order_of_waiting_downloads() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let mut gids = Vec::new();
    for number in 0..3 {
        gids.push(peer.add_paused(&format!("{web}/ok{number}"), json!({})).await);
    }
    for (gid, offset, origin, position, order) in [
        (0, 1, "POS_SET", 1, [1, 0, 2]),
        (0, 1, "POS_CUR", 2, [1, 2, 0]),
        (2, -1, "POS_CUR", 0, [2, 1, 0]),
        (2, -1, "POS_END", 1, [1, 2, 0]),
    ] {
        assert_eq!(peer.call("aria2.changePosition", json!([gids[gid], offset, origin])).await, position);
        let waiting = peer.call("aria2.tellWaiting", json!([0, 9, ["gid"]])).await;
        assert_eq!(waiting, order.map(|at| json!({ "gid": gids[at] })).into_iter().collect::<Value>(), "{offset} {origin}");
    }
}

#[tokio::test]
async fn address_is_replaced_only_before_download_ends() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let gid = peer.add_paused(&format!("{web}/missing"), json!({})).await;
    let (old, new) = (format!("{web}/missing"), format!("{web}/ok"));
    assert_eq!(peer.call("aria2.changeUri", json!([gid, 1, [old], [new]])).await, json!([1, 1]));
    assert_eq!(peer.call("aria2.getUris", json!([gid])).await, json!([{ "status": "waiting", "uri": new }]));
    peer.call("aria2.unpause", json!([gid])).await;
    let done = peer.reach(&gid, "complete").await;
    assert_eq!(done["totalLength"], "100000");
    let refused = message(&format!("Cannot remove URIs from GID#{gid}"));
    assert_eq!(peer.call("aria2.changeUri", json!([gid, 1, [], []])).await, refused);
}

#[tokio::test]
async fn mirrors_are_removed_and_added_by_position() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let uris = |names: &[&str]| names.iter().map(|name| format!("{web}/{name}")).collect::<Vec<_>>();
    let added = peer.call("aria2.addUri", json!([uris(&["missing", "ok1", "ok2"]), { "pause": "true" }])).await;
    let gid = added.as_str().unwrap();
    let id = peer.engine.find("aria2", gid).await.unwrap().unwrap().unique_id;
    let changed = peer.call("aria2.changeUri", json!([gid, 1, uris(&["ok1"]), uris(&["ok3", "ok4"]), 1])).await;
    assert_eq!(changed, json!([1, 2]));
    assert_eq!(peer.engine.details(id, 0).await.unwrap().mirrors, uris(&["ok3", "ok4", "ok2"]));
    assert_eq!(peer.engine.records(id, 0, 1).await.unwrap()[0].url, uris(&["missing"])[0]);
    let all = peer.call("aria2.changeUri", json!([gid, 1, uris(&["missing", "ok2", "ok3", "ok4"]), []])).await;
    assert!(all["message"].as_str().unwrap().starts_with("A download needs an address."), "{all}");
    let many: Vec<String> = (0..65).map(|number| format!("{web}/ok-{number}")).collect();
    assert!(peer.call("aria2.changeUri", json!([gid, 1, [], many])).await["message"].is_string());
    // The address of the person replaces the first one, although clients see the old spelling.
    peer.engine.relink(id, 0, &format!("{web}/missing2"), None).await.unwrap();
    assert_eq!(peer.call("aria2.changeUri", json!([gid, 1, uris(&["ok4"]), []])).await, json!([1, 0]));
    assert_eq!(peer.engine.records(id, 0, 1).await.unwrap()[0].url, uris(&["missing2"])[0]);
    assert_eq!(peer.engine.details(id, 0).await.unwrap().mirrors, uris(&["ok3", "ok2"]));
    // The download continues with a mirror, because its first address fails.
    peer.call("aria2.unpause", json!([gid])).await;
    assert_eq!(peer.reach(gid, "complete").await["totalLength"], "100000");
}

#[tokio::test]
async fn simultaneous_changes_of_mirrors_are_all_kept() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let gid = peer.add_paused(&format!("{web}/ok0"), json!({})).await;
    let mirrors: Vec<String> = (1..9).map(|number| format!("{web}/ok{number}")).collect();
    let changes = mirrors.iter().map(|mirror| peer.call("aria2.changeUri", json!([gid, 1, [], [mirror]])));
    assert!(futures_util::future::join_all(changes).await.iter().all(|changed| *changed == json!([0, 1])));
    let id = peer.engine.find("aria2", &gid).await.unwrap().unwrap().unique_id;
    let mut kept = peer.engine.details(id, 0).await.unwrap().mirrors;
    kept.sort_unstable();
    assert_eq!(kept, mirrors);
}

#[tokio::test]
async fn running_download_continues_with_changed_mirrors() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let (slow, mirror) = (format!("{web}/slow1"), format!("{web}/slow2"));
    let gid = peer.call("aria2.addUri", json!([[slow]])).await;
    let gid = gid.as_str().unwrap();
    peer.wait("aria2.tellStatus", json!([gid]), |status| status["completedLength"] == "20000").await;
    assert_eq!(peer.call("aria2.changeUri", json!([gid, 1, [], [mirror], 0])).await, json!([0, 1]));
    let id = peer.engine.find("aria2", gid).await.unwrap().unwrap().unique_id;
    assert_eq!(peer.engine.details(id, 0).await.unwrap().mirrors, [mirror.as_str()]);
    let expected = json!([{ "status": "used", "uri": slow }, { "status": "waiting", "uri": mirror }]);
    assert_eq!(peer.call("aria2.getUris", json!([gid])).await, expected);
    // The transfer stops and starts again. This server knows no ranges, so it sends the first bytes again.
    let is_running = |status: &Value| status["status"] == "active" && status["completedLength"] == "20000";
    peer.wait("aria2.tellStatus", json!([gid]), is_running).await;
}

#[tokio::test]
async fn session_file_has_downloads_that_are_not_complete_without_secrets() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let options = json!({
        "gid": "00000000000000aa", "out": "b.bin", "header": ["Cookie: a=canary", "DNT: 1"], "http-user": "u",
        "http-passwd": "canary", "checksum": format!("md5={}", "0".repeat(32)),
    });
    peer.add_paused(&format!("{web}/ok1").replace("://", "://u:canary@"), options).await;
    let failed = peer.call("aria2.addUri", json!([[format!("{web}/missing")], { "gid": "00000000000000ab" }])).await;
    peer.reach(failed.as_str().unwrap(), "error").await;
    let complete = peer.call("aria2.addUri", json!([[format!("{web}/ok2")]])).await;
    peer.reach(complete.as_str().unwrap(), "complete").await;
    assert_eq!(peer.call("aria2.saveSession", json!([])).await, "OK");
    let path = peer.folder.path().join("data/aria2.session");
    let text = std::fs::read_to_string(&path).unwrap();
    let (root, zeros) = (peer.root().display().to_string(), "0".repeat(32));
    let expected = [
        format!("{web}/missing\t\n dir={root}\n gid=00000000000000ab\n"),
        format!(
            "{web}/ok1\t\n checksum=md5={zeros}\n dir={root}\n gid=00000000000000aa\n header=DNT: 1\n out=b.bin\n pause=true\n"
        ),
    ];
    assert_eq!(text, expected.concat());
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn aria2_reads_saved_session_file() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let uris = [format!("{web}/missing"), format!("{web}/ok1")];
    let added = peer.call("aria2.addUri", json!([uris, { "pause": "true", "out": "b.bin" }])).await;
    peer.call("aria2.saveSession", json!([])).await;
    let path = peer.folder.path().join("data/aria2.session");
    // Write the file again without the option that pauses the download, because aria2 has to download it.
    let text = std::fs::read_to_string(&path).unwrap().replace(" pause=true\n", "");
    std::fs::write(&path, text).unwrap();
    let mut program = tokio::process::Command::new("aria2c");
    program.args(["--no-conf", "--quiet", "--input-file"]).arg(&path).stdin(Stdio::null());
    assert!(timeout(PATIENCE, program.status()).await.unwrap().unwrap().success(), "{added}");
    assert_eq!(std::fs::read(peer.root().join("b.bin")).unwrap().len(), LENGTH);
}

#[tokio::test]
async fn metalink_with_two_files_adds_two_downloads() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let file = |name: &str, path: &str| format!("<file name=\"{name}\"><url>{web}/{path}</url></file>");
    let files = [file("a.bin", "ok1"), file("b.bin", "ok2")].concat();
    let document = format!("<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">{files}</metalink>");
    let options = json!({ "pause": "true", "gid": "00000000000000aa" });
    let gids = peer.call("aria2.addMetalink", json!([STANDARD.encode(document), options])).await;
    assert_eq!(gids.as_array().unwrap().len(), 2);
    for (gid, name) in [(&gids[0], "a.bin"), (&gids[1], "b.bin")] {
        let status = peer.call("aria2.tellStatus", json!([gid])).await;
        assert_eq!(status["files"][0]["path"], json!(peer.root().join(name)));
        peer.call("aria2.unpause", json!([gid])).await;
        peer.reach(gid.as_str().unwrap(), "complete").await;
        assert!(peer.root().join(name).exists());
    }
}

#[tokio::test]
async fn session_id_has_40_digits_and_stays_constant() {
    let peer = AshorePeer::open().await;
    let session = peer.call("aria2.getSessionInfo", json!([])).await;
    assert_eq!(session["sessionId"].as_str().unwrap().len(), 40);
    assert_eq!(peer.call("aria2.getSessionInfo", json!([])).await, session);
}

#[tokio::test]
async fn shutdown_call_notifies_stop_only_if_permitted() {
    let peer = AshorePeer::open().await;
    for method in ["aria2.shutdown", "aria2.forceShutdown"] {
        let refused = peer.call(method, json!([])).await;
        assert!(refused["message"].as_str().unwrap().contains("--aria2-may-stop"), "{refused}");
    }
    let stop = Arc::new(Notify::new());
    let peer = AshorePeer::open_stoppable(Arc::clone(&stop)).await;
    assert_eq!(peer.call("aria2.shutdown", json!([])).await, "OK");
    timeout(PATIENCE, stop.notified()).await.unwrap();
}
