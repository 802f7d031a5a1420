//! Runs transfers without an engine.

use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use ashore_transfer::{Guid, TransferConfig, TransferEvent, TransferOutcome, TransferSpec, Transfers};
use tokio::sync::mpsc;

/// Runs one transfer to its end, as an engine would. Fails if the transfer does not complete.
pub async fn download(config: TransferConfig, spec: TransferSpec) -> Result<()> {
    let (sender, mut events) = mpsc::unbounded_channel();
    let transfers = Transfers::new(config, sender).map_err(|failure| anyhow!("{failure:?}"))?;
    let (guid, folder) = (spec.guid, spec.folder.clone());
    transfers.start(spec);
    loop {
        match events.recv().await.context("it ended without a word")? {
            TransferEvent::Head { stored, .. } => {
                let _ = stored.send(());
            }
            TransferEvent::Fetched { .. } => {}
            TransferEvent::Done { outcome: TransferOutcome::Completed(_), .. } => break,
            TransferEvent::Done { outcome, .. } => bail!("{outcome:?}"),
        }
    }
    forget(&transfers, guid, &folder).await;
    Ok(())
}

/// Tells `transfers` that the ledger has recorded the completion. Waits until the partial file and its journal are
/// removed.
pub async fn forget(transfers: &Transfers, guid: Guid, folder: &Path) {
    transfers.forget(vec![(guid, folder.to_owned())]);
    transfers.shut_down().await;
}
