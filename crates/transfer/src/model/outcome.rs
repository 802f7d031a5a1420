//! Describes how a transfer ended. [pure]

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::model::{digest::FileDigest, failure::TransferFailure};

/// Outcome of one run of a transfer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransferOutcome {
    /// The file is durable under its final name, or the response had no body to keep.
    Completed(CompletedTransfer),
    /// The run failed. The `bytes` that are durable in the partial file are kept for a retry.
    Failed {
        /// Error that ended the run.
        failure: TransferFailure,
        /// Durable body bytes kept.
        bytes: u64,
    },
    /// The run was stopped. The `bytes` that are durable in the partial file are kept.
    Stopped {
        /// Durable body bytes kept.
        bytes: u64,
        /// Body bytes that an upload had already sent. Such a request is not repeated automatically.
        sent: u64,
    },
}

/// Result of a completed transfer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletedTransfer {
    /// Path of the file; `None` if an upload was answered without a body.
    pub path: Option<PathBuf>,
    /// Size of the file in bytes.
    pub size: u64,
    /// Extent to which the content was verified.
    pub verified: Verification,
    /// Digest that was verified, if one was expected.
    pub digest: Option<FileDigest>,
    /// Digest requested by [`ExpectedContent::compute`](crate::ExpectedContent::compute).
    pub computed: Option<FileDigest>,
    /// Guarantees that the folder's file system could not give for this file.
    pub missing: Vec<MissingGuarantee>,
}

/// Guarantee that published files normally have, but that some file systems cannot give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissingGuarantee {
    /// The file has the default permissions of the file system, not the requested permissions.
    Permissions,
    /// The bytes may be lost in a power failure, although the file was reported as complete.
    Sync,
    /// The name may be lost in a power failure, although the file was reported as complete.
    FolderSync,
    /// The file may have replaced a file that another program created under the same name during publication.
    ExclusiveName,
    /// The file was copied to its final name, so that an unfinished file had this name for a while.
    AtOnce,
}

/// Extent to which the content of a file was verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verification {
    /// The response ended in order, but its length was not stated. Nothing verifies the bytes.
    SizeUnknown,
    /// The length is correct. Only the overlaps that were compared at resumes verify the bytes.
    No,
    /// The length is correct. At each resume, the strong validator was the same and the overlap matched.
    OnResume,
    /// The file has the expected digest.
    ByDigest,
}

/// Restart of a file from its first byte, although some bytes had been received.
///
/// The old bytes are kept until the new bytes have arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferRestart {
    /// Reason for the restart.
    pub why: RestartReason,
    /// Number of body bytes received before the restart.
    pub bytes: u64,
}

/// Reason why a file was restarted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RestartReason {
    /// The file on the server has changed.
    Changed,
    /// The server cannot resume in the middle of a file, or not at the requested position.
    NoRanges,
    /// The server reports no change, but sends bytes that differ from those on disk.
    Differs,
    /// The partial file was moved or deleted while it was written; no bytes are kept.
    Gone,
}
