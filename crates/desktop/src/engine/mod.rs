//! Engine side of the desktop program: client, status and settings.

pub(crate) mod client;
pub(crate) mod desktop_settings;
pub(crate) mod router_state;
pub(crate) mod status;
