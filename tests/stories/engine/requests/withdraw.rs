//! Tests the withdrawal of developer ids (names) by their owner, before and after a registration with that name exists.

use ashore_engine::{Engine, ListQuery, NewRegistration};
use ashore_testkit::home::Home;

fn named(name: &str) -> NewRegistration {
    NewRegistration {
        owner: "browser".to_owned(),
        developer_id: Some(name.to_owned()),
        paused: true,
        ..Home::ask(["http://127.0.0.1:9999/a"])
    }
}

async fn listed(engine: &Engine) -> usize {
    engine.list(ListQuery::default()).await.unwrap().len()
}

#[tokio::test]
async fn withdrawn_name_is_refused_without_registration() {
    let home = Home::open().await;
    assert!(!home.withdraw("browser", "a/1", true).await.unwrap(), "nothing is registered");
    assert_eq!(home.create(named("a/1")).await.unwrap_err().code(), "withdrawn");
    assert_eq!(home.add(named("a/1")).await.unwrap_err().code(), "withdrawn");
    assert_eq!(listed(&home).await, 0);
    home.create(named("a/2")).await.unwrap();
    home.create(NewRegistration { owner: "feeds".to_owned(), ..named("a/1") }).await.unwrap();
}

#[tokio::test]
async fn withdrawn_registration_is_removed_whether_active_or_ended() {
    let mut home = Home::open().await;
    home.create(named("active")).await.unwrap();
    let ended = home.create(named("ended")).await.unwrap();
    home.abort(ended.unique_id).await.unwrap();
    for name in ["active", "ended"] {
        assert!(!home.withdraw("feeds", name, true).await.unwrap(), "{name} of another owner");
        assert!(home.withdraw("browser", name, true).await.unwrap(), "{name}");
        assert!(!home.withdraw("browser", name, true).await.unwrap(), "{name} is gone");
    }
    home.crash().await;
    home.reopen().await;
    assert_eq!(listed(&home).await, 0);
}
