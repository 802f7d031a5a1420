//! Signals that end a subcommand: Ctrl-C, a closed terminal (SIGHUP), and a stopped service (SIGTERM).

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Receiver of the signals that arrive after its creation.
#[derive(Debug)]
pub struct TerminationSignals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
}

impl TerminationSignals {
    /// Starts to receive signals, which then no longer end the process by themselves.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for the next signal. Cancel safe.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hangup.recv() => {}
        }
    }

    /// Ends the program at the next signal, because the first signal has already requested a clean exit.
    ///
    /// Durable data is not lost.
    pub fn leave_at_the_next(mut self) {
        tokio::spawn(async move {
            self.next().await;
            std::process::exit(130);
        });
    }
}
