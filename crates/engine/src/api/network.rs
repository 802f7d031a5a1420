//! Network state for sync: whether a cycle may run, and when another attempt is worthwhile.

use std::sync::Arc;

use tokio::sync::watch;

use crate::{
    api::engine::Engine,
    context::shared::EngineContext,
    gates::decision::{self, SystemState},
    model::NetworkUse,
};

/// Observes the network. The state changes only in an engine that downloads, because no other engine watches the
/// network.
#[derive(Debug)]
pub struct NetworkWatch {
    shared: Arc<EngineContext>,
    desktop: watch::Receiver<SystemState>,
    before: SystemState,
}

impl Engine {
    /// Begins to observe the network.
    pub fn watch_network(&self) -> NetworkWatch {
        let mut desktop = self.shared.known.desktop.subscribe();
        let before = desktop.borrow_and_update().clone();
        NetworkWatch { shared: self.shared.clone(), desktop, before }
    }
}

impl NetworkWatch {
    /// Returns how the network may be used now, according to the current settings.
    pub fn current(&self) -> NetworkUse {
        decision::network_use(&self.desktop.borrow(), &self.shared.settings())
    }

    /// Waits for a change of the network or the end of a suspend. Returns whether unreachable servers may be reachable
    /// now.
    ///
    /// Cancel safe: a dropped future loses no change.
    pub async fn changed(&mut self) -> bool {
        // Ignore the error: `shared` keeps the sender, so waiting cannot fail.
        let _ = self.desktop.changed().await;
        let now = self.desktop.borrow_and_update().clone();
        let is_better = now.is_worth_another_try_after(&self.before);
        self.before = now;
        is_better
    }
}
