//! Transfers from correct and faulty servers.

mod broken;
mod claims;
mod connections;
mod described;
mod desk;
mod disk;
mod fresh;
mod life;
mod mirrors;
mod segments;
mod speed;
mod upload;
mod vices;
