//! Provides the services of the machine to the engine: clock, files, locks, log.
//!
//! Every other folder may import from this folder.

pub mod atomic_file;
pub(crate) mod day;
pub(crate) mod env;
pub mod failpoint;
pub(crate) mod folder_lock;
pub(crate) mod log;
pub(crate) mod open_file_limit;
pub(crate) mod sync;
