//! Disks with faults: power cuts, full and silent disks, mounts that no other program sees, failing calls.

pub mod apart;
pub mod fault;
mod files;
pub mod silent;
pub mod stacked;
pub mod volume;

pub use files::{free_bytes, mark};
