//! Small files of one folder, written and published together.

pub(crate) mod batch;
mod files;
pub(crate) mod job;
mod worker;
