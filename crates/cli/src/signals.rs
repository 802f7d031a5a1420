//! Ctrl-C, and the ways a system says the same: the terminal is closed, the service is stopped.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// What was heard from the moment this was made.
#[derive(Debug)]
pub struct TerminationSignals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
}

impl TerminationSignals {
    /// From now on a signal is heard here and ends nothing by itself.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    /// The next one. May be given up and called again.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hangup.recv() => {}
        }
    }

    /// The first one was an order to close; the next one ends the program right there. What is durable stays so.
    pub fn leave_at_the_next(mut self) {
        tokio::spawn(async move {
            self.next().await;
            std::process::exit(130);
        });
    }
}
