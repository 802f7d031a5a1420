//! Entries that the events of transfers add to the ledger.
//!
//! `outcome` makes the entries, and `apply_events` writes them. Each entry is decided once, before the write, so that a
//! failed write can be repeated unchanged.

use std::path::{Path, PathBuf};

use ashore_transfer::{FileDigest, Guid, ResponseSummary, checksum_file::ListedChecksum};
use tokio::sync::oneshot;

use crate::{
    context::shared::EngineContext,
    gates::host_cooldown::HostCooldown,
    intake::follow_up::FollowUpChain,
    model::{RecordedRestart, UniqueId, UserMessage, accepted::AcceptedRequest},
    store::{CompletedResponse, FailedResponse, FileIdentity, ReleaseOutcome, ResponseHeadRow},
};

/// Entry for the ledger, with the answer that the transfer gets after the write.
#[derive(Debug)]
pub(super) enum LedgerUpdate {
    /// Records the head of a response. The transfer is answered as soon as the head is durable.
    ///
    /// Without a sender in `stored`, the transfer must not continue.
    Head { guid: Guid, head: ResponseSummary, restart: Option<RecordedRestart>, stored: Option<oneshot::Sender<()>> },
    /// Records the completion of a request.
    Completed {
        guid: Guid,
        response: CompletedResponse,
        identity: Option<FileIdentity>,
        folder: PathBuf,
        vouching: Option<ChecksumRole>,
        following: Option<FollowUpAction>,
    },
    /// Records the final failure of a request.
    Dead {
        guid: Guid,
        response: FailedResponse,
        folder: PathBuf,
        following: Option<FollowUpAction>,
        cooldown: Option<(i64, HostCooldown)>,
    },
    /// Puts a transfer back into the queue, to continue later.
    Back {
        guid: Guid,
        bytes: u64,
        how: ReleaseOutcome,
        cooldown: Option<(i64, HostCooldown)>,
        short: Option<(UniqueId, u64)>,
        folder: PathBuf,
    },
}

impl LedgerUpdate {
    /// Returns an entry that puts a transfer back to its place in the queue without counting a try.
    pub(super) fn set_back(guid: Guid, bytes: u64, folder: PathBuf) -> Self {
        Self::Back { guid, bytes, how: ReleaseOutcome::Pending, cooldown: None, short: None, folder }
    }

    /// Returns the transfer whose received bytes no longer count, and whether the transfer restarted its file.
    ///
    /// After a resume, a transfer may emit the same head again without restarting its file.
    pub(super) fn started_over(&self) -> Option<(Guid, bool)> {
        match self {
            Self::Head { guid, head, restart, .. } if head.status != 206 => Some((*guid, restart.is_some())),
            _ => None,
        }
    }

    /// Returns the head of a response, with its transfer.
    pub(super) fn head(&self) -> Option<(Guid, &ResponseSummary)> {
        match self {
            Self::Head { guid, head, .. } => Some((*guid, head)),
            _ => None,
        }
    }

    /// Drops the acknowledgement of a head, so that the transfer ends. The head is still recorded.
    pub(super) fn refuse(&mut self) {
        if let Self::Head { stored, .. } = self {
            *stored = None;
        }
    }

    /// Returns the transfer that goes back to the queue, with its byte count.
    pub(super) fn back(&self) -> Option<(Guid, u64)> {
        match self {
            Self::Back { guid, bytes, .. } => Some((*guid, *bytes)),
            _ => None,
        }
    }

    /// Returns the transfer that the entry belongs to.
    pub(super) fn guid(&self) -> Guid {
        match self {
            Self::Head { guid, .. } | Self::Completed { guid, .. } | Self::Dead { guid, .. } | Self::Back { guid, .. } => *guid,
        }
    }

    /// Returns the transfer whose run ends with this entry.
    pub(super) fn ended(&self) -> Option<Guid> {
        (!matches!(self, Self::Head { .. })).then(|| self.guid())
    }

    /// Returns the part of this entry that is written together with other entries. Returns `None` for an entry that is
    /// written alone.
    ///
    /// A result in `judged` replaces the reported result.
    pub(super) fn response_head<'a>(&'a self, judged: Option<&'a CheckedCompletion>) -> Option<ResponseHeadRow<'a>> {
        match (self, judged) {
            (Self::Head { guid, head, restart, .. }, _) => Some(ResponseHeadRow::Head(*guid, head, *restart)),
            (Self::Completed { .. }, Some(CheckedCompletion::Wrong(_))) => None,
            (Self::Completed { guid, identity, following, .. }, Some(CheckedCompletion::Right(response)))
            | (Self::Completed { guid, response, identity, following, .. }, None) => {
                let following = following.as_ref().map(FollowUpAction::requests);
                Some(ResponseHeadRow::Completed(*guid, response, *identity, following))
            }
            (Self::Dead { .. } | Self::Back { .. }, _) => None,
        }
    }

    /// Returns whether this entry completes an upload. If so, the copy of the uploaded body is no longer needed.
    pub(super) fn lets_body_go(&self) -> bool {
        matches!(self, Self::Completed { response, .. } if response.is_upload)
    }

    /// Returns the host to put into cooldown, if any.
    pub(super) fn cooldown(&self) -> Option<(i64, HostCooldown)> {
        match self {
            Self::Back { cooldown, .. } | Self::Dead { cooldown, .. } => *cooldown,
            _ => None,
        }
    }

    /// Returns the data of a file that lacked disk space: registration, folder and number of required bytes.
    pub(super) fn short(&self) -> Option<(UniqueId, &Path, u64)> {
        match self {
            Self::Back { short: Some((id, needed)), folder, .. } => Some((*id, folder, *needed)),
            _ => None,
        }
    }

    /// Sends the reply to the transfer after the commit, and removes files that are no longer needed.
    ///
    /// Adds completed transfers to `finished`, so that their partial files and journals are removed together.
    pub(super) async fn answer(self, is_written: bool, shared: &EngineContext, finished: &mut Vec<(Guid, PathBuf)>) {
        match self {
            Self::Head { stored, .. } => {
                if let (true, Some(stored)) = (is_written, stored) {
                    // If the transfer has already ended, no answer is needed.
                    let _ = stored.send(());
                }
            }
            Self::Completed { guid, folder, .. } => {
                if is_written {
                    finished.push((guid, folder));
                }
            }
            Self::Dead { guid, folder, .. } | Self::Back { guid, folder, .. } => {
                shared.discard_unwanted(guid, &folder).await;
            }
        }
    }
}

/// Requests that follow a completed request.
#[derive(Debug)]
pub(crate) struct FollowUpAction {
    pub(crate) chain: Box<FollowUpChain>,
    /// Result of the search for following requests; `None` before the search.
    pub(crate) found: Option<Result<Vec<AcceptedRequest>, UserMessage>>,
}

/// Role of a completed request in a check against checksum files.
#[derive(Debug)]
pub(crate) enum ChecksumRole {
    /// The file is a checksum file. Contains its lines after it has been read.
    Vouches(Vec<ListedChecksum>),
    /// The file may be listed in checksum files. Contains the digest of the file.
    VouchedFor(FileDigest),
}

/// Result of a check, which replaces the reported result of a completed request.
#[derive(Debug)]
pub(crate) enum CheckedCompletion {
    /// Completed and verified.
    Right(CompletedResponse),
    /// Not completed.
    Wrong(FailedResponse),
}
