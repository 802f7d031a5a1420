//! Disks with faults: power cuts, full disks, disks that do not answer, private mounts, and failing system calls.

pub mod apart;
pub mod fault;
mod files;
pub mod silent;
pub mod stacked;
pub mod volume;

pub use files::{fill_disk, free_bytes, mark};
