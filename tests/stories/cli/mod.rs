//! Tests the program `ashore` as users run it: the real binary, in a separate home, against faulty servers.
//!
//! The binary is built before the stories run (`cargo build -p ashore-cli`), and is expected beside them.

mod canary;
mod commands;
mod program;
mod serve;
mod system;
