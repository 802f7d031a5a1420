//! Clients that also see the downloads of other owners.

use ashore_engine::{NewRegistration, NewRequest, Registration, RequestSource};
use serde_json::{Value, json};

use crate::aria2::{
    gids,
    tests::peer::{Aria2Peer as _, AshorePeer, exchange, next, web_server},
};

/// Call with a valid secret. Its answer shows that the server has read the list by now.
const SIGN_IN: &str = r#"{"id":1,"method":"aria2.getVersion","params":["token:read"]}"#;

/// Adds a paused download in the name of the command line.
async fn add_other(peer: &AshorePeer, url: &str) -> Registration {
    let requests = vec![NewRequest { url: url.to_owned(), ..NewRequest::default() }];
    let owner = "cli".to_owned();
    let new = NewRegistration { owner, source: RequestSource::CommandLine, paused: true, requests, ..NewRegistration::default() };
    peer.engine.add(new).await.unwrap().registration().unwrap().clone()
}

#[tokio::test]
async fn download_of_other_owner_is_hidden_unless_all_are_shown() {
    let (own, all, web) = (AshorePeer::open().await, AshorePeer::open_for_all().await, web_server().await);
    let url = format!("{web}/ok");
    let hidden = add_other(&own, &url).await;
    let gid = gids::gid_of(&hidden);
    assert_eq!(own.call("aria2.tellWaiting", json!([0, 9])).await, json!([]));
    let unknown = json!({ "code": 1, "message": format!("GID {gid} is not found") });
    assert_eq!(own.call("aria2.tellStatus", json!([gid])).await, unknown);

    let shown = add_other(&all, &url).await;
    let gid = gids::gid_of(&shown);
    let waiting = all.call("aria2.tellWaiting", json!([0, 9, ["gid", "status", "files"]])).await;
    assert_eq!((&waiting[0]["gid"], &waiting[0]["status"]), (&json!(gid), &json!("paused")));
    assert_eq!(waiting[0]["files"][0]["uris"], json!([{ "status": "waiting", "uri": url }]));
}

#[tokio::test]
async fn download_of_other_owner_can_be_continued_but_not_removed_or_changed() {
    let (peer, web) = (AshorePeer::open_for_all().await, web_server().await);
    let gid = gids::gid_of(&add_other(&peer, &format!("{web}/ok")).await);
    let mut socket = peer.socket().await;
    exchange(&mut socket, SIGN_IN).await;
    let refused = json!({ "code": 1, "message": format!("GID#{gid} was not added by a client of this interface") });
    assert_eq!(peer.call("aria2.remove", json!([gid])).await, refused);
    assert_eq!(peer.call("aria2.changeOption", json!([gid, { "split": "2" }])).await, refused);
    assert_eq!(peer.call("aria2.unpause", json!([gid])).await, gid);
    let done = peer.reach(&gid, "complete").await;
    assert_eq!(done["files"][0]["path"], json!(peer.root().join("ok")));
    let told: Vec<Value> = vec![next(&mut socket).await, next(&mut socket).await];
    assert!(told.iter().all(|message| message["params"][0]["gid"] == gid), "{told:?}");
    assert_eq!(peer.call("aria2.removeDownloadResult", json!([gid])).await, refused);
    assert_eq!(peer.call("aria2.purgeDownloadResult", json!([])).await, "OK");
    let stopped = peer.call("aria2.tellStopped", json!([0, 9, ["gid"]])).await;
    assert_eq!(stopped, json!([{ "gid": gid }]));
}

#[tokio::test]
async fn gid_of_other_download_cannot_be_chosen() {
    let (peer, web) = (AshorePeer::open_for_all().await, web_server().await);
    let gid = gids::gid_of(&add_other(&peer, &format!("{web}/ok")).await);
    let refused = json!({ "code": 1, "message": "No URI to download." });
    assert_eq!(peer.call("aria2.addUri", json!([[format!("{web}/ok2")], { "gid": gid }])).await, refused);
    assert_eq!(peer.call("aria2.tellStatus", json!([gid, ["status"]])).await, json!({ "status": "paused" }));
}

#[tokio::test]
async fn results_of_all_owners_are_listed_in_the_order_of_their_ends() {
    let (peer, web) = (AshorePeer::open_for_all().await, web_server().await);
    let mut expected = Vec::new();
    for number in 0..3 {
        let gid = match number {
            1 => gids::gid_of(&add_other(&peer, &format!("{web}/ok{number}")).await),
            _ => peer.add_paused(&format!("{web}/ok{number}"), json!({})).await,
        };
        peer.call("aria2.unpause", json!([gid])).await;
        peer.reach(&gid, "complete").await;
        expected.push(json!({ "gid": gid }));
    }
    assert_eq!(peer.call("aria2.tellStopped", json!([0, 9, ["gid"]])).await, json!(expected));
}

#[tokio::test]
async fn notification_about_other_owner_is_sent_only_to_client_with_valid_secret() {
    let (peer, web) = (AshorePeer::open_for_all().await, web_server().await);
    let other = gids::gid_of(&add_other(&peer, &format!("{web}/ok1")).await);
    let own = peer.add_paused(&format!("{web}/ok2"), json!({})).await;
    let (mut stranger, mut client) = (peer.socket().await, peer.socket().await);
    let wrong = SIGN_IN.replace("read", "wrong");
    assert_eq!(exchange(&mut stranger, &wrong).await["error"]["message"], "Unauthorized");
    exchange(&mut client, SIGN_IN).await;
    // A request that needs no secret does not change this.
    exchange(&mut client, r#"{"id":1,"method":"system.listMethods"}"#).await;
    for gid in [&other, &own] {
        peer.call("aria2.unpause", json!([gid])).await;
        peer.reach(gid, "complete").await;
    }
    let gid = |message: Value| message["params"][0]["gid"].clone();
    assert_eq!(gid(next(&mut client).await), json!(other));
    assert_eq!(gid(next(&mut stranger).await), json!(own));
}
