//! Waits with a time limit: for events, and for conditions that no event announces.
//!
//! - `conditions` is for tests in async code, which fail after the limit.
//! - `blocking` is for programs that do one step after the other, which get an error after the limit.

pub mod blocking;
mod conditions;

pub(crate) use conditions::CALL;
pub use conditions::{DEADLINE, in_time, until, within, within_looks};
