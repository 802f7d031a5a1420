//! Decides which bytes to request next, over how many connections, and from which mirror. [pure]

pub(crate) mod byte_ranges;
pub(crate) mod comparison_samples;
pub(crate) mod connection_count;
pub(crate) mod mirrors;
pub(crate) mod progress;
pub(crate) mod segment_map;
pub(crate) mod segment_plan;
