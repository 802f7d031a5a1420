//! Turns typed links and commands into the request that the engine gets.

pub(crate) mod commands;
pub(crate) mod links;
pub(crate) mod request;
