//! Tests chains of requests: numbered pages, lists and parts.
//!
//! The transaction that completes a request also creates the next one.

use ashore_engine::{FollowUpRule, FollowUpSeries, NewRegistration, NewRequest, RecordState, RegistrationResult};
use ashore_testkit::{
    home::{Home, get},
    machine::{Cut, Machine},
    origin::{Body, Origin, Route, content},
};
use serde_json::json;

fn paths(origin: &Origin) -> Vec<String> {
    origin.requests().into_iter().map(|request| request.path).collect()
}

fn book(origin: &Origin, pages: u64) -> NewRegistration {
    let series = FollowUpSeries {
        url: format!("{}", origin.url("/page-")) + "{}",
        number: 2,
        until: pages,
        name: Some("{}.jpg".to_owned()),
        ..FollowUpSeries::default()
    };
    let first =
        NewRequest { name: Some("1.jpg".to_owned()), next: Some(FollowUpRule::Series(series)), ..get(origin.url("/page-1")) };
    Home::ask_for([first])
}

fn pages(origin: &Origin, count: u64) -> Vec<Route> {
    (1..=count).map(|page| origin.file(&format!("/page-{page}"), Body::seeded(page, 1000 + page))).collect()
}

#[tokio::test]
async fn book_of_300_pages_is_fetched_in_order_despite_kills() {
    const PAGES: u64 = 300;
    let origin = Origin::start().await;
    let mut home = Home::open_with("parallel = 8\nparallel-per-host = 8\n").await;
    let _pages = pages(&origin, PAGES);
    let id = home.create(book(&origin, PAGES)).await.unwrap().unique_id;
    for kill in 1..=10_u32 {
        home.until(id, |now| now.succeeded >= kill * 25).await;
        home.crash().await;
        home.reopen().await;
    }
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.succeeded, settled.requests), (RegistrationResult::Success, 300, 300));
    assert!(!settled.has_more);
    let asked = paths(&origin);
    let mut once = asked.clone();
    once.dedup();
    let expected: Vec<String> = (1..=PAGES).map(|page| format!("/page-{page}")).collect();
    assert_eq!(once, expected, "in order, and none again once the next had begun");
    assert!(asked.len() <= expected.len() + 10, "a kill costs the page that was on its way, and no other");
    let mut names: Vec<String> = expected.iter().map(|path| format!("{}.jpg", &path["/page-".len()..])).collect();
    names.sort();
    // The partial file's name is removed in the background, after the ledger has recorded the completion.
    home.until_names(&names.iter().map(String::as_str).collect::<Vec<_>>()).await;
}

#[tokio::test]
async fn failed_page_ends_chain_only_if_page_is_required() {
    let origin = Origin::start().await;
    let home = Home::open_with("attempts = 1\n").await;
    let _pages = pages(&origin, 6);
    let _gone = origin.refuses("/page-4", 404);
    let new = book(&origin, 6);
    let mut optional = new.clone();
    optional.requests[0].optional = true;

    let id = home.create(new).await.unwrap().unique_id;
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.succeeded, settled.failed), (RegistrationResult::Failure, 3, 1));
    assert!(settled.has_more, "the chain continues after a retry");
    assert_eq!(paths(&origin), ["/page-1", "/page-2", "/page-3", "/page-4"]);

    let folder = home.downloads().join("other");
    std::fs::create_dir(&folder).unwrap();
    optional.folder = Some(folder.clone());
    let id = home.create(optional).await.unwrap().unique_id;
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.succeeded, settled.failed), (RegistrationResult::Success, 5, 1));
    assert!(!settled.has_more);
    assert!(folder.join("6.jpg").exists() && !folder.join("4.jpg").exists());
}

/// Returns a registration of the same book.
///
/// It skips pages that are on disk and have not changed.
fn book_again(origin: &Origin, pages: u64) -> NewRegistration {
    let mut new = book(origin, pages);
    new.requests[0].skip_existing = true;
    let Some(FollowUpRule::Series(series)) = &mut new.requests[0].next else { panic!() };
    series.skip_existing = true;
    new
}

#[tokio::test]
async fn only_missing_or_changed_pages_are_fetched_if_book_is_added_again() {
    let origin = Origin::start().await;
    let home = Home::open().await;
    let _pages = pages(&origin, 6);
    let id = home.create(book(&origin, 6)).await.unwrap().unique_id;
    home.settled(id).await;
    let asked = origin.requests().len();
    let again = home.settled(home.create(book_again(&origin, 6)).await.unwrap().unique_id).await;
    assert_eq!((again.result, again.succeeded, again.requests), (RegistrationResult::Success, 6, 6));
    assert_eq!(origin.requests().len(), asked, "all pages exist, including the first");

    let page = |number: u64| home.downloads().join(format!("{number}.jpg"));
    std::fs::remove_file(page(1)).unwrap();
    std::fs::write(page(3), "cut").unwrap();
    // Change the page's content but not its length.
    let mut bytes = std::fs::read(page(5)).unwrap();
    bytes[0] ^= 1;
    std::fs::remove_file(page(5)).unwrap();
    std::fs::write(page(5), bytes).unwrap();
    std::fs::File::options().write(true).open(page(5)).unwrap().set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    let again = home.settled(home.create(book_again(&origin, 6)).await.unwrap().unique_id).await;
    assert_eq!(again.succeeded, 6);
    assert_eq!(paths(&origin)[asked..], ["/page-1", "/page-3", "/page-5"]);
    assert_eq!(std::fs::read(page(1)).unwrap(), content(1, 1001));
    for (name, number) in [("3 (1).jpg", 3), ("5 (1).jpg", 5)] {
        assert_eq!(home.bytes(name), content(number, 1000 + number), "nothing is overwritten");
    }
}

#[tokio::test]
async fn existing_page_is_compared_with_server_if_ledger_does_not_know_it() {
    let origin = Origin::start().await;
    let home = Home::open().await;
    let date = "Thu, 01 Jan 2015 00:00:00 GMT";
    let _pages: Vec<Route> = pages(&origin, 5).into_iter().map(|page| page.last_modified(date)).collect();
    let there = |number: u64, bytes: &[u8]| std::fs::write(home.downloads().join(format!("{number}.jpg")), bytes).unwrap();
    there(1, &content(1, 1001));
    there(2, b"the name alone says nothing");
    // Make the page on disk older than the server's page.
    there(3, &content(3, 1003));
    let third = std::fs::File::options().write(true).open(home.downloads().join("3.jpg")).unwrap();
    third.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    let settled = home.settled(home.create(book_again(&origin, 5)).await.unwrap().unique_id).await;
    assert_eq!((settled.result, settled.succeeded), (RegistrationResult::Success, 5));
    home.until_names(&["1.jpg", "2 (1).jpg", "2.jpg", "3 (1).jpg", "3.jpg", "4.jpg", "5.jpg"]).await;
    // If a download is removed together with its files, all files that the download did not create are kept.
    let id = settled.unique_id;
    home.remove(id, true).await.unwrap();
    home.until_looked("it is gone", async |engine| engine.show(id).await.is_err()).await;
    assert!(home.downloads().join("1.jpg").exists() && home.downloads().join("3.jpg").exists());
}

#[tokio::test]
async fn existing_page_is_skipped_only_if_ledger_confirms_requested_checksum() {
    let origin = Origin::start().await;
    let home = Home::open().await;
    origin.file("/a", Body::bytes("abc")).last_modified("Thu, 01 Jan 2015 00:00:00 GMT");
    // The digest of "abc" from FIPS 180-2, appendix B.1.
    let abc = "sha-256=ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let wanted =
        |checksum: &str| NewRequest { checksum: Some(checksum.to_owned()), skip_existing: true, ..get(origin.url("/a")) };
    std::fs::write(home.downloads().join("a"), "abd").unwrap();
    home.settled(home.create(Home::ask_for([wanted(abc)])).await.unwrap().unique_id).await;
    assert_eq!((home.bytes("a (1)"), origin.requests().len()), (b"abc".to_vec(), 1), "length and date were not enough");
    home.settled(home.create(Home::ask_for([wanted(abc)])).await.unwrap().unique_id).await;
    assert_eq!(origin.requests().len(), 1, "the list knows that it matched");
    let other = format!("sha-256={}", "0".repeat(64));
    let failed = home.settled(home.create(Home::ask_for([wanted(&other)])).await.unwrap().unique_id).await;
    assert_eq!((failed.result, origin.requests().len() > 1), (RegistrationResult::Failure, true));
}

#[tokio::test]
async fn retry_resumes_interrupted_chain_at_failed_page() {
    let origin = Origin::start().await;
    let home = Home::open_with("attempts = 1\n").await;
    let _pages = pages(&origin, 4);
    let gone = origin.refuses("/page-2", 404);
    let id = home.create(book(&origin, 4)).await.unwrap().unique_id;
    assert_eq!(home.settled(id).await.failed, 1);
    drop(gone);
    origin.file("/page-2", Body::bytes("there now"));
    assert_eq!(home.retry(id).await.unwrap(), 1);
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.succeeded), (RegistrationResult::Success, 4));
    assert_eq!(paths(&origin), ["/page-1", "/page-2", "/page-2", "/page-3", "/page-4"]);
}

#[tokio::test]
async fn parts_of_manifest_are_resolved_against_its_final_url() {
    let (origin, cdn) = (Origin::start().await, Origin::start().await);
    let home = Home::open().await;
    let target = cdn.url("/deep/list").to_string();
    let _moved = origin.redirects("/list", 302, &target);
    let text = format!("#EXTM3U\na.ts\n/b.ts\n{}\na.ts\n", origin.url("/c.ts"));
    cdn.file("/deep/list", Body::bytes(text));
    for path in ["/deep/a.ts", "/b.ts"] {
        cdn.file(path, Body::bytes("x"));
    }
    origin.file("/c.ts", Body::bytes("x"));
    let first = NewRequest { next: Some(FollowUpRule::Parts { optional: false }), ..get(origin.url("/list")) };
    let id = home.create(Home::ask_for([first])).await.unwrap().unique_id;
    let settled = home.settled(id).await;
    assert_eq!((settled.result, settled.succeeded, settled.requests), (RegistrationResult::Success, 4, 4));
    assert_eq!(cdn.requests().len() + origin.requests().len(), 5);

    let bad = NewRequest { next: Some(FollowUpRule::Parts { optional: false }), ..get(origin.url("/none")) };
    origin.file("/none", Body::bytes("# nothing in here\n"));
    let id = home.create(Home::ask_for([bad])).await.unwrap().unique_id;
    let settled = home.settled(id).await;
    assert_eq!(settled.failure.unwrap().code, "bad-manifest");
}

#[tokio::test(flavor = "multi_thread")]
async fn downloaded_manifest_keeps_its_final_url_after_power_failure() {
    let (origin, cdn) = (Origin::start().await, Origin::start().await);
    let _moved = origin.redirects("/list", 302, cdn.url("/deep/list").as_str());
    cdn.file("/deep/list", Body::bytes("a.ts\n"));
    cdn.file("/deep/a.ts", Body::bytes("x"));
    for point in ["engine.completed-before-write", "engine.news-before-commit:2", "transfer.batch-placed"] {
        let mut machine = Machine::new();
        machine.serve(Some(point)).await.unwrap();
        let request = json!({ "url": origin.url("/list"), "next": { "parts": {} } });
        let new = json!({ "owner": "story", "developer_id": "a", "folder": machine.target(), "requests": [request] });
        let answered = machine.call("create", new).await;
        assert!(!matches!(answered, Err(Cut::Refused(_))), "{answered:?}");
        machine.died_by_itself().await;
        machine.serve(None).await.unwrap();
        let settled = machine.until("a", "settled", |now| now["state"] == "settled").await.unwrap();
        assert_eq!((&settled["result"], &settled["succeeded"]), (&"success".into(), &2.into()), "{point}: {settled}");
        machine.stop().await;
    }
}

#[tokio::test]
async fn requests_of_a_list_are_run_in_order_until_aborted() {
    let origin = Origin::start().await;
    let mut home = Home::open().await;
    for path in ["/1", "/2"] {
        origin.file(path, Body::bytes("x"));
    }
    let gate = origin.file("/0", Body::bytes("x")).gate_at(0);
    let rest = vec![get(origin.url("/1")), get(origin.url("/2"))];
    let first = NewRequest { next: Some(FollowUpRule::List(rest)), ..get(origin.url("/0")) };
    let id = home.create(Home::ask_for([first])).await.unwrap().unique_id;
    gate.held().await;
    assert!(home.show(id).await.unwrap().has_more);
    home.abort(id).await.unwrap();
    gate.release();
    home.close().await;
    home.reopen().await;
    assert_eq!(paths(&origin), ["/0"]);
    assert!(home.retry(id).await.unwrap() > 0);
    assert_eq!(home.settled(id).await.succeeded, 3);
    assert_eq!(paths(&origin)[1..], ["/0", "/1", "/2"]);
    let records = home.records(id, 0, 0).await.unwrap();
    assert!(records.iter().all(|record| record.state == RecordState::Completed));
    assert_eq!(records.len(), 3);
}

#[tokio::test]
async fn endless_chain_is_refused() {
    let origin = Origin::start().await;
    let home = Home::open().await;
    let mut endless = book(&origin, 1_000_000);
    assert!(home.create(endless.clone()).await.unwrap_err().to_string().contains("100,000 pages"));
    let Some(FollowUpRule::Series(series)) = &mut endless.requests[0].next else { panic!() };
    (series.until, series.url) = (9, origin.url("/page-1").to_string());
    assert!(home.create(endless).await.unwrap_err().to_string().contains("exactly once"), "it would name itself");
    assert!(origin.requests().is_empty());
}
