//! Files on disk: named, placed, synced, resumed, and changed by others.

mod crash;
mod joined;
mod meddled;
mod names;
mod resume;
mod small;
mod syncs;
