//! Messages between this program and systemd: inherited sockets, readiness, and the watchdog. `ashore serve` calls this
//! module. Without systemd, every function does nothing.

use std::{future::pending, io};

use ashore_engine::Engine;
use ashore_remote::InheritedListener;
use listenfd::ListenFd;
use sd_notify::NotifyState;
use tokio::time::sleep;

/// Takes the sockets that systemd opened for this process. Each of them serves the page and the interfaces for programs.
///
/// Removes environment variables, so call it before the first thread starts. Fails if a descriptor is neither a TCP socket
/// nor a Unix socket.
pub fn inherited_listeners() -> io::Result<Vec<InheritedListener>> {
    let mut inherited = ListenFd::from_env();
    (0..inherited.len()).filter_map(|index| listener(&mut inherited, index).transpose()).collect()
}

fn listener(inherited: &mut ListenFd, index: usize) -> io::Result<Option<InheritedListener>> {
    // Asking for the wrong kind of socket fails, and leaves the descriptor where it is.
    match inherited.take_unix_listener(index) {
        Ok(socket) => Ok(socket.map(InheritedListener::Unix)),
        Err(_) => Ok(inherited.take_tcp_listener(index)?.map(InheritedListener::Tcp)),
    }
}

/// Reports that the engine carries out calls.
pub fn report_ready() {
    report(NotifyState::Ready);
}

/// Reports that this program is about to end.
pub fn report_stopping() {
    report(NotifyState::Stopping);
}

/// Reports forever that the engine carries out calls, as often as systemd demands. If a call fails or does not end, the
/// reports stop, and systemd starts the program again.
pub async fn feed_watchdog(engine: &Engine) {
    let Some(limit) = sd_notify::watchdog_enabled() else { return pending().await };
    while engine.totals().await.is_ok() {
        report(NotifyState::Watchdog);
        sleep(limit / 2).await;
    }
    pending().await
}

fn report(state: NotifyState<'_>) {
    // Ignore the error: systemd itself ends a service whose reports are missing.
    let _ = sd_notify::notify(&[state]);
}
