//! Applies the speed limits of the ledger and the settings.

use std::sync::atomic::Ordering;

use ashore_transfer::{FlowScope, RateLimit};

use crate::{
    EngineError,
    context::shared::{EngineContext, for_all},
    model::{LimitScope, SpeedLimit},
};

/// Applies the limits in the ledger. Called before the first transfer starts.
pub(crate) async fn hold(shared: &EngineContext) -> Result<(), EngineError> {
    for SpeedLimit { scope, bytes_per_second } in shared.store.limits().await? {
        // Ignore an invalid limit, which another program may have written.
        let Ok(rate) = RateLimit::new(bytes_per_second) else { continue };
        begin(shared, scope, Some(rate));
    }
    Ok(())
}

/// Applies the current speed limit for all transfers together.
///
/// During slow hours, this is the lower of the slow speed and the limit of the user.
pub(crate) async fn keep_pace(shared: &EngineContext) {
    let _one_at_a_time = shared.limiting.lock().await;
    shared.transfers.limit(FlowScope::All, for_all(shared));
}

pub(crate) fn begin(shared: &EngineContext, scope: LimitScope, rate: Option<RateLimit>) {
    if scope == LimitScope::All {
        shared.speed_limit.store(rate.map_or(0, RateLimit::bytes), Ordering::Release);
        shared.transfers.limit(FlowScope::All, for_all(shared));
        return;
    }
    shared.transfers.limit(scope.into(), rate);
}
