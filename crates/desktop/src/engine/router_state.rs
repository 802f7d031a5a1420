//! Lock of the event router. `tasks/event_router.rs` holds the lock while it reads the settings.

/// Lock that makes reads of the settings run one after the other.
#[derive(Debug, Default)]
pub struct RouterState(pub tokio::sync::Mutex<()>);
