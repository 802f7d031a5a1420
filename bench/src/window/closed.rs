//! Measures memory and wake-ups of the program while its window is closed and its icon is in the tray.

use std::time::Duration;

use anyhow::Result;
use ashore_testkit::{
    readings,
    running::RunningProgram,
    waits::blocking::{pause, until},
};

use crate::window::desk::MeasuredDesktop;

/// Time for the work after opening or closing the window to finish.
const SETTLED: Duration = Duration::from_secs(30);
/// Duration of the measurement.
const WATCHED: Duration = Duration::from_secs(60);

/// Figures of one round.
#[derive(Debug)]
pub struct ClosedWindow {
    /// Memory of all processes while the window is open, in bytes (proportional set size).
    pub open: u64,
    /// Memory of all processes while the window is closed, in bytes (proportional set size).
    pub closed: u64,
    /// Wake-ups per second of all threads while the window is closed.
    pub wakes: f64,
    /// Number of processes that still run while the window is closed.
    pub processes: usize,
}

/// Opens the window, closes it, and measures the remaining processes.
pub fn once(desk: &MeasuredDesktop) -> Result<ClosedWindow> {
    let running = RunningProgram::start(desk.ashore()?)?;
    until("the window is open", || desk.window())?;
    pause(SETTLED);
    let open = readings::proportional(&readings::tree(running.id()))?;
    desk.close_window()?;
    pause(SETTLED);
    let tree = readings::tree(running.id());
    let before = sleeps(&tree)?;
    pause(WATCHED);
    let wakes = (sleeps(&tree)? - before) as f64 / WATCHED.as_secs_f64();
    let closed = readings::proportional(&tree)?;
    running.stop()?;
    Ok(ClosedWindow { open, closed, wakes, processes: tree.len() })
}

fn sleeps(pids: &[u32]) -> Result<u64> {
    pids.iter().map(|pid| readings::sleeps(*pid)).sum()
}
