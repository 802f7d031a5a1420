//! Reports the downloads of the browser while a popup is open. Called by `host`.
//!
//! An event of the engine triggers a message, at most four times a second. If no engine runs, a message says so, and
//! the host looks for an engine every two seconds.

use std::{collections::HashMap, time::Duration};

use ashore_engine::{BROWSER, EngineEvent, ListQuery, Registration, RegistrationResult, RegistrationState, UniqueId};
use ashore_rpc::{CallFailure, ClientEvents, MethodCall, SocketClient};
use tokio::{
    sync::{mpsc, watch},
    time::{Instant, sleep, sleep_until},
};

use crate::{
    hand_off::EngineAccess,
    protocol::{DownloadLine, HostMessage, LineState},
};

/// Minimum time between two messages.
const BETWEEN: Duration = Duration::from_millis(250);
/// Time between two attempts to find an engine.
const LOOK_AGAIN: Duration = Duration::from_secs(2);
/// Maximum number of active downloads in a message.
const MOST_ACTIVE: u32 = 15;
/// Maximum number of ended downloads in a message.
const MOST_ENDED: u32 = 5;
/// Maximum length of a title and of a sentence, in characters. Both limits keep messages short.
const LONGEST_TITLE: usize = 200;
const LONGEST_SENTENCE: usize = 600;

/// Sends `downloads` messages until the port is closed, or the receiver is dropped.
pub(crate) async fn follow(access: &EngineAccess, mut closed: watch::Receiver<bool>, messages: mpsc::Sender<HostMessage>) {
    let mut popup = Popup { messages, last: None };
    let following = async {
        loop {
            let connected = async { access.connect().await?.acting_for(BROWSER) };
            if let Ok(browser) = connected.await {
                // Ignore the error: if the engine has closed or refuses calls, the next attempt detects this again.
                let _ = follow_engine(&browser, &mut popup).await;
            }
            popup.report(HostMessage::Downloads { is_running: false, downloads: Vec::new() }).await?;
            sleep(LOOK_AGAIN).await;
        }
    };
    tokio::select! {
        () = async { let _: Option<()> = following.await; } => {}
        _ = closed.wait_for(|closed| *closed) => {}
    }
}

/// Receiver of the messages.
struct Popup {
    messages: mpsc::Sender<HostMessage>,
    last: Option<HostMessage>,
}

impl Popup {
    /// Sends a message unless it equals the last one. Returns `None` if the popup was closed.
    async fn report(&mut self, message: HostMessage) -> Option<()> {
        if self.last.as_ref() == Some(&message) {
            return Some(());
        }
        self.last = Some(message.clone());
        self.messages.send(message).await.ok()
    }
}

/// Reports the downloads of one engine until the engine or the popup closes.
async fn follow_engine(browser: &SocketClient, popup: &mut Popup) -> Result<(), CallFailure> {
    let mut events = browser.events().await?;
    let mut speeds = HashMap::new();
    loop {
        let downloads = lines(browser, &speeds).await?;
        if popup.report(HostMessage::Downloads { is_running: true, downloads }).await.is_none() {
            return Ok(());
        }
        let due = Instant::now() + BETWEEN;
        if !wait_for_change(&mut events, &mut speeds).await {
            return Ok(());
        }
        // Events that arrive until `due` are included in the next message.
        loop {
            tokio::select! {
                () = sleep_until(due) => break,
                event = events.next() => match event {
                    Some(event) => _ = note(&event, &mut speeds),
                    None => return Ok(()),
                },
            }
        }
    }
}

/// Waits for an event that changes the message. Returns false if the engine closed.
async fn wait_for_change(events: &mut ClientEvents, speeds: &mut HashMap<UniqueId, u64>) -> bool {
    while let Some(event) = events.next().await {
        if note(&event, speeds) {
            return true;
        }
    }
    false
}

/// Stores the speed of a progress event. Returns whether the event changes the message. [pure]
fn note(event: &EngineEvent, speeds: &mut HashMap<UniqueId, u64>) -> bool {
    match event {
        EngineEvent::Progress { unique_id, speed, .. } => {
            speeds.insert(*unique_id, *speed);
            true
        }
        EngineEvent::Removed { unique_id, .. } => {
            speeds.remove(unique_id);
            true
        }
        EngineEvent::Changed { .. } | EngineEvent::Ended { .. } | EngineEvent::Lagged => true,
        _ => false,
    }
}

async fn lines(browser: &SocketClient, speeds: &HashMap<UniqueId, u64>) -> Result<Vec<DownloadLine>, CallFailure> {
    let query = |active, limit| MethodCall::List(ListQuery { active: Some(active), limit, ..ListQuery::default() });
    let mut all: Vec<Registration> = browser.call(&query(true, MOST_ACTIVE)).await?;
    all.extend(browser.call::<Vec<Registration>>(&query(false, MOST_ENDED)).await?);
    Ok(all.iter().map(|one| line(one, speeds.get(&one.unique_id).copied().unwrap_or_default())).collect())
}

/// Returns the line for a registration in a `downloads` message. [pure]
fn line(one: &Registration, speed: u64) -> DownloadLine {
    let state = match (one.state, one.result) {
        (RegistrationState::Running, _) => LineState::Running,
        (RegistrationState::Waiting, _) => LineState::Waiting,
        (RegistrationState::Paused, _) => LineState::Paused,
        (RegistrationState::Settled, RegistrationResult::Success) => LineState::Complete,
        (RegistrationState::Settled, _) => LineState::Failed,
    };
    let why = match state {
        LineState::Complete => None,
        LineState::Failed => one.failure.as_ref(),
        LineState::Running | LineState::Waiting | LineState::Paused => one.waiting_for.as_ref(),
    };
    let cut = |text: &str, most: usize| text.chars().take(most).collect();
    DownloadLine {
        unique_id: one.unique_id,
        title: cut(&one.title, LONGEST_TITLE),
        state,
        downloaded: one.downloaded,
        expected_total: one.expected_total,
        speed: if state == LineState::Running { speed } else { 0 },
        trouble: why.map(|why| cut(&why.localized(), LONGEST_SENTENCE)),
    }
}
