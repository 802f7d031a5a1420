//! Tests places in the queue against a list that is too simple to be wrong.

use proptest::prelude::*;

use crate::{
    model::{QueueCounts, QueueWindow},
    store::tests::*,
};

/// Returns the waiting registrations in dispatch order.
async fn order(ledger: &Ledger) -> Vec<UniqueId> {
    let mut writing = ledger.store.begin().await.unwrap();
    let mut order = Vec::new();
    while let Some(taken) = writing.next_pending_request_and_mark_it_active(fresh(), &[]).await.unwrap() {
        order.push(taken.unique_id);
    }
    // The transaction is dropped without a commit, so nothing was dispatched.
    order
}

async fn created(ledger: &Ledger, count: usize) -> Vec<UniqueId> {
    let mut ids = Vec::new();
    for number in 0..count {
        let new = asked(&number.to_string(), &["https://example.org/"]);
        ledger.create(&new).await.unwrap();
        ids.push(new.unique_id);
    }
    ids
}

pub(crate) async fn moved(ledger: &Ledger, id: UniqueId, place: QueuePlace) {
    let mut writing = ledger.store.begin().await.unwrap();
    writing.move_to(id, place).await.unwrap();
    writing.commit().await.unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn queue_order_equals_simple_list_after_random_moves(moves in prop::collection::vec((0..5_usize, 0..3_u8, 0..5_usize), 1..30)) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let ledger = Ledger::new().await;
            let ids = created(&ledger, 5).await;
            let mut list = ids.clone();
            for (which, how, other) in moves {
                let (id, other) = (ids[which], ids[other]);
                let place = match how {
                    0 => QueuePlace::Top,
                    1 => QueuePlace::Bottom,
                    _ if id == other => continue,
                    _ => QueuePlace::Before(other),
                };
                moved(&ledger, id, place).await;
                list.retain(|one| *one != id);
                let at = match place {
                    QueuePlace::Top => 0,
                    QueuePlace::Before(other) => list.iter().position(|one| *one == other).unwrap(),
                    _ => list.len(),
                };
                list.insert(at, id);
            }
            assert_eq!(order(&ledger).await, list);
        });
    }
}

#[tokio::test]
async fn queue_order_stays_correct_after_many_moves_between_neighbours() {
    let ledger = Ledger::new().await;
    let ids = created(&ledger, 3).await;
    for turn in 0..60 {
        let (one, other) = if turn % 2 == 0 { (0, 1) } else { (1, 0) };
        moved(&ledger, ids[one], QueuePlace::Before(ids[2])).await;
        assert_eq!(order(&ledger).await, [ids[other], ids[one], ids[2]], "move {turn}");
    }
}

#[tokio::test]
async fn queue_ranks_keep_their_order_after_many_moves_and_renumbering_is_reported() {
    let ledger = Ledger::new().await;
    let ids = created(&ledger, 3).await;
    let mut before = ranks(&ledger, &ids).await;
    let mut spread = 0;
    for turn in 0..60 {
        let (one, other) = if turn % 2 == 0 { (0, 1) } else { (1, 0) };
        let mut writing = ledger.store.begin().await.unwrap();
        writing.move_to(ids[one], QueuePlace::Before(ids[2])).await.unwrap();
        let is_spread = writing.is_spread();
        writing.commit().await.unwrap();
        let ranks = ranks(&ledger, &ids).await;
        assert!(ranks[other] < ranks[one] && ranks[one] < ranks[2], "move {turn}: {ranks:?}");
        assert_eq!(is_spread, ranks[other] != before[other] || ranks[2] != before[2], "move {turn}");
        spread += u32::from(is_spread);
        before = ranks;
    }
    assert!((1..10).contains(&spread), "{spread}");
}

async fn ranks(ledger: &Ledger, ids: &[UniqueId]) -> Vec<i64> {
    let mut ranks = Vec::new();
    for id in ids {
        ranks.push(ledger.store.registration(*id).await.unwrap().unwrap().rank);
    }
    ranks
}

#[tokio::test]
async fn urgent_registration_is_first_until_moved_to_bottom() {
    let ledger = Ledger::new().await;
    let ids = created(&ledger, 3).await;
    moved(&ledger, ids[2], QueuePlace::Now).await;
    moved(&ledger, ids[1], QueuePlace::Top).await;
    assert_eq!(order(&ledger).await, [ids[2], ids[1], ids[0]]);
    assert_eq!(ledger.store.urgent(&SkipSet::default(), 9).await.unwrap().len(), 1);
    moved(&ledger, ids[2], QueuePlace::Bottom).await;
    assert_eq!(order(&ledger).await, [ids[1], ids[0], ids[2]]);
    assert!(ledger.store.urgent(&SkipSet::default(), 9).await.unwrap().is_empty());
}

/// Returns the ids in this part of the queue.
async fn queue_page(ledger: &Ledger, owner: Option<&str>, from_end: bool, offset: u32, limit: u32) -> Vec<UniqueId> {
    let page = ledger.store.queue_page(owner, QueueWindow { from_end, offset, limit }).await.unwrap();
    page.iter().map(|one| one.unique_id).collect()
}

#[tokio::test]
async fn queue_page_contains_only_waiting_and_paused_registrations_in_their_order() {
    let ledger = Ledger::new().await;
    let ids = created(&ledger, 5).await;
    moved(&ledger, ids[3], QueuePlace::Now).await;
    let paused = async |id: Option<UniqueId>, is_paused: bool| {
        let mut writing = ledger.store.begin().await.unwrap();
        writing.set_paused(id, is_paused, 0).await.unwrap();
        writing.commit().await.unwrap();
    };
    paused(Some(ids[1]), true).await;
    assert_eq!(queue_page(&ledger, None, false, 0, 9).await, [ids[3], ids[0], ids[1], ids[2], ids[4]]);
    assert_eq!(ledger.take().await.unwrap().unique_id, ids[3]);
    let running = async |owner: Option<&str>| {
        let running = ledger.store.running(owner).await.unwrap();
        running.iter().map(|one| one.unique_id).collect::<Vec<_>>()
    };
    let counts = async |owner: Option<&str>| ledger.store.queue_counts(owner).await.unwrap();
    for owner in [None, Some("window")] {
        assert_eq!(running(owner).await, [ids[3]]);
        assert_eq!(counts(owner).await, QueueCounts { running: 1, waiting: 4 });
        assert_eq!(queue_page(&ledger, owner, false, 0, 9).await, [ids[0], ids[1], ids[2], ids[4]]);
        assert_eq!(queue_page(&ledger, owner, false, 1, 2).await, [ids[1], ids[2]]);
        assert_eq!(queue_page(&ledger, owner, true, 0, 2).await, [ids[4], ids[2]]);
        assert_eq!(queue_page(&ledger, owner, true, 3, 9).await, [ids[0]]);
        assert_eq!(queue_page(&ledger, owner, false, 4, 9).await, []);
        assert_eq!(queue_page(&ledger, owner, false, u32::MAX, u32::MAX).await, []);
    }
    assert!(running(Some("other")).await.is_empty() && queue_page(&ledger, Some("other"), false, 0, 9).await.is_empty());
    assert_eq!(counts(Some("other")).await, QueueCounts { running: 0, waiting: 0 });
    // A registration counts as paused even while its transfer is stopping.
    paused(None, true).await;
    assert_eq!((running(None).await, counts(None).await), (Vec::new(), QueueCounts { running: 0, waiting: 5 }));
    assert_eq!(queue_page(&ledger, None, true, 0, 9).await, [ids[4], ids[2], ids[1], ids[0], ids[3]]);
}

#[tokio::test]
async fn registration_dispatches_at_most_its_parallel_limit() {
    let ledger = Ledger::new().await;
    let many =
        AcceptedRegistration { parallel: 2, ..asked("many", &["https://a.test/1", "https://b.test/2", "https://a.test/3"]) };
    ledger.create(&many).await.unwrap();
    let other = asked("other", &["https://a.test/4"]);
    ledger.create(&other).await.unwrap();
    let taken: Vec<_> = [ledger.take().await, ledger.take().await, ledger.take().await].map(Option::unwrap).into();
    assert_eq!(
        taken.iter().map(|one| (one.unique_id, one.index)).collect::<Vec<_>>(),
        [(many.unique_id, 0), (many.unique_id, 1), (other.unique_id, 0),]
    );
    assert!(ledger.take().await.is_none());
    ledger.complete(taken[0].guid).await.unwrap();
    assert_eq!(ledger.take().await.unwrap().index, 2);
}

#[tokio::test]
async fn turn_of_owner_selects_only_requests_of_that_owner() {
    let ledger = Ledger::new().await;
    created(&ledger, 3).await;
    let other = AcceptedRegistration { owner: "feed".to_owned(), ..asked("feed", &["https://example.org/"]) };
    ledger.create(&other).await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    let turns = writing.turns().await.unwrap();
    assert_eq!(turns.len(), 2);
    let taken = writing
        .next_pending_requests_and_mark_them_active(OwnerFilter::Turn(turns[0]), &SkipSet::default(), |_| 9, |_| true, fresh)
        .await
        .unwrap();
    let PickedRequest::Some(taken) = taken else { panic!("there is space") };
    assert_eq!(taken.iter().map(|one| one.unique_id).collect::<Vec<_>>(), [other.unique_id]);
    assert_eq!(writing.turns().await.unwrap(), [turns[1]]);
}

#[tokio::test]
async fn owners_with_runnable_requests_take_turns_after_urgent_requests() {
    let ledger = Ledger::new().await;
    assert_eq!(ledger.store.begin().await.unwrap().turns().await.unwrap(), []);
    for (number, owner) in ["one", "two", "three", "two"].into_iter().enumerate() {
        let place = if number == 3 { QueuePlace::Now } else { QueuePlace::Bottom };
        let new = asked(&number.to_string(), &["https://example.org/"]);
        ledger.create(&AcceptedRegistration { owner: owner.to_owned(), place, ..new }).await.unwrap();
    }
    let paused = AcceptedRegistration { owner: "four".to_owned(), paused: true, ..asked("paused", &["https://example.org/"]) };
    ledger.create(&paused).await.unwrap();
    let turns = ledger.store.begin().await.unwrap().turns().await.unwrap();
    let turns: Vec<_> = turns.into_iter().map(|turn| (turn.priority, turn.owner)).collect();
    assert_eq!(turns, [(1, 2), (0, 3), (0, 2), (0, 1)]);
}

#[tokio::test]
async fn registration_cannot_be_queued_before_an_ended_registration() {
    let ledger = Ledger::new().await;
    let ids = created(&ledger, 2).await;
    ledger.abort(ids[0]).await.unwrap();
    let mut writing = ledger.store.begin().await.unwrap();
    assert!(matches!(writing.move_to(ids[1], QueuePlace::Before(ids[0])).await, Err(EngineError::Unknown(id)) if id == ids[0]));
    let new = AcceptedRegistration { place: QueuePlace::Before(ids[0]), ..asked("new", &["https://example.org/"]) };
    assert!(matches!(writing.create_registration(&new, 1).await, Err(EngineError::Unknown(_))));
}
