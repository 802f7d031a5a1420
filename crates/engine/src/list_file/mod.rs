//! The list in a file: export, import and the format.

pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod validate;
