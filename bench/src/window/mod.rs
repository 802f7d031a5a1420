//! Measures the start of the window and its memory in the tray. Also measures the page with 100,000 rows, in the web
//! view of Ashore and in another browser.
//!
//! - `desk` runs the desktop, and `screen` reads its pixels.
//! - `start` waits for the first rows, `closed` measures the program in the tray.
//! - `browser` drives the page, `page` measures the page, and `probe.js` records the paint times on the page.

mod browser;
mod closed;
mod desk;
mod page;
mod screen;
mod start;

use std::{
    net::TcpStream,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context, Result, ensure};
use ashore_testkit::{free_ports, running::RunningProgram, waits::blocking::until};
use tokio::runtime::{Builder, Runtime};

use crate::{
    figure::{BenchFigure, FigureBound},
    float,
    queue::ledger,
    rounds::{BESIDE, BenchSetup, clear},
};
use browser::{BrowserEngine, BrowserProcess};
use desk::MeasuredDesktop;

/// Maximum time from the start until rows are painted, in milliseconds.
const READY: f64 = 600.0;
/// Upper bound of memory in the tray, megabytes.
const LEFT: f64 = 80.0;
/// Upper bound of wake-ups per second in the tray.
const WAKES: f64 = 1.0;
/// Maximum number of rounds that measure the tray; each of these rounds takes two minutes.
const CLOSED: u32 = 3;

/// Notes on the figures of the window.
pub const NOTES: &str = "\
The shipped program starts with its window on a screen without a graphics card. The start ends when nine tenths of the pixels \
of the rows are on that screen. In the tray, memory is the proportional memory (PSS) of all remaining processes, half a \
minute after the window closed. Wake-ups are those of all their threads in the next minute.";

/// Notes on the figures of the page, which runs on a simulated engine.
pub const PAGE_NOTES: &str = "\
The page runs on its mock engine, in the window of Ashore and in Chromium. Keys and presses drive the page; a response time \
ends when the frame with the result is painted. Without a graphics card, the processor paints, which limits the frame rate. \
Averages of three frames are given as well, because one of the clocks counts whole milliseconds. Processor time of events is \
the time of the processes of the page, minus their time without events. That time includes the mock engine, which creates the \
events.";

/// Measured figures, together with the versions of the browser engines.
pub type SeenFrames = (Vec<BenchFigure>, String);

/// Measures the start of the shipped program and its memory in the tray.
pub fn hold(runs: u32, ground: &BenchSetup) -> Result<SeenFrames> {
    let place = ground.memory.join("window");
    clear(&place)?;
    let runtime = runtime()?;
    let mut figures = Vec::new();
    let desk = MeasuredDesktop::new(&place, &runtime)?;
    eprintln!("  creating a list with 100,000 finished downloads");
    ledger::finished(&desk.data().join("ledger.sqlite"))?;
    let start = || {
        float::give(&ground.memory, BESIDE)?;
        start::once(&desk)
    };
    // Discard the first start, because it creates files that exist at later starts.
    start()?;
    for round in 0..runs {
        eprintln!("  start {} of {runs}", round + 1);
        let ready = BenchFigure::new("start until rows are painted", page::ROWS, "ms", vec![start()? * 1000.0]);
        join(&mut figures, ready.bound(FigureBound::Most(READY)));
    }
    for round in 0..runs.min(CLOSED) {
        eprintln!("  a minute in the tray, {} of {}", round + 1, runs.min(CLOSED));
        let closed = closed::once(&desk)?;
        let figure = |what: &str, unit: &str, value: f64| BenchFigure::new(what, page::ROWS, unit, vec![value]);
        join(&mut figures, figure("memory with the window open", "MB", megabytes(closed.open)));
        join(&mut figures, figure("memory, closed to the tray", "MB", megabytes(closed.closed)).bound(FigureBound::Most(LEFT)));
        join(&mut figures, figure("processes, closed to the tray", "", closed.processes as f64));
        join(&mut figures, figure("wake-ups, closed to the tray", "a second", closed.wakes).bound(FigureBound::Most(WAKES)));
    }
    drop(desk);
    clear(&place)?;
    Ok((figures, BrowserEngine::WebKit.version()?))
}

/// Measures the page on its simulated engine.
pub fn hold_page(runs: u32, ground: &BenchSetup) -> Result<SeenFrames> {
    let place = ground.memory.join("page");
    let runtime = runtime()?;
    let engines = BrowserEngine::ALL.into_iter().map(BrowserEngine::version).collect::<Result<Vec<_>>>()?.join(", ");
    let mut figures = Vec::new();
    let (_server, address) = serve_page()?;
    for engine in BrowserEngine::ALL {
        for round in 0..runs {
            eprintln!("  the page in {}, {} of {runs}", engine.name(), round + 1);
            clear(&place)?;
            let desk = MeasuredDesktop::new(&place, &runtime)?;
            let browser = BrowserProcess::open(engine, &desk, &address, &runtime)?;
            page::once(&browser, engine)?.into_iter().for_each(|figure| join(&mut figures, figure));
            browser.close()?;
        }
    }
    clear(&place)?;
    Ok((figures, engines))
}

fn runtime() -> Result<Runtime> {
    Ok(Builder::new_multi_thread().worker_threads(1).enable_all().build()?)
}

/// Serves the built page on a free port.
fn serve_page() -> Result<(RunningProgram, String)> {
    ensure!(Path::new("ui/dist/index.html").is_file(), "the page is not built; `make bench` builds it");
    let [port] = free_ports()?;
    let mut command = Command::new("node");
    command.current_dir("ui").args(["node_modules/vite/bin/vite.js", "preview", "--port", &port.to_string()]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let server = RunningProgram::start(command)?;
    until("the page is served", || TcpStream::connect(("127.0.0.1", port)).ok()).context("vite")?;
    Ok((server, format!("http://127.0.0.1:{port}")))
}

fn join(figures: &mut Vec<BenchFigure>, figure: BenchFigure) {
    eprintln!("    {figure}");
    match figures.iter_mut().find(|known| known.is_same_as(&figure)) {
        Some(known) => known.join(figure),
        None => figures.push(figure),
    }
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
