//! Runs the real program `ashore`: one process on its own machine, or many processes at the same moment on one folder.

pub mod machine;
pub mod race;
