//! Runs one download or upload.

pub(crate) mod connections;
mod content_check;
pub(crate) mod context;
mod failover;
pub(crate) mod load_partial;
pub(crate) mod metalink_lookup;
pub(crate) mod pending_responses;
mod range_refusal;
mod resume_loop;
pub(crate) mod run;
pub(crate) mod segment;
mod size_probe;
pub(crate) mod small_file;
mod upload;
