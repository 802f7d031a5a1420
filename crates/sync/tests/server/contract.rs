//! Contract tests of a sync server, generic over the implementation.

use std::{collections::BTreeMap, time::Duration};

use ashore_sync::server::{
    BatchStep, ChangeStream, CollectionPoll, DeviceEnrolment, InviteRequest, ObjectPost, OutgoingObject, PageRequest,
    RejectReason, ServerAnswer, ServerChange, ServerFault, ServerResult, StoredObject, SyncServer,
};
use futures_util::StreamExt as _;
use sha2::{Digest as _, Sha256};

use crate::support::{object, proof};

/// Maximum wait for an announced change.
const PATIENCE: Duration = Duration::from_secs(30);

/// Checks every guarantee that the sync cycle relies on. `set_up` enrols the first device.
pub async fn run<S: SyncServer>(server: S, set_up: DeviceEnrolment) {
    let enrolled = value(server.enrol(&set_up).await);
    assert_eq!(enrolled.wrapped, None);
    assert_eq!(fault(server.enrol(&set_up).await), ServerFault::Unauthorized, "an invite works once");
    assert_eq!(fault(server.info_collections(None).await), ServerFault::Unauthorized, "no token");
    let uid = enrolled.token.uid();
    let laptop = server.with_token(enrolled.token);
    let phone = invite_device(&server, &laptop, uid).await;
    objects(&laptop, &phone).await;
    polls(&laptop).await;
    batches(&laptop, &phone).await;
    open_batch(&laptop, &phone).await;
    pages(&laptop).await;
    deletions(&laptop).await;
    names(&laptop).await;
    words(&server, &laptop, uid).await;
    events(&laptop, &phone).await;
    removal(&laptop, &phone).await;
}

fn value<T>(result: ServerResult<T>) -> T {
    let ServerAnswer { value, hints } = result.unwrap_or_else(|failure| panic!("{failure:?}"));
    assert!(hints.server_time_ms.is_some(), "every answer has the time of the server");
    value
}

fn fault<T>(result: ServerResult<T>) -> ServerFault {
    result.map(|_| ()).expect_err("the request is refused").fault
}

fn hash(auth: &str) -> String {
    hex::encode(Sha256::digest(auth.as_bytes()))
}

fn page(collection: &str, newer_ms: i64, limit: u32) -> PageRequest {
    PageRequest { collection: collection.to_owned(), newer_ms, offset: None, limit, if_unmodified_since_ms: None }
}

async fn all(server: &impl SyncServer, collection: &str) -> Vec<StoredObject> {
    value(server.read_page(&page(collection, 0, 1000)).await).objects
}

async fn modified(server: &impl SyncServer, collection: &str) -> i64 {
    value(server.read_page(&page(collection, 0, 1)).await).last_modified_ms
}

async fn invite_device<S: SyncServer>(server: &S, laptop: &S, uid: i64) -> S {
    let auth = proof("secret of the link", uid);
    let wrapped = Some("encrypted root key".to_owned());
    let invite = value(laptop.create_invite(&InviteRequest { auth_hash: hash(&auth), wrapped: wrapped.clone() }).await);
    assert_eq!(invite.uid, uid);
    let CollectionPoll::Listed(listing) = value(laptop.info_collections(None).await) else { panic!("not conditional") };
    let lifetime = invite.expires_ms - listing.server_time_ms;
    assert!((500_000..=600_000).contains(&lifetime), "ten minutes: {lifetime}");
    let mut enrolment = DeviceEnrolment { uid, invite: Some(invite.id), auth: proof("guess", uid), name: "Phone".to_owned() };
    assert_eq!(fault(server.enrol(&enrolment).await), ServerFault::Unauthorized, "wrong secret");
    enrolment.auth = auth;
    let enrolled = value(server.enrol(&enrolment).await);
    assert_eq!((enrolled.token.uid(), enrolled.wrapped), (uid, wrapped));
    let phone = server.with_token(enrolled.token.clone());
    let devices = value(phone.devices().await);
    let mut names: Vec<_> = devices.iter().map(|device| (device.name.as_str(), device.is_own)).collect();
    names.sort_unstable();
    assert_eq!(names, [("Laptop", false), ("Phone", true)]);
    assert!(devices.iter().all(|device| device.created_ms > 0 && device.created_ms % 1000 == 0));
    phone
}

async fn objects(laptop: &impl SyncServer, phone: &impl SyncServer) {
    let text = "{\"v\":1,\"c\":\"\u{1f4be}\\ \n\"}";
    let first = value(laptop.put_object("crypto", &object("keys", text), Some(0)).await);
    let stored = StoredObject { id: "keys".to_owned(), modified_ms: first, payload: text.to_owned() };
    assert_eq!(value(phone.read_object("crypto", "keys").await), Some(stored.clone()));
    assert_eq!(fault(phone.put_object("crypto", &object("keys", "mine"), Some(0)).await), ServerFault::Conflict, "create-only");
    assert_eq!(value(laptop.read_object("crypto", "keys").await), Some(stored), "a conflict writes nothing");
    let second = value(phone.put_object("crypto", &object("keys", "new"), Some(first)).await);
    assert!(second >= first + 10 && second % 10 == 0, "{first} {second}");
    assert_eq!(fault(laptop.put_object("crypto", &object("keys", "old"), Some(second - 10)).await), ServerFault::Conflict);
    assert_eq!(value(laptop.read_object("crypto", "other").await), None);
    assert_eq!(value(laptop.read_object("unknown", "keys").await), None);
    let gone = OutgoingObject { ttl_s: Some(0), ..object("gone", "x") };
    value(laptop.put_object("crypto", &gone, None).await);
    assert_eq!(value(laptop.read_object("crypto", "gone").await), None, "expired");
    let counts = value(laptop.collection_counts().await);
    assert_eq!(counts.values().sum::<u64>(), 1, "{counts:?}");
    let quota = value(laptop.quota().await);
    assert_eq!(quota.used_bytes, 3, "expired objects do not count");
}

async fn polls(laptop: &impl SyncServer) {
    let time = value(laptop.put_object("dl-prefs", &object("a", "x"), None).await);
    let CollectionPoll::Listed(listing) = value(laptop.info_collections(Some(time - 10)).await) else { panic!("changed") };
    assert_eq!(listing.collections["dl-prefs"], time);
    assert_eq!(listing.collections.keys().collect::<Vec<_>>(), ["crypto", "dl-prefs"]);
    assert_eq!(listing.last_modified_ms, time);
    assert!(listing.server_time_ms >= time);
    assert_eq!(value(laptop.info_collections(Some(time)).await), CollectionPoll::Unchanged);
    let again = value(laptop.put_object("dl-prefs", &object("a", "y"), None).await);
    assert!(matches!(value(laptop.info_collections(Some(time)).await), CollectionPoll::Listed(_)));
    assert!(again >= time + 10, "times of the whole store only grow");
}

async fn batches(laptop: &impl SyncServer, phone: &impl SyncServer) {
    let objects: Vec<OutgoingObject> = (0..250).map(|number| object(&format!("{number:03}"), "payload")).collect();
    let receipt = value(laptop.post_batch("dl-items", &objects, Some(0)).await);
    let time = receipt.modified_ms.unwrap();
    assert_eq!(receipt.failed, BTreeMap::new());
    let stored = all(phone, "dl-items").await;
    assert_eq!(stored.len(), 250);
    assert!(stored.iter().all(|object| object.modified_ms == time), "one time for all");
    assert_eq!(fault(phone.post_batch("dl-items", &objects, Some(time - 10)).await), ServerFault::Conflict);
    assert_eq!(modified(laptop, "dl-items").await, time, "a conflict writes nothing");
    let mixed = [object("new", "x"), object("nul", "\0"), object("new", "again"), object("", "x")];
    let receipt = value(phone.post_batch("dl-items", &mixed, Some(time)).await);
    assert_eq!(receipt.failed.keys().collect::<Vec<_>>(), ["", "new", "nul"]);
    assert_eq!(receipt.failed["nul"], RejectReason::NotValid);
    assert_eq!(value(laptop.read_object("dl-items", "new").await).unwrap().payload, "x");
    // An empty batch may send no request, so its receipt may lack the server's time.
    assert_eq!(laptop.post_batch("dl-items", &[], None).await.unwrap().value.modified_ms, None);
    // Each of the two objects fits into a POST alone, but one POST cannot contain both.
    let long = "\"".repeat(1_200_000);
    let receipt = value(laptop.post_batch("dl-parts", &[object("a", &long), object("b", &long)], None).await);
    assert_eq!(receipt.failed, BTreeMap::new());
    assert_eq!(value(phone.read_object("dl-parts", "b").await).unwrap().payload, long);
    listed_ids(laptop, phone).await;
    value(laptop.delete_collection("dl-parts", None).await);
    value(laptop.delete_collection("dl-items", None).await);
}

async fn listed_ids(laptop: &impl SyncServer, phone: &impl SyncServer) {
    let before = modified(laptop, "dl-parts").await;
    let time = value(laptop.put_object("dl-parts", &object("c", "x"), None).await);
    let all = value(phone.list_ids("dl-parts", None).await);
    assert_eq!((all.ids, all.last_modified_ms), (["a", "b", "c"].map(str::to_owned).to_vec(), time));
    let old = value(phone.list_ids("dl-parts", Some(time)).await);
    assert_eq!((old.ids, old.last_modified_ms), (["a", "b"].map(str::to_owned).to_vec(), time), "`c` is not older");
    assert_eq!(value(phone.list_ids("dl-parts", Some(before)).await).ids, [""; 0]);
    assert_eq!(value(phone.list_ids("dl-rules", None).await).ids, [""; 0], "a collection that does not exist");
}

async fn open_batch(laptop: &impl SyncServer, phone: &impl SyncServer) {
    let (a, b) = (object("a", "1"), object("b", "2"));
    let before = value(phone.put_object("dl-items", &object("z", "0"), None).await);
    let post = async |objects: &[&OutgoingObject], step: &BatchStep| {
        laptop.post_objects(ObjectPost { collection: "dl-items", objects, step, if_unmodified_since_ms: Some(before) }).await
    };
    let begun = value(post(&[&a], &BatchStep::Begin).await);
    assert_eq!(begun.modified_ms, before);
    let batch = begun.batch.unwrap();
    let appended = value(post(&[&b], &BatchStep::Append(batch.clone())).await);
    assert_eq!(appended.batch.as_ref(), Some(&batch));
    assert_eq!(all(phone, "dl-items").await.len(), 1, "invisible until the commit");
    let committed = value(post(&[], &BatchStep::Commit(batch.clone())).await);
    assert_eq!(committed.batch, None);
    assert!(committed.modified_ms > before);
    assert_eq!(all(phone, "dl-items").await.len(), 3);
    let twice = BatchStep::Commit(batch);
    let again = ObjectPost { collection: "dl-items", objects: &[], step: &twice, if_unmodified_since_ms: None };
    assert_eq!(fault(laptop.post_objects(again).await), ServerFault::Refused { status: 400, code: Some(0) });
    value(laptop.delete_collection("dl-items", None).await);
}

async fn pages(laptop: &impl SyncServer) {
    let mut times = Vec::new();
    for id in ["e", "d", "c", "b", "a"] {
        times.push(value(laptop.put_object("dl-history", &object(id, id), None).await));
    }
    let last = *times.last().unwrap();
    let mut request = PageRequest { if_unmodified_since_ms: Some(last), ..page("dl-history", times[0], 2) };
    let mut ids = Vec::new();
    loop {
        let page = value(laptop.read_page(&request).await);
        assert_eq!(page.last_modified_ms, last);
        assert!(page.server_time_ms >= last);
        ids.extend(page.objects.into_iter().map(|object| object.id));
        let Some(offset) = page.next_offset else { break };
        request.offset = Some(offset);
    }
    assert_eq!(ids, ["d", "c", "b", "a"], "newer than the first, oldest first");
    value(laptop.put_object("dl-history", &object("f", "f"), None).await);
    assert_eq!(fault(laptop.read_page(&request).await), ServerFault::Conflict, "the collection was modified");
    (request.if_unmodified_since_ms, request.limit) = (None, 10);
    let rest: Vec<_> = value(laptop.read_page(&request).await).objects.into_iter().map(|object| object.id).collect();
    assert_eq!(rest, ["b", "a", "f"], "an offset continues after a write");
    request.offset.as_mut().unwrap().text = "AAAA".to_owned();
    assert_eq!(fault(laptop.read_page(&request).await), ServerFault::Refused { status: 400, code: Some(0) }, "forged offset");
    let empty = value(laptop.read_page(&page("unknown", 0, 10)).await);
    assert_eq!((empty.objects.len(), empty.next_offset, empty.last_modified_ms), (0, None, 0));
}

async fn deletions(laptop: &impl SyncServer) {
    let objects: Vec<OutgoingObject> = (0..150).map(|number| object(&format!("id {number:03}&+%"), "x")).collect();
    let time = value(laptop.post_batch("dl-sends", &objects, None).await).modified_ms.unwrap();
    let ids: Vec<String> = objects.iter().take(149).map(|object| object.id.clone()).chain(["absent".to_owned()]).collect();
    assert_eq!(fault(laptop.delete_objects("dl-sends", &ids, Some(time - 10)).await), ServerFault::Conflict);
    assert_eq!(all(laptop, "dl-sends").await.len(), 150, "a conflict deletes nothing");
    let deleted = value(laptop.delete_objects("dl-sends", &ids, Some(time)).await);
    let rest = all(laptop, "dl-sends").await;
    assert_eq!(rest.iter().map(|object| object.id.as_str()).collect::<Vec<_>>(), ["id 149&+%"]);
    assert_eq!(modified(laptop, "dl-sends").await, deleted);
    assert_eq!(fault(laptop.delete_collection("dl-sends", Some(deleted - 10)).await), ServerFault::Conflict);
    let gone = value(laptop.delete_collection("dl-sends", Some(deleted)).await);
    assert!(gone > deleted);
    assert_eq!(modified(laptop, "dl-sends").await, 0);
    let CollectionPoll::Listed(listing) = value(laptop.info_collections(None).await) else { panic!("not conditional") };
    assert_eq!(listing.last_modified_ms, gone, "the time of the store only grows");
    assert!(!listing.collections.contains_key("dl-sends"));
}

async fn names(laptop: &impl SyncServer) {
    let not_sent = ServerFault::Refused { status: 400, code: None };
    for collection in ["", "a b", "a/b", &"x".repeat(33)] {
        assert_eq!(fault(laptop.read_page(&page(collection, 0, 1)).await), not_sent, "{collection}");
    }
    assert_eq!(fault(laptop.delete_objects("dl-items", &["a,b".to_owned()], None).await), not_sent);
    let odd = object("~ /?#%20'\"\\", "x");
    value(laptop.put_object("dl-prefs", &odd, None).await);
    assert_eq!(value(laptop.read_object("dl-prefs", &odd.id).await).unwrap().id, odd.id);
    let read = laptop.read_object("dl-prefs", "~ ").await;
    assert_eq!(value(read), None);
}

async fn words<S: SyncServer>(server: &S, laptop: &S, uid: i64) {
    let auth = proof("root key", uid);
    let by_words = DeviceEnrolment { uid, invite: None, auth: auth.clone(), name: "Desktop".to_owned() };
    assert_eq!(fault(server.enrol(&by_words).await), ServerFault::Unauthorized, "no words yet");
    value(laptop.change_auth(&hash(&auth)).await);
    let enrolled = value(server.enrol(&by_words).await);
    assert_eq!((enrolled.token.uid(), enrolled.wrapped), (uid, None));
    let desktop = server.with_token(enrolled.token.clone());
    assert_eq!(value(desktop.read_object("crypto", "keys").await).unwrap().payload, "new");
    assert!(value(laptop.remove_device(enrolled.token.device()).await));
    assert!(!value(laptop.remove_device(enrolled.token.device()).await), "already removed");
    assert_eq!(fault(desktop.info_collections(None).await), ServerFault::Unauthorized);
}

async fn next(stream: &mut ChangeStream) -> Option<ServerChange> {
    let next = tokio::time::timeout(PATIENCE, stream.next()).await.expect("a change is announced or the stream ends");
    next.map(|change| change.unwrap_or_else(|failure| panic!("{failure:?}")))
}

async fn events(laptop: &impl SyncServer, phone: &impl SyncServer) {
    let mut stream = value(phone.events().await);
    let first = value(laptop.put_object("dl-items", &object("a", "x"), None).await);
    let change = ServerChange { collection: Some("dl-items".to_owned()), modified_ms: first };
    assert_eq!(next(&mut stream).await, Some(change));
    let second = value(laptop.post_batch("dl-history", &[object("b", "x")], None).await).modified_ms.unwrap();
    let change = ServerChange { collection: Some("dl-history".to_owned()), modified_ms: second };
    assert_eq!(next(&mut stream).await, Some(change));
}

async fn removal(laptop: &impl SyncServer, phone: &impl SyncServer) {
    let devices = value(laptop.devices().await);
    let other = devices.iter().find(|device| !device.is_own).unwrap();
    assert_eq!(other.name, "Phone");
    let mut stream = value(phone.events().await);
    assert!(value(laptop.remove_device(&other.id).await));
    assert_eq!(fault(phone.info_collections(None).await), ServerFault::Unauthorized);
    assert_eq!(fault(phone.put_object("dl-items", &object("a", "y"), None).await), ServerFault::Unauthorized);
    assert_eq!(fault(phone.events().await), ServerFault::Unauthorized);
    value(laptop.put_object("dl-items", &object("a", "z"), None).await);
    assert_eq!(next(&mut stream).await, None, "the stream of a removed device ends");
    assert_eq!(value(laptop.devices().await).len(), 1);
}
