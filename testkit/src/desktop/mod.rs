//! Desktops without a user: a message bus with its services, a screen with its window manager, and a driver for web
//! pages.

mod message_bus;
pub mod peers;
pub mod virtual_desktop;
pub mod web_driver;
