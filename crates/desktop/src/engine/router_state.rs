//! Lock of the event router. `tasks/event_router.rs` takes it while it reads the settings.

/// Lock that makes reads of the settings run one after the other.
#[derive(Debug, Default)]
pub struct RouterState(pub tokio::sync::Mutex<()>);
