//! Transfers without an engine around them.

use std::path::Path;

use ashore_transfer::{Guid, Transfers};

/// Reports the completion as recorded and waits until no remains of the partial file are left.
pub async fn forget(transfers: &Transfers, guid: Guid, folder: &Path) {
    transfers.forget(vec![(guid, folder.to_owned())]);
    transfers.shut_down().await;
}
