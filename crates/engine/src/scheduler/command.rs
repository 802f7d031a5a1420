//! Defines the commands that the engine sends to the loop after a commit.

use ashore_transfer::Guid;
use tokio::sync::oneshot;

use crate::model::UniqueId;

/// Command of the engine to the loop, sent after its commit; `Wake` is sent before as well.
#[derive(Debug)]
pub(crate) enum SchedulerCommand {
    /// A request of this registration, or of any, may be startable now.
    Nudge(Option<UniqueId>),
    /// The user wants this registration tried now, and its hosts despite their cooldowns.
    Wake { id: UniqueId, hosts: Vec<i64> },
    /// Stops these transfers; running uploads only when `uploads`, because they cannot be resumed.
    Stop { guids: Vec<Guid>, uploads: bool },
    /// Removes the partial files of an aborted registration where nothing of it runs any more.
    Discard(UniqueId),
    /// Deletes rows, partial files and files of a registration as soon as nothing of it runs.
    Delete(UniqueId),
    /// No client holds this registration any more. If it was removed meanwhile, it is deleted now.
    Released(UniqueId),
    /// The settings have changed.
    Settings,
    /// The quotas have changed: transfers beyond them stop, and waiting requests may start.
    Quota,
    /// The ledger lacked disk space for a change by the user, and may lack it for every other write.
    NoRoom,
    /// Stops everything with its bytes durable, then sends the answer.
    Close(oneshot::Sender<()>),
}
