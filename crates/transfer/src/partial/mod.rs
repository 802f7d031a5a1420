//! Manages partial files: journal, checksums, resuming and publishing.
//!
//! Only this module writes the bytes of downloads to disk.

pub(crate) mod batch_publish;
pub(crate) mod block_checksums;
pub(crate) mod file_owner;
pub(crate) mod finalize;
#[cfg(test)]
pub(crate) mod folder_names;
pub(crate) mod hard_links;
pub(crate) mod inotify;
pub(crate) mod journal;
pub(crate) mod origin_xattr;
pub(crate) mod part;
mod publish;
pub(crate) mod rediscover;
pub(crate) mod relocate;
pub(crate) mod scan;
pub(crate) mod segment_overlap;
pub(crate) mod size_limit;
pub(crate) mod space_reservation;
pub(crate) mod state;
pub(crate) mod stream_hasher;
pub(crate) mod verify_on_resume;
pub(crate) mod writer;

pub(crate) use crate::filename::numbered_names::{MOST_NAMES, candidate};
pub(crate) use publish::{PublishSyscalls, PublishedFile, has_no_links};
