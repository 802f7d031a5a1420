//! Marks a damaged ledger, so that the next start repairs it.

use std::path::Path;

use crate::{EngineError, EngineEvent, context::shared::EngineContext, platform::atomic_file};

impl EngineContext {
    /// Where SQLite says that the ledger is damaged, the next start mends it, and people are told.
    pub(crate) fn look_for_damage(&self, error: &EngineError) {
        if error.is_damage() {
            suspect(&self.data_dir, &why_damaged(error));
            self.speaker.emit(EngineEvent::Lagged);
        }
    }
}

/// Found to be damaged while it is open: nothing is changed now, and the next start looks at all of it.
pub(crate) fn suspect(data_dir: &Path, why: &str) {
    let path = data_dir.join(SUSPECT);
    if path.exists() {
        return;
    }
    tracing::error!(why, "the list is damaged; it is mended at the next start");
    if let Err(error) = atomic_file::replace(&path, why.as_bytes()) {
        tracing::warn!(%error, "that the list is damaged could not be written down");
    }
}

/// Only what is wrong: the sentence that people read is made around it, and once.
pub(crate) fn why_damaged(error: &EngineError) -> String {
    match error {
        EngineError::LedgerDamaged { why, .. } => why.clone(),
        EngineError::Ledger(error) => {
            error.as_database_error().map_or_else(|| error.to_string(), |database| database.message().to_owned())
        }
        other => other.to_string(),
    }
}

/// Found while it was at work: the next start looks at all of it.
pub(crate) const SUSPECT: &str = "ledger.suspect";
