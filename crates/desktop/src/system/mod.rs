//! Connections to the desktop: other instances, autostart, clipboard, links and files.

pub(crate) mod autostart;
pub(crate) mod clipboard_state;
pub(crate) mod install_paths;
pub(crate) mod json_file;
pub(crate) mod link_inbox;
pub(crate) mod listening_address;
pub(crate) mod offered_links;
pub(crate) mod open_with;
pub(crate) mod own_server;
pub(crate) mod power_action;
pub(crate) mod single_instance;
pub(crate) mod tray_panel;
pub(crate) mod ui_state;
