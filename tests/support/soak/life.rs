//! One life of the program: transfers on a runtime of their own, which can be cut short anywhere.

use std::{path::Path, time::Duration};

use ashore_transfer::{Guid, TransferConfig, TransferEvent, TransferSpec, Transfers, survey};
use tokio::{runtime::Runtime, sync::mpsc};
use url::Url;
use uuid::Uuid;

/// No life is longer.
const LONGEST: Duration = Duration::from_secs(60);

/// The program while it lives.
pub(super) struct Life {
    runtime: Option<Runtime>,
    pub transfers: Transfers,
    events: mpsc::UnboundedReceiver<TransferEvent>,
}

impl Life {
    /// The program is started.
    pub fn new(config: TransferConfig) -> Result<Self, String> {
        let runtime = ashore_transfer::runtime().map_err(|error| error.to_string())?;
        let (sender, events) = mpsc::unbounded_channel();
        let transfers = {
            let _inside = runtime.enter();
            Transfers::new(config, sender).map_err(|failure| format!("{failure:?}"))?
        };
        Ok(Self { runtime: Some(runtime), transfers, events })
    }

    /// The power is cut: nothing that was planned happens any more. What the disk was already told is done, as it might
    /// be after a real one.
    pub async fn kill(mut self) -> Result<(), String> {
        let runtime = self.runtime.take();
        let ended = tokio::task::spawn_blocking(move || runtime.map(|runtime| runtime.shutdown_timeout(LONGEST))).await;
        ended.map(drop).map_err(|error| error.to_string())
    }

    /// The next head or end. Too long a silence is an error.
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
        // Of a run that went wrong: nobody waits for it, and nobody may in the middle of a task.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// What is asked for.
pub(super) fn spec(url: Url, folder: &Path) -> TransferSpec {
    TransferSpec::download(Guid(Uuid::from_u128((7 << 96) | 7)), url, folder.to_owned())
}

/// Bytes that the disk vouches for. More than one partial is an error.
pub(super) fn durable(folder: &Path) -> Result<u64, String> {
    let found = survey(folder).map_err(|error| error.to_string())?;
    match found.as_slice() {
        [] => Ok(0),
        [one] => Ok(one.bytes),
        many => Err(format!("{} partials: {many:?}", many.len())),
    }
}

/// The names in the folder, in order.
pub(super) fn names(folder: &Path) -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
    let mut names: Vec<String> = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}
