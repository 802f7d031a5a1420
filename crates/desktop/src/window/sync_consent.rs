//! Asks the user before a call of sync that gives something away: the words, a place in the list, or this machine's list.
//!
//! The desktop asks in its own dialog. Code that is injected into the page can therefore neither learn the words, nor
//! bring this machine into the list of another person.

use ashore_engine::UserMessage;
use ashore_messages::{message, text};
use ashore_pipe::PipeQuestion;
use ashore_sync::service::SyncCall;

use crate::{context::AppContext, i18n::plain_text::plain};

/// Asks before `call` if it needs an agreement. Fails with `declined` if the user does not agree.
pub async fn ask(shell: &AppContext, call: &SyncCall) -> Result<(), UserMessage> {
    if let SyncCall::SetUp { link, .. } = call
        && shell.own_server.takes(link)
    {
        // The user has agreed to this list together with its server.
        return Ok(());
    }
    match question(call) {
        Some(question) => agreed(shell, question).await,
        None => Ok(()),
    }
}

/// Asks before a sync server is kept on this machine. Fails with `declined` if the user does not agree.
pub async fn ask_for_server(shell: &AppContext) -> Result<(), UserMessage> {
    agreed(shell, confirm(text!("ask-server"), text!("ask-server.body"), text!("ask-server.yes"))).await
}

/// Returns the question before `call`; `None` if the call gives nothing away. [pure]
fn question(call: &SyncCall) -> Option<PipeQuestion> {
    Some(match call {
        SyncCall::SetUp { link, .. } => {
            confirm(text!("ask-set-up"), text!("ask-set-up.body", server = server_of(link)), text!("ask-set-up.yes"))
        }
        SyncCall::Join { link: place, .. } | SyncCall::Recover { address: place, .. } => {
            confirm(text!("ask-join"), text!("ask-join.body", server = server_of(place)), text!("ask-join.yes"))
        }
        SyncCall::Words => confirm(text!("ask-words"), text!("ask-words.body"), text!("ask-words.yes")),
        SyncCall::Invite => confirm(text!("ask-invite"), text!("ask-invite.body"), text!("ask-invite.yes")),
        SyncCall::RemoveDevice { device } => {
            let body = text!("ask-remove-machine.body", machine = plain(device));
            confirm(text!("ask-remove-machine"), body, text!("ask-remove-machine.yes"))
        }
        SyncCall::Trust { device, is_trusted: true } => {
            confirm(text!("ask-trust"), text!("ask-trust.body", machine = plain(device)), text!("ask-trust.yes"))
        }
        _ => return None,
    })
}

fn confirm(title: String, body: String, yes: String) -> PipeQuestion {
    PipeQuestion::Confirm { title, body, yes, no: text!("action-cancel") }
}

async fn agreed(shell: &AppContext, question: PipeQuestion) -> Result<(), UserMessage> {
    // Without a window the question gets no answer, which counts as a refusal.
    match shell.window.ask(question).await.unwrap_or(false) {
        true => Ok(()),
        false => Err(message!("declined")),
    }
}

/// Returns the server of a link or an address, without the secret behind it. [pure]
fn server_of(link: &str) -> String {
    let rest = link.trim().split_once("://").map_or(link, |(_, rest)| rest);
    let rest = rest.strip_prefix("join/").unwrap_or(rest);
    plain(rest.split(['/', '#', '?']).next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn asks(call: Value) -> Option<PipeQuestion> {
        question(&serde_json::from_value(call).unwrap())
    }

    #[test]
    fn call_that_gives_something_away_needs_agreement() {
        for call in [
            json!({ "verb": "set_up", "link": "ashore://join/a/1/2#b.c", "name": "x" }),
            json!({ "verb": "join", "link": "ashore://join/a/1/2#b.c", "name": "x" }),
            json!({ "verb": "recover", "address": "a:1#tls", "uid": 1, "words": "w", "name": "x" }),
            json!({ "verb": "words" }),
            json!({ "verb": "invite" }),
            json!({ "verb": "remove_device", "device": "Laptop" }),
            json!({ "verb": "trust", "device": "Laptop", "is_trusted": true }),
        ] {
            assert!(asks(call.clone()).is_some(), "{call}");
        }
        for call in [
            json!({ "verb": "status" }),
            json!({ "verb": "others" }),
            json!({ "verb": "leave" }),
            json!({ "verb": "trust", "device": "Laptop", "is_trusted": false }),
        ] {
            assert!(asks(call.clone()).is_none(), "{call}");
        }
    }

    #[test]
    fn question_names_server_without_secret() {
        let link = "ashore://join/laptop.local:5350/1234567890/id#secret.pin";
        let Some(PipeQuestion::Confirm { body, .. }) = asks(json!({ "verb": "join", "link": link, "name": "x" })) else {
            panic!("no question");
        };
        let body: String = body.chars().filter(|character| !"\u{2068}\u{2069}".contains(*character)).collect();
        assert!(body.contains("laptop.local:5350") && !body.contains("secret") && !body.contains("pin"), "{body}");
        assert_eq!(server_of("sync.example#tls"), "sync.example");
        assert_eq!(server_of("nonsense"), "nonsense");
        assert!(!server_of("ashore://join/a\u{202e}b/1").contains('\u{202e}'));
    }
}
