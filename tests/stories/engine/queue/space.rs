//! Tests free space.
//!
//! No download starts if less space is free than the configured minimum. A file that is too large waits until enough
//! space is free.

use std::{
    path::Path,
    sync::atomic::{AtomicI64, AtomicU64, Ordering::SeqCst},
};

use ashore_engine::{
    EngineEnv, GateCode, ListQuery, NewRegistration, NewRequest, QueuePlace, RecordState, Registration, RegistrationResult,
    RegistrationState, RequestSource, UniqueId,
};
use ashore_testkit::{
    home::{Home, env, get},
    origin::{Body, Origin},
};

const GB: u64 = 1_000_000_000;

async fn short_of_space(home: &Home, id: UniqueId) -> Registration {
    let is_short = |now: &Registration| now.waiting_for.as_ref().is_some_and(|why| why.code == "disk");
    home.until(id, |now| now.state == RegistrationState::Waiting && is_short(now)).await
}

fn in_folder(folder: &Path, address: impl ToString) -> NewRegistration {
    NewRegistration { folder: Some(folder.to_owned()), ..Home::ask([address]) }
}

#[tokio::test]
async fn download_waits_while_free_space_is_below_minimum_and_resumes_afterwards() {
    static FREE: AtomicU64 = AtomicU64::new(GB);
    let free = |folder: &Path| if folder.ends_with("films") { Some(FREE.load(SeqCst)) } else { Some(1000 * GB) };
    let mut home = Home::closed("free-space-floor = \"2G\"\n").env(EngineEnv { free, ..env() });
    let origin = Origin::start().await;
    let film = origin.file("/film", Body::bytes("film"));
    let book = origin.file("/book", Body::seeded(1, 1000)).gate_at(500);
    let films = home.downloads().join("films");
    std::fs::create_dir(&films).unwrap();
    home.reopen().await;
    let id = home.create(in_folder(&films, origin.url("/film"))).await.unwrap().unique_id;
    let text = short_of_space(&home, id).await.waiting_for.unwrap().text;
    assert!(text.contains(" is low on space; 1.2 GB more needed."), "{text}");
    // Downloads to folders with enough space continue.
    let other = home.fetch([origin.url("/book")]).await;
    book.held().await;
    assert!(film.requests().is_empty());
    let gates = home.doctor().await.unwrap().gates;
    assert!(gates.iter().any(|gate| gate.code == GateCode::Disk && gate.text == text), "{gates:?}");

    FREE.store(3 * GB, SeqCst);
    book.release();
    home.settled(other).await;
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert_eq!(home.records(id, 0, 0).await.unwrap()[0].attempts, 1);
    assert!(home.doctor().await.unwrap().gates.iter().all(|gate| gate.code != GateCode::Disk));
}

#[tokio::test]
async fn file_that_does_not_fit_on_the_disk_waits_and_no_attempt_is_counted() {
    static FREE: AtomicU64 = AtomicU64::new(GB);
    static AHEAD: AtomicI64 = AtomicI64::new(0);
    let now_us = || (EngineEnv::default().now_us)() + AHEAD.load(SeqCst);
    let mut home = Home::closed("free-space-floor = \"0\"\nattempts = 2\nparallel-per-host = 1\n");
    home = home.env(EngineEnv {
        free: |_| Some(FREE.load(SeqCst)),
        capacity: |_| Some(1 << 52),
        now_us,
        uptime_us: now_us,
        ..env()
    });
    let origin = Origin::start().await;
    // The server claims a length that is larger than any disk. The test simulates the free space that the system
    // reports.
    let huge = origin.file("/huge", Body::bytes("not so huge")).claim_length(1 << 50).times(2);
    origin.file("/small", Body::bytes("small"));
    home.reopen().await;
    let id = home.fetch([origin.url("/huge")]).await;
    let why = short_of_space(&home, id).await.waiting_for.unwrap();
    assert!(why.text.contains(" is low on space; 1.2 PB more needed."), "{}", why.text);
    // After a minute, space is still too low, so no request is sent to the server. Other downloads continue.
    AHEAD.fetch_add(61_000_000, SeqCst);
    let other = home.fetch([origin.url("/small")]).await;
    assert_eq!(home.settled(other).await.result, RegistrationResult::Success);
    home.until_record(id, 0, |record| record.state == RecordState::Pending).await;
    assert_eq!(huge.requests().len(), 1);
    // Now the system reports enough space although the disk is full. The file is tried once a minute.
    FREE.store(1 << 51, SeqCst);
    home.move_to(id, QueuePlace::Top).await.unwrap();
    home.until_record(id, 0, |record| record.attempts == 2 && record.state == RecordState::Waiting).await;
    home.move_to(id, QueuePlace::Top).await.unwrap();
    assert_eq!(huge.requests().len(), 2);
    AHEAD.fetch_add(61_000_000, SeqCst);
    home.move_to(id, QueuePlace::Top).await.unwrap();
    // The third answer is a file that fits. It is requested only because the second failure did not count as a failed
    // try.
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
}

#[tokio::test]
async fn waiting_download_resumes_as_soon_as_space_is_free() {
    static FREE: AtomicU64 = AtomicU64::new(GB);
    let mut home = Home::closed("free-space-floor = \"0\"\nattempts = 1\n");
    home = home.env(EngineEnv { free: |_| Some(FREE.load(SeqCst)), capacity: |_| Some(1 << 52), ..env() });
    let origin = Origin::start().await;
    let huge = origin.file("/huge", Body::bytes("not so huge")).claim_length(1 << 50).times(1);
    home.reopen().await;
    let id = home.fetch([origin.url("/huge")]).await;
    short_of_space(&home, id).await;
    FREE.store(1 << 51, SeqCst);
    // The next tick and the next try are a minute away, so only the freed space can cause the resumption.
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
    assert_eq!(huge.requests().len(), 2);
}

#[tokio::test]
async fn user_can_retry_despite_lack_of_space() {
    let mut home =
        Home::closed("free-space-floor = \"0\"\n").env(EngineEnv { free: |_| Some(GB), capacity: |_| Some(1 << 52), ..env() });
    let origin = Origin::start().await;
    origin.file("/huge", Body::bytes("not so huge")).claim_length(1 << 50).times(1);
    home.reopen().await;
    let id = home.fetch([origin.url("/huge")]).await;
    short_of_space(&home, id).await;
    assert_eq!(home.retry(id).await.unwrap(), 1);
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
}

#[tokio::test]
async fn space_reserved_for_one_transfer_is_not_free_for_others() {
    static AHEAD: AtomicI64 = AtomicI64::new(0);
    let now_us = || (EngineEnv::default().now_us)() + AHEAD.load(SeqCst);
    let mut home = Home::closed("free-space-floor = \"0\"\n").env(EngineEnv {
        free: EngineEnv::default().free,
        now_us,
        uptime_us: now_us,
        ..env()
    });
    let origin = Origin::start().await;
    // Each file fits alone, but the two files do not fit together.
    let most = (EngineEnv::default().free)(&home.downloads()).unwrap() / 10 * 6;
    let first = origin.file("/first", Body::bytes("not so long")).claim_length(most).gate_at(3);
    let second = origin.file("/second", Body::bytes("not so long")).claim_length(most).times(1);
    home.reopen().await;
    let running = home.fetch([origin.url("/first")]).await;
    first.held().await;
    let id = home.fetch([origin.url("/second")]).await;
    let text = short_of_space(&home, id).await.waiting_for.unwrap().text;
    assert!(text.contains(" is low on space; ") && text.contains(" more needed."), "{text}");
    // After a minute, the first transfer still has its reserved space, so no second request is sent to the server.
    AHEAD.fetch_add(61_000_000, SeqCst);
    home.move_to(id, QueuePlace::Top).await.unwrap();
    home.until_record(id, 0, |record| record.state == RecordState::Pending).await;
    assert_eq!(second.requests().len(), 1);

    assert!(home.abort(running).await.unwrap());
    assert_eq!(home.settled(id).await.result, RegistrationResult::Success);
}

#[tokio::test]
async fn browser_download_is_refused_if_it_would_leave_less_than_minimum_free_space() {
    static FREE: AtomicU64 = AtomicU64::new(0);
    let settings = "free-space-floor = \"1000\"\nlocal-for-programs = true\n";
    let mut home = Home::closed(settings).env(EngineEnv { free: |_| Some(FREE.load(SeqCst)), ..env() });
    let origin = Origin::start().await;
    origin.file("/a", Body::seeded(1, 500));
    home.reopen().await;
    let ask = |source, size| {
        let request = NewRequest { size, ..get(origin.url("/a")) };
        NewRegistration { owner: "browser".to_owned(), source, ..Home::ask_for([request]) }
    };
    for (size, free, is_taken) in [(Some(500), 1499, false), (Some(500), 1500, true), (None, 1000, false), (None, 1001, true)] {
        FREE.store(free, SeqCst);
        let before = home.list(ListQuery::default()).await.unwrap().len();
        let created = home.create(ask(RequestSource::Browser, size)).await;
        let case = format!("{size:?} {free} {created:?}");
        assert_eq!(home.list(ListQuery::default()).await.unwrap().len(), before + usize::from(is_taken), "{case}");
        match created {
            Ok(created) if is_taken => drop(home.settled(created.unique_id).await),
            Err(error) if !is_taken => assert_eq!(error.message().id(), "message-quota-exceeded.floor", "{case}"),
            _ => panic!("{case}"),
        }
    }
    // A download that a person adds is accepted, because it can wait in the list.
    FREE.store(999, SeqCst);
    home.create(ask(RequestSource::Window, Some(500))).await.unwrap();
}
