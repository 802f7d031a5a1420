//! `ashore statistics`: counts the results of all downloads ever added.

use std::path::Path;

use ashore_engine::{DailyCount, RequestSource, StatisticsReport};
use ashore_rpc::MethodCall;
use ashore_terminal::TerminalOutput;

use crate::{
    arguments::RequeueArguments,
    output::{
        problem::{CliProblem, ExitStatus},
        text,
    },
    verbs::short,
};

/// Prints the totals.
pub async fn statistics(data_dir: &Path, back: &RequeueArguments, out: TerminalOutput) -> Result<ExitStatus, CliProblem> {
    short::with(data_dir, "ashore statistics", async |connection| {
        let statistics: StatisticsReport = connection.call(MethodCall::Statistics { days: back.days }).await?;
        if out.json {
            out.object(&statistics)?;
            return Ok(ExitStatus::Done);
        }
        if statistics.total.added == 0 {
            out.print_line("Nothing was ever added. Add something with `ashore add URL`.");
            return Ok(ExitStatus::Done);
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
        Ok(ExitStatus::Done)
    })
    .await
}

fn row(of: &str, counted: &DailyCount) -> String {
    let DailyCount { added, succeeded, failed, retried, downloaded, .. } = counted;
    format!("{of:<14}  {added:>8}  {succeeded:>8}  {failed:>8}  {retried:>8}  {:>10}", text::size(*downloaded))
}

fn source(source: RequestSource) -> &'static str {
    match source {
        RequestSource::Window => "window",
        RequestSource::CommandLine => "command line",
        RequestSource::Feed => "feeds",
        RequestSource::Clipboard => "clipboard",
        RequestSource::Device => "other devices",
        RequestSource::Program => "programs",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_aligns_every_number_with_its_column() {
        let counted = DailyCount { added: 12, succeeded: 10, failed: 1, retried: 3, downloaded: 3_100_000_000, uploaded: 0 };
        assert_eq!(row("2026-11-22", &counted), "2026-11-22            12        10         1         3     3.10 GB");
    }
}
