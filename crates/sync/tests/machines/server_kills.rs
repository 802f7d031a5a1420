//! Tests of a server that is killed at each of its failpoints while two machines sync.

use ashore_sync::{
    server::{OutgoingObject, SyncServer as _},
    service::SendState,
};
use ashore_sync_server::failpoint::POINTS;
use tokio::join;

use crate::{
    actions::PersonActions as _,
    household::{Household, ServiceMachine},
};

/// Number of downloads that do not fit into one request. They are sent as a batch of several requests.
const BATCH: usize = 101;
const SENDS: &str = "dl-sends";

/// Writes objects that have already expired, so that the purge at the start of the server has objects to delete.
async fn leave_expired(machine: &ServiceMachine) {
    let server = machine.server().await;
    for id in ["expired-1", "expired-2"] {
        let object = OutgoingObject { id: id.to_owned(), payload: "x".to_owned(), ttl_s: Some(0) };
        server.put_object(SENDS, &object, None).await.unwrap();
    }
    assert_eq!(server.read_object(SENDS, "expired-1").await.unwrap().value, None);
}

/// Returns the sorted `titles`, each together with the name `machine`.
fn titles_of(titles: &[String], machine: &str) -> Vec<(String, String)> {
    titles.iter().map(|title| (title.clone(), machine.to_owned())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn killing_server_at_any_failpoint_neither_loses_nor_duplicates_downloads() {
    let mut household = Household::new().await;
    let laptop = household.first("Laptop").await;
    let desktop = household.next(&[&laptop], "Desktop").await;
    let (mut at_laptop, mut at_desktop) = (Vec::new(), Vec::new());
    let mut sent = Vec::new();
    for (number, point) in POINTS.iter().enumerate() {
        if point.starts_with("server.purge") {
            leave_expired(&laptop).await;
        }
        let count = if point.starts_with("server.batch") { BATCH } else { 1 };
        for added in 0..count {
            let title = format!("{number}-{added:03}");
            laptop.add(&title).await;
            at_laptop.push(title);
        }
        let (here, there) = (format!("{number}-desktop"), format!("{number}-sent"));
        desktop.add(&here).await;
        laptop.send(&there, "Desktop").await;
        sent.push((there.clone(), SendState::Delivered));
        at_desktop.extend([here, there]);
        // If the kill interrupts a cycle, this cycle fails, and the next one continues its work.
        let cycles = async || drop(join!(laptop.service.now(), desktop.service.now()));
        household.die_at(point, cycles).await;

        for machine in [&laptop, &desktop, &laptop, &desktop] {
            machine.cycle().await;
        }
        assert_eq!((laptop.titles().await, desktop.titles().await), (at_laptop.clone(), at_desktop.clone()), "{point}");
        assert_eq!(laptop.others().await, titles_of(&at_desktop, "Desktop"), "{point}");
        assert_eq!(desktop.others().await, titles_of(&at_laptop, "Laptop"), "{point}");
        assert_eq!(laptop.sends().await, sent, "{point}");
        for machine in [&laptop, &desktop] {
            let outcome = machine.cycle().await;
            assert_eq!((outcome.received, outcome.sent, outcome.is_restored), (0, 0, false), "{point}");
        }
        household.check_server().await;
    }
}
