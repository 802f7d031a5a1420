//! Describes a partial file in some folder, and the contents of its journal.

use std::path::PathBuf;

use crate::model::spec::Guid;

/// Partial file found in some folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RediscoveredFile {
    /// First eight hexadecimal digits of the GUID, from the name of the partial file.
    pub tag: String,
    /// Complete GUID, if there is a journal.
    pub guid: Option<Guid>,
    /// Path of the partial file.
    pub part: PathBuf,
    /// Number of durable body bytes, from the journal.
    pub bytes: u64,
    /// Final path of the file, if it was published without a record in the caller's ledger.
    pub placed: Option<PathBuf>,
    /// Request of the transfer, if there is a journal.
    pub asked: Option<RediscoveryRequest>,
}

/// Request that a journal describes. Contains no headers, because these may contain credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RediscoveryRequest {
    /// HTTP method.
    pub method: String,
    /// Requested URL.
    pub url: String,
    /// Intended name of the file.
    pub name: String,
    /// Complete size of the file in bytes, if known.
    pub size: Option<u64>,
    /// Whether bytes of a later response may be joined to the bytes on disk.
    pub may_resume: bool,
}
