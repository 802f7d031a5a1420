//! Tests a system that denies something: space, files, threads, names or a log.

mod full;
mod log;
mod lookup;
mod paths;
mod planted;
mod room;
mod size;
mod threads;
