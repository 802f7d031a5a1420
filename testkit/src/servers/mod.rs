//! Servers on loopback: correct servers, servers with every kind of fault, proxies, and nginx.

pub mod digest;
mod free_ports;
pub(crate) mod listening;
pub mod nginx;
pub mod origin;
pub mod packed;
pub mod proxy;
pub mod raw;
pub mod tls;

pub use free_ports::free_ports;
