//! Network of this machine, for sync: whether a cycle may run, and when another attempt is worthwhile.

use std::sync::Arc;

use tokio::sync::watch;

use crate::{
    api::engine::Engine,
    context::shared::EngineContext,
    gates::decision::{self, SystemState},
    model::NetworkUse,
};

/// Observes the network. Only an engine that downloads watches it; in any other engine, it never changes.
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
    /// How the network may be used now, by the present settings.
    pub fn current(&self) -> NetworkUse {
        decision::network_use(&self.desktop.borrow(), &self.shared.settings())
    }

    /// Waits for a change of the network or the end of a suspend. Returns whether servers that were unreachable may be
    /// reachable now.
    ///
    /// If the future is dropped, no change is lost.
    pub async fn changed(&mut self) -> bool {
        // Cannot fail: `shared` keeps the sender.
        let _ = self.desktop.changed().await;
        let now = self.desktop.borrow_and_update().clone();
        let is_better = now.is_worth_another_try_after(&self.before);
        self.before = now;
        is_better
    }
}
