//! A partial file in some folder, with what its journal claims.

use std::path::PathBuf;

use crate::model::spec::Guid;

/// A transfer as the disk knows it: a partial in some folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RediscoveredFile {
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
    /// Its request, where a journal contains it.
    pub asked: Option<RediscoveryRequest>,
}

/// The request in a journal. It contains no headers, because they may hold credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RediscoveryRequest {
    /// How.
    pub method: String,
    /// Where.
    pub url: String,
    /// The name the file was to have.
    pub name: String,
    /// The complete size of the file in bytes, where it is known.
    pub size: Option<u64>,
    /// Whether a later answer may be joined to the bytes that are there.
    pub may_resume: bool,
}
