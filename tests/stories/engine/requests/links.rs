//! Tests links that are already in the list, and links that are replaced before their file is complete.

use ashore_engine::{MatchOptions, NewRegistration, NewRequest, RegistrationResult, RegistrationState, RequestSource};
use ashore_testkit::{
    home::{Home, get, upload},
    origin::{Body, Origin, content},
};

const MIB: u64 = 1 << 20;

#[tokio::test]
async fn lookup_finds_link_that_is_already_in_list() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/a", Body::bytes("a"));
    origin.refuses("/b", 404);
    let done = home.fetch([origin.url("/a")]).await;
    let failed = home.fetch([origin.url("/other"), origin.url("/b?token=1")]).await;
    home.settled(done).await;
    home.settled(failed).await;
    let links = ["/b?token=2", "/c", "/a", "/b?token=1"].map(|path| origin.url(path).to_string());
    let asked = [&links[..], &["no link".to_owned()]].concat();
    let known = home.known(&asked, None, Some("a".to_owned())).await.unwrap();
    let files: Vec<_> =
        known.files.iter().map(|file| (file.link, file.is_same, file.registration.unique_id, file.index)).collect();
    assert_eq!(files, [(0, false, failed, 1), (2, true, done, 0), (3, true, failed, 1)]);
    assert!(known.is_name_taken);
    assert!(!home.known(&[], None, Some("c".to_owned())).await.unwrap().is_name_taken);
    assert!(home.known(&[], Some(home.data()), Some("ashore.toml".to_owned())).await.unwrap().is_name_taken);

    // If several downloads have the link, the latest one is found. Removed downloads are not found.
    let later = home.fetch([origin.url("/a")]).await;
    home.settled(later).await;
    assert_eq!(home.known(&links[2..3], None, None).await.unwrap().files[0].registration.unique_id, later);
    for id in [done, later] {
        home.remove(id, false).await.unwrap();
    }
    assert!(home.known(&links[2..3], None, None).await.unwrap().files.is_empty());
}

#[tokio::test]
async fn expired_link_is_replaced_and_download_resumes() {
    let (origin, mirror, home) = (Origin::start().await, Origin::start().await, Home::open_with("connections = 1").await);
    let old = origin.file("/a.iso", Body::seeded(1, 4 * MIB)).reset_after(3 * MIB).times(1).runs_out_after(1, 403);
    let id = home.fetch([origin.url("/a.iso?signature=1")]).await;
    let failed = home.settled(id).await;
    assert_eq!(failed.failure.unwrap().code, "link-expired");
    let kept = failed.downloaded;
    assert!(kept > MIB, "{kept}");

    // The new link leads to another server, which has the same bytes but other validators.
    let new = mirror.file("/b", Body::seeded(1, 4 * MIB)).etag("\"other\"").last_modified("Mon, 02 Jan 2006 15:04:05 GMT");
    home.relink(id, 0, mirror.url("/b?signature=2").as_str(), None).await.unwrap();
    let done = home.settled(id).await;
    assert_eq!((done.result, done.failed), (RegistrationResult::Success, 0));
    assert!(home.bytes("a.iso") == content(1, 4 * MIB));
    // Ignore requests for samples: with them, the engine checks that both links lead to the same file.
    let resumes: Vec<_> = new.requests().into_iter().filter(|asked| asked.range_end().is_none()).collect();
    let [resumed] = &resumes[..] else { panic!("asked once: {:#?}", new.requests()) };
    assert!(resumed.range_start().unwrap() > MIB, "the received bytes are not fetched again");
    assert!(old.requests().len() > 1);
    let record = &home.records(id, 0, 0).await.unwrap()[0];
    assert_eq!(record.url, mirror.url("/b?signature=2").as_str());
    assert_eq!(
        home.match_all(id, mirror.url("/b").as_str(), MatchOptions { ignore_search: true, ..MatchOptions::default() })
            .await
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn headers_of_new_link_replace_those_of_old_link() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let old = origin.file("/a", Body::bytes("a")).status(403);
    let first = NewRequest { headers: vec![header("Cookie", "session=1"), header("X-Old", "1")], ..get(origin.url("/a")) };
    let id = home.create(Home::ask_for([first])).await.unwrap().unique_id;
    home.settled(id).await;
    let link = origin.url("/a?signature=2");
    let refused = home.relink(id, 0, link.as_str(), Some(vec![header("Range", "bytes=0-")])).await.unwrap_err();
    assert_eq!(refused.code(), "invalid");
    // If the new link comes without headers, the old headers stay.
    home.relink(id, 0, link.as_str(), None).await.unwrap();
    home.settled(id).await;
    assert_eq!(old.requests().last().unwrap().header("cookie"), Some("session=1"));

    let new = origin.file("/a", Body::bytes("a"));
    let fresh = vec![header("Cookie", "session=2"), header("Authorization", "Bearer token")];
    home.relink(id, 0, link.as_str(), Some(fresh)).await.unwrap();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    let asked = new.requests().pop().unwrap();
    assert_eq!((asked.header("cookie"), asked.header("x-old")), (Some("session=2"), None));
    assert_eq!(asked.header("authorization"), Some("Bearer token"), "the credentials are stored with the secrets");
}

#[tokio::test]
async fn different_file_behind_new_link_is_not_mixed_with_old_file() {
    let (origin, home) = (Origin::start().await, Home::open_with("connections = 1").await);
    origin.file("/a", Body::seeded(1, 4 * MIB)).reset_after(3 * MIB).times(1).runs_out_after(1, 403);
    let id = home.fetch([origin.url("/a")]).await;
    home.settled(id).await;
    origin.file("/b", Body::seeded(2, 4 * MIB));
    home.relink(id, 0, origin.url("/b").as_str(), None).await.unwrap();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    let name = home.records(id, 0, 0).await.unwrap()[0].path.clone().unwrap();
    assert!(std::fs::read(name).unwrap() == content(2, 4 * MIB));
}

#[tokio::test]
async fn link_of_single_file_is_replaced_in_paused_registration() {
    let (origin, other, home) = (Origin::start().await, Origin::start().await, Home::open().await);
    for (origin, name) in [(&origin, "a"), (&origin, "c"), (&other, "new")] {
        origin.file(&format!("/{name}"), Body::bytes(name));
    }
    let all = ["/a", "/b", "/c"].map(|path| get(origin.url(path)));
    let id = home.create(NewRegistration { paused: true, ..Home::ask_for(all) }).await.unwrap().unique_id;
    home.relink(id, 1, other.url("/new").as_str(), None).await.unwrap();
    assert_eq!(home.show(id).await.unwrap().state, RegistrationState::Paused);
    home.resume(Some(id)).await.unwrap();
    let done = home.settled(id).await;
    assert_eq!((done.result, done.succeeded), (RegistrationResult::Success, 3));
    assert_eq!(home.bytes("new"), b"new");
    assert!(origin.requests().iter().all(|request| request.path != "/b"));
}

#[tokio::test]
async fn link_of_running_download_is_replaced_and_received_bytes_are_kept() {
    let (origin, home) = (Origin::start().await, Home::open_with("connections = 1").await);
    // The server accepts the old token, but sends no more than the beginning of the file.
    let old = origin.file("/a.iso", Body::seeded(1, 4 * MIB)).gate_at(2 * MIB);
    let id = home.fetch([origin.url("/a.iso?token=1")]).await;
    old.held().await;
    home.until(id, |now| now.downloaded >= 2 * MIB).await;
    let new = origin.file("/b.iso", Body::seeded(1, 4 * MIB));
    home.relink(id, 0, origin.url("/b.iso?token=2").as_str(), None).await.unwrap();
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert!(home.bytes("a.iso") == content(1, 4 * MIB));
    assert!(new.requests()[0].range_start().unwrap() > MIB, "{:#?}", new.requests());
}

#[tokio::test]
async fn running_download_keeps_received_bytes_if_its_mirrors_are_replaced() {
    let (origin, mirror, home) = (Origin::start().await, Origin::start().await, Home::open_with("connections = 1").await);
    let held = origin.file("/a.iso", Body::seeded(1, 4 * MIB)).gate_at(2 * MIB);
    let id = home.fetch([origin.url("/a.iso")]).await;
    held.held().await;
    home.until(id, |now| now.downloaded >= 2 * MIB).await;
    // The first address no longer serves the file, so only the new mirror can continue it.
    origin.refuses("/a.iso", 404);
    let replacement = mirror.file("/a.iso", Body::seeded(1, 4 * MIB));
    let mirrors = vec![mirror.url("/a.iso").to_string()];
    home.change_addresses(id, 0, origin.url("/a.iso").as_str(), mirrors.clone()).await.unwrap();
    assert_eq!(home.details(id, 0).await.unwrap().mirrors, mirrors);
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert!(home.bytes("a.iso") == content(1, 4 * MIB));
    let starts: Vec<_> = replacement.requests().iter().map(|request| request.range_start().unwrap_or(0)).collect();
    assert!(starts.iter().any(|start| *start > MIB), "{starts:?}");
    let failed = home.change_addresses(id, 0, origin.url("/a.iso").as_str(), Vec::new()).await.unwrap_err();
    assert_eq!(failed.code(), "wrong-state", "the file is complete");
}

#[tokio::test]
async fn link_of_completed_request_cannot_be_replaced() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let held = origin.file("/held", Body::seeded(1, 2 * MIB)).gate_at(MIB);
    origin.file("/done", Body::bytes("done"));
    let id = home.create(Home::ask_for([get(origin.url("/held")), get(origin.url("/done"))])).await.unwrap().unique_id;
    held.held().await;
    home.until(id, |now| now.succeeded == 1).await;
    let refused = home.relink(id, 1, origin.url("/x").as_str(), None).await.unwrap_err();
    assert_eq!(refused.code(), "wrong-state");
    assert_eq!(home.relink(id, 2, origin.url("/x").as_str(), None).await.unwrap_err().code(), "unknown");
    assert_eq!(home.relink(id, 0, "no link", None).await.unwrap_err().code(), "bad-url");
    held.release();
    home.settled(id).await;
}

#[tokio::test]
async fn address_of_upload_cannot_be_replaced() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let request = upload("PUT", origin.url("/old"), &home.source("report.pdf", b"report"));
    let id = home.create(NewRegistration { paused: true, ..Home::ask_for([request]) }).await.unwrap().unique_id;
    let refused = home.relink(id, 0, origin.url("/new").as_str(), None).await.unwrap_err();
    assert_eq!(refused.code(), "wrong-state");
    assert!(refused.to_string().contains("address of an upload cannot be changed"), "{refused}");
    assert_eq!(home.records(id, 0, 0).await.unwrap()[0].url, origin.url("/old").as_str());
}

#[tokio::test]
async fn replaced_link_that_is_added_again_creates_new_download() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let ask = || NewRegistration { paused: true, source: RequestSource::Window, ..Home::ask([origin.url("/old")]) };
    let first = home.add(ask()).await.unwrap().registration().unwrap().unique_id;
    assert_eq!(home.add(ask()).await.unwrap().registration().unwrap().unique_id, first);
    home.relink(first, 0, origin.url("/new").as_str(), None).await.unwrap();
    let again = home.add(ask()).await.unwrap();
    assert_ne!(again.registration().unwrap().unique_id, first);
}
