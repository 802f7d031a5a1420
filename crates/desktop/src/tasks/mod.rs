//! Tasks of the desktop program: functions that use all parts through `AppContext`.

pub(crate) mod clipboard;
pub(crate) mod event_router;
pub(crate) mod incoming_links;
pub(crate) mod launcher_badge;
pub(crate) mod power_action;
