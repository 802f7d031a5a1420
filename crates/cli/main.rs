//! The program `ashore`.
fn main() {}
