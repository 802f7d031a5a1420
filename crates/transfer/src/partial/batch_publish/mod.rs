//! Writes and publishes the small files of one folder together.

pub(crate) mod batch;
mod files;
pub(crate) mod job;
mod worker;
