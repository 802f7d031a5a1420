//! Transfers against good and bad servers.

mod desk;
mod fresh;
