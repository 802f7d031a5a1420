//! SQL statements for exporting and importing the list.

pub(crate) mod export;
pub(crate) mod format;
pub(crate) mod import;
pub(crate) mod reader;
pub(crate) mod redact;
pub(crate) mod request;
