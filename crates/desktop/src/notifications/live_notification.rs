//! Keeps one notification on the screen: updates it in place, and receives its responses.
//!
//! `content.rs` composes the content, `service.rs` decides which notifications exist, and `connection.rs` talks to the
//! desktop.
//!
//! - Progress is shown at most once per second.
//! - A change by the user or by a program is shown immediately.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{mpsc, watch},
    time::{Instant, sleep_until, timeout},
};
use zbus::zvariant::Value;

use crate::{
    i18n::plain_text::escaped,
    notifications::{
        connection::{self, NotificationContent, NotificationResponse, NotificationService},
        content::{NotificationAction, NotificationKind, NotificationText},
    },
};

/// Minimum time between two updates of progress.
const PACE: Duration = Duration::from_secs(1);

/// Maximum time to wait for the notification service.
const PATIENCE: Duration = Duration::from_secs(5);

/// Notification service of the desktop and its capabilities.
#[derive(Clone)]
pub struct NotificationTarget {
    /// Connection to the notification service.
    pub service: NotificationService,
    /// Icon of Ashore: a name that the desktop knows, or a file.
    pub icon: PathBuf,
    /// Whether the service interprets markup in the body, so that text must be escaped.
    pub markup: bool,
    /// Whether the service shows buttons.
    pub buttons: bool,
}

/// Desired state of the notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DesiredNotification {
    /// Show this text.
    Note(Box<NotificationText>),
    /// Close the notification.
    Gone,
}

impl DesiredNotification {
    /// Whether the change from `before` must be shown immediately.
    ///
    /// True if the notification closes, or if its title, icon or group changes. Also true for a change of the kind,
    /// except between running and waiting.
    fn is_at_once_after(&self, before: &Self) -> bool {
        let (Self::Note(note), Self::Note(before)) = (self, before) else { return self != before };
        let moves_by_itself = |kind: NotificationKind| matches!(kind, NotificationKind::Running | NotificationKind::Waiting);
        let is_renamed = (&note.summary, &note.icon, &note.group) != (&before.summary, &before.icon, &before.group);
        is_renamed || note.kind != before.kind && !(moves_by_itself(note.kind) && moves_by_itself(before.kind))
    }
}

/// Kind of the notification that the user dismissed or answered.
///
/// This value outlives the notification, which closes while the window has the focus.
#[derive(Clone, Debug, Default)]
pub struct DismissedNotifications(Arc<Mutex<Option<NotificationKind>>>);

impl DismissedNotifications {
    /// Whether notifications of the kind `kind` are suppressed.
    pub fn is_about(&self, kind: NotificationKind) -> bool {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) == Some(kind)
    }

    /// Ends the suppression if `kind` differs from the suppressed kind.
    pub fn on_response(&self, kind: NotificationKind) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take_if(|quiet| *quiet != kind);
    }

    fn put_away(&self, kind: NotificationKind) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(kind);
    }
}

/// Notification on the screen.
struct Shown {
    note: NotificationText,
    on_screen: connection::ShownNotification,
}

/// Keeps one notification up to date until it is closed and no more responses can arrive.
///
/// `wanted` is the desired state. Notifications of the kind in `quiet` are suppressed. `pressed` receives each pressed
/// button. `stands` receives the number and the kind of the notification. When the notification disappears, the kind is
/// `None`.
pub async fn run(
    desktop: NotificationTarget,
    mut wanted: watch::Receiver<DesiredNotification>,
    quiet: DismissedNotifications,
    pressed: impl Fn(NotificationAction),
    stands: impl Fn(u32, Option<NotificationKind>),
) {
    let mut shown: Option<Shown> = None;
    let (hear, mut heard) = mpsc::unbounded_channel();
    let mut due = Instant::now();
    loop {
        let now = wanted.borrow_and_update().clone();
        match &now {
            DesiredNotification::Gone => {
                if let Some(shown) = &shown {
                    let _ = timeout(PATIENCE, shown.on_screen.close()).await;
                    stands(shown.on_screen.id(), None);
                }
                return;
            }
            DesiredNotification::Note(note)
                if quiet.is_about(note.kind) || shown.as_ref().is_some_and(|shown| shown.note == **note) => {}
            DesiredNotification::Note(note) => {
                quiet.on_response(note.kind);
                due = Instant::now() + PACE;
                publish(&desktop, &mut shown, NotificationText::clone(note), &hear).await;
                if let Some(shown) = &shown {
                    stands(shown.on_screen.id(), Some(shown.note.kind));
                }
            }
        }

        let mut other = wanted.clone();
        let response = tokio::select! {
            changed = other.wait_for(|wanted| wanted.is_at_once_after(&now)) => {
                if changed.is_err() { return }
                continue;
            }
            changed = async { sleep_until(due).await; wanted.changed().await } => {
                if changed.is_err() { return }
                continue;
            }
            Some(response) = heard.recv() => response,
        };
        let Some(shown) = &shown else { continue };
        let kind = shown.note.kind;
        match response {
            // Ignore a second response, which refers to the earlier text.
            _ if quiet.is_about(kind) => continue,
            NotificationResponse::Invoked(key) => match NotificationAction::from_key(&key) {
                Some(press) if press == NotificationAction::Window || shown.note.buttons.contains(&press) => pressed(press),
                _ => continue,
            },
            NotificationResponse::Closed => {}
        }
        if !kind.is_under_way() {
            stands(shown.on_screen.id(), None);
            return;
        }
        quiet.put_away(kind);
    }
}

/// Shows `note` in place of the text that is already on the screen.
async fn publish(
    desktop: &NotificationTarget,
    shown: &mut Option<Shown>,
    note: NotificationText,
    hear: &mpsc::UnboundedSender<NotificationResponse>,
) {
    let before = shown.as_ref().map(|shown| &shown.on_screen);
    let is_shown = async {
        let body = if desktop.markup { escaped(&note.body) } else { note.body.clone() };
        let icon = note.icon.as_ref().filter(|icon| icon.is_file()).unwrap_or(&desktop.icon).to_string_lossy();
        let labels = labels(desktop, &note);
        let content = NotificationContent {
            app_name: &note.group,
            icon: &icon,
            summary: &note.summary,
            body: &body,
            actions: labels.iter().flat_map(|(key, label)| [*key, label.as_str()]).collect(),
            hints: hints(&note),
            timeout: expiry(note.kind),
        };
        desktop.service.show(&content, before, hear.clone()).await
    };
    match timeout(PATIENCE, is_shown).await {
        Ok(Ok(on_screen)) => *shown = Some(Shown { note, on_screen }),
        Ok(Err(error)) => tracing::debug!(%error, "notification could not be shown"),
        Err(_) => tracing::debug!("notification service did not respond in time; notification not shown"),
    }
}

/// Returns keys and labels of the buttons. The first pair is for a click on the notification itself.
fn labels(desktop: &NotificationTarget, note: &NotificationText) -> Vec<(&'static str, String)> {
    if !desktop.buttons {
        return Vec::new();
    }
    let buttons = note.buttons.iter().filter(|press| **press != NotificationAction::Window);
    [NotificationAction::Window].iter().chain(buttons).map(|press| press.action()).collect()
}

/// Returns the milliseconds until the notification expires.
///
/// Returns 0 (never) for a countdown or an unsettled registration, and -1 (chosen by the service) for all other kinds.
fn expiry(kind: NotificationKind) -> i32 {
    if kind.is_under_way() || kind == NotificationKind::Countdown { 0 } else { -1 }
}

fn hints(note: &NotificationText) -> HashMap<&'static str, Value<'_>> {
    const LOW: u8 = 0;
    const NORMAL: u8 = 1;
    const CRITICAL: u8 = 2;
    let mut hints = HashMap::from([("category", note.kind.category().into()), ("desktop-entry", "Ashore".into())]);
    if let Some(value) = note.value {
        hints.insert("value", i32::from(value).into());
    }
    let urgency = if note.kind.is_under_way() {
        // Suppress the sound, because progress changes often.
        hints.extend([("resident", true.into()), ("suppress-sound", true.into())]);
        LOW
    } else if note.kind == NotificationKind::Countdown {
        CRITICAL
    } else {
        NORMAL
    };
    hints.insert("urgency", urgency.into());
    hints
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(kind: NotificationKind) -> NotificationText {
        let (group, summary, body) = ("Ashore".to_owned(), "film.mkv".to_owned(), "1 MB".to_owned());
        NotificationText { kind, group, summary, body, icon: None, value: Some(1), buttons: Vec::new() }
    }

    fn wanted(note: NotificationText) -> DesiredNotification {
        DesiredNotification::Note(Box::new(note))
    }

    #[test]
    fn progress_updates_are_paced_and_user_changes_are_shown_immediately() {
        let is_at_once = |before: NotificationText, after: NotificationText| wanted(after).is_at_once_after(&wanted(before));
        let running = || note(NotificationKind::Running);
        assert!(!is_at_once(running(), NotificationText { body: "2 MB".to_owned(), value: Some(2), ..running() }));
        assert!(!is_at_once(running(), note(NotificationKind::Waiting)), "this text changes too often");
        assert!(!is_at_once(note(NotificationKind::Waiting), running()));
        assert!(is_at_once(running(), note(NotificationKind::Paused)));
        assert!(is_at_once(note(NotificationKind::Paused), running()));
        assert!(is_at_once(note(NotificationKind::Waiting), note(NotificationKind::Done)));
        assert!(is_at_once(running(), NotificationText { summary: "another title".to_owned(), ..running() }));
        assert!(is_at_once(running(), NotificationText { icon: Some("/a.png".into()), ..running() }));
        assert!(is_at_once(
            note(NotificationKind::Done),
            NotificationText { summary: "another title".to_owned(), ..note(NotificationKind::Done) }
        ));
        assert!(DesiredNotification::Gone.is_at_once_after(&wanted(running())));
    }

    #[test]
    fn dismissed_notification_is_suppressed_until_its_kind_changes() {
        let quiet = DismissedNotifications::default();
        quiet.put_away(NotificationKind::Running);
        quiet.clone().on_response(NotificationKind::Running);
        assert!(quiet.is_about(NotificationKind::Running) && !quiet.is_about(NotificationKind::Paused));
        quiet.on_response(NotificationKind::Paused);
        assert!(!quiet.is_about(NotificationKind::Running) && !quiet.is_about(NotificationKind::Paused));
    }
}
