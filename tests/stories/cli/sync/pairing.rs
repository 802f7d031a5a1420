//! Tests the links and recovery words for joining a list.

use serde_json::{Value, json};

use crate::cli::sync::household::{Household, Machine};

/// Returns the code, variant and text of an error.
fn code_variant_text(error: &Value) -> (&str, &str, &str) {
    let part = |name: &str| error[name].as_str().unwrap_or_default();
    (part("code"), part("variant"), part("text"))
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_invite_links_are_refused_with_reason_and_next_step() {
    const MALFORMED: (&str, &str, &str) =
        ("sync-link", "", "This is not a link for sync, or a part of it is missing. Copy the whole link again.");
    const SPENT: (&str, &str, &str) = (
        "sync-link",
        "used",
        "This link was used already, or is older than ten minutes. Create a new link on the other machine.",
    );
    let household = Household::new().await;
    let (laptop, _) = household.first("Laptop").await;
    let desktop = Machine::new().await;
    let invite = async || laptop.object(&["sync", "invite"]).await["link"].as_str().unwrap().to_owned();

    let link = invite().await;
    let without_pin = link.rsplit_once('.').unwrap().0.rsplit_once('#').unwrap().0.to_owned();
    for malformed in [&link[..link.len() / 2], &without_pin, "https://files.test/a.pdf", ""] {
        let error = desktop.refusal_in_words(&["sync", "join", malformed], "").await;
        assert_eq!(code_variant_text(&error), MALFORMED, "{malformed}");
    }
    household.change_database("UPDATE invites SET expiry = 10").await;
    let error = desktop.refusal_in_words(&["sync", "join", &link], "").await;
    assert_eq!(code_variant_text(&error), SPENT, "expired");

    let link = invite().await;
    desktop.object(&["sync", "join", &link]).await;
    let other = Machine::new().await;
    let error = other.refusal_in_words(&["sync", "join", &link], "").await;
    assert_eq!(code_variant_text(&error), SPENT, "used");
    let error = other.refusal_in_words(&["sync", "setup", &link], "").await;
    let joins = "This link is for joining the list of another machine, not for setting up a list. Use it to join that list.";
    assert_eq!(code_variant_text(&error), ("sync-link", "joins", joins));
    assert_eq!(other.object(&["sync", "status"]).await["is_on"], false);
    other.object(&["sync", "join", &invite().await]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_recovery_word_is_reported_with_suggestion_and_next_step() {
    let (household, elsewhere) = (Household::new().await, Household::new().await);
    let (laptop, sheet) = household.first("Laptop").await;
    let (_, foreign_sheet) = elsewhere.first("Elsewhere").await;
    let words = |sheet: &Value| -> Vec<String> {
        sheet["words"].as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
    };
    let (right, foreign) = (words(&sheet), words(&foreign_sheet));
    let with_seventh = |word: &str| [&right[..6], &[word.to_owned()], &right[7..]].concat().join(" ");
    // No recovery word ends with a q.
    let typo = format!("{}q", right[6]);
    let meant = format!("Word 7, \"{typo}\", is not in the list of words. Did you mean \"{}\"?", right[6]);
    let (address, uid) = (sheet["address"].as_str().unwrap(), sheet["uid"].to_string());
    let new = Machine::new().await;
    let refused = async |typed: &str| new.refusal_in_words(&["sync", "recover", address, &uid], typed).await;

    let error = refused(&with_seventh(&typo)).await;
    assert_eq!(code_variant_text(&error), ("sync-words", "meant", meant.as_str()));
    assert_eq!(error["args"], json!({ "position": "7", "word": typo, "meant": right[6] }));
    for (typed, variant, sentence) in [
        (with_seventh("qqqqqq"), "word", "Word 7, \"qqqqqq\", is not in the list of words. Compare it with your notes."),
        (right[..23].join(" "), "count", "There are 23 words, but 24 are needed. Enter all words in their order."),
        (
            foreign.join(" "),
            "other",
            "These words belong to another list. Compare them, the address and the number with your notes.",
        ),
    ] {
        assert_eq!(code_variant_text(&refused(&typed).await), ("sync-words", variant, sentence));
    }
    assert_eq!(new.object(&["sync", "status"]).await["is_on"], false);
    assert_eq!(laptop.objects(&["sync", "devices"]).await.len(), 1, "no refused machine is in the list");
    let ran = new.person.run_with_input(["sync", "recover", address, &uid], &right.join(" ")).await;
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), "This machine has joined the list.\n"), "{ran:?}");
}

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
