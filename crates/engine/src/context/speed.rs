//! Puts the speed limits of the ledger and the settings into effect.

use std::sync::atomic::Ordering;

use ashore_transfer::{Rate, Scope};

use crate::{
    Error,
    context::shared::{Shared, for_all},
    model::{LimitScope, SpeedLimit},
};

/// Holds the transfers to what the ledger says, before the first of them starts.
pub(crate) async fn hold(shared: &Shared) -> Result<(), Error> {
    for SpeedLimit { scope, bytes_per_second } in shared.store.limits().await? {
        // A limit that another program made invalid counts as none.
        let Ok(rate) = Rate::new(bytes_per_second) else { continue };
        begin(shared, scope, Some(rate));
    }
    Ok(())
}

/// The pace has changed: in slow hours everything together is held to the slow speed, unless its own limit is tighter.
pub(crate) async fn keep_pace(shared: &Shared) {
    let _one_at_a_time = shared.limiting.lock().await;
    shared.transfers.limit(Scope::All, for_all(shared));
}

pub(crate) fn begin(shared: &Shared, scope: LimitScope, rate: Option<Rate>) {
    if scope == LimitScope::All {
        shared.speed_limit.store(rate.map_or(0, Rate::bytes), Ordering::Release);
        shared.transfers.limit(Scope::All, for_all(shared));
        return;
    }
    shared.transfers.limit(scope.into(), rate);
}
