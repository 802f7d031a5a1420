//! Tests the program `ashore` as users run it: the real binary, with faulty servers.
//!
//! Each story has its own home. The binary must be built before the stories run (`cargo build -p ashore-cli`), and is
//! expected beside the test binary.

mod canary;
mod commands;
pub(crate) mod program;
mod serve;
mod sync;
mod system;
