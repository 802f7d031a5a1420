//! Tests of a server that was restored from a backup. The backup was made before a machine was removed, so the keys on
//! the server are one generation older than the keys of the machines.

use ashore_sync::keys::{KeyRing, RootKey, RootRenewal};
use ashore_testkit::waits::until;

use crate::{
    actions::PersonActions as _,
    household::{Household, ServiceMachine},
    removals::{opens, recovered, three_machines},
};

/// Machines of a list. The server has lost the removal of one of them.
struct RolledBack {
    household: Household,
    laptop: ServiceMachine,
    lost: ServiceMachine,
    desktop: ServiceMachine,
    /// Keys that the removed machine knows.
    ring_of_lost: KeyRing,
}

/// Restores the server to its state before a removal. The remaining machines know the removal, and each of them has
/// added a download since then.
async fn rolled_back() -> RolledBack {
    let mut household = Household::new().await;
    let [laptop, lost, desktop] = three_machines(&household).await;
    laptop.add("before.pdf").await;
    for machine in [&laptop, &lost, &desktop] {
        machine.cycle().await;
    }
    household.back_up_server().await;
    let ring_of_lost = lost.ring().await;
    laptop.service.remove_device("Lost").await.unwrap();
    laptop.add("laptop.pdf").await;
    desktop.add("desktop.pdf").await;
    for machine in [&laptop, &desktop, &laptop] {
        machine.cycle().await;
    }
    household.restore_server().await;
    RolledBack { household, laptop, lost, desktop, ring_of_lost }
}

/// Checks that both remaining machines share one list again, with the newest keys, and that the removed machine is
/// still removed.
async fn check_restored(all: &RolledBack, generation: u64) {
    let RolledBack { laptop, lost, desktop, ring_of_lost, .. } = all;
    let of = |name: &str, titles: &[&str]| titles.iter().map(|title| ((*title).to_owned(), name.to_owned())).collect::<Vec<_>>();
    assert_eq!(desktop.others().await, of("Laptop", &["before.pdf", "laptop.pdf"]));
    assert_eq!(laptop.others().await, of("Desktop", &["desktop.pdf"]));
    for machine in [laptop, desktop] {
        assert_eq!((machine.account().await.generation, machine.ring().await.generation()), (generation, generation));
        let status = machine.service.status().await.unwrap();
        assert!(status.restored.is_some() && status.fault.is_none(), "{status:?}");
        assert_eq!((machine.cycle().await.sent, status.conflicts), (0, 0), "nothing is left to send");
        let names: Vec<String> = machine.service.devices().await.unwrap().into_iter().map(|device| device.name).collect();
        assert!(!names.contains(&"Lost".to_owned()), "{names:?}");
    }
    let (stored, uid, ring) = (laptop.stored().await, laptop.account().await.uid, laptop.ring().await);
    assert!(opens(ring_of_lost, uid, &stored, "before.pdf"), "the search finds what the removed machine may know");
    for title in ["laptop.pdf", "desktop.pdf"] {
        assert!(opens(&ring, uid, &stored, title) && !opens(ring_of_lost, uid, &stored, title), "{title}");
    }
    assert!(!stored.contains_key(&("clients".to_owned(), lost.account().await.device.to_string())));
    assert_eq!(lost.fault().await, "sync-unauthorized");
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_machine_stays_removed_when_rolled_back_server_gets_newer_keys() {
    let all = rolled_back().await;
    let words_of_lost = all.lost.service.words().await.unwrap();
    let (before, kept) = (all.laptop.root().await, all.laptop.account().await.generation);
    let outcome = all.laptop.cycle().await;
    assert!(outcome.is_restored && outcome.sent > 0, "{outcome:?}");
    assert_eq!((all.laptop.root().await, all.laptop.account().await.generation), (before, kept));
    let outcome = all.desktop.cycle().await;
    assert!(outcome.is_restored, "the other machine also sends what only the server and itself had: {outcome:?}");
    for machine in [&all.laptop, &all.desktop] {
        machine.cycle().await;
    }
    check_restored(&all, 2).await;
    // The recovery words from before the removal no longer work, but the current ones do.
    assert_eq!(recovered(&words_of_lost).await.err().as_deref(), Some("sync-words"));
    recovered(&all.laptop.service.words().await.unwrap()).await.unwrap().cycle().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn machines_agree_after_simultaneously_restoring_newer_keys() {
    let all = rolled_back().await;
    let (here, there) = tokio::join!(all.laptop.service.now(), all.desktop.service.now());
    for outcome in [here, there] {
        let is_fine = outcome.as_ref().map_or_else(|fault| fault.code() == "sync-contended", |outcome| outcome.is_restored);
        assert!(is_fine, "{outcome:?}");
    }
    for machine in [&all.laptop, &all.desktop, &all.laptop, &all.desktop] {
        machine.cycle().await;
    }
    check_restored(&all, 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_not_overwritten_if_another_machine_restored_them_meanwhile() {
    let all = rolled_back().await;
    let (relay, desktop) = (&all.household.relay, &all.desktop);
    let earlier = relay.requests().len();
    relay.hold_back("POST /1.5/");
    let service = all.laptop.service.clone();
    let cycle = tokio::spawn(async move { service.now().await });
    let writes = |request: &Vec<u8>| String::from_utf8_lossy(request).contains("root-2");
    until("the laptop writes the keys", async || relay.requests()[earlier..].iter().any(writes).then_some(())).await;
    for row in desktop.home.all_sync_records("crypto", "", 9).await.unwrap() {
        desktop.put_object("crypto", &row.id, row.base.unwrap()).await;
    }
    let keys = ("crypto".to_owned(), "keys".to_owned());
    let before = desktop.stored().await[&keys].clone();
    relay.release();
    assert!(cycle.await.unwrap().unwrap().is_restored);
    assert_eq!(desktop.stored().await[&keys], before);
    for machine in [desktop, &all.laptop] {
        machine.cycle().await;
    }
    check_restored(&all, 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn interrupted_restoration_of_newer_keys_is_completed_by_next_cycle() {
    let mut is_interrupted = true;
    for requests in 1.. {
        if !is_interrupted {
            assert!(requests > 8, "the restoration has only {requests} requests");
            return;
        }
        // Late interruptions differ only in the sent records, so try only some of them.
        if requests > 10 && requests % 4 != 0 {
            continue;
        }
        let mut all = rolled_back().await;
        let words_of_lost = all.lost.service.words().await.unwrap();
        all.household.relay.interrupt_after(requests);
        is_interrupted = all.laptop.service.now().await.is_err();
        all.household.relay.end_interruption();
        all.laptop.start_again();
        for machine in [&all.laptop, &all.desktop, &all.laptop, &all.desktop] {
            machine.cycle().await;
        }
        check_restored(&all, 2).await;
        assert_eq!(recovered(&words_of_lost).await.err().as_deref(), Some("sync-words"), "{requests}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn restored_keys_show_that_server_lost_data_even_after_another_machine_wrote() {
    let mut household = Household::new().await;
    let [laptop, _lost, desktop] = three_machines(&household).await;
    household.back_up_server().await;
    laptop.service.remove_device("Lost").await.unwrap();
    for machine in [&laptop, &desktop] {
        machine.cycle().await;
    }
    desktop.send("lost.pdf", "Laptop").await;
    desktop.cycle().await;
    household.restore_server().await;
    // The laptop never received the lost download, and writes to every collection that has changed since the backup.
    laptop.send("sent.pdf", "Desktop").await;
    assert!(laptop.cycle().await.is_restored);
    let outcome = desktop.cycle().await;
    assert!(outcome.is_restored, "{outcome:?}");
    laptop.cycle().await;
    assert_eq!((laptop.titles().await, desktop.titles().await), (vec!["lost.pdf".to_owned()], vec!["sent.pdf".to_owned()]));
    for machine in [&desktop, &laptop] {
        machine.cycle().await;
        assert!(!machine.cycle().await.is_restored, "the loss is found once");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn machine_that_was_off_during_removal_adopts_restored_keys() {
    let mut household = Household::new().await;
    let [laptop, lost, desktop] = three_machines(&household).await;
    household.back_up_server().await;
    // The desktop is off during both removals, so only the laptop can restore the keys.
    laptop.service.remove_device("Lost").await.unwrap();
    let other = household.next(&[&laptop], "Other").await;
    laptop.service.remove_device("Other").await.unwrap();
    laptop.add("laptop.pdf").await;
    laptop.cycle().await;
    household.restore_server().await;
    assert_eq!(desktop.cycle().await.received, 0, "the old keys are the newest ones that this machine knows");
    laptop.cycle().await;
    assert_eq!(desktop.account().await.generation, 1);
    for machine in [&desktop, &laptop] {
        machine.cycle().await;
    }
    assert_eq!(desktop.root().await.bytes(), laptop.root().await.bytes());
    assert_eq!((desktop.account().await.generation, laptop.account().await.generation), (3, 3));
    assert_eq!(desktop.others().await, [("laptop.pdf".to_owned(), "Laptop".to_owned())]);
    for removed in [&lost, &other] {
        assert_eq!(removed.fault().await, "sync-unauthorized");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_machine_and_machine_that_it_added_after_rollback_are_removed() {
    let all = rolled_back().await;
    // On the restored server, the removed machine is a device again, and its recovery words are valid again.
    all.lost.cycle().await;
    let added = recovered(&all.lost.service.words().await.unwrap()).await.unwrap();
    added.cycle().await;
    for machine in [&all.laptop, &all.desktop, &all.laptop, &all.desktop] {
        machine.cycle().await;
    }
    check_restored(&all, 2).await;
    assert_eq!(added.fault().await, "sync-unauthorized");
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_that_claim_earlier_generation_are_replaced_and_never_used() {
    let household = Household::new().await;
    let [mut laptop, ..] = three_machines(&household).await;
    let (first, uid) = (laptop.ring().await, laptop.account().await.uid);
    let root = laptop.root().await;
    laptop.service.remove_device("Lost").await.unwrap();
    laptop.cycle().await;
    let expected = laptop.stored().await[&("crypto".to_owned(), "keys".to_owned())].payload.clone();
    // A hostile server replays the keys from before the removal, or forges keys.
    for root in [&root, &RootKey::from_bytes([9; 32])] {
        laptop.put_object("crypto", "keys", first.seal(root, uid, [3; 24]).unwrap()).await;
        laptop.start_again();
        laptop.add("new.pdf").await;
        laptop.cycle().await;
        let stored = laptop.stored().await;
        assert_eq!(stored[&("crypto".to_owned(), "keys".to_owned())].payload, expected);
        assert_eq!(laptop.account().await.generation, 2);
        assert!(opens(&laptop.ring().await, uid, &stored, "new.pdf") && !opens(&first, uid, &stored, "new.pdf"));
        let renewal = RootRenewal::read(&stored[&("crypto".to_owned(), RootRenewal::record_id(2))].payload).unwrap();
        assert_eq!(renewal.devices().count(), 2);
    }
}
