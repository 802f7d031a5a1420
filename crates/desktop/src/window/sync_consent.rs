//! Asks the user before each sync call that discloses something: the recovery words, access to the list, or the list of
//! this machine.
//!
//! The desktop shows the question in a dialog outside of the page. Code that is injected into the page can therefore
//! neither learn the recovery words, nor bring this machine into the list of another person.

use ashore_engine::UserMessage;
use ashore_messages::text;
use ashore_pipe::PipeQuestion;
use ashore_rpc::MethodCall;
use ashore_sync::service::{DeviceReport, SyncCall, server_of_link};

use crate::{
    context::AppContext,
    i18n::plain_text::plain,
    window::consent::{agreed, confirm},
};

/// Asks the user if `call` needs consent. Fails with `declined` without consent.
pub async fn ask(shell: &AppContext, call: &SyncCall) -> Result<(), UserMessage> {
    if let SyncCall::SetUp { link, .. } = call
        && shell.own_server.takes(link)
    {
        // Do not ask again: consent to the server includes consent to this list.
        return Ok(());
    }
    let name = match call {
        SyncCall::RemoveDevice { device } | SyncCall::Trust { device, is_trusted: true } => name_of(shell, device).await,
        _ => None,
    };
    match question(call, name.as_deref()) {
        Some(question) => agreed(shell, question).await,
        None => Ok(()),
    }
}

/// Returns the name of the device that has this id; `None` if the list has no such device.
async fn name_of(shell: &AppContext, device: &str) -> Option<String> {
    let devices: Vec<DeviceReport> = shell.door.ask(MethodCall::Sync(SyncCall::Devices)).await.ok()?;
    devices.into_iter().find(|one| one.device == device).map(|one| one.name)
}

/// Asks before a sync server runs permanently on this machine. Fails with `declined` without consent.
pub async fn ask_for_server(shell: &AppContext) -> Result<(), UserMessage> {
    agreed(shell, confirm(text!("ask-server"), text!("ask-server.body"), text!("ask-server.yes"))).await
}

/// Returns the question to ask before `call`. [pure]
///
/// Returns `None` if the call discloses nothing, or will fail because its link is not valid. `name` is the name of the
/// machine in the call, if known.
fn question(call: &SyncCall, name: Option<&str>) -> Option<PipeQuestion> {
    Some(match call {
        SyncCall::SetUp { link, .. } => {
            let server = plain(&server_of_link(link)?);
            confirm(text!("ask-set-up"), text!("ask-set-up.body", server = server), text!("ask-set-up.yes"))
        }
        SyncCall::Join { link, .. } => ask_to_join(&server_of_link(link)?),
        SyncCall::Recover { address, .. } => ask_to_join(address.split('#').next().unwrap_or_default()),
        SyncCall::Words => confirm(text!("ask-words"), text!("ask-words.body"), text!("ask-words.yes")),
        SyncCall::Invite => confirm(text!("ask-invite"), text!("ask-invite.body"), text!("ask-invite.yes")),
        SyncCall::RemoveDevice { device } => {
            let body = text!("ask-remove-machine.body", machine = plain(name.unwrap_or(device)));
            confirm(text!("ask-remove-machine"), body, text!("ask-remove-machine.yes"))
        }
        SyncCall::Trust { device, is_trusted: true } => {
            confirm(text!("ask-trust"), text!("ask-trust.body", machine = plain(name.unwrap_or(device))), text!("ask-trust.yes"))
        }
        SyncCall::Trust { is_trusted: false, .. }
        | SyncCall::Status
        | SyncCall::Devices
        | SyncCall::Rename { .. }
        | SyncCall::ClearHistory { .. }
        | SyncCall::Now
        | SyncCall::Leave
        | SyncCall::Conflicts
        | SyncCall::Resolve { .. }
        | SyncCall::Others
        | SyncCall::ChangeOther { .. }
        | SyncCall::Send { .. }
        | SyncCall::SendNew { .. }
        | SyncCall::Sends => return None,
    })
}

fn ask_to_join(server: &str) -> PipeQuestion {
    confirm(text!("ask-join"), text!("ask-join.body", server = plain(server)), text!("ask-join.yes"))
}

#[cfg(test)]
mod tests {
    use ashore_rpc::permissions;
    use serde_json::{Value, json};

    use super::*;

    const LINK: &str = "ashore://join/laptop.local:5350/1234567890/0123456789#abcdefghijklmnopqrstuv.-";

    fn asks(call: Value) -> Option<PipeQuestion> {
        question(&serde_json::from_value(call).unwrap(), Some("Laptop"))
    }

    fn discloses(call: &Value) -> bool {
        permissions::discloses(&serde_json::from_value(call.clone()).unwrap())
    }

    #[test]
    fn sync_call_that_reveals_or_shares_data_needs_confirmation() {
        for call in [
            json!({ "verb": "set_up", "link": LINK, "name": "x" }),
            json!({ "verb": "join", "link": LINK, "name": "x" }),
            json!({ "verb": "recover", "address": "a:1#tls", "uid": 1, "words": "w", "name": "x" }),
            json!({ "verb": "words" }),
            json!({ "verb": "invite" }),
            json!({ "verb": "remove_device", "device": "Laptop" }),
            json!({ "verb": "trust", "device": "Laptop", "is_trusted": true }),
        ] {
            assert!(asks(call.clone()).is_some() && discloses(&call), "{call}");
        }
        for call in [
            json!({ "verb": "status" }),
            json!({ "verb": "others" }),
            json!({ "verb": "leave" }),
            json!({ "verb": "trust", "device": "Laptop", "is_trusted": false }),
        ] {
            assert!(asks(call.clone()).is_none() && !discloses(&call), "{call}");
        }
    }

    #[test]
    fn confirmation_question_shows_the_name_of_a_machine_instead_of_its_id() {
        let Some(PipeQuestion::Confirm { body, .. }) =
            asks(json!({ "verb": "trust", "device": "aXk3mQ9vT2s", "is_trusted": true }))
        else {
            panic!("no question");
        };
        assert!(body.contains("Laptop") && !body.contains("aXk3mQ9vT2s"), "{body}");
    }

    #[test]
    fn confirmation_question_shows_the_server_of_a_sync_link_but_not_its_secret() {
        let Some(PipeQuestion::Confirm { body, .. }) = asks(json!({ "verb": "join", "link": LINK, "name": "x" })) else {
            panic!("no question");
        };
        let body: String = body.chars().filter(|character| !"\u{2068}\u{2069}".contains(*character)).collect();
        assert!(body.contains("laptop.local:5350") && !body.contains("abcdefghijk"), "{body}");
        assert!(asks(json!({ "verb": "join", "link": "nonsense", "name": "x" })).is_none(), "the call fails");
    }
}
