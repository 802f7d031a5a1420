//! Statements about counters, kept by delta.

pub(crate) mod audit;
pub(crate) mod speed_limits;
pub(crate) mod statistics;
pub(crate) mod tally;
pub(crate) mod usage;
