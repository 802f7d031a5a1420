//! Answers the messages of one extension. Called by `host`, and by `ashore-remote` for browsers that cannot start the host.
//!
//! The answers to `ask` messages are independent of each other; at most 32 are pending.

use std::{
    io,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use ashore_messages::message;
use serde::de::IgnoredAny;
use tokio::{
    sync::{Semaphore, mpsc, watch},
    task::JoinSet,
};

use crate::{
    follow,
    framing::{self, FrameFault},
    hand_off::{self, ANSWER_WITHIN, EngineAccess, HandOff},
    offer,
    protocol::{BrowserDownload, ExtensionMessage, HostMessage, LONGEST_ASK, OLDEST, VERSION},
    rules::{BrowserRules, RuleChange},
    shared_rules,
    wake::AppStarter,
};

/// Maximum number of unanswered `ask` messages.
pub(crate) const MOST_ASKS: usize = 32;

/// Connection to one extension. Its answers are JSON texts, which the caller sends.
#[derive(Debug)]
pub struct ExtensionPort {
    answering: Arc<Answering>,
    open: JoinSet<()>,
    close: watch::Sender<bool>,
}

impl ExtensionPort {
    /// Returns a port that sends its answers to `output`.
    pub(crate) fn new(access: EngineAccess, output: mpsc::Sender<Vec<u8>>) -> Self {
        let (close, closed) = watch::channel(false);
        let answering =
            Arc::new(Answering { output, asks: Semaphore::new(MOST_ASKS), access, closed, is_muted: AtomicBool::new(false) });
        Self { answering, open: JoinSet::new(), close }
    }

    /// Returns a port for the program that itself runs the engine of `data_dir`. The port never starts an engine.
    ///
    /// Fails if the path of this program is not known.
    pub fn of_running_engine(data_dir: &Path, output: mpsc::Sender<Vec<u8>>) -> io::Result<Self> {
        let starter = AppStarter::beside_this_program()?.without_start();
        Ok(Self::new(EngineAccess { data_dir: data_dir.to_owned(), starter }, output))
    }

    /// Begins to answer the message `text`. Fails if the text is not JSON.
    pub fn take(&mut self, text: &[u8]) -> Result<(), FrameFault> {
        let received = parse(text)?;
        while self.open.try_join_next().is_some() {}
        self.open.spawn(Arc::clone(&self.answering).answer(received));
        Ok(())
    }

    /// Closes the port without further answers. In all other respects, works like `finish`.
    pub async fn close(self) {
        self.answering.is_muted.store(true, Ordering::Relaxed);
        self.finish().await;
    }

    /// Closes the port. Pending messages are answered before this function returns, but no longer register downloads.
    ///
    /// The caller must keep reading the output until then, because an answer waits until the output has space.
    pub async fn finish(mut self) {
        // Ignore the error: it means that no task is left.
        let _ = self.close.send(true);
        while self.open.join_next().await.is_some() {}
    }
}

/// Message of the extension, or the reason why its fields are not valid.
type Received = Result<ExtensionMessage, String>;

/// Parses the text of a frame. Fails if the text is not JSON. [pure]
pub(crate) fn parse(text: &[u8]) -> Result<Received, FrameFault> {
    let text = std::str::from_utf8(text).map_err(|_| FrameFault::NotUtf8)?;
    serde_json::from_str::<IgnoredAny>(text).map_err(|_| FrameFault::NotJson)?;
    Ok(serde_json::from_str(text).map_err(|why| why.to_string()))
}

/// State of the port that all of its tasks share.
#[derive(Debug)]
struct Answering {
    output: mpsc::Sender<Vec<u8>>,
    /// One permit for each pending `ask`.
    asks: Semaphore,
    access: EngineAccess,
    /// True after the port is closed.
    closed: watch::Receiver<bool>,
    /// Whether answers are dropped, because nothing reads them.
    is_muted: AtomicBool,
}

impl Answering {
    async fn answer(self: Arc<Self>, received: Received) {
        match received {
            Err(why) => _ = self.send(&HostMessage::failed("browser-message", &message!("browser-message", why = why))).await,
            Ok(ExtensionMessage::Unknown) => {
                _ = self.send(&HostMessage::failed("unknown", &message!("browser-message.unknown"))).await;
            }
            Ok(ExtensionMessage::Greet { .. }) => self.greet().await,
            Ok(ExtensionMessage::Ask { version, ask, download, rules }) => self.ask(version, ask, &download, rules).await,
            Ok(ExtensionMessage::Rules { change, .. }) => self.rules(&change).await,
            Ok(ExtensionMessage::LetGo { ask, .. }) => self.release_hand_off(ask).await,
            Ok(ExtensionMessage::Offer { version, links, .. }) => {
                let offered = match too_old(version) {
                    Some(why) => Err(why),
                    None => offer::offer(&self.access, &links).await,
                };
                let message = offered.map_or_else(|why| HostMessage::declined(None, &why), |()| HostMessage::Offered);
                self.send(&message).await;
            }
            Ok(ExtensionMessage::Follow { .. }) => self.follow().await,
        }
    }

    async fn follow(&self) {
        let (messages, mut receiver) = mpsc::channel(1);
        let sending = async move {
            while let Some(message) = receiver.recv().await {
                if !self.send(&message).await {
                    return;
                }
            }
        };
        tokio::join!(follow::follow(&self.access, self.closed.clone(), messages), sending);
    }

    async fn greet(&self) {
        let is_running = hand_off::within(ANSWER_WITHIN, self.access.connect()).await.is_ok();
        let program = env!("CARGO_PKG_VERSION");
        self.send(&HostMessage::Greeting { version: VERSION, program, is_running }).await;
    }

    async fn rules(&self, change: &RuleChange) {
        let changing = async { Ok(shared_rules::change(&self.access.connect().await?, change).await) };
        let changed = hand_off::within(ANSWER_WITHIN, changing).await;
        let message = match changed.unwrap_or_else(|failure| Err(failure.message())) {
            Ok(rules) => HostMessage::Rules { ask: None, rules },
            Err(why) => HostMessage::failed(&why.code, &why),
        };
        self.send(&message).await;
    }

    async fn ask(&self, version: u32, ask: String, download: &BrowserDownload, rules: Option<Box<BrowserRules>>) {
        let decline = async |why| _ = self.send(&HostMessage::declined(Some(ask.clone()), &why)).await;
        if let Some(why) = too_old(version) {
            return decline(why).await;
        }
        if ask.is_empty() || ask.len() > LONGEST_ASK {
            return decline(message!("browser-message.ask", most = LONGEST_ASK)).await;
        }
        let Ok(_open) = self.asks.try_acquire() else { return decline(message!("browser-busy", most = MOST_ASKS)).await };
        match hand_off::take(&self.access, &ask, download, rules.as_deref(), &self.closed).await {
            Err(why) => decline(why).await,
            Ok(HandOff::OtherRules(rules)) => _ = self.send(&HostMessage::Rules { ask: Some(ask), rules }).await,
            Ok(HandOff::Already(unique_id)) => _ = self.send(&HostMessage::Already { ask, unique_id }).await,
            // Ignore the error: if the browser is gone, the answer to its next `ask` is `already`.
            Ok(HandOff::Taken(unique_id)) => _ = self.send(&HostMessage::Taken { ask, unique_id }).await,
        }
    }

    async fn release_hand_off(&self, ask: String) {
        let message = match hand_off::release_hand_off(&self.access, &ask).await {
            Ok(()) => HostMessage::Released { ask },
            Err(failure) => HostMessage::failed(&failure.message().code, &failure.message()),
        };
        self.send(&message).await;
    }

    /// Sends a message. Returns false if the port is muted, or the message is too long or cannot be sent.
    async fn send(&self, message: &HostMessage) -> bool {
        if self.is_muted.load(Ordering::Relaxed) {
            return false;
        }
        let Ok(text) = framing::text(message) else { return false };
        self.output.send(text).await.is_ok()
    }
}

/// Returns the reason to decline a message because of its version; `None` if the version is supported. [pure]
fn too_old(version: u32) -> Option<ashore_messages::UserMessage> {
    match version {
        _ if version < OLDEST => Some(message!("browser-extension-too-old")),
        _ if version > VERSION => Some(message!("browser-ashore-too-old")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_json_is_a_frame_error_but_wrong_fields_are_not() {
        assert_eq!(parse(b"\xff\xfe"), Err(FrameFault::NotUtf8));
        for text in [&b"{"[..], b"hello", b"{} {}", b"GET / HTTP/1.1"] {
            assert_eq!(parse(text), Err(FrameFault::NotJson), "{text:?}");
        }
        assert_eq!(parse(br#"{"type":"later"}"#), Ok(Ok(ExtensionMessage::Unknown)));
        for text in [&b"{}"[..], b"[]", b"7", br#"{"type":7}"#, br#"{"type":"ask"}"#] {
            assert!(matches!(parse(text), Ok(Err(_))), "{text:?}");
        }
    }

    /// Returns a port for a folder in which no engine runs.
    ///
    /// Also returns the receiver of the port's answers, and the folder.
    fn port() -> (ExtensionPort, mpsc::Receiver<Vec<u8>>, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let (output, answers) = mpsc::channel(1);
        (ExtensionPort::of_running_engine(folder.path(), output).unwrap(), answers, folder)
    }

    #[tokio::test]
    async fn finishing_port_answers_pending_message_but_closing_port_does_not() {
        let greet = br#"{"type":"greet","version":1}"#;
        let (mut finished, mut answers, _folder) = port();
        finished.take(greet).unwrap();
        finished.finish().await;
        assert!(answers.recv().await.is_some_and(|text| text.starts_with(br#"{"type":"greeting""#)));
        let (mut closed, mut answers, _folder) = port();
        closed.take(greet).unwrap();
        closed.close().await;
        assert_eq!(answers.recv().await, None);
    }

    #[test]
    fn refusal_of_other_version_says_which_side_must_update() {
        let code = |version| too_old(version).map(|why| why.code);
        assert_eq!(code(VERSION), None);
        assert_eq!(code(0).as_deref(), Some("browser-extension-too-old"));
        assert_eq!(code(VERSION + 1).as_deref(), Some("browser-ashore-too-old"));
    }
}
