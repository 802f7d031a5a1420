//! Statements about counters. Each write changes the counters by its own effect, so that no rows are counted again.

pub(crate) mod audit;
pub(crate) mod speed_limits;
pub(crate) mod statistics;
pub(crate) mod tally;
pub(crate) mod usage;
