//! Tests the native host of the browser extension: the real program `ashore-browser`, with a real engine and a real
//! server.
//!
//! The tests act as the browser: they start the host and exchange messages with it. In `paired`, they connect to the
//! channel for browsers that cannot start the host.

mod connect;
mod declined;
mod faults;
mod menus;
mod paired;
mod port;
mod refresh;
mod rules;
mod taken;
