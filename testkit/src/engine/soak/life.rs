//! Lifetime of a simulated process. Its transfers have their own runtime, which can be cancelled at any point.

use std::{path::Path, time::Duration};

use ashore_transfer::{Guid, TransferConfig, TransferEvent, TransferSpec, Transfers, survey};
use tokio::{runtime::Runtime, sync::mpsc};
use url::Url;
use uuid::Uuid;

/// Time limit for each wait for an event.
const LONGEST: Duration = Duration::from_secs(60);

/// Simulated running program.
pub(super) struct Life {
    runtime: Option<Runtime>,
    pub transfers: Transfers,
    events: mpsc::UnboundedReceiver<TransferEvent>,
}

impl Life {
    /// Starts the program.
    pub fn new(config: TransferConfig) -> Result<Self, String> {
        let runtime = ashore_transfer::runtime().map_err(|error| error.to_string())?;
        let (sender, events) = mpsc::unbounded_channel();
        let transfers = {
            let _inside = runtime.enter();
            Transfers::new(config, sender).map_err(|failure| format!("{failure:?}"))?
        };
        Ok(Self { runtime: Some(runtime), transfers, events })
    }

    /// Cuts the power: cancels all pending work. Running disk operations still complete, as may happen in a real power
    /// cut.
    pub async fn kill(mut self) -> Result<(), String> {
        let runtime = self.runtime.take();
        let ended = tokio::task::spawn_blocking(move || runtime.map(|runtime| runtime.shutdown_timeout(LONGEST))).await;
        ended.map(drop).map_err(|error| error.to_string())
    }

    /// Returns the next event. Fails if none arrives in time.
    pub async fn event(&mut self) -> Result<TransferEvent, String> {
        match tokio::time::timeout(LONGEST, self.events.recv()).await {
            Ok(Some(event)) => Ok(event),
            Ok(None) => Err("the transfers are gone".to_owned()),
            Err(_) => Err(format!("nothing happens: {:?}", self.transfers.progress())),
        }
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        // Do not wait for the runtime to end: waiting within an async task would panic, and the run has already failed.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Returns the spec of the download, which is the same in every run.
pub(super) fn spec(url: Url, folder: &Path) -> TransferSpec {
    TransferSpec::download(Guid(Uuid::from_u128((7 << 96) | 7)), url, folder.to_owned())
}

/// Returns the number of durable bytes. Fails if there is more than one partial file.
pub(super) fn durable(folder: &Path) -> Result<u64, String> {
    let found = survey(folder).map_err(|error| error.to_string())?;
    match found.as_slice() {
        [] => Ok(0),
        [one] => Ok(one.bytes),
        many => Err(format!("{} partials: {many:?}", many.len())),
    }
}

/// Returns the sorted names of the files in the folder.
pub(super) fn names(folder: &Path) -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
    let mut names: Vec<String> = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}
