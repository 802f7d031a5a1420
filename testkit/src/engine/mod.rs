//! Runs the engine or its transfers inside a test, each in a folder of its own.
//!
//! - `home` is an engine with its data and downloads.
//! - `transfers` runs transfers without an engine.
//! - `soak` runs random transfers with power cuts against a model.

pub mod home;
pub mod soak;
mod transfers;

pub use transfers::{download, forget};
