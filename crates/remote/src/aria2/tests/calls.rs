//! Calls of the interface over HTTP.

use ashore_engine::{EngineEvent, NewRegistration, NewRequest, RegistrationResult, RequestSource, SignIn};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::aria2::tests::peer::{Aria2Peer as _, AshorePeer, LENGTH, PATIENCE, request, web_server};

fn message(text: &str) -> Value {
    json!({ "code": 1, "message": text })
}

#[tokio::test]
async fn status_of_added_download_has_all_fields_after_completion() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let gid = peer.call("aria2.addUri", json!([[format!("{web}/ok1")]])).await;
    let gid = gid.as_str().unwrap();
    let done = peer.reach(gid, "complete").await;
    let path = peer.root().join("ok1");
    let expected = json!({
        "bitfield": "80", "completedLength": "100000", "connections": "0", "dir": peer.root(), "downloadSpeed": "0",
        "errorCode": "0", "errorMessage": "",
        "files": [{
            "completedLength": "100000", "index": "1", "length": "100000", "path": path, "selected": "true",
            "uris": [{ "status": "used", "uri": format!("{web}/ok1") }],
        }],
        "gid": gid, "numPieces": "1", "pieceLength": "1048576", "status": "complete", "totalLength": "100000",
        "uploadLength": "0", "uploadSpeed": "0",
    });
    assert_eq!(done, expected);
    assert_eq!(std::fs::read(path).unwrap().len(), LENGTH);
}

#[tokio::test]
async fn download_of_missing_file_fails_with_error_code_3() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let gid = peer.call("aria2.addUri", json!([[format!("{web}/missing")]])).await;
    let failed = peer.reach(gid.as_str().unwrap(), "error").await;
    assert_eq!(failed["errorCode"], "3");
    assert!(!failed["errorMessage"].as_str().unwrap().is_empty());
}

#[tokio::test]
async fn gid_and_options_survive_restart() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let options = json!({ "gid": "0123456789ABCDEF", "out": "b.bin", "split": "3", "header": ["Cookie: canary=1", "X-A: b"] });
    assert_eq!(peer.add_paused(&format!("{web}/ok"), options).await, "0123456789abcdef");
    let peer = peer.restart().await;
    let kept = peer.call("aria2.getOption", json!(["01234"])).await;
    assert_eq!((&kept["out"], &kept["split"], &kept["header"]), (&json!("b.bin"), &json!("3"), &json!("X-A: b\n")));
    assert_eq!(kept["max-tries"], "5");
    assert_eq!(peer.call("aria2.tellStatus", json!(["0", ["status"]])).await, json!({ "status": "paused" }));
    let id = peer.engine.find("aria2", "0123456789abcdef").await.unwrap().unwrap().unique_id;
    assert_eq!(peer.engine.owner_choices(id).await.unwrap().connections, Some(3));
}

#[tokio::test]
async fn chosen_gid_is_refused_if_another_download_or_stored_result_has_it() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let add = json!([[format!("{web}/ok")], { "gid": "00000000000000aa" }]);
    assert_eq!(peer.call("aria2.addUri", add.clone()).await, "00000000000000aa");
    assert_eq!(peer.call("aria2.addUri", add.clone()).await, message("No URI to download."));
    peer.reach("00000000000000aa", "complete").await;
    assert_eq!(peer.call("aria2.addUri", add.clone()).await, message("No URI to download."));
    assert_eq!(peer.call("aria2.removeDownloadResult", json!(["aa"])).await, message("GID aa is not found"));
    assert_eq!(peer.call("aria2.removeDownloadResult", json!(["00000000000000aa"])).await, "OK");
    assert_eq!(peer.call("aria2.addUri", add).await, "00000000000000aa");
}

#[tokio::test]
async fn removed_results_stay_in_history() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    for number in 0..3 {
        let gid = peer.call("aria2.addUri", json!([[format!("{web}/ok{number}")]])).await;
        peer.reach(gid.as_str().unwrap(), "complete").await;
    }
    assert_eq!(peer.call("aria2.tellStopped", json!([0, 9, ["gid"]])).await.as_array().unwrap().len(), 3);
    assert_eq!(peer.call("aria2.purgeDownloadResult", json!([])).await, "OK");
    assert_eq!(peer.call("aria2.tellStopped", json!([0, 9])).await, json!([]));
    assert_eq!(peer.engine.list(ashore_engine::ListQuery::default()).await.unwrap().len(), 3);
}

#[tokio::test]
async fn removal_leaves_a_result_only_if_the_download_was_running() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let waiting = peer.add_paused(&format!("{web}/ok"), json!({})).await;
    assert_eq!(peer.call("aria2.remove", json!([waiting])).await, waiting);
    assert_eq!(peer.call("aria2.tellStatus", json!([waiting])).await, message(&format!("GID {waiting} is not found")));
    let running = peer.call("aria2.addUri", json!([[format!("{web}/slow")]])).await;
    let running = running.as_str().unwrap();
    peer.reach(running, "active").await;
    assert_eq!(peer.call("aria2.forceRemove", json!([running])).await, running);
    let removed = peer.reach(running, "removed").await;
    assert_eq!((&removed["errorCode"], &removed["errorMessage"]), (&json!("31"), &json!("")));
}

#[tokio::test]
async fn scope_of_secret_limits_methods() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let uris = json!([format!("{web}/ok")]);
    let refused = message("Unauthorized");
    for (secret, may_read, may_add, may_control) in
        [("wrong", false, false, false), ("read", true, false, false), ("add", true, true, false)]
    {
        let token = format!("token:{secret}");
        assert_eq!(peer.call("aria2.getVersion", json!([token])).await != refused, may_read, "{secret}");
        let added = peer.call("aria2.addUri", json!([token, uris, { "pause": "true" }])).await;
        assert_eq!(added != refused, may_add, "{secret}");
        assert_eq!(peer.call("aria2.pauseAll", json!([token])).await != refused, may_control, "{secret}");
        let expected = if may_read { message("No such method: x") } else { refused.clone() };
        assert_eq!(peer.call("x", json!([token])).await, expected);
    }
    let calls = json!([[
        { "methodName": "aria2.getVersion", "params": ["token:wrong"] },
        { "methodName": "system.listNotifications" },
    ]]);
    let answers = peer.call("system.multicall", calls).await;
    assert_eq!((&answers[0], answers[1][0].as_array().unwrap().len()), (&refused, 6));
}

#[tokio::test]
async fn folder_outside_roots_is_refused() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let refused = message("We encountered a problem while processing the option '--dir'.");
    let other = tempfile::tempdir().unwrap();
    for folder in [other.path().to_owned(), peer.root().join("../x"), peer.folder.path().join("data")] {
        let added = peer.call("aria2.addUri", json!([[format!("{web}/ok")], { "dir": folder }])).await;
        assert_eq!(added, refused, "{}", folder.display());
        assert_eq!(peer.call("aria2.changeGlobalOption", json!([{ "dir": folder }])).await, refused);
    }
    let inside = peer.root().join("a/b");
    let gid = peer.add_paused(&format!("{web}/ok"), json!({ "dir": inside, "out": "../../x" })).await;
    assert_eq!(peer.call("aria2.unpause", json!([gid])).await, gid);
    let done = peer.reach(&gid, "complete").await;
    let path = done["files"][0]["path"].as_str().unwrap();
    assert_eq!(std::path::Path::new(path).parent().unwrap(), inside);
}

#[tokio::test]
async fn headers_and_credentials_reach_server() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let options = json!({
        "out": "echo", "header": ["X-A: b", "Range: bytes=5-"], "referer": "http://r.test/", "user-agent": "agent",
        "http-user": "u", "http-passwd": "p",
    });
    let gid = peer.call("aria2.addUri", json!([[format!("{web}/echo")], options])).await;
    peer.reach(gid.as_str().unwrap(), "complete").await;
    let head = std::fs::read_to_string(peer.root().join("echo")).unwrap();
    for field in ["\"x-a\": \"b\"", "\"referer\": \"http://r.test/\"", "\"user-agent\": \"agent\""] {
        assert!(head.contains(field), "{field}: {head}");
    }
    assert!(!head.contains("bytes=5-"), "{head}");
}

#[tokio::test]
async fn credentials_of_download_do_not_replace_stored_sign_in() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let own = SignIn::Basic { user: "robin".to_owned(), password: "p".to_owned() };
    peer.engine.sign_in(&format!("{web}/"), own, false).await.unwrap();
    let given = json!({ "http-user": "other", "http-passwd": "p", "header": ["Cookie: who=other"] });
    let gid = peer.call("aria2.addUri", json!(["token:add", [format!("{web}/echo1")], given])).await;
    peer.reach(gid.as_str().unwrap(), "complete").await;
    add_of_person(&peer, &format!("{web}/echo2")).await;
    let [first, second] = ["echo1", "echo2"].map(|name| std::fs::read_to_string(peer.root().join(name)).unwrap());
    let [other, own] = ["other:p", "robin:p"].map(|sign_in| STANDARD.encode(sign_in));
    assert!(first.contains(&other) && first.contains("who=other"), "{first}");
    assert!(second.contains(&own) && !second.contains("who=other"), "{second}");
}

/// Adds a download of a person, and waits until it is complete.
async fn add_of_person(peer: &AshorePeer, url: &str) {
    let mut events = peer.engine.events();
    let requests = vec![NewRequest { url: url.to_owned(), ..NewRequest::default() }];
    let source = RequestSource::Window;
    let new = NewRegistration { owner: "window".to_owned(), source, requests, ..NewRegistration::default() };
    peer.engine.add(new).await.unwrap();
    let completed = async {
        loop {
            if let EngineEvent::Changed { registration } = events.next().await.unwrap()
                && registration.result == RegistrationResult::Success
                && registration.owner == "window"
            {
                return;
            }
        }
    };
    timeout(PATIENCE, completed).await.unwrap();
}

#[tokio::test]
async fn client_cannot_use_a_file_name_to_detect_files_outside_the_folder() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    std::fs::write(peer.folder.path().join("secret"), "").unwrap();
    let options = json!({ "out": "../secret", "auto-file-renaming": "false" });
    let gid = peer.add_paused(&format!("{web}/ok"), options).await;
    let status = peer.call("aria2.tellStatus", json!([gid])).await;
    assert_eq!(status["files"][0]["path"], json!(peer.root().join("_secret")));
    assert_eq!(peer.call("aria2.getOption", json!([gid])).await["out"], "_secret");
}

#[tokio::test]
async fn answer_longer_than_the_limit_is_refused() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let long = "a".repeat(1 << 20);
    let gid = peer.add_paused(&format!("{web}/ok?{long}"), json!({})).await;
    let call = json!({ "methodName": "aria2.getUris", "params": [gid] });
    let answers = peer.call("system.multicall", json!([vec![call; 40]])).await;
    let answers = answers.as_array().unwrap();
    let too_long = message("The answer is too long. Ask for fewer downloads or keys.");
    assert!(answers[0][0][0]["uri"].as_str().unwrap().ends_with(&long));
    assert_eq!((answers.len(), &answers[39]), (40, &too_long));
    for number in 0..40 {
        peer.add_paused(&format!("{web}/{number}?{long}"), json!({})).await;
    }
    assert_eq!(peer.call("aria2.tellWaiting", json!([0, 99, ["files"]])).await, too_long);
    assert_eq!(peer.call("aria2.tellWaiting", json!([0, 99, ["gid"]])).await.as_array().unwrap().len(), 41);
}

#[tokio::test]
async fn limits_set_by_client_apply_until_restart() {
    let peer = AshorePeer::open().await;
    let changes = json!([{ "max-overall-download-limit": "1M", "max-concurrent-downloads": "1", "nonsense": "x" }]);
    assert_eq!(peer.call("aria2.changeGlobalOption", changes).await, "OK");
    let expected = ashore_engine::LentLimits { bytes_per_second: Some(1 << 20), parallel: Some(1) };
    assert_eq!(peer.engine.lent(), expected);
    assert_eq!(peer.engine.totals().await.unwrap().speed_limit, Some(1 << 20));
    let global = peer.call("aria2.getGlobalOption", json!([])).await;
    assert_eq!(global["max-overall-download-limit"], "1048576");
    assert_eq!(global["max-concurrent-downloads"], "1");
    let peer = peer.restart().await;
    assert_eq!(peer.engine.lent(), ashore_engine::LentLimits::default());
    assert_eq!(peer.engine.totals().await.unwrap().speed_limit, None);
}

#[tokio::test]
async fn changed_options_of_download_apply_or_are_refused() {
    let (peer, web) = (AshorePeer::open().await, web_server().await);
    let gid = peer.add_paused(&format!("{web}/ok"), json!({})).await;
    let folder = peer.root().join("new");
    let changes = json!({ "dir": folder, "split": "4", "max-download-limit": "20K", "max-tries": 9 });
    assert_eq!(peer.call("aria2.changeOption", json!([gid, changes])).await, "OK");
    let options = peer.call("aria2.getOption", json!([gid])).await;
    assert_eq!((&options["dir"], &options["split"]), (&json!(folder), &json!("4")));
    assert_eq!((&options["max-download-limit"], &options["max-tries"]), (&json!("20480"), &json!("9")));
    assert_eq!(peer.engine.limits().await.unwrap()[0].bytes_per_second, 20_480);
    for name in ["out", "header", "all-proxy"] {
        let refused = peer.call("aria2.changeOption", json!([gid, { name: "x" }])).await;
        assert_eq!(refused, message(&format!("We encountered a problem while processing the option '--{name}'.")));
    }
}

#[tokio::test]
async fn calls_are_accepted_only_in_post_requests() {
    let peer = AshorePeer::open().await;
    for method in ["GET", "PUT", "DELETE", "HEAD", "OPTIONS"] {
        assert_eq!(request(peer.port(), method, b"", "").await.0, 405, "{method}");
    }
    let call = br#"{"id":1,"method":"aria2.getVersion"}"#;
    for kind in ["", "Content-Type: text/plain\r\n", "Content-Type: application/x-www-form-urlencoded\r\n"] {
        let (status, head, _) = request(peer.port(), "POST", call, kind).await;
        assert_eq!(status, 200);
        assert!(head.contains("content-type: application/json-rpc"), "{head}");
        assert!(!head.contains("access-control-allow-origin"), "{head}");
    }
    let long = vec![b' '; (2 << 20) + 1];
    let (status, _, answer) = request(peer.port(), "POST", &long, "").await;
    assert_eq!(status, 500);
    assert_eq!(serde_json::from_slice::<Value>(&answer).unwrap()["error"]["code"], -32700);
}

#[tokio::test]
async fn batch_is_answered_with_status_200() {
    let peer = AshorePeer::open().await;
    let (status, answer) = peer.post(br#"[{"id":1,"method":"x"},5,{"id":2,"method":"aria2.getVersion"}]"#).await;
    let answers: Value = serde_json::from_slice(&answer).unwrap();
    assert_eq!((status, answers.as_array().unwrap().len()), (200, 2));
    assert_eq!(answers[0]["error"], message("No such method: x"));
    assert_eq!(answers[1]["result"]["version"], "1.36.0");
}

#[tokio::test]
async fn multicall_with_too_many_entries_is_refused_as_a_whole() {
    let peer = AshorePeer::open().await;
    let too_many = peer.call("system.multicall", json!([vec![5; 1001]])).await;
    assert_eq!(too_many, message("Too many calls in one request."));
    let most = peer.call("system.multicall", json!([vec![5; 1000]])).await;
    assert_eq!(most.as_array().unwrap().len(), 1000);
}

#[tokio::test]
async fn global_user_name_is_not_kept() {
    let peer = AshorePeer::open().await;
    let changes = json!([{ "http-user": "u", "http-passwd": "p", "split": "3" }]);
    assert_eq!(peer.call("aria2.changeGlobalOption", changes).await, "OK");
    let global = peer.call("aria2.getGlobalOption", json!([])).await;
    assert_eq!((&global["split"], global["http-user"].as_str().unwrap_or_default()), (&json!("3"), ""));
}
