//! Tests the values of an owner's clients, and the search for registrations by the owner's names.

use crate::{model::OwnerChoices, store::tests::*};

fn named(owner: &str, developer_id: &str) -> AcceptedRegistration {
    AcceptedRegistration { owner: owner.to_owned(), delivers: 1, ..asked(developer_id, &["https://example.org/a"]) }
}

#[tokio::test]
async fn owner_can_store_and_replace_its_data_and_connection_limit_for_a_registration() {
    let ledger = Ledger::new().await;
    let new = AcceptedRegistration { connections: 3, owner_data: "first".to_owned(), ..named("peer", "a") };
    ledger.create(&new).await.unwrap();
    let read = || ledger.store.owner_choices(new.unique_id);
    assert_eq!(read().await.unwrap(), OwnerChoices { data: "first".to_owned(), connections: Some(3) });
    let mut writing = ledger.store.begin().await.unwrap();
    let choices = OwnerChoices { data: "second".to_owned(), connections: Some(0) };
    writing.choose_for_owner(new.unique_id, &choices).await.unwrap();
    assert_eq!(writing.choose_for_owner(UniqueId(Uuid::new_v4()), &choices).await.unwrap_err().code(), "unknown");
    writing.commit().await.unwrap();
    assert_eq!(read().await.unwrap(), OwnerChoices { data: "second".to_owned(), connections: Some(1) });
    assert_eq!(ledger.take().await.unwrap().connections, Some(1), "the transfer gets the number");
}

#[tokio::test]
async fn registrations_are_found_by_prefix_of_id_until_their_end_is_acknowledged() {
    let ledger = Ledger::new().await;
    let (first, second) = (named("peer", "0a1"), named("peer", "0a2"));
    ledger.create(&first).await.unwrap();
    ledger.create(&named("other", "0a3")).await.unwrap();
    let found = async |prefix: &str| ledger.store.named("peer", prefix, 9).await.unwrap();
    assert_eq!(found("0a").await, [first.unique_id]);
    assert_eq!(ledger.complete(ledger.take().await.unwrap().guid).await, Some(true));
    ledger.create(&second).await.unwrap();
    assert_eq!(found("0a").await, [second.unique_id, first.unique_id]);
    assert_eq!(found("0a1").await, [first.unique_id]);
    assert_eq!(found("0a12").await, []);
    assert_eq!(ledger.store.named("peer", "0", 1).await.unwrap().len(), 1);
    let ended = ledger.store.unacknowledged("peer", 9).await.unwrap();
    assert_eq!(ended.iter().map(|one| one.unique_id).collect::<Vec<_>>(), [first.unique_id]);
    let mut writing = ledger.store.begin().await.unwrap();
    writing.acknowledge(first.unique_id, 1, 7_000_000).await.unwrap();
    writing.commit().await.unwrap();
    assert_eq!(found("0a").await, [second.unique_id]);
    assert!(ledger.store.unacknowledged("peer", 9).await.unwrap().is_empty());
}
