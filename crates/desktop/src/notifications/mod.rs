//! Notifications: their content, the service that shows them, and those that are pending.

pub(crate) mod all_done;
pub(crate) mod connection;
pub(crate) mod content;
pub(crate) mod live_notification;
pub(crate) mod pending;
pub(crate) mod persisted;
pub(crate) mod service;
