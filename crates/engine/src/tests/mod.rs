//! Tests of the whole crate.

#[cfg(test)]
pub(crate) mod error_messages;
