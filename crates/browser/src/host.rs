//! The program `ashore-browser`: reads and answers the messages of the browser.
//!
//! - The host ends when the browser closes its input. It writes only frames to stdout, and one line to stderr after a
//!   fault.
//! - The answers to `ask` messages are independent of each other; at most 32 are pending.

use std::{
    env,
    ffi::OsString,
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
};

use ashore_messages::message;
use serde::de::IgnoredAny;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    sync::{Mutex, Semaphore, mpsc, watch},
    task::JoinSet,
};

use crate::{
    caller,
    extension_ids::ids,
    follow,
    framing::{self, FrameBuffer, FrameFault},
    hand_off::{self, EngineAccess, HandOff},
    offer,
    protocol::{BrowserDownload, ExtensionMessage, HostMessage, LONGEST_ASK, OLDEST, VERSION},
    rules::{BrowserRules, RuleChange},
    shared_rules,
    wake::AppStarter,
};

/// Maximum number of unanswered `ask` messages.
pub(crate) const MOST_ASKS: usize = 32;
/// Size of the read buffer in bytes.
const PIECE: usize = 64 << 10;
/// Exit code for a caller or an input that is not valid.
const BAD_INPUT: u8 = 2;

/// Runs the host for the browser that started this process.
pub fn run() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    if arguments == ["--version"] {
        // Ignore the error: without a reader of stdout, the version cannot be reported.
        let _ = writeln!(io::stdout(), "ashore-browser {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    if caller::family(&arguments, ids()).is_none() {
        complain("only the browser extension of Ashore starts this program");
        return ExitCode::from(BAD_INPUT);
    }
    ashore_messages::set_language("auto");
    let access = match access() {
        Ok(access) => access,
        Err(why) => {
            complain(&why.to_string());
            return ExitCode::FAILURE;
        }
    };
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(why) => {
            complain(&why.to_string());
            return ExitCode::FAILURE;
        }
    };
    let served = runtime.block_on(serve(tokio::io::stdin(), tokio::io::stdout(), access));
    // Do not wait: a thread may still be blocked on the input.
    runtime.shutdown_background();
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            complain(&fault.to_string());
            ExitCode::from(BAD_INPUT)
        }
    }
}

fn access() -> io::Result<EngineAccess> {
    let named = env::var_os("ASHORE_DATA_DIR").filter(|name| !name.is_empty()).map(PathBuf::from);
    let data_dir = named.or_else(ashore_rpc::data_dir).ok_or_else(|| io::Error::other(message!("data-dir.home")))?;
    Ok(EngineAccess { data_dir, starter: AppStarter::beside_this_program()? })
}

fn complain(why: &str) {
    // Ignore the error: without stderr, the fault cannot be reported.
    let _ = writeln!(io::stderr(), "ashore-browser: {}", why.replace('\n', " "));
}

/// Answers all messages of `input` on `output` until the input ends. Fails at the first invalid frame.
///
/// Before this function returns, it answers the pending `ask` messages, but no longer registers downloads for them.
async fn serve(
    mut input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Send + Unpin + 'static,
    access: EngineAccess,
) -> Result<(), FrameFault> {
    let (close, closed) = watch::channel(false);
    let port = Arc::new(ExtensionPort { output: Mutex::new(output), asks: Semaphore::new(MOST_ASKS), access, closed });
    let mut open = JoinSet::new();
    let ended = read(&mut input, |message| {
        while open.try_join_next().is_some() {}
        open.spawn(Arc::clone(&port).answer(message));
    });
    let ended = ended.await;
    // Ignore the error: it means that all tasks have ended.
    let _ = close.send(true);
    while open.join_next().await.is_some() {}
    ended
}

/// Calls `take` for each message of `input`, until the input ends.
async fn read(input: &mut (impl AsyncRead + Unpin), mut take: impl FnMut(Received)) -> Result<(), FrameFault> {
    let mut frames = FrameBuffer::default();
    let mut piece = vec![0; PIECE];
    loop {
        // Treat a read error as the end of the input.
        let count = input.read(&mut piece).await.unwrap_or_default();
        if count == 0 {
            return frames.end();
        }
        frames.push(&piece[..count]);
        while let Some(text) = frames.next()? {
            take(parse(&text)?);
        }
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

/// Connection to the extension.
struct ExtensionPort<W> {
    output: Mutex<W>,
    /// One permit for each pending `ask` message.
    asks: Semaphore,
    access: EngineAccess,
    /// True after the browser has closed its input.
    closed: watch::Receiver<bool>,
}

impl<W: AsyncWrite + Unpin> ExtensionPort<W> {
    async fn answer(self: Arc<Self>, received: Received) {
        match received {
            Err(why) => _ = self.send(&HostMessage::failed("browser-message", &message!("browser-message", why = why))).await,
            Ok(ExtensionMessage::Unknown) => {
                _ = self.send(&HostMessage::failed("unknown", &message!("browser-message.unknown"))).await;
            }
            Ok(ExtensionMessage::Greet { .. }) => self.greet().await,
            Ok(ExtensionMessage::Ask { version, ask, download, rules }) => self.ask(version, ask, &download, rules).await,
            Ok(ExtensionMessage::Rules { change, .. }) => self.rules(&change).await,
            Ok(ExtensionMessage::LetGo { ask, .. }) => self.let_go(ask).await,
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
        let is_running = self.access.connect().await.is_ok();
        let program = env!("CARGO_PKG_VERSION");
        self.send(&HostMessage::Greeting { version: VERSION, program, is_running }).await;
    }

    async fn rules(&self, change: &RuleChange) {
        let changed = match self.access.connect().await {
            Ok(user) => shared_rules::change(&user, change).await,
            Err(failure) => Err(failure.message()),
        };
        let message = match changed {
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
            // Ignore the error: if the browser has closed the port, it receives `already` when it repeats the message.
            Ok(HandOff::Taken(unique_id)) => _ = self.send(&HostMessage::Taken { ask, unique_id }).await,
        }
    }

    async fn let_go(&self, ask: String) {
        let message = match hand_off::let_go(&self.access, &ask).await {
            Ok(()) => HostMessage::Released { ask },
            Err(failure) => HostMessage::failed(&failure.message().code, &failure.message()),
        };
        self.send(&message).await;
    }

    /// Sends a message. Returns false if the port is closed, or the message is too long or cannot be written.
    async fn send(&self, message: &HostMessage) -> bool {
        if *self.closed.borrow() {
            return false;
        }
        let Ok(frame) = framing::frame(message) else { return false };
        let mut output = self.output.lock().await;
        output.write_all(&frame).await.is_ok() && output.flush().await.is_ok()
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
    fn invalid_json_stops_host_but_wrong_fields_do_not() {
        assert_eq!(parse(b"\xff\xfe"), Err(FrameFault::NotUtf8));
        for text in [&b"{"[..], b"hello", b"{} {}", b"GET / HTTP/1.1"] {
            assert_eq!(parse(text), Err(FrameFault::NotJson), "{text:?}");
        }
        assert_eq!(parse(br#"{"type":"later"}"#), Ok(Ok(ExtensionMessage::Unknown)));
        for text in [&b"{}"[..], b"[]", b"7", br#"{"type":7}"#, br#"{"type":"ask"}"#] {
            assert!(matches!(parse(text), Ok(Err(_))), "{text:?}");
        }
    }

    #[test]
    fn unsupported_version_is_declined_and_outdated_side_is_named() {
        let code = |version| too_old(version).map(|why| why.code);
        assert_eq!(code(VERSION), None);
        assert_eq!(code(0).as_deref(), Some("browser-extension-too-old"));
        assert_eq!(code(VERSION + 1).as_deref(), Some("browser-ashore-too-old"));
    }
}
