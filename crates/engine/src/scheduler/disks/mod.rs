//! Modules for disks that answer late, files to be removed, and files that already exist.

pub(crate) mod existing_file;
pub(crate) mod file_removal;
pub(crate) mod stalled_disks;
pub(crate) mod stuck_transfers;
