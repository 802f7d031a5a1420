//! Tests machines that join with a name that another machine has.

use crate::machine::SyncedMachine;

#[tokio::test(flavor = "multi_thread")]
async fn machine_with_taken_name_gets_number() {
    let first = SyncedMachine::first("Laptop").await;
    first.cycle().await.unwrap();
    let second = first.next("Laptop").await;
    second.cycle().await.unwrap();
    let third = first.next("laptop").await;
    for machine in [&third, &first, &second, &third] {
        machine.cycle().await.unwrap();
    }
    assert_eq!(first.name().await, "Laptop");
    assert_eq!(second.name().await, "Laptop (2)");
    assert_eq!(third.name().await, "laptop (3)");
    let second = second.join_again("Laptop").await;
    second.cycle().await.unwrap();
    assert_eq!(second.name().await, "Laptop (2)");
    first.cycle().await.unwrap();
    first.send("a.pdf", "laptop (3)").await;
    first.cycle().await.unwrap();
    third.cycle().await.unwrap();
    assert_eq!(third.titles().await, ["a.pdf"]);
}
