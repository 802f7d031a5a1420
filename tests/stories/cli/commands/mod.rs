//! Tests each command: its input, its output, and the input that it refuses.

mod access;
mod changes;
mod doctor;
mod forget;
mod get;
mod language;
mod limit;
mod listing;
mod lists;
mod quota;
mod refuse;
mod saved;
mod settings;
mod statistics;
mod understood;
