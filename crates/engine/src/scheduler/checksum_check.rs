//! Checks completed files against checksum files. Either of the two may be complete first.
//!
//! - Checksum files are read from disk before the ledger is queried.
//! - Results of the check are written before any request is recorded as completed.
//! - Both rules also apply to a file that should be a manifest but is not.

use ashore_messages::message;
use std::collections::HashMap;

use ashore_transfer::{FailureKind, TransferFailure, checksum_file, disk};

use crate::{
    EngineError,
    intake::checksum_files::UnusableChecksums,
    model::{FailureReason, RecordedVerification, messages},
    scheduler::{
        event_loop::READ_WAITS,
        ledger_update::{CheckedCompletion, ChecksumRole, LedgerUpdate},
    },
    store::{ChecksumResult, CompletedResponse, FailedResponse, RunRow, ledger::LedgerWriter},
};

/// Results of the checks of one batch.
#[derive(Debug, Default)]
pub(super) struct ChecksumVerdicts {
    judged: HashMap<usize, CheckedCompletion>,
    /// Whether a file on disk is wrong and must be removed.
    pub has_wrong: bool,
}

impl ChecksumVerdicts {
    /// Returns the result that replaces the reported result of the entry at `index`; `None` if the reported result
    /// stays.
    pub(super) fn for_entry(&self, index: usize) -> Option<&CheckedCompletion> {
        self.judged.get(&index)
    }
}

/// Reads the checksum files among `entries`.
///
/// A checksum file that cannot be read gets no lines. [`judge`] then reports its failure.
pub(super) async fn read(entries: &mut [LedgerUpdate]) {
    for entry in entries {
        let LedgerUpdate::Completed { response, vouching: Some(ChecksumRole::Vouches(lines)), .. } = entry else { continue };
        let Some(path) = response.path.clone().filter(|_| response.size <= checksum_file::LARGEST) else { continue };
        match disk::within(READ_WAITS, move || std::fs::read(path).map(|bytes| checksum_file::read(&bytes))).await {
            Some(Ok(read)) => *lines = read,
            Some(Err(error)) => tracing::warn!(%error, "checksum file could not be read"),
            None => tracing::warn!("checksum file could not be read; its disk does not respond"),
        }
    }
}

/// Compares completed files with their known checksums.
///
/// Checksum files are handled first, because the files that they cover may be in the same batch.
pub(super) async fn judge(
    ledger: &mut LedgerWriter<'_>,
    entries: &[LedgerUpdate],
    now: i64,
) -> Result<ChecksumVerdicts, EngineError> {
    let mut verdicts = ChecksumVerdicts::default();
    for (index, entry) in entries.iter().enumerate() {
        if let LedgerUpdate::Completed { guid, response, identity, vouching: Some(ChecksumRole::Vouches(lines)), .. } = entry {
            let taken_in = ledger.take_in_checksums(*guid, lines, &wrong(), now).await?;
            verdicts.has_wrong |= taken_in.has_wrong;
            if let Some(unusable) = taken_in.unusable {
                // Remove the checksum file: otherwise its presence would suggest that the other file had been checked.
                if let (Some(path), Some(identity)) = (&response.path, identity) {
                    ledger.let_go_outright(path, *identity).await?;
                }
                verdicts.has_wrong = true;
                verdicts.judged.insert(index, CheckedCompletion::Wrong(unread(unusable)));
            }
        }
    }
    for (index, entry) in entries.iter().enumerate() {
        if let LedgerUpdate::Completed { following: Some(following), .. } = entry
            && let Some(refusal) = following.refusal()
        {
            verdicts.judged.insert(index, CheckedCompletion::Wrong(refusal));
            continue;
        }
        let LedgerUpdate::Completed { guid, response, identity, vouching: Some(ChecksumRole::VouchedFor(computed)), .. } = entry
        else {
            continue;
        };
        match ledger.judge(*guid, computed).await? {
            ChecksumResult::Open => {}
            ChecksumResult::Right => {
                let (digest, verified) = (Some(computed.clone()), RecordedVerification::ByDigest);
                let response = CompletedResponse { digest, verified, ..response.clone() };
                verdicts.judged.insert(index, CheckedCompletion::Right(response));
            }
            ChecksumResult::Wrong => {
                if let (Some(path), Some(identity)) = (&response.path, identity) {
                    ledger.let_go_outright(path, *identity).await?;
                }
                verdicts.has_wrong = true;
                verdicts.judged.insert(index, CheckedCompletion::Wrong(wrong()));
            }
        }
    }
    Ok(verdicts)
}

/// Returns the failure of a file that does not match its checksum file.
fn wrong() -> FailedResponse {
    let failure = TransferFailure::new(FailureKind::DigestMismatch, "a checksum file says otherwise");
    FailedResponse {
        reason: messages::reason(failure.kind),
        trouble: messages::of_failure(&failure),
        status: None,
        bytes: 0,
        uploaded: 0,
        run: RunRow::default(),
    }
}

/// Returns the failure of a checksum file that cannot be used for a check.
fn unread(unusable: UnusableChecksums) -> FailedResponse {
    let trouble = match unusable {
        UnusableChecksums::Unread => message!("checksum-file"),
        UnusableChecksums::OtherKind => message!("checksum-file.kind"),
        UnusableChecksums::OtherFile => message!("checksum-file.other"),
    };
    FailedResponse { reason: FailureReason::FetchError, trouble, status: None, bytes: 0, uploaded: 0, run: RunRow::default() }
}
