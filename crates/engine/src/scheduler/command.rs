//! Commands that the engine sends to the loop after a commit.

use ashore_transfer::Guid;
use tokio::sync::oneshot;

use crate::model::UniqueId;

/// A message of the engine to the loop, sent after the commit that it is about; `Wake` is sent before as well.
#[derive(Debug)]
pub(crate) enum SchedulerCommand {
    /// Something may be startable now: of this registration, or of any.
    Nudge(Option<UniqueId>),
    /// A person wants this one tried now, and its hosts asked, however long they wished to be left alone.
    Wake { id: UniqueId, hosts: Vec<i64> },
    /// These are to stop; uploads under way only when `uploads`, because they cannot be set aside.
    Stop { guids: Vec<Guid>, uploads: bool },
    /// Partials of an aborted registration are to go, where nothing runs any more.
    Discard(UniqueId),
    /// Rows, partials and files of a doomed registration are to go as soon as nothing of it runs.
    Delete(UniqueId),
    /// No client holds this one any more: where it was removed meanwhile, it goes now.
    Released(UniqueId),
    /// Settings are others than before.
    Settings,
    /// Quotas are others than before: what has no room any more stops, and what waited may start.
    Quota,
    /// The ledger had no room for what a person asked for, and may have none for anything.
    NoRoom,
    /// Everything stops with its bytes durable; answered when it has.
    Close(oneshot::Sender<()>),
}
