//! Handles that the API methods and the scheduler share, and the events that both emit.

pub(crate) mod awaited_links;
pub(crate) mod events;
pub(crate) mod halted;
pub(crate) mod partial_cleanup;
pub(crate) mod patience;
pub(crate) mod probe_cache;
pub(crate) mod read_hold;
mod removed_files;
pub(crate) mod running;
mod second_names;
pub(crate) mod shared;
pub(crate) mod speed;
pub(crate) mod starts_at_once;
pub(crate) mod transport;
pub(crate) mod withdrawn_names;
