//! Window's end of the pipe to Ashore, which sends orders and answers the page's requests. When the pipe is closed, the
//! window ends.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufRead, BufReader, Write},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use ashore_pipe::{PipeReply, PipeRequest, WindowCommand, WindowMessage, line, message, raw};
use rustix::{
    fs::{Mode, OFlags, open},
    io::fcntl_dupfd_cloexec,
    stdio::{dup2_stdin, dup2_stdout, stderr, stdin, stdout},
};
use serde_json::value::RawValue;
use tauri::{AppHandle, Emitter};
use tokio::sync::oneshot;

use crate::{questions, window};

/// Handle to send messages and requests to Ashore. Cheap to clone; all clones share it.
#[derive(Clone, Debug)]
pub struct DesktopPipe(Arc<Pipe>);

#[derive(Debug)]
struct Pipe {
    words: Mutex<File>,
    asked: Mutex<HashMap<u64, oneshot::Sender<PipeReply>>>,
    next: AtomicU64,
}

/// Receiver of Ashore's orders.
pub struct WindowCommands {
    lines: BufReader<File>,
    ashore: DesktopPipe,
}

impl DesktopPipe {
    /// Takes the pipe from standard input and output, so that no other code or child process writes into it.
    ///
    /// # Errors
    ///
    /// Fails if the system has no more file descriptors.
    pub fn take() -> io::Result<(Self, WindowCommands)> {
        let orders = File::from(fcntl_dupfd_cloexec(stdin(), 3)?);
        let words = File::from(fcntl_dupfd_cloexec(stdout(), 3)?);
        dup2_stdin(open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?)?;
        dup2_stdout(stderr())?;
        let pipe = Pipe { words: Mutex::new(words), asked: Mutex::default(), next: AtomicU64::new(0) };
        let ashore = Self(Arc::new(pipe));
        Ok((ashore.clone(), WindowCommands { lines: BufReader::new(orders), ashore }))
    }

    /// Sends a message.
    pub fn send(&self, word: &WindowMessage) {
        let said = line(word)
            .map_err(io::Error::from)
            .and_then(|line| self.0.words.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes()));
        if let Err(error) = said {
            tracing::debug!(%error, "message to the main process could not be sent");
        }
    }

    /// Sends a request, and waits for the answer.
    pub async fn ask(&self, request: PipeRequest) -> PipeReply {
        let id = self.0.next.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        self.asked().insert(id, answer);
        self.send(&WindowMessage::Ask { id, request });
        // If Ashore is gone, this program is about to end.
        answered.await.unwrap_or_else(|_| Err(raw(&()).unwrap_or_default()))
    }

    fn answered(&self, id: u64, answer: PipeReply) {
        if let Some(asker) = self.asked().remove(&id) {
            // Fails only if the caller gave up.
            let _ = asker.send(answer);
        }
    }

    fn asked(&self) -> std::sync::MutexGuard<'_, HashMap<u64, oneshot::Sender<PipeReply>>> {
        self.0.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl WindowCommands {
    /// Carries out the orders in sequence, until Ashore is gone.
    pub fn run(self, app: AppHandle) {
        self.ashore.send(&WindowMessage::Version(env!("CARGO_PKG_VERSION").to_owned()));
        thread::spawn(move || {
            for line in self.lines.lines().map_while(Result::ok) {
                match message(&line) {
                    Ok(order) => handle_command(&app, &self.ashore, order),
                    Err(error) => tracing::error!(%error, "message from the main process is not valid; ignored"),
                }
            }
            // End the program, because the page can no longer be updated.
            app.exit(0);
        });
    }
}

fn handle_command(app: &AppHandle, ashore: &DesktopPipe, order: WindowCommand) {
    match order {
        WindowCommand::Open { place, is_maximised, in_front } => window::open(app, place, is_maximised, in_front),
        WindowCommand::Show => window::show(app),
        WindowCommand::Minimise => window::minimise(app),
        WindowCommand::Leave => window::leave(app),
        WindowCommand::Tell { event, payload } => emit_event(app, &event, &payload),
        WindowCommand::Answer { id, answer } => ashore.answered(id, answer),
        WindowCommand::Ask { id, question } => questions::answer(app, ashore, id, question),
    }
}

fn emit_event(app: &AppHandle, event: &str, payload: &RawValue) {
    if let Err(error) = app.emit_to(window::LABEL, event, payload) {
        tracing::debug!(%error, "event could not be emitted to the page");
    }
}
