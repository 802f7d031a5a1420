//! Lines of `ashore list` and `ashore watch`. [pure]
//!
//! - Without a terminal, each download has one line, for programs such as `grep`.
//! - On a terminal, no line is wider than the terminal, and only titles are shortened. In a narrow terminal, each
//!   download has several lines.

use std::time::Duration;

use ashore_engine::{GateReport, Registration};
use ashore_messages::current;
use ashore_terminal::{clean, clipped, packed, wrapped};

use crate::output::{
    text::{self, ShownState},
    words::{left, right, width, words},
};

/// Number of digits of an id that are shown.
const ID: usize = 8;
/// Minimum width of a title beside the other columns. In a narrower terminal, a download has several lines.
const LEAST_TITLE: usize = 14;
/// Indent of the lines about a download below its title, in columns.
const INDENT: usize = 2;

/// Columns of the list in the language of the user.
#[derive(Debug)]
pub struct ListTable {
    state: String,
    progress: String,
    size: String,
    speed: String,
    left: String,
    /// Whether the columns for the speed and the time left are shown.
    has_speeds: bool,
    /// Width of the terminal in columns; `None` without a terminal.
    columns: Option<usize>,
}

/// Texts about one download.
struct ListCells {
    id: String,
    state: String,
    progress: String,
    size: String,
    speed: String,
    left: String,
    title: String,
    /// Reason why the download waits, and other facts; empty if there are none.
    note: String,
}

impl ListTable {
    /// Returns a table for a terminal with `columns` columns.
    pub fn new(has_speeds: bool, columns: Option<usize>) -> Self {
        Self {
            state: words!("cli-column.state"),
            progress: words!("cli-column.progress"),
            size: words!("cli-column.size"),
            speed: words!("cli-column.speed"),
            left: words!("cli-column.left"),
            has_speeds,
            columns,
        }
    }

    /// Returns the line with the column heads; `None` if the terminal is too narrow for columns.
    pub fn heads(&self) -> Option<String> {
        let heads = ListCells {
            id: words!("cli-column.id"),
            state: self.state.clone(),
            progress: self.progress.clone(),
            size: self.size.clone(),
            speed: self.speed.clone(),
            left: self.left.clone(),
            title: words!("cli-column.title"),
            note: String::new(),
        };
        self.title_columns().is_some().then(|| self.line(&heads))
    }

    /// Returns the lines of a download, which transfers at `speed` bytes per second.
    ///
    /// The lines contain the reason why the download waits, unless `gate` is this reason. `gate` holds back all
    /// downloads, so the caller prints it once, below the list.
    pub fn row(&self, registration: &Registration, speed: u64, gate: Option<&GateReport>) -> Vec<String> {
        let remaining = text::total(registration).map_or(0, |total| total.saturating_sub(registration.downloaded));
        let has_time = speed > 0 && remaining > 0;
        let cells = ListCells {
            id: registration.unique_id.to_string()[..ID].to_owned(),
            state: text::state(registration).word(),
            progress: text::share(registration),
            size: text::total(registration).map_or_else(|| text::size(registration.downloaded), text::size),
            speed: if speed > 0 { clean(&current().speed(speed)) } else { String::new() },
            left: if has_time { span(remaining, speed) } else { String::new() },
            title: clean(&registration.title),
            note: note(registration, gate),
        };
        match (self.title_columns(), self.columns) {
            (Some(_), None) if cells.note.is_empty() => vec![self.line(&cells)],
            (Some(_), None) => vec![format!("{} - {}", self.line(&cells), cells.note)],
            (Some(_), Some(columns)) => {
                let below = indented(&cells.note, ID + 2, columns);
                [self.line(&cells)].into_iter().chain(below).collect()
            }
            (None, columns) => stacked(cells, columns.unwrap_or_default()),
        }
    }

    /// Returns the width that is left for the title; `None` if it is less than [`LEAST_TITLE`].
    fn title_columns(&self) -> Option<usize> {
        let Some(columns) = self.columns else { return Some(usize::MAX) };
        let speeds = if self.has_speeds { self.speed_columns() + self.left_columns() + 4 } else { 0 };
        let used = ID + ShownState::width(&self.state) + self.progress_columns() + self.size_columns() + 8 + speeds;
        columns.checked_sub(used).filter(|left| *left >= LEAST_TITLE)
    }

    fn progress_columns(&self) -> usize {
        width([self.progress.as_str()], 5)
    }

    fn size_columns(&self) -> usize {
        width([self.size.as_str()], 10)
    }

    fn speed_columns(&self) -> usize {
        width([self.speed.as_str()], 10)
    }

    fn left_columns(&self) -> usize {
        width([self.left.as_str()], 10)
    }

    fn line(&self, cells: &ListCells) -> String {
        let mut line = vec![
            left(&cells.id, ID),
            left(&cells.state, ShownState::width(&self.state)),
            right(&cells.progress, self.progress_columns()),
            right(&cells.size, self.size_columns()),
        ];
        if self.has_speeds {
            line.extend([right(&cells.speed, self.speed_columns()), right(&cells.left, self.left_columns())]);
        }
        line.push(clipped(&cells.title, self.title_columns().unwrap_or_default()));
        line.join("  ")
    }
}

/// Returns the lines of a download for a narrow terminal: a line with the id and the title, and the other texts below.
fn stacked(cells: ListCells, columns: usize) -> Vec<String> {
    let title = clipped(&cells.title, columns.saturating_sub(ID + 2));
    let left = if cells.left.is_empty() { cells.left } else { words!("time-left", time = cells.left) };
    let parts: Vec<String> = [cells.state, cells.progress, cells.size, cells.speed, left].into();
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let facts = packed(&parts, "  ", columns.saturating_sub(INDENT));
    let facts = facts.into_iter().map(|line| format!("{}{line}", " ".repeat(INDENT)));
    [format!("{}  {title}", cells.id)].into_iter().chain(facts).chain(indented(&cells.note, INDENT, columns)).collect()
}

/// Returns the lines of `text`, broken between words and indented; no lines for an empty text.
fn indented(text: &str, indent: usize, columns: usize) -> Vec<String> {
    let broken = wrapped(text, columns.saturating_sub(indent));
    broken.lines().map(|line| format!("{}{line}", " ".repeat(indent))).collect()
}

fn note(registration: &Registration, gate: Option<&GateReport>) -> String {
    let own = registration.waiting_for.as_ref().filter(|own| gate.is_none_or(|gate| gate.code.word() != own.code));
    let unmeasured = registration.unmeasured.then(|| words!("row-size-unknown"));
    unmeasured.into_iter().chain(own.map(text::with_cure)).collect::<Vec<_>>().join(" - ")
}

/// Returns the time that `bytes` take at `speed` bytes per second, such as "2 min".
fn span(bytes: u64, speed: u64) -> String {
    clean(&current().span(Duration::from_secs(bytes / speed).as_secs_f64()))
}

#[cfg(test)]
mod tests {
    use ashore_engine::RegistrationState;
    use ashore_messages::message;
    use unicode_width::UnicodeWidthStr as _;

    use super::*;
    use crate::output::text::tests::registration;

    fn running() -> Registration {
        Registration {
            title: "ocean-currents-2026-11-30.nc".to_owned(),
            state: RegistrationState::Running,
            downloaded: 321_000_000,
            expected_total: 845_000_000,
            ..registration()
        }
    }

    #[test]
    fn list_without_terminal_has_one_line_for_each_download() {
        let table = ListTable::new(true, None);
        assert_eq!(table.heads().unwrap(), "ID        STATE       DONE        SIZE       SPEED        LEFT  TITLE");
        assert_eq!(
            table.row(&running(), 6_200_000, None),
            ["1b9d6bcd  running     37 %      845 MB    6.2 MB/s       1 min  ocean-currents-2026-11-30.nc"]
        );
        let waiting = Registration { waiting_for: Some(message!("dns")), ..registration() };
        let row = ListTable::new(false, None).row(&waiting, 0, None);
        assert_eq!(row, [format!("1b9d6bcd  waiting      0 %         0 B  debian.iso - {}", message!("dns"))]);
    }

    #[test]
    fn list_at_80_columns_shortens_only_titles() {
        let table = ListTable::new(true, Some(80));
        assert_eq!(
            table.row(&running(), 6_200_000, None),
            ["1b9d6bcd  running     37 %      845 MB    6.2 MB/s       1 min  ocean-curr…30.nc"]
        );
    }

    #[test]
    fn list_at_40_columns_has_several_lines_for_each_download() {
        let table = ListTable::new(true, Some(40));
        assert_eq!(table.heads(), None);
        assert_eq!(
            table.row(&running(), 6_200_000, None),
            ["1b9d6bcd  ocean-currents-2026-11-30.nc", "  running  37 %  845 MB  6.2 MB/s", "  1 min left"]
        );
    }

    #[test]
    fn no_line_of_list_is_wider_than_terminal() {
        let waiting = Registration { waiting_for: Some(message!("host-busy")), ..running() };
        for columns in [40, 53, 64, 80, 120] {
            for has_speeds in [false, true] {
                let table = ListTable::new(has_speeds, Some(columns));
                let rows = [table.row(&running(), 999_400_000, None), table.row(&waiting, 0, None)].concat();
                for line in table.heads().iter().chain(&rows) {
                    assert!(line.width() <= columns, "{columns}: {line}");
                }
            }
        }
    }
}
