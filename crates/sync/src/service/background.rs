//! Background task that runs cycles: after changes, at events of the server, after network changes, and every five
//! minutes.

use std::{pin::pin, time::Duration};

use ashore_engine::{EngineEvent, NetworkUse};

use crate::{
    merge::{SyncTriggers, next_cycle},
    service::{
        change_listener::{AnnouncedChanges, ChangeListener},
        sync_service::SyncService,
    },
};

/// Interval at which the state is read again while no cycle is due. This is needed because some state changes are not
/// announced.
const LOOK: Duration = Duration::from_secs(60);

impl SyncService {
    /// Runs cycles in the background until the engine is closed. Call this once, in the process that runs the
    /// downloads.
    pub fn start(&self) {
        tokio::spawn(run(self.clone()));
    }
}

/// Runs cycles until the engine is closed.
async fn run(service: SyncService) {
    let mut events = service.0.engine.events();
    let mut triggers = SyncTriggers {
        last_cycle_ms: None,
        change_ms: None,
        send_ms: None,
        event_ms: None,
        network_ms: None,
        person_ms: None,
        is_online: true,
        is_metered: false,
    };
    let announced = AnnouncedChanges::default();
    let mut network = service.0.engine.watch_network();
    let inner = &service.0;
    let listener =
        ChangeListener { env: &inner.env, latest: &inner.latest, account_changed: &inner.account_changed, announced: &announced };
    let listen = || listener.run(|| async { service.server().await.ok().map(|(_, _, server)| server) });
    let mut listening = pin!(listen());
    loop {
        let now_ms = (service.0.env.now_ms)();
        let NetworkUse { is_online, is_metered } = network.current();
        triggers = SyncTriggers { is_online, is_metered, ..triggers };
        let due = match service.0.engine.is_syncing() {
            true => next_cycle(now_ms, &triggers, &service.latest().backoff),
            false => None,
        };
        let wait = due.map_or(LOOK, |due| Duration::from_millis(u64::try_from(due.at_ms - now_ms).unwrap_or_default()));
        tokio::select! {
            () = tokio::time::sleep(wait) => {
                if let Some(due) = due {
                    let outcome = service.run_once(due.scope).await;
                    triggers = triggers.after(&due, (service.0.env.now_ms)(), outcome.is_ok());
                    if let Err(fault) = outcome {
                        tracing::info!(code = fault.code(), "sync cycle failed");
                    }
                }
            }
            () = service.0.wanted.notified() => triggers.person_ms = Some((service.0.env.now_ms)()),
            () = announced.any.notified() => triggers.event_ms = Some((service.0.env.now_ms)()),
            () = announced.sends.notified() => triggers.send_ms = Some((service.0.env.now_ms)()),
            is_better = network.changed() => {
                if is_better {
                    triggers.network_ms = Some((service.0.env.now_ms)());
                }
            }
            () = &mut listening => listening.set(listen()),
            event = events.next() => match event {
                Some(event) if is_change(&event) => {
                    triggers.change_ms.get_or_insert((service.0.env.now_ms)());
                }
                Some(_) => {}
                None => return,
            },
        }
    }
}

fn is_change(event: &EngineEvent) -> bool {
    matches!(
        event,
        EngineEvent::Changed { .. }
            | EngineEvent::Removed { .. }
            | EngineEvent::Settings
            | EngineEvent::Lagged
            | EngineEvent::Owed { .. }
    )
}
