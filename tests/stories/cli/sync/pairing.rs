//! Tests links and recovery words that a machine joins a list with.

use crate::cli::sync::household::{Household, Machine};

#[tokio::test(flavor = "multi_thread")]
async fn used_invite_link_and_wrong_recovery_words_are_refused_with_reason() {
    let household = Household::new().await;
    let (laptop, words) = household.first("Laptop").await;
    let invite = laptop.object(&["sync", "invite"]).await;
    let link = invite["link"].as_str().unwrap();
    assert_eq!(laptop.refusal(&["sync", "join", link]).await, "wrong-state");
    let desktop = Machine::new().await;
    assert_eq!(desktop.refusal(&["sync", "now"]).await, "sync-off");
    assert_eq!(desktop.refusal(&["sync", "join", &link[..link.len() / 2]]).await, "sync-link");
    desktop.object(&["sync", "join", link]).await;
    let other = Machine::new().await;
    assert_eq!(other.refusal(&["sync", "join", link]).await, "sync-link");
    let (address, uid) = (words["address"].as_str().unwrap(), words["uid"].to_string());
    for (typed, code) in [("abandon", "sync-words"), (&"zebraa ".repeat(24), "sync-words"), (&"zebra ".repeat(24), "sync-words")]
    {
        let ran = other.person.run_with_input(["sync", "recover", address, &uid, "--json"], typed).await;
        assert_eq!((ran.code, ran.error_code().as_str()), (Some(4), code), "{typed}");
    }
    assert_eq!(other.object(&["sync", "status"]).await["is_on"], false);
}
