//! The real program `ashore`: on a machine of its own, and many at the same moment on one folder.

pub mod machine;
pub mod race;
