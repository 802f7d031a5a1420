//! Arguments and answers of calls that need more than the arguments and answers of the engine's method. Called by
//! `methods`.

use std::path::PathBuf;

use ashore_engine::{Engine, EngineError, ExistingLinks, ImageResource};
use ashore_messages::message;
use ashore_sync::service::SyncService;
use serde::Serialize;
use serde_json::Value;

/// Returns the end events that the clients of an owner have not acknowledged. Without an owner, returns the pending
/// notifications for the user.
pub(crate) async fn unacknowledged_events(engine: &Engine, owner: Option<&str>) -> Result<Value, EngineError> {
    let Some(owner) = owner else { return answer(engine.pending_notifications().await?) };
    engine.register(owner).await?;
    answer(engine.owed_to(owner).await?)
}

/// Looks up `links`. Returns the files in the list of this machine that have one of the links, and the downloads on other
/// machines that have one of the links.
pub(crate) async fn known(
    sync: &SyncService,
    links: &[String],
    folder: Option<PathBuf>,
    name: Option<String>,
) -> Result<Value, EngineError> {
    let known = sync.engine().known(links, folder, name).await?;
    answer(ExistingLinks { past_downloads: sync.past_downloads(links).await, ..known })
}

/// Returns the icons of a call that may name a single icon or several icons, but not both.
pub(crate) fn icons_of(
    icon: Option<PathBuf>,
    icons: Option<Vec<ImageResource>>,
) -> Result<Option<Vec<ImageResource>>, EngineError> {
    match (icon, icons) {
        (Some(_), Some(_)) => Err(EngineError::Invalid(message!("invalid.icons-both"))),
        (icon, icons) => Ok(icons.or_else(|| icon.map(|icon| vec![ImageResource::from_source(icon)]))),
    }
}

/// Returns the lines of a pasted text.
pub(crate) async fn understand(text: String) -> Result<Value, EngineError> {
    // Parsing 100,000 links takes a while, and this thread also runs transfers.
    let understood = tokio::task::spawn_blocking(move || ashore_engine::understand(&text)).await;
    answer(understood.map_err(|_| EngineError::Closed)?)
}

/// Returns the JSON of the result of a call.
pub(crate) fn answer(value: impl Serialize) -> Result<Value, EngineError> {
    serde_json::to_value(value).map_err(|error| EngineError::Invalid(message!("invalid.answer", why = error.to_string())))
}
