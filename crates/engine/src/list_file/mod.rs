//! The list in a file: export, import and validation.

pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod validate;
