//! Measures long lists: a million links are added, picked, loaded at start, held in memory, and left waiting.
//!
//! aria2c does the same where possible, with as many links as fit in memory.
//!
//! - `serve` and `aria2` run the two programs.
//! - `ledger` measures inside the ledger.
//! - `idle` measures an idle engine.

mod aria2;
mod idle;
pub mod ledger;
pub mod serve;

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::{
    figure::{BenchFigure, FigureBound, PeerFigure},
    rounds::{BenchSetup, clear},
};
use aria2::Aria2Queue;
use serve::{BenchHousehold, MutedNotifications, ServingHousehold};

/// Links in the long list.
const MANY: u64 = 1_000_000;
/// Links of the idle engines and of aria2c, which uses 12 kB of memory per link.
const SOME: u64 = 100_000;
const FEW: u64 = 10;

/// Notes below the table.
pub const NOTES: &str = "\
The list of Ashore is on disk, and durable when `ashore add` returns. The list of aria2c is in memory, and a crash loses \
every entry that is not in a saved session. Adding and starting are compared as users experience them. aria2c holds fewer \
entries, because each of them takes 12 kB. aria2c has no counterpart of finished downloads, paused downloads in front, \
several owners, or a statement that chooses the next download, so these rows have no comparison. Higher rates are better; for \
all other figures, lower is better. A wake-up is a thread that was asleep and ran again.";

/// Runs all measurements, in `runs` rounds. Picks, operations and idle time have fixed numbers of rounds.
pub fn hold(runs: u32, ground: &BenchSetup) -> Result<Vec<BenchFigure>> {
    let place = ground.memory.join("queue");
    clear(&place)?;
    fs::create_dir_all(&place)?;
    let mute = MutedNotifications::start()?;
    let stage = Stage {
        many: list(&place, MANY, &mute)?,
        some: list(&place, SOME, &mute)?,
        full: BenchHousehold::new(&place.join("full"), "stall-seconds = 3600.0\n")?,
        few: BenchHousehold::new(&place.join("few"), "stall-seconds = 3600.0\n")?,
        mute,
        place,
    };
    eprintln!("  creating a list with 100,000 finished downloads");
    ledger::finished(&stage.place.join("full/data/ledger.sqlite"))?;
    stage.full.run(&["add", "-q", "-i", text(&stage.many)?])?;
    stage.few.run(&["add", "-q", "-i", text(&list(&stage.place, FEW, &stage.mute)?)?])?;

    let mut figures = ledger::picks()?;
    let mut of_rounds: Vec<BenchFigure> = Vec::new();
    for round in 0..runs {
        eprintln!("  round {} of {runs}", round + 1);
        for figure in stage.round()? {
            match of_rounds.iter_mut().find(|known| known.is_same_as(&figure)) {
                Some(known) => known.join(figure),
                None => of_rounds.push(figure),
            }
        }
    }
    figures.append(&mut of_rounds);
    figures.extend(idle::hold(&stage.place, &stage.some, SOME, &stage.mute)?);
    figures.extend(ledger::operations()?);
    clear(&stage.place)?;
    Ok(figures)
}

/// Fixtures of a round.
struct Stage {
    place: PathBuf,
    many: PathBuf,
    some: PathBuf,
    full: BenchHousehold,
    few: BenchHousehold,
    mute: MutedNotifications,
}

/// Figures of aria2c, measured in one round.
struct Theirs {
    rate: f64,
    memory: f64,
    per_entry: f64,
    ready: f64,
}

impl Stage {
    fn round(&self) -> Result<Vec<BenchFigure>> {
        let theirs = self.theirs()?;
        let peer = |value: f64| PeerFigure { entries: SOME, samples: vec![value] };
        let mut figures = self.add()?;
        for figure in &mut figures {
            let value = match figure.name() {
                "adding a list to a running engine" => theirs.rate,
                "memory of the engine per link" => theirs.per_entry,
                _ => continue,
            };
            *figure = figure.clone().beside(peer(value));
        }
        let (started, resting) = self.start()?;
        figures.push(started[0].clone().beside(peer(theirs.ready)));
        figures.extend(started.into_iter().skip(1));
        figures.push(resting.beside(peer(theirs.memory)));
        figures.extend(self.verbs()?);
        Ok(figures)
    }

    /// Adds a million links from a file, with and without a running engine.
    fn add(&self) -> Result<Vec<BenchFigure>> {
        let home = self.place.join("new");
        let add = ["add", "-q", "--paused", "-i", text(&self.many)?];
        let rate = |seconds: f64| vec![MANY as f64 / seconds];

        clear(&home)?;
        let alone = BenchHousehold::new(&home, "")?;
        let cost = alone.run(&add)?;
        is_all_there(&mut alone.serve()?)?;
        let mut figures = vec![
            BenchFigure::new("adding a list, without a running engine", MANY, "a second", rate(cost.wall))
                .bound(FigureBound::Least(50_000.0)),
            BenchFigure::new("processor time of adding, per link", MANY, "µs", vec![cost.cpu * 1e6 / MANY as f64]),
            BenchFigure::new("peak memory of adding", MANY, "MB", vec![megabytes(cost.memory)]).bound(FigureBound::Most(200.0)),
        ];
        clear(&home)?;
        let beside = BenchHousehold::new(&home, "")?;
        let mut serving = beside.serve()?;
        let before = serving.resident()?.now;
        let cost = beside.run(&add)?;
        let resident = serving.resident()?;
        is_all_there(&mut serving)?;
        serving.stop()?;
        let per_link = resident.now.saturating_sub(before) as f64 / MANY as f64;
        figures.extend([
            BenchFigure::new("adding a list to a running engine", MANY, "a second", rate(cost.wall))
                .bound(FigureBound::Least(50_000.0)),
            BenchFigure::new("peak memory of the command", MANY, "MB", vec![megabytes(cost.memory)])
                .bound(FigureBound::Most(200.0)),
            BenchFigure::new("peak memory of the engine", MANY, "MB", vec![megabytes(resident.peak)])
                .bound(FigureBound::Most(200.0)),
            BenchFigure::new("memory of the engine per link", MANY, "bytes", vec![per_link]),
            BenchFigure::new("size of the list on disk per link", MANY, "bytes", vec![beside.list_size()? as f64 / MANY as f64]),
        ]);
        clear(&home)?;
        Ok(figures)
    }

    /// Measures how long aria2c takes to add links and to start with the saved session. The list is shorter than that
    /// of Ashore.
    fn theirs(&self) -> Result<Theirs> {
        let home = self.place.join("aria2");
        clear(&home)?;
        fs::create_dir_all(&home)?;
        let aria2 = Aria2Queue::start(&home)?;
        let before = aria2.resident()?.now;
        let urls = (0..usize::try_from(SOME)?).map(|number| self.mute.url(number)).collect::<Result<Vec<_>>>()?;
        let seconds = aria2.add(urls.len(), |number| urls[number].clone())?;
        ensure!(aria2.waiting()? == urls.len(), "aria2c did not add all links");
        let resident = aria2.resident()?;
        aria2.save_and_end()?;
        let again = Aria2Queue::start(&home)?;
        ensure!(again.waiting()? == urls.len(), "aria2c did not restore all links");
        let theirs = Theirs {
            rate: SOME as f64 / seconds,
            memory: megabytes(resident.peak),
            per_entry: (resident.now - before) as f64 / SOME as f64,
            ready: again.ready * 1000.0,
        };
        clear(&home)?;
        Ok(theirs)
    }

    /// Measures the time from a start to the first response.
    ///
    /// There are three starts: one while all downloads wait, one after a kill during a transfer, and one while all
    /// downloads are paused. Also returns the memory use after the list was read and a download was started.
    fn start(&self) -> Result<(Vec<BenchFigure>, BenchFigure)> {
        let started = |what: &str, serving: &ServingHousehold| {
            let figure = BenchFigure::new(&format!("start, {what}"), MANY, "ms", vec![serving.ready * 1000.0]);
            figure.bound(FigureBound::Most(500.0))
        };
        let is_running = |totals: &Value| totals["running"].as_u64() > Some(0);
        let mut serving = self.full.serve()?;
        let mut figures = vec![started("all downloads waiting", &serving)];
        serving.call("list", json!({}))?;
        serving.until(is_running)?;
        let memory = megabytes(serving.resident()?.now);
        serving.kill()?;
        let mut serving = self.full.serve()?;
        figures.push(started("after a kill during a download", &serving));
        serving.until(is_running)?;
        serving.call("pause", json!({ "unique_id": null }))?;
        serving.until(|totals| totals["running"] == 0)?;
        serving.stop()?;
        let mut serving = self.full.serve()?;
        figures.push(started("all downloads paused", &serving));
        let paused = megabytes(serving.resident()?.now);
        serving.call("resume", json!({ "unique_id": null }))?;
        serving.until(is_running)?;
        serving.stop()?;
        let resting = |what: &str, value: f64| BenchFigure::new(what, MANY, "MB", vec![value]).bound(FigureBound::Most(100.0));
        figures.push(resting("memory after a start, all downloads paused", paused));
        Ok((figures, resting("memory after a list and the start of a download", memory)))
    }

    /// Measures operations on one download. The list is first short, with few files, and then long, with many files.
    fn verbs(&self) -> Result<Vec<BenchFigure>> {
        let mut figures = Vec::new();
        for (household, entries, files) in [(&self.few, FEW, FEW), (&self.full, MANY, SOME)] {
            let mut serving = household.serve()?;
            serving.call("pause", json!({ "unique_id": null }))?;
            serving.until(|totals| totals["running"] == 0)?;
            let urls = (0..usize::try_from(files)?).map(|number| Ok(json!({ "url": self.mute.url(number)? })));
            let requests = urls.collect::<Result<Vec<_>>>()?;
            let new = json!({ "owner": "bench", "developer_id": "bench", "folder": self.place, "requests": requests });
            let create = serving.timed("create", new)?;
            let id = serving.call("find", json!({ "owner": "bench", "developer_id": "bench" }))?["unique_id"].clone();
            let one = || json!({ "unique_id": id });
            let mut took = vec![("create", create)];
            for (method, params) in [
                ("list", json!({})),
                ("show", one()),
                ("records", json!({ "unique_id": id, "from": files / 2, "limit": 1000 })),
                ("pause", one()),
                ("resume", one()),
                ("move", json!({ "unique_id": id, "place": "top" })),
                ("abort", one()),
                ("retry", one()),
                ("remove", json!({ "unique_id": id, "files": false })),
            ] {
                took.push((method, serving.timed(method, params)?));
            }
            let figure = |(method, seconds): (&str, f64)| {
                BenchFigure::new(&format!("{method}, a download of {files} files"), entries, "ms", vec![seconds * 1000.0])
            };
            figures.extend(took.into_iter().map(figure));
            serving.call("resume", json!({ "unique_id": null }))?;
            serving.stop()?;
        }
        Ok(figures)
    }
}

fn is_all_there(serving: &mut ServingHousehold) -> Result<()> {
    let list = serving.call("list", json!({ "limit": 500 }))?;
    let sum: u64 = list.as_array().context("the list is missing")?.iter().filter_map(|one| one["requests"].as_u64()).sum();
    ensure!(sum == MANY, "{sum} links are in the list instead of {MANY}");
    Ok(())
}

fn list(place: &Path, count: u64, mute: &MutedNotifications) -> Result<PathBuf> {
    let path = place.join(format!("links-{count}"));
    let mut lines = String::new();
    for number in 0..count {
        writeln!(lines, "{}", mute.url(usize::try_from(number)?)?)?;
    }
    fs::write(&path, lines)?;
    Ok(path)
}

fn text(path: &Path) -> Result<&str> {
    path.to_str().context("a path is not valid Unicode")
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
