//! Tests a running engine.
//!
//! The tests cover stop and resume, several programs, access through the socket and the aria2 interface, and an engine without
//! work.

mod aria2;
mod aria2_session;
mod container;
mod keep;
mod openapi;
mod owners;
mod proxy;
mod remote;
mod rest;
mod service;
mod share;
mod socket;
mod watch;
