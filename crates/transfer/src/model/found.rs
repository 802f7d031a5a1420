//! Describes a partial file in some folder, with the contents of its journal.

use std::path::PathBuf;

use crate::model::spec::Guid;

/// Partial file found in some folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RediscoveredFile {
    /// First eight hexadecimal digits of the GUID, from the name of the partial file.
    pub tag: String,
    /// Complete GUID, if a journal states it.
    pub guid: Option<Guid>,
    /// Path of the partial file.
    pub part: PathBuf,
    /// Durable body bytes according to the journal.
    pub bytes: u64,
    /// Final path of the file, if the file was published but its publication was not recorded.
    pub placed: Option<PathBuf>,
    /// Request of the transfer, if a journal contains it.
    pub asked: Option<RediscoveryRequest>,
}

/// Request in a journal. Contains no headers, because they may hold credentials.
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
    /// Whether a later response may be joined to the bytes on disk.
    pub may_resume: bool,
}
