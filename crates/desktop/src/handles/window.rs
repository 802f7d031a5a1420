//! Handle on the window process. All parts send their requests through this handle.
//!
//! `window/process.rs` owns the process and executes the requests.

use ashore_engine::EngineEvent;
use ashore_pipe::{PipeQuestion, WindowCommand, raw};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot, watch};

/// Handle on the window. Cheap to clone.
#[derive(Clone, Debug)]
pub struct WindowProcess {
    wishes: mpsc::UnboundedSender<WindowWish>,
    seen: watch::Receiver<WindowVisibility>,
}

/// Queue of requests to the window, and the state that the owner of the window sets.
#[derive(Debug)]
pub struct WindowQueue {
    /// Receiver of the requests.
    pub wished: mpsc::UnboundedReceiver<WindowWish>,
    /// Sender of the window's state.
    pub seen: watch::Sender<WindowVisibility>,
}

/// Window state that other parts of the program can read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowVisibility {
    /// Whether a window is open.
    pub is_open: bool,
    /// Whether the window has the focus.
    pub has_focus: bool,
}

/// Request to the owner of the window.
#[derive(Debug)]
pub enum WindowWish {
    /// Bring the window forward, or start a window if none is open.
    Show,
    /// Start the window minimised, if no window is open.
    ShowMinimised,
    /// Minimise the window with this number, if it is still open.
    Minimise(WindowNumber),
    /// Send a command to the window, if a window is open.
    Tell(WindowCommand, MessageImportance),
    /// Ask a question, and start a window if none is open.
    Ask(PipeQuestion, oneshot::Sender<Value>),
    /// Close the window with this number, if it is still open. A window that was opened later stays open.
    CloseToTray(WindowNumber),
    /// Close the window. The channel is notified after the window has ended.
    Leave(oneshot::Sender<()>),
}

/// Number of a window, counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowNumber(u64);

impl WindowNumber {
    /// Returns the number of the next window.
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// Whether a message may be dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageImportance {
    /// Event. It may be dropped, because the page can read the state again.
    Event,
    /// Message. It is never dropped while a window is open.
    Word,
}

impl WindowProcess {
    /// Returns a handle, and the queue for the task that owns the window. No window is open yet.
    pub fn new() -> (Self, WindowQueue) {
        let (wishes, wished) = mpsc::unbounded_channel();
        let (seen, seen_by_others) = watch::channel(WindowVisibility::default());
        (Self { wishes, seen: seen_by_others }, WindowQueue { wished, seen })
    }

    /// Brings the window forward, and starts a window if none is open.
    pub fn show(&self) {
        self.wish(WindowWish::Show);
    }

    /// Starts the window minimised if no window is open.
    ///
    /// Used for a hidden start on a desktop without a tray.
    pub fn show_minimised(&self) {
        self.wish(WindowWish::ShowMinimised);
    }

    /// Sends an event of the engine to the page if a page is open.
    pub fn event(&self, event: &EngineEvent) {
        if self.is_open() {
            self.send_event("engine", event, MessageImportance::Event);
        }
    }

    /// Sends a message to the page. The message is never dropped while a window is open.
    pub fn word(&self, name: &str, payload: &impl Serialize) {
        self.send_event(name, payload, MessageImportance::Word);
    }

    /// Asks a question that only a window can answer, and starts a window if needed.
    ///
    /// Returns `None` if the window ends before the answer.
    pub async fn ask<T: DeserializeOwned>(&self, question: PipeQuestion) -> Option<T> {
        let (answer, answered) = oneshot::channel();
        self.wish(WindowWish::Ask(question, answer));
        serde_json::from_value(answered.await.ok()?).ok()
    }

    /// Closes the window, and waits until it has ended.
    pub async fn leave(&self) {
        let (left, gone) = oneshot::channel();
        self.wish(WindowWish::Leave(left));
        let _ = gone.await;
    }

    /// Whether a window is open.
    pub fn is_open(&self) -> bool {
        self.seen.borrow().is_open
    }

    /// Whether the window has the focus.
    pub fn has_focus(&self) -> bool {
        self.seen.borrow().has_focus
    }

    fn send_event(&self, name: &str, payload: &impl Serialize, importance: MessageImportance) {
        match raw(payload) {
            Ok(payload) => self.wish(WindowWish::Tell(WindowCommand::Tell { event: name.to_owned(), payload }, importance)),
            Err(error) => tracing::warn!(%error, name, "event for the page could not be serialised; dropped"),
        }
    }

    /// Passes a request to the task that owns the window.
    pub fn wish(&self, wish: WindowWish) {
        // Ignore the error: sending fails only while Ashore is shutting down.
        let _ = self.wishes.send(wish);
    }
}
