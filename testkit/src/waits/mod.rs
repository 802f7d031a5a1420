//! Waits with a time limit, for events and for conditions that change without an event.
//!
//! - `conditions` is for tests in async code. These fail after the time limit.
//! - `blocking` is for programs that do one step at a time. These get an error after the time limit.

pub mod blocking;
mod conditions;

pub(crate) use conditions::CALL;
pub use conditions::{DEADLINE, in_time, until, within, within_looks};
