//! One notification on the screen, from its first words to its last: updated in place, at most once a second while it
//! runs, and heard while it stands. What it says is `notify.rs`; which ones there are is `notifier.rs`.
//!
//! It is spoken through notify-rust, where every showing has a connection of its own. Some desktops answer a press to
//! everybody, others only to the connection that spoke last, and some take a notification away when the connection that
//! first spoke is gone. So the first one is kept and listened to without a gap, and the last one beside it.

use std::{path::PathBuf, sync::Arc, time::Duration};

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
    fn kind(&self) -> Option<Kind> {
        match self {
            Self::Note(note) => Some(note.kind),
            Self::Gone => None,
        }
    }
}

/// What stands on the screen.
struct Shown {
    note: Note,
    id: u32,
    first: Arc<NotificationHandle>,
    last: Option<NotificationHandle>,
}

/// Keeps one notification as `wanted` says, until there is nothing more to show or hear; `pressed` gets what a person
/// presses, and `stands` what is on the screen under which number: none when it is not any more. Answers with the first connection, which should live as long as any other notification does.
pub async fn keep(
    desktop: Desktop,
    mut wanted: watch::Receiver<Wanted>,
    pressed: impl Fn(Press),
    stands: impl Fn(u32, Option<Kind>),
) -> Option<Arc<NotificationHandle>> {
    let mut shown: Option<Shown> = None;
    // A person has put this kind away, or answered it.
    let mut quiet: Option<Kind> = None;
    let (hear, mut heard) = mpsc::unbounded_channel();
    let mut due = Instant::now();
    loop {
        let now = wanted.borrow_and_update().clone();
        let kind = now.kind();
        match now {
            Wanted::Gone => {
                if let Some(shown) = &shown {
                    let _ = timeout(PATIENCE, shown.first.close_async()).await;
                    stands(shown.id, None);
                }
                break;
            }
            Wanted::Note(note) if quiet == Some(note.kind) || shown.as_ref().is_some_and(|shown| shown.note == *note) => {}
            Wanted::Note(note) => {
                quiet = None;
                due = Instant::now() + PACE;
                put(&desktop, &mut shown, *note, &hear).await;
                if let Some(shown) = &shown {
                    stands(shown.id, Some(shown.note.kind));
                }
            }
        }

        // Another kind is shown at once, more of the same kind at its pace.
        let mut other = wanted.clone();
        let response = tokio::select! {
            changed = other.wait_for(|wanted| wanted.kind() != kind) => {
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
            _ if quiet == Some(kind) => continue,
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
        quiet = Some(kind);
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
