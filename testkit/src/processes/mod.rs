//! External programs and processes.
//!
//! - `tools` finds programs, compiles small ones and runs them.
//! - `running` and `kept_program` start programs that end with the test.
//! - `readings` reads the memory, processor time and wake-ups of processes.
//! - `system_calls` traces the system calls of processes and makes calls fail.

pub mod kept_program;
pub mod readings;
pub mod running;
pub mod system_calls;
pub mod tools;
