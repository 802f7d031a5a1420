//! Suspends the machine or shuts it down, through logind.
//!
//! No user is present to enter a password, and other users or programs that inhibit the action are not overruled: an
//! action that logind does not permit directly is not carried out.

use std::time::Duration;

use ashore_engine::UserMessage;
use tokio::time::timeout;
use zbus::{Connection, fdo};

use crate::system::power_action::PowerAction;

/// Maximum time to wait for logind.
const PATIENCE: Duration = Duration::from_secs(5);
const LOGIN: &str = "org.freedesktop.login1";
const PATH: &str = "/org/freedesktop/login1";
const MANAGER: &str = "org.freedesktop.login1.Manager";

/// Checks that the system permits the action.
pub async fn can(then: PowerAction) -> Result<(), UserMessage> {
    let question = match then {
        PowerAction::Nothing => return Ok(()),
        PowerAction::Sleep => "CanSuspend",
        PowerAction::ShutDown => "CanPowerOff",
    };
    let asked = in_time(async {
        let answer = Connection::system().await?.call_method(Some(LOGIN), PATH, Some(MANAGER), question, &()).await?;
        answer.body().deserialize::<String>()
    });
    match asked.await {
        Ok(answer) if answer == "yes" => Ok(()),
        answer => {
            tracing::info!(?answer, question, "logind did not permit the power action; skipped");
            Err(cannot(then))
        }
    }
}

/// Carries out the action.
pub async fn send(then: PowerAction) -> Result<(), UserMessage> {
    let verb = match then {
        PowerAction::Nothing => return Ok(()),
        PowerAction::Sleep => "Suspend",
        PowerAction::ShutDown => "PowerOff",
    };
    let is_interactive = false;
    let asked = in_time(async {
        Connection::system().await?.call_method(Some(LOGIN), PATH, Some(MANAGER), verb, &is_interactive).await.map(drop)
    });
    asked.await.map_err(|error| match error {
        zbus::Error::MethodError(_, Some(why), _) => stayed(then, &why),
        other => stayed(then, &other.to_string()),
    })
}

async fn in_time<T>(work: impl Future<Output = zbus::Result<T>>) -> zbus::Result<T> {
    timeout(PATIENCE, work).await.unwrap_or_else(|_| Err(fdo::Error::TimedOut("nobody answered in time".into()).into()))
}

fn cannot(then: PowerAction) -> UserMessage {
    let text = match then {
        PowerAction::ShutDown => {
            "The system does not let Ashore shut this computer down, so nothing was chosen. Do it yourself when all is done."
        }
        _ => {
            "The system does not let Ashore send this computer to sleep, so nothing was chosen. Do it yourself when all is done."
        }
    };
    UserMessage { code: "machine-cannot".to_owned(), text: text.to_owned() }
}

fn stayed(then: PowerAction, why: &str) -> UserMessage {
    let why = why.trim_end_matches('.');
    let text = match then {
        PowerAction::ShutDown => format!("All is done, but this computer was not shut down: {why}. Do it yourself."),
        _ => format!("All is done, but this computer was not sent to sleep: {why}. Do it yourself."),
    };
    UserMessage { code: "machine-stayed".to_owned(), text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{catalogue::MessageCatalogue, engine_messages::translated};

    #[test]
    fn every_refusal_is_translated() {
        let german = MessageCatalogue::new("de");
        for then in [PowerAction::Sleep, PowerAction::ShutDown] {
            for UserMessage { code, text } in [cannot(then), stayed(then, "a program holds it back.")] {
                assert_ne!(translated(&german, &code, &text), text);
            }
        }
    }
}
