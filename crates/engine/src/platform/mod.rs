//! Services of the machine for the engine: clock, files, locks, log. All other folders may import from this one.

pub mod atomic_file;
pub(crate) mod day;
pub(crate) mod env;
pub mod failpoint;
pub(crate) mod folder_lock;
pub(crate) mod log;
pub(crate) mod open_file_limit;
pub(crate) mod sync;
