//! Window: its process, its commands and the calls that its page may make.

pub(crate) mod commands;
mod consent;
pub(crate) mod open_file;
pub(crate) mod open_page;
mod other_devices;
pub(crate) mod process;
pub(crate) mod sync_consent;
