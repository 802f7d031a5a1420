//! Tests of the machines that remain after one machine was removed.

use std::ops::RangeInclusive;

use ashore_sync::{
    keys::{KeyRing, RootRenewal},
    service::{RecoveryWordsReport, SyncCall},
};

use crate::{
    actions::PersonActions as _,
    household::{Household, ServiceMachine, StoredObjects},
};

/// Number of requests that a removal sends.
const REMOVAL_REQUESTS: usize = 9;
/// Position, from 1, of the request that writes the renewed keys during a removal.
const KEYS_RENEWED_AT: usize = 7;

pub async fn three_machines(household: &Household) -> [ServiceMachine; 3] {
    let laptop = household.first("Laptop").await;
    let lost = household.next(&[&laptop], "Lost").await;
    let desktop = household.next(&[&laptop, &lost], "Desktop").await;
    [laptop, lost, desktop]
}

#[tokio::test(flavor = "multi_thread")]
async fn third_machine_adopts_renewed_root_key() {
    let household = Household::new().await;
    let [laptop, lost, mut desktop] = three_machines(&household).await;
    laptop.add("before.pdf").await;
    for machine in [&laptop, &lost, &desktop] {
        machine.cycle().await;
    }
    let (old_root, old_ring) = (lost.root().await, lost.ring().await);

    laptop.service.remove_device("Lost").await.unwrap();
    laptop.add("after.pdf").await;
    laptop.cycle().await;
    // The third machine is off during two removals. Later, it opens both renewals of the keys in order.
    let other = household.next(&[&laptop], "Other").await;
    laptop.service.remove_device("Other").await.unwrap();
    laptop.cycle().await;
    assert_eq!(desktop.root().await.bytes(), old_root.bytes());
    desktop.start_again();
    desktop.cycle().await;
    assert_eq!(desktop.root().await.bytes(), laptop.root().await.bytes());
    assert_eq!((desktop.account().await.generation, laptop.account().await.generation), (3, 3));
    assert_eq!(desktop.others().await, ["after.pdf", "before.pdf"].map(|title| (title.to_owned(), "Laptop".to_owned())));

    let before = desktop.stored().await;
    desktop.add("third.pdf").await;
    desktop.cycle().await;
    laptop.cycle().await;
    assert_eq!(laptop.others().await, [("third.pdf".to_owned(), "Desktop".to_owned())]);
    let uid = laptop.account().await.uid;
    let (after, new_ring) = (desktop.stored().await, desktop.ring().await);
    for title in ["after.pdf", "third.pdf"] {
        assert!(opens(&new_ring, uid, &after, title) && !opens(&old_ring, uid, &after, title), "{title}");
    }
    assert!(opens(&old_ring, uid, &before, "before.pdf"), "the search finds what the removed machine may know");
    for removed in [&lost, &other] {
        assert_eq!(removed.fault().await, "sync-unauthorized");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn second_removal_completes_a_removal_that_stopped_before_key_renewal() {
    check_interrupted_removals(1..=KEYS_RENEWED_AT - 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn second_removal_completes_a_removal_that_stopped_after_key_renewal() {
    check_interrupted_removals(KEYS_RENEWED_AT..=REMOVAL_REQUESTS).await;
    let household = Household::new().await;
    let [laptop, ..] = three_machines(&household).await;
    let before = household.relay.requests().len();
    laptop.service.remove_device("Lost").await.unwrap();
    assert_eq!(household.relay.requests().len() - before, REMOVAL_REQUESTS);
}

/// Checks one removal for each number in `ends`. During the removal, the connection ends after this number of requests.
///
/// Keep the ranges short: the server allows ten enrolments per minute.
async fn check_interrupted_removals(ends: RangeInclusive<usize>) {
    let household = Household::new().await;
    let mut laptop = household.first("Laptop").await;
    let desktop = household.next(&[&laptop], "Desktop").await;
    let first_words = laptop.service.words().await.unwrap();
    for requests in ends {
        let lost = household.next(&[&laptop, &desktop], "Lost").await;
        let (ring, device) = (lost.ring().await, lost.account().await.device.to_string());
        let generation = laptop.account().await.generation;
        household.relay.interrupt_after(requests);
        assert_eq!(laptop.service.remove_device("Lost").await.unwrap_err().code(), "sync-unreachable", "{requests}");
        household.relay.end_interruption();
        // Restart the program. It may have ended together with the connection.
        laptop.start_again();
        let renewal = ("crypto".to_owned(), RootRenewal::record_id(generation + 1));
        let is_renewed = laptop.stored().await.contains_key(&renewal);
        assert_eq!(is_renewed, requests >= KEYS_RENEWED_AT, "{requests}");
        laptop.service.remove_device(&device).await.unwrap();
        check_removed(&laptop, &lost, &desktop, (&ring, &format!("{requests}.pdf"))).await;
    }
    assert_eq!(recovered(&first_words).await.err().as_deref(), Some("sync-words"));
    recovered(&laptop.service.words().await.unwrap()).await.unwrap().cycle().await;
}

/// Checks that the machine is removed, and that it cannot open later records.
async fn check_removed(
    laptop: &ServiceMachine,
    lost: &ServiceMachine,
    desktop: &ServiceMachine,
    (ring_of_lost, title): (&KeyRing, &str),
) {
    assert_eq!(lost.fault().await, "sync-unauthorized", "{title}");
    laptop.add(title).await;
    laptop.cycle().await;
    desktop.cycle().await;
    assert!(desktop.others().await.contains(&(title.to_owned(), "Laptop".to_owned())), "{title}");
    assert_eq!(desktop.root().await.bytes(), laptop.root().await.bytes(), "{title}");
    let (stored, uid) = (desktop.stored().await, desktop.account().await.uid);
    assert!(opens(&desktop.ring().await, uid, &stored, title) && !opens(ring_of_lost, uid, &stored, title), "{title}");
    let device = lost.account().await.device.to_string();
    assert!(!stored.contains_key(&("clients".to_owned(), device.clone())), "{title}");
    for machine in [laptop, desktop] {
        let devices = machine.service.devices().await.unwrap();
        assert!(devices.iter().all(|one| one.device != device), "{title}: {devices:?}");
    }
}

/// Makes a new machine join with these recovery words. Returns the machine, or the code of the refusal.
pub async fn recovered(words: &RecoveryWordsReport) -> Result<ServiceMachine, String> {
    let machine = ServiceMachine::new().await;
    let (address, uid, words) = (words.address.clone(), words.uid, words.words.join(" "));
    let recover = SyncCall::Recover { address, uid, words, name: "New".to_owned() };
    machine.service.call(recover).await.map_err(|message| message.code)?;
    Ok(machine)
}

/// Whether a key ring can open the record with this text.
pub fn opens(ring: &KeyRing, uid: i64, stored: &StoredObjects, text: &str) -> bool {
    stored.iter().any(|((collection, id), object)| {
        let opened = ring.open_record(uid, collection, id, &object.payload);
        opened.is_ok_and(|record| String::from_utf8_lossy(&record).contains(text))
    })
}
