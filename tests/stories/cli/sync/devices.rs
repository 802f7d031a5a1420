//! Tests machines that are removed or leave, and machines with a copied data folder.

use ashore_testkit::{
    origin::{Body, Origin},
    waits::until,
};
use serde_json::Value;

use crate::cli::sync::household::{Household, Machine, copy_folder};

#[tokio::test(flavor = "multi_thread")]
async fn removed_machine_learns_of_removal_although_no_cycle_is_due() {
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let lost = household.next(&laptop, "Lost").await;
    Machine::sync_until_idle(&[&laptop, &lost]).await;
    laptop.text(&["sync", "remove", "Lost"]).await;
    let fault = async || lost.object(&["sync", "status"]).await["fault"]["code"].clone();
    until("the removed machine shows its removal", async || (fault().await == "sync-removed").then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_machine_reads_no_changes_while_others_get_new_recovery_words() {
    let origin = Origin::start().await;
    for name in ["before", "after", "third"] {
        origin.file(&format!("/{name}.pdf"), Body::bytes(name));
    }
    let household = Household::new().await;
    let (laptop, old_words) = household.first("Laptop").await;
    let lost = household.next(&laptop, "Lost").await;
    let third = household.next(&laptop, "Third").await;
    laptop.add(origin.url("/before.pdf").as_str()).await;
    laptop.has("before.pdf", "settled").await;
    laptop.sync().await;
    lost.sees("before.pdf", "done").await;

    let printed = laptop.text(&["sync", "remove", "Lost"]).await;
    let said = "Lost cannot read anything that is written from now on. These are the new words of the list.\n";
    assert!(printed.starts_with(said), "{printed}");
    let new_words = laptop.object(&["sync", "words"]).await;
    assert_ne!(old_words["words"], new_words["words"]);
    for word in new_words["words"].as_array().unwrap() {
        assert!(printed.contains(word.as_str().unwrap()), "{printed}");
    }
    let removed = lost.refusal_in_words(&["sync", "now"], "").await;
    assert_eq!(removed["code"], "sync-removed");
    laptop.add(origin.url("/after.pdf").as_str()).await;
    laptop.has("after.pdf", "settled").await;
    laptop.sync().await;

    third.sees("after.pdf", "done").await;
    third.add(origin.url("/third.pdf").as_str()).await;
    third.has("third.pdf", "settled").await;
    third.sync().await;
    laptop.sees("third.pdf", "done").await;
    assert_eq!(third.object(&["sync", "words"]).await["words"], new_words["words"]);
    assert_eq!(lost.objects(&["sync", "others"]).await.len(), 1, "the removed machine reads nothing new");

    let recover = async |words: &Value| {
        let machine = Machine::new().await;
        let text = words["words"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect::<Vec<_>>().join(" ");
        let (address, uid) = (words["address"].as_str().unwrap(), words["uid"].to_string());
        let ran = machine.person.run_with_input(["sync", "recover", address, &uid, "--json", "--name", "New"], &text).await;
        (machine, ran)
    };
    let (_, refused) = recover(&old_words).await;
    assert_eq!((refused.code, refused.error_code().as_str()), (Some(4), "sync-words"), "{refused:?}");
    let (recovered, ran) = recover(&new_words).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for title in ["before.pdf", "after.pdf", "third.pdf"] {
        recovered.sees(title, "done").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn copied_data_folder_is_reported_until_copy_leaves_list() {
    let household = Household::new().await;
    let (mut laptop, _) = household.first("Laptop").await;
    laptop.sync().await;
    laptop.stop().await;
    let mut copy = Machine::new().await;
    copy.stop().await;
    copy_folder(&laptop.person.data(), &copy.person.data());
    laptop.restart().await;
    laptop.sync().await;
    copy.restart().await;
    assert_eq!(copy.refusal(&["sync", "now"]).await, "sync-copied");
    assert_eq!(copy.object(&["sync", "status"]).await["fault"]["code"], "sync-copied");
    copy.object(&["sync", "leave"]).await;
    laptop.sync().await;
    let invite = laptop.object(&["sync", "invite"]).await;
    copy.object(&["sync", "join", invite["link"].as_str().unwrap(), "--name", "Desktop"]).await;
    copy.sync().await;
    laptop.sync().await;
    assert_eq!(laptop.object(&["sync", "status"]).await["fault"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn machine_that_joins_again_shows_each_download_once() {
    let origin = Origin::start().await;
    origin.file("/kept.pdf", Body::bytes("kept"));
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let desktop = household.next(&laptop, "Desktop").await;
    laptop.add(origin.url("/kept.pdf").as_str()).await;
    laptop.has("kept.pdf", "settled").await;
    laptop.sync().await;
    desktop.sees("kept.pdf", "done").await;
    laptop.object(&["sync", "leave"]).await;
    let invite = desktop.object(&["sync", "invite"]).await;
    laptop.object(&["sync", "join", invite["link"].as_str().unwrap(), "--name", "Laptop"]).await;
    for machine in [&laptop, &desktop, &laptop] {
        machine.sync().await;
    }
    let others = desktop.person.run(["sync", "others", "--json"]).await.objects();
    assert_eq!((others.len(), &others[0]["device_name"]), (1, &Value::from("Laptop")), "{others:?}");
    assert_eq!(laptop.person.run(["sync", "others", "--json"]).await.objects(), Vec::<Value>::new());
}
