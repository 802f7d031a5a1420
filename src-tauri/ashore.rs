//! The window's end of the pipe: sends messages and requests to Ashore and receives the answers.
//!
//! All parts of the window use this pipe. `orders.rs` carries out the orders that Ashore sends.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufReader, Write},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use ashore_pipe::{PipeReply, PipeRequest, WindowMessage, line, raw};
use rustix::{
    fs::{Mode, OFlags, open},
    io::fcntl_dupfd_cloexec,
    stdio::{dup2_stdin, dup2_stdout, stderr, stdin, stdout},
};
use tokio::sync::oneshot;

/// Handle for sending messages and requests to Ashore. Cheap to clone; all clones share one pipe.
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
    /// Reader of the orders; each line is one order.
    pub lines: BufReader<File>,
    /// Handle for answering the orders.
    pub ashore: DesktopPipe,
}

impl DesktopPipe {
    /// Moves the pipe away from standard input and output, so that no other code or child process writes into the pipe.
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
        // The wait fails only if Ashore has exited. In this case, this program ends too.
        answered.await.unwrap_or_else(|_| Err(raw(&()).unwrap_or_default()))
    }

    /// Passes Ashore's answer to the caller that waits for it.
    pub fn answered(&self, id: u64, answer: PipeReply) {
        if let Some(asker) = self.asked().remove(&id) {
            // Ignore the error: sending fails only if the caller has stopped waiting.
            let _ = asker.send(answer);
        }
    }

    fn asked(&self) -> std::sync::MutexGuard<'_, HashMap<u64, oneshot::Sender<PipeReply>>> {
        self.0.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
