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
        words::{left, right, width, words},
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
            out.print_line(words!("cli-statistics-empty"));
            return Ok(ExitStatus::Done);
        }
        let columns = StatisticsColumns::new();
        out.line(columns.heads())?;
        for of in &statistics.sources {
            out.line(columns.row(&source(of.source), &of.counted))?;
        }
        out.line(columns.row(&words!("cli-statistics.all"), &statistics.total))?;
        for of in &statistics.days {
            out.line(columns.row(&of.day, &of.counted))?;
        }
        Ok(ExitStatus::Done)
    })
    .await
}

/// Column widths and column heads in the language of the user.
struct StatisticsColumns {
    /// Width of the longest source name, in characters.
    names: usize,
    heads: [String; 5],
}

impl StatisticsColumns {
    fn new() -> Self {
        let names = SOURCES.map(source);
        let heads = [
            words!("cli-column.added"),
            words!("cli-column.succeeded"),
            words!("cli-column.failed"),
            words!("cli-column.retried"),
            words!("cli-column.size"),
        ];
        Self { names: width(names.iter().map(String::as_str), 14), heads }
    }

    fn heads(&self) -> String {
        self.line(&words!("cli-column.files"), &self.heads)
    }

    fn row(&self, of: &str, counted: &DailyCount) -> String {
        let DailyCount { added, succeeded, failed, retried, downloaded, .. } = counted;
        let numbers = [added, succeeded, failed, retried].map(ToString::to_string);
        let [added, succeeded, failed, retried] = numbers;
        self.line(of, &[added, succeeded, failed, retried, text::size(*downloaded)])
    }

    fn line(&self, name: &str, columns: &[String; 5]) -> String {
        let least = [8, 8, 8, 8, 10];
        let shown = columns.iter().zip(&self.heads).zip(least);
        let shown = shown.map(|((column, head), least)| right(column, width([head.as_str()], least)));
        format!("{}  {}", left(name, self.names), shown.collect::<Vec<_>>().join("  "))
    }
}

/// Sources in the order of the enum.
const SOURCES: [RequestSource; 7] = [
    RequestSource::Window,
    RequestSource::CommandLine,
    RequestSource::Feed,
    RequestSource::Clipboard,
    RequestSource::Device,
    RequestSource::Browser,
    RequestSource::Program,
];

fn source(source: RequestSource) -> String {
    words!(match source {
        RequestSource::Window => "cli-statistics.window",
        RequestSource::CommandLine => "cli-statistics.command-line",
        RequestSource::Feed => "cli-statistics.feed",
        RequestSource::Clipboard => "cli-statistics.clipboard",
        RequestSource::Device => "cli-statistics.device",
        RequestSource::Browser => "cli-statistics.browser",
        RequestSource::Program => "cli-statistics.program",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_row_aligns_every_number_with_its_column() {
        let counted = DailyCount { added: 12, succeeded: 10, failed: 1, retried: 3, downloaded: 3_100_000_000, uploaded: 0 };
        let row = StatisticsColumns::new().row("2026-11-22", &counted);
        assert_eq!(row, "2026-11-22            12        10         1         3      3.1 GB");
    }
}
