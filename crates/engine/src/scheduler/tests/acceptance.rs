//! Tests the queue against its acceptance criteria.
//!
//! The criteria are: bootstrap, merging of repeated registrations, order and due time, tick and budget, backoff with
//! its maximum, pause gate, and restart without duplicates. The contract of the messages is tested in the code that
//! reads them.

use std::{collections::BTreeSet, fs, time::Duration};

use ashore_transfer::{ANSWER_PATIENCE, DownloadCredentials, Guid};

use crate::{
    gates::decision::SystemState,
    model::{
        AddOutcome, GateCode, ListQuery, NewRegistration, NewRequest, RecordState, RegistrationState, RequestSource, UniqueId,
    },
    scheduler::tests::{
        life::{Answer, Folder, Life, TICK, TransferCommand},
        world::{Deed, EndedRequest, Weather},
    },
};

const FINE: Weather = Weather { is_online: true, is_charged: true, is_awake: true };
const MINUTE: i64 = 60;

/// Returns a program's registration of a single file. `number` is the last part of the URL.
fn asked(number: usize) -> NewRegistration {
    NewRegistration {
        owner: "feed".to_owned(),
        source: RequestSource::Feed,
        requests: vec![NewRequest { url: format!("http://host.example/{number}"), ..NewRequest::default() }],
        ..NewRegistration::default()
    }
}

impl Life {
    async fn add(&mut self, number: usize) -> UniqueId {
        let AddOutcome::New(one) = self.engine.add(asked(number)).await.unwrap() else { panic!("not new") };
        self.follow().await;
        one.unique_id
    }

    /// Returns the files that were started since the last call, with their GUIDs.
    fn started(&self) -> Vec<(usize, Guid)> {
        let start = |told| match told {
            TransferCommand::Start { guid, index, .. } => Some((index, guid)),
            TransferCommand::Stop(_) => None,
        };
        self.take_commands().into_iter().filter_map(start).collect()
    }

    fn numbers(&self) -> Vec<usize> {
        self.started().into_iter().map(|(number, _)| number).collect()
    }

    /// Returns the time in minutes until the executor's row is renewed.
    async fn minutes_to_a_beat(&mut self) -> usize {
        for minute in 1..=60 {
            self.work.ticked -= TICK;
            self.later(MINUTE).await;
            let (_, beat) = self.engine.shared.store.last_beat().await.unwrap().unwrap();
            if beat == self.engine.shared.env.now() {
                return minute;
            }
        }
        panic!("the test does not end within an hour");
    }

    async fn later(&mut self, seconds: i64) {
        self.act(&Deed::Clock(seconds)).await;
    }
}

#[tokio::test]
async fn bootstrap_runs_once_before_any_request_starts() {
    let folder = Folder::new("");
    // Put a file of the user at the path of the download folder.
    fs::remove_dir(&folder.downloads).unwrap();
    fs::write(&folder.downloads, "").unwrap();
    let mut life = Life::begin(&folder, FINE).await;
    let mut new = asked(0);
    new.folder = Some(folder.data().to_owned());
    let id = life.engine.create(new).await.unwrap().unique_id;
    life.follow().await;
    life.later(MINUTE).await;
    assert!(life.numbers().is_empty());
    let waiting = life.engine.show(id).await.unwrap().waiting_for.unwrap();
    assert_eq!(waiting.code, GateCode::Bootstrap.word());
    assert!(waiting.text.contains("is not a folder"), "{}", waiting.text);

    fs::remove_file(&folder.downloads).unwrap();
    life.later(MINUTE).await;
    assert_eq!(life.numbers(), [0]);
    assert!(folder.downloads.is_dir());
    life.die().await;

    // The bootstrap is recorded, so the next start does not repeat it.
    fs::remove_dir(&folder.downloads).unwrap();
    let life = Life::begin(&folder, FINE).await;
    assert_eq!(life.numbers(), [0]);
    assert!(!folder.downloads.exists());
}

#[tokio::test]
async fn addition_repeated_within_a_minute_is_merged_and_the_first_creation_time_is_kept() {
    let folder = Folder::new("");
    let mut life = Life::begin(&folder, FINE).await;
    life.act(&Deed::Pause(None)).await;
    // Start at the beginning of a minute.
    life.later(MINUTE - folder.now().div_euclid(1_000_000).rem_euclid(MINUTE)).await;
    let first_enqueued = folder.now().div_euclid(1000);
    let id = life.add(0).await;
    for _ in 0..5 {
        life.later(11).await;
        let again = NewRegistration { title: Some("The latest title".to_owned()), ..asked(0) };
        let AddOutcome::Merged(one) = life.engine.add(again).await.unwrap() else { panic!("not merged") };
        let last_updated = folder.now().div_euclid(1000);
        assert_eq!((one.unique_id, one.first_enqueued, one.last_updated), (id, first_enqueued, last_updated));
        assert_eq!(one.title, "The latest title");
    }
    assert_eq!(life.rows().await.len(), 1);
}

#[tokio::test]
async fn requests_are_started_in_queue_order_but_retries_only_when_due() {
    let folder = Folder::new("parallel = 1");
    let mut life = Life::begin(&folder, FINE).await;
    life.act(&Deed::Pause(None)).await;
    for number in 0..3 {
        life.add(number).await;
        life.later(1).await;
    }
    life.act(&Deed::Resume(None)).await;
    let first = life.started();
    assert_eq!(first[0].0, 0);
    // The first request waits for a retry, and does not delay the other requests.
    life.act(&Deed::News(vec![(first[0].1, EndedRequest::Reset)])).await;
    let second = life.started();
    assert_eq!(second[0].0, 1);
    life.act(&Deed::News(vec![(second[0].1, EndedRequest::Completed)])).await;
    let third = life.started();
    assert_eq!(third[0].0, 2);
    life.act(&Deed::News(vec![(third[0].1, EndedRequest::Completed)])).await;
    life.later(9).await;
    assert!(life.numbers().is_empty(), "it is due after ten seconds");
    life.later(1).await;
    assert_eq!(life.numbers(), [0]);
}

#[tokio::test]
async fn eight_requests_start_per_tick_or_twenty_four_if_the_user_is_idle() {
    let folder = Folder::new("parallel = 64\nparallel-per-host = 64");
    let mut life = Life::begin(&folder, FINE).await;
    life.act(&Deed::Pause(None)).await;
    for number in 0..60 {
        life.add(number).await;
    }
    let tick = life.work.next_due().await;
    assert!(
        tick > Duration::from_secs(50) && tick <= Duration::from_secs(60),
        "nothing is due, and the next tick is {tick:?} away"
    );

    life.engine.resume(None).await.unwrap();
    assert!(life.listen().await, "a nudge");
    assert!(life.work.start_some().await, "there is more to start");
    assert_eq!(life.numbers(), (0..8).collect::<Vec<_>>());
    // A command that arrives between two passes is carried out before the remaining requests start.
    life.engine.pause(None).await.unwrap();
    while life.listen().await {}
    assert!(!life.work.start_some().await);
    assert!(life.numbers().is_empty());

    life.engine.shared.known.desktop.send_modify(|desktop| *desktop = SystemState { is_idle: Ok(true), ..desktop.clone() });
    life.engine.resume(None).await.unwrap();
    while life.listen().await {}
    assert!(life.work.start_some().await);
    assert_eq!(life.numbers(), (8..32).collect::<Vec<_>>());
}

#[tokio::test]
async fn heartbeat_interval_is_one_minute_while_running_and_five_while_idle() {
    let folder = Folder::new("");
    let mut life = Life::begin(&folder, FINE).await;
    assert_eq!(life.minutes_to_a_beat().await, 5);
    assert_eq!(life.minutes_to_a_beat().await, 5);
    life.add(0).await;
    let (_, guid) = life.started()[0];
    assert_eq!(life.minutes_to_a_beat().await, 1);
    assert_eq!(life.minutes_to_a_beat().await, 1);
    life.act(&Deed::News(vec![(guid, EndedRequest::Completed)])).await;
    assert_eq!(life.minutes_to_a_beat().await, 5);
}

#[tokio::test]
async fn backoff_doubles_up_to_six_hours_before_request_fails_permanently() {
    let folder = Folder::new("attempts = 14\nretry-after-seconds = 10");
    let mut life = Life::begin(&folder, FINE).await;
    let id = life.add(0).await;
    let hours = 6.0 * 3600.0;
    for attempt in 0..13_u32 {
        let (_, guid) = life.started()[0];
        let random = [0.0, 0.5, 0.999][attempt as usize % 3];
        life.set_random(random);
        life.act(&Deed::News(vec![(guid, EndedRequest::Reset)])).await;
        let record = &life.engine.records(id, 0, 0).await.unwrap()[0];
        assert_eq!((record.state, record.attempts), (RecordState::Waiting, attempt + 1));
        let wait = (f64::from(10 * 2_u32.pow(attempt)).min(hours) * (0.5 + random)).min(hours);
        let due = life.engine.show(id).await.unwrap().next_try.unwrap();
        let told = (due - folder.now().div_euclid(1000)) as f64 / 1000.0;
        assert!((told - wait).abs() < 0.01, "attempt {attempt}: {told} s, and not {wait}");
        life.later(wait.floor() as i64 - 1).await;
        assert!(life.take_commands().is_empty(), "too early");
        life.later(3).await;
    }
    let (_, guid) = life.started()[0];
    life.act(&Deed::News(vec![(guid, EndedRequest::Reset)])).await;
    let dead = life.engine.show(id).await.unwrap();
    assert_eq!((dead.state, dead.failed), (RegistrationState::Settled, 1));
    assert_eq!(life.engine.records(id, 0, 0).await.unwrap()[0].code.as_deref(), Some("reset"));
    // A retry by the user revives the request.
    assert_eq!(life.act(&Deed::Retry(id)).await, Answer::Count(1));
    assert_eq!(life.numbers(), [0]);
}

#[tokio::test]
async fn request_is_delayed_by_too_many_open_files_but_no_attempt_is_counted() {
    let folder = Folder::new("attempts = 2");
    let mut life = Life::begin(&folder, FINE).await;
    let id = life.add(0).await;
    for _ in 0..20 {
        let (_, guid) = life.started()[0];
        life.act(&Deed::News(vec![(guid, EndedRequest::TooManyOpen)])).await;
        let record = &life.engine.records(id, 0, 0).await.unwrap()[0];
        assert_eq!(record.state, RecordState::Waiting);
        assert_eq!(life.engine.show(id).await.unwrap().waiting_for.unwrap().code, "too-many-open");
        life.later(10).await;
    }
    let (_, guid) = life.started()[0];
    life.act(&Deed::News(vec![(guid, EndedRequest::Completed)])).await;
    assert_eq!(life.engine.show(id).await.unwrap().state, RegistrationState::Settled);
}

#[tokio::test]
async fn paused_engine_starts_no_request_and_ignores_additions_with_option_ignore_when_paused() {
    let folder = Folder::new("");
    let mut life = Life::begin(&folder, FINE).await;
    life.act(&Deed::Pause(None)).await;
    let seen = NewRegistration { ignore_when_paused: true, ..asked(0) };
    assert_eq!(life.engine.add(seen.clone()).await.unwrap(), AddOutcome::Ignored);
    life.add(1).await;
    life.later(2 * MINUTE).await;
    assert!(life.numbers().is_empty());
    life.act(&Deed::Resume(None)).await;
    assert_eq!(life.numbers(), [1], "the ignored addition is not in the list");
    assert!(matches!(life.engine.add(seen).await.unwrap(), AddOutcome::New(_)));
}

#[tokio::test]
async fn only_a_registration_with_override_runs_while_a_condition_blocks_downloads() {
    let folder = Folder::new("parallel-per-host = 4\nbattery-below = 20");
    let mut life = Life::begin(&folder, Weather { is_charged: false, ..FINE }).await;
    let waiting = life.add(0).await;
    let wanted = life.add(1).await;
    assert!(life.numbers().is_empty());
    assert_eq!(life.engine.show(wanted).await.unwrap().waiting_for.unwrap().code, "battery");

    assert!(life.engine.go_anyway(wanted).await.unwrap());
    life.follow().await;
    let started = life.started();
    assert_eq!(started.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [1]);
    assert_eq!(life.engine.show(wanted).await.unwrap().state, RegistrationState::Running);
    assert_eq!(life.engine.show(waiting).await.unwrap().waiting_for.unwrap().code, "battery");
    // The override still applies when the gate is evaluated again.
    life.later(2 * MINUTE).await;
    assert!(life.take_commands().is_empty());
    // A failed try is followed by a retry.
    life.act(&Deed::News(vec![(started[0].1, EndedRequest::Reset)])).await;
    life.later(10 * MINUTE).await;
    assert_eq!(life.numbers(), [1]);

    // The override ends when the gate opens, and does not apply when the gate closes again.
    life.act(&Deed::Desktop(FINE)).await;
    assert_eq!(life.numbers(), [0]);
    life.act(&Deed::Desktop(Weather { is_charged: false, ..FINE })).await;
    let stopped = life.take_commands().into_iter().map(|told| match told {
        TransferCommand::Stop(guid) => guid,
        TransferCommand::Start { .. } => panic!("nothing starts"),
    });
    assert_eq!(stopped.collect::<BTreeSet<_>>().len(), 2, "both are preempted");
}

#[tokio::test]
async fn each_running_or_due_request_is_resumed_once_after_restart() {
    let folder = Folder::new("parallel-per-host = 4");
    let mut life = Life::begin(&folder, FINE).await;
    for number in 0..3 {
        life.add(number).await;
    }
    let before = life.started();
    assert_eq!(before.len(), 3);
    life.act(&Deed::News(vec![(before[0].1, EndedRequest::Completed), (before[1].1, EndedRequest::Reset)])).await;
    life.die().await;
    folder.pass(20);

    let mut life = Life::begin(&folder, FINE).await;
    let running = life.started();
    assert_eq!(running, [before[2]], "the running transfer continues");
    life.later(0).await;
    assert_eq!(life.started(), [before[1]], "it is due, and the one that is done is not there");
    life.later(10 * MINUTE).await;
    assert!(life.started().is_empty());
}

#[tokio::test]
async fn queue_of_busy_host_is_not_searched_repeatedly() {
    let folder = Folder::new("parallel = 4\nparallel-per-host = 1");
    let mut life = Life::begin(&folder, FINE).await;
    for number in 0..20 {
        life.add(number).await;
    }
    let mut started = life.started();
    assert_eq!(started.len(), 1);
    for number in 1..20 {
        assert!(life.work.load.has_nothing_for_anybody(), "everything else waits for the same server");
        life.act(&Deed::News(vec![(started[0].1, EndedRequest::Completed)])).await;
        started = life.started();
        assert_eq!(started[0].0, number);
    }
    // A request to another server still starts immediately.
    let other = NewRegistration {
        requests: vec![NewRequest { url: "http://other.example/99".to_owned(), ..NewRequest::default() }],
        ..asked(99)
    };
    assert!(matches!(life.engine.add(other).await.unwrap(), AddOutcome::New(_)));
    life.follow().await;
    assert_eq!(life.numbers(), [99]);
}

#[tokio::test]
async fn create_call_that_waits_for_ledger_cannot_use_withdrawn_name() {
    let folder = Folder::new("");
    let life = Life::begin(&folder, FINE).await;
    let create = || life.engine.create(NewRegistration { developer_id: Some("a/1".to_owned()), ..asked(0) });
    // No registration is written while the test holds the ledger.
    let ledger = life.engine.shared.store.begin().await.unwrap();
    let (created, withdrawn, ()) = tokio::join!(create(), life.engine.withdraw("feed", "a/1", true), async move { drop(ledger) });
    assert!(!withdrawn.unwrap(), "nothing was registered");
    assert_eq!(created.unwrap_err().code(), "withdrawn");
    assert!(life.engine.list(ListQuery::default()).await.unwrap().is_empty());
}

#[tokio::test]
async fn credentials_for_an_unused_probe_are_forgotten_when_its_response_expires() {
    let folder = Folder::new("");
    let life = Life::begin(&folder, FINE).await;
    let (credentials, probe) = (&life.engine.shared.credentials, Guid(uuid::Uuid::from_u128(7)));
    let mut own = DownloadCredentials::default();
    own.for_origin("http://host.example").cookies = Some("id=canary".to_owned());
    credentials.give_to_download(probe.0, own);
    tokio::time::pause();
    life.engine.forget_probe_later(probe);
    tokio::task::yield_now().await;
    tokio::time::advance(ANSWER_PATIENCE - Duration::from_millis(1)).await;
    assert!(credentials.has_download(probe.0), "the response may be used still");
    tokio::time::advance(Duration::from_millis(2)).await;
    tokio::task::yield_now().await;
    assert!(!credentials.has_download(probe.0));
}
