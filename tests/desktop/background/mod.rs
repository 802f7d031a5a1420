//! Features outside the window: notifications, tray, start at login, and the action after the last download.

mod afterwards;
mod apart;
mod life;
mod notify;
mod quiet;
mod traffic;
mod tray;
