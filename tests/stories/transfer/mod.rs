//! Transfers against good and bad servers.

mod auth;
mod broken;
mod claims;
mod connect;
mod cookies;
mod crash;
mod described;
mod desk;
mod digest;
mod fresh;
mod joined;
mod life;
mod meddled;
mod mirrors;
mod names;
mod proxy;
mod reach;
mod redirect;
mod resume;
mod segments;
mod small;
mod speed;
mod syncs;
mod tls;
mod upload;
mod vices;
