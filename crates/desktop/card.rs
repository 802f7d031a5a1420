//! One notification on the screen, from its first words to its last: updated in place, and heard while it stands. What moves
//! by itself is shown at most once a second, what a person or a program did to it at once. What it says is `notify.rs`; which
//! ones there are is `notifier.rs`.
//!
//! It is spoken through notify-rust, where every showing has a connection of its own. Some desktops answer a press to
//! everybody, others only to the connection that spoke last, and some take a notification away when the connection that
//! first spoke is gone. So the first one is kept and listened to without a gap, and the last one beside it.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use notify_rust::{Hint, Notification, NotificationHandle, NotificationResponse, Timeout, Urgency};
use tokio::{
    sync::{mpsc, watch},
    time::{Instant, sleep_until, timeout},
};

use crate::{
    notify::{Kind, Note, Press},
    words::escaped,
};

/// Progress is shown no more often than this.
const PACE: Duration = Duration::from_secs(1);

/// A desktop that does not answer within this is not there.
const PATIENCE: Duration = Duration::from_secs(5);

/// What this desktop shows, and how.
#[derive(Clone, Debug)]
pub struct Desktop {
    /// Ashore's own icon: a name that the desktop knows, or a file.
    pub icon: PathBuf,
    /// It obeys markup in the body, so that text must be escaped.
    pub markup: bool,
    /// It has buttons.
    pub buttons: bool,
}

/// What should be on the screen now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// This.
    Note(Box<Note>),
    /// Nothing.
    Gone,
}

impl Wanted {
    /// Whether this may not wait after `before`: it goes, it has another name or picture, or it is another kind and none that
    /// comes and goes by itself.
    fn is_at_once_after(&self, before: &Self) -> bool {
        let (Self::Note(note), Self::Note(before)) = (self, before) else { return self != before };
        let moves_by_itself = |kind: Kind| matches!(kind, Kind::Running | Kind::Waiting);
        let is_renamed = (&note.summary, &note.icon, &note.group) != (&before.summary, &before.icon, &before.group);
        is_renamed || note.kind != before.kind && !(moves_by_itself(note.kind) && moves_by_itself(before.kind))
    }
}

/// The kind that a person has put away, or answered. It outlives a notification, which goes while somebody looks at the window.
#[derive(Clone, Debug, Default)]
pub struct Quiet(Arc<Mutex<Option<Kind>>>);

impl Quiet {
    /// Whether this kind is not to be shown.
    pub fn is_about(&self, kind: Kind) -> bool {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) == Some(kind)
    }

    /// It is another kind now: whatever comes next may be shown.
    pub fn heard(&self, kind: Kind) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take_if(|quiet| *quiet != kind);
    }

    fn put_away(&self, kind: Kind) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(kind);
    }
}

/// What stands on the screen.
struct Shown {
    note: Note,
    id: u32,
    first: Arc<NotificationHandle>,
    last: Option<NotificationHandle>,
}

/// Keeps one notification as `wanted` says and `quiet` lets it, until there is nothing more to show or hear; `pressed` gets
/// what a person presses, and `stands` what is on the screen under which number: none when it is not any more. Answers with
/// the first connection, which should live as long as any other notification does.
pub async fn keep(
    desktop: Desktop,
    mut wanted: watch::Receiver<Wanted>,
    quiet: Quiet,
    pressed: impl Fn(Press),
    stands: impl Fn(u32, Option<Kind>),
) -> Option<Arc<NotificationHandle>> {
    let mut shown: Option<Shown> = None;
    let (hear, mut heard) = mpsc::unbounded_channel();
    let mut due = Instant::now();
    loop {
        let now = wanted.borrow_and_update().clone();
        match &now {
            Wanted::Gone => {
                if let Some(shown) = &shown {
                    let _ = timeout(PATIENCE, shown.first.close_async()).await;
                    stands(shown.id, None);
                }
                break;
            }
            Wanted::Note(note) if quiet.is_about(note.kind) || shown.as_ref().is_some_and(|shown| shown.note == **note) => {}
            Wanted::Note(note) => {
                quiet.heard(note.kind);
                due = Instant::now() + PACE;
                put(&desktop, &mut shown, Note::clone(note), &hear).await;
                if let Some(shown) = &shown {
                    stands(shown.id, Some(shown.note.kind));
                }
            }
        }

        let mut other = wanted.clone();
        let response = tokio::select! {
            changed = other.wait_for(|wanted| wanted.is_at_once_after(&now)) => {
                if changed.is_err() { break }
                continue;
            }
            changed = async { sleep_until(due).await; wanted.changed().await } => {
                if changed.is_err() { break }
                continue;
            }
            Some(response) = heard.recv() => response,
            response = listen(shown.as_ref().and_then(|shown| shown.last.as_ref())) => response,
        };
        let Some(shown) = &mut shown else { continue };
        let kind = shown.note.kind;
        match response {
            // The same press, heard on both connections, or one that was meant for what stood there before.
            _ if quiet.is_about(kind) => continue,
            NotificationResponse::Action(key) => match Press::of(&key).filter(|press| shown.note.buttons.contains(press)) {
                Some(press) => pressed(press),
                None => continue,
            },
            NotificationResponse::Default => pressed(Press::Window),
            NotificationResponse::Closed(_) | NotificationResponse::Reply(_) => {}
        }
        if !kind.is_under_way() {
            stands(shown.id, None);
            break;
        }
        quiet.put_away(kind);
        shown.last = None;
    }
    shown.map(|shown| shown.first)
}

/// Shows `note`, in place of what stands there.
async fn put(
    desktop: &Desktop,
    shown: &mut Option<Shown>,
    note: Note,
    hear: &mpsc::UnboundedSender<NotificationResponse>,
) {
    let mut notification = rendered(desktop, &note);
    if let Some(shown) = shown {
        notification.id(shown.id);
    }
    let handle = match timeout(PATIENCE, notification.show_async()).await {
        Ok(Ok(handle)) => handle,
        Ok(Err(error)) => return tracing::debug!(%error, "a notification was not shown"),
        Err(_) => return tracing::debug!("the desktop does not answer to a notification"),
    };
    match shown {
        Some(shown) if shown.id == handle.id() => {
            shown.note = note;
            shown.last = Some(handle);
        }
        // The desktop had let go of the old one.
        _ => {
            let id = handle.id();
            let first = Arc::new(handle);
            tokio::spawn(listen_on(Arc::clone(&first), hear.clone()));
            *shown = Some(Shown { note, id, first, last: None });
        }
    }
}

/// Passes on every response that one connection hears.
async fn listen_on(first: Arc<NotificationHandle>, hear: mpsc::UnboundedSender<NotificationResponse>) {
    loop {
        tokio::select! {
            response = listen(Some(&first)) => drop(hear.send(response)),
            () = hear.closed() => return,
        }
    }
}

/// The response to one showing; never, where there is none.
async fn listen(handle: Option<&NotificationHandle>) -> NotificationResponse {
    if let Some(handle) = handle {
        let mut heard = None;
        handle.wait_for_action_async(|response| heard = Some(response.clone())).await;
        if let Some(response) = heard {
            return response;
        }
    }
    std::future::pending().await
}

fn rendered(desktop: &Desktop, note: &Note) -> Notification {
    let mut notification = Notification::new();
    notification
        .appname(&note.group)
        .summary(&note.summary)
        .body(&if desktop.markup { escaped(&note.body) } else { note.body.clone() })
        .icon(&note.icon.as_ref().filter(|icon| icon.is_file()).unwrap_or(&desktop.icon).to_string_lossy())
        .hint(Hint::Category(note.kind.category().to_owned()))
        .hint(Hint::DesktopEntry("Ashore".to_owned()));
    if let Some(value) = note.value {
        notification.hint(Hint::CustomInt("value".to_owned(), i32::from(value)));
    }
    if note.kind.is_under_way() {
        // It stays until it is over, and does not ring.
        notification.timeout(Timeout::Never).urgency(Urgency::Low).hint(Hint::Resident(true));
        notification.hint(Hint::SuppressSound(true));
    } else if note.kind == Kind::Countdown {
        notification.timeout(Timeout::Never).urgency(Urgency::Critical);
    } else {
        notification.timeout(Timeout::Default).urgency(Urgency::Normal);
    }
    if desktop.buttons {
        let buttons = note.buttons.iter().filter(|press| **press != Press::Window);
        for (key, label) in [Press::Window].iter().chain(buttons).map(|press| press.action()) {
            notification.action(key, &label);
        }
    }
    notification
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(kind: Kind) -> Note {
        let (group, summary, body) = ("Ashore".to_owned(), "film.mkv".to_owned(), "1 MB".to_owned());
        Note { kind, group, summary, body, icon: None, value: Some(1), buttons: Vec::new() }
    }

    fn wanted(note: Note) -> Wanted {
        Wanted::Note(Box::new(note))
    }

    #[test]
    fn what_moves_by_itself_waits_for_its_second_and_what_somebody_did_does_not() {
        let is_at_once = |before: Note, after: Note| wanted(after).is_at_once_after(&wanted(before));
        let running = || note(Kind::Running);
        assert!(!is_at_once(running(), Note { body: "2 MB".to_owned(), value: Some(2), ..running() }));
        assert!(!is_at_once(running(), note(Kind::Waiting)), "a line that comes and goes");
        assert!(!is_at_once(note(Kind::Waiting), running()));
        assert!(is_at_once(running(), note(Kind::Paused)));
        assert!(is_at_once(note(Kind::Paused), running()));
        assert!(is_at_once(note(Kind::Waiting), note(Kind::Done)));
        assert!(is_at_once(running(), Note { summary: "another title".to_owned(), ..running() }));
        assert!(is_at_once(running(), Note { icon: Some("/a.png".into()), ..running() }));
        assert!(is_at_once(note(Kind::Done), Note { summary: "another title".to_owned(), ..note(Kind::Done) }));
        assert!(Wanted::Gone.is_at_once_after(&wanted(running())));
    }

    #[test]
    fn what_was_put_away_stays_so_until_it_is_another_kind() {
        let quiet = Quiet::default();
        quiet.put_away(Kind::Running);
        quiet.clone().heard(Kind::Running);
        assert!(quiet.is_about(Kind::Running) && !quiet.is_about(Kind::Paused));
        quiet.heard(Kind::Paused);
        assert!(!quiet.is_about(Kind::Running) && !quiet.is_about(Kind::Paused));
    }
}
