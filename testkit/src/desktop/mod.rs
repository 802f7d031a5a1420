//! Services of a desktop, on a private message bus.

pub mod peers;
