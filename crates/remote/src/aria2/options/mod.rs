//! Options of downloads and of the whole program.
//!
//! - `table` lists them.
//! - `values` checks and normalises their values.
//! - `mapping` applies the options of a new download to its registration.

pub(crate) mod mapping;
pub(crate) mod table;
pub(crate) mod values;
