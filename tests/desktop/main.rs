//! Desktop tests: the real window, tray and notifications on a private screen and bus.
//!
//! The tests drive the built program as a user would, and observe it as a desktop would. They do not use the desktop of
//! the machine.
//!
//! - `stage` starts and ends the private desktop and the programs on it.
//! - `page` drives the window; `scenes` knows the way to every view.
//! - `notifications`, `panel`, `taskbar` and `file_manager` replace the desktop's services.
//! - All other files and folders contain tests.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot continue has failed, and the panic shows the place"
)]

mod file_manager;
mod notifications;
mod page;
mod panel;
mod scenes;
mod stage;
mod taskbar;

mod background;
mod everybody;
mod gallery;
mod journeys;
mod mishaps;
mod pictures;
mod views;
mod window;
