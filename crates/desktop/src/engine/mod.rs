//! Engine side of the desktop program: client, events, status and settings.

pub(crate) mod client;
pub(crate) mod desktop_settings;
pub(crate) mod event_router;
pub(crate) mod status;
