//! Desktops without a user: a message bus, the services on it, a screen with its window manager, and the driver of the
//! page.

mod message_bus;
pub mod peers;
pub mod virtual_desktop;
pub mod web_driver;
