//! Tests of machines that join with the name of another machine.

use ashore_sync::server::SyncServer as _;

use crate::{
    actions::PersonActions as _,
    machine::{SyncedMachine, two_machines},
};

#[tokio::test(flavor = "multi_thread")]
async fn number_is_added_to_the_name_of_a_machine_if_another_machine_has_that_name() {
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

#[tokio::test(flavor = "multi_thread")]
async fn renamed_machine_is_shown_with_its_new_name() {
    let (laptop, desktop) = two_machines().await;
    laptop.add("a.pdf").await;
    laptop.service.rename(" Work ").await.unwrap();
    for machine in [&laptop, &desktop] {
        machine.cycle().await.unwrap();
    }
    assert_eq!(desktop.others().await, [("a.pdf".to_owned(), "Work".to_owned())]);
    laptop.service.rename("desktop").await.unwrap();
    assert_eq!(laptop.name().await, "desktop (2)");
    laptop.service.rename("Laptop").await.unwrap();
    laptop.service.rename("Laptop").await.unwrap();
    assert_eq!(laptop.name().await, "Laptop");
    for wrong in ["", "  ", "\u{200f}\n", &"x".repeat(65)] {
        assert_eq!(laptop.service.rename(wrong).await.unwrap_err().code(), "sync-name", "{wrong:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn download_cannot_be_sent_to_machine_that_left() {
    let (laptop, desktop) = two_machines().await;
    laptop.send("a.pdf", "Desktop").await;
    let device = desktop.server.token().unwrap().device().to_owned();
    desktop.server.delete_objects("clients", &[device], None).await.unwrap();
    laptop.cycle().await.unwrap();
    let requests = [ashore_engine::NewRequest { url: "https://files.test/b".to_owned(), ..Default::default() }];
    let fault = laptop.service.send_new(None, &requests, "Desktop").await.unwrap_err();
    assert_eq!(fault.code(), "sync-unknown");
}
