//! The engine on a local socket (JSON-RPC 2.0): one holder of a data folder, any number of clients.

mod methods;

pub use methods::{Call, dispatch};
