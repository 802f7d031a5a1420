//! Tests of downloads with so many links that the requests are sent in parts. Uses real engines.

use std::collections::BTreeSet;

use ashore_engine::{ListQuery, NewRegistration, RegistrationState, SyncedRegistration};
use ashore_sync::{
    server::SyncServer as _,
    service::{RemoteChange, RemoteDownload},
};
use ashore_testkit::waits::until;

use crate::{
    actions::{PersonActions, request},
    household::{Household, ServiceMachine},
    machine::{DAY_MS, SyncedMachine, two_machines},
};

const LINKS: usize = 2500;
const TITLE: &str = "long";
/// Part of the URL to which records of downloads are sent.
const RECORD: &str = "/storage/dl-items?batch=";

/// Adds a paused download with too many links for one record.
async fn add_long(machine: &impl PersonActions) {
    add_titled(machine, TITLE).await;
}

/// Adds a paused download with this title and too many links for one record. Downloads with different titles share no
/// part.
async fn add_titled(machine: &impl PersonActions, title: &str) {
    let requests = (0..LINKS).map(|number| request(&format!("{title}-{number}-{}", "a".repeat(80)))).collect();
    let (title, owner) = (Some(title.to_owned()), "window".to_owned());
    let new = NewRegistration { owner, title, paused: true, requests, ..NewRegistration::default() };
    machine.home().create(new).await.unwrap();
}

/// Returns a machine's long download, as it is sent.
async fn long(machine: &impl PersonActions) -> SyncedRegistration {
    let key = machine.key(TITLE).await;
    machine.home().synced_view(key).await.unwrap().unwrap()
}

async fn remote(machine: &ServiceMachine) -> RemoteDownload {
    machine.service.remote_downloads().await.unwrap().into_iter().find(|one| one.title == TITLE).unwrap()
}

async fn part_ids(machine: &ServiceMachine) -> BTreeSet<String> {
    machine.server().await.list_ids("dl-parts", None).await.unwrap().value.ids.into_iter().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn long_download_is_moved_completely_to_another_machine() {
    let household = Household::new().await;
    let laptop = household.first("Laptop").await;
    let desktop = household.next(&[&laptop], "Desktop").await;
    add_long(&laptop).await;
    laptop.cycle().await;
    desktop.cycle().await;
    let (parts, sent) = (part_ids(&laptop).await, long(&laptop).await.requests);
    assert_eq!((parts.len(), sent.len()), (2, LINKS));
    assert!(remote(&desktop).await.is_complete);

    let last = parts.last().unwrap();
    let object = desktop.server().await.read_object("dl-parts", last).await.unwrap().value.unwrap();
    let server = desktop.server().await;
    server.delete_objects("dl-parts", std::slice::from_ref(last), None).await.unwrap();
    let id = remote(&desktop).await.id;
    for change in [RemoteChange::MoveHere, RemoteChange::FetchHere] {
        assert_eq!(desktop.service.change_remote(&id, change).await.unwrap_err().code(), "sync-incomplete");
    }
    assert_eq!((desktop.titles().await.len(), desktop.cycle().await.sent), (0, 0), "nothing was written");
    // The home sends the missing part again, with the same content.
    laptop.cycle().await;
    let again = server.read_object("dl-parts", last).await.unwrap().value.unwrap();
    assert_eq!(again.payload.len(), object.payload.len());

    desktop.service.change_remote(&id, RemoteChange::MoveHere).await.unwrap();
    desktop.home.pause(Some(desktop.key(TITLE).await)).await.unwrap();
    assert_eq!(long(&desktop).await.requests, sent);
    for machine in [&desktop, &laptop, &desktop] {
        machine.cycle().await;
    }
    assert_eq!((remote(&laptop).await.device_name, part_ids(&laptop).await), ("Desktop".to_owned(), parts));
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_that_server_loses_before_record_is_sent_are_sent_again() {
    let mut household = Household::new().await;
    let laptop = household.first("Laptop").await;
    let desktop = household.next(&[&laptop], "Desktop").await;
    add_titled(&laptop, "other").await;
    laptop.cycle().await;
    let before = part_ids(&laptop).await;
    household.back_up_server().await;
    add_long(&laptop).await;
    let earlier = household.relay.requests().len();
    household.relay.hold_back(RECORD);
    let service = laptop.service.clone();
    let cycle = tokio::spawn(async move { service.now().await });
    let is_record = |request: &Vec<u8>| String::from_utf8_lossy(request).contains(RECORD);
    until("the record waits", async || household.relay.requests()[earlier..].iter().any(is_record).then_some(())).await;
    household.restore_server().await;
    household.relay.release();
    assert!(!cycle.await.unwrap().unwrap().is_restored, "the server has lost only parts");

    let all = part_ids(&laptop).await;
    assert!(before.is_subset(&all) && all.len() == 4, "{before:?} {all:?}");
    desktop.cycle().await;
    desktop.service.change_remote(&remote(&desktop).await.id, RemoteChange::MoveHere).await.unwrap();
    desktop.home.pause(Some(desktop.key(TITLE).await)).await.unwrap();
    assert_eq!(long(&desktop).await.requests, long(&laptop).await.requests);
}

#[tokio::test(flavor = "multi_thread")]
async fn long_download_cannot_be_taken_over_without_server() {
    let household = Household::new().await;
    let laptop = household.first("Laptop").await;
    let desktop = household.next(&[&laptop], "Desktop").await;
    add_long(&laptop).await;
    laptop.cycle().await;
    desktop.cycle().await;
    household.relay.interrupt_after(0);
    let fault = desktop.service.change_remote(&remote(&desktop).await.id, RemoteChange::MoveHere).await.unwrap_err();
    assert_eq!((fault.code(), desktop.titles().await.len()), ("sync-incomplete", 0));
    // The other changes need no server.
    desktop.service.change_remote(&remote(&desktop).await.id, RemoteChange::Pause).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn long_download_that_restored_ledger_lacks_is_offered_again() {
    let household = Household::new().await;
    let mut laptop = household.first("Laptop").await;
    let backup = laptop.back_up_ledger().await;
    add_long(&laptop).await;
    laptop.cycle().await;
    let sent = long(&laptop).await.requests;
    laptop.restore_ledger(&backup).await;
    laptop.cycle().await;
    assert_eq!(long(&laptop).await.requests, sent);
    let all = laptop.home.list(ListQuery::default()).await.unwrap();
    assert_eq!(all.iter().map(|one| one.state).collect::<Vec<_>>(), [RegistrationState::Paused]);
}

#[tokio::test(flavor = "multi_thread")]
async fn machine_that_joins_again_shows_long_download_once() {
    let (laptop, desktop) = two_machines().await;
    add_long(&laptop).await;
    laptop.cycle().await.unwrap();
    let laptop: SyncedMachine = laptop.join_again("Laptop again").await;
    for machine in [&laptop, &desktop, &laptop] {
        machine.cycle().await.unwrap();
    }
    assert_eq!(desktop.others().await, [(TITLE.to_owned(), "Laptop again".to_owned())]);
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_of_machine_that_left_are_deleted_by_remaining_machine() {
    let (laptop, desktop) = two_machines().await;
    let parts = || desktop.server.stored("dl-parts").len();
    for title in [TITLE, "removed"] {
        add_titled(&laptop, title).await;
    }
    laptop.cycle().await.unwrap();
    desktop.cycle().await.unwrap();
    laptop.remove("removed").await;
    laptop.cycle().await.unwrap();
    let device = laptop.server.token().unwrap().device().to_owned();
    desktop.server.remove_device(&device).await.unwrap();
    assert!(laptop.cycle().await.is_err(), "the machine can no longer sign in");
    for (days, expected) in [(0, 4), (29, 4), (2, 2), (365, 2)] {
        desktop.advance(days * DAY_MS);
        desktop.cycle().await.unwrap();
        assert_eq!(parts(), expected, "after {days} more days");
    }
    assert_eq!(desktop.others().await, [(TITLE.to_owned(), "Laptop".to_owned())]);
}
