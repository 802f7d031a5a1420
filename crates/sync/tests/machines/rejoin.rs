//! Tests that a machine continues its own records after it joins again.

use crate::{actions::PersonActions as _, machine::SyncedMachine};

fn titles_of(machine: &str, titles: &[&str]) -> Vec<(String, String)> {
    titles.iter().map(|title| ((*title).to_owned(), machine.to_owned())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn machine_that_joins_again_shows_no_download_twice() {
    let laptop = SyncedMachine::first("Laptop").await;
    let desktop = laptop.next("Desktop").await;
    for title in ["a.pdf", "b.pdf", "b.pdf"] {
        laptop.add(title).await;
    }
    desktop.add("a.pdf").await;
    for machine in [&laptop, &desktop, &laptop] {
        machine.cycle().await.unwrap();
    }
    assert_eq!(desktop.others().await, titles_of("Laptop", &["a.pdf", "b.pdf", "b.pdf"]));

    let laptop = laptop.join_again("Laptop again").await;
    laptop.add("c.pdf").await;
    for machine in [&laptop, &desktop, &laptop] {
        machine.cycle().await.unwrap();
    }
    assert_eq!(laptop.server.stored("dl-items").len(), 5);
    assert_eq!(desktop.others().await, titles_of("Laptop again", &["a.pdf", "b.pdf", "b.pdf", "c.pdf"]));
    assert_eq!(laptop.others().await, titles_of("Desktop", &["a.pdf"]));
    assert_eq!(laptop.titles().await, ["a.pdf", "b.pdf", "b.pdf", "c.pdf"]);
    assert_eq!(desktop.titles().await, ["a.pdf"]);
}
