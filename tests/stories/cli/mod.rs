//! Tests the program `ashore` as users run it: the real binary, in a separate home, against faulty servers.
//!
//! The binary is built before the stories run (`cargo build -p ashore-cli`), and is expected beside them.

mod access;
mod canary;
mod doctor;
mod forget;
mod full;
mod get;
mod keep;
mod limit;
mod listing;
mod lists;
mod log;
mod lookup;
mod owners;
mod paths;
mod planted;
mod program;
mod quota;
mod refuse;
mod rest;
mod room;
mod saved;
mod settings;
mod share;
mod size;
mod socket;
mod statistics;
mod threads;
mod understood;
