//! Tests changes of the account during a cycle. The first cycle of a machine can take minutes.

use ashore_testkit::waits::{DEADLINE, until};
use tokio::time::timeout;

use crate::household::Household;

#[tokio::test(flavor = "multi_thread")]
async fn machines_can_be_renamed_and_trusted_during_cycle() {
    let household = Household::new().await;
    let laptop = household.first("Laptop").await;
    let desktop = household.next(&[&laptop], "Desktop").await;
    let relay = &household.relay;
    let before = relay.requests().len();
    relay.hold_back("HTTP/1.1");
    let service = laptop.service.clone();
    let cycle = tokio::spawn(async move { service.now().await });
    until("the cycle waits for the server", async || (relay.requests().len() > before).then_some(())).await;

    // The cycle is blocked here, so a call that waits for the cycle would never return.
    timeout(DEADLINE, laptop.service.rename("Study")).await.unwrap().unwrap();
    timeout(DEADLINE, laptop.service.trust("Desktop", true)).await.unwrap().unwrap();
    assert!(!cycle.is_finished());
    relay.release();
    cycle.await.unwrap().unwrap();
    let account = laptop.account().await;
    assert_eq!((account.name.as_str(), account.trusted), ("Study", vec![desktop.account().await.device]));

    laptop.cycle().await;
    desktop.cycle().await;
    let names = desktop.service.devices().await.unwrap().into_iter().map(|device| device.name);
    assert!(names.into_iter().any(|name| name == "Study"));
}
