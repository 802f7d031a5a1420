//! External programs.
//!
//! - `tools` finds programs, compiles small ones and runs them.
//! - `kept_program` starts a program that ends with the test.

pub mod kept_program;
pub mod tools;
