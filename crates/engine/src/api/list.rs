//! Engine methods that return pages of the list. Called by `rpc` and by the interfaces of `remote`.

use crate::{
    Engine, EngineError,
    context::running::RunningTransfers,
    model::{ListPage, ListPosition, ListQuery, QueueCounts, QueueWindow, Registration, RegistrationState},
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
        self.explain(&live, &mut page.registrations).await?;
        Ok(page)
    }

    /// Returns the running registrations of `owner` in the order of the queue; `None` stands for all owners.
    ///
    /// A registration whose transfer stops for a change, such as a new link, still counts as running.
    pub async fn running(&self, owner: Option<&str>) -> Result<Vec<Registration>, EngineError> {
        let live = self.shared.live.read().await;
        let mut running = self.shared.store.running(owner).await?;
        self.explain(&live, &mut running).await?;
        running.iter_mut().for_each(|registration| registration.state = RegistrationState::Running);
        Ok(running)
    }

    /// Returns registrations of `owner` that wait or are paused, in the order of the queue; `None` stands for all owners.
    pub async fn queue_page(&self, owner: Option<&str>, window: QueueWindow) -> Result<Vec<Registration>, EngineError> {
        let live = self.shared.live.read().await;
        let mut page = self.shared.store.queue_page(owner, window).await?;
        self.explain(&live, &mut page).await?;
        Ok(page)
    }

    /// Returns the numbers of unfinished registrations of `owner`; `None` stands for all owners.
    pub async fn queue_counts(&self, owner: Option<&str>) -> Result<QueueCounts, EngineError> {
        self.shared.store.queue_counts(owner).await
    }

    /// Adds to each registration the values that the ledger does not have.
    async fn explain(&self, live: &RunningTransfers, registrations: &mut [Registration]) -> Result<(), EngineError> {
        let gates = self.shared.known.gates(&self.shared.env, &self.shared.settings(), false);
        for registration in registrations {
            self.shared.overlay(live, &gates, registration);
            self.shared.explain_quota(registration).await?;
            self.shared.explain_rest(registration).await?;
        }
        Ok(())
    }
}
