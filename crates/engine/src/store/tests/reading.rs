//! Tests reading: registrations by name, in pages and by search; records in order and by `match`.

use crate::{
    model::{FileCategory, ImageResource, ListQuery, MatchOptions, NotificationIcon, RecordState},
    store::{columns, tests::*},
};

#[tokio::test]
async fn ids_call_and_find_call_return_only_active_registrations_of_owner() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0"]);
    ledger.create(&new).await.unwrap();
    assert_eq!(ledger.store.ids("window").await.unwrap(), ["a"]);
    assert_eq!(ledger.store.ids("nobody").await.unwrap(), [""; 0]);
    assert_eq!(ledger.store.find("window", "a").await.unwrap(), Some(ledger.show(new.unique_id).await));
    assert_eq!(ledger.store.find("window", "b").await.unwrap(), None);
    assert_eq!(ledger.store.find("nobody", "a").await.unwrap(), None);
    let taken = ledger.take().await.unwrap();
    ledger.complete(taken.guid).await;
    assert_eq!(ledger.store.ids("window").await.unwrap(), [""; 0]);
    assert_eq!(ledger.store.find("window", "a").await.unwrap(), None);
}

#[tokio::test]
async fn list_pages_are_sorted_newest_first() {
    let ledger = Ledger::new().await;
    for number in 0..7 {
        ledger.create(&asked(&number.to_string(), &["https://example.org/file"])).await.unwrap();
    }
    for _ in 0..3 {
        let taken = ledger.take().await.unwrap();
        ledger.complete(taken.guid).await;
    }
    let page = async |before, active| {
        let query = ListQuery { before, active, limit: 3, ..ListQuery::default() };
        ledger.store.list_page(&query, None).await.unwrap().registrations
    };
    let names = |page: &[Registration]| page.iter().map(|one| one.developer_id.clone()).collect::<Vec<_>>();
    let first = page(None, None).await;
    assert_eq!(names(&first), ["6", "5", "4"]);
    let second = page(Some(first[2].unique_id), None).await;
    assert_eq!(names(&second), ["3", "2", "1"]);
    assert_eq!(names(&page(Some(second[2].unique_id), None).await), ["0"]);
    assert_eq!(names(&page(None, Some(true)).await), ["6", "5", "4"]);
    assert_eq!(names(&page(Some(first[2].unique_id), Some(true)).await), ["3"]);
    assert_eq!(names(&page(None, Some(false)).await), ["2", "1", "0"]);

    let three = ListQuery { limit: 3, ..ListQuery::default() };
    let (mut position, mut pages) = (None, Vec::new());
    loop {
        let page = ledger.store.list_page(&three, position).await.unwrap();
        pages.push(names(&page.registrations).concat());
        position = page.next;
        if position.is_none() {
            break;
        }
    }
    assert_eq!(pages, ["654", "321", "0"]);

    let gone = UniqueId(Uuid::new_v4());
    let query = ListQuery { before: Some(gone), ..ListQuery::default() };
    assert!(matches!(ledger.store.list_page(&query, None).await, Err(EngineError::Unknown(id)) if id == gone));
}

#[tokio::test]
async fn registration_has_most_frequent_category_of_its_files() {
    let ledger = Ledger::new().await;
    let set = asked("set", &["https://example.org/a.mkv", "https://example.org/b.srt", "https://example.org/c.mkv"]);
    let one = asked("one", &["https://example.org/download.php"]);
    let more = asked("more", &["https://example.org/a.flac"]);
    for new in [&one, &set, &more] {
        ledger.create(new).await.unwrap();
    }
    let kind = async |new: &AcceptedRegistration| ledger.show(new.unique_id).await.category;
    assert_eq!(
        (kind(&set).await, kind(&one).await, kind(&more).await),
        (FileCategory::Video, FileCategory::Other, FileCategory::Music)
    );
    // The category that follows from the response replaces the category that follows from the address.
    let taken = ledger.take().await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    writing.write_active_download_metadata(taken.guid, &head(200, Some(10))).await.unwrap();
    writing.commit().await.unwrap();
    assert_eq!(kind(&one).await, FileCategory::Document);
}

#[tokio::test]
async fn search_treats_wildcards_as_literal_text() {
    let ledger = Ledger::new().await;
    let mut one = asked("1", &["https://example.org/100%25_sure"]);
    one.title = "Holiday".to_owned();
    let mut two = asked("2", &["https://example.org/1000"]);
    two.title = "Work".to_owned();
    two.requests[0].name = Some("minutes.pdf".to_owned());
    ledger.create(&one).await.unwrap();
    ledger.create(&two).await.unwrap();
    let found = async |search: &str| {
        let query = ListQuery { search: Some(search.to_owned()), ..ListQuery::default() };
        let found = ledger.store.list_page(&query, None).await.unwrap().registrations;
        let ids: Vec<_> = found.iter().map(|one| one.unique_id).collect();
        assert_eq!(ledger.store.search(search, 10).await.unwrap(), ids, "{search}");
        assert_eq!(ledger.store.search(search, 1).await.unwrap(), ids[..ids.len().min(1)], "{search}");
        found.into_iter().map(|one| one.developer_id).collect::<Vec<_>>()
    };
    assert_eq!(found("holi").await, ["1"]);
    assert_eq!(found("%25_").await, ["1"]);
    assert_eq!(found("100_").await, [""; 0]);
    assert_eq!(found("MINUTES").await, ["2"]);
    assert_eq!(found("example.org").await, ["2", "1"]);
    assert_eq!(found("  ").await, ["2", "1"]);
}

#[tokio::test]
async fn title_and_description_and_icons_change_independently() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0"]);
    ledger.create(&new).await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    let titled = NotificationIcon { title: Some("New".to_owned()), ..NotificationIcon::default() };
    writing.update_ui(new.unique_id, &titled, 1).await.unwrap();
    let icons = vec![
        ImageResource { sizes: "16x16".to_owned(), ..ImageResource::from_source("/icons/a.png") },
        ImageResource::from_source("/icons/b.png"),
    ];
    writing
        .update_ui(new.unique_id, &NotificationIcon { icons: Some(icons.clone()), ..NotificationIcon::default() }, 1)
        .await
        .unwrap();
    writing
        .update_ui(new.unique_id, &NotificationIcon { description: Some("More".to_owned()), ..NotificationIcon::default() }, 1)
        .await
        .unwrap();
    let unknown = UniqueId(Uuid::new_v4());
    assert!(matches!(writing.update_ui(unknown, &titled, 1).await, Err(EngineError::Unknown(_))));
    writing.commit().await.unwrap();
    let shown = ledger.show(new.unique_id).await;
    assert_eq!((shown.title.as_str(), shown.description.as_str(), shown.icon), ("New", "More", Some("/icons/b.png".into())));
    assert_eq!(shown.icons, icons);
}

#[tokio::test]
async fn records_are_ordered_by_numeric_index() {
    let ledger = Ledger::new().await;
    let addresses: Vec<String> = (0..12).map(|number| format!("https://example.org/{number}")).collect();
    let new = asked("a", &addresses.iter().map(String::as_str).collect::<Vec<_>>());
    ledger.create(&new).await.unwrap();
    let indexes = async |from, limit| {
        let records = ledger.store.records(new.unique_id, from, limit, false).await.unwrap();
        records.iter().map(|record| record.index).collect::<Vec<_>>()
    };
    assert_eq!(indexes(0, 100).await, (0..12).collect::<Vec<_>>());
    assert_eq!(indexes(9, 2).await, [9, 10]);
    assert_eq!(indexes(12, 10).await, [0; 0]);
}

#[tokio::test]
async fn record_shows_values_known_at_each_stage_of_its_request() {
    let ledger = Ledger::new().await;
    let new = asked("a", &["https://example.org/0"]);
    ledger.create(&new).await.unwrap();
    let record = async || ledger.store.records(new.unique_id, 0, 1, false).await.unwrap().remove(0);
    let pending = record().await;
    assert_eq!((pending.state, pending.status, pending.attempts, pending.outcome), (RecordState::Pending, None, 0, None));
    let taken = ledger.take().await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    writing.write_active_download_metadata(taken.guid, &head(200, Some(10))).await.unwrap();
    writing.commit().await.unwrap();
    let active = record().await;
    assert_eq!((active.state, active.status, active.size, active.attempts), (RecordState::Active, Some(200), Some(10), 1));
    assert_eq!(active.headers, [("content-type".to_owned(), "text/plain".to_owned())]);
    assert_eq!(active.url_chain, ["https://example.org/file"]);
    let digest: ashore_transfer::FileDigest = format!("sha-256={}", "cd".repeat(32)).parse().unwrap();
    let response = CompletedResponse { digest: Some(digest.clone()), verified: RecordedVerification::ByDigest, ..completed(10) };
    let mut writing = ledger.store.begin().await.unwrap();
    writing.write_completed_download_response(taken.guid, &response, None, 1).await.unwrap();
    writing.commit().await.unwrap();
    let done = record().await;
    assert_eq!(
        (done.state, done.path, done.verified),
        (RecordState::Completed, response.path, Some(RecordedVerification::ByDigest))
    );
    assert_eq!((done.digest, done.downloaded, done.attempts, done.code), (Some(digest.to_string()), 10, 1, None));
}

#[tokio::test]
async fn match_all_call_returns_records_as_in_specification_example() {
    let ledger = Ledger::new().await;
    let mut new = asked(
        "a",
        &[
            "https://example.org/file",
            "https://example.org/file",
            "https://example.org/file?x=1",
            "https://example.org/file",
            "https://example.org/other",
        ],
    );
    new.requests[3].method = "POST".to_owned();
    ledger.create(&new).await.unwrap();
    let matches = async |address: &str, options: MatchOptions| {
        let found = ledger.store.match_all(new.unique_id, &address.parse().unwrap(), &options, false).await.unwrap();
        found.iter().map(|record| record.index).collect::<Vec<_>>()
    };
    let address = "https://example.org/file";
    let (ignore_search, ignore_method) = (
        MatchOptions { ignore_search: true, ..MatchOptions::default() },
        MatchOptions { ignore_method: true, ..MatchOptions::default() },
    );
    let both = MatchOptions { ignore_method: true, ..ignore_search.clone() };
    assert_eq!(matches(address, MatchOptions::default()).await, [0, 1]);
    assert_eq!(matches(address, ignore_search.clone()).await, [0, 1, 2]);
    assert_eq!(matches(address, ignore_method).await, [0, 1, 3]);
    assert_eq!(matches(address, both).await, [0, 1, 2, 3]);
    assert_eq!(matches("https://example.org/file#part", MatchOptions::default()).await, [0, 1]);
    assert_eq!(matches("https://example.org/file?x=2", ignore_search).await, [0, 1, 2]);
    assert_eq!(matches("https://example.org/file?x=2", MatchOptions::default()).await, [0; 0]);
    assert_eq!(matches("https://example.org/", MatchOptions::default()).await, [0; 0]);
    let post = MatchOptions { method: Some("POST".to_owned()), ..MatchOptions::default() };
    assert_eq!(matches(address, post).await, [3]);
}

/// Ledgers contain keys of this form, so the key of an address must never change.
#[test]
fn stored_url_key_of_address_never_changes() {
    assert_eq!(columns::url_key("https://example.org/file?x=1#y"), URL_KEY);
    assert_eq!(columns::url_key("https://example.org/file"), URL_KEY);
}

const URL_KEY: i64 = -563276783736309525;
