//! `ashore statistics`: what has become of everything that was ever asked for.

use std::path::Path;

use ashore_engine::{Counted, Source, Statistics};
use ashore_rpc::Call;
use ashore_terminal::Out;

use crate::{
    arguments::Back,
    output::{
        problem::{Ending, Problem},
        text,
    },
    verbs::short,
};

/// Prints the running totals.
pub async fn statistics(data_dir: &Path, back: &Back, out: Out) -> Result<Ending, Problem> {
    short::with(data_dir, "ashore statistics", async |connection| {
        let statistics: Statistics = connection.call(Call::Statistics { days: back.days }).await?;
        if out.json {
            out.object(&statistics)?;
            return Ok(Ending::Done);
        }
        if statistics.total.added == 0 {
            out.say("Nothing was ever added. Add something with `ashore add URL`.");
            return Ok(Ending::Done);
        }
        out.line(format_args!(
            "{:<14}  {:>8}  {:>8}  {:>8}  {:>8}  {:>10}",
            "FILES", "ADDED", "DONE", "FAILED", "RETRIED", "SIZE"
        ))?;
        for of in &statistics.sources {
            out.line(row(source(of.source), &of.counted))?;
        }
        out.line(row("in all", &statistics.total))?;
        for of in &statistics.days {
            out.line(row(&of.day, &of.counted))?;
        }
        Ok(Ending::Done)
    })
    .await
}

fn row(of: &str, counted: &Counted) -> String {
    let Counted { added, succeeded, failed, retried, downloaded, .. } = counted;
    format!("{of:<14}  {added:>8}  {succeeded:>8}  {failed:>8}  {retried:>8}  {:>10}", text::size(*downloaded))
}

fn source(source: Source) -> &'static str {
    match source {
        Source::Window => "window",
        Source::CommandLine => "command line",
        Source::Feed => "feeds",
        Source::Clipboard => "clipboard",
        Source::Device => "other devices",
        Source::Program => "programs",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_every_number_in_its_column() {
        let counted = Counted { added: 12, succeeded: 10, failed: 1, retried: 3, downloaded: 3_100_000_000, uploaded: 0 };
        assert_eq!(row("2026-11-22", &counted), "2026-11-22            12        10         1         3     3.10 GB");
    }
}
