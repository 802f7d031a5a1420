//! Files on disk: naming, placing, syncing, resuming, and changes by other programs.

mod crash;
mod joined;
mod meddled;
mod names;
mod resume;
mod small;
mod syncs;
