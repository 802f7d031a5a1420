//! Describes how a transfer ended. [pure]

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::model::{digest::FileDigest, failure::TransferFailure};

/// Outcome of one run of a transfer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransferOutcome {
    /// The file is durable under its final name, or the response had no body to keep.
    Completed(CompletedTransfer),
    /// The run failed. The durable bytes of the partial file are kept for a retry.
    Failed {
        /// Error that ended the run.
        failure: TransferFailure,
        /// Number of durable body bytes.
        bytes: u64,
    },
    /// The run was stopped. The durable bytes of the partial file are kept.
    Stopped {
        /// Number of durable body bytes.
        bytes: u64,
        /// Number of body bytes that an upload had sent. An upload that has sent bytes is not repeated automatically.
        sent: u64,
    },
}

/// Result of a completed transfer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletedTransfer {
    /// Path of the file. `None` if the response to an upload had no body.
    pub path: Option<PathBuf>,
    /// Size of the file in bytes.
    pub size: u64,
    /// Extent to which the content was verified.
    pub verified: Verification,
    /// Expected digest that was verified, if there was one.
    pub digest: Option<FileDigest>,
    /// Digest requested by [`ExpectedContent::compute`](crate::ExpectedContent::compute).
    pub computed: Option<FileDigest>,
    /// List of the guarantees that the folder's file system could not give for this file.
    pub missing: Vec<MissingGuarantee>,
}

/// Guarantee that some file systems cannot give for published files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissingGuarantee {
    /// The file has the default permissions of the file system instead of the requested ones.
    Permissions,
    /// A power failure may destroy the bytes, although the file was reported as complete.
    Sync,
    /// A power failure may destroy the name, although the file was reported as complete.
    FolderSync,
    /// The file may have replaced another program's file, if that program created it under the same name during
    /// publication.
    ExclusiveName,
    /// The file was copied to its final name, so this name belonged to an unfinished file for some time.
    AtOnce,
}

/// Extent to which the content of a file was verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verification {
    /// The response ended without an error, but stated no length. Nothing verifies the bytes.
    SizeUnknown,
    /// The length is correct. If the file was resumed, only the comparison of overlapping bytes verifies the content.
    No,
    /// The length is correct. At each resume, the strong validator was the same and the overlapping bytes matched.
    OnResume,
    /// The file has the expected digest.
    ByDigest,
}

/// Restart of a file from its first byte, although some bytes had already arrived.
///
/// The old bytes are kept until the new bytes have arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferRestart {
    /// Reason for the restart.
    pub why: RestartReason,
    /// Number of body bytes that were received before the restart.
    pub bytes: u64,
}

/// Reason why a file was restarted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RestartReason {
    /// The file on the server has changed.
    Changed,
    /// The server cannot resume the file at the requested position, or at any position.
    NoRanges,
    /// The server reports no change, but its bytes differ from the bytes on disk.
    Differs,
    /// The partial file was moved or deleted during the transfer. No bytes are kept.
    Gone,
}
