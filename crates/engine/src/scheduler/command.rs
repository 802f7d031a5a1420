//! Defines the commands that the engine sends to the loop after a commit.

use ashore_transfer::Guid;
use tokio::sync::oneshot;

use crate::model::UniqueId;

/// Command from the engine to the loop.
///
/// Commands are sent after the engine's commit. Only `Wake` is sent both before and after the commit.
#[derive(Debug)]
pub(crate) enum SchedulerCommand {
    /// A request of this registration may be startable now.
    ///
    /// `None` means a request of any registration.
    Nudge(Option<UniqueId>),
    /// The user wants this registration to be tried now, including requests to hosts in cooldown.
    Wake { id: UniqueId, hosts: Vec<i64> },
    /// Stops the transfers with these GUIDs.
    ///
    /// Running uploads are stopped only if `uploads` is true, because they cannot be resumed.
    Stop { guids: Vec<Guid>, uploads: bool },
    /// Removes the partial files of an aborted registration if none of its transfers is running.
    Discard(UniqueId),
    /// Deletes the rows, partial files and published files of a registration as soon as none of its transfers is
    /// running.
    Delete(UniqueId),
    /// The last client that used this registration no longer uses it.
    ///
    /// If the registration was removed while a client used it, it is deleted now.
    Released(UniqueId),
    /// The settings have changed.
    Settings,
    /// The quotas have changed: transfers that exceed them stop, and waiting requests may start.
    Quota,
    /// A change by the user failed because the ledger lacked disk space.
    ///
    /// Other writes may fail in the same way.
    NoRoom,
    /// Stops every transfer and makes its received bytes durable, then sends the answer.
    Close(oneshot::Sender<()>),
}
