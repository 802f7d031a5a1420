//! Statements of export and import.

pub(crate) mod export;
pub(crate) mod import;
