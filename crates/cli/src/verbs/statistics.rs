//! `ashore statistics`: counts the results of all downloads ever added.

use std::path::Path;

use ashore_engine::{DailyCount, RequestSource, StatisticsReport};
use ashore_rpc::MethodCall;
use ashore_terminal::{TerminalOutput, stdout_columns};

use crate::{
    arguments::RequeueArguments,
    output::{
        problem::{CliProblem, ExitStatus},
        table::{Table, TableColumn},
        text,
        words::words,
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
        let table = table(stdout_columns());
        out.lines(table.heads())?;
        for of in &statistics.sources {
            out.lines(row(&table, &source(of.source), &of.counted))?;
        }
        out.lines(row(&table, &words!("cli-statistics.all"), &statistics.total))?;
        for of in &statistics.days {
            out.lines(row(&table, &of.day, &of.counted))?;
        }
        Ok(ExitStatus::Done)
    })
    .await
}

/// Returns the table for a terminal with `available` columns.
fn table(available: Option<usize>) -> Table {
    let names = SOURCES.map(source);
    let columns = vec![
        TableColumn::text(words!("cli-column.files"), names.iter().map(String::as_str), 14),
        TableColumn::number(words!("cli-column.added"), 8),
        TableColumn::number(words!("cli-column.succeeded"), 8),
        TableColumn::number(words!("cli-column.failed"), 8),
        TableColumn::number(words!("cli-column.retried"), 8),
        TableColumn::number(words!("cli-column.size"), 10),
    ];
    Table::new(columns, 0, available)
}

fn row(table: &Table, of: &str, counted: &DailyCount) -> Vec<String> {
    let DailyCount { added, succeeded, failed, retried, downloaded, .. } = counted;
    let [added, succeeded, failed, retried] = [added, succeeded, failed, retried].map(ToString::to_string);
    table.row(&[of, &added, &succeeded, &failed, &retried, &text::size(*downloaded)])
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
        let row = |available| row(&table(available), "2026-11-22", &counted);
        assert_eq!(row(None), ["2026-11-22            12        10         1         3      3.1 GB"]);
        assert_eq!(row(Some(40)), ["2026-11-22", "  ADDED 12  DONE 10  FAILED 1  RETRIED 3", "  SIZE 3.1 GB"]);
    }
}
