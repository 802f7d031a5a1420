//! Runs one download or upload.

mod begin;
pub(crate) mod connections;
mod content_check;
pub(crate) mod context;
mod failover;
mod finish;
pub(crate) mod load_partial;
pub(crate) mod metalink_lookup;
mod other_connections;
pub(crate) mod pending_responses;
mod range_refusal;
mod response_end;
mod restart;
mod resume_loop;
mod resume_state;
pub(crate) mod run;
pub(crate) mod segment;
mod size_probe;
pub(crate) mod small_file;
mod stall;
mod upload;
