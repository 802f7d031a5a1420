//! The nouns of a transfer. No I/O.

pub(crate) mod digest;
pub(crate) mod outcome;
pub(crate) mod spec;
