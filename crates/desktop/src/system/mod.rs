//! Connections to the desktop: other instances, autostart, clipboard, links and files.

pub(crate) mod autostart;
pub(crate) mod clipboard;
pub(crate) mod incoming_links;
pub(crate) mod install_paths;
pub(crate) mod json_file;
pub(crate) mod launcher_badge;
pub(crate) mod open_with;
pub(crate) mod power_action;
pub(crate) mod single_instance;
pub(crate) mod ui_state;
