//! Verifies the bytes of a file, with digests, checksum files and Metalink documents.

pub mod checksum_file;
pub(crate) mod expectations;
pub(crate) mod hasher;
pub mod metalink;
