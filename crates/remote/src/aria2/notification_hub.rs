//! Sends notifications to the clients of all WebSockets.
//!
//! - One task follows the events of the engine for all clients. It reads the list once, when the first client connects.
//! - A client that connects later receives the notifications from that time on.
//! - A client that reads too slowly misses notifications. Its subscription then fails.

use std::sync::Arc;

use ashore_engine::{EngineEvent, EventStream};
use tokio::sync::{OnceCell, broadcast, watch};

use crate::{
    aria2::{
        methods::Aria2Methods,
        notify::{Aria2Notification, NotificationState},
    },
    server::until_stopped,
};

/// Maximum number of notifications that wait for a slow client.
const MOST_WAITING: usize = 1024;

/// Source of the notifications of one server.
#[derive(Debug)]
pub(super) struct NotificationHub {
    sender: broadcast::Sender<Aria2Notification>,
    /// Set when the task has read the list.
    started: OnceCell<()>,
}

impl NotificationHub {
    pub(super) fn new() -> Self {
        Self { sender: broadcast::channel(MOST_WAITING).0, started: OnceCell::new() }
    }

    /// Returns the notifications from now on. The task ends when `stopped` becomes true.
    pub(super) async fn subscribe(
        &self,
        methods: &Arc<Aria2Methods>,
        stopped: &watch::Receiver<bool>,
    ) -> broadcast::Receiver<Aria2Notification> {
        let notifications = self.sender.subscribe();
        let start = async || {
            // Subscribe before the list is read, so that no change in between is missed.
            let events = methods.engine().events();
            let mut known = NotificationState::default();
            for download in methods.unfinished().await.unwrap_or_default() {
                known.know(&download);
            }
            tokio::spawn(follow(Arc::clone(methods), events, known, self.sender.clone(), stopped.clone()));
        };
        self.started.get_or_init(start).await;
        notifications
    }
}

async fn follow(
    methods: Arc<Aria2Methods>,
    mut events: EventStream,
    mut known: NotificationState,
    sender: broadcast::Sender<Aria2Notification>,
    mut stopped: watch::Receiver<bool>,
) {
    loop {
        let told = tokio::select! {
            event = events.next() => match event {
                Some(event) => notifications(&methods, event, &mut known).await,
                None => return,
            },
            () = until_stopped(&mut stopped) => return,
        };
        for notification in told {
            // Ignore the error: it means that no client is connected.
            let _ = sender.send(notification);
        }
    }
}

/// Returns the notifications that follow from an event.
async fn notifications(methods: &Aria2Methods, event: EngineEvent, known: &mut NotificationState) -> Vec<Aria2Notification> {
    match event {
        EngineEvent::Changed { registration } if methods.is_shown(&registration.owner) => known.on_change(&registration),
        EngineEvent::Removed { unique_id, owner } if methods.is_shown(&owner) => known.on_removal(unique_id),
        EngineEvent::Lagged => catch_up(methods, known).await,
        _ => Vec::new(),
    }
}

/// Returns the notifications that lost events would have caused.
async fn catch_up(methods: &Aria2Methods, known: &mut NotificationState) -> Vec<Aria2Notification> {
    let mut told = Vec::new();
    for id in known.unfinished() {
        match methods.engine().show(id).await {
            Ok(download) => told.extend(known.on_change(&download)),
            Err(_) => told.extend(known.on_removal(id)),
        }
    }
    for download in methods.unfinished().await.unwrap_or_default() {
        told.extend(known.on_change(&download));
    }
    told
}
