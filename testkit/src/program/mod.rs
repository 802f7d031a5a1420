//! Runs the real program `ashore`: one process on a machine of its own, or many at the same moment on one folder.

pub mod machine;
pub mod race;
