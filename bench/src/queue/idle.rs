//! Measures the wake-ups of idle engines.
//!
//! One engine has an empty list. Each of the other engines has 100,000 links, and all links of an engine wait for the
//! same reason. All engines are measured at the same time, because sleeping engines do not disturb each other.

use std::{fs, path::Path, time::Duration};

use anyhow::{Context, Result};
use ashore_testkit::{free_ports, peers::Bus, readings, tools::is_installed, waits::blocking::pause};
use serde_json::json;

use crate::figure::{BenchFigure, FigureBound, PeerFigure};
use crate::queue::{
    aria2::Aria2Queue,
    serve::{BenchHousehold, MutedNotifications, ServingHousehold},
};

/// Duration of the measurement: five or six ticks of an engine.
const WATCHED: Duration = Duration::from_secs(330);
/// Time for start-up work to finish. Some threads end only ten seconds after the start.
const SETTLED: Duration = Duration::from_secs(20);
/// Upper bound of wake-ups per second.
const MOST: f64 = 0.1;

/// Measures the wake-ups. `links` is the path of a file with `count` links.
pub fn hold(place: &Path, links: &Path, count: u64, mute: &MutedNotifications) -> Result<Vec<BenchFigure>> {
    let mut watched: Vec<(&str, u64, ServingHousehold)> = Vec::new();
    let list = links.to_str().context("a path is not valid Unicode")?;
    let household = |name: &str, settings: &str, is_full: bool| {
        let household = BenchHousehold::new(&place.join(name), settings)?;
        if is_full {
            household.run(&["add", "-q", "-i", list])?;
        }
        anyhow::Ok(household)
    };
    watched.push(("an empty list", 0, household("empty", "", false)?.serve()?));
    let paused = household("paused", "", true)?;
    paused.run(&["pause"])?;
    watched.push(("all downloads paused", count, paused.serve()?));
    watched.push(("outside the allowed hours", count, household("hours", &far_hours(), true)?.serve()?));
    let absent = BenchHousehold::new(&place.join("absent"), "retry-after-seconds = 3600.0\n")?;
    let nowhere = absent_links(place, count)?;
    absent.run(&["add", "-q", "-i", nowhere.to_str().context("a path is not valid Unicode")?])?;
    watched.push(("an unreachable server", count, absent.serve()?));
    let bus = is_installed("dbus-daemon").then(Bus::start);
    if let Some(Bus { address, .. }) = &bus {
        let on_bus = household("bus", "", true)?.on_bus(address.clone());
        on_bus.run(&["pause"])?;
        watched.push(("all downloads paused, on a message bus", count, on_bus.serve()?));
    }
    let aria2 = Aria2Queue::start(&{
        let home = place.join("aria2-idle");
        fs::create_dir_all(&home)?;
        home
    })?;
    aria2.add(usize::try_from(count)?, |number| mute.url(number).unwrap_or_default())?;
    for (_, _, serving) in &mut watched {
        serving.call("totals", json!({}))?;
    }
    eprintln!("  idle for {} s", WATCHED.as_secs());
    pause(SETTLED);
    let pids: Vec<u32> = watched.iter().map(|(.., serving)| serving.id()).chain([aria2.id()]).collect();
    let before = sleeps(&pids)?;
    pause(WATCHED);
    let rates: Vec<f64> =
        sleeps(&pids)?.iter().zip(before).map(|(now, before)| (now - before) as f64 / WATCHED.as_secs_f64()).collect();
    let theirs = rates.last().copied().unwrap_or_default();
    let mut figures = Vec::new();
    for ((what, entries, serving), rate) in watched.into_iter().zip(&rates) {
        let figure =
            BenchFigure::new(&format!("wake-ups, {what}"), entries, "a second", vec![*rate]).bound(FigureBound::Most(MOST));
        let is_paused = what == "all downloads paused";
        figures.push(if is_paused { figure.beside(PeerFigure { entries: count, samples: vec![theirs] }) } else { figure });
        serving.stop()?;
    }
    drop(bus);
    Ok(figures)
}

fn sleeps(pids: &[u32]) -> Result<Vec<u64>> {
    pids.iter().map(|pid| readings::sleeps(*pid)).collect()
}

/// Returns settings with a schedule that does not allow downloads in the current hour.
fn far_hours() -> String {
    let hour = (jiff::Zoned::now().hour() + 12) % 24;
    format!("hours = [\"daily 00:00-24:00 off\", \"daily {hour:02}:00-{hour:02}:30 full\"]\n")
}

/// Writes a file of links that lead to a port on which no program listens.
fn absent_links(place: &Path, count: u64) -> Result<std::path::PathBuf> {
    let [port] = free_ports()?;
    let path = place.join("absent-links");
    let lines: String = (0..count).map(|number| format!("http://127.0.0.1:{port}/{number}\n")).collect();
    fs::write(&path, lines)?;
    Ok(path)
}
