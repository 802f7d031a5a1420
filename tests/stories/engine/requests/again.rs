//! Tests adding a download that is already in the list.
//!
//! A waiting download moves to the top instead of being added again. Repeated additions by a program within a minute
//! are merged.

use std::sync::atomic::{AtomicI64, Ordering};

use ashore_engine::{
    AddOutcome, EngineEnv, ListQuery, NewRegistration, NewRequest, Registration, RegistrationResult, RegistrationState,
    RequestSource,
};
use ashore_testkit::{
    home::{Home, png},
    origin::{Body, Origin},
};
use url::Url;

fn asked(source: RequestSource, url: &Url) -> NewRegistration {
    let request = NewRequest { url: url.to_string(), ..NewRequest::default() };
    NewRegistration { owner: "story".to_owned(), source, requests: vec![request], ..NewRegistration::default() }
}

async fn listed(home: &Home) -> usize {
    home.list(ListQuery::default()).await.unwrap().len()
}

fn paths(origin: &Origin) -> Vec<String> {
    origin.requests().into_iter().map(|request| request.path).collect()
}

fn there(added: &AddOutcome) -> &Registration {
    added.registration().unwrap()
}

#[tokio::test]
async fn waiting_download_moves_to_top_when_added_again() {
    let origin = Origin::start().await;
    let home = Home::open_with("parallel = 1\n").await;
    let gate = origin.file("/gate", Body::bytes("x")).gate_at(0);
    for path in ["/a", "/b", "/c"] {
        origin.file(path, Body::bytes("x"));
    }
    home.fetch([origin.url("/gate")]).await;
    gate.held().await;
    let mut ids = Vec::new();
    for path in ["/a", "/b", "/c"] {
        let added = home.add(asked(RequestSource::Window, &origin.url(path))).await.unwrap();
        assert!(matches!(added, AddOutcome::New(_)));
        ids.push(there(&added).unique_id);
    }
    home.pause(Some(ids[2])).await.unwrap();
    let again = home.add(asked(RequestSource::Window, &origin.url("/c"))).await.unwrap();
    assert!(matches!(&again, AddOutcome::Moved(there) if there.unique_id == ids[2] && there.state == RegistrationState::Waiting));
    assert!(there(&again).last_updated >= there(&again).first_enqueued);
    let titled = NewRegistration { title: Some("Seen".to_owned()), ..asked(RequestSource::Window, &origin.url("/b")) };
    let again = home.add(titled).await.unwrap();
    assert!(matches!(&again, AddOutcome::Moved(there) if there.unique_id == ids[1] && there.title == "Seen"));
    gate.release();
    for id in ids {
        home.settled(id).await;
    }
    assert_eq!(paths(&origin), ["/gate", "/b", "/c", "/a"]);
    assert_eq!(listed(&home).await, 4);
}

#[tokio::test]
async fn second_download_of_a_running_link_is_created_only_by_an_explicit_create_call() {
    let origin = Origin::start().await;
    let home = Home::open_with("parallel-per-host = 4\n").await;
    let gate = origin.file("/a", Body::bytes("x")).gate_at(0);
    let first = home.add(asked(RequestSource::CommandLine, &origin.url("/a"))).await.unwrap();
    gate.held().await;
    let again = home.add(asked(RequestSource::CommandLine, &origin.url("/a"))).await.unwrap();
    assert!(matches!(&again, AddOutcome::Running(running) if running.unique_id == there(&first).unique_id));
    let on_purpose = home.create(asked(RequestSource::CommandLine, &origin.url("/a"))).await.unwrap();
    assert_ne!(on_purpose.unique_id, there(&first).unique_id);
    let other = NewRegistration { owner: "other".to_owned(), ..asked(RequestSource::CommandLine, &origin.url("/a")) };
    assert!(matches!(home.add(other).await.unwrap(), AddOutcome::New(_)), "a download of another owner is not a duplicate");
    gate.release();
    home.settled(there(&first).unique_id).await;
    home.settled(on_purpose.unique_id).await;
    assert!(matches!(home.add(asked(RequestSource::CommandLine, &origin.url("/a"))).await.unwrap(), AddOutcome::New(_)));
    assert_eq!(listed(&home).await, 4);
}

#[tokio::test]
async fn download_starts_at_once_if_user_adds_it_again_during_wait_for_retry() {
    let origin = Origin::start().await;
    let home = Home::open_with("retry-after-seconds = 3000\n").await;
    let busy = origin.file("/busy", Body::bytes("there")).status_until(503, "3000");
    let first = home.add(asked(RequestSource::Window, &origin.url("/busy"))).await.unwrap();
    let id = there(&first).unique_id;
    home.until(id, |now| now.next_try.is_some()).await;
    drop(busy);
    let again = home.add(asked(RequestSource::Window, &origin.url("/busy"))).await.unwrap();
    assert!(matches!(&again, AddOutcome::Moved(moved) if moved.unique_id == id));
    home.until_record(id, 0, |record| record.attempts > 1 || record.outcome.is_some()).await;
}

static CLOCK: AtomicI64 = AtomicI64::new(1_700_000_040_000_000);

#[tokio::test]
async fn repeated_additions_within_a_minute_are_merged_into_first() {
    let origin = Origin::start().await;
    let clock = EngineEnv {
        now_us: || CLOCK.load(Ordering::SeqCst),
        uptime_us: || CLOCK.load(Ordering::SeqCst),
        random: || 0.5,
        ..EngineEnv::default()
    };
    let mut home = Home::closed("").env(clock);
    home.reopen().await;
    let gate = origin.file("/seen", Body::bytes("x")).gate_at(0);
    let seen =
        |title: &str| NewRegistration { title: Some(title.to_owned()), ..asked(RequestSource::Feed, &origin.url("/seen")) };
    let first = home.add(seen("one")).await.unwrap();
    let first = there(&first).clone();
    gate.held().await;
    for (second, title) in [(10, "two"), (15, "three")] {
        CLOCK.fetch_add(second * 1_000_000, Ordering::SeqCst);
        let added = home.add(seen(title)).await.unwrap();
        let AddOutcome::Merged(merged) = added else { panic!("{added:?}") };
        assert_eq!((merged.unique_id, merged.created, merged.title.as_str()), (first.unique_id, first.created, title));
        assert_eq!((merged.first_enqueued, merged.last_updated), (first.created, CLOCK.load(Ordering::SeqCst) / 1000));
    }
    // The merged fields survive a crash.
    home.crash().await;
    home.reopen().await;
    assert!(matches!(home.add(seen("four")).await.unwrap(), AddOutcome::Merged(_)));
    assert_eq!(listed(&home).await, 1);
    // After a minute, the download is still running, but another addition no longer counts as a repetition.
    CLOCK.fetch_add(60_000_000, Ordering::SeqCst);
    home.until(first.unique_id, |now| now.active == 1).await;
    assert!(matches!(home.add(seen("five")).await.unwrap(), AddOutcome::Running(there) if there.unique_id == first.unique_id));
    gate.release();
    home.settled(first.unique_id).await;
    assert_eq!(listed(&home).await, 1);
}

#[tokio::test]
async fn addition_after_end_of_download_creates_new_download() {
    // All ways in which a download can end: done, failed, aborted, removed, or its file deleted.
    for end in ["done", "failed", "aborted", "removed", "deleted"] {
        let origin = Origin::start().await;
        let home = Home::open_with("attempts = 1\n").await;
        let route = match end {
            "failed" => origin.refuses("/seen", 404),
            "aborted" | "removed" => origin.file("/seen", Body::bytes("x")).gate_at(0),
            _ => origin.file("/seen", Body::bytes("x")),
        };
        let first = home.add(asked(RequestSource::Feed, &origin.url("/seen"))).await.unwrap();
        let id = there(&first).unique_id;
        match end {
            "aborted" => assert!(home.abort(id).await.unwrap()),
            "removed" => home.remove(id, false).await.unwrap(),
            _ => drop(home.settled(id).await),
        }
        if end == "deleted" {
            std::fs::remove_file(home.downloads().join("seen")).unwrap();
        }
        drop(route);
        origin.file("/seen", Body::bytes("x"));
        let again = home.add(asked(RequestSource::Feed, &origin.url("/seen"))).await.unwrap();
        let AddOutcome::New(new) = &again else { panic!("{end}: {again:?}") };
        assert_ne!(new.unique_id, id, "{end}");
        assert_eq!(home.settled(new.unique_id).await.result, RegistrationResult::Success, "{end}");
    }
}

#[tokio::test]
async fn addition_with_different_properties_creates_another_download() {
    let origin = Origin::start().await;
    let home = Home::open_with("parallel = 1\n").await;
    let gate = origin.file("/gate", Body::bytes("x")).gate_at(0);
    home.fetch([origin.url("/gate")]).await;
    gate.held().await;
    let other_folder = home.downloads().join("other");
    std::fs::create_dir(&other_folder).unwrap();
    let source = home.source("body", b"sent");
    let plain = asked(RequestSource::Feed, &origin.url("/seen"));
    let changed = |change: &dyn Fn(&mut NewRequest)| {
        let mut new = plain.clone();
        change(&mut new.requests[0]);
        new
    };
    let all = [
        plain.clone(),
        changed(&|request| request.headers = vec![("X-Key".to_owned(), "1".to_owned())]),
        changed(&|request| request.checksum = Some(format!("md5={}", "0".repeat(32)))),
        changed(&|request| request.name = Some("called".to_owned())),
        changed(&|request| request.upload_file = Some(source.clone())),
        changed(&|request| (request.upload_file, request.method) = (Some(source.clone()), Some("POST".to_owned()))),
        NewRegistration { folder: Some(other_folder), ..plain.clone() },
    ];
    let mut ids = Vec::new();
    for new in &all {
        let added = home.add(new.clone()).await.unwrap();
        assert!(matches!(added, AddOutcome::New(_)), "{new:?}: {added:?}");
        ids.push(there(&added).unique_id);
    }
    // Add all registrations again in reverse order. Each must be recognised as a repetition.
    for (new, id) in all.iter().zip(&ids).rev() {
        let titled = NewRegistration { title: Some("Seen again".to_owned()), ..new.clone() };
        let added = home.add(titled).await.unwrap();
        assert!(!matches!(added, AddOutcome::New(_)), "{new:?}");
        assert_eq!((there(&added).unique_id, there(&added).title.as_str()), (*id, "Seen again"));
    }
    assert_eq!(listed(&home).await, all.len() + 1);
}

#[tokio::test]
async fn option_ignore_when_paused_discards_addition_during_global_pause() {
    let origin = Origin::start().await;
    let home = Home::open().await;
    origin.file("/a", Body::bytes("x"));
    home.pause(None).await.unwrap();
    let seen = NewRegistration { ignore_when_paused: true, ..asked(RequestSource::Program, &origin.url("/a")) };
    assert_eq!(home.add(seen.clone()).await.unwrap(), AddOutcome::Ignored);
    let refused = home.create(seen.clone()).await.unwrap_err();
    assert_eq!(refused.code(), "ignored-while-paused");
    assert_eq!(listed(&home).await, 0);
    let kept = home.add(asked(RequestSource::Program, &origin.url("/a"))).await.unwrap();
    assert_eq!(there(&kept).state, RegistrationState::Paused);
    assert!(origin.requests().is_empty());
    home.resume(None).await.unwrap();
    assert!(home.create(seen).await.is_ok(), "nothing is paused any more");
    let settled = home.settled(there(&kept).unique_id).await;
    assert_eq!((settled.result, settled.source), (RegistrationResult::Success, RequestSource::Program));
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_simultaneous_additions_of_a_link_become_one_download() {
    let origin = Origin::start().await;
    let home = Home::open().await;
    let gate = origin.file("/a", Body::bytes("x")).gate_at(0);
    let engine = &*home;
    let all = (0..20).map(|_| engine.add(asked(RequestSource::Window, &origin.url("/a"))));
    let added = futures_util::future::join_all(all).await;
    let ids: std::collections::HashSet<_> = added.iter().map(|added| there(added.as_ref().unwrap()).unique_id).collect();
    assert_eq!(ids.len(), 1);
    assert_eq!(added.iter().filter(|added| matches!(added, Ok(AddOutcome::New(_)))).count(), 1);
    gate.held().await;
    gate.release();
    home.settled(*ids.iter().next().unwrap()).await;
    assert_eq!(origin.requests().len(), 1);
}

#[tokio::test]
async fn repeated_addition_replaces_only_fields_that_it_contains() {
    let (origin, home) = (Origin::start().await, Home::open().await);
    let gate = origin.file("/seen", Body::bytes("x")).gate_at(0);
    let (small, large) = (home.source("small.png", &png(16)), home.source("large.png", &png(256)));
    let seen = || asked(RequestSource::Feed, &origin.url("/seen"));
    let whole = NewRegistration {
        title: Some("one".to_owned()),
        description: Some("first".to_owned()),
        icon: Some(small.clone()),
        ..seen()
    };
    let first = home.add(whole).await.unwrap();
    let id = there(&first).unique_id;
    gate.held().await;
    let changes = [
        (NewRegistration { description: Some("second".to_owned()), ..seen() }, ("one", "second", &small)),
        (NewRegistration { icon: Some(large.clone()), ..seen() }, ("one", "second", &large)),
        (NewRegistration { title: Some("two".to_owned()), ..seen() }, ("two", "second", &large)),
        (seen(), ("two", "second", &large)),
        (NewRegistration { description: Some(String::new()), ..seen() }, ("two", "", &large)),
    ];
    for (newer, (title, description, icon)) in changes {
        let added = home.add(newer).await.unwrap();
        // If the two additions are more than a minute apart, the result is `Running` instead of `Merged`. The fields of
        // the second addition are merged in both cases.
        assert!(matches!(added, AddOutcome::Merged(_) | AddOutcome::Running(_)), "{added:?}");
        let now = there(&added);
        assert_eq!(
            (now.unique_id, now.title.as_str(), now.description.as_str(), now.icon.as_ref()),
            (id, title, description, Some(icon))
        );
        assert_eq!(now.icons.len(), 1);
    }
    gate.release();
    home.settled(id).await;
}
