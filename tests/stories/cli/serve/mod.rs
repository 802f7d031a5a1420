//! Tests a running engine.
//!
//! The stories cover stop and resume, several programs, access from outside, and an engine without work.

mod keep;
mod owners;
mod rest;
mod share;
mod socket;
