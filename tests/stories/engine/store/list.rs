//! Tests the list and its fields, as shown to users.

use ashore_engine::{ListQuery, NewRegistration, NewRequest};
use ashore_testkit::{
    home::{Home, get},
    origin::{Body, Origin},
};

async fn titles(home: &Home, query: ListQuery) -> Vec<String> {
    home.list(query).await.unwrap().into_iter().map(|now| now.title).collect()
}

#[tokio::test]
async fn list_is_newest_first_and_can_be_paged_and_searched_and_filtered() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    origin.file("/needle.iso", Body::bytes("x"));
    let done = home.fetch([origin.url("/needle.iso")]).await;
    home.settled(done).await;
    let mut ids = vec![done];
    for number in 1..=5 {
        let ask =
            NewRegistration { title: Some(format!("Number {number}")), paused: true, ..Home::ask(["http://127.0.0.1:8080/x"]) };
        ids.push(home.create(ask).await.unwrap().unique_id);
    }
    let everything = ["Number 5", "Number 4", "Number 3", "Number 2", "Number 1", "needle.iso"];
    assert_eq!(titles(&home, ListQuery::default()).await, everything);
    let page = ListQuery { limit: 2, ..ListQuery::default() };
    assert_eq!(titles(&home, page.clone()).await, everything[..2]);
    assert_eq!(titles(&home, ListQuery { before: Some(ids[4]), ..page }).await, everything[2..4]);
    let settled = ListQuery { active: Some(false), ..ListQuery::default() };
    assert_eq!(titles(&home, settled).await, ["needle.iso"]);
    let active = ListQuery { active: Some(true), ..ListQuery::default() };
    assert_eq!(titles(&home, active).await, everything[..5]);
    for (search, expected) in [("needle", 1), ("NUMBER 3", 1), ("8080/x", 5), ("nothing", 0), ("%", 0), ("_", 0)] {
        let query = ListQuery { search: Some(search.to_owned()), ..ListQuery::default() };
        assert_eq!(titles(&home, query).await.len(), expected, "{search}");
        assert_eq!(home.search(search).await.unwrap().len(), expected, "{search}");
    }
}

#[tokio::test]
async fn missing_title_is_derived_from_requests() {
    let home = Home::open_without_fetching().await;
    let title = async |requests: Vec<NewRequest>| home.create(Home::ask_for(requests)).await.unwrap().title;
    assert_eq!(title(vec![get("http://127.0.0.1:8080/a/big%20file.iso?x=1")]).await, "big file.iso");
    assert_eq!(title(vec![get("http://127.0.0.1:8080/")]).await, "127.0.0.1");
    let two = vec![get("http://127.0.0.1:8080/a"), get("http://127.0.0.1:8080/b")];
    assert_eq!(title(two).await, "2 files from 127.0.0.1");
    let named = NewRequest { name: Some("mine.iso".to_owned()), ..get("http://127.0.0.1:8080/a") };
    assert_eq!(title(vec![named]).await, "mine.iso");
}

#[tokio::test]
async fn expected_total_is_known_as_soon_as_all_sizes_are_known() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let one = origin.file("/one", Body::seeded(1, 1000)).gate_at(500);
    let other = origin.file("/other", Body::seeded(2, 3000)).chunked().gate_at(1000);
    let made = home.create(Home::ask([origin.url("/one"), origin.url("/other")])).await.unwrap();
    assert_eq!((made.expected_total, made.download_total), (0, 0));
    one.held().await;
    other.held().await;
    let half = home.until(made.unique_id, |now| now.downloaded == 1500).await;
    assert_eq!(half.expected_total, 0, "one of them does not say how long it is");
    other.release();
    let known = home.until(made.unique_id, |now| now.succeeded == 1).await;
    assert_eq!(known.expected_total, 4000);
    one.release();
    let settled = home.settled(made.unique_id).await;
    assert_eq!((settled.downloaded, settled.expected_total, settled.download_total), (4000, 4000, 0));
}

#[tokio::test]
async fn request_uses_headers_and_file_name_given_by_caller() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::bytes("a"));
    let request = NewRequest {
        headers: vec![("X-Ticket".to_owned(), "42".to_owned())],
        name: Some("b.txt".to_owned()),
        ..get(origin.url("/a#part"))
    };
    let id = home.create(Home::ask_for([request])).await.unwrap().unique_id;
    assert_eq!(home.settled(id).await.path, Some(home.downloads().join("b.txt")));
    assert_eq!(file.requests()[0].header("x-ticket"), Some("42"));
    assert_eq!(home.records(id, 0, 0).await.unwrap()[0].url, origin.url("/a").as_str());
}

#[tokio::test]
async fn call_on_closed_engine_fails_immediately() {
    let (origin, mut home) = (Origin::start().await, Home::open().await);
    let file = origin.file("/a", Body::seeded(1, 1000)).gate_at(500);
    let id = home.fetch([origin.url("/a")]).await;
    file.held().await;
    let other_handle = (*home).clone();
    home.close().await;
    assert!(other_handle.show(id).await.is_err());
    assert_eq!(other_handle.create(Home::ask([origin.url("/a")])).await.unwrap_err().code(), "closed");
    other_handle.close().await;
}
