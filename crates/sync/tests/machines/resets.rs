//! Tests of a server that has lost everything except its users and devices.

use ashore_sync::{server::SyncServer as _, service::SyncCycleOutcome};

use crate::{
    actions::PersonActions as _,
    household::{Household, ServiceMachine},
};

/// Deletes all collections of the user.
async fn reset(machine: &ServiceMachine) {
    let server = machine.server().await;
    let stored = machine.stored().await;
    for collection in stored.keys().map(|(collection, _)| collection) {
        server.delete_collection(collection, None).await.unwrap();
    }
    assert!(machine.stored().await.is_empty());
}

/// Two machines with downloads and a shared setting. The first machine has not read the second machine's newest
/// download from the server.
async fn two_machines(household: &Household) -> (ServiceMachine, ServiceMachine) {
    let laptop = household.first("Laptop").await;
    let desktop = household.next(&[&laptop], "Desktop").await;
    for title in ["a.pdf", "b.pdf", "removed.pdf"] {
        laptop.add(title).await;
    }
    desktop.add("c.pdf").await;
    laptop.home.set_synced_setting("attempts", Some(&3.into())).await.unwrap();
    for machine in [&laptop, &desktop, &laptop] {
        machine.cycle().await;
    }
    laptop.remove("removed.pdf").await;
    for machine in [&laptop, &desktop, &laptop] {
        machine.cycle().await;
    }
    desktop.add("unseen.pdf").await;
    desktop.cycle().await;
    (laptop, desktop)
}

async fn check_lists(laptop: &ServiceMachine, desktop: &ServiceMachine) {
    let of = |name: &str, titles: &[&str]| titles.iter().map(|title| ((*title).to_owned(), name.to_owned())).collect::<Vec<_>>();
    assert_eq!((laptop.titles().await, desktop.others().await), {
        (vec!["a.pdf".to_owned(), "b.pdf".to_owned()], of("Laptop", &["a.pdf", "b.pdf"]))
    });
    assert_eq!((desktop.titles().await, laptop.others().await), {
        (vec!["c.pdf".to_owned(), "unseen.pdf".to_owned()], of("Desktop", &["c.pdf", "unseen.pdf"]))
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn server_that_lost_everything_gets_keys_and_all_records_again() {
    let household = Household::new().await;
    let (laptop, desktop) = two_machines(&household).await;
    let before = desktop.stored().await;
    let expected = desktop.records().await;
    reset(&laptop).await;

    let outcome = laptop.cycle().await;
    assert!(outcome.is_restored && outcome.sent > 0, "{outcome:?}");
    let restored = laptop.service.status().await.unwrap().restored.unwrap();
    assert_eq!((restored.until_ms, restored.records), (0, outcome.sent));
    for machine in [&desktop, &laptop, &desktop] {
        machine.cycle().await;
    }
    let after = desktop.stored().await;
    for key in [("crypto", "keys"), ("meta", "global")].map(|(collection, id)| (collection.to_owned(), id.to_owned())) {
        assert_eq!(after[&key].payload, before[&key].payload, "{key:?}");
    }
    assert_eq!(desktop.records().await, expected);
    check_lists(&laptop, &desktop).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn machines_agree_after_simultaneously_detecting_server_reset() {
    let household = Household::new().await;
    let (laptop, desktop) = two_machines(&household).await;
    let expected = desktop.records().await;
    reset(&laptop).await;

    let (here, there) = tokio::join!(laptop.service.now(), desktop.service.now());
    for outcome in [here, there] {
        let is_fine = outcome.as_ref().map_or_else(|fault| fault.code() == "sync-contended", |outcome| outcome.is_restored);
        assert!(is_fine, "{outcome:?}");
    }
    for machine in [&laptop, &desktop, &laptop, &desktop] {
        machine.cycle().await;
    }
    assert_eq!(desktop.records().await, expected);
    check_lists(&laptop, &desktop).await;
    for machine in [&laptop, &desktop] {
        let status = machine.service.status().await.unwrap();
        assert_eq!((status.restored.unwrap().until_ms, status.conflicts, status.fault), (0, 0, None));
        assert_eq!(machine.cycle().await, SyncCycleOutcome::default(), "nothing is left to exchange");
    }
}
