//! Compares the ledger with the model after each step of the test in `super`.

use std::collections::BTreeMap;

use crate::{
    model::{DailyCount, FileCategory, RecordState, RegistrationState, RequestSource},
    store::{
        tests::{
            Ledger,
            model::{Where, World},
        },
        totals::tally::UsageTally,
    },
};

/// Compares the running totals with a count, by source and by day.
async fn compare_statistics(ledger: &Ledger, world: &World) {
    let all = world.entries.iter().map(|entry| (entry.source, entry.day, entry.counted()));
    let all: Vec<_> = all.chain(world.gone_counted.iter().copied()).collect();
    let sum = |is_meant: &dyn Fn(RequestSource, i64) -> bool| {
        let meant = all.iter().filter(|(source, day, _)| is_meant(*source, *day));
        let mut sum = crate::store::totals::tally::HostTally::default();
        meant.for_each(|(_, _, counted)| sum += *counted);
        DailyCount::from(sum)
    };
    let (total, sources) = ledger.store.statistics().await.unwrap();
    assert_eq!(total, sum(&|_, _| true));
    assert!(sources.iter().all(|(source, counted)| *counted == sum(&|of, _| of == *source)), "{sources:?}");
    assert_eq!(sources.iter().map(|(_, counted)| counted.added).sum::<u64>(), total.added);
    let days = ledger.store.statistics_by_day(0).await.unwrap();
    assert!(days.iter().all(|(day, counted)| *counted == sum(&|_, of| of == *day)), "{days:?}");
    assert_eq!(days.iter().map(|(_, counted)| counted.added).sum::<u64>(), total.added);
    assert!(days.iter().all(|(_, counted)| counted.succeeded + counted.failed <= counted.added), "{days:?}");
}

/// Compares the usage of each category with a count.
async fn compare_usage(ledger: &Ledger, world: &World) {
    let mut counted: BTreeMap<FileCategory, UsageTally> = BTreeMap::new();
    for request in world.entries.iter().flat_map(|entry| &entry.requests) {
        let kept = request.kept as i64;
        *counted.entry(request.category).or_default() += match request.place {
            Where::Active => {
                UsageTally { running: 1, expected: kept.max(request.size.unwrap_or(0) as i64), ..UsageTally::default() }
            }
            Where::Aborted => UsageTally::default(),
            Where::Completed => UsageTally { files: 1, kept, ..UsageTally::default() },
            Where::Pending | Where::Waiting(_) | Where::Dead => {
                UsageTally { files: i64::from(kept > 0), kept, ..UsageTally::default() }
            }
        };
    }
    counted.retain(|_, usage| *usage != UsageTally::default());
    let books = ledger.store.books().await.unwrap();
    let kept = books.usage.into_iter().filter(|(.., usage)| *usage != UsageTally::default());
    let kept: BTreeMap<FileCategory, UsageTally> = kept.map(|(_, category, usage)| (category, usage)).collect();
    assert_eq!(kept, counted);
}

/// Compares all values of the ledger with the model. Panics if they differ.
pub(super) async fn compare(ledger: &Ledger, world: &World) {
    assert_eq!(ledger.audit().await, [""; 0]);
    compare_statistics(ledger, world).await;
    compare_usage(ledger, world).await;
    for entry in &world.entries {
        let shown = ledger.store.registration(entry.id).await.unwrap();
        if entry.doomed {
            assert_eq!(shown, None);
            continue;
        }
        let shown = shown.unwrap();
        assert_eq!(shown.expires, entry.expires.map(|expires| expires / 1000));
        assert_eq!((shown.state, shown.result, shown.failure_reason), (entry.state(world.paused), entry.result, entry.failure));
        let counts = [
            entry.count(|place| *place == Where::Completed),
            entry.count(|place| *place == Where::Dead),
            entry.count(|place| *place == Where::Active),
        ];
        assert_eq!([shown.succeeded, shown.failed, shown.active], counts);
        assert_eq!(shown.downloaded, entry.requests.iter().map(|request| request.kept).sum::<u64>());
        let expected: Option<u64> = entry.requests.iter().map(|request| request.size).sum();
        assert_eq!(shown.expected_total, expected.unwrap_or(0));
        let records = ledger.store.records(entry.id, 0, 100, false).await.unwrap();
        for (record, request) in records.iter().zip(&entry.requests) {
            let state = match request.place {
                Where::Completed => RecordState::Completed,
                Where::Dead => RecordState::Dead,
                Where::Aborted => RecordState::Aborted,
                _ if !entry.active => RecordState::Aborted,
                Where::Pending => RecordState::Pending,
                Where::Active => RecordState::Active,
                Where::Waiting(_) => RecordState::Waiting,
            };
            assert_eq!((record.state, record.status.is_some()), (state, request.has_head));
        }
    }
    for id in &world.gone {
        assert_eq!(ledger.store.registration(*id).await.unwrap(), None);
    }
    let told = world.entries.iter().filter(|entry| !entry.active && !entry.doomed && !entry.owed);
    assert_eq!(ledger.store.next_expiry().await.unwrap(), told.filter_map(|entry| entry.expires).min());
    let mut owed = ledger.store.pending_notifications().await.unwrap();
    owed.sort();
    let mut expected: Vec<_> = world.entries.iter().filter(|entry| entry.owed).map(|entry| entry.id).collect();
    expected.sort();
    assert_eq!(owed, expected);
    let states: Vec<RegistrationState> =
        world.entries.iter().filter(|entry| entry.active).map(|entry| entry.state(world.paused)).collect();
    let (running, waiting) = ledger.store.running_and_waiting().await.unwrap();
    let with_active =
        world.entries.iter().filter(|entry| entry.active && entry.count(|place| *place == Where::Active) > 0).count();
    assert_eq!(running as usize, with_active);
    assert_eq!(waiting as usize, states.iter().filter(|state| **state == RegistrationState::Waiting).count());
    let due = world.entries.iter().flat_map(|entry| &entry.requests).filter_map(|request| match request.place {
        Where::Waiting(due) => Some(due),
        _ => None,
    });
    assert_eq!(ledger.store.next_due().await.unwrap(), due.min());
}
