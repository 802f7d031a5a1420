//! Engine methods that return pages of the list. Called by `rpc` and by the interfaces of `remote`.

use crate::{
    Engine, EngineError,
    model::{ListPage, ListPosition, ListQuery, Registration},
};

impl Engine {
    /// Returns a page of the list, newest first.
    ///
    /// Fails with `Unknown` if the query continues after a registration that no longer exists.
    pub async fn list(&self, query: ListQuery) -> Result<Vec<Registration>, EngineError> {
        Ok(self.list_page(query, None).await?.registrations)
    }

    /// Returns a page of the list and the position of the next one. The page begins at `position`; with `None`, as the
    /// query states.
    pub async fn list_page(&self, query: ListQuery, position: Option<ListPosition>) -> Result<ListPage, EngineError> {
        let live = self.shared.live.read().await;
        let mut page = self.shared.store.list_page(&query, position).await?;
        let gates = self.shared.known.gates(&self.shared.env, &self.shared.settings(), false);
        for registration in &mut page.registrations {
            self.shared.overlay(&live, &gates, registration);
            self.shared.explain_quota(registration).await?;
            self.shared.explain_rest(registration).await?;
        }
        Ok(page)
    }
}
