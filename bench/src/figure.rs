//! A measured value with its bound. If comparable, includes the value of aria2c. [pure]

use std::fmt::{self, Write as _};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::rounds::median;

/// Measured figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BenchFigure {
    what: String,
    entries: u64,
    unit: String,
    samples: Vec<f64>,
    bound: Option<FigureBound>,
    peer: Option<PeerFigure>,
}

/// Bound of a measured value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FigureBound {
    /// At most this value.
    Most(f64),
    /// At least this value.
    Least(f64),
    /// Maximum ratio of the value to the median of these reference samples, which were taken in the same rounds.
    Times(f64, Vec<f64>),
}

/// A measured value of aria2c, shown beside the value of Ashore.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PeerFigure {
    /// Number of list entries.
    pub entries: u64,
    /// Samples, one for each round.
    pub samples: Vec<f64>,
}

impl BenchFigure {
    /// Creates a figure from one sample per round. The measured list has `entries` entries in every sample.
    pub fn new(what: &str, entries: u64, unit: &str, samples: Vec<f64>) -> Self {
        Self { what: what.to_owned(), entries, unit: unit.to_owned(), samples, bound: None, peer: None }
    }

    /// Adds a bound.
    pub fn bound(self, bound: FigureBound) -> Self {
        Self { bound: Some(bound), ..self }
    }

    /// Adds the measured value of aria2c.
    pub fn beside(self, peer: PeerFigure) -> Self {
        Self { peer: Some(peer), ..self }
    }

    /// Returns the description.
    pub fn name(&self) -> &str {
        &self.what
    }

    pub fn is_bound(&self) -> bool {
        self.bound.is_some()
    }

    /// Returns whether the median meets the bound; true if there is no bound.
    pub fn is_met(&self) -> bool {
        self.verdict().is_none_or(|(_, _, is_met)| is_met)
    }

    /// Adds the samples of another round of the same figure.
    pub fn join(&mut self, more: Self) {
        self.samples.extend(more.samples);
        if let (Some(FigureBound::Times(_, base)), Some(FigureBound::Times(_, more))) = (&mut self.bound, more.bound) {
            base.extend(more);
        }
        if let (Some(peer), Some(more)) = (&mut self.peer, more.peer) {
            peer.samples.extend(more.samples);
        }
    }

    /// Returns whether both figures measure the same value, so that their samples can be joined.
    pub fn is_same_as(&self, other: &Self) -> bool {
        (&self.what, self.entries, &self.unit) == (&other.what, other.entries, &other.unit)
    }

    fn median(&self) -> f64 {
        median(self.samples.iter().copied())
    }

    /// Returns the value and the bound as text, and whether the value meets the bound.
    fn verdict(&self) -> Option<(String, String, bool)> {
        let value = self.median();
        Some(match self.bound.as_ref()? {
            FigureBound::Most(most) => {
                (self.format_value(value), format!("at most {}", self.format_value(*most)), value <= *most)
            }
            FigureBound::Least(least) => {
                (self.format_value(value), format!("at least {}", self.format_value(*least)), value >= *least)
            }
            FigureBound::Times(most, base) => {
                let ratio = value / median(base.iter().copied());
                (format!("{ratio:.2}"), format!("at most {most:.2} times that of the first"), ratio <= *most)
            }
        })
    }

    fn format_value(&self, value: f64) -> String {
        format!("{} {}", digits(value), self.unit)
    }
}

impl fmt::Display for BenchFigure {
    /// Writes the description and the latest sample.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.what, self.format_value(self.samples.last().copied().unwrap_or(f64::NAN)))
    }
}

/// Appends a table of all figures. The columns for aria2c are filled where aria2c was measured.
pub fn table(page: &mut String, figures: &[BenchFigure]) -> Result<()> {
    let has_peers = figures.iter().any(|figure| figure.peer.is_some());
    let (head, rule) = if has_peers { (" aria2c | entries | ratio |", "---:|---:|---:|") } else { ("", "") };
    writeln!(page, "| | entries | Ashore | (least - most) | must be | |{head}")?;
    writeln!(page, "|---|---:|---:|---:|---|---|{rule}")?;
    for figure in figures {
        let value = figure.median();
        let (least, most) =
            figure.samples.iter().fold((f64::INFINITY, 0.0_f64), |(least, most), &value| (least.min(value), most.max(value)));
        write!(page, "| {} | {} | {} |", figure.what, figure.entries, figure.format_value(value))?;
        write!(page, " {} - {} |", digits(least), digits(most))?;
        match figure.verdict() {
            Some((found, must, is_met)) if matches!(figure.bound, Some(FigureBound::Times(..))) => {
                write!(page, " {must}: {found} | {} |", met(is_met))?;
            }
            Some((_, must, is_met)) => write!(page, " {must} | {} |", met(is_met))?,
            None => write!(page, " | |")?,
        }
        match &figure.peer {
            Some(peer) => {
                let theirs = median(peer.samples.iter().copied());
                writeln!(page, " {} | {} | {:.2} |", figure.format_value(theirs), peer.entries, value / theirs)?;
            }
            None if has_peers => writeln!(page, " | | |")?,
            None => writeln!(page)?,
        }
    }
    Ok(())
}

/// Returns the lines of the first results table: one line for each figure that has a bound.
pub fn verdicts(group: &str, figures: &[BenchFigure]) -> Result<String> {
    let mut text = String::new();
    for figure in figures {
        let Some((found, must, is_met)) = figure.verdict() else { continue };
        writeln!(text, "| {group}, {} entries | {} | {found} | {must} | | | | | {} |", figure.entries, figure.what, met(is_met))?;
    }
    Ok(text)
}

/// Returns the text that says whether a bound is met.
pub fn met(is_met: bool) -> &'static str {
    if is_met { "met" } else { "**missed**" }
}

/// Formats a value with its significant digits.
fn digits(value: f64) -> String {
    match value {
        value if value >= 1000.0 => {
            let digits = format!("{value:.0}");
            let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
            groups.join(",")
        }
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(figure: &BenchFigure) -> Result<String> {
        verdicts("queue", std::slice::from_ref(figure))
    }

    #[test]
    fn median_of_samples_is_compared_with_limit_of_benchmark_figure() -> Result<()> {
        let rate = BenchFigure::new("adding", 1_000_000, "a second", vec![40_000.0, 60_000.0, 70_000.0]);
        assert!(line(&rate)?.is_empty());
        assert_eq!(
            line(&rate.clone().bound(FigureBound::Least(50_000.0)))?,
            "| queue, 1000000 entries | adding | 60,000 a second | at least 50,000 a second | | | | | met |\n"
        );
        assert!(line(&rate.clone().bound(FigureBound::Most(59_999.0)))?.ends_with("| **missed** |\n"));
        let first = vec![30_000.0, 30_000.0, 900_000.0];
        assert!(line(&rate.clone().bound(FigureBound::Times(2.0, first.clone())))?.contains("| 2.00 | at most 2.00 times"));
        assert!(line(&rate.bound(FigureBound::Times(1.99, first)))?.ends_with("| **missed** |\n"));
        Ok(())
    }

    #[test]
    fn table_has_aria2c_columns_only_if_aria2c_was_measured() -> Result<()> {
        let mut figures = vec![BenchFigure::new("adding", 1, "ms", vec![1.0]), BenchFigure::new("starting", 1, "ms", vec![2.0])];
        let table = |figures: &[BenchFigure]| {
            let mut page = String::new();
            table(&mut page, figures).map(|()| page)
        };
        let columns = |page: &str| page.lines().map(|line| line.matches('|').count() - 1).collect::<Vec<_>>();
        assert_eq!(columns(&table(&figures)?), [6, 6, 6, 6]);
        figures[0] = figures[0].clone().beside(PeerFigure { entries: 1, samples: vec![2.0] });
        assert_eq!(columns(&table(&figures)?), [9, 9, 9, 9]);
        Ok(())
    }

    #[test]
    fn samples_of_same_measurement_from_two_rounds_are_combined() {
        let of = |value: f64, base: f64| {
            let peer = PeerFigure { entries: 5, samples: vec![base] };
            BenchFigure::new("pick", 10, "us", vec![value]).bound(FigureBound::Times(2.0, vec![base])).beside(peer)
        };
        let mut figure = of(1.0, 3.0);
        assert!(figure.is_same_as(&of(2.0, 4.0)));
        figure.join(of(2.0, 4.0));
        assert_eq!((figure.samples.len(), figure.peer.map(|peer| peer.samples)), (2, Some(vec![3.0, 4.0])));
        assert_eq!(figure.bound, Some(FigureBound::Times(2.0, vec![3.0, 4.0])));
    }

    #[test]
    fn large_numbers_have_thousands_separators() {
        assert_eq!([digits(1_234_567.8), digits(999.4), digits(12.34), digits(0.0834)], ["1,234,568", "999", "12.3", "0.083"]);
    }
}
