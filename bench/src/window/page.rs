//! Measures the page with 100,000 rows: filter, search, sort, scroll, and many events.
//!
//! Keys and clicks drive the page. The visible rows are checked, because a fast but wrong page does not count.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use ashore_testkit::waits::blocking::pause;
use serde_json::Value;

use crate::{
    figure::{BenchFigure, FigureBound},
    window::browser::{BrowserEngine, BrowserProcess},
};

/// Rows in the list.
pub const ROWS: u64 = 100_000;
const ALL: &str = "100,000 downloads";
/// Maximum time from a key or click to the response of the page, in milliseconds.
const ANSWER: f64 = 50.0;
/// Maximum duration of a frame, in milliseconds.
const FRAME: f64 = 17.0;
/// Maximum processor time for events, in percent of a core.
const EVENTS: f64 = 10.0;
/// Pause between two keys. It is shorter than a user's pause, but long enough to leave the page some idle time.
const REST: Duration = Duration::from_millis(120);
/// Duration of each processor time measurement, with and without events.
const COUNTED: Duration = Duration::from_secs(10);
/// Number of frames of a long scroll.
const FRAMES: u32 = 600;
/// Number of frames averaged together.
///
/// The clock of WebKitGTK counts whole milliseconds. A frame of 16.7 ms is measured as 16 or 17 ms, and three frames as
/// 50 ms. Single frames are also measured, because an average may hide a late frame behind two short frames.
const TOGETHER: usize = 3;

const STATES: [(&str, &str); 6] = [
    ("running", "running"),
    ("waiting", "waiting"),
    ("paused", "paused"),
    ("done", "settled"),
    ("failed", "settled"),
    ("all", ""),
];
const KINDS: [&str; 5] = ["video", "music", "picture", "document", "archive"];
const WORDS: [&str; 6] = ["report", "lecture-00", "photo-05", "tar.gz", "map-0123", "nowhere"];
const ORDERS: [&str; 5] = ["name", "size", "progress", "left", "newest"];

/// Runs all measurements once.
pub fn once(browser: &BrowserProcess<'_>, engine: BrowserEngine) -> Result<Vec<BenchFigure>> {
    let figure =
        |what: &str, unit: &str, value: f64| BenchFigure::new(&format!("{what}, {}", engine.name()), ROWS, unit, vec![value]);
    let tail = |values: &[f64]| quantile(values, 0.95);
    let slowest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let mut figures = Vec::new();

    browser.load(&format!("&rows={ROWS}&events=0"), ALL)?;
    let filters = filters(browser)?;
    figures.push(figure("slowest filter", "ms", slowest(&filters)).bound(FigureBound::Most(ANSWER)));
    let keys = search(browser)?;
    figures.push(figure("key of a search, 95th percentile", "ms", tail(&keys)).bound(FigureBound::Most(ANSWER)));
    figures.push(figure("slowest key of a search", "ms", slowest(&keys)).bound(FigureBound::Most(ANSWER)));
    let (first, again) = orders(browser)?;
    figures.push(figure("slowest first sort by an order", "ms", slowest(&first)).bound(FigureBound::Most(ANSWER)));
    figures.push(figure("slowest repeated sort by an order", "ms", slowest(&again)).bound(FigureBound::Most(ANSWER)));

    let rate = frames(browser, 0)?;
    figures.push(figure("frame without motion", "ms", quantile(&rate, 0.5)));
    for (what, step) in [("half a row a frame", 38), ("four rows a frame", 304)] {
        let frames = frames(browser, step)?;
        let named = |how: &str| format!("frame of a long scroll, {what}{how}, 95th percentile");
        figures.push(figure(&named(""), "ms", tail(&frames)).bound(FigureBound::Most(FRAME)));
        figures.push(figure(&named(", average of three"), "ms", tail(&together(&frames))).bound(FigureBound::Most(FRAME)));
    }
    let quiet = events(browser, 0)?;
    let busy = events(browser, 1000)?;
    figures.push(
        figure("processor time of 1,000 progress events a second", "% of a core", (busy - quiet).max(0.0))
            .bound(FigureBound::Most(EVENTS)),
    );
    Ok(figures)
}

/// Switches between all filters in different orders, then chooses each category. Returns the milliseconds of each
/// click.
fn filters(browser: &BrowserProcess<'_>) -> Result<Vec<f64>> {
    let mut answers = PageAnswers::new(browser)?;
    for turn in 0..STATES.len() {
        for (name, states) in STATES.iter().cycle().skip(turn).step_by(turn + 1).take(STATES.len()) {
            answers.press(&format!("filter-{name}"))?;
            let seen = answers.seen()?;
            let is_right = |row: &Value| states.is_empty() || row["state"].as_str().is_some_and(|state| states.contains(state));
            ensure!(seen.is_all(is_right), "the filter {name} shows {seen:?}");
        }
    }
    answers.press("filter-all")?;
    for kind in KINDS {
        answers.press(&format!("kind-{kind}"))?;
        ensure!(answers.seen()?.count != ALL, "the kind {kind} shows all rows");
        answers.press(&format!("kind-{kind}"))?;
        ensure!(answers.seen()?.count == ALL, "some rows are missing after the kind {kind} was cleared");
    }
    Ok(answers.taken)
}

/// Types several words and deletes them again. Returns the milliseconds of each key.
fn search(browser: &BrowserProcess<'_>) -> Result<Vec<f64>> {
    const BACK: &str = "\u{e003}";
    let mut answers = PageAnswers::new(browser)?;
    for word in WORDS {
        for letter in word.chars() {
            answers.key("search", &letter.to_string())?;
        }
        let seen = answers.seen()?;
        let has_word = |row: &Value| row["title"].as_str().is_some_and(|title| title.to_lowercase().contains(word));
        ensure!(
            seen.count != ALL && seen.is_all(has_word) && (word == "nowhere") == seen.rows.is_empty(),
            "the search for {word} finds {seen:?}"
        );
        for _ in word.chars() {
            answers.key("search", BACK)?;
        }
        ensure!(answers.seen()?.count == ALL, "some rows are missing after the search for {word} was cleared");
    }
    Ok(answers.taken)
}

/// Chooses every sort order twice. Returns the milliseconds of each choice, separately for the first and the second
/// time.
fn orders(browser: &BrowserProcess<'_>) -> Result<(Vec<f64>, Vec<f64>)> {
    let mut answers = PageAnswers::new(browser)?;
    let mut taken = [Vec::new(), Vec::new()];
    for (turn, taken) in taken.iter_mut().enumerate() {
        for order in ORDERS {
            answers.press("sort")?;
            answers.press(&format!("sort-{order}"))?;
            taken.extend(answers.taken.last());
            let seen = answers.seen()?;
            ensure!(seen.count == ALL && !seen.rows.is_empty(), "sorting by {order} shows {seen:?}");
            ensure!(
                turn > 0 || order != "name" || seen.is_all(|row| row["title"].as_str() < Some("archive-1")),
                "sorting by name shows {seen:?}"
            );
        }
    }
    let [first, again] = taken;
    Ok((first, again))
}

/// Returns the milliseconds of each frame while the list scrolls `step` pixels per frame.
fn frames(browser: &BrowserProcess<'_>, step: u32) -> Result<Vec<f64>> {
    browser.run("document.querySelector('[data-testid=list]').scrollTop = 0")?;
    pause(REST);
    let frames = numbers(&browser.promised(&format!("bench.frames({FRAMES}, {step})"))?)?;
    pause(REST);
    let seen = Seen::read_from(browser)?;
    ensure!(seen.offset >= f64::from(FRAMES * step) && !seen.rows.is_empty(), "the list did not scroll: {seen:?}");
    Ok(frames)
}

/// Returns the processor use of the page at `rate` progress events a second, in percent of one core.
fn events(browser: &BrowserProcess<'_>, rate: u32) -> Result<f64> {
    browser.load(&format!("&rows={ROWS}&events={rate}"), ALL)?;
    pause(Duration::from_secs(3));
    let said = Seen::read_from(browser)?.rows;
    let before = browser.seconds()?;
    pause(COUNTED);
    let share = (browser.seconds()? - before) / COUNTED.as_secs_f64() * 100.0;
    let now = Seen::read_from(browser)?.rows;
    let pairs: Vec<_> = said.iter().zip(&now).collect();
    let moved = pairs.iter().filter(|(before, now)| before["said"] != now["said"]).count();
    let running = pairs.iter().filter(|(before, now)| before["state"] == "running" && now["state"] == "running").count();
    // Some rows may keep their text, because the text of a slow download may stay the same.
    let is_right = if rate > 0 { moved > 4 && moved * 2 > running } else { moved == 0 };
    ensure!(
        running > 4 && is_right,
        "with {rate} events a second {moved} rows have changed, and {running} are running: {pairs:?}"
    );
    Ok(share)
}

/// Sends keys and clicks to the page one after another, and measures the response times.
struct PageAnswers<'a> {
    browser: &'a BrowserProcess<'a>,
    /// Number of responses measured before the current one.
    before: usize,
    /// Response times in milliseconds.
    taken: Vec<f64>,
}

impl<'a> PageAnswers<'a> {
    fn new(browser: &'a BrowserProcess<'a>) -> Result<Self> {
        let before = numbers(&browser.promised("bench.answers(0)")?)?.len();
        Ok(Self { browser, before, taken: Vec::new() })
    }

    fn press(&mut self, name: &str) -> Result<()> {
        self.browser.click(name)?;
        self.wait()
    }

    fn key(&mut self, name: &str, key: &str) -> Result<()> {
        self.browser.keys(name, key)?;
        self.wait()
    }

    fn wait(&mut self) -> Result<()> {
        let count = self.before + self.taken.len() + 1;
        let all = numbers(&self.browser.promised(&format!("bench.answers({count})"))?)?;
        ensure!(all.len() == count, "one key or press got {} answers", all.len() + 1 - count);
        self.taken.extend(all.last());
        pause(REST);
        Ok(())
    }

    fn seen(&self) -> Result<Seen> {
        Seen::read_from(self.browser)
    }
}

/// Visible part of the list.
#[derive(Debug)]
struct Seen {
    count: String,
    offset: f64,
    rows: Vec<Value>,
}

impl Seen {
    fn read_from(browser: &BrowserProcess<'_>) -> Result<Self> {
        let mut seen = browser.run("return bench.seen()")?;
        let Value::Array(rows) = seen["rows"].take() else { anyhow::bail!("the list has no rows") };
        Ok(Self {
            count: seen["count"].as_str().unwrap_or_default().to_owned(),
            offset: seen["offset"].as_f64().unwrap_or_default(),
            rows,
        })
    }

    fn is_all(&self, is_right: impl Fn(&Value) -> bool) -> bool {
        self.rows.iter().all(is_right)
    }
}

fn numbers(value: &Value) -> Result<Vec<f64>> {
    let all = value.as_array().context("the page did not return numbers")?;
    all.iter().map(|one| one.as_f64().context("the page did not return numbers")).collect()
}

/// Returns the mean of each group of [`TOGETHER`] consecutive frames. [pure]
fn together(frames: &[f64]) -> Vec<f64> {
    frames.windows(TOGETHER).map(|some| some.iter().sum::<f64>() / TOGETHER as f64).collect()
}

/// Returns the quantile `share` of `values`; 0.95 means the 95th percentile. [pure]
///
/// The result is the smallest value for which at least this share of all values is not larger.
fn quantile(values: &[f64], share: f64) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let place = (values.len() as f64 * share).ceil() as usize;
    values.get(place.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averaged_frame_times_hide_rounding_of_the_clock_but_show_late_frames() {
        let frames = |late: usize| -> Vec<f64> {
            let lasts = |frame: usize| if late > 0 && frame.is_multiple_of(late) { 1000.0 / 30.0 } else { 1000.0 / 60.0 };
            let times = (0..=600).scan(0.0_f64, |now, frame| Some(std::mem::replace(now, *now + lasts(frame)).round()));
            times.collect::<Vec<_>>().windows(2).map(|pair| pair[1] - pair[0]).collect()
        };
        assert!(quantile(&frames(0), 0.95) == 17.0);
        assert!(quantile(&together(&frames(0)), 0.95) < 16.7);
        assert!(quantile(&together(&frames(50)), 0.95) > 20.0, "one in fifty");
    }

    #[test]
    fn quantile_is_always_a_measured_value() {
        let values: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert!(quantile(&values, 0.95) == 95.0 && quantile(&values, 0.5) == 50.0);
        assert!(quantile(&[3.0, 1.0], 0.95) == 3.0);
        assert!(quantile(&[], 0.95).is_nan());
    }
}
