//! Watches the machine that the scheduler runs on: its clocks, its power and its network.

pub(crate) mod clock_jump;
pub(crate) mod clocks;
pub(crate) mod system_watch;
