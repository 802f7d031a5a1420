//! Table of short values. If the terminal is too narrow for the columns, the values of a row are printed one after the
//! other, below the name of the row. [pure]

use ashore_terminal::{clipped, packed};

use crate::output::words::{left, right, width};

/// Indent of the values below the name of a row, in columns.
const INDENT: usize = 2;
/// Minimum width of a last column with text, except if all its texts are shorter.
const LEAST_NAME: usize = 12;

/// Column of a table.
#[derive(Debug)]
pub struct TableColumn {
    head: String,
    columns: usize,
    is_number: bool,
}

/// Table whose rows are printed one by one.
#[derive(Debug)]
pub struct Table {
    columns: Vec<TableColumn>,
    /// Index of the column that names the row.
    name: usize,
    /// Width of the terminal in columns; `None` without a terminal.
    available: Option<usize>,
}

impl TableColumn {
    /// Returns a column of numbers, aligned to the right, with at least `least` columns.
    pub fn number(head: String, least: usize) -> Self {
        Self { columns: width([head.as_str()], least), head, is_number: true }
    }

    /// Returns a column that fits `texts`, with at least `least` columns.
    pub fn text<'a>(head: String, texts: impl IntoIterator<Item = &'a str>, least: usize) -> Self {
        Self { columns: width([head.as_str()], width(texts, least)), head, is_number: false }
    }
}

impl Table {
    /// Returns a table for a terminal with `available` columns. The column with the index `name` names the row.
    pub fn new(columns: Vec<TableColumn>, name: usize, available: Option<usize>) -> Self {
        Self { columns, name, available }
    }

    /// Returns the line with the column heads; `None` if the terminal is too narrow for columns.
    pub fn heads(&self) -> Option<String> {
        let heads: Vec<&str> = self.columns.iter().map(|column| column.head.as_str()).collect();
        self.last_columns().is_some().then(|| self.line(&heads))
    }

    /// Returns the lines of a row with one cell for each column.
    pub fn row(&self, cells: &[&str]) -> Vec<String> {
        match (self.last_columns(), self.available) {
            (None, Some(available)) => self.stacked(cells, available),
            _ => vec![self.line(cells)],
        }
    }

    /// Returns the width of the last column; `None` if it is too narrow.
    fn last_columns(&self) -> Option<usize> {
        let Some(available) = self.available else { return Some(usize::MAX) };
        let [others @ .., last] = self.columns.as_slice() else { return Some(available) };
        let left = available.checked_sub(others.iter().map(|column| column.columns + 2).sum())?;
        let least = if last.is_number { last.columns } else { last.columns.min(LEAST_NAME) };
        Some(left).filter(|left| *left >= least)
    }

    fn line(&self, cells: &[&str]) -> String {
        let last = self.columns.len().saturating_sub(1);
        let shown = self.columns.iter().zip(cells).enumerate().map(|(place, (column, cell))| match column.is_number {
            true => right(cell, column.columns),
            false if place == last => clipped(cell, self.last_columns().unwrap_or_default()),
            false => left(cell, column.columns),
        });
        shown.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }

    fn stacked(&self, cells: &[&str], available: usize) -> Vec<String> {
        let name = cells.get(self.name).copied().unwrap_or_default();
        let others =
            self.columns.iter().zip(cells).enumerate().filter(|(place, (_, cell))| *place != self.name && !cell.is_empty());
        let values: Vec<String> = others.map(|(_, (column, cell))| format!("{} {cell}", column.head)).collect();
        let below = packed(&values, "  ", available.saturating_sub(INDENT));
        let below = below.into_iter().map(|line| format!("{}{line}", " ".repeat(INDENT)));
        [clipped(name, available)].into_iter().chain(below).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(available: Option<usize>) -> Table {
        let names = TableColumn::text("NAME".to_owned(), ["command line"], 8);
        let added = TableColumn::number("ADDED".to_owned(), 8);
        let size = TableColumn::number("SIZE".to_owned(), 10);
        Table::new(vec![names, added, size], 0, available)
    }

    #[test]
    fn table_aligns_numbers_with_their_heads() {
        for available in [None, Some(34)] {
            let table = table(available);
            assert_eq!(table.heads().unwrap(), "NAME             ADDED        SIZE");
            assert_eq!(table.row(&["window", "12", "3.1 GB"]), ["window              12      3.1 GB"]);
        }
    }

    #[test]
    fn table_in_narrow_terminal_has_values_below_name() {
        let table = table(Some(20));
        assert_eq!(table.heads(), None);
        assert_eq!(table.row(&["command line", "12", "3.1 GB"]), ["command line", "  ADDED 12", "  SIZE 3.1 GB"]);
    }

    #[test]
    fn name_in_last_column_is_shortened() {
        let size = TableColumn::number("SIZE".to_owned(), 10);
        let owner = TableColumn::text("OWNER".to_owned(), ["a-program-with-a-long-name"], 0);
        let table = Table::new(vec![size, owner], 1, Some(26));
        assert_eq!(table.row(&["3.1 GB", "a-program-with-a-long-name"]), ["    3.1 GB  a-program…name"]);
    }
}
