//! Removes the names of partials whose files are published.

use crate::{
    EngineError,
    context::{partial_cleanup, shared::EngineContext},
    model::UniqueId,
};

impl EngineContext {
    /// Partials of completed requests go.
    pub(crate) async fn drop_second_names(&self, id: UniqueId) -> Result<(), EngineError> {
        if self.fetches {
            // All that was left from before went at the start; what completed since is on its way.
            return Ok(());
        }
        let folder = self.store.folder_of(id).await?;
        let surveyed = partial_cleanup::survey_all(self, folder.into_iter().collect()).await;
        partial_cleanup::tidy(self, &surveyed.found, &self.store.active_requests().await?).await
    }
}
