//! Tests end events of owners, and operations on all registrations of an owner. Only the ledger is involved.

use crate::{
    model::{ListQuery, values::retention::RetentionPeriod},
    store::{AckOutcome, tests::*},
};

/// Registration of a program, with one request.
fn of_program(owner: &str, developer_id: &str) -> AcceptedRegistration {
    AcceptedRegistration { owner: owner.to_owned(), delivers: 1, ..asked(developer_id, &["https://example.org/a"]) }
}

impl Ledger {
    /// Creates a registration of a program and completes it.
    async fn settled(&self, owner: &str, developer_id: &str) -> AcceptedRegistration {
        let new = of_program(owner, developer_id);
        self.create(&new).await.unwrap();
        let taken = self.take().await.unwrap();
        assert_eq!(self.complete(taken.guid).await, Some(true));
        new
    }

    async fn register(&self, owner: &str) {
        let mut writing = self.store.begin().await.unwrap();
        writing.register_client(owner).await.unwrap();
        writing.commit().await.unwrap();
    }

    async fn acknowledge(&self, id: UniqueId, number: u32) -> AckOutcome {
        let mut writing = self.store.begin().await.unwrap();
        let acknowledged = writing.acknowledge(id, number, 7_000_000).await.unwrap();
        writing.commit().await.unwrap();
        acknowledged
    }

    async fn claim(&self, id: UniqueId) -> bool {
        let mut writing = self.store.begin().await.unwrap();
        let claimed = writing.claim(id, 7_000_000).await.unwrap();
        writing.commit().await.unwrap();
        claimed
    }

    async fn mark_for_removal(&self, id: UniqueId) {
        let mut writing = self.store.begin().await.unwrap();
        writing.mark_for_removal(id, false).await.unwrap();
        writing.commit().await.unwrap();
    }

    async fn delete(&self, id: UniqueId) -> bool {
        let mut writing = self.store.begin().await.unwrap();
        let gone = writing.delete_registration(id, 100).await.unwrap();
        writing.commit().await.unwrap();
        gone
    }
}

#[tokio::test]
async fn notification_and_end_event_are_handled_independently() {
    let ledger = Ledger::new().await;
    for (number, claimed_first) in [true, false].into_iter().enumerate() {
        let new = ledger.settled("feeds", &format!("feed {number}")).await;
        let id = new.unique_id;
        if claimed_first {
            assert!(ledger.claim(id).await);
        }
        assert_eq!(ledger.store.owed_to("feeds").await.unwrap(), [id], "the notification leaves the owner's event");
        assert_eq!(ledger.acknowledge(id, 1).await, AckOutcome::Now);
        assert_eq!(ledger.acknowledge(id, 1).await, AckOutcome::No, "only once");
        if !claimed_first {
            assert_eq!(ledger.store.pending_notifications().await.unwrap(), [id], "the acknowledgement leaves the notification");
            assert!(ledger.claim(id).await);
        }
        assert_eq!(
            (ledger.store.pending_notifications().await.unwrap(), ledger.store.owed_to("feeds").await.unwrap()),
            (vec![], vec![])
        );
    }
}

#[tokio::test]
async fn owner_gets_end_events_of_its_own_registrations_only() {
    let ledger = Ledger::new().await;
    let (first, second) = (ledger.settled("one", "a").await, ledger.settled("two", "a").await);
    let persons = asked("b", &["https://example.org/b"]);
    ledger.create(&persons).await.unwrap();
    let taken = ledger.take().await.unwrap();
    ledger.complete(taken.guid).await.unwrap();
    assert_eq!(ledger.store.owed_to("one").await.unwrap(), [first.unique_id]);
    assert_eq!(ledger.store.owed_to("two").await.unwrap(), [second.unique_id]);
    assert_eq!(ledger.store.owed_to("window").await.unwrap(), [], "the person has a notification");
    assert_eq!(ledger.store.owner_of(second.unique_id).await.unwrap().as_deref(), Some("two"));
}

#[tokio::test]
async fn abort_and_failure_and_success_each_create_pending_end_event() {
    let ledger = Ledger::new().await;
    let aborted = of_program("feeds", "a");
    ledger.create(&aborted).await.unwrap();
    ledger.abort(aborted.unique_id).await.unwrap();
    let failing = of_program("feeds", "b");
    ledger.create(&failing).await.unwrap();
    let taken = ledger.take().await.unwrap();
    ledger.fail(taken.guid, &failed(FailureReason::BadStatus, "bad-status")).await.unwrap();
    let mut owed = ledger.store.owed_to("feeds").await.unwrap();
    owed.sort_unstable();
    let mut both = [aborted.unique_id, failing.unique_id];
    both.sort_unstable();
    assert_eq!(owed, both);
}

#[tokio::test]
async fn second_end_after_retry_creates_another_end_event() {
    let ledger = Ledger::new().await;
    let new = of_program("feeds", "a");
    ledger.create(&new).await.unwrap();
    let fail = async || {
        let taken = ledger.take().await.unwrap();
        ledger.fail(taken.guid, &failed(FailureReason::BadStatus, "bad-status")).await.unwrap();
    };
    fail().await;
    assert_eq!(ledger.show(new.unique_id).await.event_number, 1);
    assert_eq!(ledger.acknowledge(new.unique_id, 1).await, AckOutcome::Now);
    let mut writing = ledger.store.begin().await.unwrap();
    assert_eq!(writing.retry(new.unique_id).await.unwrap(), 1);
    writing.commit().await.unwrap();
    assert_eq!(ledger.store.owed_to("feeds").await.unwrap(), []);
    fail().await;
    assert_eq!(ledger.show(new.unique_id).await.event_number, 2);
    assert_eq!(ledger.acknowledge(new.unique_id, 1).await, AckOutcome::No, "a late word about the first end");
    assert_eq!(ledger.store.owed_to("feeds").await.unwrap(), [new.unique_id]);
    assert_eq!(ledger.acknowledge(new.unique_id, 2).await, AckOutcome::Now);
}

#[tokio::test]
async fn records_of_ended_registration_are_available_until_its_end_event_is_handled() {
    let ledger = Ledger::new().await;
    let programs = ledger.settled("feeds", "a").await;
    assert!(ledger.show(programs.unique_id).await.records_available);
    ledger.claim(programs.unique_id).await;
    assert!(ledger.show(programs.unique_id).await.records_available, "its owner has not handled it");
    ledger.acknowledge(programs.unique_id, 1).await;
    assert!(!ledger.show(programs.unique_id).await.records_available);

    let persons = asked("b", &["https://example.org/b"]);
    ledger.create(&persons).await.unwrap();
    assert!(ledger.show(persons.unique_id).await.records_available);
    let taken = ledger.take().await.unwrap();
    ledger.complete(taken.guid).await.unwrap();
    assert!(ledger.show(persons.unique_id).await.records_available);
    ledger.claim(persons.unique_id).await;
    assert!(!ledger.show(persons.unique_id).await.records_available);
}

#[tokio::test]
async fn removal_keeps_pending_event_if_owner_has_a_client() {
    let ledger = Ledger::new().await;
    ledger.register("feeds").await;
    let id = ledger.settled("feeds", "a").await.unique_id;
    ledger.mark_for_removal(id).await;
    assert!(!ledger.delete(id).await);
    assert_eq!(ledger.store.registration(id).await.unwrap(), None, "it is in no list");
    assert_eq!(ledger.store.owed_to("feeds").await.unwrap(), [id]);
    assert_eq!(ledger.store.seen(id, true).await.unwrap().unwrap().event_number, 1);
    assert_eq!(ledger.acknowledge(id, 1).await, AckOutcome::AndRemoved);
    assert!(ledger.delete(id).await);
    assert_eq!(ledger.count("registration").await, 0);
}

#[tokio::test]
async fn removal_discards_pending_event_if_owner_has_no_client() {
    let ledger = Ledger::new().await;
    let id = ledger.settled("script", "a").await.unique_id;
    assert_eq!(ledger.store.owed_to("script").await.unwrap(), [id], "a client that registers in time gets the event");
    ledger.mark_for_removal(id).await;
    assert!(ledger.delete(id).await);

    let asked_for = AcceptedRegistration { delivers: 2, ..of_program("script", "b") };
    ledger.create(&asked_for).await.unwrap();
    ledger.abort(asked_for.unique_id).await.unwrap();
    ledger.mark_for_removal(asked_for.unique_id).await;
    assert!(!ledger.delete(asked_for.unique_id).await, "the creator requested the delivery");
}

#[tokio::test]
async fn removal_keeps_end_event_even_if_the_first_client_of_owner_came_later() {
    let ledger = Ledger::new().await;
    let id = ledger.settled("feeds", "a").await.unique_id;
    ledger.register("feeds").await;
    ledger.register("feeds").await;
    assert!(ledger.store.has_client("feeds").await.unwrap() && !ledger.store.has_client("others").await.unwrap());
    ledger.mark_for_removal(id).await;
    assert!(!ledger.delete(id).await);
}

#[tokio::test]
async fn retention_period_of_registration_starts_at_last_acknowledgement() {
    let ledger = Ledger::new().await;
    ledger.register("feeds").await;
    let keep_for = Some(RetentionPeriod::of_seconds(1).unwrap());
    let new = AcceptedRegistration { keep_for, ..of_program("feeds", "a") };
    ledger.create(&new).await.unwrap();
    let taken = ledger.take().await.unwrap();
    ledger.complete(taken.guid).await.unwrap();
    let expired = async || {
        let mut writing = ledger.store.begin().await.unwrap();
        writing.expired(i64::MAX, 10).await.unwrap()
    };
    assert_eq!(expired().await, []);
    ledger.claim(new.unique_id).await;
    assert_eq!(expired().await, [], "the owner's client has not had it");
    ledger.acknowledge(new.unique_id, 1).await;
    assert_eq!(expired().await, [(new.unique_id, false)]);
    assert_eq!(ledger.store.next_expiry().await.unwrap(), Some(8_000_000), "a second after the acknowledgement");
}

#[tokio::test]
async fn deleted_owner_loses_its_events_and_its_row() {
    let ledger = Ledger::new().await;
    ledger.register("feeds").await;
    let (owed, removed) = (ledger.settled("feeds", "a").await, ledger.settled("feeds", "b").await);
    ledger.mark_for_removal(removed.unique_id).await;
    let mut writing = ledger.store.begin().await.unwrap();
    let (mut ids, _) = writing.doom_owner("feeds").await.unwrap();
    writing.commit().await.unwrap();
    ids.sort_unstable();
    let mut both = [owed.unique_id, removed.unique_id];
    both.sort_unstable();
    assert_eq!(ids, both);
    assert_eq!(ledger.store.owed_to("feeds").await.unwrap(), []);
    assert_eq!(ledger.count("owner").await, 1, "its registrations still need it");
    for id in ids {
        assert!(ledger.delete(id).await);
    }
    assert_eq!((ledger.count("owner").await, ledger.count("queue_stat").await), (0, 0));
}

#[tokio::test]
async fn deletion_of_owner_is_cancelled_by_new_registration() {
    let ledger = Ledger::new().await;
    let old = ledger.settled("feeds", "a").await;
    let mut writing = ledger.store.begin().await.unwrap();
    writing.doom_owner("feeds").await.unwrap();
    writing.commit().await.unwrap();
    let new = of_program("feeds", "a");
    ledger.create(&new).await.unwrap();
    assert!(ledger.delete(old.unique_id).await);
    assert_eq!(ledger.store.owner_of(new.unique_id).await.unwrap().as_deref(), Some("feeds"));
    assert_eq!(ledger.audit().await, [] as [String; 0]);
}

#[tokio::test]
async fn owner_without_registrations_is_deleted_immediately() {
    let ledger = Ledger::new().await;
    ledger.register("feeds").await;
    let mut writing = ledger.store.begin().await.unwrap();
    writing.doom_owner("feeds").await.unwrap();
    writing.commit().await.unwrap();
    assert_eq!(ledger.count("owner").await, 0);
}

#[tokio::test]
async fn clear_call_removes_all_registrations_of_one_owner() {
    let ledger = Ledger::new().await;
    ledger.register("feeds").await;
    let done = ledger.settled("feeds", "a").await;
    let (running, waiting, other) = (of_program("feeds", "b"), of_program("feeds", "c"), of_program("others", "a"));
    for new in [&running, &waiting, &other] {
        ledger.create(new).await.unwrap();
    }
    let taken = ledger.take().await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    let cleared = writing.clear_owner("feeds", false, &trouble("aborted"), 8_000_000).await.unwrap();
    assert_eq!((cleared.ids.len(), cleared.settled.len(), cleared.guids), (3, 2, vec![taken.guid]));
    assert_eq!(writing.clear_owner("nobody", false, &trouble("aborted"), 8_000_000).await.unwrap().ids, []);
    writing.commit().await.unwrap();
    let listed = ledger.store.list_page(&ListQuery::default(), None).await.unwrap().registrations;
    assert_eq!(listed.iter().map(|one| one.unique_id).collect::<Vec<_>>(), [other.unique_id]);
    let owed = ledger.store.owed_to("feeds").await.unwrap();
    assert_eq!((owed.len(), owed[0]), (3, done.unique_id), "a removal drops no event");
    assert_eq!(ledger.store.ids("feeds").await.unwrap(), [] as [String; 0]);
    assert_eq!(ledger.audit().await, [] as [String; 0]);
}

#[tokio::test]
async fn reset_ends_active_registrations_but_keeps_them_listed() {
    let ledger = Ledger::new().await;
    let done = ledger.settled("feeds", "a").await;
    let (running, other) = (of_program("feeds", "b"), of_program("others", "a"));
    ledger.create(&running).await.unwrap();
    let taken = ledger.take().await.unwrap();
    ledger.create(&other).await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    let ended = writing.reset_owner("feeds", &trouble("aborted"), 8_000_000).await.unwrap();
    writing.commit().await.unwrap();
    assert_eq!((ended.ids, ended.guids), (vec![running.unique_id], vec![taken.guid]));
    let shown = ledger.show(running.unique_id).await;
    assert_eq!((shown.failure_reason, shown.is_settled()), (FailureReason::Aborted, true));
    assert_eq!(ledger.show(done.unique_id).await.failure_reason, FailureReason::None);
    assert!(!ledger.show(other.unique_id).await.is_settled());
    assert_eq!(ledger.audit().await, [] as [String; 0]);
}

#[tokio::test]
async fn queue_statistics_are_kept_per_owner_and_include_removed_registrations() {
    let ledger = Ledger::new().await;
    let done = ledger.settled("feeds", "a").await;
    let failing = of_program("feeds", "b");
    ledger.create(&failing).await.unwrap();
    let taken = ledger.take().await.unwrap();
    ledger.fail(taken.guid, &failed(FailureReason::BadStatus, "bad-status")).await.unwrap();
    ledger.settled("others", "a").await;
    let counted = async |owner: &str| {
        let stats = ledger.store.queue_stats(owner).await.unwrap();
        (stats.total, stats.successes, stats.failures)
    };
    assert_eq!((counted("feeds").await, counted("others").await, counted("nobody").await), ((2, 1, 1), (1, 1, 0), (0, 0, 0)));
    ledger.mark_for_removal(done.unique_id).await;
    assert!(ledger.delete(done.unique_id).await);
    let mut writing = ledger.store.begin().await.unwrap();
    writing.retry(failing.unique_id).await.unwrap();
    writing.commit().await.unwrap();
    assert_eq!(counted("feeds").await, (2, 1, 0), "a retried request does not count as failed");
}

#[tokio::test]
async fn list_of_an_owner_can_be_paged_and_searched_and_filtered() {
    let ledger = Ledger::new().await;
    let (first, second) = (ledger.settled("feeds", "a").await, of_program("feeds", "b"));
    ledger.create(&second).await.unwrap();
    ledger.create(&of_program("others", "b")).await.unwrap();
    let list = async |query: ListQuery| {
        let query = ListQuery { owner: Some("feeds".to_owned()), ..query };
        let page = ledger.store.list_page(&query, None).await.unwrap().registrations;
        page.into_iter().map(|one| one.unique_id).collect::<Vec<_>>()
    };
    let query = ListQuery::default;
    assert_eq!(list(query()).await, [second.unique_id, first.unique_id]);
    assert_eq!(list(ListQuery { active: Some(true), ..query() }).await, [second.unique_id]);
    assert_eq!(list(ListQuery { before: Some(second.unique_id), ..query() }).await, [first.unique_id]);
    assert_eq!(list(ListQuery { search: Some("Title of b".to_owned()), ..query() }).await, [second.unique_id]);
}
