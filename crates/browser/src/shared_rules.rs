//! Reads the rules of the extension from the engine, and changes them. Called by `host` and `hand_off`.

use ashore_engine::{SettingsReport, UserMessage};
use ashore_messages::message;
use ashore_rpc::{CallFailure, MethodCall, SocketClient};

use crate::{
    declines,
    rules::{BrowserRules, RuleChange},
};

/// Returns the rules of the engine. `None` if the engine is older and has no rules.
pub(crate) async fn read(user: &SocketClient) -> Result<Option<BrowserRules>, CallFailure> {
    Ok(BrowserRules::from_settings(&user.call::<SettingsReport>(&MethodCall::Settings).await?))
}

/// Changes the rules, and returns all rules afterwards. A rule keeps its value if the engine refuses the new one.
///
/// Fails if the engine is older and has no rules, or if the connection is lost.
pub(crate) async fn change(user: &SocketClient, change: &RuleChange) -> Result<BrowserRules, UserMessage> {
    for (key, value) in change.settings() {
        match user.call::<()>(&MethodCall::Set { key, value: Some(value) }).await {
            // After a refusal, the answer contains the previous value, and the extension shows this value.
            Ok(()) | Err(CallFailure::Refused(_)) => {}
            Err(failure) => return Err(failure.message()),
        }
    }
    let rules = read(user).await.map_err(|failure| declines::of_failure(&failure))?;
    rules.ok_or_else(|| message!("browser-ashore-too-old"))
}
