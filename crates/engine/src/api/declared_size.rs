//! Refuses registrations whose declared size exceeds a quota, the free space or their own `downloadTotal`.

use ashore_messages::message;
use std::{collections::HashMap, path::Path};

use ashore_transfer::{FailureKind, TransferFailure};

use crate::{
    EngineError,
    context::{patience::FOLDER_WAITS, shared::EngineContext},
    gates::TooSmall,
    intake::file_kind,
    model::{RequestSource, accepted::AcceptedRegistration},
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

/// Refuses a registration from the browser if its files do not fit into their folder. Writes nothing.
///
/// Any other registration is accepted, because it can wait for free space.
pub(crate) async fn look_at_free_space(shared: &EngineContext, new: &AcceptedRegistration) -> Result<(), EngineError> {
    // A file of unknown size needs at least one byte.
    let sizes = new.requests.iter().map(|request| request.expectation.as_ref().and_then(|known| known.size).unwrap_or(1));
    look_at_free_bytes(shared, new.source, &new.folder, sizes.fold(0, u64::saturating_add)).await
}

/// Refuses a download of the browser if its `needed` bytes would leave too little free space in `folder`.
///
/// The browser deletes its own copy of an accepted file, so such a file must not wait for free space. Unknown free
/// space counts as enough. Must not be called in a transaction, because the disk may take a while to answer.
pub(crate) async fn look_at_free_bytes(
    shared: &EngineContext,
    source: RequestSource,
    folder: &Path,
    needed: u64,
) -> Result<(), EngineError> {
    if source != RequestSource::Browser {
        return Ok(());
    }
    let path = folder.to_owned();
    let answers = shared.folders.ask_within(std::slice::from_ref(&path), FOLDER_WAITS).await;
    let Some(free) = answers.get(&path).and_then(|answer| shared.free_of(answer)) else { return Ok(()) };
    let floor = shared.settings().free_space_floor.0;
    match needed.saturating_add(floor) > free {
        true => Err(EngineError::BelowFloor { needed, free, floor, path }),
        false => Ok(()),
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
