//! Suspends the machine or shuts it down, through logind.
//!
//! Acts only if logind permits the action without a password, because possibly no user is present to enter a password.
//! Respects inhibitors of other users and programs.

use std::time::Duration;

use ashore_engine::{MessageArgument, UserMessage};
use ashore_messages::message;
use tokio::time::timeout;
use zbus::Connection;

use crate::system::power_action::state::PowerAction;

/// Maximum time to wait for logind.
const PATIENCE: Duration = Duration::from_secs(5);
const LOGIN: &str = "org.freedesktop.login1";
const PATH: &str = "/org/freedesktop/login1";
const MANAGER: &str = "org.freedesktop.login1.Manager";

/// Checks that logind permits the action.
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

/// Performs the action.
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
    asked.await.map_err(|why| stayed(then, why))
}

/// Waits for the answer of logind. Fails with the reason as a clause without a full stop.
async fn in_time<T>(work: impl Future<Output = zbus::Result<T>>) -> Result<T, MessageArgument> {
    match timeout(PATIENCE, work).await {
        Ok(answer) => answer.map_err(reason),
        Err(_) => Err(message!("fault-machine.silent").into()),
    }
}

fn reason(error: zbus::Error) -> MessageArgument {
    let why = match error {
        zbus::Error::MethodError(_, Some(why), _) => why,
        other => other.to_string(),
    };
    why.trim_end_matches('.').into()
}

fn cannot(then: PowerAction) -> UserMessage {
    match then {
        PowerAction::ShutDown => message!("machine-cannot.off"),
        _ => message!("machine-cannot"),
    }
}

fn stayed(then: PowerAction, why: MessageArgument) -> UserMessage {
    match then {
        PowerAction::ShutDown => message!("machine-stayed.off", why = why),
        _ => message!("machine-stayed", why = why),
    }
}

#[cfg(test)]
mod tests {
    use ashore_messages::Catalogue;

    use super::*;

    #[test]
    fn every_refusal_of_power_action_is_translated() {
        let (german, why) = (Catalogue::new("de"), || reason(zbus::Error::Failure("a program holds it back.".to_owned())));
        for then in [PowerAction::Sleep, PowerAction::ShutDown] {
            for message in [cannot(then), stayed(then, why())] {
                assert_ne!(message.render(&german), message.text);
            }
            assert!(!stayed(then, why()).text.contains(".."));
        }
    }
}
