//! SQL statements about counters. Each write adds its own difference to the counters, so that no rows are counted
//! again.

pub(crate) mod audit;
pub(crate) mod counts;
pub(crate) mod speed_limits;
pub(crate) mod statistics;
pub(crate) mod tally;
pub(crate) mod usage;
