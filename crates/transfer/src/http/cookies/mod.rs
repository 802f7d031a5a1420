//! Cookies: the jar, cookie files and public suffixes.

pub(crate) mod file;
pub(crate) mod jar;
pub(crate) mod public_suffix;
