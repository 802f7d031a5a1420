//! Tests a system that refuses a resource: space, files, threads, names or a log.

mod full;
mod log;
mod lookup;
mod paths;
mod planted;
mod room;
mod size;
mod threads;
