//! Closed to the tray: what is left of the memory when the page is gone, and how often anything wakes.

use std::time::Duration;

use anyhow::Result;

use crate::window::desk::{RunningWindow, VirtualDesktop, until};
use crate::{pause, process};

/// What was begun when the window went is over by then.
const SETTLED: Duration = Duration::from_secs(30);
/// How long it is watched.
const WATCHED: Duration = Duration::from_secs(60);

/// One round.
#[derive(Debug)]
pub struct ClosedWindow {
    /// Proportional memory of all processes with the window open, in bytes.
    pub open: u64,
    /// The same when it is closed.
    pub closed: u64,
    /// How often a thread of any of them woke, a second.
    pub wakes: f64,
    /// How many processes are left.
    pub processes: usize,
}

/// Opens the window, closes it, and watches what is left.
pub fn once(desk: &VirtualDesktop) -> Result<ClosedWindow> {
    let running = RunningWindow::start(desk.ashore()?)?;
    until("the window is there", || desk.window())?;
    pause(SETTLED);
    let open = process::proportional(&process::tree(running.id()))?;
    desk.close_window()?;
    pause(SETTLED);
    let tree = process::tree(running.id());
    let before = sleeps(&tree)?;
    pause(WATCHED);
    let wakes = (sleeps(&tree)? - before) as f64 / WATCHED.as_secs_f64();
    let closed = process::proportional(&tree)?;
    running.stop()?;
    Ok(ClosedWindow { open, closed, wakes, processes: tree.len() })
}

fn sleeps(pids: &[u32]) -> Result<u64> {
    pids.iter().map(|pid| process::sleeps(*pid)).sum()
}
