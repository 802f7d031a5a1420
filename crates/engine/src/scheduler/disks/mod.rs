//! Disks that answer late, and files that are removed or already there.

pub(crate) mod existing_file;
pub(crate) mod file_removal;
pub(crate) mod stalled_disks;
pub(crate) mod stuck_transfers;
