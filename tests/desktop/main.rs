//! The real window, tray and notifications: the built program on a screen and a session bus of its own, driven as a
//! person would and heard as a desktop would. Nothing of the machine's own desktop is touched.
//!
//! `stage` sets everything up and takes it away, `page` drives the window, `scenes` knows the way to every view,
//! `notifications` is the desktop's notification service, `panel` its tray, `taskbar` its dock and `file_manager` what it shows
//! folders with; the stories stand in the other files.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a story that cannot go on has failed, and says where"
)]

mod add;
mod apart;
mod file_manager;
mod notifications;
mod page;
mod panel;
mod scenes;
mod settings;
mod stage;
mod taskbar;

mod afterwards;
mod clipboard;
mod details;
mod drag;
mod everybody;
mod gallery;
mod journeys;
mod keyboard;
mod language;
mod life;
mod list;
mod mishaps;
mod notify;
mod opening;
mod pictures;
mod quiet;
mod statistics;
mod steps;
mod traffic;
mod tray;
mod window;
