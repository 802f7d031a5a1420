//! Language support of the desktop program.

pub(crate) mod catalogue;
pub(crate) mod engine_messages;
pub(crate) mod format;
