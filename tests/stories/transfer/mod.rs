//! Transfers against good and bad servers.

mod broken;
mod crash;
mod desk;
mod fresh;
mod life;
mod names;
mod redirect;
mod resume;
mod upload;
