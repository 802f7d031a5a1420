//! Removes the partial files that are hard links to published files.

use crate::{
    EngineError,
    context::{partial_cleanup, shared::EngineContext},
    model::UniqueId,
};

impl EngineContext {
    /// Removes the partial files of completed requests.
    pub(crate) async fn drop_second_names(&self, id: UniqueId) -> Result<(), EngineError> {
        if self.fetches {
            // Nothing is left to remove. The start of the engine has removed the partial files of earlier runs, and
            // each transfer removes its own partial file at its end.
            return Ok(());
        }
        let folder = self.store.folder_of(id).await?;
        let surveyed = partial_cleanup::survey_all(self, folder.into_iter().collect()).await;
        partial_cleanup::tidy(self, &surveyed.found, &self.store.active_requests().await?).await
    }
}
