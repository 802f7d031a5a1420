//! Waits with a time limit for events, and for conditions that no event announces.

mod conditions;

pub(crate) use conditions::CALL;
pub use conditions::in_time;
