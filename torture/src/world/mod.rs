//! Downloads and uploads of a user, the user's actions while the engine is running, and the invariants after each crash
//! of the engine:
//!
//! - a file that was reported as complete exists under its name and is correct, byte for byte;
//! - bytes that a journal claims are in its partial file;
//! - an acknowledged registration is listed with its latest changes, and a removed registration is not listed;
//! - in the end, every file has arrived once, and there are no other files.
//!
//! `shelf` contains the data, `draw` the random downloads, and `torture_world` the engine and its calls. `actions` and
//! `edits` act as the user. `settle`, `claimed` and `invariants` check the state.

mod actions;
mod claimed;
mod draw;
mod edits;
mod invariants;
mod settle;
mod shelf;
mod torture_world;

pub use self::{draw::DrawnLoad, invariants::OWN, settle::ReportedState, torture_world::TortureWorld};
