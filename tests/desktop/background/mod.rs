//! Features outside the window: notifications, tray, start at login, and the action after all downloads.

mod afterwards;
mod apart;
mod life;
mod notify;
mod quiet;
mod traffic;
mod tray;
