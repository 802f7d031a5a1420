//! The task that runs cycles: after changes, at events of the server, after network changes, and every five minutes.

use std::{pin::pin, time::Duration};

use ashore_engine::{EngineEvent, NetworkUse};
use futures_util::StreamExt as _;
use tokio::{sync::Notify, time::Instant};

use crate::{
    merge::{SyncTriggers, next_cycle},
    records::{SendRecord, SyncRecord as _},
    server::{ServerChange, ServerFault, SyncServer as _},
    service::sync_service::SyncService,
};

/// Pause before the state is read again while no cycle is due, because some changes of the state are not announced.
const LOOK: Duration = Duration::from_secs(60);
/// Pause before the event stream is opened again.
const REOPEN: Duration = Duration::from_secs(30);
/// Maximum random pause before the event stream is opened again after it has ended, at most once in each [`REOPEN`]. The
/// server ends the stream of a device that was removed, and the refusal of the next stream tells the device.
const REOPEN_ENDED: Duration = Duration::from_secs(2);

/// Changes that the server announced.
#[derive(Debug, Default)]
struct AnnouncedChanges {
    /// Notified of changes in any collection except that of the sends.
    any: Notify,
    /// Notified of changes in the collection of the sends, which is also read over a metered connection.
    sends: Notify,
}

impl AnnouncedChanges {
    fn note(&self, change: &ServerChange) {
        match change.collection.as_deref() {
            Some(SendRecord::COLLECTION) => self.sends.notify_one(),
            _ => self.any.notify_one(),
        }
    }
}

impl SyncService {
    /// Runs cycles in the background until the engine is closed. Call it once, in the process that downloads.
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
    let mut listening = pin!(listen(&service, &announced));
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
            () = &mut listening => listening.set(listen(&service, &announced)),
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

/// Keeps the event stream of the server open while sync is on, and announces each change. Returns when the account changes.
async fn listen(service: &SyncService, announced: &AnnouncedChanges) {
    let (mut was_refused, mut ended) = (false, None::<Instant>);
    loop {
        let opened = match service.server().await {
            Ok((_, _, server)) => Some(server.events().await),
            Err(_) => None,
        };
        let is_refused = matches!(&opened, Some(Err(failure)) if failure.fault == ServerFault::Unauthorized);
        if is_refused && !was_refused {
            // A cycle finds out whether this device was removed, and reports it, also over a metered connection.
            announced.any.notify_one();
            announced.sends.notify_one();
        }
        was_refused = is_refused;
        let mut pause = REOPEN;
        if let Some(Ok(answer)) = opened {
            // Changes that were made before the stream was open are not announced, so request a cycle.
            announced.any.notify_one();
            announced.sends.notify_one();
            let mut changes = pin!(answer.value);
            loop {
                tokio::select! {
                    change = changes.next() => match change {
                        Some(Ok(change)) => announced.note(&change),
                        Some(Err(_)) | None => break,
                    },
                    // The stream may belong to a list that this machine has left.
                    () = service.0.account_changed.notified() => return,
                }
            }
            if ended.is_none_or(|ended| ended.elapsed() >= REOPEN) {
                (pause, ended) = (service.0.env.time_up_to(REOPEN_ENDED), Some(Instant::now()));
            }
        }
        // The server may have asked for a longer wait.
        let now_ms = (service.0.env.now_ms)();
        let asked_ms = service.latest().backoff.next_attempt(now_ms, true) - now_ms;
        let pause = pause.max(Duration::from_millis(u64::try_from(asked_ms).unwrap_or_default()));
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = service.0.account_changed.notified() => {}
        }
    }
}
