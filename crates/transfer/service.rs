//! The transfers: started, stopped and listed by GUID.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot};

use crate::{
    outcome::{Failure, Outcome},
    spec::{Guid, Spec},
};

/// How transfers behave; the same for all of them.
#[derive(Clone, Debug)]
pub struct Config {
    /// Sent as `User-Agent`.
    pub user_agent: String,
    /// To connect, TLS included.
    pub connect_timeout: Duration,
    /// Between two pieces of a body, and for the first answer.
    pub stall_timeout: Duration,
    /// Progress is made durable at least this often...
    pub checkpoint_interval: Duration,
    /// ...or after this many new bytes, whichever comes first.
    pub checkpoint_bytes: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            user_agent: concat!("Ashore/", env!("CARGO_PKG_VERSION")).to_owned(),
            connect_timeout: Duration::from_secs(15),
            stall_timeout: Duration::from_secs(30),
            checkpoint_interval: Duration::from_secs(1),
            checkpoint_bytes: 32 << 20,
        }
    }
}

/// What a transfer tells. For one GUID: any number of heads, then exactly one `Done` per start.
#[derive(Debug)]
pub enum Event {
    /// The first answer, or the 200 that replaced it. The file is not placed before `stored` is answered: what is on
    /// disk under its final name always has its head in the caller's ledger.
    Head {
        /// Whose.
        guid: Guid,
        /// What the server said.
        head: Head,
        /// Answered by the caller once the head is durable; dropped to stop the transfer.
        stored: oneshot::Sender<()>,
    },
    /// This run is over.
    Done {
        /// Whose.
        guid: Guid,
        /// How.
        outcome: Outcome,
    },
}

/// The head of an answer, as kept for people and for the next resume.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The HTTP status code.
    pub status: u16,
    /// Its reason phrase, possibly empty.
    pub status_text: String,
    /// All headers in order, values as text (lossy where they are not UTF-8).
    pub headers: Vec<(String, String)>,
    /// Every address on the way, the last one answered.
    pub url_chain: Vec<String>,
    /// The complete size of the file in bytes, where it is known.
    pub total_size: Option<u64>,
    /// The name the file will have if nothing else has it.
    pub name: String,
}

/// Where one running transfer is, for people to see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Body bytes of the file that are there, durable or not.
    pub downloaded: u64,
    /// Body bytes sent.
    pub uploaded: u64,
    /// The complete size, once known.
    pub total: Option<u64>,
}

/// What the disk knows of a transfer: a partial in some folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The first eight hexadecimal digits of its GUID, from the partial's name.
    pub tag: String,
    /// Its whole GUID, where a journal says it.
    pub guid: Option<Guid>,
    /// The partial file.
    pub part: PathBuf,
    /// Durable body bytes, by the journal.
    pub bytes: u64,
    /// The final name it already has, when it was placed and nobody wrote that down.
    pub placed: Option<PathBuf>,
}

/// All running transfers. Cheap to clone; every clone is the same.
#[derive(Clone, Debug)]
pub struct Transfers {}

impl Transfers {
    /// Transfers that tell `events`. Fails when no HTTP client can be made.
    pub fn new(config: Config, events: mpsc::UnboundedSender<Event>) -> Result<Self, Failure> {
        let _ = (config, events);
        todo!()
    }

    /// Starts it, going on from what is on disk. While a transfer of this GUID runs, nothing happens.
    pub fn start(&self, spec: Spec) {
        let _ = spec;
        todo!()
    }

    /// Tells it to stop with its bytes kept; `Done(Stopped)` follows if it was still running and not yet past placing.
    pub fn stop(&self, guid: Guid) {
        let _ = guid;
        todo!()
    }

    /// Where each running transfer is.
    pub fn progress(&self) -> Vec<(Guid, Progress)> {
        todo!()
    }

    /// After the caller has written down that it completed: removes the partial's name and journal.
    pub async fn forget(&self, guid: Guid, folder: &Path) {
        let _ = (guid, folder);
        todo!()
    }

    /// Throws away what a stopped transfer has on disk. A file already placed stays.
    pub async fn discard(&self, guid: Guid, folder: &Path) {
        let _ = (guid, folder);
        todo!()
    }
}

/// What the disk knows in `folder`. Reads the folder once; a folder that is gone is an empty list.
pub fn survey(folder: &Path) -> std::io::Result<Vec<Found>> {
    let _ = folder;
    todo!()
}
