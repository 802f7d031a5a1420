//! The engine as the desktop program sees it: client, events, status and settings.

pub(crate) mod client;
pub(crate) mod desktop_settings;
pub(crate) mod event_router;
pub(crate) mod status;
