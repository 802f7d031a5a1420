//! Converts typed links and commands to the request that the engine receives.

pub(crate) mod commands;
pub(crate) mod links;
pub(crate) mod request;
