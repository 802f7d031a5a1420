//! Writes and publishes the small files of each folder together.

pub(crate) mod batch;
mod files;
pub(crate) mod job;
mod worker;
