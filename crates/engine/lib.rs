//! The ledger and the scheduler: what was asked for, and what happens next.
//!
//! Everything is a method on [`Engine`]. The rooms: `model` has the nouns, `state` the legal moves, `store` every SQL
//! statement, `schedule` decides what runs now, `reconcile` holds the ledger against the disk at start, `events` tells.
//! No HTTP, no window and no foreign vocabulary in here.

mod engine;
mod error;
mod events;
mod model;
mod store;

pub use engine::{Engine, Options};
pub use error::Error;
pub use events::{Event, Events};
pub use model::*;
