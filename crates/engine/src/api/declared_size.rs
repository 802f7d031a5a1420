//! Refuses registrations whose declared size exceeds a quota or their own `downloadTotal`.

use ashore_messages::message;
use std::collections::HashMap;

use ashore_transfer::{FailureKind, TransferFailure};

use crate::{
    EngineError, context::shared::EngineContext, gates::TooSmall, intake::file_kind, model::accepted::AcceptedRegistration,
};

/// Refuses a registration whose declared size exceeds the limit of a quota, regardless of the current usage.
///
/// Writes nothing.
pub(crate) fn look_at_declared(shared: &EngineContext, new: &AcceptedRegistration) -> Result<(), EngineError> {
    if shared.known.quota().is_empty() {
        return Ok(());
    }
    let mut declared: HashMap<_, (u64, u64)> = HashMap::new();
    for request in &new.requests {
        let size = request.expectation.as_ref().and_then(|known| known.size).unwrap_or(0);
        let (bytes, files) = declared.entry(file_kind::expected(&request.url, request.name.as_deref())).or_default();
        (*bytes, *files) = (bytes.saturating_add(size), *files + 1);
    }
    match shared.known.quota().too_small(&new.owner, &declared, new.download_total) {
        Some(TooSmall { whose, needed, limit }) => {
            Err(EngineError::OverQuota(message!("quota-exceeded.quota", needed = needed, whose = whose, limit = limit)))
        }
        None => Ok(()),
    }
}

/// Returns a failure if the known file sizes exceed the `downloadTotal` of the registration; `None` otherwise. [pure]
pub(crate) fn over_download_total(new: &AcceptedRegistration) -> Option<TransferFailure> {
    let sizes = new.requests.iter().filter_map(|request| request.expectation.as_ref()?.size);
    let needed = sizes.fold(0, u64::saturating_add);
    (new.download_total > 0 && needed > new.download_total).then(|| {
        let text = format!("the files have {needed} bytes, and {} were declared", new.download_total);
        TransferFailure::new(FailureKind::DownloadTotalExceeded, text)
    })
}
