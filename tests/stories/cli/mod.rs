//! Tests the program `ashore` as users run it: the real binary, with faulty servers.
//!
//! Each test has its own home. The program must be built before the tests run (`cargo build -p ashore-cli`), and is
//! expected beside the test binary.

mod canary;
mod commands;
pub(crate) mod program;
mod serve;
mod sync;
mod system;
