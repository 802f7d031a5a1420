//! Notifications: their content, the notification service, and pending notifications.

pub(crate) mod all_done;
pub(crate) mod calm_progress;
pub(crate) mod connection;
pub(crate) mod content;
pub(crate) mod live_notification;
pub(crate) mod pending;
pub(crate) mod persisted;
pub(crate) mod service;
