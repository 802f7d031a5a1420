//! Tests a running engine.
//!
//! The tests cover stop and resume, several programs, access through the socket, and an engine without work.

mod keep;
mod owners;
mod remote;
mod rest;
mod share;
mod socket;
