//! Tests sync with real programs: a sync server, and machines that run `ashore serve`.

mod certificate;
mod devices;
mod full_disk;
mod household;
mod kills;
mod others;
mod pairing;
mod privacy;
mod restoration;
mod sends;
mod verbs;
