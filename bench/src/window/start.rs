//! Measures the time from the start of the process until the pixels of the first rows are on the screen.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use ashore_testkit::{
    running::RunningProgram,
    waits::blocking::{PATIENCE, pause},
};

use crate::window::{
    desk::MeasuredDesktop,
    screen::{ScreenPart, ScreenPicture},
};

/// Interval between two screenshots.
const LOOK: Duration = Duration::from_millis(3);
/// Time without changes until the window counts as complete.
const STILL: Duration = Duration::from_secs(2);
/// Minimum share of final foreground pixels for rows to count as drawn. It is below 1, because edges of letters may be
/// redrawn later.
const DRAWN: f64 = 0.9;
/// Minimum number of foreground pixels of a list with rows; an empty list has fewer.
const ROWS: usize = 2000;

/// Starts the program, waits for its rows and ends it. Returns the seconds until the rows were drawn.
pub fn once(desk: &MeasuredDesktop) -> Result<f64> {
    let command = desk.ashore()?;
    let mut pictures: Vec<(f64, ScreenPicture)> = Vec::new();
    let begun = Instant::now();
    let running = RunningProgram::start(command)?;
    let mut changed = begun.elapsed();
    let mut seen = None;
    let window = loop {
        let picture = desk.screen.picture()?;
        let now = begun.elapsed();
        if pictures.last().is_none_or(|(_, last)| *last != picture) {
            pictures.push((now.as_secs_f64(), picture));
            changed = now;
        }
        if now - changed > STILL {
            match desk.window() {
                Some(window) if seen == Some(window) && has_rows(&pictures, window) => break window,
                // Wait again, because the window may have just appeared or may still be empty.
                window => (seen, changed) = (window, now),
            }
        }
        ensure!(now < PATIENCE, "no rows were painted within {PATIENCE:?}");
        pause(LOOK);
    };
    running.stop()?;
    let part = rows(window);
    let Some((_, last)) = pictures.last().cloned() else { anyhow::bail!("the screen did not change") };
    let is_there = |(_, picture): &&(f64, ScreenPicture)| picture.drawn(&last, part).is_some_and(|drawn| drawn >= DRAWN);
    Ok(pictures.iter().find(is_there).map_or(f64::NAN, |(seconds, _)| *seconds))
}

fn has_rows(pictures: &[(f64, ScreenPicture)], window: ScreenPart) -> bool {
    pictures.last().is_some_and(|(_, last)| last.ink(rows(window)) > ROWS)
}

/// Returns the part of the window that shows only rows, without the toolbar, the sidebar and the edges.
pub fn rows([left, top, width, height]: ScreenPart) -> ScreenPart {
    [left + 240, top + 130, width.saturating_sub(280), height.saturating_sub(180)]
}
