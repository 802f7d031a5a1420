//! Accepts new downloads: validation, duplicates, checksum files, follow-up requests and upload bodies.

pub(crate) mod checksum_files;
pub(crate) mod file_kind;
pub(crate) mod fingerprint;
pub(crate) mod follow_up;
pub(crate) mod icons;
pub(crate) mod link_credentials;
pub(crate) mod link_match;
pub(crate) mod metalink;
pub(crate) mod parse;
pub(crate) mod upload_bodies;
pub(crate) mod url_error;
pub(crate) mod userinfo;
pub(crate) mod validate;
