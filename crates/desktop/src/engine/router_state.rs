//! Lock that `tasks/event_router.rs` holds while it reads the settings.

/// Lock that serializes reads of the settings.
#[derive(Debug, Default)]
pub struct RouterState(pub tokio::sync::Mutex<()>);
