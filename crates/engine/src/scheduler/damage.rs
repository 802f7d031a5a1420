//! Marks a damaged ledger, so that the next start repairs it.

use std::path::Path;

use ashore_messages::UserMessage;

use crate::{
    EngineError, EngineEvent,
    context::shared::EngineContext,
    platform::atomic_file::{self, SymlinkPolicy},
};

impl EngineContext {
    /// Checks whether `error` reports damage.
    ///
    /// If so, marks the ledger for repair at the next start and notifies clients.
    pub(crate) fn look_for_damage(&self, error: &EngineError) {
        if error.is_damage() {
            suspect(&self.data_dir, &why_damaged(error));
            self.speaker.emit(EngineEvent::Lagged);
        }
    }
}

/// Marks an open ledger as damaged.
///
/// The ledger is not changed now; the next start checks all of it.
pub(crate) fn suspect(data_dir: &Path, why: &UserMessage) {
    let path = data_dir.join(SUSPECT);
    if path.exists() {
        return;
    }
    tracing::error!(%why, "ledger damage detected; will be repaired at the next start");
    if let Err(error) = atomic_file::replace(&path, why.to_json().as_bytes()) {
        tracing::warn!(%error, "ledger damage could not be recorded");
    }
}

/// Returns the cause of the damage, as a phrase within a sentence for the user.
pub(crate) fn why_damaged(error: &EngineError) -> UserMessage {
    match error {
        EngineError::LedgerDamaged { why, .. } => why.clone().into(),
        EngineError::Ledger(error) => {
            let text = error.as_database_error().map_or_else(|| error.to_string(), |database| database.message().to_owned());
            UserMessage::from_text(&text)
        }
        other => UserMessage::from_text(&other.to_string()),
    }
}

/// Returns the reason why the ledger in `data_dir` was marked as damaged; `None` if it was not.
pub(crate) fn suspicion(data_dir: &Path) -> Option<UserMessage> {
    let stored = atomic_file::read(&data_dir.join(SUSPECT), SymlinkPolicy::Refused).ok()?;
    Some(UserMessage::from_json_or_text(&stored))
}

/// Name of the file that marks a ledger as damaged. If it exists, the next start checks the whole ledger.
pub(crate) const SUSPECT: &str = "ledger.suspect";
