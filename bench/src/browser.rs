//! Measures the time from a click in a browser until Ashore has taken over the download.
//!
//! `extension/tests/browsers/clicks.mjs` drives the browsers with the built extension, and prints the times of each
//! series.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use ashore_testkit::tools::built;
use serde::Deserialize;

use crate::{
    figure::{BenchFigure, FigureBound},
    window::SeenFrames,
};

/// Number of clicks of a series in a full run.
pub const CLICKS: u32 = 20;
/// Maximum time from a click to acceptance if Ashore has to be started, in milliseconds.
const STARTED: f64 = 2000.0;

/// Notes on the figures.
pub const NOTES: &str = "\
A trusted click starts the download of a file of 2 MiB from this machine, in a browser without a window. The time ends when the \
extension has stored that Ashore took the download; only then it cancels that of the browser. The browser's own time ends when \
the same click has brought the download into the list of the browser. To be started, Ashore is the desktop program on a virtual \
screen, with a list that it has to open.";

/// Series of clicks, as the driver prints it. The times are milliseconds.
#[derive(Debug, Deserialize)]
struct ClickSeries {
    browser: String,
    series: String,
    taken: Vec<f64>,
    listed: Vec<f64>,
}

/// Measures all browsers, with `clicks` clicks for each series.
pub fn hold(clicks: u32) -> Result<SeenFrames> {
    let programs = ["ashore", "ashore-browser", "ashore-desktop"].map(built);
    let mut folder = None;
    for program in programs {
        folder = program.context("`make bench` builds the programs")?.parent().map(ToOwned::to_owned);
    }
    let folder = folder.context("the programs are in a folder")?;
    let mut command = Command::new("node");
    command.current_dir("extension").args(["tests/browsers/clicks.mjs", "--clicks", &clicks.to_string(), "--programs"]);
    let ran = command.arg(folder).stdin(Stdio::null()).stderr(Stdio::inherit()).output().context("node")?;
    ensure!(ran.status.success(), "the driver of the browsers failed");
    let mut figures = Vec::new();
    let mut versions = Vec::new();
    for line in String::from_utf8(ran.stdout)?.lines().filter(|line| line.starts_with('{')) {
        match serde_json::from_str(line)? {
            DriverLine::Version { version } => versions.push(version),
            DriverLine::Series(series) => figures.extend(figures_of(series, clicks)?),
        }
    }
    ensure!(!figures.is_empty(), "the driver of the browsers printed no series");
    Ok((figures, versions.join(", ")))
}

/// Line of JSON that the browser driver prints.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum DriverLine {
    Version { version: String },
    Series(ClickSeries),
}

/// Returns three figures of a series.
///
/// The figures are the time until Ashore accepts the download (with its bound), the time until the browser's own
/// download, and the ratio of both times.
fn figures_of(series: ClickSeries, clicks: u32) -> Result<[BenchFigure; 3]> {
    let ClickSeries { browser, series, taken, listed } = series;
    let (title, running) = match browser.as_str() {
        "firefox" => ("Firefox", 500.0),
        _ => ("Chromium", 300.0),
    };
    let (state, most) = match series.as_str() {
        "running" => ("Ashore running", running),
        _ => ("Ashore to be started", STARTED),
    };
    let count = usize::try_from(clicks)?;
    ensure!(taken.len() == count && listed.len() == count, "the series {series} in {title} is not complete");
    let ratios = taken.iter().zip(&listed).map(|(taken, listed)| taken / listed.max(1.0)).collect();
    let figure = |what: &str, unit: &str, samples| BenchFigure::new(&format!("{title}, {state}: {what}"), 1, unit, samples);
    Ok([
        figure("click to acceptance", "ms", taken).bound(FigureBound::Most(most)),
        figure("click to the browser's own download", "ms", listed),
        figure("acceptance, in times of the browser's own", "", ratios),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(browser: &str, series: &str, taken: f64) -> ClickSeries {
        ClickSeries {
            browser: browser.to_owned(),
            series: series.to_owned(),
            taken: vec![taken; 3],
            listed: vec![20.0, 0.0, 40.0],
        }
    }

    #[test]
    fn maximum_hand_over_time_depends_on_browser_and_on_whether_ashore_runs() -> Result<()> {
        for (browser, state, most) in [
            ("chromium", "running", 300.0),
            ("firefox", "running", 500.0),
            ("chromium", "started", 2000.0),
            ("firefox", "started", 2000.0),
        ] {
            let is_met =
                |taken| Ok::<_, anyhow::Error>(figures_of(series(browser, state, taken), 3)?.iter().all(BenchFigure::is_met));
            assert!(is_met(most)? && !is_met(most + 1.0)?, "{browser} {state}");
        }
        assert!(figures_of(series("chromium", "running", 1.0), 20).is_err(), "clicks are missing");
        Ok(())
    }
}
